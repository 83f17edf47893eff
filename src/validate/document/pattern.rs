//! Access patterns (section 4).

use super::{Allowance, Duration, Field, Map, OneOrMany, Rate, Share};
use crate::source::Spanned;
use schemars::JsonSchema;
use serde::Deserialize;

/// An access pattern: exactly one of find, count, scan, put, update, delete, transaction and batch
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Pattern {
    /// What the pattern is for
    pub description: Field<String>,
    /// Reads items of an entity, or of a list of entities in one request
    pub find: Field<OneOrMany>,
    /// Reads a maintained count of an entity
    pub count: Field<String>,
    /// Reads everything; `reason` is required
    pub scan: Field<OneOrMany>,
    /// Inserts or replaces an item of an entity
    pub put: Field<String>,
    /// Changes some attributes of an item of an entity
    pub update: Field<String>,
    /// Deletes an item of an entity
    pub delete: Field<String>,
    /// A list of patterns: all or nothing; all reads or all writes
    pub transaction: Field<Vec<Field<Pattern>>>,
    /// A list of writes: together, not atomic
    pub batch: Field<Vec<Field<Pattern>>>,
    /// Which items: conditions joined by `and`, such as `customer_id = ? and placed_at >= :from`
    #[serde(rename = "where")]
    pub conditions: Field<String>,
    /// The order the caller relies on: `attribute [asc|desc]`, or a list
    pub order: Field<OneOrMany>,
    /// Items returned by one request
    pub limit: Field<u64>,
    /// Attributes the caller needs; all when nothing is said
    pub select: Field<Vec<Spanned<String>>>,
    /// Conditions applied after the read; never counts as served
    pub filter: Field<String>,
    /// How much of what is read the filter keeps
    pub keeps: Field<Share>,
    /// How much time a range on a time attribute covers
    pub span: Field<Duration>,
    /// Values or items in one request; 1 when nothing is said
    pub batch_size: Field<u64>,
    /// Attributes written
    pub set: Field<Vec<Spanned<String>>>,
    /// Attributes added to
    pub increment: Field<Vec<Spanned<String>>>,
    /// The condition of a write: `exists`, `not exists`, or conditions on attributes
    #[serde(rename = "if")]
    pub guard: Field<String>,
    /// Requests on average, such as `40/s`
    pub rate: Field<Rate>,
    /// Requests at most; the rate when nothing is said
    pub peak: Field<Rate>,
    /// How fresh a read must be; `eventual` when nothing is said
    pub consistency: Field<Consistency>,
    /// The table or index that serves it, such as `dynamodb.orders.gsi.by_status`, or a list of them
    pub via: Field<OneOrMany>,
    /// The one store it runs on; every store that holds the entity when nothing is said
    pub backend: Field<Store>,
    /// The reason why no table here serves it
    pub unserved: Field<String>,
    /// The reason for a scan
    pub reason: Field<String>,
    /// Segments of a parallel scan
    pub segments: Field<u64>,
    /// The name it had before
    pub renamed_from: Field<String>,
    /// Findings that are allowed here, each with its reason
    pub allow: Field<Map<Allowance>>,
}

/// How fresh a read must be
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Consistency {
    /// May lag
    Eventual,
    /// The newest write is seen
    Strong,
    /// Isolated from other transactions
    Transactional,
}

/// A kind of store
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Store {
    /// Amazon DynamoDB
    Dynamodb,
    /// Cassandra, ScyllaDB, Amazon Keyspaces
    Cql,
}
