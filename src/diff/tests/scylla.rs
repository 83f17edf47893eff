//! What ScyllaDB takes, and what a keyspace with tablets may hold.

use super::{all, changes};
use crate::schema::{Backend, Engine, Schema};

const SCYLLA_2025: Backend = Backend::Cql(Engine::Scylla20251);
const CASSANDRA: Backend = Backend::Cql(Engine::Cassandra50);
const SCYLLA_2026: Backend = Backend::Cql(Engine::Scylla20261);

fn cql(text: &str) -> Schema {
    super::read("schema.cql", text, crate::read::cql::read)
}

const TABLE: &str = "CREATE TABLE k.t (p int PRIMARY KEY, v int);";
const INDEX: &str = "CREATE INDEX i ON k.t (v);";
const VIEW: &str = "CREATE MATERIALIZED VIEW k.w AS SELECT * FROM k.t WHERE v IS NOT NULL AND p IS NOT NULL PRIMARY KEY (v, p);";

#[test]
fn tablets_take_views_and_indexes_from_a_release_on() {
    let keyspace = |tablets: &str| {
        format!("CREATE KEYSPACE k WITH replication = {{'class': 'NetworkTopologyStrategy', 'dc1': 3}}{tablets};{TABLE}")
    };
    for (tablets, local, are_taken) in [
        (" AND tablets = {'enabled': true}", "", false),
        // It depends on the node's setting.
        ("", "", true),
        (" AND tablets = {'enabled': true}", "CREATE INDEX l ON k.t ((p), v);", false),
        (" AND tablets = {'enabled': false}", "CREATE INDEX l ON k.t ((p), v);", true),
    ] {
        let previous = cql(&keyspace(tablets));
        let next = cql(&format!("{}{INDEX}{VIEW}{local}", keyspace(tablets)));
        for (backend, are_taken) in [(SCYLLA_2025, are_taken), (SCYLLA_2026, true)] {
            let found = changes(&previous, &next, &[backend]);
            assert!(found.len() >= 2 && found.iter().all(|change| change.blocks() != are_taken), "{backend}{tablets}");
        }
        // A new table with them is as little made.
        let made = all(&cql(""), &next, SCYLLA_2025);
        assert_eq!(made.iter().any(|told| told.starts_with("cql.t - ") && told.contains("/Refuses/")), !are_taken, "{made:?}");
    }
}

#[test]
fn maps_are_those_of_scylla() {
    for (option, is_taken) in [
        ("compression = {'enabled': 'false'}", false),
        ("compression = {'chunk_length_in_kb': '64'}", false),
        ("compression = {'sstable_compression': ''}", true),
        ("compression = {}", true),
        ("compaction = {'class': 'DateTieredCompactionStrategy'}", false),
        ("compaction = {'class': 'SizeTieredCompactionStrategy'}", true),
    ] {
        let next = cql(&format!("CREATE TABLE k.t (p int PRIMARY KEY, v int) WITH {option};"));
        for backend in [SCYLLA_2025, SCYLLA_2026] {
            let [told] = all(&cql(TABLE), &next, backend).try_into().unwrap();
            assert_eq!(told.ends_with("FollowUp/Applies/[]"), is_taken, "{option} {told}");
            assert_eq!(told.ends_with("Unsupported/Refuses/[]"), !is_taken, "{option} {told}");
        }
    }
}

/// What becomes of the only difference between two keyspaces.
fn keyspaces(previous: &str, next: &str, backend: Backend) -> (String, Option<String>) {
    let keyspace = |rest: &str| {
        let (map, rest) = rest.split_once(" AND").map_or((rest, String::new()), |(map, rest)| (map, format!(" AND{rest}")));
        let map = if map.is_empty() { String::new() } else { format!(", {map}") };
        cql(&format!("CREATE KEYSPACE k WITH replication = {{'class': 'NetworkTopologyStrategy'{map}}}{rest};"))
    };
    let [change] = changes(&keyspace(previous), &keyspace(next), &[backend]).try_into().unwrap();
    let told = super::told(&change, backend);
    (told.split_once(' ').unwrap().1.split_once(' ').unwrap().1.to_owned(), change.effects[&backend].statement.clone())
}

