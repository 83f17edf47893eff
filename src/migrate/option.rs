//! Options of tables and views: what is set, and what is set back.

use crate::emit::cql::property;
use crate::schema::Engine;
use crate::schema::Family;
use crate::schema::cql::{OptionValue, default_entry, default_option};
use std::collections::{BTreeMap, BTreeSet};

type Options = BTreeMap<String, OptionValue>;

/// What follows `ALTER TABLE t`, each a statement of its own. Amazon Keyspaces changes one setting at a time (API reference,
/// `UpdateTable`) and has words of its own for tags; the others take all that differs at once.
pub(super) fn clauses(engine: Engine, previous: &Options, next: &Options, written: &Options) -> Result<Vec<String>, Vec<String>> {
    if engine.family() != Family::Keyspaces {
        let found = assignments(engine, previous, next, written)?;
        return Ok(if found.is_empty() { Vec::new() } else { vec![format!("WITH {}", found.join("\n    AND "))] });
    }
    let without = |options: &Options| -> Options {
        let own = options.iter().filter(|(name, _)| ![CUSTOM, SCALING, TAGS].contains(&name.as_str()));
        own.map(|(name, value)| (name.clone(), value.clone())).collect()
    };
    let mut lost = Vec::new();
    let mut found: Vec<String> = match assignments(engine, &without(previous), &without(next), written) {
        Ok(found) => found.into_iter().map(|assignment| format!("WITH {assignment}")).collect(),
        Err(names) => {
            lost = names;
            Vec::new()
        }
    };
    // Capacity is only scaled while it is provisioned: scaling goes first and comes last.
    for (option, leaves) in [(SCALING, Some(true)), (CUSTOM, None), (SCALING, Some(false))] {
        let (before, after) = (entries(previous.get(option)), entries(next.get(option)));
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let is_meant = |name: &&String| {
            before.get(*name) != after.get(*name) && leaves.is_none_or(|leaves| leaves != after.contains_key(*name))
        };
        for name in names.into_iter().filter(is_meant) {
            match after.get(name).cloned().or_else(|| default_entry(engine, option, name)) {
                Some(value) => {
                    let value = OptionValue::Nested([(name.clone(), value)].into());
                    found.push(format!("WITH {}", property(option, &value)));
                }
                None => lost.push(format!("{option}.{name}")),
            }
        }
    }
    let (before, after) = (entries(previous.get(TAGS)), entries(next.get(TAGS)));
    let only = |tags: &Options, other: &Options| -> Options {
        let only = tags.iter().filter(|(key, value)| other.get(*key) != Some(value));
        only.map(|(key, value)| (key.clone(), value.clone())).collect()
    };
    for (verb, tags) in [("DROP", only(&before, &after)), ("ADD", only(&after, &before))] {
        if !tags.is_empty() {
            found.push(format!("{verb} TAGS {}", OptionValue::from_entries(tags)));
        }
    }
    if lost.is_empty() { Ok(found) } else { Err(lost) }
}

const CUSTOM: &str = "custom_properties";
const SCALING: &str = "autoscaling_settings";
const TAGS: &str = "tags";

fn entries(value: Option<&OptionValue>) -> Options {
    match value {
        Some(OptionValue::Nested(map)) => map.clone(),
        Some(OptionValue::Map(map)) => map.iter().map(|(key, value)| (key.clone(), OptionValue::Text(value.clone()))).collect(),
        _ => Options::new(),
    }
}

/// What to write in the model for an option that no statement takes back.
pub(super) fn advice(engine: Engine, option: &str) -> &'static str {
    match (engine.family(), option) {
        (Family::Scylla, "tombstone_gc") => {
            "its default depends on the keyspace: write `tombstone_gc: { mode: repair }` where it has tablets and more than one \
             replica, else `{ mode: timeout }`"
        }
        (Family::Scylla, "compression") => {
            "its default is not known for this release: write the one that is meant, such as `compression: lz4`"
        }
        (Family::Scylla, "per_partition_rate_limit") => {
            "no statement is known that takes it off: write a limit that no traffic reaches"
        }
        (Family::Keyspaces, "custom_properties.client_side_timestamps") => {
            "they cannot be switched off again: leave `client_side_timestamps: true` in the model"
        }
        (Family::Keyspaces, "custom_properties.ttl") => "it cannot be switched off again: leave `ttl` in the model",
        _ => "no statement is known that takes it back: write the value that is meant in the model",
    }
}

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
