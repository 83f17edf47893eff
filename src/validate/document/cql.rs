//! Section `cql` (section 7).

use super::{
    Allowance, Billing, BoolOrParameter, Count, Duration, Encryption, Field, Holds, Map, NumberOrParameter, OneOrMany, Recovery,
    Removal, Size, Throughput, Value,
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

macro_rules! table_options {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* }) => {
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        $(#[$meta])*
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
            /// Compaction: `size_tiered`, `leveled`, `time_window`, `unified`, `incremental`, or a map with `class`, `window` and CQL's own sub-options
            pub compaction: Field<Compaction>,
            /// Compression: `lz4`, `zstd`, `snappy`, `deflate`, `none`, or a map with `class`, `chunk_length` and `level`
            pub compression: Field<Compression>,
            /// What is cached
            pub caching: Field<Caching>,
            /// How long deletions are remembered (`gc_grace_seconds`); 10d when nothing is said
            pub gc_grace: Field<Duration>,
            /// Change data capture: a bool, or a map of the engine's own options
            pub cdc: Field<OptionMapOrValue>,
            /// `bloom_filter_fp_chance`
            pub bloom_filter_fp_chance: Field<f64>,
            /// `speculative_retry`
            pub speculative_retry: Field<String>,
            /// `additional_write_policy`
            pub additional_write_policy: Field<String>,
            /// `read_repair`
            pub read_repair: Field<String>,
            /// `memtable`
            pub memtable: Field<String>,
            /// `crc_check_chance`
            pub crc_check_chance: Field<f64>,
            /// `min_index_interval`
            pub min_index_interval: Field<Count>,
            /// `max_index_interval`
            pub max_index_interval: Field<Count>,
            /// `memtable_flush_period_in_ms`, as a duration
            pub memtable_flush_period: Field<Duration>,
            /// `tombstone_gc` (ScyllaDB)
            pub tombstone_gc: Field<OptionMapOrValue>,
            /// `paxos_grace_seconds`, as a duration (ScyllaDB)
            pub paxos_grace: Field<Duration>,
            /// `per_partition_rate_limit` (ScyllaDB)
            pub per_partition_rate_limit: Field<OptionMapOrValue>,
        }

        impl $name {
            /// The options that tables, views and engines share.
            #[must_use]
            pub fn options(&self) -> TableOptions<'_> {
                TableOptions {
                    compaction: &self.compaction,
                    compression: &self.compression,
                    caching: &self.caching,
                    gc_grace: &self.gc_grace,
                    cdc: &self.cdc,
                    bloom_filter_fp_chance: &self.bloom_filter_fp_chance,
                    speculative_retry: &self.speculative_retry,
                    additional_write_policy: &self.additional_write_policy,
                    read_repair: &self.read_repair,
                    memtable: &self.memtable,
                    crc_check_chance: &self.crc_check_chance,
                    min_index_interval: &self.min_index_interval,
                    max_index_interval: &self.max_index_interval,
                    memtable_flush_period: &self.memtable_flush_period,
                    tombstone_gc: &self.tombstone_gc,
                    paxos_grace: &self.paxos_grace,
                    per_partition_rate_limit: &self.per_partition_rate_limit,
                }
            }
        }
    };
}

/// The options of one place of the document.
#[expect(missing_docs, reason = "each is the field of its name")]
#[derive(Clone, Copy)]
pub struct TableOptions<'d> {
    pub compaction: &'d Field<Compaction>,
    pub compression: &'d Field<Compression>,
    pub caching: &'d Field<Caching>,
    pub gc_grace: &'d Field<Duration>,
    pub cdc: &'d Field<OptionMapOrValue>,
    pub bloom_filter_fp_chance: &'d Field<f64>,
    pub speculative_retry: &'d Field<String>,
    pub additional_write_policy: &'d Field<String>,
    pub read_repair: &'d Field<String>,
    pub memtable: &'d Field<String>,
    pub crc_check_chance: &'d Field<f64>,
    pub min_index_interval: &'d Field<Count>,
    pub max_index_interval: &'d Field<Count>,
    pub memtable_flush_period: &'d Field<Duration>,
    pub tombstone_gc: &'d Field<OptionMapOrValue>,
    pub paxos_grace: &'d Field<Duration>,
    pub per_partition_rate_limit: &'d Field<OptionMapOrValue>,
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

/// Compaction: a name, or a map
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "Compaction", untagged)]
pub enum Compaction {
    /// The strategy
    Text(CompactionClass),
    /// `class`, `window`, and CQL's own sub-options
    Map(Map<Value>),
}

/// A compaction strategy
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CompactionClass {
    /// `SizeTieredCompactionStrategy`
    SizeTiered,
    /// `LeveledCompactionStrategy`
    Leveled,
    /// `TimeWindowCompactionStrategy`
    TimeWindow,
    /// `UnifiedCompactionStrategy` (Cassandra 5.0)
    Unified,
    /// `IncrementalCompactionStrategy` (ScyllaDB)
    Incremental,
}

/// Compression: a name, or a map
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "Compression", untagged)]
pub enum Compression {
    /// The algorithm
    Text(CompressionClass),
    /// Algorithm and options
    Map(CompressionOptions),
}

/// A compression algorithm
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CompressionClass {
    /// LZ4
    Lz4,
    /// Zstandard
    Zstd,
    /// Snappy
    Snappy,
    /// Deflate
    Deflate,
    /// No compression
    None,
}

/// Compression with options
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("required" = ["class"]))]
pub struct CompressionOptions {
    /// The algorithm
    pub class: Field<CompressionClass>,
    /// Size of a chunk, such as `16KB`
    pub chunk_length: Field<Size>,
    /// Compression level
    pub level: Field<i64>,
}

/// What is cached
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Caching {
    /// `all` or `none`
    pub keys: Field<AllOrNone>,
    /// `all`, `none`, or a number
    pub rows_per_partition: Field<Value>,
}

/// All or none
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AllOrNone {
    /// All
    All,
    /// None
    None,
}

/// An option of an engine: a value, or a map of values
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "OptionMapOrValue", untagged)]
pub enum OptionMapOrValue {
    /// True or false
    Bool(bool),
    /// The engine's own sub-options
    Map(Map<Value>),
}
