//! From the schema to files: templates, literals, formatting, and the read-back that checks them.

pub mod cloudformation;
pub mod cql;
mod engine;
pub mod literal;
pub mod terraform;
pub mod terraform_fmt;
mod verify;

pub use engine::Templates;

use crate::schema::Backend;
use camino::Utf8PathBuf;

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Its path below the model's output folder: `terraform/table_orders.tf`.
    pub path: Utf8PathBuf,
    /// Its whole text.
    pub text: String,
    /// What it is for.
    pub backend: Backend,
}
