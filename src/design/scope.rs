//! Which stores a pattern runs on, and what holds an entity there.

use crate::model::{Model, Pattern, Verb, Where};
use crate::schema::Store;
use foldhash::fast::RandomState;
use std::collections::HashSet;

impl Verb {
    /// The entities it names; those of the entries for a transaction or batch.
    pub(crate) fn entities(&self) -> Vec<&str> {
        match self {
            Self::Find(entities) | Self::Scan(entities) => entities.iter().map(|entity| entity.value.as_str()).collect(),
            Self::Count(entity) | Self::Put(entity) | Self::Update(entity) | Self::Delete(entity) => vec![entity.value.as_str()],
            Self::Transaction(entries) | Self::Batch(entries) => entries.iter().flat_map(|entry| entry.verb.entities()).collect(),
        }
    }

    /// Whether it changes items.
    pub(crate) fn writes(&self) -> bool {
        match self {
            Self::Find(_) | Self::Count(_) | Self::Scan(_) => false,
            Self::Put(_) | Self::Update(_) | Self::Delete(_) => true,
            Self::Transaction(entries) | Self::Batch(entries) => entries.iter().any(|entry| entry.verb.writes()),
        }
    }
}

/// What each store of a model holds.
pub(crate) struct Scope<'m> {
    model: &'m Model,
    held: HashSet<(Store, &'m str), RandomState>,
}

impl<'m> Scope<'m> {
    /// Looks at every table once.
    pub(crate) fn of(model: &'m Model) -> Self {
        let dynamodb = model.dynamodb.iter().flat_map(|section| section.tables.values()).flat_map(|table| &table.holds);
        let cql = model.cql.iter().flat_map(|section| section.tables.values());
        let statics = cql.clone().filter_map(|table| table.static_entity.as_ref()).map(|name| (Store::Cql, name.value.as_str()));
        let cql = cql.flat_map(|table| &table.holds).map(|holding| (Store::Cql, holding.entity.value.as_str()));
        let dynamodb = dynamodb.map(|holding| (Store::Dynamodb, holding.entity.value.as_str()));
        Self { model, held: dynamodb.chain(cql).chain(statics).collect() }
    }

    /// The stores a pattern is to be served on: the one it names, else every one that holds its entities — all of them for
    /// a read, any of them for a write. When none holds them it is the first the model has, which then says what is missing.
    pub(crate) fn stores(&self, pattern: &Pattern) -> Vec<Store> {
        if let Some(store) = &pattern.backend {
            return vec![store.value];
        }
        let has = [(Store::Dynamodb, self.model.dynamodb.is_some()), (Store::Cql, self.model.cql.is_some())];
        let there = has.into_iter().filter(|(_, has)| *has).map(|(store, _)| store);
        let entities = subjects(self.model, pattern);
        let held = |store: &Store| {
            let mut each = entities.iter().map(|entity| self.held.contains(&(*store, *entity)));
            !entities.is_empty() && if pattern.verb.writes() { each.any(|held| held) } else { each.all(|held| held) }
        };
        let serving: Vec<Store> = there.clone().filter(held).collect();
        if serving.is_empty() { there.take(1).collect() } else { serving }
    }
}

/// The entities whose items a pattern reads or writes. For a count those are the ones that keep the count.
pub(crate) fn subjects<'m>(model: &'m Model, pattern: &'m Pattern) -> Vec<&'m str> {
    match &pattern.verb {
        Verb::Count(counted) => counters(model, pattern, &counted.value).into_iter().map(|(entity, _)| entity).collect(),
        verb => verb.entities(),
    }
}

/// The entities that keep the count a pattern asks for, each with the attribute that does: their key is its `where`.
pub(crate) fn counters<'m>(model: &'m Model, pattern: &Pattern, counted: &str) -> Vec<(&'m str, &'m str)> {
    let given: Vec<&str> = pattern.conditions.iter().flat_map(Where::attributes).collect();
    let keyed = model.entities.values().filter(|entity| {
        let mut key = entity.key.iter().map(|name| name.value.as_str());
        key.clone().all(|name| given.contains(&name)) && given.iter().all(|name| key.any(|other| other == *name))
    });
    keyed
        .flat_map(|entity| {
            let keeping = entity.attributes.iter().filter(move |(_, attribute)| attribute.count_of() == Some(counted));
            keeping.map(|(name, _)| (entity.name.as_str(), name.as_str()))
        })
        .collect()
}
