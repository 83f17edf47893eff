//! Which item of the previous generation is which of the next. Done once for each backend; everything after it works on pairs.

use super::Pair;
use super::properties::Parameters;
use crate::schema::cql;
use crate::schema::dynamodb::{self, GlobalIndex, LocalIndex};
use crate::schema::{Backend, Format, Text, moved};
use std::collections::{BTreeMap, BTreeSet};

/// Two items that are one, or one that has no counterpart. A key is what the item stands under in its generation.
#[derive(Debug)]
pub(super) struct Match<'a, K, T> {
    /// Its key on each side.
    pub(super) keys: Pair<Option<K>>,
    /// The item on each side.
    pub(super) items: Pair<Option<&'a T>>,
}

impl<K: PartialEq, T: PartialEq> Match<'_, K, T> {
    /// Whether it is the same on both sides.
    pub(super) fn is_same(&self) -> bool {
        self.keys.previous == self.keys.next && self.items.previous == self.items.next
    }
}

/// The items of one side that have an identity.
#[derive(Clone, Copy, Debug, Default)]
enum Found<K> {
    #[default]
    None,
    One(K),
    Several,
}

impl<K> Found<K> {
    fn add(&mut self, key: K) {
        *self = if matches!(self, Self::None) { Self::One(key) } else { Self::Several };
    }
}

/// What is not matched yet, and what is.
struct Matching<'a, K, T> {
    previous: BTreeMap<K, &'a T>,
    next: BTreeMap<K, &'a T>,
    matches: Vec<Match<'a, K, T>>,
}

impl<'a, K: Copy + Ord, T> Matching<'a, K, T> {
    fn new(previous: impl Iterator<Item = (K, &'a T)>, next: impl Iterator<Item = (K, &'a T)>) -> Self {
        Self { previous: previous.collect(), next: next.collect(), matches: Vec::new() }
    }

    /// Matches what has the same identity on both sides; None is no identity. Where several have one, none is matched: a
    /// guess would hide a loss.
    fn by<I: Ord>(mut self, previous: impl Fn(K, &T) -> Option<I>, next: impl Fn(K, &T) -> Option<I>) -> Self {
        if self.previous.is_empty() || self.next.is_empty() {
            return self;
        }
        let mut found: BTreeMap<I, Pair<Found<K>>> = BTreeMap::new();
        for (key, item) in &self.previous {
            if let Some(identity) = previous(*key, item) {
                found.entry(identity).or_default().previous.add(*key);
            }
        }
        for (key, item) in &self.next {
            if let Some(identity) = next(*key, item) {
                found.entry(identity).or_default().next.add(*key);
            }
        }
        for pair in found.into_values() {
            if let (Found::One(previous), Found::One(next)) = (pair.previous, pair.next) {
                self.matches.push(Match {
                    keys: Pair { previous: Some(previous), next: Some(next) },
                    items: Pair { previous: self.previous.remove(&previous), next: self.next.remove(&next) },
                });
            }
        }
        self
    }

    /// Matches by an identity that is found in the same way on both sides.
    fn by_same<I: Ord>(self, identity: impl Fn(K, &T) -> Option<I>) -> Self {
        self.by(&identity, &identity)
    }

    /// All items in order of their keys; what is left has no counterpart.
    fn done(mut self) -> Vec<Match<'a, K, T>> {
        self.matches.extend(self.previous.into_iter().map(|(key, item)| Match {
            keys: Pair { previous: Some(key), next: None },
            items: Pair { previous: Some(item), next: None },
        }));
        self.matches.extend(self.next.into_iter().map(|(key, item)| Match {
            keys: Pair { previous: None, next: Some(key) },
            items: Pair { previous: None, next: Some(item) },
        }));
        self.matches.sort_by_key(|found| (found.keys.next.or(found.keys.previous), found.keys.previous));
        self.matches
    }
}

fn entries<'a, T: 'a>(items: impl IntoIterator<Item = (&'a String, &'a T)>) -> impl Iterator<Item = (&'a str, &'a T)> {
    items.into_iter().map(|(key, item)| (key.as_str(), item))
}

