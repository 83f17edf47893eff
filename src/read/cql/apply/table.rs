//! Tables and their columns.

use super::super::ast::{ColumnDefinition, Key, Name, Properties, Property, QualifiedName, TableChange, TableStatement};
use super::space::Space;
use super::{Applied, Session, check_type, clustering, column, exists, fail, note_options, place, tag, unknown};
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::cql::{Column, OptionValue, Table, View, identifier};
use crate::source::Span;
use std::collections::BTreeMap;

impl Session {
    pub(super) fn table_statement(&mut self, span: Span, statement: TableStatement) -> Applied {
        match statement {
            TableStatement::Create { name, if_not_exists, columns, key, properties } => {
                let dropped_at = self.dropped_at(&name);
                let space = self.space(name.keyspace.as_ref());
                if name_taken(space, &name.name, if_not_exists)? {
                    return Ok(());
                }
                let mut table = Table { about: place(span, &name), name: name.name.value.clone(), ..Table::default() };
                for column in &columns {
                    check_type(&space.keyspace, &column.kind)?;
                    add_column(&mut table, column)?;
                }
                set_key(&mut table, &key, &properties)?;
                // Run on Cassandra 4.0.19, 4.1.10 and 5.0.9: such a type has the order in it, whatever CLUSTERING ORDER says.
                for key in &mut table.clustering {
                    key.descending |= columns.iter().any(|column| column.is_reversed && column.name.value == key.column);
                }
                set_options(&mut table.options, &properties.options);
                note_options(&mut table.about, &properties.options);
                table.about.taken.extend(dropped_at.map(|span| (String::new(), span)));
                space.insert_table(table);
                Ok(())
            }
            TableStatement::Alter { name, if_exists, change } => self.alter_table(&name, if_exists, change),
            TableStatement::Drop { name, if_exists } => {
                let space = self.space(name.keyspace.as_ref());
                let Some(table) = space.table(&name.name) else {
                    return if if_exists { Ok(()) } else { unknown_table(space, &name.name) };
                };
                if let Some(view) = table.views.keys().next() {
                    return fail(name.name.span, format!("the table `{}` cannot go while the view `{view}` is on it", name.name));
                }
                space.remove_table(&name.name);
                Ok(())
            }
        }
    }

    fn alter_table(&mut self, name: &QualifiedName, if_exists: bool, change: TableChange) -> Applied {
        let space = self.space(name.keyspace.as_ref());
        match &change {
            TableChange::Add { columns, .. } => {
                columns.iter().try_for_each(|column| check_type(&space.keyspace, &column.kind))?;
            }
            TableChange::Retype(_, kind) => check_type(&space.keyspace, kind)?,
            _ => {}
        }
        if if_exists && space.table(&name.name).is_none() {
            return Ok(());
        }
        let table = table_mut(space, &name.name)?;
        match change {
            TableChange::Add { columns, if_not_exists } => {
                for column in columns {
                    if !(if_not_exists && table.columns.contains_key(&column.name.value)) {
                        add_column(table, &column)?;
                        table.dropped.remove(&column.name.value);
                    }
                }
            }
            TableChange::Drop { columns, if_exists } => {
                for column in columns {
                    if !if_exists || table.columns.contains_key(&column.value) {
                        drop_column(table, &column)?;
                    }
                }
            }
            TableChange::Rename(renames) => {
                for (previous, next) in renames {
                    rename_column(table, &previous, &next)?;
                }
            }
            TableChange::Retype(column, kind) => {
                existing(table, &column)?.kind = kind.value;
                table.about.properties.insert(format!("columns.{column}"), column.span);
            }
            TableChange::Mask(column, mask) => {
                existing(table, &column)?.extra = mask;
                table.about.properties.insert(format!("columns.{column}"), column.span);
            }
            TableChange::DropCompactStorage => {
                table.options.remove("compact_storage");
            }
            TableChange::Tags(change) => tag(&mut table.options, change),
            TableChange::With(properties) => {
                if let Some(order) = properties.order {
                    return fail(order.span, "the clustering order of a table cannot be changed");
                }
                keep_bloom_filter(&mut table.options, &properties.options);
                set_options(&mut table.options, &properties.options);
                note_options(&mut table.about, &properties.options);
            }
        }
        Ok(())
    }
}

/// Whether nothing is left to do because the table exists; an error when that was not foreseen.
pub(super) fn name_taken(space: &Space, name: &Name, if_not_exists: bool) -> Applied<bool> {
    let table = space.table(name).map(|table| &table.about);
    match table.or_else(|| space.view(name).map(|view| &view.about)) {
        Some(_) if if_not_exists => Ok(true),
        Some(about) => exists("table", name, about),
        None => Ok(false),
    }
}

pub(super) fn unknown_table<T>(space: &Space, name: &Name) -> Applied<T> {
    if space.view(name).is_some() {
        return fail(name.span, format!("`{name}` is a view, not a table"));
    }
    unknown("table", name, space.keyspace.tables.keys())
}

fn table_mut<'a>(space: &'a mut Space, name: &Name) -> Applied<&'a mut Table> {
    if space.table(name).is_none() {
        return unknown_table(space, name);
    }
    space.table_mut(name).map_or_else(|| fail(name.span, "unknown table"), Ok)
}

fn add_column(table: &mut Table, definition: &ColumnDefinition) -> Applied {
    let name = &definition.name;
    if table.columns.contains_key(&name.value) {
        let mut diagnostic = Diagnostic::new(codes::BAD_CQL, name.span, format!("the column `{name}` is there twice"));
        if let Some(&first) = table.about.properties.get(&format!("columns.{name}")) {
            diagnostic = diagnostic.context(first, "the first");
        }
        return Err(Box::new(diagnostic));
    }
    table.about.properties.insert(["columns.", &name.value].concat(), name.span);
    table.columns.insert(name.value.clone(), column(definition));
    Ok(())
}

