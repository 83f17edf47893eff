//! What migrations do, on pairs of schemas written in CQL.

use super::migrate;
use crate::diagnostic::Sink;
use crate::diff::Pair;
use crate::emit::{Project, Templates};
use crate::read::cql::read;
use crate::schema::Engine;
use crate::schema::cql::Schema;
use crate::source::SourceMap;
use std::collections::BTreeMap;

fn schema(text: &str) -> Schema {
    let keyspace = "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};";
    let mut sources = SourceMap::default();
    let file = sources.add("a.cql", format!("{keyspace}{text}"));
    let mut sink = Sink::default();
    read(&sources, &[file], &mut sink).unwrap_or_else(|| panic!("{:#?}", sink.diagnostics()))
}

/// The files of a migration: name and statements, without comments and line ends.
fn files(engine: Engine, previous: &str, next: &str) -> Vec<(String, Vec<String>)> {
    let (previous, next) = (schema(previous), schema(next));
    let project = Project { name: "shop".to_owned(), environment: None, description: None };
    let pair = Pair { previous: &previous, next: &next };
    let migration = migrate(&project, engine, pair, 2, &Templates::default()).unwrap();
    let statements = |text: &str| {
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("--")).map(str::trim).collect();
        lines.join(" ").split(';').map(|statement| statement.trim().to_owned()).filter(|text| !text.is_empty()).collect()
    };
    let files = migration.files.iter();
    files.map(|file| (file.artifact.path.file_name().unwrap().to_owned(), statements(&file.artifact.text))).collect()
}

fn one(engine: Engine, previous: &str, next: &str) -> (String, Vec<String>) {
    let mut files = files(engine, previous, next);
    assert_eq!(files.len(), 1, "{files:#?}");
    files.remove(0)
}

const C5: Engine = Engine::Cassandra50;

#[test]
fn columns_are_added_in_one_statement_where_that_is_possible() {
    let (before, after) =
        ("CREATE TABLE k.t (a int PRIMARY KEY)", "CREATE TABLE k.t (a int PRIMARY KEY, b text, \"C\" list<int>)");
    let (name, statements) = one(C5, before, after);
    assert_eq!(name, "0002-add-t-c.cql");
    assert_eq!(statements, ["ALTER TABLE k.t ADD (\"C\" list<int>, b text)"]);
    let (_, statements) = one(Engine::Keyspaces, before, after);
    assert_eq!(statements, ["ALTER TABLE k.t ADD \"C\" list<int>", "ALTER TABLE k.t ADD b text"]);
}

#[test]
fn nothing_changes_nothing() {
    let text = "CREATE TABLE k.t (a int PRIMARY KEY) WITH gc_grace_seconds = 864000";
    assert_eq!(files(C5, text, "CREATE TABLE k.t (a int PRIMARY KEY)"), []);
}

#[test]
fn a_dropped_column_has_a_file_of_its_own_and_views_make_way() {
    let view = "CREATE MATERIALIZED VIEW k.v AS SELECT a, b FROM k.t WHERE a IS NOT NULL AND b IS NOT NULL PRIMARY KEY (b, a);";
    let before = format!("CREATE TABLE k.t (a int PRIMARY KEY, b int, c int); {view}");
    let after = format!("CREATE TABLE k.t (a int PRIMARY KEY, b int, d int); {view}");
    let files = files(C5, &before, &after);
    assert_eq!(files[0], ("0002-add-t-d.cql".to_owned(), vec!["ALTER TABLE k.t ADD d int".to_owned()]));
    assert_eq!(files[1].0, "0003-drop-t-c.destructive.cql");
    assert_eq!(files[1].1[..2], ["DROP MATERIALIZED VIEW k.v", "ALTER TABLE k.t DROP c"]);
    assert!(files[1].1[2].starts_with("CREATE MATERIALIZED VIEW k.v AS"), "{files:#?}");
    // ScyllaDB minds only views that hold the column.
    let scylla = one_of(Engine::Scylla20251, &before, &after, "0003-drop-t-c.destructive.cql");
    assert_eq!(scylla, ["ALTER TABLE k.t DROP c"]);
}

