//! Columns: what comes, what goes, and what type another one can be read as.

mod dropped;

use super::{Facts, Item, counts, is_counter};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::Family;
use crate::schema::cql::{Column, Index, Table, Type, View};

pub(super) fn pick(facts: &Facts<'_>, draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    let name = draft.key();
    let pick = match (draft.action, pair.previous.columns.get(name), pair.next.columns.get(name)) {
        (Action::Rename, ..) => Pick::rule("col-rename-pk").case(Case::Indexed, is_indexed(draft, pair.previous)),
        (Action::Add, _, Some(column)) | (_, None, Some(column)) => add(facts, name, column, pair),
        (Action::Drop, Some(column), _) | (_, Some(column), None) => remove(facts, name, column, pair),
        (_, Some(previous), Some(next)) => modify(facts, name, previous, next, pair),
        (_, None, None) => Pick::unknown(),
    };
    // What Terraform's provider tells apart: it compares a set of blocks by their number.
    pick.case(Case::ColumnCountStays, pair.previous.columns.len() == pair.next.columns.len())
}

/// Whether an index is on a column that gets another name.
fn is_indexed(draft: &Draft<Item<'_>>, previous: &Table) -> bool {
    let name = draft.before.as_ref().and_then(serde_json::Value::as_str);
    previous.indexes.values().any(|index| Some(index.column.as_str()) == name)
}

/// Of a type of which nobody asked.
const UNREAD: &str = "Not known: the column was dropped with another type, and no run of Cassandra settles whether this one reads what \
                      that has left. It is refused unless it does. Use another name.";

fn add(facts: &Facts<'_>, name: &str, column: &Column, pair: Pair<&Table>) -> Pick {
    let plain = match &column.kind {
        _ if is_counter(&column.kind) != is_of_counters(pair.previous) => "col-add-counter-mix",
        kind if is_counter(kind) => "col-add-counter",
        _ if column.is_static => "col-add-static",
        Type::Native(_) | Type::Vector(..) | Type::Custom(_) => "col-add",
        _ => "col-add-collection",
    };
    // One that is there was dropped first.
    let Some(dropped) = pair.previous.dropped.get(name).or(pair.previous.columns.get(name)) else { return Pick::rule(plain) };
    let cassandra = facts.backend.engine().filter(|engine| engine.family() == Family::Cassandra);
    let kind = match (cassandra, facts.previous_space()) {
        (Some(_), Some(space)) => dropped::remembered(&dropped.kind, &space.types),
        _ => dropped.kind.clone(),
    };
    let again = if is_counter(&dropped.kind) {
        "col-readd-counter"
    } else if dropped.is_static != column.is_static {
        "col-readd-kind"
    } else if kind == column.kind {
        "col-readd-same"
    } else {
        "col-readd-other"
    };
    let reads = cassandra.map_or(Some(false), |engine| dropped::reads(engine, &kind, &column.kind));
    if again == "col-readd-other" && reads.is_none() {
        return Pick::unknown_because(UNREAD);
    }
    Pick::rule(again)
        .or(plain)
        .case(Case::ReadsDropped, again == "col-readd-other" && reads == Some(true))
        .case(Case::CollectionOfAnotherType, dropped.kind != column.kind && dropped.kind.is_multi_cell_collection())
}

/// Whether a table is one of counters. It stays that when the last of them is dropped (run on 4.0.19, 4.1.10 and 5.0.9).
fn is_of_counters(table: &Table) -> bool {
    let is_empty = table.columns.keys().all(|name| table.is_key(name));
    counts(table) || is_empty && table.dropped.values().any(|column| is_counter(&column.kind))
}

