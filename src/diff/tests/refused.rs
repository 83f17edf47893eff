//! What a backend of CQL never accepts, created or altered.

mod shapes;

use super::{all, words};
use crate::read::{cloudformation, terraform};
use crate::schema::{Backend, Engine, Schema};

const CASSANDRA_4: Backend = Backend::Cql(Engine::Cassandra41);
const CASSANDRA: Backend = Backend::Cql(Engine::Cassandra50);
const SCYLLA: Backend = Backend::Cql(Engine::Scylla20251);
const KEYSPACES: Backend = Backend::Cql(Engine::Keyspaces);
const TERRAFORM: Backend = Backend::KeyspacesTerraform;
const TEMPLATE: Backend = Backend::KeyspacesCloudformation;

/// Statements in one keyspace.
fn read(text: &str) -> Schema {
    let keyspace = "CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}; USE shop;\n";
    super::read("schema.cql", &format!("{keyspace}{text}"), crate::read::cql::read)
}

/// What the first change to `next` falls under, and what that means.
pub(super) fn one(previous: &str, next: &str, backend: Backend) -> String {
    let changes = super::changes(&read(previous), &read(next), &[backend]);
    let effect = &changes.last().unwrap_or_else(|| panic!("{next}: no change")).effects[&backend];
    let words = words(effect).replace("/[]", "").to_lowercase();
    assert!(words != "unsupported/refuses" || effect.statement.is_none(), "{next}: a statement that is refused is shown");
    format!("{} {words}", effect.rule.unwrap_or("?"))
}

