//! Random CQL schemas that an engine takes, with names and texts that need care.
//!
//! Left out is what Cassandra 5.0.9 itself gets wrong when it describes a schema: a user type with the name of a native one is
//! printed without its quotes, and so is a quote inside a text of a view's WHERE. The name of a user type that is not ASCII is
//! sent to clients as no UTF-8, and they hang up. An index on a column with a line end in its name is refused.
//!
//! A schema is made of a list of choices: a property test shrinks the list, and the same list always gives the same schema.

#![expect(clippy::indexing_slicing, reason = "a test")]

#[path = "cql_values.rs"]
mod cql_values;

use cql_values::{KEYS, NAMES, TEXTS, WORDS};
pub(crate) use cql_values::{OPTIONS, OTHERS};
use nosql_gen::schema::cql::engine::{CompactionClass, Feature, Kind, SubOption, compaction_options};
use nosql_gen::schema::cql::{Clustering, Column, Index, Keyspace, OptionValue, Schema, Table, Type, UserType, View, identifier};
use nosql_gen::schema::{Engine, Family};
use std::collections::{BTreeMap, BTreeSet};

/// Choices, one after the other; zero when they run out.
pub(crate) struct Choices<'a> {
    rest: &'a [u16],
    pub(crate) engine: Engine,
}

impl<'a> Choices<'a> {
    pub(crate) fn new(engine: Engine, choices: &'a [u16]) -> Self {
        Self { rest: choices, engine }
    }

    pub(crate) fn has(&self, feature: Feature) -> bool {
        feature.lacking_on(self.engine).is_none()
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let Some((first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        usize::from(*first) % limit.max(1)
    }

    pub(crate) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == chances - 1
    }

    pub(crate) fn of<'b, T: ?Sized>(&mut self, values: &[&'b T]) -> &'b T {
        values[self.below(values.len())]
    }

    /// One of some types that the engine has; `text` for one that it has not.
    pub(crate) fn kind(&mut self, kinds: &[&str]) -> Type {
        let kind = self.of(kinds);
        let lacks = |word: &str, feature| kind.contains(word) && !self.has(feature);
        parse(if lacks("vector", Feature::Vector) || lacks("duration", Feature::Duration) { "text" } else { kind })
    }

    /// A name that is not taken yet.
    pub(crate) fn name(&mut self, names: &[&str], taken: &mut BTreeSet<String>) -> String {
        let base = self.of(names);
        let mut name = base.to_owned();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}{number}");
        }
        name
    }
}

/// The schema of a list of choices.
pub(crate) fn schema(engine: Engine, choices: &[u16]) -> Schema {
    let mut choices = Choices::new(engine, choices);
    let name = choices.of(WORDS).to_owned();
    let keyspace = keyspace(&mut choices, &name);
    Schema { keyspaces: [(name, keyspace)].into(), ..Schema::default() }
}

/// Choices from a seed, the same on every machine.
#[allow(dead_code, reason = "not every test that uses this module samples")]
pub(crate) fn choices(seed: u64) -> Vec<u16> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u16::try_from(state >> 48).unwrap()
    };
    std::iter::repeat_with(next).take(400).collect()
}

