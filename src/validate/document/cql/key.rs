//! The partition key of a table.

use crate::source::Spanned;
use crate::validate::document::Field;
use schemars::JsonSchema;
use serde::Deserialize;

/// A partition key
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "PartitionKey", untagged)]
pub enum PartitionKey {
    /// One attribute
    Text(Spanned<String>),
    /// One bucket or shard
    Map(Spanned<PartMap>),
    /// Several parts
    List(Vec<Spanned<Part>>),
}

/// A part of a partition key: an attribute, a bucket or a shard
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "PartitionPart", untagged)]
pub enum Part {
    /// An attribute
    Text(String),
    /// A bucket or a shard
    Map(PartMap),
}

/// A bucket of time (`bucket`, `by`) or a shard (`shard`, `into`)
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PartMap {
    /// The attribute with the time
    pub bucket: Field<String>,
    /// How long a bucket lasts: `minute`, `hour`, `day`, `week`, `month`, `year`, or a duration
    pub by: Field<String>,
    /// The attribute that is hashed
    pub shard: Field<String>,
    /// Number of shards
    pub into: Field<u32>,
    /// The column's name; `a_month`, `a_shard` when nothing is said
    #[serde(rename = "as")]
    pub column: Field<String>,
    /// The column's type: text, int, bigint or date
    #[serde(rename = "type")]
    pub kind: Field<BucketType>,
}

/// The type of a bucket's column
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BucketType {
    /// As in a key template: `2026-11`
    Text,
    /// A number
    Int,
    /// A number
    Bigint,
    /// The first day
    Date,
}
