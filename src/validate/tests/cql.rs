use super::{gives, with};

/// A section `cql` after line 26: its table begins on line 31.
fn section(keyspace: &str, table: &str) -> String {
    with("name: shop", "name: shop")
        + &format!(
            "cql:\n  engines: [cassandra-5.0]\n  keyspace: {keyspace}\n  tables:\n    orders:\n      {}\n",
            table.replace('\n', "\n      ")
        )
}

fn table(lines: &str) -> String {
    section("{ replication: { dc1: 3 } }", &format!("holds: Order\n{lines}"))
}

/// The same for other engines. Amazon Keyspaces alone has no data centres to name.
fn on(engines: &str, text: &str) -> String {
    let text = text.replace("[cassandra-5.0]", engines);
    if engines == "[keyspaces]" { text.replace("{ replication: { dc1: 3 } }", "{}") } else { text }
}

const KEY: &str = "partition_key: id\nclustering: [number]\n";

#[test]
fn keyspaces_and_engines() {
    gives(&section("{ replication: { dc1: 3 } }", "holds: Order\npartition_key: id"), &[]);
    gives(&section("{}", "holds: Order\npartition_key: id"), &["wrong-shape 29:13"]);
    gives(&section("{ replication: {} }", "holds: Order\npartition_key: id"), &["wrong-shape 29:28"]);
    gives(&section("{ replication: { dc1: 0 } }", "holds: Order\npartition_key: id"), &["bad-value 29:35"]);
    gives(&section("{ replication: { dc1: \"${n}\" } }", "holds: Order\npartition_key: id"), &[]);
    gives(&section("{ name: my-shop, replication: { dc1: 3 } }", "holds: Order\npartition_key: id"), &["bad-name 29:21"]);
    gives(&table("partition_key: id").replace("cassandra-5.0", "cassandra-5"), &["wrong-shape 28:13"]);
    gives(&section("{}", "holds: Order\npartition_key: id").replace("cassandra-5.0", "keyspaces"), &[]);
    gives(&table("partition_key: id").replace("cassandra-5.0", "keyspaces"), &["left-out 29:28"]);
    gives(&table("partition_key: id").replace("cassandra-5.0", "cassandra-5.0, keyspaces"), &[]);
    gives(&(table("partition_key: id") + "  functions: {}\n"), &["not-in-format 34:3"]);
}

#[test]
fn keys() {
    gives(&table("partition_key: [id, id]"), &["duplicate-name 33:27"]);
    gives(&table("partition_key: []"), &["wrong-shape 33:22"]);
    gives(&table("partition_key: [id, { bucket: placed_at, by: month }]\nclustering: [placed_at desc, number]"), &[]);
    gives(&table("partition_key: [id, { bucket: placed_at }]"), &["wrong-shape 33:27"]);
    gives(&table("partition_key: [id, { bucket: placed_at, by: fortnight }]"), &["bad-value 33:52"]);
    gives(&table("partition_key: [id, { bucket: number, by: month }]"), &["bad-template 33:27"]);
    gives(&table("partition_key: [id, { shard: numbr, into: 8 }]"), &["unknown-attribute 33:27"]);
    gives(&table("partition_key: { shard: number, into: 1 }"), &["bad-value 33:45"]);
    gives(&table("partition_key: { by: month }"), &["wrong-shape 33:22"]);
    gives(&table("partition_key: { bucket: placed_at, by: month, as: number }"), &["name-taken 33:22"]);
    gives(&table("partition_key: { bucket: placed_at, by: hour, type: date }"), &["bad-value 33:59"]);
    gives(&table("partition_key: { bucket: placed_at, by: day, type: date }"), &[]);
    gives(&table("partition_key: { shard: id, into: 4, type: text }"), &["bad-pattern 33:50"]);
    gives(&table("partition_key: id\nclustering: [number dsc]"), &["bad-condition 34:27"]);
    gives(&table("partition_key: id\nkey_types: { idd: text }"), &["unknown-attribute 34:20"]);
    gives(&table("partition_key: id\ncolumns: [statuss]"), &["unknown-attribute 34:17"]);
}

