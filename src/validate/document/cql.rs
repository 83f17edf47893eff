//! Section `cql` (section 7).

mod key;
#[macro_use]
mod options;

pub use key::{BucketType, Part, PartMap, PartitionKey};
pub use options::*;

use super::{
    Allowance, Billing, BoolOrParameter, Count, Duration, Encryption, Field, Holds, Map, NumberOrParameter, OneOrMany, Recovery,
    Removal, Throughput, Value,
};
use crate::source::Spanned;
use schemars::JsonSchema;
use serde::Deserialize;

/// Tables on Cassandra, ScyllaDB or Amazon Keyspaces
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("required" = ["engines"]))]
pub struct Cql {
    /// Engines to generate for, one output each
    pub engines: Field<Vec<Spanned<EngineName>>>,
    /// The keyspace
    pub keyspace: Field<Keyspace>,
    /// Options of every table; a table's own value wins whole
    pub defaults: Field<CqlDefaults>,
    /// Tables, by key
    pub tables: Field<Map<CqlTable>>,
    /// Tables that left the model: `retain` says it is meant, `destroy` drops them
    pub removed: Field<Map<Removal>>,
}

/// An engine
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub enum EngineName {
    /// Apache Cassandra 4.0
    #[serde(rename = "cassandra-4.0")]
    Cassandra40,
    /// Apache Cassandra 4.1
    #[serde(rename = "cassandra-4.1")]
    Cassandra41,
    /// Apache Cassandra 5.0
    #[serde(rename = "cassandra-5.0")]
    Cassandra50,
    /// ScyllaDB 2025.1
    #[serde(rename = "scylla-2025.1")]
    Scylla20251,
    /// ScyllaDB 2026.1
    #[serde(rename = "scylla-2026.1")]
    Scylla20261,
    /// Amazon Keyspaces
    #[serde(rename = "keyspaces")]
    Keyspaces,
}

/// The keyspace
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Keyspace {
    /// Its name; the model's name with `_` when nothing is said. `${name}` stands for a parameter
    pub name: Field<String>,
    /// Data centre → number of replicas. Required unless `keyspaces` is the only engine
    pub replication: Field<Map<NumberOrParameter>>,
    /// Regions of Amazon Keyspaces; one when nothing is said
    pub regions: Field<Vec<Spanned<String>>>,
    /// Whether writes go to the commit log; true when nothing is said
    pub durable_writes: Field<bool>,
    /// Whether tables are split into tablets (ScyllaDB only)
    pub tablets: Field<bool>,
}

table_options! {
    /// Options of every table
    pub struct CqlDefaults {
        /// Options for one engine or family (`cassandra-5.0`, `scylla`)
        pub for_engine: Field<Map<EngineOptions>>,
        /// How capacity is paid for (Amazon Keyspaces)
        pub billing: Field<Billing>,
        /// Capacity, when provisioned (Amazon Keyspaces)
        pub throughput: Field<Throughput>,
        /// Point-in-time recovery (Amazon Keyspaces)
        pub point_in_time_recovery: Field<Recovery>,
        /// Encryption at rest (Amazon Keyspaces)
        pub encryption: Field<Encryption>,
        /// Tags (Amazon Keyspaces)
        pub tags: Field<Map<Value>>,
    }
}

table_options! {
    /// Options for one engine
    pub struct EngineOptions {
    }
}

table_options! {
    /// A table
    #[schemars(extend("required" = ["holds", "partition_key"]))]
    pub struct CqlTable {
        /// What the table is for: its `comment`
        pub description: Field<String>,
        /// What it holds: an entity, a list of entities, or a map from entity to templates of key columns
        pub holds: Field<Holds>,
        /// An entity whose key is exactly the partition key, or attributes of the held entity: one value a partition
        #[serde(rename = "static")]
        pub statics: Field<OneOrMany>,
        /// Attributes stored beside the key; all when nothing is said
        pub columns: Field<Vec<Spanned<String>>>,
        /// Partition key: a part, or a list of parts
        pub partition_key: Field<PartitionKey>,
        /// Clustering key: `attribute [asc|desc]`
        pub clustering: Field<Vec<Spanned<String>>>,
        /// Types of columns that are only templates or constants
        pub key_types: Field<Map<String>>,
        /// Time to live: a duration, `retain` (the entity's), or a timestamp attribute
        pub ttl: Field<String>,
        /// Name in the keyspace; the key when nothing is said
        pub name: Field<String>,
        /// Secondary indexes, by name
        pub indexes: Field<Map<CqlIndex>>,
        /// Materialized views, by name
        pub views: Field<Map<CqlView>>,
        /// Options for one engine or family (`cassandra-5.0`, `scylla`)
        pub for_engine: Field<Map<EngineOptions>>,
        /// How capacity is paid for (Amazon Keyspaces)
        pub billing: Field<Billing>,
        /// Capacity, when provisioned (Amazon Keyspaces)
        pub throughput: Field<Throughput>,
        /// Point-in-time recovery (Amazon Keyspaces)
        pub point_in_time_recovery: Field<Recovery>,
        /// Encryption at rest (Amazon Keyspaces)
        pub encryption: Field<Encryption>,
        /// Tags (Amazon Keyspaces)
        pub tags: Field<Map<Value>>,
        /// Client-side timestamps (Amazon Keyspaces)
        pub client_side_timestamps: Field<BoolOrParameter>,
        /// The table exists elsewhere: described, checked, never emitted
        pub external: Field<bool>,
        /// Terraform label (Amazon Keyspaces)
        pub terraform_name: Field<String>,
        /// CloudFormation logical ID (Amazon Keyspaces)
        pub logical_id: Field<String>,
        /// The key it had before
        pub renamed_from: Field<String>,
        /// Findings that are allowed here, each with its reason
        pub allow: Field<Map<Allowance>>,
    }
}

/// A secondary index
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("required" = ["column"]))]
pub struct CqlIndex {
    /// What the index is for
    pub description: Field<String>,
    /// The indexed column
    pub column: Field<String>,
    /// The kind of index; `secondary` when nothing is said
    pub using: Field<IndexKind>,
    /// What of a collection is indexed
    pub target: Field<IndexTarget>,
    /// A local index (ScyllaDB)
    pub local: Field<bool>,
    /// The index's own options
    pub options: Field<Map<Value>>,
    /// The name it had before
    pub renamed_from: Field<String>,
    /// Findings that are allowed here, each with its reason
    pub allow: Field<Map<Allowance>>,
}

/// The kind of an index
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IndexKind {
    /// The engine's own
    Secondary,
    /// Storage-attached (Cassandra 5.0)
    Sai,
}

/// What of a collection is indexed
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IndexTarget {
    /// The keys of a map
    Keys,
    /// The values
    Values,
    /// Keys and values of a map
    Entries,
    /// A frozen collection as a whole
    Full,
}

table_options! {
    /// A materialized view
    #[schemars(extend("required" = ["partition_key"]))]
    pub struct CqlView {
        /// What the view is for: its `comment`
        pub description: Field<String>,
        /// Partition key: a column, or a list of columns
        pub partition_key: Field<OneOrMany>,
        /// Clustering key: `column [asc|desc]`
        pub clustering: Field<Vec<Spanned<String>>>,
        /// Columns beside the key; all when nothing is said
        pub columns: Field<Vec<Spanned<String>>>,
        /// Options for one engine or family
        pub for_engine: Field<Map<EngineOptions>>,
        /// The name it had before
        pub renamed_from: Field<String>,
        /// Findings that are allowed here, each with its reason
        pub allow: Field<Map<Allowance>>,
    }
}
