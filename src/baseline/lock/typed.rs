//! Facts as a schema: what the lock reads. Facts in the order of their places are the maps of a serialised schema, without any
//! map being made.

use super::facts::NOTHING;
use super::path::Key;
use super::read::Fact;
use crate::schema::{Schema, Store, cql, dynamodb};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Error;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// What is wrong with a fact: its number among those given, and why.
pub(super) type Wrong = (usize, String);

/// The schema that facts of one store make. They are in the order of their places, each place once.
pub(super) fn schema(store: Store, facts: &[&Fact<'_>]) -> Result<Schema, Vec<Wrong>> {
    match store {
        Store::Dynamodb => typed::<dynamodb::Schema>(facts).map(Schema::from),
        Store::Cql => typed::<cql::Schema>(facts).map(Schema::from),
    }
}

fn typed<S: DeserializeOwned>(facts: &[&Fact<'_>]) -> Result<S, Vec<Wrong>> {
    let noted = Noted::default();
    let all = Facts { all: facts, depth: 0, first: 0, noted: &noted };
    let schema = S::deserialize(all).map_err(|_| locate::<S>(facts))?;
    // What is passed over in silence would be lost when the lock is written again.
    let unknown = noted.passed_over.into_inner();
    if unknown.is_empty() {
        return Ok(schema);
    }
    Err(unknown.into_iter().map(|number| (number, "this fact is not part of format 1".to_owned())).collect())
}

/// Which facts keep a schema from being made, one of each table or other thing: the one at which reading it ends, or, where
/// something is incomplete, the first of what it has.
fn locate<S: DeserializeOwned>(facts: &[&Fact<'_>]) -> Vec<Wrong> {
    let mut things: BTreeMap<&[Key<'_>], Vec<usize>> = BTreeMap::new();
    for (number, fact) in facts.iter().enumerate() {
        let keys = &fact.path.keys;
        let depth = if fact.path.store == Some(Store::Cql) { 4 } else { 2 };
        things.entry(keys.get(..depth).unwrap_or(keys)).or_default().push(number);
    }
    let wrong = things.values().filter_map(|numbers| {
        let own: Vec<&Fact<'_>> = numbers.iter().filter_map(|number| facts.get(*number).copied()).collect();
        let noted = Noted::default();
        let error = S::deserialize(Facts { all: &own, depth: 0, first: 0, noted: &noted }).err()?;
        let number = numbers.get(noted.ended_at.into_inner().unwrap_or_default())?;
        Some((*number, without_place(&error)))
    });
    wrong.collect()
}

/// What is noted while facts are read, by their numbers.
#[derive(Default)]
struct Noted {
    /// Those that nobody asked for.
    passed_over: RefCell<Vec<usize>>,
    /// The one at which an error ended it: that of the value, or the first of what lacks something.
    ended_at: Cell<Option<usize>>,
}

/// What is wrong, without where it is in the JSON of a value: the place of the fact is said.
fn without_place(error: &Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// Facts whose places begin alike, up to a depth: one fact that ends there is its value, else they are a map.
#[derive(Clone, Copy)]
struct Facts<'f> {
    all: &'f [&'f Fact<'f>],
    depth: usize,
    /// The number of the first among all.
    first: usize,
    noted: &'f Noted,
}

impl<'f> Facts<'f> {
    /// The value that they are, as JSON.
    fn value(&self) -> Option<&'f str> {
        match self.all {
            [fact] if fact.path.keys.len() == self.depth => Some(fact.value),
            _ => None,
        }
    }

    fn pass_over(&self) {
        self.noted.passed_over.borrow_mut().extend(self.first..self.first + self.all.len());
    }
}

impl<'de> Deserializer<'de> for Facts<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value() {
            Some(json) => serde_json::Deserializer::from_str(json).deserialize_any(visitor),
            None => visitor.visit_map(Entries { rest: self, group: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value() {
            Some(NOTHING) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        serde_json::Deserializer::from_str(self.value().unwrap_or(NOTHING)).deserialize_enum(name, variants, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.pass_over();
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

/// How many facts at the start are alike, of facts of which the ones that are alike stand together. Of many the fewest are looked at.
fn alike(facts: &[&Fact<'_>], is_alike: impl Fn(&Fact<'_>) -> bool) -> usize {
    let mut beyond = 1;
    while facts.get(beyond).is_some_and(|fact| is_alike(fact)) {
        beyond *= 2;
    }
    let known = beyond / 2;
    let rest = facts.get(known..beyond.min(facts.len())).unwrap_or_default();
    known + rest.partition_point(|fact| is_alike(fact))
}

/// The entries of a map: one for each key at the depth.
struct Entries<'f> {
    rest: Facts<'f>,
    group: Option<Facts<'f>>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Facts { all: facts, depth, first, noted } = self.rest;
        let Some(key) = facts.first().and_then(|fact| fact.path.keys.get(depth)) else { return Ok(None) };
        let count = alike(facts, |fact| fact.path.keys.get(depth) == Some(key));
        let (group, rest) = facts.split_at_checked(count).unwrap_or((facts, &[]));
        self.rest = Facts { all: rest, depth, first: first + count, noted };
        let mut group = Facts { all: group, depth: depth + 1, first, noted };
        // A place that is a value holds nothing else.
        if let [value, inside @ ..] = group.all
            && value.path.keys.len() == group.depth
            && !inside.is_empty()
        {
            Facts { all: inside, first: first + 1, ..group }.pass_over();
            group.all = group.all.get(..1).unwrap_or_default();
        }
        self.group = Some(group);
        let key: StrDeserializer<'_, Error> = (**key).into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let nothing = Facts { all: &[], ..self.rest };
        let group = self.group.take().unwrap_or(nothing);
        // The innermost comes first.
        let ended_at = |_: &Error| group.noted.ended_at.set(group.noted.ended_at.get().or(Some(group.first)));
        seed.deserialize(group).inspect_err(ended_at)
    }
}
