//! Keyspaces that an engine does not make.
//!
//! Sources: Cassandra `KeyspaceAttributes.java`, `ReplicationParams.java` (run), `ReplicationFactor.java`; ScyllaDB `ks_prop_defs.cc`.

use super::{Facts, Part};
use crate::diff::effects::cql::keyspace::racks;
use crate::diff::effects::cql::on_tablets;
use crate::schema::cql::{Keyspace, OptionValue, short_class};
use crate::schema::{Backend, Engine, Family, is_computed};

/// What a new keyspace says beside its name.
pub(super) fn parts(facts: &Facts<'_>) -> Vec<Part> {
    let (Backend::Cql(engine), Some(keyspace)) = (facts.backend, facts.stated.keyspace) else { return Vec::new() };
    let mut parts: Vec<Part> = replication(facts).into_iter().collect();
    let mut other = |rule, what: &str, is_said: bool| parts.extend(is_said.then(|| Part::new(rule, format!("`{what}`:"))));
    // ScyllaDB takes them when a keyspace is made, and never again.
    other("ks-tablets", "tablets", engine.family() != Family::Scylla && keyspace.options.contains_key("tablets"));
    other("ks-timestamps", "client_side_timestamps", keyspace.options.contains_key("client_side_timestamps"));
    other("ks-durable", "durable_writes = false", keyspace.durable_writes == Some(false));
    parts
}

/// Its replication.
pub(super) fn replication(facts: &Facts<'_>) -> Option<Part> {
    let (Backend::Cql(engine), Some(keyspace)) = (facts.backend, facts.stated.keyspace) else { return None };
    let map = &keyspace.replication;
    let class = map.get("class").map(|class| short_class(class));
    let is_refused = match engine.family() {
        // A map without a class is one of a keyspace that is only used here, unless it has something else.
        Family::Cassandra => {
            let is_bare = map.len() == 1 && engine == Engine::Cassandra40;
            let is_own = matches!(class, Some("SimpleStrategy" | "NetworkTopologyStrategy"));
            let mut factors = map.iter().filter(|(key, _)| is_own && *key != "class").map(|(_, factor)| factor);
            class.map_or(!map.is_empty(), |class| class == "LocalStrategy" || is_bare) || !factors.all(|text| is_factor(text))
        }
        Family::Scylla => {
            let has_racks = map.values().any(|factor| racks::is_list(factor));
            let takes_racks = engine != Engine::Scylla20251 && on_tablets(engine, keyspace);
            let is_own = matches!(class, Some("SimpleStrategy" | "NetworkTopologyStrategy"));
            let mut factors = map.iter().filter(|(key, _)| is_own && *key != "class").map(|(_, factor)| factor);
            // `abstract_replication_strategy.cc`: there are no transient replicas.
            let are_factors = factors.all(|text| racks::is_list(text) || is_factor(text) && !text.contains('/'));
            class == Some("SimpleStrategy") && asks_for_tablets(keyspace) || has_racks && !takes_racks || !are_factors
        }
        Family::Keyspaces => false,
    };
    is_refused.then(|| {
        let value = OptionValue::Map(map.clone());
        let text = racks::written(&value).unwrap_or_else(|| value.to_string());
        Part::new("def-replication", format!("`replication = {text}`:"))
    })
}

/// A number, or one with its transient replicas, `3/1` (Cassandra `ReplicationFactor.fromString`).
fn is_factor(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit());
    is_computed(text) || text.split_once('/').map_or_else(|| is_number(text), |(all, some)| is_number(all) && is_number(some))
}

fn asks_for_tablets(keyspace: &Keyspace) -> bool {
    match keyspace.options.get("tablets") {
        Some(OptionValue::Map(map)) => map.get("enabled").is_none_or(|enabled| enabled != "false"),
        _ => false,
    }
}
