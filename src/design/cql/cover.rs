//! Who serves each pattern of the model on one engine.

use super::engine::largest_batch;
use super::read::{Side, choose, query};
use super::restrict::Query;
use super::write::{Write, writes};
use crate::design::scope::counters;
use crate::design::{Coverage, Service};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{Pattern, Verb};
use crate::schema::{Address, Store};
use std::collections::{BTreeMap, BTreeSet};

/// The coverage of one engine, and the patterns that each table, view and index is read by.
pub(super) struct Covered {
    pub(super) coverage: Vec<Coverage>,
    pub(super) readers: BTreeMap<Address, BTreeSet<String>>,
}

/// Proves all patterns of the model that run on CQL.
pub(super) fn cover(side: &Side<'_>, sink: &mut Sink) -> Covered {
    let mut covered = Covered { coverage: Vec::new(), readers: BTreeMap::new() };
    for pattern in side.model.patterns.values() {
        if !side.scope.stores(pattern).contains(&Store::Cql) {
            continue;
        }
        let (reads, writes) = serve(side, pattern, false, sink);
        for read in &reads {
            covered.readers.entry(read.address.clone()).or_default().insert(pattern.name.clone());
        }
        let served = reads.into_iter().chain(writes.into_iter().map(|write| write.service)).collect();
        covered.coverage.push(Coverage { pattern: pattern.name.clone(), store: Store::Cql, served });
    }
    covered
}

/// The reads and the writes of a pattern. The entries of a transaction read whole keys.
fn serve<'p>(side: &Side<'p>, pattern: &'p Pattern, whole_keys: bool, sink: &mut Sink) -> (Vec<Service>, Vec<Write<'p>>) {
    match &pattern.verb {
        Verb::Find(names) => {
            let entities = side.entities(names.iter().map(|name| name.value.as_str()));
            let wanted = Query { whole_keys, ..query(side, pattern, entities) };
            (choose(side, &wanted, sink).into_iter().collect(), Vec::new())
        }
        Verb::Count(counted) => (count(side, pattern, &counted.value, sink).into_iter().collect(), Vec::new()),
        Verb::Scan(_) if whole_keys => {
            let message = format!("`{}` reads everything, and a transaction reads whole keys", pattern.name);
            let diagnostic = Diagnostic::new(codes::PATTERN_UNSERVED, pattern.span, message).of_pattern(&pattern.name);
            sink.push(diagnostic.help("make the `scan` a pattern of its own"));
            (Vec::new(), Vec::new())
        }
        Verb::Scan(names) => {
            let names: Vec<&str> = names.iter().map(|name| name.value.as_str()).collect();
            (super::scan::scan(side, pattern, &names, sink).into_iter().collect(), Vec::new())
        }
        Verb::Put(name) | Verb::Update(name) | Verb::Delete(name) => {
            let entities = side.entities([name.value.as_str()]);
            let Some(entity) = entities.first() else { return (Vec::new(), Vec::new()) };
            let found = writes(side, pattern, entity, sink);
            if found.is_empty() && !side.holds(&entity.name) {
                sink.push(
                    Diagnostic::new(
                        codes::PATTERN_UNSERVED,
                        pattern.span,
                        format!("no table takes `{}`: none holds `{}` on CQL", pattern.name, entity.name),
                    )
                    .of_pattern(&pattern.name)
                    .of_entity(&entity.name),
                );
            }
            (Vec::new(), found)
        }
        Verb::Transaction(entries) => together(side, pattern, entries, true, sink),
        Verb::Batch(entries) => together(side, pattern, entries, false, sink),
    }
}

/// A maintained count is a read of the entity that keeps it.
fn count(side: &Side<'_>, pattern: &Pattern, counted: &str, sink: &mut Sink) -> Option<Service> {
    let keepers = counters(side.model, pattern, counted);
    let Some((entity, attribute)) = keepers.first() else {
        if pattern.unserved.is_none() {
            sink.push(
                Diagnostic::new(
                    codes::PATTERN_UNSERVED,
                    pattern.span,
                    format!("no entity keeps the count of `{counted}` that `{}` asks for", pattern.name),
                )
                .help(format!("give the entity whose key is the `where` an attribute with `count_of: {counted}`"))
                .of_pattern(&pattern.name)
                .of_entity(counted),
            );
        }
        return None;
    };
    let wanted = Query { select: vec![attribute], ..query(side, pattern, side.entities([*entity])) };
    choose(side, &wanted, sink)
}

/// Entries that go together. A transaction is a logged batch: all or nothing, but not isolated.
fn together<'p>(
    side: &Side<'p>,
    pattern: &Pattern,
    entries: &'p [Pattern],
    atomic: bool,
    sink: &mut Sink,
) -> (Vec<Service>, Vec<Write<'p>>) {
    let mut reads = Vec::new();
    let mut writes: Vec<Write<'p>> = Vec::new();
    let mut statements: u64 = 0;
    // An entry for an entity that only the other store holds is not this store's.
    for entry in entries.iter().filter(|entry| side.scope.stores(entry).contains(&Store::Cql)) {
        let (entry_reads, entry_writes) = serve(side, entry, atomic, sink);
        statements = statements.saturating_add(entry.batch_size.saturating_mul(entry_writes.len() as u64));
        reads.extend(entry_reads);
        writes.extend(entry_writes);
    }
    if let Some(most) = largest_batch(side.engine, atomic).filter(|most| statements > *most) {
        let kind = if atomic { "a logged batch" } else { "an unlogged batch" };
        let message = format!("`{}` has {statements} statements, and {kind} takes at most {most}", pattern.name);
        let diagnostic = Diagnostic::new(codes::BATCH_TOO_LARGE, pattern.span, message).of_pattern(&pattern.name);
        sink.push(diagnostic.note("there is a statement for each item and each table that holds it").help("split it"));
    }
    let scattered = writes.iter().zip(writes.iter().skip(1)).any(|(one, other)| one.partition != other.partition);
    let guarded = entries.iter().find_map(|entry| entry.guard.as_ref());
    let counting = writes.iter().any(|write| write.counts) && writes.len() > 1;
    if !atomic && counting && writes.iter().any(|write| !write.counts) {
        let message = format!("`{}` mixes counters with other writes, which no batch does", pattern.name);
        let diagnostic = Diagnostic::new(codes::COUNTER_MIXED, pattern.span, message).of_pattern(&pattern.name);
        sink.push(diagnostic.help("make two patterns of it: one counts, the other one writes"));
    }
    let (span, why) = if !atomic {
        return (reads, writes);
    } else if reads.len() > 1 {
        (pattern.span, "several SELECTs do not see one moment")
    } else if let Some(guard) = guarded.filter(|_| scattered) {
        (guard.span, "statements with an `if` are atomic only in one partition of one table")
    } else if counting {
        (pattern.span, "counters cannot be in a logged batch, and adding to them cannot be repeated safely")
    } else {
        return (reads, writes);
    };
    let mut finding = Diagnostic::new(codes::TRANSACTION_NOT_ATOMIC, span, format!("`{}` is not atomic on CQL", pattern.name))
        .note(why)
        .help("put the statements in an order in which stopping halfway does no harm, and say so in `allow`")
        .of_pattern(&pattern.name);
    let addresses: BTreeSet<&Address> = writes.iter().map(|write| &write.service.address).collect();
    for address in addresses {
        finding = finding.at(address);
    }
    sink.push(finding);
    (reads, writes)
}
