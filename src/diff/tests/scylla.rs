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
        cql(&format!("CREATE KEYSPACE k WITH replication = {{'class': 'NetworkTopologyStrategy', {map}}}{rest};"))
    };
    let [change] = changes(&keyspace(previous), &keyspace(next), &[backend]).try_into().unwrap();
    let told = super::told(&change, backend);
    (told.split_once(' ').unwrap().1.split_once(' ').unwrap().1.to_owned(), change.effects[&backend].statement.clone())
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
        ("'dc1': 3", "'replication_factor': 3", SCYLLA_2025, "ks-rf-up FollowUp/Refuses/[]"),
        (vnodes, "'replication_factor': 3 AND tablets = {'enabled': false}", SCYLLA_2025, "ks-rf-expand FollowUp/Applies/[]"),
    ] {
        assert_eq!(keyspaces(previous, next, backend).0, expected, "{previous} to {next} on {backend}");
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
