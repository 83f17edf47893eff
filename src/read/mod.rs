//! From text to the schema: Terraform, CloudFormation, CQL.

pub mod cloudformation;
pub mod cql;
pub mod terraform;