#[test]
fn a_new_table_is_refused_with_any_part_that_is() {
    let types = "CREATE TYPE held (a list<int>); CREATE TYPE long (a duration);";
    for (columns, rest, backend, rule) in [
        ("p int PRIMARY KEY, c counter, d int", "", CASSANDRA, "def-counter-mix"),
        ("p int PRIMARY KEY, c int STATIC", "", SCYLLA, "def-static"),
        ("p int, c duration, PRIMARY KEY (p, c)", "", CASSANDRA, "def-key-type"),
        ("p int, c frozen<list<duration>>, PRIMARY KEY (p, c)", "", CASSANDRA, "def-key-type"),
        ("p int, c frozen<long>, PRIMARY KEY (p, c)", "", CASSANDRA, "def-key-type"),
        ("p map<int, int> PRIMARY KEY", "", KEYSPACES, "def-key-type"),
        ("p int PRIMARY KEY", " WITH memtable = ''", CASSANDRA, "opt-memtable"),
        ("p int PRIMARY KEY", " WITH caching = {'rows_per_partition': '+10'}", CASSANDRA, "opt-caching"),
        ("p int PRIMARY KEY", " WITH speculative_retry = ' 99p'", CASSANDRA, "opt-spec-retry"),
        ("p int PRIMARY KEY, c list<list<int>>", "", CASSANDRA, "def-nested"),
        ("p int PRIMARY KEY, c map<text, long>", "", CASSANDRA_4, "def-nested"),
        ("p int PRIMARY KEY, c held", "", SCYLLA, "def-nested"),
        ("p int PRIMARY KEY, c tuple<int, counter>", "", CASSANDRA, "def-counter-inside"),
        ("p int PRIMARY KEY, c set<duration>", "", CASSANDRA, "def-duration"),
        ("p int PRIMARY KEY, c frozen<int>", "", CASSANDRA, "def-frozen"),
        ("p int PRIMARY KEY, c list<frozen<vector<float, 3>>>", "", CASSANDRA_4, "def-type"),
        ("p int PRIMARY KEY, c counter", " WITH default_time_to_live = 60", CASSANDRA, "opt-ttl-set"),
        ("p int PRIMARY KEY", " WITH bogus = 3", SCYLLA, "opt-unknown"),
        ("p int PRIMARY KEY", " WITH read_repair_chance = 0.1", CASSANDRA, "opt-removed"),
        ("p int PRIMARY KEY", " WITH memtable = 'default'", SCYLLA, "opt-memtable"),
        ("p int PRIMARY KEY", " WITH compaction = {'class': 'UnifiedCompactionStrategy'}", CASSANDRA_4, "opt-compaction-class"),
        (
            "p int PRIMARY KEY",
            " WITH custom_properties = {'point_in_time_recovery': {'status': 'enabled'}}",
            CASSANDRA,
            "opt-capacity",
        ),
        ("p int PRIMARY KEY, c int", "; CREATE INDEX i ON t (c)", KEYSPACES, "idx-add-2i"),
        ("p int PRIMARY KEY, c int", "; CREATE INDEX i ON t (p)", CASSANDRA, "idx-add-2i"),
        ("p int PRIMARY KEY, c int", "; CREATE INDEX i ON t (c) USING 'sai'", SCYLLA, "idx-add-sai"),
        ("p int PRIMARY KEY, c map<text, frozen<list<int>>>", "", TERRAFORM, "def-resource-type"),
        ("p int PRIMARY KEY, \"Camel\" int", "", TERRAFORM, "def-name"),
        ("pp int PRIMARY KEY, c int", "", TEMPLATE, "def-name"),
    ] {
        let next = format!("{types} CREATE TABLE t ({columns}){rest};");
        assert_eq!(one(types, &next, backend), format!("{rule} unsupported/refuses"), "{next} on {backend}");
    }
    // It is made, without what the resource has no property for.
    let keyed = "CREATE TABLE tt (pp int, kk int, ss int STATIC, PRIMARY KEY (pp, kk));";
    assert_eq!(one("", keyed, TEMPLATE), "col-add-static unsupported/nothing");
    for (next, backend) in [
        (keyed, CASSANDRA),
        (keyed, KEYSPACES),
        ("CREATE TABLE t (p int PRIMARY KEY, c counter, d counter);", CASSANDRA),
        (
            "CREATE TABLE t (p frozen<list<int>>, c tuple<int, list<int>>, d frozen<list<list<int>>>, PRIMARY KEY (p, c));",
            CASSANDRA,
        ),
        ("CREATE TABLE t (p int PRIMARY KEY, c set<frozen<list<duration>>>, d map<text, duration>);", SCYLLA),
        ("CREATE TABLE t (p int PRIMARY KEY, c vector<float, 3>);", CASSANDRA),
        ("CREATE TABLE t (p vector<duration, 2>, c vector<frozen<list<duration>>, 2>, PRIMARY KEY (p, c));", CASSANDRA),
        ("CREATE TABLE t (p int PRIMARY KEY) WITH read_repair_chance = 0.1 AND gc_grace_seconds = 0;", SCYLLA),
        (
            "CREATE TABLE t (p int PRIMARY KEY) WITH id = 5a1c395e-b41f-11e5-9f22-ba0be0483c18 AND caching = {'keys': 'NONE'};",
            CASSANDRA,
        ),
        ("CREATE TABLE t (p int PRIMARY KEY) WITH compaction = {'class': 'a.b.Mine', 'x': '1'};", CASSANDRA),
        ("CREATE TABLE t (p int PRIMARY KEY) WITH compaction = {'class': 'Odd'} AND comment = 'a';", KEYSPACES),
        ("CREATE TABLE tt (pp int PRIMARY KEY, cc map<text, int>, dd tuple<int, int>);", TERRAFORM),
        (
            "CREATE TABLE tt (pp int PRIMARY KEY) WITH comment = 'a' AND caching = {'keys': 'NONE'} AND default_time_to_live = 0;",
            TERRAFORM,
        ),
        ("CREATE TABLE tt (pp int PRIMARY KEY) WITH comment = 'a' AND caching = {'keys': 'NONE'};", TEMPLATE),
    ] {
        assert_eq!(one("", next, backend), "tbl-create in_place/applies".replace('_', ""), "{next} on {backend}");
    }
}

