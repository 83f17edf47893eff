//! Materialized views.

use super::super::ast::{CreateView, Key, Name, Relation, ViewStatement};
use super::table::{name_taken, set_options, unknown_table};
use super::{Applied, Session, fail, note_options, place, unknown};
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::Family;
use crate::schema::cql::{Clustering, Table, View, identifier};
use crate::source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};

impl Session {
    pub(super) fn view_statement(&mut self, span: Span, statement: ViewStatement) -> Applied {
        match statement {
            ViewStatement::Create(create) => self.create_view(span, *create),
            ViewStatement::Alter { name, if_exists, properties } => {
                let space = self.space(name.keyspace.as_ref());
                match (space.view_mut(&name.name), properties.order) {
                    (_, Some(order)) => fail(order.span, "the clustering order of a view cannot be changed"),
                    (Some(view), None) => {
                        set_options(&mut view.options, &properties.options);
                        note_options(&mut view.about, &properties.options);
                        Ok(())
                    }
                    (None, None) if if_exists => Ok(()),
                    (None, None) => unknown("view", &name.name, space.views()),
                }
            }
            ViewStatement::Drop { name, if_exists } => {
                let space = self.space(name.keyspace.as_ref());
                if space.remove_view(&name.name) || if_exists {
                    return Ok(());
                }
                unknown("view", &name.name, space.views())
            }
        }
    }

    fn create_view(&mut self, span: Span, create: CreateView) -> Applied {
        let CreateView { name, if_not_exists, base, columns, relations, key, properties } = create;
        let in_base = self.keyspace_of(base.keyspace.as_ref());
        let own = name.keyspace.as_ref().map(|keyspace| keyspace.value.clone()).or_else(|| self.keyspace.clone());
        if own.is_some_and(|own| own != in_base) {
            return fail(name.name.span, "a view is in the keyspace of its table");
        }
        let is_scylla = self.engine.is_some_and(|engine| engine.family() == Family::Scylla);
        let space = self.space(base.keyspace.as_ref());
        if name_taken(space, &name.name, if_not_exists)? {
            return Ok(());
        }
        let Some(table) = space.table(&base.name) else { return unknown_table(space, &base.name) };
        let keys = || key.partition.iter().chain(&key.clustering);
        let restricted = relations.iter().map(|relation| &relation.column);
        for column in columns.iter().flatten().chain(keys()).chain(restricted) {
            if !table.columns.contains_key(&column.value) {
                return unknown("column", column, table.columns.keys());
            }
        }
        let mut manner = BTreeSet::new();
        for column in keys().filter(|column| !relations.iter().any(|relation| relation.column.value == column.value)) {
            // ScyllaDB: the whole of a partition key is never null (`create_view_statement.cc`).
            if table.partition_key != [column.value.clone()] {
                return fail(
                    column.span,
                    format!("`{column}` is in the key of the view: it must be restricted, IS NOT NULL at least"),
                );
            }
            manner.insert(format!("key.{column}"));
        }
        if let Some(columns) = &columns {
            let selects = |key: &&Name| columns.iter().any(|column| column.value == key.value);
            manner.extend(keys().filter(|key| !selects(key)).map(|key| format!("columns.{key}")));
        }
        let (clustering, is_whole) = order(&key, properties.order.as_ref(), table, is_scylla)?;
        manner.extend((!is_whole).then(|| "clustering".to_owned()));
        let mut view = View {
            about: place(span, &name),
            columns: columns.map(|columns| columns.into_iter().map(|column| column.value).collect()),
            filter: Vec::new(),
            partition_key: key.partition.iter().map(|column| column.value.clone()).collect(),
            clustering,
            options: BTreeMap::new(),
        };
        view.about.manner = manner;
        for Relation { column, rest } in relations {
            if !(rest == "IS NOT NULL" && view.is_key(&column)) {
                view.filter.push(format!("{} {rest}", identifier(&column)));
            }
        }
        view.filter.sort();
        if let Some(columns) = &mut view.columns {
            columns.sort();
        }
        set_options(&mut view.options, &properties.options);
        note_options(&mut view.about, &properties.options);
        view.about.properties.insert("partition_key".to_owned(), key.span);
        view.about.properties.insert("clustering".to_owned(), properties.order.as_ref().map_or(key.span, |order| order.span));
        space.insert_view(&base.name, name.name.value, view);
        Ok(())
    }
}

/// The clustering key of a view, and whether an order, if there is one, names all of it in its place: Cassandra wants that
/// (`CreateViewStatement.java`), ScyllaDB takes some of the columns in any place (`create_view_statement.cc`).
fn order(
    key: &Key,
    order: Option<&Spanned<Vec<(Name, bool)>>>,
    table: &Table,
    is_scylla: bool,
) -> Applied<(Vec<Clustering>, bool)> {
    // Run on Cassandra 5.0.9: a view that says nothing of it has the order of its table, column by column. That of ScyllaDB is
    // ascending (`cf_properties.hh`, `get_reversable_type`), and so is a column that an order does not name.
    let granted =
        |name: &str| order.is_none() && !is_scylla && table.clustering.iter().any(|base| base.column == name && base.descending);
    let column = |name: &Name| Clustering { column: name.value.clone(), descending: granted(name) };
    let mut clustering: Vec<Clustering> = key.clustering.iter().map(column).collect();
    let Some(order) = order else { return Ok((clustering, true)) };
    let mut named: Vec<&str> = Vec::new();
    for (name, descending) in &order.value {
        let Some(column) = clustering.iter_mut().find(|column| column.column == name.value) else {
            let message = format!("CLUSTERING ORDER names `{name}`, which is no clustering column of the view");
            return Err(Box::new(Diagnostic::new(codes::BAD_CQL, name.span, message).context(key.span, "its key")));
        };
        if named.contains(&name.value.as_str()) {
            return fail(name.span, format!("CLUSTERING ORDER names `{name}` twice"));
        }
        column.descending = *descending;
        named.push(&name.value);
    }
    let is_whole = clustering.iter().map(|column| column.column.as_str()).eq(named);
    Ok((clustering, is_whole))
}
