//! What several parts of the language share.

use super::{Field, Map, Value};
use crate::source::Spanned;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use std::borrow::Cow;

/// One name, or a list of names
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "OneOrMany", untagged)]
pub enum OneOrMany {
    /// One name
    Text(Spanned<String>),
    /// A list of names
    List(Vec<Spanned<String>>),
}

impl OneOrMany {
    /// The names, in order.
    pub fn names(&self) -> &[Spanned<String>] {
        match self {
            Self::Text(name) => std::slice::from_ref(name),
            Self::List(names) => names,
        }
    }
}

/// An average, or an average and a maximum
#[derive(Clone, Debug)]
pub enum Amount<T> {
    /// The average
    One(Spanned<T>),
    /// Average and maximum
    Both(Bounds<T>),
}

/// An average and a maximum
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, bound = "T: Deserialize<'de>")]
#[schemars(rename = "Amount_of_{T}", extend("required" = ["average"]))]
pub struct Bounds<T> {
    /// The average
    pub average: Field<T>,
    /// The largest
    pub max: Field<T>,
}

impl<T> Default for Bounds<T> {
    fn default() -> Self {
        Self { average: Field::Absent, max: Field::Absent }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Amount<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// By what the node is.
        #[derive(Deserialize)]
        #[serde(rename = "$kind", rename_all = "snake_case", bound = "T: Deserialize<'de>")]
        enum ByKind<T> {
            Text(Spanned<T>),
            Number(Spanned<T>),
            Map(Bounds<T>),
        }
        Ok(match ByKind::deserialize(deserializer)? {
            ByKind::Text(value) | ByKind::Number(value) => Self::One(value),
            ByKind::Map(bounds) => Self::Both(bounds),
        })
    }
}

impl<T: JsonSchema> JsonSchema for Amount<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("AmountOf{}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [generator.subschema_for::<T>(), generator.subschema_for::<Bounds<T>>()] })
    }
}

/// Why a finding is allowed
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "Allowance", untagged)]
pub enum Allowance {
    /// The reason
    Text(String),
    /// The reason, and how long it holds
    Map(AllowanceDetails),
}

/// Why a finding is allowed, and how long
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AllowanceDetails {
    /// Why the finding is accepted
    pub reason: Field<String>,
    /// The last day it is accepted, such as `2027-06-30`
    pub until: Field<String>,
}

/// A parameter: a Terraform variable and a CloudFormation parameter
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Parameter {
    /// Its type; text when nothing is said
    #[serde(rename = "type")]
    pub kind: Field<ParameterType>,
    /// The closed set of values
    pub values: Field<Vec<Spanned<Value>>>,
    /// The value in force when none is given
    pub default: Field<Value>,
    /// What it is for
    pub description: Field<String>,
    /// Findings that are allowed here, each with its reason
    pub allow: Field<Map<Allowance>>,
}

/// The type of a parameter
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParameterType {
    /// Text
    Text,
    /// A number
    Number,
    /// True or false
    Bool,
}

/// What becomes of a table that left the model
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Removal {
    /// It is kept, and that is meant
    Retain,
    /// It is destroyed by Terraform and CQL, once acknowledged
    Destroy,
}

/// A user type, in the long form
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UserType {
    /// Field → type
    pub fields: Field<Map<String>>,
    /// What it is
    pub description: Field<String>,
    /// The name it had before
    pub renamed_from: Field<String>,
    /// Findings that are allowed here, each with its reason
    pub allow: Field<Map<Allowance>>,
}

impl UserType {
    /// The key by which the long form is known: fields have types, and a type is no map.
    pub const LONG_FORM: &str = "fields";
}

impl JsonSchema for UserType {
    fn schema_name() -> Cow<'static, str> {
        "UserType".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A user type: field → type; or `{ fields: { field: type }, description, renamed_from }`",
            "anyOf": [
                {
                    "type": "object",
                    "properties": {
                        "fields": { "type": "object", "additionalProperties": { "type": "string" }, "description": "Field → type" },
                        "description": { "type": "string", "description": "What it is" },
                        "renamed_from": { "type": "string", "description": "The name it had before" },
                        "allow": generator.subschema_for::<Map<Allowance>>(),
                    },
                    "required": ["fields"],
                    "additionalProperties": false,
                },
                { "type": "object", "additionalProperties": { "type": "string" } },
            ],
        })
    }
}