#[test]
fn a_type_and_what_is_added_are_refused_alike() {
    let table = |columns: &str| format!("CREATE TABLE t (p int PRIMARY KEY{columns});");
    for (column, backend, rule) in [
        ("c int STATIC", CASSANDRA, "def-static"),
        ("c list<set<int>>", CASSANDRA, "def-nested"),
        ("c frozen<text>", SCYLLA, "def-frozen"),
        ("c map<duration, int>", CASSANDRA_4, "def-duration"),
        ("c vector<float, 2>", SCYLLA, "def-type"),
        ("c tuple<int, int, int>", TERRAFORM, "def-resource-type"),
    ] {
        let next = table(&format!(", {column}"));
        assert_eq!(one(&table(""), &next, backend), format!("{rule} unsupported/refuses"), "{next} on {backend}");
    }
    let types = "CREATE TYPE v (a int); CREATE TYPE u (a int";
    for (field, rule) in [("b counter", "def-counter-inside"), ("b v", "def-nested"), ("b list<list<int>>", "def-nested")] {
        for previous in [format!("{types});"), "CREATE TYPE v (a int);".to_owned()] {
            assert_eq!(
                one(&previous, &format!("{types}, {field});"), CASSANDRA),
                format!("{rule} unsupported/refuses"),
                "{field}"
            );
        }
    }
    assert_eq!(one("", "CREATE TYPE u (a list<int>, b frozen<list<list<int>>>);", CASSANDRA), "udt-create inplace/applies");
}

#[test]
fn what_a_resource_cannot_write_is_refused_where_it_stands() {
    let module = |columns: &[(&str, &str)]| {
        let block =
            |(name, kind): &(&str, &str)| format!("    column {{\n      name = \"{name}\"\n      type = \"{kind}\"\n    }}\n");
        let text = format!(
            "resource \"aws_keyspaces_keyspace\" \"k\" {{\n  name = \"shop\"\n}}\nresource \"aws_keyspaces_table\" \"t\" {{\n  keyspace_name = \
             aws_keyspaces_keyspace.k.name\n  table_name = \"t\"\n  schema_definition {{\n{}    \
             partition_key {{\n      name = \"id\"\n    }}\n  }}\n}}\n",
            columns.iter().map(block).collect::<String>()
        );
        super::read("main.tf", &text, |sources, files, sink| terraform::read(sources, files, sink).map(|module| module.keyspaces))
    };
    let before = module(&[("id", "uuid")]);
    for (name, kind, told) in [
        ("n", "frozen<mine>", "def-resource-type Unsupported/Refuses/[]"),
        ("n", "map<text, list<int>>", "def-resource-type Unsupported/Refuses/[]"),
        ("Nn", "int", "def-name Unsupported/Refuses/[]"),
        ("n", "map<text, int>", "col-add-collection InPlace/Applies/[]"),
        ("${var.name}", "int", "? Unknown/Unknown/[]"),
    ] {
        let found = all(&before, &module(&[("id", "uuid"), (name, kind)]), TERRAFORM);
        assert!(found.iter().any(|line| line.ends_with(told)), "{name} {kind}: {found:?}");
    }
    let of = |column: &str| {
        let text = format!(
            "Resources:\n  Shop:\n    Type: AWS::Cassandra::Keyspace\n    Properties:\n      KeyspaceName: shop\n  Orders:\n    Type: \
             AWS::Cassandra::Table\n    Properties:\n      KeyspaceName: shop\n      TableName: orders\n      PartitionKeyColumns:\n        - \
             ColumnName: id\n          ColumnType: uuid\n{column}"
        );
        super::read("template.yaml", &text, |sources, files, sink| {
            cloudformation::read_all(sources, files, sink).map(|template| template.keyspaces)
        })
    };
    let column = |name: &str| format!("      RegularColumns:\n        - ColumnName: {name}\n          ColumnType: text\n");
    assert_eq!(all(&of(""), &of(&column("m")), TEMPLATE), ["cql.Orders columns.m def-name Unsupported/Refuses/[]"]);
    let timestamps = |on: bool| of(&format!("      ClientSideTimestampsEnabled: {on}\n"));
    assert_eq!(all(&of(""), &timestamps(false), TEMPLATE), [""; 0]);
    assert_eq!(all(&timestamps(false), &of(""), TEMPLATE), [""; 0]);
    assert!(all(&timestamps(false), &timestamps(true), TEMPLATE).concat().contains("opt-client-ts"));
    assert_eq!(all(&of(""), &of(&column("note")), TEMPLATE), ["cql.Orders columns.note col-add InPlace/Applies/[]"]);
}

