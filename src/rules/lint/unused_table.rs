//! A table that nothing reads.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Model;
use crate::rules::Facts;
use crate::schema::{About, Address};

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    if facts.model.patterns.is_empty() {
        return;
    }
    let mut judge = |address: Address, about: &About, indexes: &[&About]| {
        if about.serves.is_empty() && indexes.iter().all(|index| index.serves.is_empty()) {
            sink.push(finding(&address, about));
        }
    };
    for (key, table) in facts.design.dynamodb.iter().flat_map(|schema| &schema.tables) {
        let local = table.local_indexes.values().map(|index| &index.about);
        let global = table.global_indexes.values().map(|index| &index.about);
        // The condition of a write reads the table of a guard.
        if !guards(facts.model, key) {
            judge(Address::DynamodbTable(key.clone()), &table.about, &local.chain(global).collect::<Vec<_>>());
        }
    }
    // The tables are the same on every engine.
    let keyspaces = facts.design.cql.values().take(1).flat_map(|schema| schema.keyspaces.values());
    for (key, table) in keyspaces.flat_map(|keyspace| &keyspace.tables) {
        let indexes = table.indexes.values().map(|index| &index.about);
        let views = table.views.values().map(|view| &view.about);
        judge(Address::CqlTable(None, key.clone()), &table.about, &indexes.chain(views).collect::<Vec<_>>());
    }
}

/// Whether a table holds an entity that keeps an attribute unique.
fn guards(model: &Model, table: &str) -> bool {
    let held = model.dynamodb.iter().filter_map(|section| section.tables.get(table)).flat_map(|table| &table.holds);
    held.filter_map(|holding| model.entities.get(&holding.entity.value)).any(|entity| entity.guards.is_some())
}

fn finding(address: &Address, about: &About) -> Diagnostic {
    let message = format!("no pattern reads `{address}`");
    let finding = match about.span {
        Some(span) => Diagnostic::new(codes::UNUSED_TABLE, span, message),
        None => Diagnostic::nowhere(codes::UNUSED_TABLE, message),
    };
    finding.help("remove the table, or add the pattern that needs it").at(address)
}
