//! Keyspaces that an engine does not make.
//!
//! Sources: Cassandra `KeyspaceAttributes.java`, `ReplicationParams.java`, `SimpleStrategy.java` (run), `ReplicationFactor.java`;
//! ScyllaDB `ks_prop_defs.cc`, and the strategies that `locator` registers.

use super::{Facts, Part};
use crate::diff::effects::cql::keyspace::{racks, takes_option};
use crate::diff::effects::cql::on_tablets;
use crate::schema::cql::{Keyspace, OptionValue, short_class};
use crate::schema::{Backend, Engine, Family, is_computed};

/// What a new keyspace says beside its name.
pub(super) fn parts(facts: &Facts<'_>) -> Vec<Part> {
    let mut parts: Vec<Part> = replication(facts).into_iter().collect();
    let (Backend::Cql(engine), Some(keyspace)) = (facts.backend, facts.stated.keyspace) else { return parts };
    let mut other = |rule, what: &str, is_said: bool| parts.extend(is_said.then(|| Part::new(rule, format!("`{what}`:"))));
    // ScyllaDB takes them when a keyspace is made, and never again.
    other("ks-tablets", "tablets", engine.family() != Family::Scylla && keyspace.options.contains_key("tablets"));
    other("ks-timestamps", "client_side_timestamps", keyspace.options.contains_key("client_side_timestamps"));
    other("ks-durable", "durable_writes = false", keyspace.durable_writes == Some(false));
    let unknown = keyspace.options.keys().filter(|name| !["client_side_timestamps", "tablets"].contains(&name.as_str()));
    for name in unknown.filter(|name| !takes_option(facts, name)) {
        other("opt-unknown", name, true);
    }
    parts
}

/// Its replication.
pub(super) fn replication(facts: &Facts<'_>) -> Option<Part> {
    let (engine, keyspace) = facts.backend.engine().zip(facts.stated.keyspace)?;
    let map = &keyspace.replication;
    let class = map.get("class").map(|class| short_class(class));
    let is_refused = match engine.family() {
        // A map without a class is one of a keyspace that is only used here, unless it has something else.
        Family::Cassandra => {
            // Only from the simple strategy 4.0 takes the factor that is there.
            let was_simple = facts.previous_space().and_then(|space| space.replication.get("class"));
            let was_simple = was_simple.is_some_and(|class| class == "SimpleStrategy");
            let is_bare =
                map.len() == 1 && engine == Engine::Cassandra40 && !(was_simple && class == Some("NetworkTopologyStrategy"));
            // A class of one's own has a package, and options of its own.
            let is_own = matches!(class, Some("SimpleStrategy" | "NetworkTopologyStrategy"));
            let is_strange = class.is_some_and(|class| !is_own && !class.contains('.') && !is_computed(class));
            let mut options = map.iter().filter(|(key, _)| is_own && *key != "class");
            let is_taken =
                |key: &str| class == Some("NetworkTopologyStrategy") || key == "replication_factor" || is_computed(key);
            // "Configuration for at least one datacenter must be present" (run).
            let mut factors = map.iter().filter(|(key, _)| *key != "class").peekable();
            let is_nowhere = class == Some("NetworkTopologyStrategy")
                && factors.peek().is_some()
                && factors.all(|(_, text)| text.bytes().all(|digit| digit == b'0'));
            class.map_or(!map.is_empty(), |_| is_bare || is_strange || is_nowhere)
                || !options.all(|(key, text)| is_taken(key) && is_factor(text))
        }
        Family::Scylla => {
            let has_racks = map.values().any(|factor| racks::is_list(factor));
            let takes_racks = engine != Engine::Scylla20251 && on_tablets(engine, keyspace);
            let is_strange = class.is_some_and(|class| !SCYLLA_STRATEGIES.contains(&class) && !is_computed(class));
            let is_simple = class == Some("SimpleStrategy");
            let is_own = matches!(class, Some("SimpleStrategy" | "NetworkTopologyStrategy"));
            let mut factors = map.iter().filter(|(key, _)| is_own && *key != "class");
            // `abstract_replication_strategy.cc`: there are no transient replicas.
            let is_number = |text: &str| is_factor(text) && !text.contains('/');
            is_strange
                || is_simple && (asks_for_tablets(keyspace) || !map.contains_key("replication_factor"))
                || has_racks && !takes_racks
                || !factors.all(|(_, text)| racks::is_list(text) || is_number(text))
        }
        // Its Regions (API reference, `ReplicationSpecification`).
        Family::Keyspaces => {
            let regions = map.keys().filter(|key| *key != "class");
            class == Some("NetworkTopologyStrategy") && !map.keys().any(|key| is_computed(key)) && regions.count() < 2
        }
    };
    is_refused.then(|| {
        let value = OptionValue::Map(map.clone());
        let text = racks::written(&value).unwrap_or_else(|| value.to_string());
        Part::new("def-replication", format!("`replication = {text}`:"))
    })
}

/// What ScyllaDB has under its own name or with Cassandra's package.
const SCYLLA_STRATEGIES: [&str; 4] = ["EverywhereStrategy", "LocalStrategy", "NetworkTopologyStrategy", "SimpleStrategy"];

/// A number. One with transient replicas, `3/1`, needs a setting that is off in a node as it is shipped (Cassandra
/// `ReplicationFactor.java`); with none of them, `3/0`, it is a number all the same.
fn is_factor(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit());
    let number = text.split_once('/').map_or(text, |(all, some)| if some.parse() == Ok(0_u32) { all } else { "" });
    is_computed(text) || is_number(number)
}

fn asks_for_tablets(keyspace: &Keyspace) -> bool {
    match keyspace.options.get("tablets") {
        Some(OptionValue::Map(map)) => map.get("enabled").is_none_or(|enabled| enabled != "false"),
        _ => false,
    }
}