#[test]
fn a_value_is_taken_by_one_engine_and_refused_by_another() {
    const SCYLLA_1: Backend = Backend::Cql(Engine::Scylla20261);
    let taken = "applies";
    let refused = "unsupported/refuses";
    for (option, expected) in [
        ("bloom_filter_fp_chance = 1.5", [refused, refused]),
        ("bloom_filter_fp_chance = 0.5", [taken, taken]),
        ("crc_check_chance = 1.5", [refused, taken]),
        ("gc_grace_seconds = -1", [refused, refused]),
        ("gc_grace_seconds = '60'", [taken, taken]),
        ("default_time_to_live = 630720001", [refused, taken]),
        ("default_time_to_live = -1", [refused, refused]),
        ("memtable_flush_period_in_ms = 1000", [taken, refused]),
        ("memtable_flush_period_in_ms = 60000", [taken, taken]),
        ("min_index_interval = 4096", [refused, refused]),
        ("max_index_interval = 4096", [taken, taken]),
        ("speculative_retry = '95p'", [taken, refused]),
        ("speculative_retry = '95.0percentile'", [taken, taken]),
        ("speculative_retry = '100p'", [refused, refused]),
        ("additional_write_policy = 'sometimes'", [refused, refused]),
        ("read_repair = 'none'", [taken, refused]),
        ("read_repair = 'some'", [refused, refused]),
        ("cdc = {'enabled': true}", [refused, taken]),
        ("cdc = {'preimage': true}", [refused, refused]),
        ("cdc = 'yes'", [taken, refused]),
        ("caching = {'keys': 'NONE'}", [taken, taken]),
        ("caching = {'keys': 'SOME'}", [refused, taken]),
        ("caching = {'enabled': 'false'}", [refused, taken]),
        ("synchronous_updates = true", [refused, refused]),
        ("tombstone_gc = {'mode': 'never'}", [refused, refused]),
        ("tombstone_gc = {'mode': 'disabled'}", [refused, taken]),
        ("compaction = {'class': 'UnifiedCompactionStrategy'}", [taken, refused]),
        ("compaction = {'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'T1'}", [refused, refused]),
        ("compaction = {'class': 'IncrementalCompactionStrategy', 'sstable_size_in_mb': '500'}", [refused, taken]),
        ("compaction = {'class': 'LeveledCompactionStrategy', 'fanout_size': '5'}", [taken, refused]),
        ("compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '100', 'bucket_low': '0.4'}", [taken, taken]),
        ("compaction = {'class': 'LeveledCompactionStrategy', 'bogus': '5'}", [refused, refused]),
        ("compaction = {'class': 'SizeTieredCompactionStrategy', 'min_threshold': '40'}", [refused, refused]),
        ("compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'hours'}", [refused, refused]),
        ("compaction = {'min_threshold': '5'}", [refused, refused]),
        ("compression = {'class': 'ZstdCompressor'}", [taken, refused]),
        ("compression = {'sstable_compression': 'ZstdCompressor'}", [refused, taken]),
        ("compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '17'}", [refused, refused]),
        ("compression = {'sstable_compression': 'LZ4Compressor', 'chunk_length_in_kb': '256'}", [refused, refused]),
        ("compression = {'enabled': 'false'}", [taken, refused]),
        ("compression = {'class': 'LZ4Compressor', 'compression_level': '3'}", [refused, refused]),
    ] {
        let table = |rest: &str| format!("CREATE TABLE t (p int, c int, PRIMARY KEY (p, c)){rest};");
        for (backend, expected) in [CASSANDRA, SCYLLA_1].into_iter().zip(expected) {
            let told = one(&table(""), &table(&format!(" WITH {option}")), backend);
            assert!(told.contains(expected), "{option} on {backend}: {told}");
        }
    }
}