#[test]
fn change_capture_is_refused_where_the_keyspace_says_tablets_and_captures_nothing_yet() {
    let of = |tablets: &str, cdc: &str| {
        let with = if cdc.is_empty() { String::new() } else { format!(" WITH cdc = {{{cdc}}}") };
        cql(&format!(
            "CREATE KEYSPACE k WITH replication = {{'class': 'NetworkTopologyStrategy', 'dc1': 3}}{tablets}; CREATE TABLE k.t (p int PRIMARY \
             KEY){with};"
        ))
    };
    let (on, longer) = ("'enabled': 'true'", "'enabled': 'true', 'ttl': '3600'");
    let told = |tablets: &str, previous: &str| all(&of(tablets, previous), &of(tablets, longer), SCYLLA_2025);
    assert_eq!(told("", ""), ["cql.t options.cdc opt-cdc-on InPlace/Applies/[]"]);
    let tablets = " AND tablets = {'enabled': true}";
    assert_eq!(told(tablets, ""), ["cql.t options.cdc opt-cdc-on Unsupported/Refuses/[]"]);
    assert_eq!(told(tablets, on), ["cql.t options.cdc opt-cdc-on InPlace/Applies/[]"]);
}

#[test]
fn change_capture_is_one_however_it_is_written() {
    let of = |cdc: &str| {
        let with = if cdc.is_empty() { String::new() } else { format!(" WITH cdc = {{{cdc}}}") };
        cql(&format!("CREATE TABLE k.t (p int PRIMARY KEY){with};"))
    };
    let full = "'delta': 'full', 'enabled': 'true', 'postimage': 'false', 'preimage': 'false', 'ttl': '86400'";
    for (one, other) in [
        ("'enabled': true", full),
        ("'ENABLED': 1, 'preimage': 0", full),
        ("'enabled': 'TRUE', 'ttl': '086400'", full),
        ("'enabled': true, 'preimage': 'FULL', 'ttl': 60", "'enabled': '1', 'preimage': 'full', 'ttl': '60'"),
        ("'enabled': false, 'preimage': true, 'delta': 'keys', 'ttl': 5", ""),
    ] {
        for backend in [SCYLLA_2025, SCYLLA_2026] {
            assert_eq!(all(&of(one), &of(other), backend), [""; 0], "{one} and {other}");
            assert_eq!(all(&of(other), &of(one), backend), [""; 0], "{other} and {one}");
        }
    }
    let bad = all(&of(""), &of("'enabled': false, 'preimage': 'some'"), SCYLLA_2025);
    assert_eq!(bad, ["cql.t options.cdc opt-cdc-off Unsupported/Refuses/[]"]);
}

