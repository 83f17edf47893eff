//! User types: fields can be appended and renamed, and that is nearly all.

use super::column::order_compatible;
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
        (Action::Drop, "") => Pick::rule("udt-drop").case(Case::StillUsed, next.is_some_and(|keyspace| is_used(keyspace, &name))),
        (_, "name") => Pick::rule("udt-rename-type"),
        (Action::Add, "fields") if is_appended(draft.key(), pair) => Pick::rule("udt-add")
            .case(Case::InPartitionKey, in_partition_key)
            .case(Case::DurationInClustering, in_clustering && type_of(draft.key(), pair.next).is_some_and(has_duration)),
        (Action::Rename, "fields") => Pick::rule("udt-rename").case(Case::InPartitionKey, in_partition_key),
        (Action::Modify, "fields") if draft.path.as_ref().is_some_and(|path| path.key.is_some()) => {
            let types = type_of(draft.key(), pair.previous).zip(type_of(draft.key(), pair.next));
            let compatible = types.is_some_and(|(from, to)| order_compatible(from, to)) && !in_partition_key;
            Pick::rule("udt-field-type").case(Case::IncompatibleTypes, !compatible)
        }
        (_, "fields") => Pick::rule("udt-drop-field"),
        _ => Pick::unknown(),
    }
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
    columns.chain(fields).any(|kind| keyspace.held_in(kind).contains(name))
}

fn has_duration(kind: &Type) -> bool {
    kind.to_string() == "duration" || kind.inner().into_iter().any(has_duration)
}
