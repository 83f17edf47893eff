//! What differs between the engines, asked in one place.
//!
//! Sources: Apache Cassandra `restrictions/IndexRestrictions.java` (4.0, 4.1, 5.0), ScyllaDB `statement_restrictions.cc`, the
//! Amazon Keyspaces developer guide (no secondary indexes; replication by Region).

use crate::model::CqlKeyspace;
use crate::schema::Engine;
use crate::schema::cql::OptionValue;
use std::collections::BTreeMap;

/// What an index read may compare beside the part of the key that it follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexReads {
    /// There are no indexes.
    None,
    /// One column, by one index.
    OneColumn,
    /// Any number of columns, when the storage-attached indexes of the table cover them all.
    Combined,
}

/// How index reads work on an engine.
pub(super) fn index_reads(engine: Engine) -> IndexReads {
    match engine {
        Engine::Keyspaces => IndexReads::None,
        Engine::Cassandra40 | Engine::Cassandra41 | Engine::Scylla20251 | Engine::Scylla20261 => IndexReads::OneColumn,
        Engine::Cassandra50 => IndexReads::Combined,
    }
}

fn is_scylla(engine: Engine) -> bool {
    matches!(engine, Engine::Scylla20251 | Engine::Scylla20261)
}

/// How many statements a batch takes (Amazon Keyspaces developer guide, functional-differences). The others know no number
/// of them.
pub(super) fn largest_batch(engine: Engine, logged: bool) -> Option<u64> {
    (engine == Engine::Keyspaces).then_some(if logged { 100 } else { 30 })
}

/// What the lists (`in`) of one part of the key come to, where an engine has a limit: 100. ScyllaDB counts the keys that they make
/// together (`max_partition_key_restrictions_per_query`, `max_clustering_key_restrictions_per_query` in db/config.cc), Amazon
/// Keyspaces the values of each (developer guide). Apache Cassandra has guardrails, which are off.
pub(super) fn listed(engine: Engine, lists: impl Iterator<Item = u64>) -> Option<u64> {
    let count = match engine {
        Engine::Scylla20251 | Engine::Scylla20261 => lists.fold(1, u64::saturating_mul),
        Engine::Keyspaces => lists.max().unwrap_or(1),
        Engine::Cassandra40 | Engine::Cassandra41 | Engine::Cassandra50 => return None,
    };
    (count > LONGEST_LIST).then_some(count)
}

/// The longest list of an engine that has a limit.
pub(super) const LONGEST_LIST: u64 = 100;

/// The replication map of a keyspace.
pub(super) fn replication(engine: Engine, keyspace: &CqlKeyspace) -> BTreeMap<String, String> {
    let class = |name: &str| ("class".to_owned(), name.to_owned());
    match engine {
        // Amazon Keyspaces keeps three replicas in each Region, always.
        Engine::Keyspaces if keyspace.regions.len() < 2 => [class("SingleRegionStrategy")].into(),
        Engine::Keyspaces => {
            let regions = keyspace.regions.iter().map(|region| (region.value.clone(), "3".to_owned()));
            regions.chain([class("NetworkTopologyStrategy")]).collect()
        }
        _ => {
            let centres = keyspace.replication.iter().map(|(name, count)| (name.clone(), count.value.to_string()));
            centres.chain([class("NetworkTopologyStrategy")]).collect()
        }
    }
}

/// `durable_writes`, where the engine lets it be chosen.
pub(super) fn durable_writes(engine: Engine, keyspace: &CqlKeyspace) -> Option<bool> {
    keyspace.durable_writes.filter(|_| engine != Engine::Keyspaces)
}

/// Other keyspace options that the engine knows.
pub(super) fn keyspace_options(engine: Engine, keyspace: &CqlKeyspace) -> BTreeMap<String, OptionValue> {
    let tablets = keyspace.tablets.as_ref().filter(|_| is_scylla(engine));
    let option = |enabled: bool| OptionValue::Map([("enabled".to_owned(), enabled.to_string())].into());
    tablets.map(|tablets| ("tablets".to_owned(), option(tablets.value))).into_iter().collect()
}
