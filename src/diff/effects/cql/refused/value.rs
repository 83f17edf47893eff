//! Values of options that an engine does not take.
//!
//! Sources: Cassandra `TableParams.java`, `PropertyDefinitions.java`, `CachingParams.java` (run on 4.0.19, 4.1.10 and 5.0.9);
//! ScyllaDB `cf_prop_defs.cc`, docs/cql/ddl.rst. The maps of strategies and compressors are in `maps`.

mod maps;

use crate::schema::cql::OptionValue;
use crate::schema::cql::engine::{Kind, Policy, SubOption, capture_options, rate_limit_options, tombstone_options};
use crate::schema::{Backend, Engine, Family, is_computed};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

pub(super) type Options = BTreeMap<String, OptionValue>;

/// What is wrong with the value of an option among others; None where it is taken, or where nothing is known against it.
pub(in crate::diff::effects::cql) fn flaw(backend: Backend, name: &str, options: &Options) -> Option<String> {
    let value = options.get(name)?;
    let engine = backend.engine()?;
    if value.scalar().is_some_and(|text| is_computed(&text)) {
        return None;
    }
    let refused = match (engine.family(), name) {
        // The provider's argument is from 1 on.
        (Family::Keyspaces, "default_time_to_live") => {
            !is_whole(value, i64::from(backend == Backend::KeyspacesTerraform)..=TWENTY_YEARS)
        }
        (Family::Keyspaces, _) => false,
        (Family::Cassandra, "default_time_to_live") => !is_whole(value, 0..=TWENTY_YEARS),
        (Family::Scylla, "memtable_flush_period_in_ms") => !is_whole(value, 0..=0) && !is_whole(value, 60_000..=MOST),
        (_, "default_time_to_live" | "gc_grace_seconds" | "memtable_flush_period_in_ms" | "paxos_grace_seconds") => {
            !is_whole(value, 0..=MOST)
        }
        (_, "min_index_interval" | "max_index_interval") => !are_intervals(name, options),
        (_, "bloom_filter_fp_chance") => !number(value).is_some_and(|chance| chance > LEAST_CHANCE && chance <= 1.0),
        // ScyllaDB takes what it is given.
        (Family::Cassandra, "crc_check_chance") => !number(value).is_some_and(|chance| (0.0..=1.0).contains(&chance)),
        (_, "speculative_retry" | "additional_write_policy") => {
            !value.scalar().is_some_and(|text| Policy::is_taken(&text, engine))
        }
        (Family::Cassandra, "read_repair") => !is_word(value, &["BLOCKING", "NONE"]),
        (Family::Cassandra, "cdc" | "allow_auto_snapshot" | "incremental_backups") => {
            !is_word(value, &["TRUE", "FALSE", "1", "0", "YES", "NO"])
        }
        (Family::Cassandra, "caching") => !is_caching(value),
        (Family::Cassandra, "memtable") => value.scalar().is_none_or(|name| name.is_empty()),
        (Family::Scylla, "cdc") => return in_map(engine, &worded(value), capture_options()),
        (Family::Scylla, "tombstone_gc") => return in_map(engine, value, tombstone_options()),
        (Family::Scylla, "per_partition_rate_limit") => return in_map(engine, value, rate_limit_options()),
        (_, "compaction") => return maps::compaction(engine, value),
        (_, "compression") => return maps::compression(engine, value),
        _ => false,
    };
    refused.then(|| format!("It is `{value}`."))
}

/// Why it is not known whether an engine takes the value of an option: what the nodes have, and how they were started, is not in the
/// schema.
pub(in crate::diff::effects::cql) fn untold(backend: Backend, name: &str, options: &Options) -> Option<&'static str> {
    let engine = backend.engine().filter(|engine| engine.family() != Family::Keyspaces)?;
    match (name, options.get(name)?) {
        ("compaction", OptionValue::Map(map)) => maps::untold_compaction(map),
        ("compression", OptionValue::Map(map)) => maps::untold_compression(engine, map),
        _ => None,
    }
}

/// 20 years in seconds (Cassandra `Attributes.MAX_TTL`).
const TWENTY_YEARS: i64 = 630_720_000;

/// The largest whole number of an option.
const MOST: i64 = 2_147_483_647;

/// What 20 hash functions reach (Cassandra `BloomCalculations.java`).
const LEAST_CHANCE: f64 = 6.71e-5;

fn whole(value: &OptionValue) -> Option<i64> {
    value.scalar()?.parse().ok()
}

fn is_whole(value: &OptionValue, range: RangeInclusive<i64>) -> bool {
    whole(value).is_some_and(|number| range.contains(&number))
}

fn number(value: &OptionValue) -> Option<f64> {
    value.scalar()?.parse().ok()
}

fn is_word(value: &OptionValue, words: &[&str]) -> bool {
    value.scalar().is_some_and(|text| words.iter().any(|word| word.eq_ignore_ascii_case(&text)))
}

/// Whether the two intervals go together, the one that is not said by its default; `name` is the one that is judged.
fn are_intervals(name: &str, options: &Options) -> bool {
    let interval = |name: &str, default: i64| options.get(name).map_or(Some(default), whole);
    match (interval("min_index_interval", 128), interval("max_index_interval", 2048)) {
        (Some(least), Some(greatest)) => least >= 1 && least <= greatest,
        (least, _) => (name == "min_index_interval") == least.is_none(),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit())
}

/// Cassandra's `keys` and `rows_per_partition`.
fn is_caching(value: &OptionValue) -> bool {
    let OptionValue::Map(map) = value else { return false };
    let word = |text: &str| ["ALL", "NONE"].iter().any(|word| word.eq_ignore_ascii_case(text));
    map.iter().all(|(key, value)| match key.as_str() {
        "keys" => word(value),
        "rows_per_partition" => word(value) || is_digits(value) && value.parse::<i32>().is_ok(),
        _ => false,
    })
}

/// Change capture with words for 1 and 0, which ScyllaDB takes for true and false (`cdc/log.cc`).
fn worded(value: &OptionValue) -> OptionValue {
    let OptionValue::Map(map) = value else { return value.clone() };
    let word = |(key, text): (&String, &String)| {
        let text = match text.as_str() {
            "1" if !key.eq_ignore_ascii_case("ttl") => "true",
            "0" if !key.eq_ignore_ascii_case("ttl") => "false",
            text => text,
        };
        (key.clone(), text.to_owned())
    };
    OptionValue::Map(map.iter().map(word).collect())
}

/// What is wrong with a map of ScyllaDB.
fn in_map(engine: Engine, value: &OptionValue, rows: &[SubOption]) -> Option<String> {
    let OptionValue::Map(map) = value else { return Some(format!("`{value}` is no map.")) };
    map.iter().find_map(|(key, value)| entry(engine, rows, &key.to_lowercase(), &value.to_lowercase()))
}

/// What is wrong with one entry of a map.
fn entry(engine: Engine, rows: &[SubOption], key: &str, value: &str) -> Option<String> {
    let Some(row) = rows.iter().find(|row| row.name == key && row.engines.contains(&engine)) else {
        return Some(format!("There is no `{key}`."));
    };
    let lower = value.to_lowercase();
    let value = if row.kind == Kind::Bool { lower.as_str() } else { value };
    row.kind.flaw(value).map(|must| format!("`{key}` is {must}, not `{value}`."))
}
