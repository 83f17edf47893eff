//! Types of key attributes, and definitions that no key uses.

use super::{Item, Together};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::dynamodb::{GlobalIndex, Table};

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
    if table.attributes.keys().any(|attribute| !table.uses(attribute)) {
        return Some("attribute-unused");
    }
    let own = std::iter::once(&table.partition_key).chain(&table.sort_key);
    let local = table.local_indexes.values().map(|index| &index.sort_key);
    let global = table.global_indexes.values().flat_map(GlobalIndex::keys);
    own.chain(local).chain(global).any(|key| lacks(table, key)).then_some("attribute-missing")
}

/// Whether a table defines no such attribute, as far as its definitions can be read.
pub(super) fn lacks(table: &Table, attribute: &str) -> bool {
    let computed = |path: &String| path.starts_with("dynamic.attribute") || path.starts_with("AttributeDefinitions");
    !table.attributes.contains_key(attribute) && !table.extra.keys().any(computed)
}