#[test]
fn constants_are_of_their_types() {
    let made = |constant: &str, kind: &str| {
        let table = table(&format!("partition_key: k\nclustering: [number]\nkey_types: {{ k: {kind} }}"));
        // The section of DynamoDB stands before it.
        let (before, after) = table.rsplit_once("holds: Order").unwrap();
        format!("{before}holds: {{ Order: {{ k: {constant} }} }}{after}")
    };
    for (constant, kind) in
        [("5", "tinyint"), ("2.5", "decimal"), ("abc", "text"), ("\"2026-11-30\"", "date"), ("\"true\"", "boolean")]
    {
        gives(&made(constant, kind), &[]);
    }
    for (constant, kind) in
        [("500", "tinyint"), ("3.5", "int"), ("5000000000", "int"), ("abc", "uuid"), ("\"2026-13-01\"", "date"), ("abc", "int")]
    {
        gives(&made(constant, kind), &["literal-type 32:28"]);
    }
}

#[test]
fn columns() {
    let lines = |kind: &str| table(KEY).replace("lines: list<text>", &format!("lines: \"{kind}\""));
    gives(&lines("list<list<text>>"), &["bad-collection 17:14"]);
    gives(&lines("list<frozen<list<text>>>"), &[]);
    gives(&lines("set<duration>"), &["bad-collection 17:14"]);
    gives(&lines("map<duration, int>"), &["bad-collection 17:14"]);
    gives(&lines("frozen<int>"), &["bad-collection 17:14"]);
    gives(&lines("list<counter>"), &["bad-collection 17:14"]);
    for good in ["vector<float, 3>", "tuple<int, text>", "frozen<address>", "address", "duration"] {
        gives(&lines(good), &[]);
    }
    gives(&lines("set<frozen<list<duration>>>"), &[]);
    gives(&lines("list<address>"), &["bad-collection 17:14"]);
    // What a user type must not be is said of it, once.
    let field =
        |kind: &str| lines("frozen<address>").replace("city: text", &format!("city: \"{kind}\", other: \"frozen<address>\""));
    gives(&field("text"), &["bad-collection 4:10"]);
    let inner = |kind: &str| {
        let types = format!("city: \"{kind}\" }}, place: {{ x: int");
        lines("frozen<address>").replace("city: text", &types)
    };
    for good in ["frozen<place>", "list<frozen<place>>", "list<int>"] {
        gives(&inner(good), &[]);
    }
    gives(&inner("place"), &["bad-collection 4:41"]);
    for early in ["[cassandra-4.1]", "[scylla-2025.1]", "[keyspaces]"] {
        gives(&on(early, &lines("vector<float, 3>")), &["type-needs-engine 17:14"]);
        let inside = lines("frozen<address>").replace("city: text", "city: \"vector<float, 3>\"");
        gives(&on(early, &inside), &["type-needs-engine 17:14"]);
    }
    gives(&lines("vector<float, 3>").replace("cassandra-5.0", "scylla-2026.1"), &[]);
    gives(&on("[keyspaces]", &lines("duration")), &["type-needs-engine 17:14"]);
    gives(
        &table("partition_key: id\nclustering: [lines]").replace("lines: list<text>", "lines: duration"),
        &["duration-in-key 17:14"],
    );
    gives(
        &table(&format!("{KEY}static: [status]")).replace("clustering: [number]", "columns: [status]"),
        &["static-needs-clustering 35:15"],
    );
}

#[test]
fn expiry() {
    gives(&table(&format!("{KEY}ttl: 7d")), &[]);
    gives(&table(&format!("{KEY}ttl: 7m")), &["ambiguous-unit 35:13"]);
    gives(&table(&format!("{KEY}ttl: 21y")), &["bad-value 35:12"]);
    gives(&table(&format!("{KEY}ttl: retain")), &["bad-value 35:12"]);
    gives(
        &table(&format!("{KEY}ttl: retain")).replace("    key: [id, number]\n", "    key: [id, number]\n    retain: 30d\n"),
        &[],
    );
    gives(&table(&format!("{KEY}ttl: placed_at")), &[]);
    gives(&table(&format!("{KEY}ttl: status")), &["ttl-attribute 35:12"]);
    gives(&table(&format!("{KEY}ttl: \"${{n}}\"")), &["parameter-not-here 35:12"]);
}

/// Options after the key, on line 35, for some engines.
fn options(engines: &str, lines: &str) -> String {
    on(engines, &table(&format!("{KEY}{lines}")))
}

const C5: &str = "[cassandra-5.0]";
const ALL: &str = "[cassandra-4.0, cassandra-5.0, scylla-2026.1, keyspaces]";

