//! Terraform modules, through `hcl::edit`.
