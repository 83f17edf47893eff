//! Views that one engine makes and another refuses, by what they select and in which order.

use super::refused::one;
use crate::diagnostic::Sink;
use crate::read::cql::apply;
use crate::schema::cql::Schema;
use crate::schema::{Backend, Engine};
use crate::source::SourceMap;

const CASSANDRA: [Backend; 3] =
    [Backend::Cql(Engine::Cassandra40), Backend::Cql(Engine::Cassandra41), Backend::Cql(Engine::Cassandra50)];
const SCYLLA: Backend = Backend::Cql(Engine::Scylla20251);

const TABLE: &str = "CREATE TABLE t (a int, b int, c int, d int, e text, PRIMARY KEY (a, b)) WITH CLUSTERING ORDER BY (b DESC);
    CREATE TABLE u (a int PRIMARY KEY, c int);";

#[test]
fn a_view_is_judged_by_what_it_selects() {
    let refused = "mv-create unsupported/refuses";
    let made = "mv-create indexbuild/applies";
    let not_null = "a IS NOT NULL AND b IS NOT NULL";
    for (view, cassandra, scylla) in [
        // A value of the view's own new key column: only ScyllaDB takes that.
        (format!("SELECT * FROM t WHERE {not_null} AND c = 1 PRIMARY KEY (c, a, b)"), refused, made),
        (format!("SELECT * FROM t WHERE {not_null} AND c IS NOT NULL AND c > 1 PRIMARY KEY (a, c, b)"), refused, made),
        (format!("SELECT * FROM t WHERE {not_null} AND c IS NOT NULL AND d = 1 PRIMARY KEY (c, a, b)"), refused, refused),
        (format!("SELECT * FROM t WHERE {not_null} AND d = 1 PRIMARY KEY (b, a)"), refused, refused),
        (format!("SELECT * FROM t WHERE {not_null} AND d IS NOT NULL PRIMARY KEY (b, a)"), made, made),
        ("SELECT * FROM t WHERE a = 1 AND b > 2 PRIMARY KEY (b, a)".to_owned(), made, made),
        ("SELECT * FROM t WHERE a IN (1, 2) AND b IS NOT NULL PRIMARY KEY (b, a)".to_owned(), made, made),
        // What the key needs and the selection lacks.
        (format!("SELECT a, b FROM t WHERE {not_null} AND c IS NOT NULL PRIMARY KEY (c, a, b)"), refused, made),
        (format!("SELECT c FROM t WHERE {not_null} AND c IS NOT NULL PRIMARY KEY (c, a, b)"), refused, made),
        ("SELECT * FROM u WHERE c IS NOT NULL PRIMARY KEY (c, a)".to_owned(), refused, made),
        // The order.
        (format!("SELECT * FROM t WHERE {not_null} PRIMARY KEY (a, b) WITH CLUSTERING ORDER BY (b ASC)"), made, made),
        (
            format!("SELECT * FROM t WHERE {not_null} AND c IS NOT NULL PRIMARY KEY (c, a, b) WITH CLUSTERING ORDER BY (a DESC)"),
            refused,
            made,
        ),
        (
            format!("SELECT * FROM t WHERE {not_null} AND c IS NOT NULL PRIMARY KEY (c, a, b) WITH CLUSTERING ORDER BY (b DESC)"),
            refused,
            made,
        ),
        (
            format!(
                "SELECT * FROM t WHERE {not_null} AND c IS NOT NULL PRIMARY KEY (c, a, b) WITH CLUSTERING ORDER BY (b ASC, a ASC)"
            ),
            refused,
            made,
        ),
        (format!("SELECT * FROM t WHERE {not_null} PRIMARY KEY (b, a) WITH COMPACT STORAGE"), refused, refused),
    ] {
        let next = format!("{TABLE} CREATE MATERIALIZED VIEW v AS {view};");
        for backend in CASSANDRA {
            assert_eq!(one(TABLE, &next, backend), cassandra, "{view} on {backend}");
        }
        assert_eq!(one(TABLE, &next, SCYLLA), scylla, "{view} on {SCYLLA}");
    }
    // Only ScyllaDB has it.
    let synchronous = format!(
        "{TABLE} CREATE MATERIALIZED VIEW v AS SELECT * FROM t WHERE {not_null} PRIMARY KEY (b, a) WITH synchronous_updates = true;"
    );
    for backend in CASSANDRA {
        assert_eq!(one(TABLE, &synchronous, backend), "opt-sync-updates unsupported/refuses");
    }
    assert_eq!(one(TABLE, &synchronous, SCYLLA), made);
    // Of these ScyllaDB's way is not known here.
    for relation in ["b != 1", "b LIKE 1"] {
        let next = format!(
            "{TABLE} CREATE MATERIALIZED VIEW v AS SELECT * FROM t WHERE a IS NOT NULL AND {relation} PRIMARY KEY (b, a);"
        );
        for backend in CASSANDRA {
            assert_eq!(one(TABLE, &next, backend), refused, "{relation}");
        }
    }
}

#[test]
fn a_view_that_says_nothing_of_its_order_has_that_of_its_engine() {
    let view = |engine: Option<Engine>, order: &str| {
        let mut sources = SourceMap::default();
        let text = format!(
            "CREATE TABLE k.t (a int, b int, c int, PRIMARY KEY (a, b, c)) WITH CLUSTERING ORDER BY (b DESC, c DESC);
             CREATE MATERIALIZED VIEW k.v AS SELECT * FROM k.t WHERE b IS NOT NULL AND a IS NOT NULL AND c IS NOT NULL
             PRIMARY KEY (a, c, b){order};"
        );
        let file = sources.add("a.cql", text);
        let schema = apply(&sources, &[file], engine, Schema::default(), &mut Sink::default()).unwrap();
        let view = schema.keyspaces["k"].tables["t"].views["v"].clone();
        view.clustering.iter().map(|key| (key.column.clone(), key.descending)).collect::<Vec<_>>()
    };
    let both = |c: bool, b: bool| vec![("c".to_owned(), c), ("b".to_owned(), b)];
    for (engine, order, expected) in [
        (Some(Engine::Cassandra50), "", both(true, true)),
        (Some(Engine::Scylla20251), "", both(false, false)),
        (None, "", both(true, true)),
        (Some(Engine::Scylla20261), " WITH CLUSTERING ORDER BY (b DESC)", both(false, true)),
        (None, " WITH CLUSTERING ORDER BY (b ASC, c DESC)", both(true, false)),
    ] {
        assert_eq!(view(engine, order), expected, "{engine:?}{order}");
    }
}
