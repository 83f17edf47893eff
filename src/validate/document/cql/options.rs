//! The options that tables, views and engines share, and what some of them hold.

use crate::validate::document::{Count, Duration, Field, Map, Size, Value};
use schemars::JsonSchema;
use serde::Deserialize;

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