fn existing<'a>(table: &'a mut Table, name: &Name) -> Applied<&'a mut Column> {
    if !table.columns.contains_key(&name.value) {
        return unknown("column", name, table.columns.keys());
    }
    table.columns.get_mut(&name.value).map_or_else(|| fail(name.span, "unknown column"), Ok)
}

fn set_key(table: &mut Table, key: &Key, properties: &Properties) -> Applied {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for name in key.partition.iter().chain(&key.clustering) {
        if !table.columns.contains_key(&name.value) {
            return unknown("column", name, table.columns.keys());
        }
        if let Some(first) = seen.insert(&name.value, name.span) {
            let message = format!("the column `{name}` is in the key twice");
            return Err(Box::new(Diagnostic::new(codes::BAD_CQL, name.span, message).context(first, "the first")));
        }
    }
    table.partition_key = key.partition.iter().map(|name| name.value.clone()).collect();
    table.clustering = clustering(key, properties.order.as_ref())?;
    table.about.properties.insert("partition_key".to_owned(), key.span);
    table.about.properties.insert("clustering".to_owned(), properties.order.as_ref().map_or(key.span, |order| order.span));
    Ok(())
}

fn drop_column(table: &mut Table, name: &Name) -> Applied {
    existing(table, name)?;
    if table.is_key(name) {
        return fail(name.span, format!("`{name}` is part of the primary key and cannot be dropped"));
    }
    if let Some((index, _)) = table.indexes.iter().find(|(_, index)| index.column == name.value) {
        return fail(name.span, format!("`{name}` cannot be dropped while the index `{index}` is on it"));
    }
    let uses = |view: &View| {
        view.columns.as_ref().is_none_or(|columns| columns.contains(&name.value)) || view.is_key(name) || view.restricts(name)
    };
    if let Some((view, _)) = table.views.iter().find(|(_, view)| uses(view)) {
        return fail(name.span, format!("`{name}` cannot be dropped while the view `{view}` has it"));
    }
    if let Some(column) = table.columns.remove(&name.value) {
        table.dropped.insert(name.value.clone(), column);
        table.about.properties.insert(format!("dropped.{name}"), name.span);
    }
    table.about.properties.remove(&format!("columns.{name}"));
    Ok(())
}

/// Only columns of the key can be renamed; views follow.
fn rename_column(table: &mut Table, previous: &Name, next: &Name) -> Applied {
    existing(table, previous)?;
    if !table.is_key(previous) {
        return fail(previous.span, format!("`{previous}` is not part of the primary key and cannot be renamed"));
    }
    if table.columns.contains_key(&next.value) {
        return fail(next.span, format!("the column `{next}` is there already"));
    }
    if let Some((index, _)) = table.indexes.iter().find(|(_, index)| index.column == previous.value) {
        return fail(previous.span, format!("`{previous}` cannot be renamed while the index `{index}` is on it"));
    }
    if let Some(column) = table.columns.remove(&previous.value) {
        table.columns.insert(next.value.clone(), column);
    }
    let rename = |name: &mut String| {
        if *name == previous.value {
            name.clone_from(&next.value);
        }
    };
    table.partition_key.iter_mut().for_each(rename);
    table.clustering.iter_mut().for_each(|key| rename(&mut key.column));
    table.indexes.values_mut().for_each(|index| index.local.iter_mut().for_each(rename));
    for view in table.views.values_mut() {
        view.partition_key.iter_mut().for_each(rename);
        view.clustering.iter_mut().for_each(|key| rename(&mut key.column));
        view.columns.iter_mut().for_each(|columns| {
            columns.iter_mut().for_each(rename);
            columns.sort();
        });
        let written = format!("{} ", identifier(previous));
        for relation in &mut view.filter {
            if let Some(rest) = relation.strip_prefix(&written) {
                *relation = format!("{} {rest}", identifier(next));
            }
        }
    }
    table.about.properties.remove(&format!("columns.{previous}"));
    table.about.properties.insert(format!("columns.{next}"), next.span);
    Ok(())
}

/// Options that were named replace what was there; a map is replaced as a whole.
pub(super) fn set_options(options: &mut BTreeMap<String, OptionValue>, properties: &[Property]) {
    for Property { name, value } in properties {
        match (value, options.get_mut(&name.value)) {
            // Amazon Keyspaces, whose maps these are, changes the entries that are named and no other.
            (OptionValue::Nested(named), Some(OptionValue::Nested(known))) => known.extend(named.clone()),
            _ => _ = options.insert(name.value.clone(), value.clone()),
        }
    }
}

/// The bloom filter that goes with a leveled table by itself is chosen when the table is created; another strategy later
/// does not change it.
fn keep_bloom_filter(options: &mut BTreeMap<String, OptionValue>, properties: &[Property]) {
    let leveled = |value: Option<&OptionValue>| matches!(value, Some(OptionValue::Map(map)) if map.get("class").is_some_and(|class| class == "LeveledCompactionStrategy"));
    let Some(next) = properties.iter().find(|property| property.name.value == "compaction") else { return };
    let before = leveled(options.get("compaction"));
    if before != leveled(Some(&next.value)) {
        let chance = if before { "0.1" } else { "0.01" };
        options.entry("bloom_filter_fp_chance".to_owned()).or_insert_with(|| OptionValue::Number(chance.to_owned()));
    }
}