fn one_of(engine: Engine, previous: &str, next: &str, name: &str) -> Vec<String> {
    let found = files(engine, previous, next);
    found.iter().find(|(of, _)| of == name).unwrap_or_else(|| panic!("{found:#?}")).1.clone()
}

#[test]
fn a_key_that_changes_takes_a_new_table() {
    let before = "CREATE TABLE k.t (a int, b int, PRIMARY KEY (a, b)); CREATE INDEX i ON k.t (b);";
    let after = "CREATE TABLE k.t (a int, b int, PRIMARY KEY ((a, b)));";
    let (name, statements) = one(C5, before, after);
    assert_eq!(name, "0002-recreate-t.destructive.cql");
    assert_eq!(statements, ["DROP TABLE k.t", "CREATE TABLE k.t ( a int, b int, PRIMARY KEY ((a, b)) )"]);
}

#[test]
fn key_columns_are_renamed_and_options_set_back() {
    let before =
        "CREATE TABLE k.t (a int PRIMARY KEY, b int) WITH compaction = {'class': 'LeveledCompactionStrategy'} AND comment = 'x';";
    let (name, statements) = one(C5, before, "CREATE TABLE k.t (z int PRIMARY KEY, b int);");
    assert_eq!(name, "0002-alter-t-compaction.cql");
    assert_eq!(
        statements,
        [
            "ALTER TABLE k.t RENAME a TO z",
            "ALTER TABLE k.t WITH comment = '' AND compaction = {'class': 'SizeTieredCompactionStrategy'} AND bloom_filter_fp_chance = 0.01",
        ]
    );
}

#[test]
fn a_new_class_of_index_is_built_before_the_other_goes() {
    let (before, after) = ("CREATE INDEX i ON k.t (b);", "CREATE INDEX j ON k.t (b) USING 'sai';");
    let table = "CREATE TABLE k.t (a int PRIMARY KEY, b int);";
    let (_, statements) = one(C5, &format!("{table}{before}"), &format!("{table}{after}"));
    assert_eq!(statements, ["CREATE INDEX j ON k.t (b) USING 'sai'", "DROP INDEX k.i"]);
    let (_, statements) = one(C5, &format!("{table}{before}"), &format!("{table}CREATE INDEX i ON k.t (b) USING 'sai';"));
    assert_eq!(statements, ["DROP INDEX k.i", "CREATE INDEX i ON k.t (b) USING 'sai'"]);
}

#[test]
fn types_come_before_what_uses_them_and_go_behind_it() {
    let before = "CREATE TYPE k.gone (x int); CREATE TYPE k.u (x int);
        CREATE TABLE k.t (a int PRIMARY KEY, u frozen<u>, g frozen<gone>);";
    let after = "CREATE TYPE k.u2 (y int); CREATE TYPE k.u (x int, n frozen<u2>);
        CREATE TABLE k.t (a int PRIMARY KEY, u frozen<u>, v frozen<u2>);";
    let found = files(C5, before, after);
    assert_eq!(found[0].1, ["CREATE TYPE k.u2 ( y int )", "ALTER TYPE k.u ADD n frozen<u2>", "ALTER TABLE k.t ADD v frozen<u2>"]);
    assert_eq!(
        found[1],
        ("0003-drop-t-g.destructive.cql".to_owned(), vec!["ALTER TABLE k.t DROP g".to_owned(), "DROP TYPE k.gone".to_owned()])
    );
}

#[test]
fn a_type_that_cannot_be_altered_takes_its_tables_along() {
    let before =
        "CREATE TYPE k.u (x int, y int); CREATE TYPE k.w (u frozen<u>); CREATE TABLE k.t (a int PRIMARY KEY, w frozen<w>);
        CREATE TABLE k.s (a int PRIMARY KEY);";
    let after = "CREATE TYPE k.u (x int); CREATE TYPE k.w (u frozen<u>); CREATE TABLE k.t (a int PRIMARY KEY, w frozen<w>);
        CREATE TABLE k.s (a int PRIMARY KEY);";
    let (name, statements) = one(C5, before, after);
    assert_eq!(name, "0002-recreate-u.destructive.cql");
    assert_eq!(
        statements,
        [
            "DROP TABLE k.t",
            "DROP TYPE k.w",
            "DROP TYPE k.u",
            "CREATE TYPE k.u ( x int )",
            "CREATE TYPE k.w ( u frozen<u> )",
            "CREATE TABLE k.t ( a int, w frozen<w>, PRIMARY KEY (a) )",
        ]
    );
}

