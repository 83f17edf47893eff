//! Keyspaces of one CQL engine as they exist. Serialised, each field is one property of the lock and of the diff.

use super::{About, Parameter};
mod identifier;
mod types;

pub use identifier::{identifier, is_reserved, string, type_identifier};
pub use types::Type;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// All keyspaces of one generation, for one engine. Names are without quotes and with their case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Schema {
    /// Parameters whose values were written into names, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Parameter>,
    /// Keyspaces, by name.
    pub keyspaces: BTreeMap<String, Keyspace>,
}

/// A keyspace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Keyspace {
    /// Where it stands.
    #[serde(skip)]
    pub about: About,
    /// The replication map, with `class` (its short name).
    pub replication: BTreeMap<String, String>,
    /// None: nothing is said (true).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub durable_writes: Option<bool>,
    /// Other options, by name in lower case.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
    /// User types, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub types: BTreeMap<String, UserType>,
    /// Tables, by the model's key; in a foreign file by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tables: BTreeMap<String, Table>,
    /// Statements that are carried along (functions, aggregates, roles), by what they create, as text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, String>,
}

/// A user type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UserType {
    /// Where it stands.
    #[serde(skip)]
    pub about: About,
    /// Fields in the order the engine holds them: appending is the only way to add one.
    pub fields: Vec<(String, Type)>,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Table {
    /// Where it stands and what it is for.
    #[serde(skip)]
    pub about: About,
    /// Name in the keyspace.
    pub name: String,
    /// Columns, by name; their order means nothing to an engine.
    pub columns: BTreeMap<String, Column>,
    /// Partition key, in order.
    pub partition_key: Vec<String>,
    /// Clustering key, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clustering: Vec<Clustering>,
    /// Options that were written, by name in lower case. `comment` is one of them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
    /// Secondary indexes, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub indexes: BTreeMap<String, Index>,
    /// Materialized views, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub views: BTreeMap<String, View>,
    /// Columns that were dropped: they cannot come back with another type.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub dropped: BTreeMap<String, Column>,
    /// The table left the model and is kept; `schema.cql` lists it last.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub kept: bool,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Type,
    /// One value a partition.
    #[serde(rename = "static", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_static: bool,
    /// Column options an engine prints (masking), as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<String>,
}

/// One column of a clustering key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clustering {
    /// The column.
    pub column: String,
    /// Stored from high to low.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub descending: bool,
}

/// A secondary index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// Where it stands and what it is for.
    #[serde(skip)]
    pub about: About,
    /// The indexed column. A Scylla local index has the partition key first: `local`.
    pub column: String,
    /// `keys`, `values`, `entries` or `full` of a collection; None: the value itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Partition key columns of a Scylla local index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub local: Vec<String>,
    /// The class after USING (`StorageAttachedIndex` is `sai`); None: the engine's legacy index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub using: Option<String>,
    /// WITH OPTIONS.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

/// A materialized view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Where it stands and what it is for.
    #[serde(skip)]
    pub about: About,
    /// Selected columns, sorted; None: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// The WHERE clause without the `IS NOT NULL` of its key columns, as text; mostly empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub filter: String,
    /// Partition key, in order.
    pub partition_key: Vec<String>,
    /// Clustering key, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clustering: Vec<Clustering>,
    /// Options that were written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OptionValue {
    /// `'text'`
    Text(String),
    /// A number as it was written.
    Number(String),
    /// `true` or `false`
    Bool(bool),
    /// `{'key': 'value'}`: all values as text, as engines store them.
    Map(BTreeMap<String, String>),
}

impl Serialize for OptionValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(text) => super::Scalar::Number(text.clone()).serialize(serializer),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Map(map) => map.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => Ok(Self::Text(text)),
            serde_json::Value::Bool(value) => Ok(Self::Bool(value)),
            serde_json::Value::Number(number) => Ok(Self::Number(number.to_string())),
            other => serde_json::from_value(other).map(Self::Map).map_err(serde::de::Error::custom),
        }
    }
}