#[test]
fn names_of_tables_and_unknown_keys() {
    gives(&table(&format!("{KEY}comment: x")), &["unknown-key 35:7"]);
    gives(&table(&format!("{KEY}name: {}", "a".repeat(49))), &["name-too-long 35:13"]);
    gives(&options(ALL, "name: _orders"), &["bad-name 35:13"]);
    let two = table(KEY) + "    orders2: { holds: Order, partition_key: id, name: orders }\n";
    gives(&two, &["duplicate-name 36:55"]);
}

#[test]
fn compaction() {
    gives(&options(C5, "compaction: leveled"), &[]);
    gives(&options(C5, "compaction: { class: unified, scaling_parameters: \"T4, N\" }"), &[]);
    gives(&options(C5, "compaction: { class: unified, scaling_parameters: T1 }"), &["bad-value 35:57"]);
    gives(&options(C5, "compaction: { class: unified, min_threshold: 4 }"), &["option-unknown 35:37"]);
    gives(&options(C5, "compaction: { class: LeveledCompactionStrategy }"), &["bad-value 35:28"]);
    gives(&options(C5, "compaction: { min_threshold: 4 }"), &["wrong-shape 35:19"]);
    gives(&options(C5, "compaction: { class: leveled, min_threshold: 40 }"), &["bad-value 35:19"]);
    gives(&options(C5, "compaction: { class: size_tiered, bucket_high: 0.4 }"), &["bad-value 35:19"]);
    gives(&options(C5, "compaction: { class: size_tiered, min_sstable_size: 50MiB }"), &["bad-value 35:59"]);
    gives(&options(C5, "compaction: { class: time_window, window: 36h }"), &[]);
    gives(&options(C5, "compaction: { class: time_window, window: 90s }"), &["bad-value 35:49"]);
    gives(&options(C5, "compaction: { class: leveled, window: 1d }"), &["option-unknown 35:37"]);
    gives(&options(C5, "compaction: { class: time_window, window: 1d, compaction_window_size: 2 }"), &["duplicate-key 35:41"]);
    gives(&options(C5, "compaction: { class: time_window, compaction_window_unit: hours }"), &["bad-value 35:65"]);
}

#[test]
fn compression_caching_and_capture() {
    gives(&options(C5, "compression: { class: zstd, chunk_length: 64KB, level: 5 }"), &[]);
    gives(&options(C5, "compression: { class: zstd, chunk_length: 15KB }"), &["bad-value 35:49"]);
    gives(&options(C5, "compression: { class: zstd, level: 30 }"), &["bad-value 35:42"]);
    gives(&options(C5, "compression: { class: snappy, level: 3 }"), &["option-unknown 35:44"]);
    gives(&options(C5, "compression: { class: none, chunk_length: 4KB }"), &["option-unknown 35:49"]);
    gives(&options("[scylla-2026.1]", "compression: { class: lz4, chunk_length: 256KB }"), &["not-on-engine 35:48"]);
    gives(&options(C5, "caching: { keys: all, rows_per_partition: 10 }"), &[]);
    gives(&options(C5, "caching: { rows_per_partition: some }"), &["bad-value 35:38"]);
    gives(&options("[scylla-2026.1]", "cdc: { preimage: full, ttl: 3600 }"), &[]);
    gives(&options(C5, "cdc: { preimag: full }"), &["engine-setting 35:12", "option-unknown 35:14"]);
    gives(&options("[scylla-2026.1]", "cdc: { delta: all }"), &["bad-value 35:21"]);
    gives(
        &options("[scylla-2026.1]", "tombstone_gc: { mode: repair }\nper_partition_rate_limit: { max_reads_per_second: 10 }"),
        &[],
    );
    gives(&options("[scylla-2026.1]", "tombstone_gc: true"), &["wrong-shape 35:21"]);
}

#[test]
fn other_options() {
    gives(&options(C5, "gc_grace: 3d\nmemtable_flush_period: 1h\nspeculative_retry: 99p\nread_repair: none"), &[]);
    gives(&options(C5, "speculative_retry: sometimes"), &["bad-value 35:26"]);
    gives(&options(C5, "additional_write_policy: 100p"), &["bad-value 35:32"]);
    gives(&options(C5, "read_repair: BLOKING"), &["bad-value 35:20"]);
    gives(&options(C5, "bloom_filter_fp_chance: 0"), &["bad-value 35:31"]);
    gives(&options(C5, "crc_check_chance: 1.5"), &["bad-value 35:25"]);
    gives(&options(C5, "min_index_interval: 4K"), &["bad-value 35:27"]);
    gives(&options(C5, "max_index_interval: 100"), &["bad-value 35:27"]);
    gives(&options("[scylla-2026.1]", "memtable_flush_period: 5s"), &["not-on-engine 35:30"]);
}

