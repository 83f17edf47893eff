//! Types of key attributes, and definitions that no key uses.

use super::dynamodb::{Item, Together};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::dynamodb::Table;

pub(super) fn pick(together: &Together, draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    let attribute = draft.key();
    match draft.action {
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
    let keys = |table: &Table| -> Vec<String> {
        let own = std::iter::once(&table.partition_key).chain(&table.sort_key);
        let local = table.local_indexes.values().map(|index| &index.sort_key);
        let global = table.global_indexes.values().flat_map(|index| index.partition_key.0.iter().chain(&index.sort_key.0));
        own.chain(local).chain(global).cloned().collect()
    };
    if table.attributes.keys().any(|attribute| !table.uses(attribute)) {
        return Some("attribute-unused");
    }
    keys(table).iter().any(|key| !table.attributes.contains_key(key)).then_some("attribute-missing")
}
