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
    gives(&table("partition_key: id").replace("cassandra-5.0", "keyspaces"), &["not-yet 28:3"]);
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
    gives(&table("partition_key: id\nclustering: [number dsc]"), &["bad-condition 34:27"]);
    gives(&table("partition_key: id\nkey_types: { idd: text }"), &["unknown-attribute 34:20"]);
    gives(&table("partition_key: id\ncolumns: [statuss]"), &["unknown-attribute 34:17"]);
}

#[test]
fn columns() {
    let lines = |kind: &str| table(KEY).replace("lines: list<text>", &format!("lines: \"{kind}\""));
    gives(&lines("list<list<text>>"), &["bad-collection 17:7"]);
    gives(&lines("list<frozen<list<text>>>"), &[]);
    gives(&lines("set<duration>"), &["bad-collection 17:7"]);
    gives(&lines("map<duration, int>"), &["bad-collection 17:7"]);
    gives(&lines("frozen<int>"), &["bad-collection 17:7"]);
    gives(&lines("list<counter>"), &["bad-collection 17:7"]);
    gives(&lines("vector<float, 3>"), &["not-yet 17:7"]);
    gives(&lines("tuple<int, text>"), &["not-yet 17:7"]);
    gives(&lines("frozen<address>"), &["not-yet 17:7"]);
    gives(&lines("list<address>"), &["bad-collection 17:7", "not-yet 17:7"]);
    gives(
        &lines("vector<float, 3>").replace("cassandra-5.0", "cassandra-4.1"),
        &["not-yet 17:7", "type-needs-engine 17:7", "not-yet 28:3"],
    );
    gives(
        &table("partition_key: id\nclustering: [lines]").replace("lines: list<text>", "lines: duration"),
        &["duration-in-key 17:7"],
    );
    gives(
        &table(&format!("{KEY}static: [status]")).replace("clustering: [number]", "columns: [status]"),
        &["not-yet 35:7", "static-needs-clustering 35:15"],
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

#[test]
fn options_of_later() {
    gives(
        &table(&format!("{KEY}compaction: leveled\ngc_grace: 3d\nviews: {{}}")),
        &["not-yet 35:7", "not-yet 36:7", "not-yet 37:7"],
    );
    gives(&table(&format!("{KEY}comment: x")), &["unknown-key 35:7"]);
    gives(&table(&format!("{KEY}name: {}", "a".repeat(49))), &["name-too-long 35:13"]);
    let two = table(KEY) + "    orders2: { holds: Order, partition_key: id, name: orders }\n";
    gives(&two, &["duplicate-name 36:55"]);
}
