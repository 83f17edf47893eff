//! Layouts, dimensions, masks and names of tables.

use super::{CASSANDRA, CASSANDRA_4, KEYSPACES, SCYLLA, one};
use crate::schema::{Backend, Engine, Schema};

const SCYLLA_2026: Backend = Backend::Cql(Engine::Scylla20261);

#[test]
fn compact_storage_holds_what_it_can() {
    let types = "CREATE TYPE u (a int);";
    let refused = "def-compact unsupported/refuses";
    let made = "tbl-create inplace/applies";
    for (columns, backend, expected) in [
        ("p int PRIMARY KEY", CASSANDRA, refused),
        ("p int PRIMARY KEY, c int, d int", CASSANDRA, made),
        ("p int, c int, PRIMARY KEY (p, c)", CASSANDRA, made),
        ("p int, c int, d int, PRIMARY KEY (p, c)", CASSANDRA_4, made),
        ("p int, c int, d int, e int, PRIMARY KEY (p, c)", CASSANDRA_4, refused),
        ("p int, c int, d int STATIC, PRIMARY KEY (p, c)", CASSANDRA, refused),
        ("p int PRIMARY KEY, c list<int>", CASSANDRA, refused),
        ("p int PRIMARY KEY, c frozen<list<int>>", CASSANDRA, made),
        ("p int PRIMARY KEY, c u", CASSANDRA, refused),
        ("p int PRIMARY KEY, c int", SCYLLA, refused),
        ("p int PRIMARY KEY, c int", SCYLLA_2026, refused),
    ] {
        let next = format!("{types} CREATE TABLE t ({columns}) WITH COMPACT STORAGE;");
        assert_eq!(one(types, &next, backend), expected, "{columns} on {backend}");
    }
    let table = "CREATE TABLE t (p int, c int, d int, PRIMARY KEY (p, c)) WITH COMPACT STORAGE;";
    for column in ["c", "d"] {
        let next = format!("{table} CREATE INDEX i ON t ({column});");
        assert_eq!(one(table, &next, CASSANDRA), "idx-add-2i unsupported/refuses", "{column}");
    }
}

#[test]
fn a_vector_has_a_dimension() {
    let table = |size: u8| format!("CREATE TABLE t (p int PRIMARY KEY, v vector<float, {size}>);");
    for (backend, none, some) in [
        (CASSANDRA, "def-vector unsupported/refuses", "tbl-create inplace/applies"),
        (SCYLLA_2026, "def-vector unsupported/refuses", "tbl-create inplace/applies"),
        (CASSANDRA_4, "def-type unsupported/refuses", "def-type unsupported/refuses"),
    ] {
        assert_eq!([one("", &table(0), backend), one("", &table(3), backend)], [none, some], "{backend}");
    }
}

#[test]
fn a_mask_is_of_one_release() {
    let table = |mask: &str| format!("CREATE TABLE t (p int PRIMARY KEY, c text{mask});");
    let mask = " MASKED WITH DEFAULT";
    for (backend, made, altered) in [
        (CASSANDRA, "tbl-create inplace/applies", "opt-mask inplace/applies"),
        (CASSANDRA_4, "opt-mask unsupported/refuses", "opt-mask unsupported/refuses"),
        (SCYLLA, "opt-mask unsupported/refuses", "opt-mask unsupported/refuses"),
        (KEYSPACES, "opt-mask unsupported/refuses", "opt-mask unsupported/refuses"),
    ] {
        assert_eq!(one("", &table(mask), backend), made, "{backend}");
        assert_eq!(one(&table(""), &table(mask), backend), altered, "{backend}");
        let added = one("CREATE TABLE t (p int PRIMARY KEY);", &table(mask), backend);
        assert_eq!(added.ends_with("refuses"), altered.ends_with("refuses"), "{backend}: {added}");
    }
}

