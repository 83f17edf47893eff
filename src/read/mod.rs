//! From text to the schema: Terraform, CloudFormation, CQL.

pub mod cloudformation;
pub mod cql;
mod not_placed;
mod scaling;
pub mod terraform;