/// The identity of a physical name: its value where that is known, else the expression.
fn physical(name: Option<&Text>, parameters: &Parameters) -> Option<(bool, String)> {
    let name = name?;
    Some(name.in_force(parameters).map_or_else(|| (false, name.to_string()), |value| (true, value)))
}

/// Tables of DynamoDB: by what the format knows them by, then by physical name, then by key, then, without a name, by all that
/// they are.
pub(super) fn tables<'a>(
    backend: Backend,
    pair: Pair<&'a dynamodb::Schema>,
    moves: &Moves<'_>,
) -> Vec<Match<'a, &'a str, dynamodb::Table>> {
    let terraform = backend.format() == Format::Terraform;
    let label = |table: &dynamodb::Table| {
        let label = if terraform { &table.terraform_name } else { &table.logical_id };
        (!label.is_empty()).then(|| label.clone())
    };
    let followed = |label: String| if terraform { moves.follow(&label).to_owned() } else { label };
    Matching::new(entries(&pair.previous.tables), entries(&pair.next.tables))
        .by(|_, table| label(table).map(followed), |_, table| label(table))
        .by(
            |_, table| physical(table.name.as_ref(), &pair.previous.parameters),
            |_, table| physical(table.name.as_ref(), &pair.next.parameters),
        )
        .by_same(|key, _| Some(key))
        .by_same(|_, table| table.name.is_none().then(|| definition(table)))
        .done()
}

/// All that a table is but what a format knows it by.
fn definition(table: &dynamodb::Table) -> String {
    let known_by = dynamodb::Table { terraform_name: String::new(), logical_id: String::new(), ..table.clone() };
    serde_json::to_string(&known_by).unwrap_or_default()
}

/// Where `moved` blocks carry Terraform labels.
#[derive(Debug)]
pub(super) struct Moves<'a> {
    moved: &'a BTreeMap<String, String>,
    in_use: BTreeSet<&'a str>,
}

impl<'a> Moves<'a> {
    /// The moves of a generation.
    pub(super) fn of(next: &'a dynamodb::Schema) -> Self {
        let labels = next.tables.values().map(|table| table.terraform_name.as_str());
        Self { moved: &next.moved, in_use: if next.moved.is_empty() { BTreeSet::new() } else { labels.collect() } }
    }

    /// The label that a previous one has become. A block whose `from` is in use again moves nothing.
    pub(super) fn follow<'l>(&'l self, label: &'l str) -> &'l str {
        let mut chain = moved::chain(self.moved, label);
        let at_last = chain.clone().last();
        chain.find(|at| self.in_use.contains(at)).or(at_last).unwrap_or(label)
    }
}

/// Global indexes: by name, then by key, then by what they are.
pub(super) fn global_indexes(pair: Pair<&dynamodb::Table>) -> Vec<Match<'_, &str, GlobalIndex>> {
    Matching::new(entries(&pair.previous.global_indexes), entries(&pair.next.global_indexes))
        .by_same(|_, index| Some(index.name.clone()))
        .by_same(|key, _| Some(key))
        .by_same(|_, index| Some((index.partition_key.0.clone(), index.sort_key.0.clone(), shape(&index.projection))))
        .done()
}

/// Local indexes, likewise.
pub(super) fn local_indexes(pair: Pair<&dynamodb::Table>) -> Vec<Match<'_, &str, LocalIndex>> {
    Matching::new(entries(&pair.previous.local_indexes), entries(&pair.next.local_indexes))
        .by_same(|_, index| Some(index.name.clone()))
        .by_same(|key, _| Some(key))
        .by_same(|_, index| Some((index.sort_key.clone(), shape(&index.projection))))
        .done()
}

fn shape(projection: &dynamodb::Projection) -> String {
    serde_json::to_string(projection).unwrap_or_default()
}

