//! The document: the whole language as typed data, still as it was written. The JSON Schema of `models/*.yaml` is derived
//! from it, and the doc comments are the descriptions that editors show.

mod common;
mod cql;
mod dynamodb;
mod entity;
mod field;
mod pattern;
mod scalar;

pub use common::{Allowance, AllowanceDetails, Amount, OneOrMany, Parameter, ParameterType, Removal, UserType};
pub use cql::*;
pub use dynamodb::*;
pub use entity::{Attribute, AttributeOptions, Encoding, Entity, Enum};
pub use field::{Field, Map};
pub use pattern::{Consistency, Pattern, Store};
pub use scalar::*;

use schemars::JsonSchema;
use serde::Deserialize;

/// A model of access patterns: what is stored, how it is read and written, and the tables that serve that.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(title = "gen model, format 1", extend("required" = ["gen", "name", "entities", "access_patterns"]))]
pub struct Model {
    /// The format version: 1
    pub r#gen: Field<u64>,
    /// The model's name, unique in the repository: `[a-z][a-z0-9-]*`. The Terraform module and the CloudFormation stack take it
    pub name: Field<String>,
    /// What the model is about
    pub description: Field<String>,
    /// Findings that are allowed anywhere in the model, each with its reason
    pub allow: Field<Map<Allowance>>,
    /// Parameters: Terraform variables and CloudFormation parameters, written `${name}` in names, tags and keys of encryption
    pub parameters: Field<Map<Parameter>>,
    /// User types: CQL `CREATE TYPE`; a map (M) in DynamoDB
    pub types: Field<Map<UserType>>,
    /// What is stored
    pub entities: Field<Map<Entity>>,
    /// How it is read and written
    pub access_patterns: Field<Map<Pattern>>,
    /// Tables on Amazon DynamoDB
    pub dynamodb: Field<Dynamodb>,
    /// Tables on Cassandra, ScyllaDB or Amazon Keyspaces
    pub cql: Field<Cql>,
}
