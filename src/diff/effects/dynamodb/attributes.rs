//! Types of key attributes, and definitions that no key uses.

use super::carried::is_restored;
use super::{Item, Together};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::dynamodb::Table;
use crate::schema::is_computed;

pub(super) fn pick(together: &Together, draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    let attribute = draft.key();
    match draft.action {
        _ if is_open(pair.previous) || is_open(pair.next) => Pick::unknown_because(crate::diff::effects::COMPUTED),
        Action::Add => Pick::rule("attribute-unused"),
        Action::Drop if pair.next.uses(attribute) => Pick::rule("attribute-missing"),
        Action::Drop => Pick::rule("attribute-unused-removed"),
        _ if pair.next.is_key(attribute) || pair.previous.is_key(attribute) => {
            Pick::rule("table-key-type-change").case(Case::IndexChangesToo, together.any_index)
        }
        _ if [pair.previous, pair.next]
            .into_iter()
            .any(|table| table.local_indexes.values().any(|index| index.sort_key == attribute)) =>
        {
            Pick::rule("lsi-key-type-change")
        }
        _ => Pick::rule("gsi-key-type-change"),
    }
}

/// Why the definitions of a table are never accepted: one too many, or one too few.
pub(super) fn refused(table: &Table) -> Option<&'static str> {
    if is_open(table) {
        return None;
    }
    if table.attributes.keys().any(|attribute| !table.uses(attribute)) {
        return Some("attribute-unused");
    }
    let is_taken = |key: &str| key.is_empty() && is_restored(table);
    let mut keys = table.keys().filter(|key| !is_taken(key));
    keys.any(|key| !table.attributes.contains_key(key)).then_some("attribute-missing")
}

/// Whether a table surely defines no such attribute.
pub(super) fn lacks(table: &Table, attribute: &str) -> bool {
    !table.attributes.contains_key(attribute) && !is_open(table)
}

/// Whether some definitions, or some of the keys that need them, are expressions: which fit together is not known here.
pub(super) fn is_open(table: &Table) -> bool {
    // The last one is the input of the table module.
    let parts = ["dynamic.attribute", "attribute.", "AttributeDefinitions", "attributes"];
    let carried = table.extra.keys().any(|path| parts.iter().any(|part| path.starts_with(part)));
    carried || has_open_indexes(table) || table.attributes.keys().chain(table.keys()).any(|name| is_computed(name))
}

/// Whether some indexes of a table are given by an expression: which there are is not known here.
pub(super) fn has_open_indexes(table: &Table) -> bool {
    let parts = [
        "dynamic.global_secondary_index",
        "dynamic.local_secondary_index",
        "GlobalSecondaryIndexes",
        "LocalSecondaryIndexes",
        // Inputs of the table module.
        "global_secondary_indexes",
        "local_secondary_indexes",
    ];
    table.extra.keys().any(|path| parts.iter().any(|part| path.starts_with(part)))
}
