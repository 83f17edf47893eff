//! One file a rule.

pub(super) mod conditional_on_copies;
pub(super) mod copy_never_updated;
pub(super) mod filter_wastes_reads;
pub(super) mod large_batch;
pub(super) mod missing_pattern;
pub(super) mod needs_numbers;
pub(super) mod no_patterns;
pub(super) mod no_recovery;
pub(super) mod replication_factor;
pub(super) mod retention_not_enforced;
pub(super) mod short_gc_grace;
pub(super) mod twcs_rewrites;
pub(super) mod twcs_windows;
pub(super) mod twcs_without_ttl;
pub(super) mod unbounded_fan_out;
pub(super) mod uniqueness_not_guarded;
pub(super) mod unused_index;
pub(super) mod unused_parameter;
pub(super) mod unused_table;
pub(super) mod unused_type;
pub(super) mod view_experimental;
pub(super) mod wide_fan_out;

use super::Facts;
use crate::design::Service;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{CqlTable, Model, Pattern, Verb};
use crate::schema::cql::OptionValue;
use crate::schema::{Address, Engine};
use std::collections::BTreeMap;

/// All patterns that are one request each: those of a model, and the entries of transactions and batches in place of these.
fn requests(model: &Model) -> Vec<&Pattern> {
    let mut requests = Vec::new();
    for pattern in model.patterns.values() {
        match &pattern.verb {
            Verb::Transaction(entries) | Verb::Batch(entries) => requests.extend(entries),
            _ => requests.push(pattern),
        }
    }
    requests
}

/// The tables of CQL that hold each entity, in the model's order.
fn cql_tables(model: &Model) -> BTreeMap<&str, Vec<&str>> {
    let mut tables: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (key, table) in model.cql.iter().flat_map(|section| &section.tables) {
        for holding in &table.holds {
            tables.entry(&holding.entity.value).or_default().push(key);
        }
    }
    tables
}

/// What serves each pattern that only reads.
fn read_service<'f>(facts: &'f Facts<'_>) -> impl Iterator<Item = (&'f Pattern, &'f Service)> {
    let reading = facts.design.coverage.iter().filter_map(|coverage| {
        let pattern = facts.model.patterns.get(&coverage.pattern)?;
        (!pattern.verb.writes()).then_some((pattern, coverage))
    });
    reading.flat_map(|(pattern, coverage)| coverage.served.iter().map(move |service| (pattern, service)))
}

/// A finding where an option of a table was written, for an engine.
fn option_place(facts: &Facts<'_>, engine: Engine, key: &str, option: &str, code: Code, message: String) -> Diagnostic {
    let tables = facts.design.cql.get(&engine).into_iter().flat_map(|schema| schema.keyspaces.values());
    let about = tables.filter_map(|keyspace| keyspace.tables.get(key)).map(|table| &table.about).next();
    let place = about.and_then(|about| about.properties.get(&format!("options.{option}")).copied().or(about.span));
    Diagnostic::somewhere(code, place, message)
}

/// A table that is compacted in time windows.
struct Windows<'f> {
    engine: Engine,
    key: &'f str,
    address: Address,
    model: &'f CqlTable,
    /// The length of a window.
    seconds: u64,
}

/// The tables that are compacted in time windows, each on the first engine that does so; those that are made elsewhere are
/// not for this model to change.
fn windows<'f>(facts: &'f Facts<'_>) -> impl Iterator<Item = Windows<'f>> {
    let tables = facts.model.cql.iter().flat_map(|section| &section.tables).filter(|(_, table)| !table.external);
    tables.filter_map(|(key, model)| {
        model.options.iter().find_map(|(engine, options)| {
            let OptionValue::Map(map) = &options.get("compaction")?.value else { return None };
            if map.get("class")? != "TimeWindowCompactionStrategy" {
                return None;
            }
            let unit = match map.get("compaction_window_unit").map(String::as_str) {
                Some("MINUTES") => 60,
                Some("HOURS") => 3_600,
                _ => 86_400,
            };
            let size: u64 = map.get("compaction_window_size").map_or(Some(1), |size| size.parse().ok())?;
            let address = Address::CqlTable(None, key.clone());
            Some(Windows { engine: *engine, key, address, model, seconds: size.saturating_mul(unit) })
        })
    })
}