#[test]
fn what_is_the_same_is_refused_in_a_spelling_that_is_not_taken() {
    let table = |rest: &str| format!("CREATE TABLE t (p int PRIMARY KEY){rest};");
    for (option, backend) in [
        ("memtable = 'default'", Backend::Cql(Engine::Cassandra40)),
        ("compression = {'sstable_compression': 'LZ4Compressor'}", CASSANDRA),
        ("speculative_retry = '99p'", SCYLLA),
    ] {
        let told = one(&table(""), &table(&format!(" WITH {option}")), backend);
        assert!(told.ends_with("unsupported/refuses"), "{option} on {backend}: {told}");
        // What is no longer said is not refused.
        assert!(super::changes(&read(&table(&format!(" WITH {option}"))), &read(&table("")), &[backend]).is_empty(), "{option}");
    }
}

#[test]
fn a_view_is_judged_by_the_spelling_that_it_has() {
    let view = |policy: &str| {
        let select = "SELECT * FROM t WHERE p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, p)";
        let created = format!("CREATE MATERIALIZED VIEW v AS {select} WITH speculative_retry = '{policy}';");
        format!("CREATE TABLE t (p int PRIMARY KEY, c int); {created}")
    };
    for (policy, created, changed) in [
        ("95.0PERCENTILE", "tbl-create inplace/applies", "mv-options inplace/applies"),
        ("95p", "mv-create unsupported/refuses", "mv-options unsupported/refuses"),
    ] {
        assert_eq!(one("", &view(policy), SCYLLA), created);
        assert_eq!(one(&view("ALWAYS"), &view(policy), SCYLLA), changed);
    }
}

