//! What the reader makes of real text, good and bad.

mod mistakes;
mod printed;

use super::{apply, read};
use crate::diagnostic::Sink;
use crate::schema::Engine;
use crate::schema::cql::{OptionValue, Schema, Table};
use crate::source::SourceMap;
use std::fs;

/// Reads texts as one history: the schema, and each diagnostic as `line:column message`.
fn history(texts: &[&str]) -> (Option<Schema>, Vec<String>) {
    let mut sources = SourceMap::default();
    let files: Vec<_> = texts.iter().enumerate().map(|(n, text)| sources.add(format!("{n}.cql"), *text)).collect();
    let mut sink = Sink::default();
    let schema = read(&sources, &files, &mut sink);
    let told = sink.into_sorted().into_iter().map(|diagnostic| {
        let position = sources.position(diagnostic.primary.unwrap().span);
        let more = diagnostic.help.map_or_else(String::new, |help| format!("; {help}"));
        format!("{}:{} {}{more}", position.line, position.column, diagnostic.message)
    });
    (schema, told.collect())
}

fn good(text: &str) -> Schema {
    let (schema, told) = history(&[text]);
    assert_eq!(told, Vec::<String>::new(), "{text}");
    schema.unwrap()
}

fn bad(text: &str) -> Vec<String> {
    let (schema, told) = history(&[text]);
    assert!(schema.is_none(), "{text}");
    told
}

fn table<'a>(schema: &'a Schema, keyspace: &str, name: &str) -> &'a Table {
    &schema.keyspaces[keyspace].tables[name]
}