#[test]
fn racks_stand_in_place_of_a_number() {
    for (previous, next, backend, expected) in [
        ("'dc1': 2", "'dc1': ['r1', 'r2']", SCYLLA_2026, "ks-racks InPlace/Applies/[]"),
        ("'dc1': 2", "'dc1': ['r1', 'r2']", SCYLLA_2025, "ks-racks Unsupported/Refuses/[]"),
        ("'dc1': 2", "'dc1': ['r1', 'r2']", CASSANDRA, "def-replication Unsupported/Refuses/[]"),
        ("'dc1': 2", "'dc1': 'two'", CASSANDRA, "def-replication Unsupported/Refuses/[]"),
        ("'dc1': 2", "'dc1': ['r1', 'r2', 'r3']", SCYLLA_2026, "ks-racks Stages/Refuses/[]"),
        ("'dc1': 2, 'dc2': 1", "'dc1': ['r1', 'r2'], 'dc2': 2", SCYLLA_2026, "ks-racks Stages/Refuses/[]"),
        ("'dc1': ['r1', 'r2']", "'dc1': 2", SCYLLA_2026, "ks-racks Nothing/Nothing/[]"),
        ("'dc1': ['r1', 'r2']", "'dc1': 3", SCYLLA_2026, "ks-racks Stages/Refuses/[]"),
        ("'dc1': ['r1', 'r2']", "'dc1': ['r1', 'r2', 'r3']", SCYLLA_2026, "ks-rf-up FollowUp/Applies/[]"),
        ("'dc1': ['r1', 'r2']", "'dc1': ['r1', 'r3']", SCYLLA_2026, "ks-racks Stages/Refuses/[]"),
        ("'dc1': 2", "'dc1': 2, 'dc2': ['r1']", SCYLLA_2026, "ks-dc-add FollowUp/Applies/[]"),
        ("'dc1': 2", "'dc1': 2, 'dc2': ['r1']", SCYLLA_2025, "ks-racks Unsupported/Refuses/[]"),
        (
            "'dc1': 2 AND tablets = {'enabled': false}",
            "'dc1': ['r1', 'r2'] AND tablets = {'enabled': false}",
            SCYLLA_2026,
            "ks-racks Unsupported/Refuses/[]",
        ),
    ] {
        assert_eq!(keyspaces(previous, next, backend).0, expected, "{previous} to {next} on {backend}");
    }
    let (_, statement) = keyspaces("'dc1': 2", "'dc1': ['r1', 'r2']", SCYLLA_2026);
    let map = "{'class': 'NetworkTopologyStrategy', 'dc1': ['r1', 'r2']}";
    assert_eq!(statement.unwrap(), format!("ALTER KEYSPACE k WITH replication = {map} AND durable_writes = true;"));
}

#[test]
fn one_factor_for_all_is_for_those_that_come_in() {
    let vnodes = "'dc1': 3 AND tablets = {'enabled': false}";
    for (previous, next, backend, expected) in [
        ("'dc1': 3", "'replication_factor': 3", CASSANDRA, "ks-rf-expand FollowUp/Applies/[]"),
        ("'dc1': 3", "'replication_factor': 5", CASSANDRA, "ks-rf-expand FollowUp/Ignores/[]"),
        ("'replication_factor': 3", "'replication_factor': 5", CASSANDRA, "ks-rf-expand FollowUp/Ignores/[]"),
        ("'replication_factor': 3", "'replication_factor': 3, 'dc1': 5", CASSANDRA, "ks-rf-up FollowUp/Applies/[]"),
        ("'replication_factor': 3", "'dc1': 3", CASSANDRA, "ks-dc-remove FollowUp/Applies/[]"),
        ("'replication_factor': 3", "'dc1': 2", CASSANDRA, "ks-rf-down FollowUp/Applies/[]"),
        ("'dc1': 3, 'dc2': 3", "'replication_factor': 3, 'dc2': 0", CASSANDRA, "ks-dc-remove FollowUp/Applies/[]"),
        ("'dc1': 3", "'dc1': 3, 'replication_factor': 2", CASSANDRA, "ks-rf-expand FollowUp/Ignores/[]"),
        ("'dc1': 3", "", CASSANDRA, "ks-rf-expand FollowUp/Applies/[]"),
        ("'dc1': 3", "", Backend::Cql(Engine::Cassandra40), "def-replication Unsupported/Refuses/[]"),
        ("'dc1': 3", "'replication_factor': 3", SCYLLA_2025, "ks-rf-up FollowUp/Refuses/[]"),
        (vnodes, "'replication_factor': 3 AND tablets = {'enabled': false}", SCYLLA_2025, "ks-rf-expand FollowUp/Applies/[]"),
    ] {
        assert_eq!(keyspaces(previous, next, backend).0, expected, "{previous} to {next} on {backend}");
    }
}