#[test]
fn an_index_and_a_view_are_judged_by_their_table() {
    let table = "CREATE TYPE u (a int); CREATE TABLE t (p int, c int, d duration, e list<int>, f frozen<set<int>>, g u, h text, i blob, \
                 s int STATIC, PRIMARY KEY (p, c)); CREATE TABLE n (p int PRIMARY KEY, c counter); CREATE TABLE k (p int PRIMARY KEY, c int);";
    let view = |columns: &str, key: &str, rest: &str| {
        let named = key.replace(['(', ')'], "");
        let restricted = named.split(", ").map(|column| format!("{column} IS NOT NULL")).collect::<Vec<_>>().join(" AND ");
        format!("CREATE MATERIALIZED VIEW v AS SELECT {columns} FROM t WHERE {restricted} PRIMARY KEY ({key}){rest};")
    };
    for (made, backend, expected) in [
        ("CREATE INDEX i ON t (h);".to_owned(), CASSANDRA, "idx-add-2i indexbuild/applies"),
        ("CREATE INDEX i ON t (c);".to_owned(), CASSANDRA, "idx-add-2i indexbuild/applies"),
        ("CREATE INDEX i ON t (e);".to_owned(), SCYLLA, "idx-add-2i indexbuild/applies"),
        ("CREATE INDEX i ON t (full(f));".to_owned(), CASSANDRA, "idx-add-2i indexbuild/applies"),
        (
            "CREATE INDEX i ON t (h) USING 'sai' WITH OPTIONS = {'case_sensitive': 'false'};".to_owned(),
            CASSANDRA,
            "idx-add-sai indexbuild/applies",
        ),
        ("CREATE INDEX i ON t ((p), h);".to_owned(), SCYLLA, "idx-add-local indexbuild/applies"),
        ("CREATE INDEX i ON t ((p), s);".to_owned(), SCYLLA, "idx-add-local unsupported/refuses"),
        ("CREATE INDEX i ON n (c);".to_owned(), SCYLLA, "idx-add-2i unsupported/refuses"),
        ("CREATE INDEX i ON k (p);".to_owned(), CASSANDRA, "idx-add-2i unsupported/refuses"),
        ("CREATE INDEX i ON t (d);".to_owned(), CASSANDRA, "idx-add-2i unsupported/refuses"),
        ("CREATE INDEX i ON t (g);".to_owned(), CASSANDRA, "idx-add-2i unsupported/refuses"),
        ("CREATE INDEX i ON t (f);".to_owned(), CASSANDRA, "idx-add-2i unsupported/refuses"),
        ("CREATE INDEX i ON t (keys(e));".to_owned(), CASSANDRA, "idx-add-2i unsupported/refuses"),
        ("CREATE INDEX i ON t (i) USING 'sai';".to_owned(), CASSANDRA, "idx-add-sai unsupported/refuses"),
        ("CREATE CUSTOM INDEX i ON t () USING 'sai';".to_owned(), CASSANDRA, "idx-add-sai unsupported/refuses"),
        ("CREATE CUSTOM INDEX i ON t (c, h) USING 'sai';".to_owned(), CASSANDRA, "idx-add-sai unsupported/refuses"),
        (
            "CREATE INDEX i ON t (c) USING 'sai' WITH OPTIONS = {'case_sensitive': 'false'};".to_owned(),
            CASSANDRA,
            "idx-add-sai unsupported/refuses",
        ),
        (view("p, c, h", "h, p, c", ""), CASSANDRA, "mv-create indexbuild/applies"),
        (view("p, c", "c, p", " WITH gc_grace_seconds = 0"), CASSANDRA, "mv-create indexbuild/applies"),
        (view("p, h", "h, p", ""), CASSANDRA, "mv-create unsupported/refuses"),
        (view("p, c, h, i", "(h, i), p, c", ""), SCYLLA, "mv-create unsupported/refuses"),
        (view("p, c, e", "e, p, c", ""), CASSANDRA, "mv-create unsupported/refuses"),
        (view("p, c, d", "d, p, c", ""), CASSANDRA, "mv-create unsupported/refuses"),
        (view("*", "c, p", ""), CASSANDRA, "mv-create unsupported/refuses"),
        (view("p, c", "c, p", " WITH default_time_to_live = 5"), SCYLLA, "mv-create unsupported/refuses"),
        (view("p, c", "c, p", "").replace(" PRIMARY", " AND h = 'a' PRIMARY"), CASSANDRA, "mv-create unsupported/refuses"),
    ] {
        assert_eq!(one(table, &format!("{table}{made}"), backend), expected, "{made} on {backend}");
    }
    let known = format!("{table}{}", view("p, c", "c, p", ""));
    for (option, backend, expected) in [
        ("gc_grace_seconds = 0", CASSANDRA, "mv-options unsupported/refuses"),
        ("default_time_to_live = 5", SCYLLA, "mv-options unsupported/refuses"),
        ("bloom_filter_fp_chance = 2", CASSANDRA, "mv-options unsupported/refuses"),
        ("bloom_filter_fp_chance = 0.1", CASSANDRA, "mv-options inplace/applies"),
        ("synchronous_updates = true", SCYLLA, "opt-sync-updates inplace/applies"),
    ] {
        let next = format!("{table}{}", view("p, c", "c, p", &format!(" WITH {option}")));
        assert_eq!(one(&known, &next, backend), expected, "{option} on {backend}");
    }
}

