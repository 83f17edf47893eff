//! What an engine takes when a schema says nothing. Only what its documentation, its source or a run of it confirms.
//!
//! Sources: `TableParams.java`, `CompactionParams.java` and the strategies' own options of Cassandra 4.0 to 5.0, and what
//! `DESCRIBE` of 4.0.19, 4.1.10 and 5.0.9 with a stock `cassandra.yaml` prints of a table created without options;
//! `cf_prop_defs.cc`, `schema.cc` and `docs/cql/ddl.rst` of ScyllaDB 2025.1 and 2026.1.

#![expect(clippy::match_same_arms, reason = "one line a fact")]

use super::OptionValue;
use crate::schema::{Engine, Family};

/// The default of a table or view option, in its normal form. `leveled`: the table was created with
/// `LeveledCompactionStrategy`, which has a bloom filter of its own.
pub fn option(engine: Engine, name: &str, leveled: bool) -> Option<OptionValue> {
    let number = |number: &str| OptionValue::Number(number.to_owned());
    let text = |text: &str| OptionValue::Text(text.to_owned());
    let map = |entries: &[(&str, &str)]| {
        OptionValue::Map(entries.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect())
    };
    let common = match name {
        "bloom_filter_fp_chance" => Some(number(if leveled { "0.1" } else { "0.01" })),
        "comment" => Some(text("")),
        "crc_check_chance" => Some(number("1")),
        "default_time_to_live" | "memtable_flush_period_in_ms" => Some(number("0")),
        "gc_grace_seconds" => Some(number("864000")),
        "max_index_interval" => Some(number("2048")),
        "min_index_interval" => Some(number("128")),
        "speculative_retry" => Some(text("99p")),
        _ => None,
    };
    let own = match (engine.family(), name) {
        (Family::Cassandra, "additional_write_policy") => Some(text("99p")),
        (Family::Cassandra, "caching") => Some(map(&[("keys", "ALL"), ("rows_per_partition", "NONE")])),
        (Family::Cassandra, "cdc") => Some(OptionValue::Bool(false)),
        (Family::Cassandra, "compaction") => Some(map(&[("class", "SizeTieredCompactionStrategy")])),
        (Family::Cassandra, "compression") => Some(map(&[("class", "LZ4Compressor")])),
        (Family::Cassandra, "memtable") => Some(text("default")),
        (Family::Cassandra, "read_repair") => Some(text("BLOCKING")),
        (Family::Cassandra, "allow_auto_snapshot" | "incremental_backups") => Some(OptionValue::Bool(true)),
        (Family::Scylla, "caching") => Some(map(&[])),
        (Family::Scylla, "cdc") => Some(map(&[("enabled", "false")])),
        (Family::Scylla, "compaction") => Some(map(&[("class", "IncrementalCompactionStrategy")])),
        (Family::Scylla, "compression") if engine == Engine::Scylla20251 => {
            Some(map(&[("sstable_compression", "LZ4Compressor")]))
        }
        (Family::Scylla, "paxos_grace_seconds") => Some(number("864000")),
        (Family::Scylla, "synchronous_updates") => Some(OptionValue::Bool(false)),
        _ => None,
    };
    common.or(own)
}

/// What a table of Amazon Keyspaces has when an entry of a nested map was never written; other engines have no such maps (API reference: `CapacitySpecification`,
/// `EncryptionSpecification`, `PointInTimeRecovery`; developer guide, "Turn off Amazon Keyspaces auto scaling for a table").
/// Client-side timestamps and custom TTL cannot be switched off, so that nothing leads back from them.
pub fn entry(engine: Engine, option: &str, name: &str) -> Option<OptionValue> {
    if engine.family() != Family::Keyspaces {
        return None;
    }
    let (key, value) = match (option, name) {
        ("custom_properties", "capacity_mode") => ("throughput_mode", "PAY_PER_REQUEST"),
        ("custom_properties", "encryption_specification") => ("encryption_type", "AWS_OWNED_KMS_KEY"),
        ("custom_properties", "point_in_time_recovery") => ("status", "disabled"),
        ("autoscaling_settings", _) => ("autoscaling_disabled", "true"),
        _ => return None,
    };
    Some(OptionValue::Map([(key.to_owned(), value.to_owned())].into()))
}

