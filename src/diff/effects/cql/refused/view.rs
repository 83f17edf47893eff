//! Views that a table cannot have.
//!
//! Sources: Cassandra `CreateViewStatement.java`, `AlterViewStatement.java` (each rule run on 4.0.19, 4.1.10 and 5.0.9);
//! ScyllaDB `create_view_statement.cc`.

use super::value::{self, Options};
use super::{holds_counters, kind};
use crate::diff::effects::cql::{keys, option};
use crate::schema::cql::{Keyspace, Table, View, identifier};
use crate::schema::{Backend, Family};
use std::collections::BTreeMap;

/// What is wrong with a view of a table. `options` are its own as they are written.
pub(super) fn flaw(backend: Backend, table: &Table, view: &View, options: &Options, space: Option<&Keyspace>) -> Option<String> {
    let family = backend.engine()?.family();
    if let Some(why) = holds_counters(table) {
        return Some(format!("{why}."));
    }
    let own: Vec<&String> = view.partition_key.iter().chain(view.clustering.iter().map(|key| &key.column)).collect();
    let base = keys(table);
    if base.iter().any(|column| !own.contains(column)) {
        return Some("its key lacks a column of the table's.".to_owned());
    }
    if own.iter().filter(|column| !base.contains(column)).count() > 1 {
        return Some("its key has more than one column beside the table's.".to_owned());
    }
    let none = BTreeMap::new();
    let types = space.map_or(&none, |space| &space.types);
    let mut columns = own.iter().filter_map(|column| table.columns.get(*column));
    if columns.clone().any(|column| column.is_static) {
        return Some("a column of its key is static.".to_owned());
    }
    if columns.any(|column| kind::has_no_order(&column.kind, types)) {
        return Some("a column of its key is of a type that no key has.".to_owned());
    }
    if let Some(why) = statement_flaw(family, table, view, &own) {
        return Some(why);
    }
    let selects = |name: &String| view.columns.as_ref().is_none_or(|columns| columns.contains(name));
    if table.columns.iter().any(|(name, column)| column.is_static && selects(name)) {
        return Some("it selects a static column.".to_owned());
    }
    if option::is_zero(table.options.get("gc_grace_seconds")) {
        return Some("its table has gc_grace_seconds = 0.".to_owned());
    }
    // What is refused in an ALTER alone is no flaw of a new view.
    let mut names = options.keys().filter(|name| *name != "gc_grace_seconds");
    names.find_map(|name| option_flaw(backend, options, name))
}

/// What is wrong with what a view selects, by what, and in which order; `own` is its key.
fn statement_flaw(family: Family, table: &Table, view: &View, own: &[&String]) -> Option<String> {
    let is_cassandra = family == Family::Cassandra;
    let by_value: Vec<&String> = view.filter.iter().filter(|relation| !relation.ends_with(" IS NOT NULL")).collect();
    let of = |relation: &str, column: &str| starts(relation, column);
    let others: Vec<&&String> =
        by_value.iter().filter(|relation| !keys(table).iter().any(|column| of(relation, column))).collect();
    if let Some(relation) = others.iter().find(|relation| is_cassandra || !own.iter().any(|column| of(relation, column))) {
        return Some(format!("It filters by `{relation}`, and that is no column of the table's key."));
    }
    if let Some(relation) = by_value.iter().find(|relation| is_cassandra && is_no_range(table, relation, own)) {
        return Some(format!("It filters by `{relation}`."));
    }
    if !is_cassandra {
        return None;
    }
    let manner = &view.about.manner;
    let lacks = |what: &str| own.iter().find(|column| manner.contains(&format!("{what}.{column}")));
    if let Some(column) = lacks("columns") {
        return Some(format!("`{column}` is in its key, and it does not select that."));
    }
    if let Some(column) = lacks("key") {
        return Some(format!("`{column}` is in its key, and nothing says that it IS NOT NULL."));
    }
    manner.contains("clustering").then(|| "Its CLUSTERING ORDER does not name each clustering column in its place.".to_owned())
}

/// Whether a relation is none that rows of a key are found by. For LIKE there has to be an index of the kind.
fn is_no_range(table: &Table, relation: &str, own: &[&String]) -> bool {
    own.iter().any(|column| {
        let rest = relation.strip_prefix(&identifier(column)).unwrap_or_default();
        let is_indexed = || table.indexes.values().any(|index| index.column == **column);
        rest.starts_with(" !=") || rest.starts_with(" LIKE ") && !is_indexed()
    })
}

/// Whether a relation is about a column.
fn starts(relation: &str, column: &str) -> bool {
    relation.strip_prefix(&identifier(column)).is_some_and(|rest| rest.starts_with(' '))
}

/// Why a view does not take the value of an option among those that are written.
pub(in crate::diff::effects::cql) fn option_flaw(backend: Backend, options: &Options, name: &str) -> Option<String> {
    let family = backend.engine()?.family();
    let value = options.get(name);
    let is_refused = match name {
        "default_time_to_live" => value.is_some() && !option::is_zero(value),
        "cdc" => family == Family::Scylla && option::captures(value),
        "gc_grace_seconds" => family == Family::Cassandra && option::is_zero(value),
        "compact_storage" => true,
        _ => false,
    };
    let flaw = || value.filter(|_| is_refused).map(|value| format!("It is `{value}`."));
    value::flaw(backend, name, options).or_else(flaw)
}