fn fixture(name: &str) -> String {
    fs::read_to_string(format!("{}/tests/fixtures/cassandra/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn what_cassandra_describes_is_what_was_created() {
    let dumps = [
        ("five", "5.0.9", Engine::Cassandra50),
        ("history", "4.0.19", Engine::Cassandra40),
        ("history", "4.1.10", Engine::Cassandra41),
        ("history", "5.0.9", Engine::Cassandra50),
        ("names", "4.0.19", Engine::Cassandra40),
        ("names", "4.1.10", Engine::Cassandra41),
        ("names", "5.0.9", Engine::Cassandra50),
        ("shop", "4.0.19", Engine::Cassandra40),
        ("shop", "4.1.10", Engine::Cassandra41),
        ("shop", "5.0.9", Engine::Cassandra50),
    ];
    for (name, version, engine) in dumps {
        let mut created = good(&fixture(&format!("{name}.{version}.original.cql")));
        if name == "history" {
            assert!(created.keyspaces.get_mut("hist").unwrap().tables.remove("compact").is_some());
        }
        let read = |dump: &str| {
            let (schema, told) = history(&[&fixture(&format!("{name}.{version}.{dump}.cql"))]);
            let mut schema = schema.unwrap();
            // DESCRIBE prints a table with COMPACT STORAGE only inside a comment: it is told, and not missed.
            let unread: Vec<String> =
                schema.keyspaces.values_mut().flat_map(|keyspace| std::mem::take(&mut keyspace.unread)).collect();
            let compact = "26:21 the table `compact` is there and was not read: it stands in a comment";
            let help = "; compare it by hand; no plan shows what changes of it";
            let expected = if name == "history" { vec![format!("{compact}{help}")] } else { Vec::new() };
            assert_eq!((told, unread.len()), (expected, usize::from(name == "history")), "{name} {version}");
            schema
        };
        let described = read("describe");
        assert_eq!(described.as_written().normalise(engine), created.as_written().normalise(engine), "{name} {version}");
        if name == "history" {
            let internals = read("describe-internals");
            let names = |schema: &Schema| table(schema, "hist", "t").dropped.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(&internals), ["gone", "s", "u"]);
            assert_eq!(names(&created), names(&internals));
            assert_eq!(internals.as_written().normalise(engine), created.as_written().normalise(engine));
        }
    }
}

#[test]
fn a_table_that_is_there_and_was_not_read_is_gone_over() {
    let comment = "/*\nWarning: Table k.\"A b\" omitted because it has constructs not compatible with CQL (was created via \
                   legacy API).\nCREATE TABLE k.\"A b\" (p int PRIMARY KEY) WITH COMPACT STORAGE;\n*/";
    let of = |text: &str| {
        let (schema, told) = history(&[text]);
        let names: Vec<String> = schema.unwrap().keyspaces.values().flat_map(|keyspace| keyspace.unread.clone()).collect();
        (names, told.len())
    };
    assert_eq!(of(comment), (vec!["A b".to_owned()], 1));
    assert_eq!(of(&format!("CREATE TABLE k.a (p int PRIMARY KEY);{comment} CREATE TABLE k.b (p int PRIMARY KEY)")).1, 1);
    // What changes it cannot be carried out; what drops it can, and what creates it says what it is like.
    assert_eq!(
        of(&format!("{comment}ALTER TABLE k.\"A b\" ADD c int; CREATE INDEX ON k.\"A b\" (c)")),
        (vec!["A b".to_owned()], 3)
    );
    assert_eq!(of(&format!("{comment}DROP TABLE k.\"A b\"")).0, Vec::<String>::new());
    assert_eq!(of(&format!("{comment}CREATE TABLE k.\"A b\" (p int PRIMARY KEY)")), (Vec::new(), 1));
    // Inside a statement, or without the words of an engine, it is a comment like any other.
    assert_eq!(of(&format!("CREATE TABLE k.a (p int {comment} PRIMARY KEY)")).1, 0);
    assert_eq!(of(&comment.replace("Warning: ", "")).1, 0);
}

#[test]
fn a_normal_form_holds_only_what_was_meant() {
    let shop = good(&fixture("shop.5.0.9.describe.cql")).normalise(Engine::Cassandra50);
    let customer = table(&shop, "shop", "customer");
    let options: Vec<String> = customer.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let expected =
        ["caching = {'keys': 'ALL', 'rows_per_partition': '10'}", "comment = 'it''s the customers'", "gc_grace_seconds = 86400"];
    assert_eq!(options, expected);
    assert_eq!(customer.columns["point"].kind.to_string(), "tuple<double, double>");
    assert_eq!(shop.normalise(Engine::Cassandra50), shop);
}

#[test]
fn spellings_that_mean_the_same_are_equal() {
    let of = |options: &str, engine| {
        let text = format!("CREATE TABLE k.t (a int PRIMARY KEY) WITH {options}");
        table(&good(&text).normalise(engine), "k", "t").options.clone()
    };
    let same = [
        ("speculative_retry = '99.0percentile'", "speculative_retry = '99p'"),
        ("speculative_retry = 'MIN(1.5ms, 99PERCENTILE)'", "speculative_retry = 'min(99p,1ms)'"),
        ("speculative_retry = 'none'", "speculative_retry = 'NEVER'"),
        ("gc_grace_seconds = '864000'", "comment = ''"),
        ("crc_check_chance = 1", "crc_check_chance = 1.0"),
        ("bloom_filter_fp_chance = 1E-2", "bloom_filter_fp_chance = 0.01"),
        ("cdc = 'yes'", "cdc = true"),
        ("comment = 5", "comment = '5'"),
        ("caching = {'rows_per_partition': 'all'}", "caching = {'keys': 'NONE', 'rows_per_partition': 'ALL'}"),
        ("compression = {}", "compression = {'enabled': 'false'}"),
        ("compression = {'sstable_compression': ''}", "compression = {'enabled': false}"),
        (
            "compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 160} AND bloom_filter_fp_chance = 0.1",
            "compaction = {'class': 'org.apache.cassandra.db.compaction.LeveledCompactionStrategy', 'max_threshold': '32'}",
        ),
        ("\"comment\" = 'x' AND ID = f7082a30-ecb1-11f1-a670-216e8a72c60e", "COMMENT = 'x' AND extensions = {}"),
    ];
    for (left, right) in same {
        assert_eq!(of(left, Engine::Cassandra50), of(right, Engine::Cassandra50), "{left}");
    }
    let different = [
        ("caching = {'rows_per_partition': 'ALL'}", "caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'}"),
        (
            "compaction = {'class': 'TimeWindowCompactionStrategy', 'tombstone_threshold': '0.2'}",
            "compaction = {'class': 'TimeWindowCompactionStrategy'}",
        ),
        (
            "compaction = {'class': 'LeveledCompactionStrategy'} AND bloom_filter_fp_chance = 0.01",
            "compaction = {'class': 'LeveledCompactionStrategy'}",
        ),
    ];
    for (left, right) in different {
        assert_ne!(of(left, Engine::Cassandra50), of(right, Engine::Cassandra50), "{left}");
    }
    assert!(of("read_repair_chance = 0.1 AND speculative_retry = '99.0PERCENTILE'", Engine::Scylla20251).is_empty());
    assert!(of("gc_grace_seconds = 1 AND default_time_to_live = 0", Engine::Keyspaces).is_empty());
}

#[test]
fn statements_are_applied_in_order() {
    let schema = good(
        "CREATE SCHEMA k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
         USE k;
         CREATE TYPE address (street text, zip text,);
         ALTER TYPE address ADD city text; ALTER TYPE address RENAME zip TO postcode AND city TO town;
         CREATE COLUMNFAMILY t (a int, b int, c text, d address, s int STATIC, w int, PRIMARY KEY ((a), b),)
            WITH CLUSTERING ORDER BY (b DESC) AND comment = $$it's$$;
         CREATE INDEX ON t (c); CREATE INDEX IF NOT EXISTS other ON t (c);
         CREATE INDEX local ON t ((a), c); CREATE CUSTOM INDEX IF NOT EXISTS ON t (c) USING 'StorageAttachedIndex';
         CREATE MATERIALIZED VIEW v AS SELECT a, c FROM t WHERE c IS NOT NULL AND a = 5 AND b IS NOT NULL AND w IS NOT NULL
            PRIMARY KEY (c, b, a) WITH CLUSTERING ORDER BY (b ASC, a DESC);
         ALTER TABLE t ADD (e map<text, frozen<list<int>>>, \"F\" vector<float, 3>);
         ALTER TABLE t ADD g int; ALTER TABLE t ADD IF NOT EXISTS g int; ALTER TABLE t DROP (g, s) USING TIMESTAMP 5;
         ALTER TABLE t RENAME b TO bb; ALTER TABLE t WITH gc_grace_seconds = 5 AND comment = 'later';
         ALTER MATERIALIZED VIEW v WITH comment = 'v';
         CREATE TABLE IF NOT EXISTS t (other int PRIMARY KEY); CREATE TABLE gone (a int PRIMARY KEY); DROP TABLE gone;
         DROP TABLE IF EXISTS never.seen; ALTER KEYSPACE k WITH durable_writes = 'no'",
    );
    assert_eq!(schema.keyspaces.keys().collect::<Vec<_>>(), ["k"]);
    let keyspace = &schema.keyspaces["k"];
    assert_eq!(keyspace.durable_writes, Some(false));
    let fields: Vec<&str> = keyspace.types["address"].fields.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(fields, ["street", "postcode", "town"]);
    assert_eq!(keyspace.tables.keys().collect::<Vec<_>>(), ["t"]);
    let table = table(&schema, "k", "t");
    assert_eq!(table.columns.keys().collect::<Vec<_>>(), ["F", "a", "bb", "c", "d", "e", "w"]);
    assert_eq!(table.dropped.keys().collect::<Vec<_>>(), ["g", "s"]);
    assert_eq!(table.clustering[0].column, "bb");
    assert!(table.clustering[0].descending);
    assert_eq!(table.options["comment"], OptionValue::Text("later".to_owned()));
    assert_eq!(table.indexes.keys().collect::<Vec<_>>(), ["local", "t_c_idx", "t_c_idx_1"]);
    assert_eq!(table.indexes["local"].local, ["a"]);
    assert_eq!(table.indexes["t_c_idx_1"].using.as_deref(), Some("sai"));
    let view = &table.views["v"];
    assert_eq!(view.filter, ["a = 5", "w IS NOT NULL"]);
    assert_eq!(view.columns.as_deref().unwrap(), ["a", "c"]);
    assert_eq!(view.clustering.iter().map(|key| key.column.as_str()).collect::<Vec<_>>(), ["bb", "a"]);
}

#[test]
fn a_view_that_names_no_order_has_that_of_its_table() {
    let view = |order: &str| {
        let text = format!(
            "CREATE TABLE k.t (a int, b int, c int, d int, PRIMARY KEY (a, b, c)) WITH CLUSTERING ORDER BY (b DESC, c ASC);
             CREATE MATERIALIZED VIEW k.v AS SELECT * FROM k.t WHERE a IS NOT NULL AND b IS NOT NULL AND c IS NOT NULL
                AND d IS NOT NULL PRIMARY KEY (d, b, c, a) {order};"
        );
        let view = table(&good(&text), "k", "t").views["v"].clone();
        view.clustering.iter().map(|key| key.descending).collect::<Vec<_>>()
    };
    assert_eq!(view(""), [true, false, false]);
    assert_eq!(view("WITH CLUSTERING ORDER BY (b ASC, c DESC, a ASC)"), [false, true, false]);
}

#[test]
fn several_files_are_one_history() {
    let create = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}; USE k;
                  CREATE TABLE t (a int PRIMARY KEY);";
    let (schema, told) = history(&[create, "ALTER TABLE k.t ADD b int;"]);
    assert_eq!(told, Vec::<String>::new());
    let schema = schema.unwrap();
    assert_eq!(table(&schema, "k", "t").columns.len(), 2);
    // USE ends with its file.
    let (schema_without, told) = history(&[create, "ALTER TABLE t ADD b int;"]);
    assert_eq!((schema_without, told), (None, vec!["1:13 there is no table `t`".to_owned()]));

    let mut sources = SourceMap::default();
    let file = sources.add("0002.cql", "ALTER TABLE k.t DROP b;");
    let after = apply(&sources, &[file], None, schema, &mut Sink::default()).unwrap();
    assert_eq!(table(&after, "k", "t").dropped.keys().collect::<Vec<_>>(), ["b"]);
}

#[test]
fn what_is_no_schema_is_skipped_and_said() {
    let (schema, told) = history(&["CREATE TABLE k.t (a int PRIMARY KEY);
BEGIN UNLOGGED BATCH INSERT INTO k.t (a) VALUES (1); DELETE FROM k.t WHERE a = 1; APPLY BATCH;
INSERT INTO k.t (a) VALUES ('; CREATE TABLE x');
CONSISTENCY QUORUM
COPY k.t TO 'x.csv';
SELECT * FROM k.t;"]);
    assert_eq!(table(&schema.unwrap(), "k", "t").columns.len(), 1);
    let expected = ["2:1 BEGIN BATCH", "3:1 INSERT", "4:1 CONSISTENCY", "5:1 COPY", "6:1 SELECT"];
    assert_eq!(told, expected.map(|what| format!("{what} is not part of a schema: skipped")));
    let (_, told) = history(&["SOURCE 'types.cql';\nCREATE TABLE k.t (a int PRIMARY KEY);"]);
    let help = "put both files into one folder, and give the folder: they are one history";
    assert_eq!(told, [format!("1:1 the file that `SOURCE` names is not read; {help}")]);
}

#[test]
fn functions_and_roles_are_carried_along_in_one_spelling() {
    let (schema, told) =
        history(&["USE k; create or replace function Plus (x int, y frozen<list<int>>) called on null input RETURNS int
         LANGUAGE java AS $$return x + '1';$$;
         CREATE AGGREGATE total(int) SFUNC plus STYPE int INITCOND 0;
         CREATE FUNCTION gone(x int) RETURNS NULL ON NULL INPUT RETURNS int LANGUAGE java AS 'x'; DROP FUNCTION gone;
         CREATE TABLE t (a int PRIMARY KEY); CREATE TRIGGER \"T\" ON k.t USING 'org.Trigger';
         CREATE ROLE IF NOT EXISTS reader WITH LOGIN = true; ALTER ROLE reader WITH SUPERUSER = false;
         GRANT SELECT ON KEYSPACE k TO reader; GRANT modify ON k.t TO reader; REVOKE MODIFY ON k.t FROM reader;"]);
    let schema = schema.unwrap();
    assert_eq!(told[0], "6:10 `role reader` is carried along, and not compared");
    let shown = |extra: &std::collections::BTreeMap<String, String>| -> Vec<String> {
        extra.iter().map(|(subject, text)| format!("{subject}: {text}")).collect()
    };
    let expected = [
        "aggregate total(int): CREATE AGGREGATE k.total(int) SFUNC plus STYPE int INITCOND 0",
        "function plus(int, frozen<list<int>>): CREATE FUNCTION k.plus(x int, y frozen<list<int>>) CALLED ON NULL INPUT \
         RETURNS int LANGUAGE java AS 'return x + ''1'';'",
        "trigger T on t: CREATE TRIGGER \"T\" ON k.t USING 'org.Trigger'",
    ];
    assert_eq!(shown(&schema.keyspaces["k"].extra), expected);
    let expected = [
        "grant select on keyspace k to reader: GRANT select ON KEYSPACE k TO reader",
        "role reader: CREATE ROLE reader WITH LOGIN = true",
        "role reader (altered): ALTER ROLE reader WITH SUPERUSER = false",
    ];
    assert_eq!(shown(&schema.extra), expected);
}

#[test]
fn a_password_goes_nowhere() {
    let (schema, told) = history(&["CREATE ROLE a WITH PASSWORD = 'secret' AND LOGIN = true;
CREATE ROLE b WITH LOGIN = true AND HASHED PASSWORD = 'secret';
CREATE ROLE c WITH PASSWORD = $$secret$$;
CREATE USER d WITH PASSWORD 'secret' NOSUPERUSER;
CREATE ROLE e WITH SALTED HASH = 'secret' AND SUPERUSER = false;
ALTER ROLE a WITH PASSWORD = 'secret';
ALTER ROLE b WITH PASSWORD = 'secret' AND LOGIN = false;
CREATE ROLE f WITH GENERATED PASSWORD AND LOGIN = true;"]);
    let texts: Vec<String> = schema.unwrap().extra.into_values().collect();
    let expected = [
        "CREATE ROLE a WITH LOGIN = true",
        "CREATE ROLE b WITH LOGIN = true",
        "ALTER ROLE b WITH LOGIN = false",
        "CREATE ROLE c",
        "CREATE ROLE e WITH SUPERUSER = false",
        "CREATE ROLE f WITH generated password AND LOGIN = true",
        "CREATE USER d NOSUPERUSER",
    ];
    assert_eq!(texts.iter().map(|text| text.to_lowercase()).collect::<Vec<_>>(), expected.map(str::to_lowercase));
    assert!(!told.concat().contains("secret"), "{told:?}");
    assert_eq!(told[0], "1:20 `role a` is carried along without its password, and not compared");
    assert_eq!(told[5], "6:1 ALTER ROLE is not part of a schema: skipped");
    assert_eq!(told[7], "8:1 `role f` is carried along, and not compared");
}

#[test]
fn tags_and_custom_properties_are_changed_one_by_one() {
    let schema = good(
        "CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'} AND tags = {'a': '1'};
         ALTER KEYSPACE k ADD TAGS {'b': '2'}; ALTER KEYSPACE k DROP TAGS {'a': '1'};
         CREATE TABLE k.t (id int PRIMARY KEY) WITH CUSTOM_PROPERTIES = {'ttl': {'status': 'enabled'}};
         ALTER TABLE k.t ADD tags text; ALTER TABLE k.t ADD TAGS{'team': 'x', 'cost': 'y'}; ALTER TABLE k.t DROP TAGS {'cost': 'y'};
         ALTER TABLE k.t WITH custom_properties = {'point_in_time_recovery': {'status': 'enabled'}};",
    );
    assert_eq!(schema.keyspaces["k"].options["tags"].to_string(), "{'b': '2'}");
    let table = table(&schema, "k", "t");
    assert!(table.columns.contains_key("tags"));
    assert_eq!(table.options["tags"].to_string(), "{'team': 'x'}");
    let expected = "{'point_in_time_recovery': {'status': 'enabled'}, 'ttl': {'status': 'enabled'}}";
    assert_eq!(table.options["custom_properties"].to_string(), expected);
}

#[test]
fn scylla_takes_durable_writes_that_are_left_out_for_true() {
    let mut sources = SourceMap::default();
    let text = "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1} AND durable_writes = false;
                ALTER KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2};";
    let file = sources.add("schema.cql", text);
    for (engine, expected) in [(None, Some(false)), (Some(Engine::Cassandra50), Some(false)), (Some(Engine::Scylla20251), None)] {
        let schema = apply(&sources, &[file], engine, Schema::default(), &mut Sink::default()).unwrap();
        assert_eq!(schema.keyspaces["k"].durable_writes, expected);
    }
}

#[test]
fn properties_know_their_place() {
    let mut sources = SourceMap::default();
    let text = "CREATE TABLE k.t (\n  id int PRIMARY KEY,\n  email text\n) WITH comment = 'x' AND gc_grace_seconds = 1;\nALTER TABLE k.t WITH comment = 'y';";
    let file = sources.add("a.cql", text);
    let schema = read(&sources, &[file], &mut Sink::default()).unwrap();
    let about = &table(&schema, "k", "t").about;
    let line = |path: &str| sources.position(about.place(path).unwrap()).line;
    let lines = ["columns.email", "partition_key", "options.gc_grace_seconds", "options.comment"].map(line);
    assert_eq!(lines, [3, 2, 4, 5]);
    assert_eq!(sources.snippet(about.span.unwrap()), "CREATE TABLE k.t");
}

#[test]
fn real_text_with_all_its_habits_is_read() {
    let text = "\u{feff}/*\r\n * ; -- CREATE TABLE x\r\n */\r\nCREATE KEYSPACE IF NOT EXISTS spans\r\n  WITH replication = {'class': \
                'SimpleStrategy', 'replication_factor': '1'};\r\nCREATE TYPE IF NOT EXISTS spans.peer (\r\n    unit text, // comment, with\r\n    v4 inet,\r\n);\r\n\
                CREATE TABLE IF NOT EXISTS spans.span (trace text, at timeuuid, id text, p Peer, tags map<text,text>, default boolean, PRIMARY KEY (trace, at, id)\r\n)\
                WITH CLUSTERING ORDER BY (at DESC) AND read_repair_chance = 0 AND speculative_retry = '95percentile';--end";
    let schema = good(text);
    let span = table(&schema, "spans", "span");
    assert_eq!(span.columns["p"].kind.to_string(), "peer");
    assert_eq!(span.clustering.iter().map(|key| key.descending).collect::<Vec<_>>(), [true, false]);
    assert!(span.columns.contains_key("default"));
    let keyspaces = good(
        "CREATE TABLE t (a int PRIMARY KEY) WITH CUSTOM_PROPERTIES = {'capacity_mode': {'throughput_mode': 'PAY_PER_REQUEST'}, 'x': 1};",
    );
    let written = table(&keyspaces, "", "t").options["custom_properties"].to_string();
    assert_eq!(written, "{'capacity_mode': {'throughput_mode': 'PAY_PER_REQUEST'}, 'x': 1}");
    let racks = good(
        "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': ['r1','r2']} AND tablets = {'enabled': true};",
    );
    assert_eq!(racks.keyspaces["k"].replication["dc1"], "['r1', 'r2']");
}