fn remove(facts: &Facts<'_>, name: &str, column: &Column, pair: Pair<&Table>) -> Pick {
    let multi_cell_type = matches!(column.kind, Type::User(_));
    let indexed = pair.previous.indexes.values().any(|index| index.column == name);
    let stay = staying(pair);
    let is_scylla = has_index_views(facts);
    let holds = |view: &&View| {
        view.is_key(name)
            || view.restricts(name)
            || view.columns.as_ref().is_none_or(|columns| columns.iter().any(|held| held == name))
            || is_scylla && view.needs_unselected(pair.previous, name)
    };
    let holds_column = stay.iter().any(holds);
    let cassandra = facts.backend.engine().is_some_and(|engine| engine.family() == Family::Cassandra);
    let by_key = !column.is_static && index_views(facts, pair).any(|index| pair.previous.is_key(&index.column));
    if multi_cell_type && cassandra {
        Pick::rule("col-drop-udt")
    } else if by_key && !holds_column {
        Pick::rule("col-drop-with-mv").case(Case::IndexHoldsColumn, true)
    } else if !stay.is_empty() {
        Pick::rule("col-drop-with-mv").or("col-drop").case(Case::ViewHoldsColumn, holds_column)
    } else if indexed {
        Pick::rule("col-drop-indexed").or("col-drop")
    } else if multi_cell_type {
        Pick::rule("col-drop-udt")
    } else {
        Pick::rule("col-drop")
    }
}

/// The views that stay: one that goes too is dropped first and is in nobody's way.
fn staying(pair: Pair<&Table>) -> Vec<&View> {
    pair.next.views.keys().filter_map(|view| pair.previous.views.get(view)).collect()
}

/// Whether an engine keeps its indexes as views: ScyllaDB (`secondary_index_manager.cc`).
pub(super) fn has_index_views(facts: &Facts<'_>) -> bool {
    facts.backend.engine().is_some_and(|engine| engine.family() == Family::Scylla)
}

/// The indexes that are views and stay. One of a class, such as that of vectors, is none (`is_viewless_custom_class`).
fn index_views<'a>(facts: &Facts<'_>, pair: Pair<&'a Table>) -> impl Iterator<Item = &'a Index> {
    let stay = pair.previous.indexes.iter().filter(move |(name, _)| pair.next.indexes.contains_key(name));
    stay.filter(|(_, index)| has_index_views(facts) && index.using.is_none()).map(|(_, index)| index)
}

/// Whether a view of ScyllaDB, or an index that is one, sorts by a column: it alters the column there too
/// (`alter_table_statement.cc`, `validate_alter`).
fn sorts_a_view(facts: &Facts<'_>, name: &str, pair: Pair<&Table>) -> bool {
    // Behind the column of an index comes the key of its table.
    let is_behind = |index: &Index| {
        let is_first =
            if index.local.is_empty() { index.column == name } else { index.local.iter().any(|column| column == name) };
        !is_first && (index.column == name || pair.previous.is_key(name))
    };
    has_index_views(facts)
        && (staying(pair).iter().any(|view| view.clustering.iter().any(|key| key.column == name))
            || index_views(facts, pair).any(is_behind))
}

fn modify(facts: &Facts<'_>, name: &str, previous: &Column, next: &Column, pair: Pair<&Table>) -> Pick {
    if previous.is_static != next.is_static {
        return Pick::rule("col-static-regular");
    }
    if previous.kind == next.kind {
        return Pick::rule("opt-mask");
    }
    let (from, to) = (&previous.kind, &next.kind);
    let clustering = pair.previous.clustering.iter().any(|key| key.column == name);
    let ordered = |holds: bool| if clustering { holds && order_compatible(from, to) } else { holds };
    let rule = if is_counter(from) || is_counter(to) {
        if counts(pair.previous) == counts(pair.next) { "type-counter" } else { "pk-counter-flip" }
    } else if pair.previous.partition_key.iter().any(|key| key == name) {
        "type-pk"
    } else if clustering {
        "type-ck"
    } else {
        kind(from, to)
    };
    let compatible = if clustering { order_compatible(from, to) } else { value_compatible(from, to) };
    Pick::rule(rule)
        .case(Case::ClusteringColumn, clustering && !ordered(true))
        .case(Case::IncompatibleTypes, !compatible)
        .case(Case::ClusteringInView, !order_compatible(from, to) && sorts_a_view(facts, name, pair))
}

