//! CQL: tables that left, columns that were dropped, and the order of the fields of types.

use super::{free_key, remind, removal};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{Cql, CqlTable, Model, Removal};
use crate::schema::cql::{Column, Keyspace, Schema, Table, Type};
use crate::schema::{About, Address, Items};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn carry(previous: &Schema, model: &Model, section: &Cql, next: &mut Schema, sink: &mut Sink) {
    order_fields(previous, next);
    for (name, before) in &previous.keyspaces {
        if let Some(after) = next.keyspaces.get_mut(name) {
            let named: BTreeMap<&str, &Table> = before.tables.values().rev().map(|table| (table.name.as_str(), table)).collect();
            for (key, table) in &mut after.tables {
                if let Some(before) = named.get(table.name.as_str()) {
                    table.dropped = dropped(before, table, &renamed(model, section.tables.get(key)));
                }
            }
            keep(before, after, section, sink);
        } else if !is_renamed(name, before, previous, next) {
            let mut after = Keyspace { tables: Items::new(), types: BTreeMap::new(), ..before.clone() };
            keep(before, &mut after, section, sink);
            if !after.tables.is_empty() {
                next.keyspaces.insert(name.clone(), after);
            }
        }
    }
    super::keyspaces::carry(previous, section, next, sink);
}

/// What an engine has that is no longer among the model's: everything, and every table is kept.
pub(super) fn left(previous: &Schema) -> Schema {
    let mut left = previous.clone();
    for table in left.keyspaces.values_mut().flat_map(|keyspace| keyspace.tables.values_mut()) {
        table.kept = true;
        table.about = About::default();
    }
    // Terraform takes over nothing that it is to let go of.
    left.imported.retain(|address, _| !address.starts_with("aws_keyspaces_table."));
    left
}

/// A keyspace under another name is a change of its own: its tables did not leave the model.
fn is_renamed(name: &str, before: &Keyspace, previous: &Schema, next: &Schema) -> bool {
    let came: Vec<&Keyspace> =
        next.keyspaces.iter().filter(|(name, _)| !previous.keyspaces.contains_key(*name)).map(|(_, of)| of).collect();
    let left = previous.keyspaces.keys().filter(|name| !next.keyspaces.contains_key(*name));
    let in_common = |after: &Keyspace| before.tables.keys().any(|key| after.tables.contains_key(key));
    matches!((came.as_slice(), left.collect::<Vec<_>>().as_slice()), ([one], [only]) if *only == name && in_common(one))
}

/// Takes over the tables that are not in the model, with the types they use.
fn keep(before: &Keyspace, after: &mut Keyspace, section: &Cql, sink: &mut Sink) {
    let kept = kept(before, after, section, sink);
    taken(&kept, after, sink);
    for (key, table) in kept {
        for column in table.columns.values() {
            keep_types(&column.kind, before, after);
        }
        after.tables.insert(free_key(|key| after.tables.contains_key(key), key), table);
    }
}

/// The tables that left the model and are not to be destroyed.
fn kept<'b>(before: &'b Keyspace, after: &Keyspace, section: &Cql, sink: &mut Sink) -> Vec<(&'b str, Table)> {
    let names: BTreeSet<&str> = after.tables.values().map(|table| table.name.as_str()).collect();
    let mut kept = Vec::new();
    for (key, table) in before.tables.iter().filter(|(_, table)| !names.contains(table.name.as_str())) {
        let removal = removal(Some(&section.removed), key);
        // One that exists elsewhere by now left on purpose.
        let is_external = section.tables.get(key).is_some_and(|known| known.external && known.name.value == table.name);
        match removal.map(|removal| removal.value) {
            Some(Removal::Destroy) => continue,
            None if table.kept && !is_external => remind(&Address::CqlTable(None, key.clone()), Some(section.span), sink),
            _ => {}
        }
        let about = removal.map(|removal| About::at(removal.span)).unwrap_or_default();
        kept.push((key.as_str(), Table { kept: true, about, ..table.clone() }));
    }
    kept
}

