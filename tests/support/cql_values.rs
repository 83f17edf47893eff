//! What random CQL schemas are made of: names, texts, types and values of options.

use nosql_gen::schema::Engine;

/// Names of keyspaces, tables, indexes and views: letters, digits and `_`.
pub(crate) const WORDS: &[&str] =
    &["orders", "Orders", "select", "default", "_x", "1st", "token", "text", "a_very_long_name_of_exactly_40_characters"];

/// Names of columns, fields and types: anything.
pub(crate) const NAMES: &[&str] = &[
    "id",
    "email",
    "order",
    "From",
    "default",
    "static",
    "primary",
    "text",
    "frozen",
    "a b",
    "a\"b",
    "it's",
    "1st",
    "_x",
    "ü",
    "数",
    "a.b",
    "; DROP TABLE x; --",
    "/*",
    "$$",
    "${a}",
    "{{ b }}",
    "line\nend",
    "\\",
    "IS NOT NULL",
    "🦀",
];

/// Texts.
pub(crate) const TEXTS: &[&str] = &[
    "",
    "plain",
    "it's",
    "''",
    "line one\nline two",
    "$$",
    "-- no comment",
    "/* neither */",
    "a;b",
    "\"quoted\"",
    "ü 数 🦀",
    "\\n",
    "{{ x }}",
    "{% y %}",
    "${z}",
    "\t tab",
    "ends with '",
];

/// Types that a key may have.
pub(crate) const KEYS: &[&str] = &[
    "text",
    "int",
    "uuid",
    "timeuuid",
    "bigint",
    "timestamp",
    "date",
    "boolean",
    "ascii",
    "inet",
    "decimal",
    "blob",
    "frozen<list<int>>",
    "tuple<int, text>",
    "vector<float, 3>",
];

/// Types that only another column may have.
pub(crate) const OTHERS: &[&str] = &[
    "duration",
    "list<text>",
    "set<uuid>",
    "map<text, int>",
    "map<text, frozen<list<int>>>",
    "list<frozen<map<text, frozen<set<int>>>>>",
    "frozen<map<int, frozen<tuple<int, text>>>>",
    "tuple<int, frozen<list<text>>>",
    "double",
    "varint",
    "time",
    "smallint",
    "tinyint",
    "float",
];

const CASSANDRA: &[Engine] = &[Engine::Cassandra40, Engine::Cassandra41, Engine::Cassandra50];
const CASSANDRA_4_1: &[Engine] = &[Engine::Cassandra41, Engine::Cassandra50];
const CASSANDRA_5_0: &[Engine] = &[Engine::Cassandra50];
const SCYLLA: &[Engine] = &[Engine::Scylla20251, Engine::Scylla20261];
const KEYSPACES: &[Engine] = &[Engine::Keyspaces];
const SELF_HOSTED: &[Engine] =
    &[Engine::Cassandra40, Engine::Cassandra41, Engine::Cassandra50, Engine::Scylla20251, Engine::Scylla20261];