fn keyspace(choices: &mut Choices, name: &str) -> Keyspace {
    let replication =
        [[("class", "SimpleStrategy"), ("replication_factor", "1")], [("class", "NetworkTopologyStrategy"), ("dc1", "1")]];
    let replication: &[(&str, &str)] = match choices.engine.family() {
        Family::Keyspaces => &[("class", "SingleRegionStrategy")],
        _ => &replication[choices.below(2)],
    };
    let mut keyspace = Keyspace {
        replication: replication.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
        durable_writes: [None, Some(true), Some(false)][choices.below(3)],
        ..Keyspace::default()
    };
    if choices.has(Feature::Tablets) && choices.one_in(3) {
        keyspace.options.insert("tablets".to_owned(), value(choices.of(&["{'enabled': 'true'}", "{'enabled': 'false'}"])));
    }
    let mut type_names = BTreeSet::new();
    for _ in 0..choices.below(4) {
        let user = user_type(choices, &keyspace);
        let name = choices.name(NAMES, &mut type_names);
        if name.is_ascii() && !matches!(Type::parse(&name), Some(Type::Native(native)) if native == name) {
            keyspace.types.insert(name, user);
        }
    }
    let mut table_names = BTreeSet::new();
    let mut index_names = BTreeSet::new();
    for number in 0..=choices.below(3) {
        let table_name = choices.name(WORDS, &mut table_names);
        let mut table = table(choices, &keyspace, table_name);
        let counters = table.columns.values().any(|column| column.kind.to_string() == "counter");
        if !counters {
            indexes(choices, &mut table, &mut index_names);
            if choices.has(Feature::View) && choices.one_in(2) {
                let view = view(choices, &table);
                table.views.insert(choices.name(WORDS, &mut table_names), view);
            }
        }
        // The model's key of a table is another than its name.
        keyspace.tables.insert(format!("key {number}"), table);
    }
    if choices.engine.family() == Family::Cassandra && choices.one_in(4) {
        let text = format!(
            "CREATE FUNCTION {}.plus_one(x int) RETURNS NULL ON NULL INPUT RETURNS int LANGUAGE java AS 'return x + 1;'",
            identifier(name)
        );
        keyspace.extra.insert("function plus_one(int)".to_owned(), text);
    }
    keyspace
}

pub(crate) fn parse(text: &str) -> Type {
    Type::parse(text).unwrap()
}

fn frozen(name: &str) -> Type {
    Type::Frozen(Box::new(Type::User(name.to_owned())))
}

/// A user type of the keyspace, or another type.
fn key_type(choices: &mut Choices, keyspace: &Keyspace) -> Type {
    let users: Vec<&String> = keyspace.types.keys().collect();
    if !users.is_empty() && choices.one_in(5) { frozen(users[choices.below(users.len())]) } else { choices.kind(KEYS) }
}

fn user_type(choices: &mut Choices, keyspace: &Keyspace) -> UserType {
    let mut taken = BTreeSet::new();
    let fields = (0..=choices.below(3)).map(|_| {
        let name = choices.name(NAMES, &mut taken);
        (name, key_type(choices, keyspace))
    });
    UserType { fields: fields.collect(), ..UserType::default() }
}

pub(crate) fn table(choices: &mut Choices, keyspace: &Keyspace, name: String) -> Table {
    let mut table = Table { name, kept: choices.one_in(6), ..Table::default() };
    let mut taken = BTreeSet::new();
    let column = |kind: Type, is_static: bool| Column { kind, is_static, extra: None };
    for _ in 0..=choices.below(3) {
        let name = choices.name(NAMES, &mut taken);
        table.columns.insert(name.clone(), column(key_type(choices, keyspace), false));
        table.partition_key.push(name);
    }
    for _ in 0..choices.below(4) {
        let name = choices.name(NAMES, &mut taken);
        table.columns.insert(name.clone(), column(key_type(choices, keyspace), false));
        table.clustering.push(Clustering { column: name, descending: choices.one_in(2) });
    }
    let counters = choices.one_in(6);
    let users: Vec<&String> = keyspace.types.keys().collect();
    for number in 0..choices.below(7) + usize::from(counters) {
        let name = choices.name(NAMES, &mut taken);
        let kind = match choices.below(4) {
            _ if counters => parse("counter"),
            0 if !users.is_empty() => Type::User(users[choices.below(users.len())].clone()),
            1 => key_type(choices, keyspace),
            _ => choices.kind(OTHERS),
        };
        let is_static = !table.clustering.is_empty() && number > 0 && choices.one_in(4);
        let mut column = column(kind, is_static);
        if !counters && choices.engine == Engine::Cassandra50 && choices.one_in(8) {
            column.extra = Some("MASKED WITH mask_default()".to_owned());
        }
        table.columns.insert(name, column);
    }
    table.options = options(choices);
    if counters && choices.engine.family() == Family::Scylla {
        table.options.remove("cdc");
    }
    if !counters && choices.one_in(3) {
        table.options.insert("default_time_to_live".to_owned(), OptionValue::Number("3600".to_owned()));
    }
    table
}

