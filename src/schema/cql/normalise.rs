//! What "equal" means for one engine: the many spellings of one thing become one, and what the engine takes for granted is
//! left out. `DESCRIBE` of a schema and the statements that made it have the same normal form.

use super::{Column, Index, Keyspace, OptionValue, Schema, Table, Type, View, defaults};
use crate::schema::{Engine, Family};
use std::collections::BTreeMap;

/// A class without the packages in which the engines look for it.
#[must_use]
pub fn short_class(class: &str) -> &str {
    const PACKAGES: [&str; 3] =
        ["org.apache.cassandra.db.compaction.", "org.apache.cassandra.io.compress.", "org.apache.cassandra.locator."];
    PACKAGES.iter().find_map(|package| class.strip_prefix(package)).unwrap_or(class)
}

/// The class of an index as the schema holds it: all spellings of SAI are `sai`, the legacy index is None.
#[must_use]
pub fn index_class(class: &str) -> Option<String> {
    let sai = ["sai", "storageattachedindex", "org.apache.cassandra.index.sai.storageattachedindex"];
    let lower = class.to_lowercase();
    match lower.as_str() {
        "legacy_local_table" => None,
        name if sai.contains(&name) => Some("sai".to_owned()),
        _ => Some(class.to_owned()),
    }
}

impl Schema {
    /// The normal form for an engine. Two schemas mean the same to it when their normal forms are equal.
    #[must_use]
    pub fn normalise(&self, engine: Engine) -> Self {
        let keyspaces = self.keyspaces.iter().map(|(name, keyspace)| (name.clone(), keyspace.normalise(engine)));
        Self { keyspaces: keyspaces.collect(), ..self.clone() }
    }

    /// The schema, which is as it is written, in the words of the schema that was written: tables under their keys there.
    #[must_use]
    pub fn in_words_of(mut self, own: &Self) -> Self {
        for (name, keyspace) in &mut self.keyspaces {
            let known = own.keyspaces.get(name).into_iter().flat_map(|known| &known.tables);
            let keys: BTreeMap<&str, &String> = known.rev().map(|(key, table)| (table.name.as_str(), key)).collect();
            keyspace.tables = std::mem::take(&mut keyspace.tables)
                .under(|name, _| keys.get(name.as_str()).map_or_else(|| name.clone(), |key| (*key).clone()));
        }
        self
    }

    /// What statements can say of it: tables by their own names; no parameters, no memory of dropped columns or of tables
    /// that left the model. This is what reading the schema's text gives back.
    #[must_use]
    pub fn as_written(&self) -> Self {
        let mut written = self.clone();
        written.parameters.clear();
        for keyspace in written.keyspaces.values_mut() {
            keyspace.tables.replace(|table| {
                let remembers = table.kept || !table.dropped.is_empty();
                remembers.then(|| Table { dropped: BTreeMap::new(), kept: false, ..table.clone() })
            });
            keyspace.tables = std::mem::take(&mut keyspace.tables).under(|_, table| table.name.clone());
        }
        written
    }
}

impl Keyspace {
    fn normalise(&self, engine: Engine) -> Self {
        let mut keyspace = self.clone();
        if let Some(class) = keyspace.replication.get_mut("class") {
            *class = short_class(class).to_owned();
            if class == "NetworkTopologyStrategy" {
                keyspace.replication.retain(|_, replicas| replicas != "0");
            }
        }
        keyspace.durable_writes = keyspace.durable_writes.filter(|durable| !durable);
        for (_, kind) in keyspace.types.values_mut().flat_map(|of| &mut of.fields) {
            *kind = kind.canonical();
        }
        keyspace.tables.replace(|table| table.other_form(engine));
        keyspace
    }
}

impl Table {
    /// The normal form, where it is another.
    fn other_form(&self, engine: Engine) -> Option<Self> {
        let is_canonical = |column: &Column| matches!(column.kind, Type::Native(_)) || column.kind == column.kind.canonical();
        let columns = self.columns.values().chain(self.dropped.values()).all(is_canonical);
        let options = options(engine, &self.options);
        let mut indexes = self.indexes.clone();
        indexes.replace(|index| index.other_form(self.columns.get(&index.column).map(|column| &column.kind)));
        let mut views = self.views.clone();
        views.replace(|view| view.other_form(engine));
        if columns && options == self.options && indexes == self.indexes && views == self.views {
            return None;
        }
        let mut table = Self { options, indexes, views, ..self.clone() };
        for column in table.columns.values_mut().chain(table.dropped.values_mut()) {
            column.kind = column.kind.canonical();
        }
        Some(table)
    }
}

