//! What ScyllaDB takes, and what a keyspace with tablets may hold.

use super::{all, changes};
use crate::schema::{Backend, Engine, Schema};

const SCYLLA_2025: Backend = Backend::Cql(Engine::Scylla20251);
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
