//! What statements that are run on a cluster take from what is there, though the schema that they lead to has it again: the rows
//! of a table that is emptied or made anew, the values of a column that is dropped and added, an index or a view that is built again.

use super::super::ast::{
    Body, IndexStatement, KeyspaceStatement, QualifiedName, Statement, TableChange, TableStatement, ViewStatement,
};
use super::Session;
use crate::schema::cql::Table;
use crate::source::Span;

impl Session {
    /// Notes what a statement is about to take, where it is one that is run.
    pub(super) fn note_taken(&mut self, statement: &Statement) {
        if self.known > 0 {
            return;
        }
        let span = statement.span;
        match &statement.body {
            Body::Truncate(name) => self.note(name, "rows", span),
            Body::Table(TableStatement::Drop { name, .. }) => {
                let place = (self.keyspace_of(name.keyspace.as_ref()), name.name.value.clone());
                self.gone.insert(place, span);
            }
            Body::Table(TableStatement::Alter { name, change: TableChange::Drop { columns, .. }, .. }) => {
                for column in columns {
                    self.note(name, &format!("columns.{column}"), span);
                }
            }
            Body::Index(IndexStatement::Drop { name, .. }) => {
                self.note_in(name, span, "indexes", |table, name| table.indexes.contains_key(name));
            }
            Body::View(ViewStatement::Drop { name, .. }) => {
                self.note_in(name, span, "views", |table, name| table.views.contains_key(name));
            }
            Body::Keyspace(KeyspaceStatement::Drop { name, .. }) => {
                let tables = self.spaces.get(&name.value).into_iter().flat_map(|space| space.keyspace.tables.keys());
                self.gone.extend(tables.map(|table| ((name.value.clone(), table.clone()), span)));
            }
            _ => {}
        }
    }

    /// Where the table of a name was dropped by a statement that is run.
    pub(super) fn dropped_at(&self, name: &QualifiedName) -> Option<Span> {
        self.gone.get(&(self.keyspace_of(name.keyspace.as_ref()), name.name.value.clone())).copied()
    }

    fn note(&mut self, name: &QualifiedName, path: &str, span: Span) {
        let keyspace = self.keyspace_of(name.keyspace.as_ref());
        if let Some(table) = self.spaces.get_mut(&keyspace).and_then(|space| space.table_mut(&name.name)) {
            table.about.taken.insert(path.to_owned(), span);
        }
    }

    /// Notes something by the table that has it.
    fn note_in(&mut self, name: &QualifiedName, span: Span, map: &str, has: impl Fn(&Table, &str) -> bool) {
        let keyspace = self.keyspace_of(name.keyspace.as_ref());
        let Some(space) = self.spaces.get(&keyspace) else { return };
        let of = space.keyspace.tables.iter().find(|(_, table)| has(table, &name.name)).map(|(key, _)| key.clone());
        if let Some(table) = of.and_then(|key| self.spaces.get_mut(&keyspace)?.table_mut(&key)) {
            table.about.taken.insert(format!("{map}.{}", name.name), span);
        }
    }
}
