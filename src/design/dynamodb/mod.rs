//! The DynamoDB side of a design: the tables, and the proof that each pattern is served.
//!
//! A table or index as one entity sees it is a [`candidate::View`]; a pattern that reads is a [`request::Request`]. Each
//! step of section 6.3 of the model language is a file that answers one question about the two and says what is lacking:
//! [`partition`], [`sort`], [`sparse`], [`order`], [`projection`], [`separation`]. [`serve`] asks them all, [`choose`]
//! takes the best, [`explain`] says why there is none.

mod candidate;
mod choose;
mod collision;
mod explain;
mod fanout;
mod join;
mod key_templates;
mod lack;
mod operation;
mod order;
mod partition;
mod projection;
mod reads;
mod request;
mod separation;
mod serve;
mod settled;
mod sort;
mod sparse;
mod spelling;
mod strong_regions;
mod tables;
#[cfg(test)]
mod tests;
mod together;
mod writes;

use super::scope::Scope;
use super::{Coverage, Operations, Service};
use crate::diagnostic::Sink;
use crate::model::{Model, Owner, Pattern, Verb};
use crate::schema::dynamodb::Schema;
use crate::schema::{About, Address, Store};
use candidate::Candidates;
use writes::Write;

/// Designs the tables; coverage is appended in the model's order. Gives those that are this model's to make, and those that
/// exist elsewhere; None when there are none.
pub(crate) fn design(
    model: &Model,
    operations: Operations,
    sink: &mut Sink,
    coverage: &mut Vec<Coverage>,
) -> [Option<Schema>; 2] {
    if model.dynamodb.is_none() {
        return [None, None];
    }
    let candidates = Candidates::of(model, operations);
    for candidate in &candidates.all {
        key_templates::judge(candidate, sink);
        collision::judge(candidate, sink);
    }
    let scope = Scope::of(model);
    let patterns = model.patterns.values().filter(|pattern| scope.stores(pattern).contains(&Store::Dynamodb));
    let covered: Vec<Coverage> = patterns
        .map(|pattern| Coverage {
            pattern: pattern.name.clone(),
            store: Store::Dynamodb,
            served: cover(&scope, model, &candidates, pattern, sink),
        })
        .collect();
    strong_regions::judge(model, &covered, sink);
    let schemas = [Owner::This, Owner::Elsewhere].map(|owner| {
        let mut schema = tables::tables(model, &owner, &candidates.all);
        note_readers(model, &covered, &mut schema);
        (schema != Schema::default()).then_some(schema)
    });
    coverage.extend(covered);
    schemas
}

/// Notes at each table and index which patterns read it.
fn note_readers(model: &Model, covered: &[Coverage], schema: &mut Schema) {
    let reads = |of: &&Coverage| model.patterns.get(&of.pattern).is_some_and(|pattern| !pattern.verb.writes());
    for of in covered.iter().filter(reads) {
        for service in &of.served {
            if let Some(about) = about(schema, &service.address) {
                about.serves.push(of.pattern.clone());
            }
        }
    }
    for table in schema.tables.values_mut() {
        let indexes = table.local_indexes.values_mut().map(|index| &mut index.about);
        let indexes = indexes.chain(table.global_indexes.values_mut().map(|index| &mut index.about));
        for about in indexes.chain([&mut table.about]) {
            about.serves.sort();
            about.serves.dedup();
        }
    }
}

/// Who serves a pattern: one table or index for a read, every table that holds the entity for a write.
fn cover(scope: &Scope<'_>, model: &Model, candidates: &Candidates<'_>, pattern: &Pattern, sink: &mut Sink) -> Vec<Service> {
    match &pattern.verb {
        Verb::Find(_) | Verb::Count(_) | Verb::Scan(_) => {
            reads::read(model, candidates, pattern, false, sink).into_iter().collect()
        }
        Verb::Put(_) | Verb::Update(_) | Verb::Delete(_) => match Write::of(model, pattern) {
            Some(write) => writes::write(model, candidates, &write, sink),
            None => Vec::new(),
        },
        Verb::Transaction(entries) => together::transaction(scope, model, candidates, entries, sink),
        Verb::Batch(entries) => together::batch(scope, model, candidates, entries, sink),
    }
}

fn about<'s>(schema: &'s mut Schema, address: &Address) -> Option<&'s mut About> {
    match address {
        Address::DynamodbTable(table) => schema.tables.get_mut(table).map(|table| &mut table.about),
        Address::LocalIndex(table, index) => {
            schema.tables.get_mut(table)?.local_indexes.get_mut(index).map(|index| &mut index.about)
        }
        Address::GlobalIndex(table, index) => {
            schema.tables.get_mut(table)?.global_indexes.get_mut(index).map(|index| &mut index.about)
        }
        _ => None,
    }
}