pub(crate) fn options(choices: &mut Choices) -> BTreeMap<String, OptionValue> {
    let known: Vec<_> = OPTIONS.iter().filter(|(_, engines, _)| engines.contains(&choices.engine)).collect();
    let mut options = BTreeMap::new();
    for _ in 0..choices.below(5) {
        let (name, _, values) = known[choices.below(known.len())];
        options.insert((*name).to_owned(), value(choices.of(values)));
    }
    let strategies = strategies(choices.engine);
    if !strategies.is_empty() && choices.one_in(3) {
        let class = strategies[choices.below(strategies.len())];
        options.insert("compaction".to_owned(), compaction(choices, class));
    }
    if choices.one_in(2) {
        options.insert("comment".to_owned(), OptionValue::Text(choices.of(TEXTS).to_owned()));
    }
    options
}

/// The compaction strategies of an engine.
pub(crate) fn strategies(engine: Engine) -> Vec<CompactionClass> {
    CompactionClass::ALL.into_iter().filter(|class| class.is_on(engine)).collect()
}

/// A strategy, mostly with one of its own keys.
fn compaction(choices: &mut Choices, class: CompactionClass) -> OptionValue {
    let mut map = BTreeMap::from([("class".to_owned(), class.class().to_owned())]);
    let keys: Vec<SubOption> =
        compaction_options(class).into_iter().filter(|key| key.engines.contains(&choices.engine)).collect();
    if choices.below(5) > 0 {
        let key = keys[choices.below(keys.len())];
        map.insert(key.name.to_owned(), sub_value(key));
    }
    OptionValue::Map(map)
}

/// A value that is not the default and that goes with the defaults of the other keys.
fn sub_value(key: SubOption) -> String {
    match (key.name, key.kind) {
        ("enabled", _) => "false".to_owned(),
        ("max_threshold" | "max_sstables_to_compact", _) => "40".to_owned(),
        ("bucket_high", _) => "1.7".to_owned(),
        ("bucket_low", _) => "0.4".to_owned(),
        ("space_amplification_goal", _) => "1.5".to_owned(),
        ("compaction_window_unit", _) => "HOURS".to_owned(),
        ("target_sstable_size", _) => "512MiB".to_owned(),
        (_, Kind::Bool) => "true".to_owned(),
        (_, Kind::Integer(..)) => "6".to_owned(),
        (_, Kind::Decimal(..) | Kind::Share) => "0.25".to_owned(),
        (_, Kind::Word(words) | Kind::AnyCase(words)) => (*words.last().unwrap()).to_owned(),
        (_, Kind::Size(_)) => "64MiB".to_owned(),
        (_, Kind::Scaling) => "T4, L8, N".to_owned(),
    }
}

/// A value from its CQL, or from JSON.
fn value(text: &str) -> OptionValue {
    let unquoted = |text: &str| text.trim().trim_matches('\'').replace("''", "'");
    if text.starts_with("{\"") {
        return serde_json::from_str(text).unwrap();
    }
    if let Some(entries) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let entries = entries.split(", '").map(|entry| entry.split_once("': ").unwrap());
        return OptionValue::Map(entries.map(|(key, value)| (unquoted(key), unquoted(value))).collect());
    }
    match text {
        "true" | "false" => OptionValue::Bool(text == "true"),
        _ if text.starts_with('\'') => OptionValue::Text(unquoted(text)),
        _ => OptionValue::Number(text.to_owned()),
    }
}