impl Index {
    /// The normal form of an index on a column of a type, where it is another.
    fn other_form(&self, kind: Option<&Type>) -> Option<Self> {
        let mut index = self.clone();
        index.using = index.using.as_deref().and_then(index_class);
        // An index on a collection that does not say what of it is one on its values.
        if index.target.is_none() && kind.is_some_and(Type::is_multi_cell_collection) {
            index.target = Some("values".to_owned());
        }
        if index.using.as_deref() == Some("sai") {
            index.options.retain(|key, value| !defaults::sai(key).is_some_and(|default| default.eq_ignore_ascii_case(value)));
        }
        (index != *self).then_some(index)
    }
}

impl View {
    fn other_form(&self, engine: Engine) -> Option<Self> {
        let mut view = self.clone();
        let keys = self.partition_key.iter().chain(self.clustering.iter().map(|key| &key.column));
        if let Some(columns) = &mut view.columns {
            columns.extend(keys.cloned());
            columns.sort();
            columns.dedup();
        }
        view.filter.sort();
        view.filter.dedup();
        view.options = options(engine, &self.options);
        (view != *self).then_some(view)
    }
}

/// Options of a table or view without those that say what the engine takes anyway.
fn options(engine: Engine, options: &BTreeMap<String, OptionValue>) -> BTreeMap<String, OptionValue> {
    let mut normal = BTreeMap::new();
    for (name, value) in options {
        // Cassandra 4 also takes this one inside the compression map.
        if let (Family::Cassandra, "compression", OptionValue::Map(map)) = (engine.family(), name.as_str(), value)
            && let Some(chance) = map.get("crc_check_chance")
        {
            normal.insert("crc_check_chance".to_owned(), number(&OptionValue::Text(chance.clone())));
        }
        if !defaults::takes_no_notice(engine, name) {
            normal.insert(name.clone(), value_of(engine, name, value));
        }
    }
    let leveled = matches!(normal.get("compaction"), Some(OptionValue::Map(map))
        if map.get("class").is_some_and(|class| class == "LeveledCompactionStrategy"));
    normal.retain(|name, value| {
        let says_nothing = matches!(value, OptionValue::Nested(map) if map.is_empty());
        defaults::option(engine, name, leveled).as_ref() != Some(&*value) && !says_nothing
    });
    normal
}

/// The normal form of one option's value.
fn value_of(engine: Engine, name: &str, value: &OptionValue) -> OptionValue {
    match (name, value) {
        (
            "gc_grace_seconds"
            | "default_time_to_live"
            | "memtable_flush_period_in_ms"
            | "min_index_interval"
            | "max_index_interval"
            | "paxos_grace_seconds"
            | "bloom_filter_fp_chance"
            | "crc_check_chance",
            _,
        ) => number(value),
        ("cdc", OptionValue::Map(map)) => OptionValue::Map(change_capture(map)),
        ("allow_auto_snapshot" | "cdc" | "compact_storage" | "incremental_backups" | "synchronous_updates", _) => boolean(value),
        ("comment" | "memtable", _) => value.scalar().map_or_else(|| value.clone(), OptionValue::Text),
        ("read_repair", OptionValue::Text(text)) => OptionValue::Text(text.to_uppercase()),
        ("speculative_retry" | "additional_write_policy", OptionValue::Text(text)) => OptionValue::Text(retry(text)),
        ("caching", OptionValue::Map(map)) => OptionValue::Map(caching(engine, map)),
        ("compaction", OptionValue::Map(map)) => OptionValue::Map(compaction(engine, map)),
        ("custom_properties" | "autoscaling_settings", OptionValue::Nested(map)) => {
            let said = map.iter().filter(|(entry, value)| defaults::entry(engine, name, entry).as_ref() != Some(*value));
            OptionValue::Nested(said.map(|(name, value)| (name.clone(), value.clone())).collect())
        }
        ("compression", OptionValue::Map(map)) => OptionValue::Map(compression(engine, map)),
        _ => value.clone(),
    }
}

/// `1`, `1.0` and `'1'` are one number.
fn number(value: &OptionValue) -> OptionValue {
    match value.scalar().and_then(|text| text.trim().parse::<f64>().ok()).filter(|number| number.is_finite()) {
        Some(number) => OptionValue::Number(number.to_string()),
        None => value.clone(),
    }
}

fn boolean(value: &OptionValue) -> OptionValue {
    match value.scalar().map(|text| text.to_lowercase()).as_deref() {
        Some("true" | "1" | "yes") => OptionValue::Bool(true),
        Some("false" | "0" | "no") => OptionValue::Bool(false),
        _ => value.clone(),
    }
}

