//! A table that nothing reads.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Holding;
use crate::rules::Facts;
use crate::schema::{About, Address};
use std::collections::BTreeSet;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    if facts.model.patterns.is_empty() {
        return;
    }
    let used_elsewhere: BTreeSet<Address> = facts.design.used_elsewhere.iter().map(Address::table).collect();
    let mut judge = |address: Address, about: &About, indexes: &[&About]| {
        if !used_elsewhere.contains(&address) && about.serves.is_empty() && indexes.iter().all(|index| index.serves.is_empty()) {
            sink.push(finding(&address, about));
        }
    };
    // The condition of a write reads the table of a guard.
    let model = facts.model;
    let guards = |holds: &[Holding]| {
        let mut held = holds.iter().filter_map(|holding| model.entities.get(&holding.entity.value));
        held.any(|entity| entity.guards.is_some())
    };
    for (key, table) in facts.design.dynamodb.iter().flat_map(|schema| &schema.tables) {
        let local = table.local_indexes.values().map(|index| &index.about);
        let global = table.global_indexes.values().map(|index| &index.about);
        if !model.dynamodb.as_ref().and_then(|section| section.tables.get(key)).is_some_and(|table| guards(&table.holds)) {
            judge(Address::DynamodbTable(key.clone()), &table.about, &local.chain(global).collect::<Vec<_>>());
        }
    }
    // The tables are the same on every engine.
    let keyspaces = facts.design.cql.values().take(1).flat_map(|schema| schema.keyspaces.values());
    let tables = keyspaces.flat_map(|keyspace| &keyspace.tables).filter(|(_, table)| !table.kept);
    for (key, table) in tables {
        let indexes = table.indexes.values().map(|index| &index.about);
        let views = table.views.values().map(|view| &view.about);
        if !model.cql.as_ref().and_then(|section| section.tables.get(key)).is_some_and(|table| guards(&table.holds)) {
            judge(Address::CqlTable(None, key.clone()), &table.about, &indexes.chain(views).collect::<Vec<_>>());
        }
    }
}

fn finding(address: &Address, about: &About) -> Diagnostic {
    let message = format!("no pattern reads `{address}`");
    let finding = Diagnostic::somewhere(codes::UNUSED_TABLE, about.span, message);
    finding.help("remove the table, or add the pattern that needs it").at(address)
}
