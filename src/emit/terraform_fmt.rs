//! What `terraform fmt` does: aligns `=` over consecutive single-line arguments.
