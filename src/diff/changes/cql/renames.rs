//! Columns of a primary key under another name: the one rename that CQL has.

use crate::diff::draft::Draft;
use crate::diff::effects::cql::Item;
use crate::diff::properties::{Difference, Path};
use crate::diff::{Action, Pair};
use crate::schema::Address;
use crate::schema::cql::{Table, identifier};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Finds the key columns that stand in the same place with the same type under a name that was not there, and gives the
/// previous table as it is once they are renamed; views follow, and an index on one is dropped before and built
/// again behind.
pub(in crate::diff) fn follow<'t>(previous: &'t Table, next: &Table) -> (Cow<'t, Table>, BTreeMap<String, String>) {
    let columns = find(previous, next);
    if columns.is_empty() {
        return (Cow::Borrowed(previous), columns);
    }
    let mut renamed = previous.clone();
    let follow = |column: &mut String| {
        if let Some(to) = columns.get(column) {
            column.clone_from(to);
        }
    };
    renamed.columns = std::mem::take(&mut renamed.columns)
        .into_iter()
        .map(|(mut name, column)| {
            follow(&mut name);
            (name, column)
        })
        .collect();
    renamed.partition_key.iter_mut().for_each(follow);
    renamed.clustering.iter_mut().for_each(|key| follow(&mut key.column));
    for view in renamed.views.values_mut() {
        view.partition_key.iter_mut().for_each(follow);
        view.clustering.iter_mut().for_each(|key| follow(&mut key.column));
        if let Some(selected) = &mut view.columns {
            selected.iter_mut().for_each(follow);
            selected.sort();
        }
        for relation in &mut view.filter {
            if let Some((from, to)) = columns.iter().find(|(from, _)| starts(relation, from)) {
                *relation = relation.replacen(&identifier(from), &identifier(to), 1);
            }
        }
        view.filter.sort();
    }
    (Cow::Owned(renamed), columns)
}

/// One rename a column.
pub(super) fn drafts<'a>(columns: &BTreeMap<String, String>, table: &Address, pair: Pair<&Table>) -> Vec<Draft<Item<'a>>> {
    let about = Pair { previous: &pair.previous.about, next: &pair.next.about };
    let draft = |(from, to): (&String, &String)| {
        let (before, after) = (Some(Json::from(from.as_str())), Some(Json::from(to.as_str())));
        let difference = Difference { path: Path::entry("columns", to), before, after };
        let mut draft = Draft::property(Item::Table, table.clone(), difference, about);
        draft.action = Action::Rename;
        draft
    };
    columns.iter().map(draft).collect()
}

fn find(previous: &Table, next: &Table) -> BTreeMap<String, String> {
    if previous.partition_key.len() != next.partition_key.len() || previous.clustering.len() != next.clustering.len() {
        return BTreeMap::new();
    }
    let partition = previous.partition_key.iter().zip(&next.partition_key);
    let clustering = previous.clustering.iter().zip(&next.clustering).filter(|(from, to)| from.descending == to.descending);
    partition
        .chain(clustering.map(|(from, to)| (&from.column, &to.column)))
        .filter(|(from, to)| from != to && !next.columns.contains_key(*from) && !previous.columns.contains_key(*to))
        .filter(|(from, to)| previous.columns.get(*from) == next.columns.get(*to))
        .map(|(from, to)| (from.clone(), to.clone()))
        .collect()
}

fn starts(relation: &str, column: &str) -> bool {
    relation.strip_prefix(&identifier(column)).is_some_and(|rest| rest.starts_with(' '))
}
