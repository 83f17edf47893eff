//! A deletion that is forgotten before every replica has been told of it.

use super::{option_place, requests};
use crate::diagnostic::{Sink, codes};
use crate::model::Verb;
use crate::rules::Facts;
use crate::schema::{Address, Engine};
use std::collections::BTreeSet;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let deleted: BTreeSet<&str> = requests(facts.model)
        .into_iter()
        .filter_map(|pattern| match &pattern.verb {
            Verb::Delete(entity) => Some(entity.value.as_str()),
            _ => None,
        })
        .collect();
    let Some(cql) = &facts.model.cql else { return };
    for (engine, schema) in facts.design.cql.iter().filter(|(engine, _)| **engine != Engine::Keyspaces) {
        for (key, table) in schema.keyspaces.values().flat_map(|keyspace| &keyspace.tables) {
            let grace = table.options.get("gc_grace_seconds").and_then(|grace| grace.scalar()?.parse::<u64>().ok());
            let (Some(grace), Some(of_model)) = (grace, cql.tables.get(key)) else { continue };
            // Ten days by default: time for a repair of every node each week.
            #[expect(clippy::cast_precision_loss, reason = "far below what a float holds")]
            let level = facts.thresholds.level(codes::SHORT_GC_GRACE, grace as f64);
            let Some((level, _)) = level else { continue };
            let held = of_model.holds.iter().map(|holding| holding.entity.value.as_str());
            let Some(entity) = held.into_iter().find(|entity| deleted.contains(entity)) else { continue };
            let address = Address::CqlTable(None, key.clone());
            let message = format!("`{address}` forgets a deletion after {grace} s, and a pattern deletes `{entity}` there");
            sink.push(
                option_place(facts, *engine, key, "gc_grace_seconds", codes::SHORT_GC_GRACE, message)
                    .level(level)
                    .note("a replica that has not heard of it by then brings the row back")
                    .help("keep 10 days, or repair every node more often than that and allow the finding")
                    .at(address),
            );
        }
    }
}