#[test]
fn a_strategy_alone_says_what_it_leaves() {
    let keyspace = |map: &str| cql(&format!("CREATE KEYSPACE k WITH replication = {{'class': 'NetworkTopologyStrategy'{map}}};"));
    let [change] = changes(&keyspace(", 'dc1': 3"), &keyspace(""), &[CASSANDRA]).try_into().unwrap();
    assert!(change.effects[&CASSANDRA].reason.contains("default_keyspace_rf"), "{}", change.effects[&CASSANDRA].reason);
    // From the simple strategy each release takes the factor that is there.
    let simple = cql("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};");
    for engine in [Engine::Cassandra40, Engine::Cassandra50] {
        let told = all(&simple, &keyspace(""), Backend::Cql(engine));
        assert!(told.len() == 1 && told[0].contains("ks-class-simple-nts") && !told[0].contains("Refuses"), "{told:?}");
    }
}

#[test]
fn rows_that_move_to_other_data_centres_are_gone_for_readers() {
    let vnodes = " AND tablets = {'enabled': false}";
    let on_vnodes = |map: &str| format!("{map}{vnodes}");
    for (previous, next, backend, expected) in [
        ("'dc1': 3", "'dc2': 3", CASSANDRA, "ks-dc-move Stages/Applies/[Items]"),
        ("'dc1': 3", "'DC1': 3", CASSANDRA, "ks-dc-move Stages/Applies/[Items]"),
        ("'dc1': 3", "'replication_factor': 3, 'dc1': 0", CASSANDRA, "ks-dc-move Stages/Applies/[Items]"),
        ("'dc1': 3, 'dc2': 3", "'dc3': 3, 'dc4': 3", CASSANDRA, "ks-dc-move Stages/Applies/[Items]"),
        ("'dc1': 3, 'dc2': 3", "'dc2': 3, 'dc3': 3", CASSANDRA, "ks-dc-remove FollowUp/Applies/[]"),
        (&on_vnodes("'dc1': 3"), &on_vnodes("'dc2': 3"), SCYLLA_2025, "ks-dc-move Stages/Applies/[Items]"),
        ("'dc1': 3", "'dc2': 3", SCYLLA_2025, "ks-dc-move Stages/Refuses/[]"),
    ] {
        assert_eq!(keyspaces(previous, next, backend).0, expected, "{previous} to {next} on {backend}");
    }
    // What comes is filled from one that stays.
    let keyspace =
        |map: &str| cql(&format!("CREATE KEYSPACE k WITH replication = {{'class': 'NetworkTopologyStrategy', {map}}};"));
    let found = changes(&keyspace("'dc1': 3, 'dc2': 3"), &keyspace("'dc2': 3, 'dc3': 3"), &[CASSANDRA]);
    let steps = found[0].effects[&CASSANDRA].steps.concat();
    assert!(steps.contains("clean up the removed one") && steps.contains("rebuild -- dc2"), "{steps}");
}

#[test]
fn tablets_that_nobody_speaks_of_are_those_of_the_node() {
    let said = |enabled: bool| format!("'dc1': 3 AND tablets = {{'enabled': {enabled}}}");
    let unsaid = "'dc1': 3".to_owned();
    for (previous, next, expected) in [
        (&unsaid, &said(true), "ks-tablets Nothing/Nothing/[]"),
        (&unsaid, &said(false), "ks-tablets Recreation/Refuses/[]"),
        (&said(true), &unsaid, "ks-tablets Nothing/Nothing/[]"),
        (&said(true), &said(false), "ks-tablets Recreation/Refuses/[]"),
        (&unsaid, &"'dc1': 5".to_owned(), "ks-rf-up Stages/Refuses/[]"),
    ] {
        assert_eq!(keyspaces(previous, next, SCYLLA_2025).0, expected, "{previous} to {next}");
    }
    let keyspace = |factor: u8| {
        cql(&format!("CREATE KEYSPACE k WITH replication = {{'class': 'NetworkTopologyStrategy', 'dc1': {factor}}};"))
    };
    let [change] = changes(&keyspace(3), &keyspace(5), &[SCYLLA_2025]).try_into().unwrap();
    assert!(change.effects[&SCYLLA_2025].reason.contains("as it is shipped"), "{}", change.effects[&SCYLLA_2025].reason);
}

