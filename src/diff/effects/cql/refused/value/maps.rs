//! Compaction strategies and compressors, and the keys that each has.
//!
//! Sources: Cassandra `CompactionParams.java`, `CompressionParams.java`, `db/compaction/*`, `io/compress/*` (run on 4.0.19,
//! 4.1.10 and 5.0.9); ScyllaDB `compaction_strategy.cc`, `compress.cc` (`compression_parameters`), docs/cql/ddl.rst.

use super::entry;
use crate::schema::cql::engine::{CompactionClass, bytes, compaction_options};
use crate::schema::cql::{OptionValue, short_class};
use crate::schema::{Engine, Family};
use std::collections::BTreeMap;

/// What is wrong with a compaction.
pub(super) fn compaction(engine: Engine, value: &OptionValue) -> Option<String> {
    let OptionValue::Map(map) = value else { return Some(format!("`{value}` is no map.")) };
    let Some(name) = map.get("class") else { return Some("The map has no `class`.".to_owned()) };
    let name = short_class(name);
    if is_of_others(name) || name == "DateTieredCompactionStrategy" && has_date_tiered(engine) {
        return None;
    }
    let Some(class) = CompactionClass::ALL.into_iter().find(|known| known.class() == name && known.is_on(engine)) else {
        return Some(format!("There is no `{name}`."));
    };
    let mut rows = compaction_options(class);
    // Within a window it compacts by size, and takes the keys of that too (run).
    if class == CompactionClass::TimeWindow {
        rows.extend(compaction_options(CompactionClass::SizeTiered));
    }
    let is_cassandra = engine.family() == Family::Cassandra;
    let own = map.iter().filter(|(key, _)| *key != "class").find_map(|(key, value)| match key.as_str() {
        // Of a later branch.
        "min_sstable_age" => None,
        AGGRESSIVE if !is_cassandra => None,
        AGGRESSIVE if matches!(class, CompactionClass::TimeWindow | CompactionClass::Unified) => {
            let is_word = ["true", "false"].iter().any(|word| value.eq_ignore_ascii_case(word));
            (!is_word).then(|| format!("`{key}` is true or false, not `{value}`."))
        }
        // What is not true is false (`TimeWindowCompactionStrategyOptions.java` has more units than windows are made of; run).
        "only_purge_repaired_tombstones" if is_cassandra => None,
        "single_sstable_uplevel" if is_cassandra && class == CompactionClass::Leveled => None,
        "timestamp_resolution" if is_cassandra && class == CompactionClass::TimeWindow => {
            (!RESOLUTIONS.contains(&value.as_str())).then(|| format!("`{key}` is {}, not `{value}`.", RESOLUTIONS.join(", ")))
        }
        _ => entry(engine, &rows, key, value),
    });
    let own = own.or_else(|| (class == CompactionClass::Unified).then(|| sizes(map)).flatten());
    own.or_else(|| {
        [("min_threshold", "max_threshold", 4.0, 32.0, false), ("bucket_low", "bucket_high", 0.5, 1.5, true)]
            .into_iter()
            .filter(|(low, ..)| rows.iter().any(|row| row.name == *low))
            .find_map(|(low, high, least, most, is_strict)| {
                let number = |key: &str, default: f64| map.get(key).map_or(Some(default), |text| text.parse().ok());
                let (below, above) = (number(low, least)?, number(high, most)?);
                let is_wrong = below > above || is_strict && below.total_cmp(&above).is_eq();
                is_wrong.then(|| format!("`{low}`, {below}, is not below `{high}`, {above}."))
            })
    })
}

/// Drops what is expired without a look at what overlaps it: a node that was started for that alone takes it as true.
const AGGRESSIVE: &str = "unsafe_aggressive_sstable_expiration";

/// Units that timestamps are in.
const RESOLUTIONS: [&str; 4] = ["SECONDS", "MILLISECONDS", "MICROSECONDS", "NANOSECONDS"];

/// What is wrong with the sizes of unified compaction: the least one is below the target, 1 GiB where it is not said, divided by the
/// root of 2 (`Controller.java`; run).
fn sizes(map: &BTreeMap<String, String>) -> Option<String> {
    let least = bytes(map.get("min_sstable_size")?)?;
    let target = map.get("target_sstable_size").map_or(Some(1 << 30), |text| bytes(text))?;
    // Both squares are exact.
    let is_below = 2 * u128::from(least).pow(2) < u128::from(target).pow(2);
    (!is_below).then(|| "`min_sstable_size` is not below 70 % of `target_sstable_size`.".to_owned())
}

/// Why it is not known whether an engine takes a compaction.
pub(super) fn untold_compaction(map: &BTreeMap<String, String>) -> Option<&'static str> {
    let is_aggressive = || map.get(AGGRESSIVE).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    if map.get("class").is_some_and(|class| is_of_others(short_class(class))) {
        return Some("the compaction strategy is none of the engine's own, and whether the nodes have it is not known here");
    }
    is_aggressive().then_some(
        "only a node that was started with -Dcassandra.allow_unsafe_aggressive_sstable_expiration=true takes \
         `unsafe_aggressive_sstable_expiration`, and how the nodes were started is not known here",
    )
}