/// Error `duplicate-name`: a table that is kept has its indexes and views still, and a keyspace has one of each name. Tables
/// and views share theirs.
fn taken(kept: &[(&str, Table)], after: &Keyspace, sink: &mut Sink) {
    if kept.is_empty() {
        return;
    }
    let (mut indexes, mut relations) = (BTreeMap::new(), BTreeMap::new());
    for (key, table) in kept {
        relations.insert(table.name.as_str(), ("", *key));
        relations.extend(table.views.keys().map(|name| (name.as_str(), ("a view of ", *key))));
        indexes.extend(table.indexes.keys().map(|name| (name.as_str(), ("an index of ", *key))));
    }
    let mut push = |what: &str, name: &str, (of, key): (&str, &str), place: Option<Span>, address: Address| {
        let owner = Address::CqlTable(None, key.to_owned());
        let message = format!("the {what} `{name}` has the name of {of}`{owner}`, which left the model and is kept");
        sink.push(
            Diagnostic::somewhere(codes::DUPLICATE_NAME, place, message)
                .note("indexes, and tables together with views, have one name each in a keyspace")
                .help("give it another name")
                .at(address),
        );
    };
    for (key, table) in &after.tables {
        if let Some(other) = relations.get(table.name.as_str()) {
            push("table", &table.name, *other, table.about.place("name"), Address::CqlTable(None, key.clone()));
        }
        for (name, view) in &table.views {
            if let Some(other) = relations.get(name.as_str()) {
                push("view", name, *other, view.about.span, Address::View(None, key.clone(), name.clone()));
            }
        }
        for (name, index) in &table.indexes {
            if let Some(other) = indexes.get(name.as_str()) {
                push("index", name, *other, index.about.span, Address::CqlIndex(None, key.clone(), name.clone()));
            }
        }
    }
}

fn keep_types(kind: &Type, before: &Keyspace, after: &mut Keyspace) {
    if let Type::User(name) = kind
        && !after.types.contains_key(name)
        && let Some(of) = before.types.get(name)
    {
        after.types.insert(name.clone(), of.clone());
        of.fields.iter().for_each(|(_, kind)| keep_types(kind, before, after));
    }
    kind.inner().into_iter().for_each(|kind| keep_types(kind, before, after));
}

/// Columns that cannot come back with another type: the engine remembers what it dropped.
fn dropped(before: &Table, after: &Table, renamed: &[(&str, &str)]) -> BTreeMap<String, Column> {
    // A key column can be renamed; then it was not dropped.
    let was_renamed =
        |column: &String| is_key(before, column) && renamed.iter().any(|(from, to)| from == column && is_key(after, to));
    let gone = before.columns.iter().filter(|(column, _)| !was_renamed(column));
    before
        .dropped
        .iter()
        .chain(gone)
        .filter(|(column, _)| !after.columns.contains_key(*column))
        .map(|(column, of)| (column.clone(), of.clone()))
        .collect()
}

fn is_key(table: &Table, column: &str) -> bool {
    table.partition_key.iter().any(|key| key == column) || table.clustering.iter().any(|key| key.column == column)
}

/// The attributes in a table that had another name: from and to.
fn renamed<'m>(model: &'m Model, table: Option<&CqlTable>) -> Vec<(&'m str, &'m str)> {
    let entities =
        table.into_iter().flat_map(|table| &table.holds).filter_map(|holding| model.entities.get(&holding.entity.value));
    entities
        .flat_map(|entity| &entity.attributes)
        .filter_map(|(name, attribute)| Some((attribute.renamed_from.as_ref()?.value.as_str(), name.as_str())))
        .collect()
}

/// Puts the fields of each type in the order in which the engine holds them; new ones follow, in the order they have.
pub(super) fn order_fields(previous: &Schema, next: &mut Schema) {
    for (keyspace, after) in &mut next.keyspaces {
        let Some(before) = previous.keyspaces.get(keyspace) else { continue };
        for (name, of) in &mut after.types {
            let Some(before) = before.types.get(name) else { continue };
            let place = |field: &str| before.fields.iter().position(|(name, _)| name == field).unwrap_or(usize::MAX);
            of.fields.sort_by_key(|(field, _)| place(field));
        }
    }
}