#[test]
fn a_key_column_with_an_index_on_it_is_renamed_in_one_migration() {
    let table = |column: &str| {
        cql(&format!(
            "CREATE TABLE k.t (p int, {column} int, v int, PRIMARY KEY (p, {column})); CREATE INDEX i ON k.t ({column});
             CREATE MATERIALIZED VIEW k.w AS SELECT * FROM k.t WHERE {column} IS NOT NULL AND p IS NOT NULL PRIMARY KEY ({column}, p);"
        ))
    };
    for backend in [CASSANDRA, SCYLLA_2025] {
        let found = changes(&table("at"), &table("made"), &[backend]);
        let told: Vec<String> = found.iter().map(|change| super::told(change, backend)).collect();
        assert_eq!(
            told,
            [
                "cql.t columns.made col-rename-pk InPlace/Applies/[]",
                "cql.t.index.i column idx-change IndexRebuild/Applies/[IndexOffline]"
            ]
        );
        assert!(found[0].effects[&backend].reason.contains("built again"));
    }
}

/// What the first change between two texts of a keyspace without tablets falls under.
fn first(previous: &str, next: &str, backend: Backend) -> String {
    let tablets = if backend == CASSANDRA { "" } else { " AND tablets = {'enabled': false}" };
    let keyspace =
        format!("CREATE KEYSPACE k WITH replication = {{'class': 'NetworkTopologyStrategy', 'dc1': 3}}{tablets};USE k;");
    let [previous, next] = [previous, next].map(|text| cql(&format!("{keyspace}{text}")));
    all(&previous, &next, backend).remove(0).split_once(' ').unwrap().1.to_owned()
}

#[test]
fn a_type_in_the_key_of_a_view_stays_as_it_is() {
    let of = |fields: &str, on: &str| {
        format!("CREATE TYPE u ({fields}); CREATE TABLE t (p int PRIMARY KEY, v frozen<u>, m map<text, frozen<u>>);{on}")
    };
    let view = |key: &str| {
        format!("CREATE MATERIALIZED VIEW w AS SELECT * FROM t WHERE v IS NOT NULL AND p IS NOT NULL PRIMARY KEY {key};")
    };
    let (key, behind) = (view("(v, p)"), view("(p, v)"));
    let index = |on: &str| format!("CREATE INDEX i ON t ({on});");
    let (by_v, by_keys, by_values, local) = (index("v"), index("keys(m)"), index("values(m)"), index("(p), v"));
    let (add, rename, retype) = ("a ascii, b int", "z ascii", "a text");
    for (next, on, backend, expected) in [
        (add, &key, CASSANDRA, "fields.b udt-add Stages/Refuses/[]"),
        (add, &behind, CASSANDRA, "fields.b udt-add InPlace/Applies/[]"),
        (add, &by_v, CASSANDRA, "fields.b udt-add InPlace/Applies/[]"),
        (rename, &key, CASSANDRA, "fields.z udt-rename InPlace/Applies/[]"),
        (add, &key, SCYLLA_2025, "fields.b udt-add Stages/Refuses/[]"),
        (rename, &key, SCYLLA_2025, "fields.z udt-rename Stages/Refuses/[]"),
        (retype, &key, SCYLLA_2026, "fields.a udt-field-type Stages/Refuses/[]"),
        (retype, &behind, SCYLLA_2026, "fields.a udt-field-type InPlace/Applies/[]"),
        (add, &by_v, SCYLLA_2025, "fields.b udt-add Stages/Refuses/[]"),
        (rename, &by_values, SCYLLA_2025, "fields.z udt-rename Stages/Refuses/[]"),
        (rename, &by_keys, SCYLLA_2025, "fields.z udt-rename InPlace/Applies/[]"),
        (rename, &local, SCYLLA_2025, "fields.z udt-rename InPlace/Applies/[]"),
    ] {
        assert_eq!(first(&of("a ascii", on), &of(next, on), backend), expected, "{next} under {on} on {backend}");
    }
    // A view that goes is in nobody's way.
    assert!(first(&of("a ascii", &key), &of(add, ""), SCYLLA_2025).ends_with("Applies/[]"));
}