/// Why it is not known whether an engine takes a compression.
pub(super) fn untold_compression(engine: Engine, map: &BTreeMap<String, String>) -> Option<&'static str> {
    let class = map.get("class").or_else(|| map.get("sstable_compression")).map(|class| short_class(class))?;
    if is_of_others(class) {
        return Some("the compressor is none of the engine's own, and whether the nodes have it is not known here");
    }
    (engine == Engine::Scylla20251 && class.ends_with("WithDictsCompressor"))
        .then_some("compression with dictionaries came after ScyllaDB 2025.1, and in which release is not known here")
}

/// Whether the strategy is there: it went with Cassandra 5.0, and ScyllaDB (`compaction_strategy_type.hh`) has none of the name.
fn has_date_tiered(engine: Engine) -> bool {
    engine.family() == Family::Cassandra && engine != Engine::Cassandra50
}

/// A class of a package that is not the engine's own: what it takes is not known here.
fn is_of_others(class: &str) -> bool {
    class.contains('.')
}

/// What is wrong with a compression.
pub(super) fn compression(engine: Engine, value: &OptionValue) -> Option<String> {
    let OptionValue::Map(map) = value else { return Some(format!("`{value}` is no map.")) };
    match engine.family() {
        Family::Cassandra => cassandra(engine, map),
        Family::Scylla => scylla(map),
        Family::Keyspaces => None,
    }
}

/// A power of two, in KiB.
fn chunk(map: &BTreeMap<String, String>, most: u32) -> Option<String> {
    let (key, text) = ["chunk_length_in_kb", "chunk_length_kb"].iter().find_map(|key| map.get_key_value(*key))?;
    let is_taken = text.parse().is_ok_and(|length: u32| length.is_power_of_two() && length <= most);
    (!is_taken).then(|| format!("`{key}` is a power of two, not `{text}`."))
}

fn cassandra(engine: Engine, map: &BTreeMap<String, String>) -> Option<String> {
    // The spellings of earlier releases, which 5.0 does not take any more.
    let is_4 = engine != Engine::Cassandra50;
    let earlier = |key: &str| is_4 && ["sstable_compression", "chunk_length_kb", "crc_check_chance"].contains(&key);
    if map.is_empty() {
        return None;
    }
    // What is not true is false (run).
    if map.get("enabled").is_some_and(|enabled| !enabled.eq_ignore_ascii_case("true")) {
        return (map.len() > 1).then(|| "With `enabled` other than true there is no other key.".to_owned());
    }
    let class = map.get("class").or_else(|| map.get("sstable_compression").filter(|_| is_4));
    let Some(class) = class else { return Some("The map has no `class`.".to_owned()) };
    if class.is_empty() {
        return map.contains_key("class").then(|| "`class` is empty.".to_owned());
    }
    let class = short_class(class);
    if is_of_others(class) {
        return None;
    }
    let own: &[&str] = match class {
        "LZ4Compressor" => &["lz4_compressor_type", "lz4_high_compressor_level"],
        "ZstdCompressor" => &["compression_level"],
        "SnappyCompressor" | "DeflateCompressor" | "NoopCompressor" => &[],
        _ => return Some(format!("There is no `{class}`.")),
    };
    let common = ["class", "enabled", "chunk_length_in_kb", "min_compress_ratio"];
    let is_known = |key: &str| common.contains(&key) || own.contains(&key) || earlier(key);
    if let Some(key) = map.keys().find(|key| !is_known(key)) {
        return Some(format!("There is no `{key}`."));
    }
    chunk(map, 1 << 20).or_else(|| {
        map.iter().find_map(|(key, text)| {
            let whole = text.parse::<i64>().ok();
            let is_taken = match key.as_str() {
                "min_compress_ratio" => text.parse().is_ok_and(|ratio: f64| ratio >= 1.0 || ratio.total_cmp(&0.0).is_eq()),
                "lz4_compressor_type" => ["fast", "high"].contains(&text.as_str()),
                "lz4_high_compressor_level" => whole.is_some_and(|level| (1..=17).contains(&level)),
                "compression_level" => whole.is_some_and(|level| (-131_072..=22).contains(&level)),
                _ => true,
            };
            (!is_taken).then(|| format!("`{key}` is not `{text}`."))
        })
    })
}

fn scylla(map: &BTreeMap<String, String>) -> Option<String> {
    if map.contains_key("class") {
        return Some("The map has a `class`.".to_owned());
    }
    // `cf_prop_defs.cc`: "Missing sub-option 'sstable_compression'".
    if !map.is_empty() && !map.contains_key("sstable_compression") {
        return Some("The map has no `sstable_compression`.".to_owned());
    }
    let class = map.get("sstable_compression").map_or("", |class| short_class(class));
    let is_strange = is_of_others(class) || class.ends_with("WithDictsCompressor");
    if !["", "DeflateCompressor", "LZ4Compressor", "SnappyCompressor", "ZstdCompressor"].contains(&class) && !is_strange {
        return Some(format!("There is no `{class}`."));
    }
    let has_level = class.starts_with("Zstd") || is_of_others(class);
    chunk(map, 128).or_else(|| {
        map.iter().find_map(|(key, text)| {
            let is_taken = match key.as_str() {
                "sstable_compression" | "chunk_length_in_kb" | "chunk_length_kb" => true,
                "crc_check_chance" => text.parse().is_ok_and(|chance: f64| (0.0..=1.0).contains(&chance)),
                "compression_level" if has_level => text.parse().is_ok_and(|level: i64| (-131_072..=22).contains(&level)),
                _ => is_of_others(class),
            };
            (!is_taken).then(|| format!("There is no `{key}` of `{text}`."))
        })
    })
}