/// ScyllaDB's change capture, as `cdc::options` reads it (`cdc/log.cc`): keys and words in any case, 1 and 0 for true and false,
/// defaults for what is not said, and off is off whatever the others say.
fn change_capture(map: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let read = |(key, value): (&String, &String)| {
        let (key, value) = (key.to_lowercase(), value.to_lowercase());
        let value = match (key.as_str(), value.as_str()) {
            ("delta", _) => value,
            ("ttl", _) => value.trim().parse().map_or(value, |seconds: u32| seconds.to_string()),
            (_, "1") => "true".to_owned(),
            (_, "0") => "false".to_owned(),
            _ => value,
        };
        (key, value)
    };
    let mut normal: BTreeMap<String, String> = map.iter().map(read).collect();
    let is_off = normal.entry("enabled".to_owned()).or_insert_with(|| "false".to_owned()) == "false";
    normal.retain(|key, value| match (key.as_str(), value.as_str()) {
        ("enable_requested" | "postimage" | "preimage" | "tablet_merge_blocked", "false")
        | ("delta", "full")
        | ("ttl", "86400") => false,
        ("preimage", "true" | "full") | ("postimage", "true") | ("delta", "keys") => !is_off,
        ("ttl", seconds) => !is_off || seconds.parse::<u32>().is_err(),
        _ => true,
    });
    normal
}

/// `99PERCENTILE`, `99.0percentile` and `99p` are one; `1.5ms` is cut to `1ms`; `NONE` is `NEVER`.
fn retry(text: &str) -> String {
    let upper = text.trim().to_uppercase();
    for function in ["MIN", "MAX"] {
        let arguments = upper.strip_prefix(function).map(str::trim_start).and_then(|rest| rest.strip_prefix('('));
        if let Some(arguments) = arguments.and_then(|rest| rest.strip_suffix(')')) {
            let mut arguments: Vec<String> = arguments.split(',').map(retry).collect();
            arguments.sort_by_key(|argument| argument.ends_with("ms"));
            return format!("{function}({})", arguments.join(","));
        }
    }
    let number = |suffix: &str| upper.strip_suffix(suffix).and_then(|number| number.trim().parse::<f64>().ok());
    if let Some(percentile) = number("PERCENTILE").or_else(|| number("P")) {
        format!("{percentile}p")
    } else if let Some(milliseconds) = number("MS") {
        format!("{}ms", milliseconds.trunc())
    } else if upper == "NONE" {
        "NEVER".to_owned()
    } else {
        upper
    }
}

/// Cassandra takes a key that is missing from a map that is there for NONE. ScyllaDB only looks at `enabled` and keeps the other
/// two, ALL where they are missing (`caching_options.hh`).
fn caching(engine: Engine, map: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    if engine.family() == Family::Scylla {
        let default = |key: &str| if key == "enabled" { "TRUE" } else { "ALL" };
        let said = map.iter().map(|(key, value)| (key.clone(), value.to_uppercase()));
        return said.filter(|(key, value)| value != default(key)).collect();
    }
    let mut normal: BTreeMap<String, String> = map
        .iter()
        .map(|(key, value)| (key.clone(), if value == "0" { "NONE".to_owned() } else { value.to_uppercase() }))
        .collect();
    for key in ["keys", "rows_per_partition"] {
        normal.entry(key.to_owned()).or_insert_with(|| "NONE".to_owned());
    }
    normal
}

fn compaction(engine: Engine, map: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let class = map.get("class").map_or("", |class| short_class(class)).to_owned();
    map.iter()
        .filter(|(key, value)| !defaults::compaction(engine, &class, key).is_some_and(|default| same(default, value)))
        .map(|(key, value)| (key.clone(), if key == "class" { class.clone() } else { value.clone() }))
        .collect()
}

fn compression(engine: Engine, map: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let cassandra = engine.family() == Family::Cassandra;
    let mut normal = BTreeMap::new();
    for (key, value) in map {
        let key = match key.as_str() {
            "sstable_compression" if cassandra => "class",
            "chunk_length_kb" => "chunk_length_in_kb",
            "crc_check_chance" if cassandra => continue,
            key => key,
        };
        let value = if ["class", "sstable_compression"].contains(&key) { short_class(value) } else { value };
        if !defaults::compression(engine, key).is_some_and(|default| same(default, value)) {
            normal.insert(key.to_owned(), value.to_owned());
        }
    }
    if !cassandra {
        // Nothing else is looked at where there is no compressor (ScyllaDB `compress.cc`).
        let off = map.is_empty() || normal.get("sstable_compression").is_some_and(String::is_empty);
        return if off { BTreeMap::from([("sstable_compression".to_owned(), String::new())]) } else { normal };
    }
    // That it is enabled is taken for granted; any other word than true says that it is not (run).
    let off = normal.is_empty() || normal.get("class").is_some_and(String::is_empty) || normal.contains_key("enabled");
    if off { BTreeMap::from([("enabled".to_owned(), "false".to_owned())]) } else { normal }
}

/// Whether two texts are one number or one word.
fn same(left: &str, right: &str) -> bool {
    match (left.parse::<f64>(), right.parse::<f64>()) {
        (Ok(left), Ok(right)) => left.total_cmp(&right).is_eq(),
        _ => left.eq_ignore_ascii_case(right),
    }
}