#[test]
fn a_view_without_a_column_of_its_own_needs_all() {
    let of =
        |columns: &str, on: &str| format!("CREATE TABLE t (p int, c int, v int, s int STATIC{columns}, PRIMARY KEY (p, c));{on}");
    let view = |columns: &str, key: &str| {
        let restricted = key.replace(", ", " IS NOT NULL AND ");
        format!("CREATE MATERIALIZED VIEW w AS SELECT {columns} FROM t WHERE {restricted} IS NOT NULL PRIMARY KEY ({key});")
    };
    let index = |on: &str| format!("CREATE INDEX i ON t ({on});");
    for (on, column, expected) in [
        (view("p, c", "c, p"), "x int", "col-drop-with-mv Stages/Refuses/[]"),
        (view("p, c", "c, p"), "x int STATIC", "col-drop-with-mv InPlace/Applies/[Values]"),
        (view("p, c, v", "v, c, p"), "x int", "col-drop-with-mv InPlace/Applies/[Values]"),
        (index("c"), "x int", "col-drop-with-mv Stages/Refuses/[]"),
        (index("(p), c"), "x int", "col-drop-with-mv Stages/Refuses/[]"),
        (index("c"), "x int STATIC", "col-drop InPlace/Applies/[Values]"),
        (index("v"), "x int", "col-drop InPlace/Applies/[Values]"),
    ] {
        let told = first(&of(&format!(", {column}"), &on), &of("", &on), SCYLLA_2025);
        assert_eq!(told, format!("columns.x {expected}"), "{column} under {on}");
    }
}

#[test]
fn a_column_that_a_view_sorts_by_sorts_alike() {
    let of = |p: &str, v: &str, on: &str| format!("CREATE TABLE t (p {p}, c int, v {v}, PRIMARY KEY (p, c));{on}");
    let view = |key: &str| {
        let restricted = "v IS NOT NULL AND c IS NOT NULL AND p IS NOT NULL";
        format!("CREATE MATERIALIZED VIEW w AS SELECT * FROM t WHERE {restricted} PRIMARY KEY ({key});")
    };
    let index = |on: &str| format!("CREATE INDEX i ON t ({on});");
    let kept = "type-ts-bigint Stages/Refuses/[]";
    let altered = "type-ts-bigint InPlace/Applies/[]";
    for (on, column, expected) in [
        (String::new(), "v", altered),
        (view("v, p, c"), "v", altered),
        (view("p, v, c"), "v", kept),
        (index("v"), "v", altered),
        (index("(p), v"), "v", kept),
        (index("v"), "p", "type-pk Stages/Refuses/[]"),
        (index("(p), v"), "p", "type-pk InPlace/Applies/[]"),
        (view("v, p, c"), "p", "type-pk Stages/Refuses/[]"),
    ] {
        let (from, to) = ("timestamp", "bigint");
        let [previous, next] = [from, to].map(|kind| if column == "v" { of("int", kind, &on) } else { of(kind, "int", &on) });
        assert_eq!(first(&previous, &next, SCYLLA_2025), format!("columns.{column} {expected}"), "{column} under {on}");
    }
}
