//! What a change shows of a side: a value, or a whole table, which is written out when somebody reads it.

use super::changes::{whole_cql_table, whole_dynamodb_table};
use crate::schema::{cql, dynamodb};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::sync::Arc;

/// What was there, or is to be there.
#[derive(Clone, Debug)]
pub enum Shown {
    /// The value of a property, or an item that is written out.
    Value(Json),
    /// A table of DynamoDB, which its generation holds too.
    DynamodbTable(Arc<dynamodb::Table>),
    /// A table of CQL, likewise.
    CqlTable(Arc<cql::Table>),
}

impl Shown {
    /// It as JSON.
    #[must_use]
    pub fn json(&self) -> Cow<'_, Json> {
        match self {
            Self::Value(value) => Cow::Borrowed(value),
            Self::DynamodbTable(table) => Cow::Owned(whole_dynamodb_table(table)),
            Self::CqlTable(table) => Cow::Owned(whole_cql_table(table)),
        }
    }

    /// A value that is a text.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Self::Value(value) = self { value.as_str() } else { None }
    }
}

impl PartialEq for Shown {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::DynamodbTable(one), Self::DynamodbTable(other)) if Arc::ptr_eq(one, other) => true,
            (Self::CqlTable(one), Self::CqlTable(other)) if Arc::ptr_eq(one, other) => true,
            _ => self.json() == other.json(),
        }
    }
}

impl From<Json> for Shown {
    fn from(value: Json) -> Self {
        Self::Value(value)
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

impl JsonSchema for Shown {
    fn inline_schema() -> bool {
        Json::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        Json::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Json::json_schema(generator)
    }
}