#[test]
fn what_takes_a_name_waits_for_what_has_it() {
    let before =
        "CREATE TABLE k.t (a int PRIMARY KEY, b int); CREATE INDEX i ON k.t (b); CREATE TABLE k.s (a int PRIMARY KEY, b int);";
    let after = "CREATE TABLE k.s (a int PRIMARY KEY, b int); CREATE INDEX i ON k.s (b);
        CREATE MATERIALIZED VIEW k.t AS SELECT a, b FROM k.s WHERE a IS NOT NULL AND b IS NOT NULL PRIMARY KEY (b, a);";
    let found = files(C5, before, after);
    assert_eq!(found[0].0, "0002-drop-t.destructive.cql");
    assert_eq!(found[1].1.len(), 2, "{found:#?}");
}

#[test]
fn a_type_of_a_table_that_goes_first_goes_as_well() {
    let before = "CREATE TYPE k.u (x int); CREATE TABLE k.t (a int PRIMARY KEY, u frozen<u>);
        CREATE TABLE k.s (a int PRIMARY KEY, b int);";
    let after = "CREATE TABLE k.s (a int PRIMARY KEY, b int);
        CREATE MATERIALIZED VIEW k.t AS SELECT a, b FROM k.s WHERE a IS NOT NULL AND b IS NOT NULL PRIMARY KEY (b, a);";
    let found = files(C5, before, after);
    assert_eq!(found[0].1, ["DROP TABLE k.t"]);
    assert_eq!(found[1].1.last().unwrap(), "DROP TYPE k.u");
}

#[test]
fn a_change_without_a_statement_is_refused() {
    let project = Project { name: "shop".to_owned(), environment: None, description: None };
    let table = "CREATE TABLE k.t (a int PRIMARY KEY, b int);";
    let (previous, next) = (schema(table), schema(&format!("{table}CREATE INDEX i ON k.t (b);")));
    let pair = Pair { previous: &previous, next: &next };
    let problems = migrate(&project, Engine::Keyspaces, pair, 1, &Templates::default()).unwrap_err();
    assert_eq!(problems[0].code.slug(), "migration-not-possible");
    assert!(problems[0].message.starts_with("keyspaces cannot bring `cql.t.index.i` forward"), "{}", problems[0].message);
}

#[test]
fn a_template_that_loses_a_statement_makes_no_migration() {
    let mut sources = SourceMap::default();
    let name = "cql/migration.cql.j2";
    let text = "{% for step in steps %}{% if step.statement %}{% else %}{% with table = step.table %}{% include 'cql/table.cql.j2' %}{% endwith %}{% endif %}{% endfor %}";
    let overlay = BTreeMap::from([(name.to_owned(), sources.add(name, text))]);
    let templates = Templates::new(&overlay, &sources, &mut Sink::default());
    let project = Project { name: "shop".to_owned(), environment: None, description: None };
    let (previous, next) =
        (schema("CREATE TABLE k.t (a int PRIMARY KEY)"), schema("CREATE TABLE k.t (a int PRIMARY KEY, b int)"));
    let problems = migrate(&project, C5, Pair { previous: &previous, next: &next }, 2, &templates).unwrap_err();
    assert_eq!(problems[0].code.slug(), "migration-incomplete");
    assert!(
        problems[0].message.contains("`cql.k.t columns.b` should be {\"type\":\"int\"}, and is nothing"),
        "{}",
        problems[0].message
    );
}

#[test]
fn what_an_index_of_scylla_needs_makes_way() {
    let of = |columns: &str| format!("CREATE TABLE k.t (a int, b int{columns}, PRIMARY KEY (a, b)); CREATE INDEX i ON k.t (b);");
    let (_, statements) = one(Engine::Scylla20251, &of(", c int"), &of(""));
    assert_eq!(statements, ["DROP INDEX k.i", "ALTER TABLE k.t DROP c", "CREATE INDEX i ON k.t (b)"]);
}
