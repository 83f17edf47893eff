//! Who has a name in a keyspace: its tables, and the tables that its views and indexes are on.

use crate::schema::cql::{Keyspace, Table};
use std::collections::BTreeMap;

/// The names of a keyspace.
pub(super) struct Holders<'a> {
    tables: BTreeMap<&'a str, (&'a str, &'a Table)>,
    /// The names of the tables that have a view of a name, or an index.
    views: BTreeMap<&'a str, Vec<&'a str>>,
    indexes: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> Holders<'a> {
    /// All of a keyspace. Of several tables with one name the first counts.
    pub(super) fn of(keyspace: &'a Keyspace) -> Self {
        let mut holders = Self { tables: BTreeMap::new(), views: BTreeMap::new(), indexes: BTreeMap::new() };
        for (key, table) in &keyspace.tables {
            holders.tables.entry(&table.name).or_insert((key, table));
            for view in table.views.keys() {
                holders.views.entry(view).or_default().push(&table.name);
            }
            for index in table.indexes.keys() {
                holders.indexes.entry(index).or_default().push(&table.name);
            }
        }
        holders
    }

    /// The table of a name, with its key.
    pub(super) fn table(&self, name: &str) -> Option<(&'a str, &'a Table)> {
        self.tables.get(name).copied()
    }

    /// Whether a view has a name.
    pub(super) fn has_view(&self, name: &str) -> bool {
        self.views.contains_key(name)
    }

    /// Whether another table, or a view on another table than this one, has a name.
    pub(super) fn takes_view(&self, name: &str, table: &str) -> bool {
        let is_other = |holder: &&str| *holder != table;
        (self.tables.contains_key(name) && name != table) || self.views.get(name).is_some_and(|on| on.iter().any(is_other))
    }

    /// Whether an index on another table than this one has a name.
    pub(super) fn takes_index(&self, name: &str, table: &str) -> bool {
        self.indexes.get(name).is_some_and(|on| on.iter().any(|holder| *holder != table))
    }
}
