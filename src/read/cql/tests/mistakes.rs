//! What is said of text that is not read, and where.

use super::{bad, fixture, history};
use crate::diagnostic::Sink;
use crate::read::cql::apply;
use crate::schema::Engine;
use crate::schema::cql::Schema;
use crate::source::SourceMap;

#[test]
fn one_bad_statement_does_not_hide_the_next() {
    let told = bad("CREATE TABLE k.a (x int PRIMARY KY);
CREATE TABLE k.b (x int PRIMARY KEY)
CREATE TABLE k.c (x int, order int, PRIMARY KEY (x));
CREATE TABLE k.d (x int);
ALTER TABLE k.d ADD y int;
FOO BAR;
CREATE INDEX ON k.b (x;
CREATE TABLE k.e (x lst<int> PRIMARY KEY);");
    let expected = [
        "1:33 expected KEY, found `KY`",
        "3:1 expected `;`, found `CREATE`",
        "3:26 expected the name of a column, found `order`",
        "4:18 the table `d` has no PRIMARY KEY",
        "5:15 there is no table `d`",
        "6:1 expected a statement, found `FOO`",
        "7:23 expected `)`, found `;`",
        "8:21 `lst<int>` is not a CQL type",
    ];
    assert_eq!(told, expected);
}

#[test]
fn every_mistake_has_its_place_and_its_reason() {
    let keyspace = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}; USE k;\n";
    let table = "CREATE TABLE t (a int, b int, c list<int>, PRIMARY KEY (a, b));\n";
    for (text, expected) in [
        ("CREATE TABLE u (a txt PRIMARY KEY)", "there is no type `txt`; did you mean `text`?"),
        ("CREATE TABLE u (a int, A int, PRIMARY KEY (a))", "the column `a` is there twice"),
        ("CREATE TABLE u (a int, PRIMARY KEY (a, aa))", "there is no column `aa`; did you mean `a`?"),
        ("CREATE TABLE u (a int, PRIMARY KEY (a, a))", "the column `a` is in the key twice"),
        ("CREATE TABLE u (a int PRIMARY KEY, b int PRIMARY KEY)", "the table `u` has two primary keys"),
        ("CREATE TABLE t (a int PRIMARY KEY)", "the table `t` exists already"),
        (
            "CREATE TABLE u (a int, b int, PRIMARY KEY (a, b)) WITH CLUSTERING ORDER BY (a ASC)",
            "CLUSTERING ORDER must name the clustering columns in the order of the key",
        ),
        ("CREATE TABLE u (a int PRIMARY KEY) WITH comment = 'x' AND comment = 'y'", "`comment` is given twice"),
        (
            "CREATE TABLE u (a int PRIMARY KEY) WITH comment = null",
            "expected a string, a number, true, false or a map, found `null`",
        ),
        ("CREATE TABLE u (a int PRIMARY KEY) WITH comment = 'x', gc_grace_seconds = 1", "expected `;`, found `,`"),
        ("ALTER TABLE t DROP b", "`b` is part of the primary key and cannot be dropped"),
        (
            "ALTER TABLE t ADD d int, e int",
            "expected `;`, found `,`; several columns stand in brackets: `ADD (a int, b int)`, `DROP (a, b)`",
        ),
        ("ALTER TABLE t RENAME c TO d", "`c` is not part of the primary key and cannot be renamed"),
        ("ALTER TABLE t WITH CLUSTERING ORDER BY (b DESC)", "the clustering order of a table cannot be changed"),
        ("ALTER TABLE tt ADD d int", "there is no table `tt`; did you mean `t`?"),
        ("CREATE INDEX ON t (total)", "there is no column `total`"),
        ("CREATE INDEX ON t (a, b)", "an index has one column, unless it is of a class"),
        ("CREATE INDEX i ON t (b); CREATE INDEX j ON t (b)", "the index `i` is the same"),
        ("CREATE INDEX i ON t (c); ALTER TABLE t DROP c", "`c` cannot be dropped while the index `i` is on it"),
        (
            "CREATE MATERIALIZED VIEW v AS SELECT * FROM t WHERE a IS NOT NULL PRIMARY KEY (a, b)",
            "`b` is in the key of the view: it must be restricted, IS NOT NULL at least",
        ),
        (
            "CREATE MATERIALIZED VIEW v AS SELECT * FROM t WHERE a IS NOT NULL AND b IS NOT NULL PRIMARY KEY (a, b); DROP TABLE t",
            "the table `t` cannot go while the view `v` is on it",
        ),
        (
            "CREATE TYPE u (a int); CREATE TABLE x (a frozen<u> PRIMARY KEY); DROP TYPE u",
            "the type `u` is in use by the table `x`",
        ),
        ("CREATE KEYSPACE l WITH durable_writes = true", "the keyspace `l` has no replication"),
        (
            "CREATE TABLE ${keyspace}.t (a int PRIMARY KEY)",
            "`${keyspace}` is a placeholder of a template, not CQL; render the template first, and read what it gives",
        ),
        ("CREATE TABLE u (a int PRIMARY KEY", "expected `,` or `)`, found `;`"),
        ("CREATE TABLE \"\" (a int PRIMARY KEY)", "an empty name for the name of a table"),
        (
            "CREATE TABLE u (a text PRIMARY KEY) WITH comment = 'open",
            "quotes that are never closed; close it with `'`; inside, a doubled quote stands for one",
        ),
    ] {
        let told = bad(&format!("{keyspace}{table}{text};"));
        assert!(told.iter().any(|line| line.split_once(' ').unwrap().1 == expected), "{text}\n{told:#?}");
        assert!(told.iter().all(|line| line.starts_with("3:")), "{told:?}");
    }
}

#[test]
fn no_text_makes_it_panic() {
    let seed = fixture("shop.5.0.9.original.cql") + &fixture("history.5.0.9.describe-internals.cql");
    let characters: Vec<(usize, char)> = seed.char_indices().collect();
    for step in (0..characters.len()).step_by(7) {
        let (at, _) = characters[step];
        history(&[&seed[..at]]);
        for noise in ["'", "(", "\"", "<", ";", "$$", "/*", "ü"] {
            history(&[&format!("{}{noise}{}", &seed[..at.min(400)], &seed[at..(at + 60).min(seed.len())])]);
        }
    }
    history(&[&"(".repeat(100_000), &format!("CREATE TABLE t (a {}", "list<".repeat(100_000))]);
    history(&[&format!("CREATE TABLE t (a int PRIMARY KEY) WITH x = {}", "{'a':".repeat(100_000))]);
}

#[test]
fn a_conflict_of_a_merge_is_all_that_is_told() {
    let ours = "ALTER TABLE k.t ADD a int;";
    let text = format!("<<<<<<< HEAD\n{ours}\n=======\n{ours}\n>>>>>>> theirs\n");
    let help = "keep the lines of both sides that are meant, and take the markers out";
    assert_eq!(bad(&text), [format!("1:1 the markers of a merge conflict stand here; {help}")]);
}

#[test]
fn per_row_ttl_is_refused_by_its_name() {
    for text in [
        "CREATE TABLE k.t (id int PRIMARY KEY, expires bigint TTL);",
        "CREATE TABLE k.t (id int PRIMARY KEY);\nALTER TABLE k.t TTL NULL;",
        "CREATE TABLE k.t (id int PRIMARY KEY);\nALTER TABLE k.t ADD expires timestamp TTL;",
    ] {
        let mut sources = SourceMap::default();
        let file = sources.add("schema.cql", text);
        let mut sink = Sink::default();
        assert!(apply(&sources, &[file], None, Schema::default(), &mut sink).is_none(), "{text}");
        let [said] = sink.diagnostics() else { panic!("{text}: {:?}", sink.diagnostics()) };
        assert_eq!((said.code.slug(), said.message.as_str()), ("bad-cql", "`TTL` of a column, per-row TTL, is not read"));
        assert_eq!(sources.snippet(said.primary.as_ref().unwrap().span), "TTL");
    }
    // It is a name elsewhere.
    let mut sources = SourceMap::default();
    let file = sources.add("schema.cql", "CREATE TABLE k.t (id int PRIMARY KEY, ttl bigint);");
    assert!(apply(&sources, &[file], None, Schema::default(), &mut Sink::default()).is_some());
}

#[test]
fn a_condition_of_an_alter_is_told_to_an_engine_that_does_not_know_it() {
    let table = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
        CREATE TYPE k.u (x int); CREATE TABLE k.t (a int PRIMARY KEY, b int, \"if\" int);
        CREATE MATERIALIZED VIEW k.v AS SELECT a FROM k.t WHERE a IS NOT NULL PRIMARY KEY (a);\n";
    let read = |statement: &str, engine| {
        let mut sources = SourceMap::default();
        let file = sources.add("a.cql", format!("{table}{statement};"));
        let mut sink = Sink::default();
        let schema = apply(&sources, &[file], engine, Schema::default(), &mut sink);
        let told: Vec<String> = sink.diagnostics().iter().map(|told| format!("{} {:?}", told.message, told.notes)).collect();
        (schema.is_some(), told)
    };
    for statement in [
        "ALTER TABLE IF EXISTS k.t ADD c int",
        "ALTER TABLE k.t ADD IF NOT EXISTS c int",
        "ALTER TABLE k.t DROP IF EXISTS c",
        "ALTER TABLE k.t RENAME IF EXISTS a TO z",
        "ALTER KEYSPACE IF EXISTS k WITH durable_writes = true",
        "ALTER TYPE IF EXISTS k.u ADD y int",
        "ALTER TYPE k.u ADD IF NOT EXISTS y int",
        "ALTER MATERIALIZED VIEW IF EXISTS k.v WITH comment = 'x'",
    ] {
        for engine in [None, Some(Engine::Cassandra41), Some(Engine::Cassandra50)] {
            assert_eq!(read(statement, engine), (true, Vec::new()), "{statement} on {engine:?}");
        }
        for (engine, word) in [(Engine::Cassandra40, "4.1"), (Engine::Scylla20251, "ScyllaDB")] {
            let (is_read, told) = read(statement, Some(engine));
            assert!(!is_read && told.len() == 1, "{statement} on {engine}: {told:?}");
            assert!(told[0].contains(&engine.to_string()) && told[0].contains(word), "{told:?}");
        }
    }
    for statement in [
        "DROP TABLE IF EXISTS k.w",
        "CREATE TABLE IF NOT EXISTS k.t (a int PRIMARY KEY)",
        "ALTER TABLE k.t DROP \"if\"",
        "ALTER TABLE k.t WITH comment = 'IF EXISTS'",
    ] {
        assert_eq!(read(statement, Some(Engine::Cassandra40)), (true, Vec::new()), "{statement}");
    }
}