#[test]
fn a_keyspace_is_made_as_its_engine_makes_them() {
    let nts = "'class': 'NetworkTopologyStrategy'";
    let simple = "{'class': 'SimpleStrategy', 'replication_factor': 1}";
    let of = |map: &str, rest: &str| format!("CREATE KEYSPACE other WITH replication = {map}{rest};");
    for (next, backend, expected) in [
        (of(simple, ""), CASSANDRA, "ks-create inplace/applies"),
        (of("{'class': 'LocalStrategy'}", ""), CASSANDRA, "def-replication unsupported/refuses"),
        (of(&format!("{{{nts}}}"), ""), Backend::Cql(Engine::Cassandra40), "def-replication unsupported/refuses"),
        (of(&format!("{{{nts}}}"), ""), CASSANDRA, "ks-create inplace/applies"),
        (of(&format!("{{{nts}, 'dc1': 3}}"), " AND tablets = {'enabled': true}"), CASSANDRA, "ks-tablets unsupported/refuses"),
        (of(&format!("{{{nts}, 'dc1': 3}}"), " AND tablets = {'enabled': true}"), SCYLLA, "ks-create inplace/applies"),
        (of(&format!("{{{nts}, 'dc1': 'three'}}"), ""), SCYLLA, "def-replication unsupported/refuses"),
        (of(&format!("{{{nts}, 'dc1': '3/1'}}"), ""), SCYLLA, "def-replication unsupported/refuses"),
        (of(&format!("{{{nts}, 'dc1': '3'}}"), ""), SCYLLA, "ks-create inplace/applies"),
        (of(simple, " AND tablets = {'enabled': true}"), SCYLLA, "def-replication unsupported/refuses"),
        (
            of("{'class': 'OldNetworkTopologyStrategy', 'replication_factor': 1}", ""),
            CASSANDRA,
            "def-replication unsupported/refuses",
        ),
        (of("{'class': 'EverywhereStrategy'}", ""), CASSANDRA, "def-replication unsupported/refuses"),
        (of("{'class': 'EverywhereStrategy'}", ""), SCYLLA, "ks-create inplace/applies"),
        (of("{'class': 'com.example.Mine', 'how': 'well'}", ""), CASSANDRA, "ks-create inplace/applies"),
        (of("{'class': 'com.example.Mine'}", ""), SCYLLA, "def-replication unsupported/refuses"),
        (
            of("{'class': 'SimpleStrategy', 'replication_factor': 1, 'dc1': 1}", ""),
            CASSANDRA,
            "def-replication unsupported/refuses",
        ),
        (of("{'class': 'SimpleStrategy'}", ""), CASSANDRA, "ks-create inplace/applies"),
        (of("{'class': 'SimpleStrategy'}", ""), SCYLLA, "def-replication unsupported/refuses"),
        (of(&format!("{{{nts}, 'dc1': '3/1'}}"), ""), CASSANDRA, "def-replication unsupported/refuses"),
        (of(&format!("{{{nts}, 'dc1': '3/0'}}"), ""), CASSANDRA, "ks-create inplace/applies"),
        (of(&format!("{{{nts}, 'dc1': '3/0'}}"), ""), SCYLLA, "def-replication unsupported/refuses"),
        (of(simple, " AND bogus = 3"), CASSANDRA, "opt-unknown unsupported/refuses"),
        (of(simple, " AND bogus = 3"), SCYLLA, "opt-unknown unsupported/refuses"),
        (of(&format!("{{{nts}, 'eu-west-1': 3}}"), ""), KEYSPACES, "def-replication unsupported/refuses"),
        (of(&format!("{{{nts}, 'eu-west-1': 3, 'eu-north-1': 3}}"), ""), KEYSPACES, "ks-create inplace/applies"),
        (of("{'class': 'SingleRegionStrategy'}", " AND durable_writes = false"), KEYSPACES, "ks-durable unsupported/refuses"),
    ] {
        assert_eq!(one("", &next, backend), expected, "{next} on {backend}");
    }
    // What it had when it was made counts, not what it would have.
    let with =
        |map: &str| super::read("schema.cql", &format!("CREATE KEYSPACE k WITH replication = {map};"), crate::read::cql::read);
    for (from, to, expected) in [
        ("'dc1': 3", simple.to_owned(), "ks-class-nts-simple Recreation/Refuses/[]"),
        ("'dc1': 1, 'dc2': 1", format!("{{{nts}, 'dc1': 1}}"), "ks-dc-remove FollowUp/Refuses/[]"),
        ("'dc1': 1, 'dc2': 1", format!("{{{nts}, 'dc1': 1, 'dc2': 0}}"), "ks-dc-remove FollowUp/Applies/[]"),
        ("'replication_factor': 1", format!("{{{nts}, 'replication_factor': 2}}"), "ks-rf-up FollowUp/Refuses/[]"),
    ] {
        let found = all(&with(&format!("{{{nts}, {from}}}")), &with(&to), SCYLLA);
        assert_eq!(found, [format!("cql.keyspace(k) replication {expected}")], "{from} {to}");
    }
}
