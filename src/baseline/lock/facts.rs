//! Schemas as facts: what the lock writes. What holds for every backend of a store is one fact; a backend that differs has one
//! of its own.

use super::flat::flat;
use super::path::{Key, written};
use crate::schema::{Backend, Generation, Schema, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A fact as the lock names it.
#[derive(Debug, PartialEq)]
pub(super) struct Fact {
    /// `dynamodb.orders.partition_key`
    pub(super) name: String,
    /// The one backend it is for when it is not for all.
    pub(super) backend: Option<Backend>,
    /// What it says, as JSON: the same value is always the same text. `null`: the backend lacks what the others have.
    pub(super) value: String,
}

/// What a backend says that lacks what others have.
pub(super) const NOTHING: &str = "null";

/// All facts of a generation, by name. `keyspaces`: there are several.
pub(super) fn facts(generation: &Generation, keyspaces: bool) -> Vec<Fact> {
    let alike = alike(generation);
    let mut told: Vec<(String, Option<Store>, usize, String)> = Vec::new();
    for (number, (schema, _)) in alike.iter().enumerate() {
        facts_of(schema, keyspaces, |name, store, value| told.push((name, store, number, value)));
    }
    told.sort_unstable_by(|one, other| (&one.0, one.2).cmp(&(&other.0, other.2)));
    let mut facts = Vec::with_capacity(told.len());
    let mut told = told.into_iter().peekable();
    while let Some((name, store, number, value)) = told.next() {
        // Nearly always one schema stands for all backends of its store.
        if told.peek().is_none_or(|next| next.0 != name) && concerned(&alike, store).count() == 1 {
            facts.push(Fact { name, backend: None, value });
            continue;
        }
        let mut values = vec![(number, value)];
        while let Some((_, _, number, value)) = told.next_if(|next| next.0 == name) {
            values.push((number, value));
        }
        one(&alike, &name, store, values, &mut facts);
    }
    facts
}

/// The facts that make the schemas of some backends out of those of a generation, by backend and name.
pub(super) fn added(generation: &Generation, completed: &Generation, keyspaces: bool) -> Vec<Fact> {
    let of = |schema: &Schema| {
        let mut facts = BTreeMap::new();
        facts_of(schema, keyspaces, |name, _, value| _ = facts.insert(name, value));
        facts
    };
    let mut added = Vec::new();
    for (backend, schema) in completed {
        let (before, after) = (generation.get(backend).map(of).unwrap_or_default(), of(schema));
        let gone = before.keys().filter(|name| !after.contains_key(*name)).map(|name| (name.clone(), NOTHING.to_owned()));
        let differs = after.iter().filter(|(name, value)| before.get(*name) != Some(value));
        let differs = differs.map(|(name, value)| (name.clone(), value.clone()));
        added.extend(gone.chain(differs).map(|(name, value)| Fact { name, backend: Some(*backend), value }));
    }
    added
}

/// Schemas that are the same, each once, with the backends that have it.
type Alike<'a> = Vec<(&'a Schema, Vec<Backend>)>;

fn alike(generation: &Generation) -> Alike<'_> {
    let mut alike: Alike<'_> = Vec::new();
    for (backend, schema) in generation {
        match alike.iter_mut().find(|(known, _)| same(known, schema)) {
            Some((_, backends)) => backends.push(*backend),
            None => alike.push((schema, vec![*backend])),
        }
    }
    alike
}

fn same(one: &Schema, other: &Schema) -> bool {
    match (one, other) {
        (Schema::Dynamodb(one), Schema::Dynamodb(other)) => Arc::ptr_eq(one, other) || one == other,
        (Schema::Cql(one), Schema::Cql(other)) => Arc::ptr_eq(one, other) || one == other,
        _ => false,
    }
}

/// The schemas of a store, by their numbers, each with its backends; of a fact of no store all.
fn concerned<'a>(alike: &'a Alike<'_>, store: Option<Store>) -> impl Iterator<Item = (usize, &'a [Backend])> {
    let all = alike.iter().map(|(_, backends)| backends.as_slice()).enumerate();
    all.filter(move |(_, backends)| store.is_none_or(|store| backends.first().is_some_and(|backend| backend.store() == store)))
}

/// The facts of one name: what most backends say, and what those say that differ.
fn one(alike: &Alike<'_>, name: &str, store: Option<Store>, values: Vec<(usize, String)>, facts: &mut Vec<Fact>) {
    let is_said_by_all = values.len() == concerned(alike, store).count();
    let [(_, first), others @ ..] = values.as_slice() else { return };
    if is_said_by_all && others.iter().all(|(_, value)| value == first) {
        facts.extend(values.into_iter().take(1).map(|(_, value)| Fact { name: name.to_owned(), backend: None, value }));
        return;
    }
    let said = |number: usize| values.iter().find(|(of, _)| *of == number).map(|(_, value)| value);
    let mut by_backend: Vec<(Backend, Option<&String>)> = Vec::new();
    for (number, backends) in concerned(alike, store) {
        by_backend.extend(backends.iter().map(|backend| (*backend, said(number))));
    }
    by_backend.sort_by_key(|(backend, _)| *backend);
    let common = most_common(&by_backend);
    facts.extend(common.map(|value| Fact { name: name.to_owned(), backend: None, value: value.clone() }));
    for (backend, value) in by_backend.into_iter().filter(|(_, value)| *value != common) {
        let value = value.map_or(NOTHING, String::as_str).to_owned();
        facts.push(Fact { name: name.to_owned(), backend: Some(backend), value });
    }
}

/// What most backends say; of several the first one's.
fn most_common<'a>(values: &[(Backend, Option<&'a String>)]) -> Option<&'a String> {
    let mut best: Option<(usize, Option<&String>)> = None;
    for (_, value) in values {
        let times = values.iter().filter(|(_, other)| other == value).count();
        if best.is_none_or(|(most, _)| times > most) {
            best = Some((times, *value));
        }
    }
    best.and_then(|(_, value)| value)
}

/// Whether tables have to carry the name of their keyspace.
pub(super) fn several_keyspaces<'s>(schemas: impl Iterator<Item = &'s Schema>) -> bool {
    let keyspaces = schemas.flat_map(|schema| match schema {
        Schema::Cql(schema) => schema.keyspaces.keys().collect(),
        Schema::Dynamodb(_) => Vec::new(),
    });
    keyspaces.collect::<BTreeSet<&String>>().len() > 1
}

/// The facts of one schema: their names, their store where they belong to one, their values.
fn facts_of(schema: &Schema, keyspaces: bool, mut fact: impl FnMut(String, Option<Store>, String)) {
    let mut tell = |store, keys: &[Key<'_>], value| {
        let own = (keys.first().map(|key| &**key) != Some("parameters")).then_some(store);
        fact(written(own, keys, keyspaces), own, value);
    };
    match schema {
        Schema::Dynamodb(schema) => flat(schema.as_ref(), |keys, value| tell(Store::Dynamodb, keys, value)),
        Schema::Cql(schema) => flat(schema.as_ref(), |keys, value| tell(Store::Cql, keys, value)),
    }
}