/// Options of tables and views but for compaction: a name, the engines, and values as CQL, or as JSON where maps are nested.
pub(crate) const OPTIONS: &[(&str, &[Engine], &[&str])] = &[
    ("additional_write_policy", CASSANDRA, &["'99p'", "'NEVER'", "'50ms'"]),
    ("allow_auto_snapshot", CASSANDRA_5_0, &["true", "false"]),
    (
        "autoscaling_settings",
        KEYSPACES,
        &[
            r#"{"provisioned_read_capacity_autoscaling_update": {"minimum_units": "5", "maximum_units": "50"}}"#,
            r#"{"provisioned_write_capacity_autoscaling_update": {"minimum_units": "5", "maximum_units": "50"}}"#,
        ],
    ),
    ("bloom_filter_fp_chance", SELF_HOSTED, &["0.01", "0.1", "0.001"]),
    (
        "caching",
        CASSANDRA,
        &["{'keys': 'ALL', 'rows_per_partition': 'NONE'}", "{'keys': 'NONE', 'rows_per_partition': '120'}", "{'keys': 'ALL'}"],
    ),
    ("caching", SCYLLA, &["{'enabled': 'true'}", "{'enabled': 'false'}"]),
    ("cdc", CASSANDRA, &["true", "false"]),
    ("cdc", SCYLLA, &["{'enabled': 'true'}", "{'enabled': 'true', 'preimage': 'full', 'ttl': '3600'}", "{'enabled': 'false'}"]),
    ("cdc", KEYSPACES, &["true", "false"]),
    (
        "compression",
        CASSANDRA,
        &[
            "{'class': 'LZ4Compressor', 'chunk_length_in_kb': '16'}",
            "{'class': 'ZstdCompressor', 'compression_level': '5', 'chunk_length_in_kb': '32'}",
            "{'class': 'SnappyCompressor'}",
            "{'class': 'DeflateCompressor'}",
            "{'enabled': 'false'}",
        ],
    ),
    (
        "compression",
        SCYLLA,
        &[
            "{'sstable_compression': 'LZ4Compressor', 'chunk_length_in_kb': '4'}",
            "{'sstable_compression': 'ZstdCompressor', 'compression_level': '5'}",
            "{'sstable_compression': 'SnappyCompressor'}",
            "{'sstable_compression': 'DeflateCompressor'}",
            "{'sstable_compression': ''}",
        ],
    ),
    ("crc_check_chance", SELF_HOSTED, &["1.0", "0.25"]),
    (
        "custom_properties",
        KEYSPACES,
        &[
            r#"{"capacity_mode": {"throughput_mode": "PROVISIONED", "read_capacity_units": "5", "write_capacity_units": "5"}}"#,
            r#"{"capacity_mode": {"throughput_mode": "PAY_PER_REQUEST"}, "point_in_time_recovery": {"status": "enabled"}}"#,
            r#"{"encryption_specification": {"encryption_type": "CUSTOMER_MANAGED_KMS_KEY", "kms_key_identifier": "arn:aws:kms:x"}}"#,
            r#"{"client_side_timestamps": {"status": "enabled"}, "ttl": {"status": "enabled"}}"#,
            r#"{"cdc_specification": {"view_type": "NEW_IMAGE"}}"#,
        ],
    ),
    ("gc_grace_seconds", SELF_HOSTED, &["864000", "86400", "1"]),
    ("incremental_backups", CASSANDRA_5_0, &["true", "false"]),
    ("max_index_interval", SELF_HOSTED, &["2048", "4096"]),
    ("memtable", CASSANDRA_4_1, &["'default'", "'skiplist'"]),
    ("memtable_flush_period_in_ms", SELF_HOSTED, &["0", "60000"]),
    ("min_index_interval", SELF_HOSTED, &["128", "64"]),
    ("paxos_grace_seconds", SCYLLA, &["864000", "3600"]),
    ("per_partition_rate_limit", SCYLLA, &["{'max_reads_per_second': '100', 'max_writes_per_second': '50'}"]),
    ("read_repair", CASSANDRA, &["'BLOCKING'", "'NONE'"]),
    ("speculative_retry", CASSANDRA, &["'99p'", "'99PERCENTILE'", "'MIN(99p,50ms)'", "'ALWAYS'"]),
    ("speculative_retry", SCYLLA, &["'99.0PERCENTILE'", "'95.5PERCENTILE'", "'50ms'", "'ALWAYS'", "'NONE'"]),
    ("tags", KEYSPACES, &["{'team': 'orders'}", "{'team': 'orders', 'it''s': 'a; b'}"]),
    ("tombstone_gc", SCYLLA, &["{'mode': 'repair'}", "{'mode': 'timeout', 'propagation_delay_in_seconds': '60'}"]),
];
