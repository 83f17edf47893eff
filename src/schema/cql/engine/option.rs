//! Options of tables and views, and the keys of those that are maps.

use super::kind::{Kind, MOST, SubOption};
use super::{CASSANDRA, CASSANDRA_4_1, KEYSPACES, SCYLLA, SELF_HOSTED};
use crate::schema::Engine;

/// Options by CQL's name and the engines that know them. Cassandra: `TableParams.java` and `TableAttributes.java`, each tried
/// on a node; ScyllaDB: `cf_prop_defs.cc`; Amazon Keyspaces: developer guide, cassandra-apis, where storage tuning is "not
/// applicable", and cql.ddl.table.
const OPTIONS: &[(&str, &[Engine])] = &[
    ("additional_write_policy", CASSANDRA),
    ("bloom_filter_fp_chance", SELF_HOSTED),
    // ScyllaDB looks at its own `enabled` alone; Cassandra's two keys are taken there and mean nothing.
    ("caching", CASSANDRA),
    ("compaction", SELF_HOSTED),
    ("compression", SELF_HOSTED),
    ("crc_check_chance", SELF_HOSTED),
    ("gc_grace_seconds", SELF_HOSTED),
    ("max_index_interval", SELF_HOSTED),
    // 4.0 says `Unknown property 'memtable'`.
    ("memtable", CASSANDRA_4_1),
    ("memtable_flush_period_in_ms", SELF_HOSTED),
    ("min_index_interval", SELF_HOSTED),
    ("paxos_grace_seconds", SCYLLA),
    ("per_partition_rate_limit", SCYLLA),
    ("read_repair", CASSANDRA),
    ("speculative_retry", SELF_HOSTED),
    ("tombstone_gc", SCYLLA),
];

/// Whether an engine knows an option of tables, by CQL's name.
#[must_use]
pub fn knows_option(engine: Engine, name: &str) -> bool {
    OPTIONS.iter().any(|(option, engines)| *option == name && engines.contains(&engine))
}

/// Keys of `cdc`. ScyllaDB: docs/features/cdc/cdc-log-table.rst; Amazon Keyspaces: developer guide, keyspaces-enable-cdc-new-table
/// (`cdc = true`, and `view_type` in the custom property `cdc_specification`). Cassandra has a bool.
#[must_use]
pub fn capture_options() -> &'static [SubOption] {
    &[
        SubOption { name: "enabled", kind: Kind::Bool, engines: &Engine::ALL },
        SubOption { name: "preimage", kind: Kind::Word(&["false", "true", "full"]), engines: SCYLLA },
        SubOption { name: "postimage", kind: Kind::Bool, engines: SCYLLA },
        SubOption { name: "delta", kind: Kind::Word(&["full", "keys"]), engines: SCYLLA },
        SubOption { name: "ttl", kind: Kind::Integer(0, MOST), engines: SCYLLA },
        SubOption {
            name: "view_type",
            kind: Kind::Word(&["NEW_AND_OLD_IMAGES", "NEW_IMAGE", "OLD_IMAGE", "KEYS_ONLY"]),
            engines: KEYSPACES,
        },
    ]
}

/// Keys of `tombstone_gc` (ScyllaDB docs/cql/ddl.rst).
#[must_use]
pub fn tombstone_options() -> &'static [SubOption] {
    &[
        SubOption { name: "mode", kind: Kind::Word(&["timeout", "repair", "disabled", "immediate"]), engines: SCYLLA },
        SubOption { name: "propagation_delay_in_seconds", kind: Kind::Integer(0, MOST), engines: SCYLLA },
    ]
}

/// Keys of `per_partition_rate_limit` (ScyllaDB docs/cql/cql-extensions.md).
#[must_use]
pub fn rate_limit_options() -> &'static [SubOption] {
    &[
        SubOption { name: "max_reads_per_second", kind: Kind::Integer(0, MOST), engines: SCYLLA },
        SubOption { name: "max_writes_per_second", kind: Kind::Integer(0, MOST), engines: SCYLLA },
    ]
}

/// Options of a storage-attached index: the first three are for texts, the others for vectors (Cassandra 5.0,
/// `StorageAttachedIndex.java`, `IndexWriterConfig.java`; run).
#[must_use]
pub fn sai_options() -> &'static [SubOption] {
    &[
        SubOption { name: "ascii", kind: Kind::Bool, engines: super::CASSANDRA_5_0 },
        SubOption { name: "case_sensitive", kind: Kind::Bool, engines: super::CASSANDRA_5_0 },
        SubOption { name: "normalize", kind: Kind::Bool, engines: super::CASSANDRA_5_0 },
        SubOption { name: "optimize_for", kind: Kind::Word(&["LATENCY", "RECALL"]), engines: super::CASSANDRA_5_0 },
        SubOption {
            name: "similarity_function",
            kind: Kind::Word(&["COSINE", "DOT_PRODUCT", "EUCLIDEAN"]),
            engines: super::CASSANDRA_5_0,
        },
    ]
}
