//! Local secondary indexes: they exist from the table's creation or never.

use super::{Facts, Item, Together};
use crate::diff::draft::Draft;
use crate::diff::rows::Pick;
use crate::diff::{Action, Pair};
use crate::schema::dynamodb::{LocalIndex, Projection, Table};

/// The service's limit.
const MOST: usize = 5;

pub(super) fn pick(facts: &Facts<'_>, together: &Together, draft: &Draft<Item<'_>>, pair: Pair<Option<&LocalIndex>>) -> Pick {
    let Some(tables) = facts.both() else { return Pick::unknown() };
    let rule = match (draft.action, draft.head()) {
        (Action::Add, "") => refused(tables.next).unwrap_or("lsi-add"),
        (Action::Drop, "") => "lsi-remove",
        (_, "name") => "lsi-rename",
        (_, "sort_key" | "projection") if together.local_set => "lsi-edit-with-add-remove",
        (_, "sort_key") => match pair.next {
            Some(next) if tables.previous.attributes.contains_key(&next.sort_key) => "lsi-range-key-declared-attr",
            _ => "lsi-range-key-new-attr",
        },
        (_, "projection") => match (pair.previous.map(|index| &index.projection), pair.next.map(|index| &index.projection)) {
            (Some(Projection::Include(_)), Some(Projection::Include(_))) => "lsi-non-key-attributes",
            _ => "lsi-projection-type",
        },
        _ => return Pick::unknown(),
    };
    Pick::rule(rule)
}

/// Why the local indexes of a table are never accepted.
pub(super) fn refused(table: &Table) -> Option<&'static str> {
    if !table.local_indexes.is_empty() && table.sort_key.is_none() {
        Some("lsi-without-range")
    } else if table.local_indexes.len() > MOST {
        Some("lsi-over-limit")
    } else {
        None
    }
}
