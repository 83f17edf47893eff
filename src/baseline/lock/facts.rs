//! Schemas as facts and back. What holds for every backend of a store is one fact; a backend that differs has one of its own.

use super::path::{Holds, Path, holds};
use crate::schema::{Backend, Generation, Schema, Store};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A fact's place, and the one backend it is for when it is not for all.
pub(super) type Key = (Path, Option<Backend>);

/// All facts of a generation. `null` says that a backend lacks what the others have.
pub(super) fn facts(generation: &Generation) -> BTreeMap<Key, Value> {
    let mut all: BTreeMap<Path, BTreeMap<Backend, Value>> = BTreeMap::new();
    for (backend, schema) in generation {
        for (path, value) in flat(schema) {
            all.entry(path).or_default().insert(*backend, value);
        }
    }
    let mut facts = BTreeMap::new();
    for (path, values) in all {
        let of_store = |backend: &&Backend| path.store.is_none_or(|of| of == backend.store());
        let by_backend: Vec<(Backend, Option<&Value>)> =
            generation.keys().filter(of_store).map(|backend| (*backend, values.get(backend))).collect();
        let common = most_common(&by_backend);
        for (backend, value) in by_backend {
            if value != common {
                facts.insert((path.clone(), Some(backend)), value.cloned().unwrap_or(Value::Null));
            }
        }
        if let Some(value) = common {
            facts.insert((path, None), value.clone());
        }
    }
    facts
}

/// The facts that make the schemas of some backends out of those of a generation.
pub(super) fn added(generation: &Generation, completed: &Generation) -> BTreeMap<Key, Value> {
    let mut added = BTreeMap::new();
    for (backend, schema) in completed {
        let before: BTreeMap<Path, Value> = generation.get(backend).into_iter().flat_map(flat).collect();
        let after: BTreeMap<Path, Value> = flat(schema).into_iter().collect();
        let gone = before.keys().filter(|path| !after.contains_key(path)).map(|path| (path.clone(), Value::Null));
        let differs = after.iter().filter(|(path, value)| before.get(path) != Some(value));
        let differs = differs.map(|(path, value)| (path.clone(), value.clone()));
        added.extend(gone.chain(differs).map(|(path, value)| ((path, Some(*backend)), value)));
    }
    added
}

/// What most backends say; of several the first one's.
fn most_common<'a>(values: &[(Backend, Option<&'a Value>)]) -> Option<&'a Value> {
    let mut best: Option<(usize, Option<&Value>)> = None;
    for (_, value) in values {
        let times = values.iter().filter(|(_, other)| other == value).count();
        if best.is_none_or(|(most, _)| times > most) {
            best = Some((times, *value));
        }
    }
    best.and_then(|(_, value)| value)
}

/// The facts of one schema.
fn flat(schema: &Schema) -> Vec<(Path, Value)> {
    let (store, json) = match schema {
        Schema::Dynamodb(schema) => (Store::Dynamodb, to_object(schema)),
        Schema::Cql(schema) => (Store::Cql, to_object(schema)),
    };
    let mut keys = Vec::new();
    flatten(&mut Vec::new(), json, &mut keys);
    keys.into_iter().map(|(keys, value)| (Path::new(store, keys), value)).collect()
}

fn to_object(schema: &impl Serialize) -> Map<String, Value> {
    // Schemas have text keys and plain values only, which always serialise.
    match serde_json::to_value(schema) {
        Ok(Value::Object(object)) => object,
        _ => Map::new(),
    }
}

fn flatten(to: &mut Vec<String>, object: Map<String, Value>, out: &mut Vec<(Vec<String>, Value)>) {
    for (property, value) in object {
        let holds = holds(to.len(), &property);
        to.push(property);
        match (holds, value) {
            (_, Value::Null) => {}
            (Holds::Facts, Value::Object(facts)) => {
                for (name, value) in facts {
                    out.push(([to.as_slice(), &[name]].concat(), value));
                }
            }
            (Holds::Things, Value::Object(things)) => {
                for (name, thing) in things {
                    to.push(name);
                    if let Value::Object(thing) = thing {
                        flatten(to, thing, out);
                    }
                    to.pop();
                }
            }
            (_, value) => out.push((to.clone(), value)),
        }
        to.pop();
    }
}

/// What is wrong with a fact: its number among those given, and why.
pub(super) type Wrong = (usize, String);

/// The schema that facts of one backend make.
pub(super) fn schema(store: Store, facts: &[(&Path, &Value)]) -> Result<Schema, Vec<Wrong>> {
    match store {
        Store::Dynamodb => typed(store, facts).map(Schema::Dynamodb),
        Store::Cql => typed(store, facts).map(Schema::Cql),
    }
}

fn typed<S: DeserializeOwned + Serialize>(store: Store, facts: &[(&Path, &Value)]) -> Result<S, Vec<Wrong>> {
    let all: Vec<usize> = (0..facts.len()).collect();
    let schema: S = serde_json::from_value(tree(facts, &all)).map_err(|_| locate::<S>(facts))?;
    // What serde passes over in silence would be lost when the lock is written again.
    let mut known = Vec::new();
    flatten(&mut Vec::new(), to_object(&schema), &mut known);
    let known: BTreeSet<Path> = known.into_iter().map(|(keys, _)| Path::new(store, keys)).collect();
    let unknown: Vec<Wrong> = facts
        .iter()
        .enumerate()
        .filter(|(_, (path, _))| !known.contains(*path))
        .map(|(number, _)| (number, "this fact is not part of format 1".to_owned()))
        .collect();
    if unknown.is_empty() { Ok(schema) } else { Err(unknown) }
}

/// Which facts keep a schema from being made. A fact is at fault when the thing it belongs to can be read without it, or
/// then only lacks it; otherwise the thing itself is incomplete, which is said at its first fact.
fn locate<S: DeserializeOwned>(facts: &[(&Path, &Value)]) -> Vec<Wrong> {
    let mut things: BTreeMap<&[String], Vec<usize>> = BTreeMap::new();
    for (number, (path, _)) in facts.iter().enumerate() {
        let depth = if path.store == Some(Store::Cql) { 4 } else { 2 };
        things.entry(path.keys.get(..depth).unwrap_or(&path.keys)).or_default().push(number);
    }
    let read = |numbers: &[usize]| serde_json::from_value::<S>(tree(facts, numbers)).err().map(|error| error.to_string());
    let mut wrong = Vec::new();
    for numbers in things.values() {
        let Some(error) = read(numbers) else { continue };
        let culprit = numbers.iter().copied().find(|number| {
            let others: Vec<usize> = numbers.iter().copied().filter(|other| other != number).collect();
            read(&others).is_none_or(|without| without != error)
        });
        wrong.extend(culprit.or_else(|| numbers.first().copied()).map(|number| (number, error)));
    }
    wrong
}

/// The serialised schema that some of the facts make.
fn tree(facts: &[(&Path, &Value)], numbers: &[usize]) -> Value {
    let mut root = Map::new();
    for (path, value) in numbers.iter().filter_map(|number| facts.get(*number)) {
        insert(&mut root, &path.keys, value);
    }
    Value::Object(root)
}

fn insert(object: &mut Map<String, Value>, keys: &[String], value: &Value) {
    match keys {
        [] => {}
        [last] => _ = object.insert(last.clone(), value.clone()),
        [key, rest @ ..] => {
            if let Value::Object(inner) = object.entry(key).or_insert_with(|| Value::Object(Map::new())) {
                insert(inner, rest, value);
            }
        }
    }
}
