//! Options of tables and views: what is set, and what is set back.

use crate::emit::cql::property;
use crate::schema::Engine;
use crate::schema::Family;
use crate::schema::cql::{OptionValue, default_option};
use std::collections::{BTreeMap, BTreeSet};

type Options = BTreeMap<String, OptionValue>;

/// What follows WITH: a map is always whole, and what is no longer said gets the value that the engine takes for granted.
/// `Err`: the options that have no such value.
pub(super) fn assignments(
    engine: Engine,
    previous: &Options,
    next: &Options,
    written: &Options,
) -> Result<Vec<String>, Vec<String>> {
    let mut found = Vec::new();
    let mut lost = Vec::new();
    let names: BTreeSet<&String> = previous.keys().chain(next.keys()).collect();
    for name in names.into_iter().filter(|name| previous.get(*name) != next.get(*name) && *name != "compact_storage") {
        let value = match next.get(name) {
            Some(normal) => Some(written.get(name).unwrap_or(normal).clone()),
            None => taken_for_granted(engine, name, leveled(next)),
        };
        match value {
            Some(value) => found.push(property(name, &value)),
            None => lost.push(name.clone()),
        }
    }
    let bloom = "bloom_filter_fp_chance";
    if leveled(previous) != leveled(next) && !previous.contains_key(bloom) && !next.contains_key(bloom) {
        // Leveled tables have a filter of their own from birth; another strategy later does not change it.
        found.extend(default_option(engine, bloom, leveled(next)).map(|value| property(bloom, &value)));
    }
    if lost.is_empty() { Ok(found) } else { Err(lost) }
}

fn taken_for_granted(engine: Engine, name: &str, leveled: bool) -> Option<OptionValue> {
    // The empty map is how ScyllaDB's default is compared, not how it is written.
    if engine.family() == Family::Scylla && name == "caching" {
        return Some(OptionValue::Map([("enabled".to_owned(), "true".to_owned())].into()));
    }
    default_option(engine, name, leveled)
}

fn leveled(options: &Options) -> bool {
    matches!(options.get("compaction"), Some(OptionValue::Map(map))
        if map.get("class").is_some_and(|class| class == "LeveledCompactionStrategy"))
}
