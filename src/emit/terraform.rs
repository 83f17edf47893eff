//! Terraform modules.
