//! The tables and indexes that `via` may name.

use crate::schema::Address;
use crate::validate::document;
use std::collections::BTreeSet;

/// What `via` may name, as far as the document has it.
pub(super) fn addresses(document: &document::Model) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    let names = |known: &mut BTreeSet<String>, addresses: &mut dyn Iterator<Item = Address>| {
        known.extend(addresses.map(|address| address.to_string()));
    };
    let tables = document.dynamodb.get().and_then(|section| section.tables.get());
    for (table, options) in tables.into_iter().flat_map(|tables| &tables.0) {
        let table = &table.value;
        names(&mut known, &mut std::iter::once(Address::DynamodbTable(table.clone())));
        let Some(options) = options.get() else { continue };
        let local = options.local_secondary_indexes.get().into_iter().flat_map(|indexes| indexes.names());
        names(&mut known, &mut local.map(|index| Address::LocalIndex(table.clone(), index.value.clone())));
        let global = options.global_secondary_indexes.get().into_iter().flat_map(|indexes| indexes.names());
        names(&mut known, &mut global.map(|index| Address::GlobalIndex(table.clone(), index.value.clone())));
    }
    let tables = document.cql.get().and_then(|section| section.tables.get());
    for (table, options) in tables.into_iter().flat_map(|tables| &tables.0) {
        let table = &table.value;
        names(&mut known, &mut std::iter::once(Address::CqlTable(None, table.clone())));
        let Some(options) = options.get() else { continue };
        let indexes = options.indexes.get().into_iter().flat_map(|indexes| indexes.names());
        names(&mut known, &mut indexes.map(|index| Address::CqlIndex(None, table.clone(), index.value.clone())));
        let views = options.views.get().into_iter().flat_map(|views| views.names());
        names(&mut known, &mut views.map(|view| Address::View(None, table.clone(), view.value.clone())));
    }
    known
}