/// The row for a type that becomes another, outside keys.
fn kind(from: &Type, to: &Type) -> &'static str {
    match (from, to) {
        (Type::Frozen(inner), other) | (other, Type::Frozen(inner)) if **inner == *other => "type-frozen",
        (_, Type::Native(name)) if *name == "blob" => "type-any-blob",
        (Type::Vector(..), Type::Vector(..)) => "type-vector-dim",
        (Type::Tuple(_), Type::Tuple(_)) => "type-tuple-extend",
        (Type::Frozen(from), Type::Frozen(to)) => kind(from, to),
        (Type::List(_), Type::List(_)) | (Type::Set(_), Type::Set(_)) | (Type::Map(..), Type::Map(..)) => "type-element",
        (Type::List(_) | Type::Set(_) | Type::Map(..), Type::List(_) | Type::Set(_) | Type::Map(..)) => "type-collection-kind",
        (Type::Native(from), Type::Native(to)) => native(from, to),
        _ => "type-narrow",
    }
}

/// How wide a number is; None for what is no number.
fn width(name: &str) -> Option<u8> {
    ["tinyint", "smallint", "int", "bigint", "varint"]
        .iter()
        .position(|known| *known == name)
        .and_then(|at| u8::try_from(at).ok())
}

fn native(from: &str, to: &str) -> &'static str {
    match (from, to) {
        ("ascii", "text") => "type-ascii-text",
        ("timestamp", "bigint") | ("bigint", "timestamp") => "type-ts-bigint",
        ("timeuuid", "uuid") => "type-timeuuid-uuid",
        ("uuid", "timeuuid") => "type-uuid-timeuuid",
        (from, "varint") if width(from).is_some() => "type-int-varint",
        ("float", "double") => "type-int-bigint",
        (from, to) if matches!((width(from), width(to)), (Some(from), Some(to)) if from < to) => "type-int-bigint",
        _ => "type-narrow",
    }
}

/// Whether ScyllaDB reads values of the one type as the other.
pub(super) fn value_compatible(from: &Type, to: &Type) -> bool {
    match (from, to) {
        _ if from == to => true,
        (&Type::Native(from), &Type::Native(to)) => {
            matches!(native(from, to), "type-ascii-text" | "type-ts-bigint" | "type-timeuuid-uuid" | "type-int-varint")
                || (to == "blob" && from != "counter")
        }
        (Type::List(from), Type::List(to)) | (Type::Frozen(from), Type::Frozen(to)) => value_compatible(from, to),
        (Type::Set(from), Type::Set(to)) => order_compatible(from, to),
        (Type::Map(from, held), Type::Map(to, holds)) => order_compatible(from, to) && value_compatible(held, holds),
        (Type::Tuple(from), Type::Tuple(to)) => {
            from.len() <= to.len() && from.iter().zip(to).all(|(from, to)| value_compatible(from, to))
        }
        // Everything is bytes, but a collection of several cells is not one value.
        (from, Type::Native(to)) => *to == "blob" && !from.is_multi_cell_collection(),
        _ => false,
    }
}

/// Whether ScyllaDB also sorts them alike.
pub(super) fn order_compatible(from: &Type, to: &Type) -> bool {
    match (from, to) {
        _ if from == to => true,
        (&Type::Native(from), &Type::Native(to)) => {
            matches!(native(from, to), "type-ascii-text" | "type-int-varint")
                || (to == "blob" && matches!(from, "text" | "ascii"))
        }
        (Type::Frozen(from), Type::Frozen(to)) => order_compatible(from, to),
        (Type::Tuple(from), Type::Tuple(to)) => {
            from.len() <= to.len() && from.iter().zip(to).all(|(from, to)| order_compatible(from, to))
        }
        _ => false,
    }
}
