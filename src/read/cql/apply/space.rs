//! A keyspace while statements are applied to it: every name is found at once, however many tables there are.

use crate::schema::cql::{Index, Keyspace, Table, View};
use std::collections::BTreeMap;

/// A keyspace whose tables stand under their own names, with the tables that its views and indexes are of.
#[derive(Default)]
pub(super) struct Space {
    pub(super) keyspace: Keyspace,
    /// Keys of tables that stand under another than their name outside.
    keys: BTreeMap<String, String>,
    views: BTreeMap<String, String>,
    indexes: BTreeMap<String, String>,
}

impl From<Keyspace> for Space {
    fn from(mut keyspace: Keyspace) -> Self {
        let tables = std::mem::take(&mut keyspace.tables);
        let mut space = Self { keyspace, ..Self::default() };
        for (key, table) in tables {
            let name = table.name.clone();
            space.views.extend(table.views.keys().map(|view| (view.clone(), name.clone())));
            space.indexes.extend(table.indexes.keys().map(|index| (index.clone(), name.clone())));
            space.keyspace.tables.insert(name.clone(), table);
            space.keys.insert(name, key);
        }
        space
    }
}

impl Space {
    /// The keyspace, its tables under the keys they came with.
    pub(super) fn into_keyspace(self) -> Keyspace {
        let Self { mut keyspace, mut keys, .. } = self;
        let tables = std::mem::take(&mut keyspace.tables);
        keyspace.tables = tables.into_iter().map(|(name, table)| (keys.remove(&name).unwrap_or(name), table)).collect();
        keyspace
    }

    pub(super) fn table(&self, name: &str) -> Option<&Table> {
        self.keyspace.tables.get(name)
    }

    pub(super) fn table_mut(&mut self, name: &str) -> Option<&mut Table> {
        self.keyspace.tables.get_mut(name)
    }

    pub(super) fn insert_table(&mut self, table: Table) {
        self.keyspace.tables.insert(table.name.clone(), table);
    }

    /// Its indexes go with it.
    pub(super) fn remove_table(&mut self, name: &str) {
        self.keys.remove(name);
        for index in self.keyspace.tables.remove(name).into_iter().flat_map(|table| table.indexes.into_keys()) {
            self.indexes.remove(&index);
        }
    }

    pub(super) fn view(&self, name: &str) -> Option<&View> {
        self.table(self.views.get(name)?)?.views.get(name)
    }

    pub(super) fn view_mut(&mut self, name: &str) -> Option<&mut View> {
        self.keyspace.tables.get_mut(self.views.get(name)?)?.views.get_mut(name)
    }

    pub(super) fn views(&self) -> impl Iterator<Item = &String> {
        self.views.keys()
    }

    pub(super) fn insert_view(&mut self, table: &str, name: String, view: View) {
        if let Some(of) = self.keyspace.tables.get_mut(table) {
            self.views.insert(name.clone(), table.to_owned());
            of.views.insert(name, view);
        }
    }

    /// Whether there was one.
    pub(super) fn remove_view(&mut self, name: &str) -> bool {
        let table = self.views.remove(name).and_then(|table| self.keyspace.tables.get_mut(&table));
        table.is_some_and(|table| table.views.remove(name).is_some())
    }

    pub(super) fn index(&self, name: &str) -> Option<&Index> {
        self.table(self.indexes.get(name)?)?.indexes.get(name)
    }

    pub(super) fn indexes(&self) -> impl Iterator<Item = &String> {
        self.indexes.keys()
    }

    pub(super) fn insert_index(&mut self, table: &str, name: String, index: Index) {
        if let Some(of) = self.keyspace.tables.get_mut(table) {
            self.indexes.insert(name.clone(), table.to_owned());
            of.indexes.insert(name, index);
        }
    }

    /// Whether there was one.
    pub(super) fn remove_index(&mut self, name: &str) -> bool {
        let table = self.indexes.remove(name).and_then(|table| self.keyspace.tables.get_mut(&table));
        table.is_some_and(|table| table.indexes.remove(name).is_some())
    }
}
