//! An index or a view that serves no pattern: every write pays for it.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::rules::Facts;
use crate::schema::{About, Address};

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    if facts.model.patterns.is_empty() {
        return;
    }
    let mut judge = |address: Address, about: &About| {
        if !about.serves.is_empty() || facts.design.used_elsewhere.contains(&address) {
            return;
        }
        let message = format!("no pattern uses `{address}`");
        let finding = Diagnostic::somewhere(codes::UNUSED_INDEX, about.span, message);
        sink.push(
            finding.note("every write to the table pays for it").help("remove it, or add the pattern that needs it").at(address),
        );
    };
    for (key, table) in facts.design.dynamodb.iter().flat_map(|schema| &schema.tables) {
        for (name, index) in &table.local_indexes {
            judge(Address::LocalIndex(key.clone(), name.clone()), &index.about);
        }
        for (name, index) in &table.global_indexes {
            judge(Address::GlobalIndex(key.clone(), name.clone()), &index.about);
        }
    }
    let keyspaces = facts.design.cql.values().take(1).flat_map(|schema| schema.keyspaces.values());
    for (key, table) in keyspaces.flat_map(|keyspace| &keyspace.tables) {
        for (name, index) in &table.indexes {
            judge(Address::CqlIndex(None, key.clone(), name.clone()), &index.about);
        }
        for (name, view) in &table.views {
            judge(Address::View(None, key.clone(), name.clone()), &view.about);
        }
    }
}