pub(crate) fn indexes(choices: &mut Choices, table: &mut Table, taken: &mut BTreeSet<String>) {
    if !choices.has(Feature::SecondaryIndex) {
        return;
    }
    let plain = |name: &str| name.chars().all(|next| next.is_ascii_alphanumeric() || next == '_');
    let columns: Vec<(String, String)> = table
        .columns
        .iter()
        .filter(|(name, column)| !table.is_key(name) && !column.is_static && column.extra.is_none() && !name.contains('\n'))
        .map(|(name, column)| (name.clone(), column.kind.to_string()))
        .collect();
    for (column, kind) in columns {
        if !choices.one_in(2) {
            continue;
        }
        let (target, using): (Option<&str>, Option<&str>) = match kind.as_str() {
            "map<text, int>" => (choices.of(&[&Some("keys"), &Some("values"), &Some("entries"), &None]).to_owned(), None),
            "frozen<list<int>>" => (Some("full"), None),
            "text" | "int" | "double" if choices.has(Feature::AttachedIndex) && plain(&column) => {
                (None, choices.of(&[&None, &Some("sai")]).to_owned())
            }
            "text" | "int" | "double" | "uuid" | "varint" | "inet" | "list<text>" | "set<uuid>" => (None, None),
            _ => continue,
        };
        let is_value = !kind.contains('<');
        let mut index = Index { column, target: target.map(str::to_owned), using: using.map(str::to_owned), ..Index::default() };
        if using.is_some() && kind == "text" {
            index.options.insert("case_sensitive".to_owned(), choices.of(&["true", "false"]).to_owned());
            index.options.insert("normalize".to_owned(), "true".to_owned());
        }
        if is_value && choices.has(Feature::LocalIndex) && choices.one_in(3) {
            index.local.clone_from(&table.partition_key);
        }
        table.indexes.insert(choices.name(WORDS, taken), index);
    }
}

pub(crate) fn view(choices: &mut Choices, table: &Table) -> View {
    let mut keys: Vec<String> =
        table.partition_key.iter().cloned().chain(table.clustering.iter().map(|key| key.column.clone())).collect();
    let regular = |kinds: &[&str]| {
        let of_kind = table.columns.iter().filter(|(name, column)| {
            !table.is_key(name)
                && !column.is_static
                && column.extra.is_none()
                && kinds.contains(&column.kind.to_string().as_str())
        });
        of_kind.map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    let candidates = regular(&["text", "int", "uuid", "double", "varint", "timestamp"]);
    if !candidates.is_empty() && choices.one_in(2) {
        keys.insert(choices.below(keys.len() + 1), candidates[choices.below(candidates.len())].clone());
    }
    let by = choices.below(keys.len());
    keys.rotate_left(by);
    let clustering = keys.split_off(1 + choices.below(keys.len()));
    let mut view = View {
        partition_key: keys,
        clustering: clustering.into_iter().map(|column| Clustering { column, descending: choices.one_in(2) }).collect(),
        options: options(choices),
        ..View::default()
    };
    if choices.engine.family() == Family::Scylla {
        view.options.remove("cdc");
        if choices.one_in(3) {
            view.options.insert("synchronous_updates".to_owned(), OptionValue::Bool(choices.one_in(2)));
        }
    }
    // A static column cannot be in a view, not even through `*`.
    let statics = table.columns.values().any(|column| column.is_static);
    if statics || choices.one_in(2) {
        let mut columns: Vec<String> = regular(&["text", "int", "list<text>", "map<text, int>", "double"]);
        columns.truncate(choices.below(4));
        view.columns = Some(columns);
    }
    for key in table.columns.keys().filter(|name| table.is_key(name)) {
        let value = match table.columns[key].kind.to_string().as_str() {
            "int" => "= 5",
            "text" => "= 'a; b'",
            _ => continue,
        };
        if choices.one_in(4) {
            view.filter.push(format!("{} {value}", identifier(key)));
        }
    }
    view.filter.sort();
    view
}
