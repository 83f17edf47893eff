//! User types: fields can be appended and renamed, and that is nearly all.

use super::column::{self, order_compatible};
use super::index::indexed;
use super::{Facts, Item};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::cql::{Keyspace, Type, UserType};

pub(super) fn pick(facts: &Facts<'_>, draft: &Draft<Item<'_>>, pair: Pair<Option<&UserType>>) -> Pick {
    // A type is looked for under its previous name: that is what tables and types hold now.
    let name = previous_name(draft);
    let previous = facts.keyspace.previous.and_then(|keyspace| facts.schemas.previous.keyspaces.get(keyspace));
    let next = facts.keyspace.next.and_then(|keyspace| facts.schemas.next.keyspaces.get(keyspace));
    let in_view_key = keys_of_views(facts).any(|(keyspace, kind)| keyspace.held_in(kind).contains(name.as_str()));
    let in_keys = |which: fn(&crate::schema::cql::Table) -> Vec<&String>| {
        previous.is_some_and(|keyspace| {
            keyspace.tables.values().any(|table| {
                which(table)
                    .into_iter()
                    .filter_map(|column| table.columns.get(column))
                    .any(|column| keyspace.held_in(&column.kind).contains(name.as_str()))
            })
        })
    };
    let in_partition_key = in_keys(|table| table.partition_key.iter().collect());
    let in_clustering = in_keys(|table| table.clustering.iter().map(|key| &key.column).collect());
    match (draft.action, draft.head()) {
        (Action::Add, "") => Pick::rule("udt-create"),
        (Action::Drop, "") => {
            let used_by = next.and_then(|keyspace| keyspace.carried_with(&name)).map(|by| format!("The {by} has it."));
            Pick::rule("udt-drop").case(Case::StillUsed, next.is_some_and(|keyspace| is_used(keyspace, &name))).about(used_by)
        }
        (_, "name") => Pick::rule("udt-rename-type"),
        (Action::Add, "fields") if is_appended(draft.key(), pair) => Pick::rule("udt-add")
            .case(Case::InPartitionKey, in_partition_key)
            .case(Case::InViewKey, in_view_key)
            .case(Case::DurationInClustering, in_clustering && type_of(draft.key(), pair.next).is_some_and(has_duration)),
        (Action::Rename, "fields") => {
            Pick::rule("udt-rename").case(Case::InPartitionKey, in_partition_key).case(Case::InViewKey, in_view_key)
        }
        (Action::Modify, "fields") if draft.path.as_ref().is_some_and(|path| path.key.is_some()) => {
            let types = type_of(draft.key(), pair.previous).zip(type_of(draft.key(), pair.next));
            let compatible = types.is_some_and(|(from, to)| order_compatible(from, to)) && !in_partition_key;
            Pick::rule("udt-field-type").case(Case::IncompatibleTypes, !compatible).case(Case::InViewKey, in_view_key)
        }
        (_, "fields") => Pick::rule("udt-drop-field"),
        _ => Pick::unknown(),
    }
}

/// The types in the partition keys of views that stay, with their keyspace. To ScyllaDB a global index is a view by its column
/// (`alter_type_statement.cc`; Cassandra `AlterTypeStatement.java`).
fn keys_of_views<'a>(facts: &Facts<'a>) -> impl Iterator<Item = (&'a Keyspace, &'a Type)> {
    let next = facts.next_space();
    let tables =
        facts.previous_space().into_iter().flat_map(|keyspace| keyspace.tables.iter().map(move |table| (keyspace, table)));
    let has_index_views = column::has_index_views(facts);
    tables.flat_map(move |(keyspace, (key, table))| {
        let stays = next.and_then(|keyspace| keyspace.tables.get(key));
        let views = table.views.iter().filter(move |(name, _)| stays.is_some_and(|stays| stays.views.contains_key(name)));
        let indexes = table.indexes.iter().filter(move |(name, index)| {
            has_index_views
                && index.using.is_none()
                && index.local.is_empty()
                && stays.is_some_and(|stays| stays.indexes.contains_key(name))
        });
        let of_views =
            views.flat_map(|(_, view)| &view.partition_key).filter_map(|column| Some(&table.columns.get(column)?.kind));
        let of_indexes = indexes.filter_map(|(_, index)| Some(indexed(index, &table.columns.get(&index.column)?.kind))).flatten();
        of_views.chain(of_indexes).map(move |kind| (keyspace, kind))
    })
}

fn previous_name(draft: &Draft<Item<'_>>) -> String {
    let before = draft.before.as_ref().filter(|_| draft.head() == "name").and_then(serde_json::Value::as_str);
    before.unwrap_or(draft.address.name()).to_owned()
}

fn type_of<'a>(field: &str, of: Option<&'a UserType>) -> Option<&'a Type> {
    of?.fields.iter().find(|(name, _)| name == field).map(|(_, kind)| kind)
}

/// Whether a new field stands behind all that were there.
fn is_appended(field: &str, pair: Pair<Option<&UserType>>) -> bool {
    let (Some(previous), Some(next)) = (pair.previous, pair.next) else { return false };
    next.fields.iter().position(|(name, _)| name == field).is_some_and(|at| at >= previous.fields.len())
}

fn is_used(keyspace: &Keyspace, name: &str) -> bool {
    let columns = keyspace.tables.values().flat_map(|table| table.columns.values().map(|column| &column.kind));
    let fields = keyspace.types.values().flat_map(|of| of.fields.iter().map(|(_, kind)| kind));
    columns.chain(fields).any(|kind| keyspace.held_in(kind).contains(name)) || keyspace.carried_with(name).is_some()
}

fn has_duration(kind: &Type) -> bool {
    kind.to_string() == "duration" || kind.inner().into_iter().any(has_duration)
}