/// Options that an engine takes and forgets, or does not know.
#[must_use]
pub fn takes_no_notice(engine: Engine, name: &str) -> bool {
    match engine.family() {
        Family::Cassandra => ["extensions", "id"].contains(&name),
        Family::Scylla => [
            "dclocal_read_repair_chance",
            "id",
            "index_interval",
            "populate_io_cache_on_flush",
            "read_repair_chance",
            "replicate_on_write",
        ]
        .contains(&name),
        // Storage tuning is "not applicable": only these are kept.
        Family::Keyspaces => {
            !["autoscaling_settings", "cdc", "comment", "custom_properties", "default_time_to_live", "tags"].contains(&name)
        }
    }
}

/// The default of one key of the `compaction` map, for a strategy by its short name.
pub(super) fn compaction(engine: Engine, class: &str, key: &str) -> Option<&'static str> {
    let common = match key {
        "enabled" => Some("true"),
        // Time windows compact for tombstones only when one of these two is written.
        "tombstone_threshold" | "tombstone_compaction_interval" if class == "TimeWindowCompactionStrategy" => None,
        "tombstone_threshold" => Some("0.2"),
        "tombstone_compaction_interval" => Some("86400"),
        "unchecked_tombstone_compaction" | "log_all" | "only_purge_repaired_tombstones" => Some("false"),
        "provide_overlapping_tombstones" => Some("NONE"),
        "min_threshold" => Some("4"),
        "max_threshold" => Some("32"),
        _ => None,
    };
    let size_tiered = match key {
        "min_sstable_size" => Some("52428800"),
        "bucket_low" => Some("0.5"),
        "bucket_high" => Some("1.5"),
        _ => None,
    };
    let own = match (class, key) {
        ("SizeTieredCompactionStrategy", _) => size_tiered,
        ("LeveledCompactionStrategy", "sstable_size_in_mb") => Some("160"),
        ("LeveledCompactionStrategy", "fanout_size") if engine.family() == Family::Cassandra => Some("10"),
        ("LeveledCompactionStrategy", _) => size_tiered,
        ("TimeWindowCompactionStrategy", "compaction_window_unit") => Some("DAYS"),
        ("TimeWindowCompactionStrategy", "compaction_window_size") => Some("1"),
        ("TimeWindowCompactionStrategy", "timestamp_resolution") => Some("MICROSECONDS"),
        ("TimeWindowCompactionStrategy", "expired_sstable_check_frequency_seconds") => Some("600"),
        ("UnifiedCompactionStrategy", "scaling_parameters") => Some("T4"),
        ("UnifiedCompactionStrategy", "base_shard_count") => Some("4"),
        ("UnifiedCompactionStrategy", "target_sstable_size") => Some("1GiB"),
        ("UnifiedCompactionStrategy", "min_sstable_size") => Some("100MiB"),
        ("UnifiedCompactionStrategy", "sstable_growth") => Some("0.333"),
        ("IncrementalCompactionStrategy", "sstable_size_in_mb") => Some("1000"),
        ("IncrementalCompactionStrategy", "bucket_low") if engine == Engine::Scylla20251 => Some("0.5"),
        ("IncrementalCompactionStrategy", "bucket_high") if engine == Engine::Scylla20251 => Some("1.5"),
        _ => None,
    };
    common.or(own)
}

/// The default of one key of the `compression` map.
pub(super) fn compression(engine: Engine, key: &str) -> Option<&'static str> {
    match (engine.family(), key) {
        (Family::Cassandra, "enabled") => Some("true"),
        (Family::Cassandra, "chunk_length_in_kb") => Some("16"),
        (Family::Cassandra, "min_compress_ratio") => Some("0"),
        (Family::Cassandra, "lz4_compressor_type") => Some("fast"),
        (Family::Cassandra, "lz4_high_compressor_level") => Some("9"),
        (Family::Cassandra, "compression_level") => Some("3"),
        (Family::Scylla, "chunk_length_in_kb") => Some("4"),
        _ => None,
    }
}

/// The default of one key of an SAI index's options.
pub(super) fn sai(key: &str) -> Option<&'static str> {
    match key {
        "case_sensitive" => Some("true"),
        "normalize" | "ascii" => Some("false"),
        "similarity_function" => Some("COSINE"),
        _ => None,
    }
}
