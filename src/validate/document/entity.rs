//! Entities and attributes (section 3).

use super::{Allowance, Amount, Count, Duration, Field, Map, OneOrMany, Rate, Share, Size, Value};
use crate::source::Spanned;
use schemars::JsonSchema;
use serde::Deserialize;

/// A kind of item
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("required" = ["key", "attributes"]))]
pub struct Entity {
    /// What the entity is
    pub description: Field<String>,
    /// Identity: an attribute, or a list of attributes
    pub key: Field<OneOrMany>,
    /// Attributes: name → type, or name → options
    pub attributes: Field<Map<Attribute>>,
    /// How many exist, in steady state
    pub items: Field<Count>,
    /// The size of one item
    pub size: Field<Amount<Size>>,
    /// Net new items, such as `3K/day`
    pub growth: Field<Rate>,
    /// How long the business keeps one; for ever when nothing is said
    pub retain: Field<Duration>,
    /// How many items share one value. Key: an attribute, or several joined by `+` (`tenant_id+status`)
    pub per: Field<Map<Amount<Count>>>,
    /// `Entity.attribute`: this entity exists only to keep that `unique` attribute unique
    pub guards: Field<String>,
    /// The name it had before
    pub renamed_from: Field<String>,
    /// Findings that are allowed here, each with its reason
    pub allow: Field<Map<Allowance>>,
}

/// An attribute: its type, or its options
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "Attribute", untagged)]
pub enum Attribute {
    /// The type: text ascii inet uuid timeuuid ulid ksuid snowflake int bigint smallint tinyint varint decimal float double
    /// counter timestamp date time blob boolean duration, `list<T>` `set<T>` `map<K, V>` `tuple<T, …>` `frozen<T>`
    /// `vector<float, n>`, or a user type
    Text(Spanned<String>),
    /// Type and options
    Map(Box<AttributeOptions>),
}

/// An attribute's type and options
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AttributeOptions {
    /// The type. Required unless `enum` is given
    #[serde(rename = "type")]
    pub kind: Field<String>,
    /// The closed set of values; the type is then text
    #[serde(rename = "enum")]
    pub values: Field<Enum>,
    /// May be absent. Implied by `present`
    pub optional: Field<bool>,
    /// How many items have it: the size of a sparse index
    pub present: Field<Share>,
    /// Number of different values
    pub distinct: Field<Count>,
    /// Share of the traffic on the most frequent value
    pub top_share: Field<Share>,
    /// No two items share a value
    pub unique: Field<bool>,
    /// `Entity.attribute`: it is a copy of that
    pub copy_of: Field<String>,
    /// What refreshes a copy, count or sum: a pattern, `stream`, or `never` for a snapshot
    pub updated_by: Field<String>,
    /// An entity: a maintained count of those items, grouped by this entity's key
    pub count_of: Field<String>,
    /// `Entity.attribute`: a maintained sum
    pub sum_of: Field<String>,
    /// DynamoDB form of a timestamp; `iso` when nothing is said
    pub encoding: Field<Encoding>,
    /// What the attribute is
    pub description: Field<String>,
    /// The name it had before
    pub renamed_from: Field<String>,
    /// Findings that are allowed here, each with its reason
    pub allow: Field<Map<Allowance>>,
}

/// A closed set of values: a list, or a map from value to share, together 100%
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "Enum", untagged)]
pub enum Enum {
    /// The values
    List(Vec<Spanned<Value>>),
    /// Value → share, together 100%
    Map(Map<Share>),
}

/// DynamoDB form of a timestamp
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// Text such as `2026-11-30T11:10:07.123Z`
    Iso,
    /// Number of seconds
    EpochSeconds,
    /// Number of milliseconds
    EpochMillis,
}