/// Keyspaces as what tables and types are in: by name, then by what the tool knows them by; the only one that left is the only one
/// that came when they have a table in common.
pub(super) fn keyspaces(backend: Backend, pair: Pair<&cql::Schema>) -> Vec<Match<'_, &str, cql::Keyspace>> {
    with_tables_in_common(by_label(backend, all_keyspaces(pair).by_same(|name, _| Some(name))))
}

/// Keyspaces as what is made: a resource stays the same under another name, and what names the keyspace itself stays behind.
pub(super) fn made_keyspaces(backend: Backend, pair: Pair<&cql::Schema>) -> Vec<Match<'_, &str, cql::Keyspace>> {
    with_tables_in_common(by_label(backend, all_keyspaces(pair)).by_same(|name, _| Some(name)))
}

type Keyspaces<'a> = Matching<'a, &'a str, cql::Keyspace>;

fn all_keyspaces(pair: Pair<&cql::Schema>) -> Keyspaces<'_> {
    Matching::new(entries(&pair.previous.keyspaces), entries(&pair.next.keyspaces))
}

fn by_label(backend: Backend, matching: Keyspaces<'_>) -> Keyspaces<'_> {
    matching.by_same(|_, keyspace| keyspace.managed.name(backend).map(ToOwned::to_owned))
}

fn with_tables_in_common(matching: Keyspaces<'_>) -> Vec<Match<'_, &str, cql::Keyspace>> {
    let in_common = {
        let tables = |keyspaces: &BTreeMap<&str, &cql::Keyspace>| -> Vec<String> {
            keyspaces.values().flat_map(|keyspace| keyspace.tables.keys().cloned()).collect()
        };
        let next = tables(&matching.next);
        tables(&matching.previous).iter().any(|table| next.contains(table))
    };
    matching.by_same(|_, _| in_common.then_some(())).done()
}

/// Tables of all keyspaces, by keyspace and key. `renamed` gives the next name of a previous keyspace.
pub(super) fn cql_tables<'a>(
    pair: Pair<&'a cql::Schema>,
    renamed: &BTreeMap<&'a str, &'a str>,
) -> Vec<Match<'a, (&'a str, &'a str), cql::Table>> {
    fn all(schema: &cql::Schema) -> impl Iterator<Item = ((&str, &str), &cql::Table)> {
        entries(&schema.keyspaces)
            .flat_map(|(keyspace, of)| entries(&of.tables).map(move |(key, table)| ((keyspace, key), table)))
    }
    let keyspace = |name: &'a str| renamed.get(name).copied().unwrap_or(name);
    Matching::new(all(pair.previous), all(pair.next))
        .by(|(in_, _), table| Some((keyspace(in_), table.name.clone())), |(in_, _), table| Some((in_, table.name.clone())))
        .by(|(in_, key), _| Some((keyspace(in_), key)), |(in_, key), _| Some((in_, key)))
        .by_same(|_, table| Some((table.name.clone(), table.partition_key.clone())))
        .done()
}

/// User types: by name, then by their fields.
pub(super) fn types<'a>(pair: Pair<Option<&'a cql::Keyspace>>) -> Vec<Match<'a, &'a str, cql::UserType>> {
    let of = |keyspace: Option<&'a cql::Keyspace>| keyspace.into_iter().flat_map(|keyspace| entries(&keyspace.types));
    Matching::new(of(pair.previous), of(pair.next)).by_same(|name, _| Some(name)).by_same(|_, of| Some(of.fields.clone())).done()
}

/// Secondary indexes: by name, then by what they are.
pub(super) fn cql_indexes(pair: Pair<&cql::Table>) -> Vec<Match<'_, &str, cql::Index>> {
    Matching::new(entries(&pair.previous.indexes), entries(&pair.next.indexes))
        .by_same(|name, _| Some(name))
        .by_same(|_, index| serde_json::to_string(index).ok())
        .done()
}

/// Materialized views, likewise.
pub(super) fn views(pair: Pair<&cql::Table>) -> Vec<Match<'_, &str, cql::View>> {
    Matching::new(entries(&pair.previous.views), entries(&pair.next.views))
        .by_same(|name, _| Some(name))
        .by_same(|_, view| serde_json::to_string(view).ok())
        .done()
}
