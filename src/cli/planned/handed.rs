//! Tables that another model made and that are this one's now: the other one names it as their owner. They exist, so nothing may
//! create them: they are taken over like tables that had left this model and come back.

use super::design::Designed;
use super::folders::Environment;
use crate::baseline::Lock;
use crate::diagnostic::Sink;
use crate::schema::dynamodb::{Kept, Made, Schema};
use crate::schema::{self, Backend, Generation, Store, Text};
use crate::source::SourceMap;
use std::collections::BTreeMap;

/// A table that is handed over.
pub(super) struct Handed {
    kept: Kept,
    /// The generation that it is in still, if it is.
    made: Generation,
}

/// What is handed over to a model, by the table's key. What the locks of the others say of it is judged like that of this one:
/// a table that was dropped does not exist.
pub(super) fn over(sources: &SourceMap, designed: &Designed, environment: &Environment) -> BTreeMap<String, Handed> {
    let mut handed = BTreeMap::new();
    let Some(next) = &designed.design.dynamodb else { return handed };
    let locks: BTreeMap<&String, Lock> = environment
        .fellows
        .iter()
        .filter_map(|(fellow, file)| Some((fellow, Lock::read(sources, *file, &mut Sink::default())?)))
        .collect();
    for (key, fellow) in &designed.sharers {
        let (Some(table), Some(lock)) = (next.tables.get(key), locks.get(fellow)) else { continue };
        let known = lock.generation.values().find_map(|schema| match schema {
            schema::Schema::Dynamodb(schema) => Some(schema.as_ref()),
            schema::Schema::Cql(_) => None,
        });
        let Some(known) = known else { continue };
        let made = known.tables.get(key).map(|made| (&made.terraform_name, &made.logical_id, made.name.as_ref()));
        let kept = known.kept.get(key).filter(|kept| !kept.destroy);
        let kept = kept.map(|kept| (&kept.terraform_name, &kept.logical_id, kept.name.as_ref()));
        let Some((terraform_name, logical_id, name)) = made.or(kept) else { continue };
        let in_force = |schema: &Schema, name: Option<&Text>| name?.in_force(&schema.parameters);
        let is_it = in_force(known, name).is_some_and(|name| Some(name) == in_force(next, table.name.as_ref()));
        if is_it {
            let (terraform_name, logical_id) = (terraform_name.clone(), logical_id.clone());
            let kept = Kept { terraform_name, logical_id, name: table.name.clone(), ..Kept::default() };
            handed.insert(key.clone(), Handed { kept, made: lock.in_force() });
        }
    }
    handed
}

/// Puts what is handed over into a generation that has not taken it over yet, for each backend.
pub(super) fn add(handed: &BTreeMap<String, Handed>, backends: impl IntoIterator<Item = Backend>, generation: &mut Generation) {
    for backend in backends.into_iter().filter(|backend| !handed.is_empty() && backend.store() == Store::Dynamodb) {
        let mut schema = match generation.get(&backend) {
            Some(schema::Schema::Dynamodb(schema)) => schema.as_ref().clone(),
            _ => Schema::default(),
        };
        for (key, handed) in handed.iter().filter(|(key, _)| !schema.tables.contains_key(key)) {
            // It may have been this model's before: what the other one made of it counts.
            schema.kept.entry(key.clone()).or_insert_with(|| handed.kept.clone()).made = handed.made(backend, key);
        }
        if schema != Schema::default() {
            generation.insert(backend, schema.into());
        }
    }
}

impl Handed {
    /// The table as the other model made it for a backend, else for any.
    fn made(&self, backend: Backend, key: &str) -> Option<Box<Made>> {
        let schemas = self.made.get(&backend).into_iter().chain(self.made.values());
        schemas.into_iter().find_map(|schema| match schema {
            schema::Schema::Dynamodb(schema) => {
                let table = schema.tables.get(key).cloned();
                let made = table.map(|table| Box::new(Made { table, parameters: schema.parameters.clone() }));
                made.or_else(|| schema.kept.get(key)?.made.clone())
            }
            schema::Schema::Cql(_) => None,
        })
    }
}