#[test]
fn names_are_as_long_as_an_engine_takes_them() {
    for (length, backend, is_taken) in [
        (48, SCYLLA, true),
        (49, SCYLLA, false),
        (49, KEYSPACES, false),
        (192, SCYLLA_2026, true),
        (193, SCYLLA_2026, false),
        (222, CASSANDRA, true),
        (223, CASSANDRA, false),
        (223, CASSANDRA_4, false),
    ] {
        let name = "a".repeat(length);
        let table = one("", &format!("CREATE TABLE {name} (p int PRIMARY KEY);"), backend);
        assert_eq!(
            table,
            if is_taken { "tbl-create inplace/applies" } else { "def-name unsupported/refuses" },
            "{length} on {backend}"
        );
        if backend != KEYSPACES {
            let base = "CREATE TABLE t (p int PRIMARY KEY, v int);";
            let view = format!(
                "CREATE MATERIALIZED VIEW {name} AS SELECT * FROM t WHERE p IS NOT NULL AND v IS NOT NULL PRIMARY KEY (v, p);"
            );
            let view = one(base, &format!("{base}{view}"), backend);
            assert_eq!(view.starts_with("def-name"), !is_taken, "{length} on {backend}: {view}");
        }
    }
}

#[test]
fn a_type_that_a_function_has_is_not_dropped() {
    let types = "CREATE TYPE inner (a int); CREATE TYPE outer (i frozen<inner>);";
    let function =
        |of: &str| format!("CREATE FUNCTION f (v {of}) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'return 1;';");
    let returns = "CREATE FUNCTION f (v int) CALLED ON NULL INPUT RETURNS outer LANGUAGE java AS 'return null;';";
    let aggregate = "CREATE AGGREGATE g(int) SFUNC s STYPE outer;";
    for (rest, is_used) in [
        (function("outer"), true),
        (function("list<frozen<outer>>"), true),
        (returns.to_owned(), true),
        (aggregate.to_owned(), true),
        (function("inner"), false),
        (function("text"), false),
    ] {
        let expected = if is_used { "udt-drop inplace/refuses" } else { "udt-drop inplace/applies" };
        for backend in [CASSANDRA_4, CASSANDRA, SCYLLA_2026] {
            let next = format!("CREATE TYPE inner (a int); {rest}");
            let told = one(&format!("{types}{rest}"), &next, backend);
            assert_eq!(told.split('/').next_back(), expected.split('/').next_back(), "{rest} on {backend}: {told}");
        }
    }
}

#[test]
fn columns_of_compact_tables_stay_as_they_are() {
    let table = |columns: &str, rest: &str| format!("CREATE TABLE t ({columns}) WITH COMPACT STORAGE{rest};");
    let refused = "def-compact unsupported/refuses";
    for (previous, next, told) in [
        ("p int PRIMARY KEY, c int", "p int PRIMARY KEY, c int, d int", refused),
        ("p int, c int, PRIMARY KEY (p, c)", "p int, c int, d int, PRIMARY KEY (p, c)", refused),
        ("p int, c int, d int, PRIMARY KEY (p, c)", "p int, c int, PRIMARY KEY (p, c)", refused),
        ("p int PRIMARY KEY, c int, d int", "p int PRIMARY KEY, c int", "col-drop inplace/applies/[values]"),
    ] {
        assert_eq!(one(&table(previous, ""), &table(next, ""), CASSANDRA), told, "{previous} -> {next}");
    }
}

#[test]
fn no_replicas_at_all_are_refused() {
    let keyspace = |map: &str| {
        crate::diff::tests::read("a.cql", &format!("CREATE KEYSPACE k WITH replication = {map};"), crate::read::cql::read)
    };
    let map = |factor: u32| format!("{{'class': 'NetworkTopologyStrategy', 'dc1': {factor}}}");
    let told = |previous: &Schema, next: &Schema| {
        let changes = crate::diff::tests::changes(previous, next, &[CASSANDRA]);
        changes.iter().map(|change| change.effects[&CASSANDRA].rule.unwrap_or("?")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(told(&keyspace(&map(1)), &keyspace(&map(0))), "def-replication");
    assert_eq!(told(&Schema::from(crate::schema::cql::Schema::default()), &keyspace(&map(0))), "def-replication");
}