#[test]
fn options_of_one_engine() {
    gives(
        &options(ALL, "for_engine: { scylla: { tombstone_gc: { mode: repair } }, cassandra-5.0: { memtable: trie } }"),
        &["engine-setting 35:92"],
    );
    gives(&options(ALL, "for_engine: { cassandra: { tombstone_gc: { mode: repair } } }"), &["not-on-engine 35:48"]);
    gives(&options(ALL, "for_engine: { cassandra-4.0: { memtable: trie } }"), &["not-on-engine 35:48"]);
    gives(&options(ALL, "for_engine: { cassandra: { memtable: trie } }"), &["engine-setting 35:44", "left-out 35:44"]);
    gives(&options(ALL, "read_repair: NONE\nfor_engine: { cassandra: { read_repair: BLOCKING } }"), &["left-out 35:20"]);
    gives(&options(C5, "for_engine: { scylla: { paxos_grace: 1d } }"), &["left-out 35:21"]);
    gives(&options("[cassandra-5.0, scylla-2025.1]", "compaction: unified"), &["left-out 35:19"]);
    let own = "compaction: unified\nfor_engine: { scylla: { compaction: incremental } }";
    gives(&options("[cassandra-5.0, scylla-2025.1]", own), &[]);
    gives(&options("[cassandra-5.0, scylla-2025.1]", "compaction: { class: leveled, fanout_size: 8 }"), &["left-out 35:37"]);
    gives(&options(ALL, "for_engine: { casandra: { memtable: trie } }"), &["unknown-name 35:21"]);
}

#[test]
fn settings_of_amazon_keyspaces() {
    let keyspaces = "[keyspaces]";
    gives(&options(keyspaces, "billing: provisioned\nthroughput: { read: 5, write: { min: 1, max: \"${n}\" } }"), &[]);
    gives(&options(keyspaces, "billing: provisioned"), &["throughput-mode 35:16"]);
    gives(&options(keyspaces, "throughput: { read: 5, write: 5 }"), &["throughput-mode 35:19"]);
    gives(&options(keyspaces, "billing: provisioned\nthroughput: { read: 5, write: { min: 1 } }"), &["throughput-mode 36:37"]);
    gives(&options(keyspaces, "point_in_time_recovery: 7d"), &["not-on-engine 35:31"]);
    gives(&options(keyspaces, "encryption: aws_managed"), &["not-on-engine 35:19"]);
    gives(&options(keyspaces, "encryption: { kms_key: \"\" }"), &["bad-value 35:30"]);
    gives(&options(keyspaces, "encryption: { kms_key: \"${env}-key\" }\ntags: { env: \"${env}\" }"), &[]);
    gives(&options(C5, "billing: on_demand\nclient_side_timestamps: true"), &["not-on-engine 35:16", "not-on-engine 36:31"]);
    let keyspace =
        |keyspace: &str, engines: &str| section(keyspace, "holds: Order\npartition_key: id").replace("[cassandra-5.0]", engines);
    gives(&keyspace("{ regions: [eu-west-1, us-east-1] }", keyspaces), &[]);
    gives(&keyspace("{ regions: [europe, europe] }", keyspaces), &["bad-name 29:25", "bad-name 29:33", "duplicate-name 29:33"]);
    gives(&keyspace("{ replication: { dc1: 3 }, tablets: true }", C5), &["not-on-engine 29:49"]);
    gives(&keyspace("{ replication: { dc1: 3 }, regions: [eu-west-1] }", C5), &["not-on-engine 29:49"]);
}

#[test]
fn types_that_hold_many_of_one_another_are_followed_once() {
    let many = |of: usize| (0..10).map(|field| format!("f{field}: \"frozen<u{of}>\"")).collect::<Vec<_>>().join(", ");
    let types: Vec<String> = (1..=24).map(|level| format!("u{level}: {{ {} }}", many(level - 1))).collect();
    let text = table(KEY).replace("lines: list<text>", "lines: \"frozen<u24>\"");
    let text = text.replace("types: { ", &format!("types: {{ u0: {{ a: int }}, {}, ", types.join(", ")));
    gives(&text, &[]);
}
