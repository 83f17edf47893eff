//! Materialized views.

use super::super::ast::{CreateView, Name, Relation, ViewStatement};
use super::table::{name_taken, set_options, unknown_table};
use super::{Applied, Session, clustering, fail, note_options, place, unknown};
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::Family;
use crate::schema::cql::{View, identifier};
use crate::source::Span;
use std::collections::BTreeMap;

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
        let engine = self.engine;
        let may_omit = engine.is_some_and(|engine| engine.family() == Family::Scylla);
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
        // The one column of a partition key is never null: ScyllaDB does not want to be told (`create_view_statement.cc`).
        let is_told = |column: &Name| may_omit && table.partition_key == [column.value.clone()];
        for column in keys().filter(|column| !is_told(column)) {
            if !relations.iter().any(|relation| relation.column.value == column.value) {
                let message = format!("`{column}` is in the key of the view: it must be restricted, IS NOT NULL at least");
                let mut diagnostic = Diagnostic::new(codes::BAD_CQL, column.span, message);
                if engine.is_none() && table.partition_key == [column.value.clone()] {
                    diagnostic = diagnostic.help("ScyllaDB takes it: name that backend alone, if the text is of its");
                }
                return Err(Box::new(diagnostic));
            }
        }
        let mut view = View {
            about: place(span, &name),
            columns: columns.map(|columns| columns.into_iter().map(|column| column.value).collect()),
            filter: Vec::new(),
            partition_key: key.partition.iter().map(|column| column.value.clone()).collect(),
            clustering: clustering(&key, properties.order.as_ref())?,
            options: BTreeMap::new(),
        };
        if properties.order.is_none() {
            // Run on Cassandra 5.0.9: a view that says nothing of it has the order of its table, column by column.
            for key in &mut view.clustering {
                key.descending = table.clustering.iter().any(|base| base.column == key.column && base.descending);
            }
        }
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
