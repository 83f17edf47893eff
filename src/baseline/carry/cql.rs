//! CQL: tables that left, columns that were dropped, and the order of the fields of types.

use super::{free_key, remind, removal};
use crate::diagnostic::Sink;
use crate::model::{Cql, CqlTable, Model, Removal};
use crate::schema::cql::{Column, Keyspace, Schema, Table, Type};
use crate::schema::{About, Address, Items};
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
    let names: BTreeSet<String> = after.tables.values().map(|table| table.name.clone()).collect();
    for (key, table) in before.tables.iter().filter(|(_, table)| !names.contains(&table.name)) {
        let removal = removal(Some(&section.removed), key);
        // One that exists elsewhere by now left on purpose.
        let is_external = section.tables.get(key).is_some_and(|known| known.external && known.name.value == table.name);
        match removal.map(|removal| removal.value) {
            Some(Removal::Destroy) => continue,
            None if table.kept && !is_external => remind(&Address::CqlTable(None, key.clone()), Some(section.span), sink),
            _ => {}
        }
        let about = removal.map(|removal| About::at(removal.span)).unwrap_or_default();
        let kept = Table { kept: true, about, ..table.clone() };
        for column in kept.columns.values() {
            keep_types(&column.kind, before, after);
        }
        after.tables.insert(free_key(|key| after.tables.contains_key(key), key), kept);
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
