//! The tables and indexes that `via` may name.

use crate::model::DynamodbTable;
use crate::schema::Address;
use crate::validate::document;
use crate::validate::share::Neighbours;
use std::collections::BTreeSet;

/// What `via` may name, as far as the documents have it.
#[derive(Default)]
pub(super) struct Addresses {
    known: BTreeSet<String>,
    /// Tables whose indexes are not known: those of an owner that was not found, or not looked for yet.
    unseen: BTreeSet<String>,
}

impl Addresses {
    pub(super) fn of(document: &document::Model, neighbours: Option<&Neighbours<'_>>) -> Self {
        let mut all = Self::default();
        let tables = document.dynamodb.get().and_then(|section| section.tables.get());
        for (table, options) in tables.into_iter().flat_map(|tables| &tables.0) {
            let table = &table.value;
            all.add(&Address::DynamodbTable(table.clone()));
            let Some(options) = options.get() else { continue };
            if options.owner.is_there() {
                let owner = options.owner.get();
                match owner.zip(neighbours).and_then(|(owner, neighbours)| neighbours.borrow(table, &owner.value)) {
                    Some(owned) => all.add_indexes(table, owned.table),
                    None => _ = all.unseen.insert(Address::DynamodbTable(table.clone()).to_string()),
                }
                continue;
            }
            let local = options.local_secondary_indexes.get().into_iter().flat_map(|indexes| indexes.names());
            local.for_each(|index| all.add(&Address::LocalIndex(table.clone(), index.value.clone())));
            let global = options.global_secondary_indexes.get().into_iter().flat_map(|indexes| indexes.names());
            global.for_each(|index| all.add(&Address::GlobalIndex(table.clone(), index.value.clone())));
        }
        let tables = document.cql.get().and_then(|section| section.tables.get());
        for (table, options) in tables.into_iter().flat_map(|tables| &tables.0) {
            let table = &table.value;
            all.add(&Address::CqlTable(None, table.clone()));
            let Some(options) = options.get() else { continue };
            let indexes = options.indexes.get().into_iter().flat_map(|indexes| indexes.names());
            indexes.for_each(|index| all.add(&Address::CqlIndex(None, table.clone(), index.value.clone())));
            let views = options.views.get().into_iter().flat_map(|views| views.names());
            views.for_each(|view| all.add(&Address::View(None, table.clone(), view.value.clone())));
        }
        all
    }

    fn add(&mut self, address: &Address) {
        self.known.insert(address.to_string());
    }

    fn add_indexes(&mut self, table: &str, owned: &DynamodbTable) {
        owned.local_indexes.keys().for_each(|index| self.add(&Address::LocalIndex(table.to_owned(), index.clone())));
        owned.global_indexes.keys().for_each(|index| self.add(&Address::GlobalIndex(table.to_owned(), index.clone())));
    }

    /// Whether there is, or may be, such a thing.
    pub(super) fn has(&self, address: &Address) -> bool {
        self.known.contains(&address.to_string()) || self.unseen.contains(&address.table().to_string())
    }

    /// All that is known.
    pub(super) fn known(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(String::as_str)
    }
}
