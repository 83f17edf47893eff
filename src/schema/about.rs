//! What is known about a schema item beside what it is: never part of what "equal" means.

use super::{Address, Places, cql, dynamodb};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Where an item and its properties were written, and what is said about it. All values of this type are equal, so that
/// two schemas can be compared with `==`; copies of an item share one. None: nothing is known.
#[derive(Clone, Debug, Default)]
pub struct About(Option<Arc<Notes>>);

static NOTHING: Notes = Notes {
    span: None,
    template: None,
    properties: Places::new(),
    renamed_from: BTreeMap::new(),
    taken: BTreeMap::new(),
    manner: BTreeSet::new(),
    description: None,
    serves: Vec::new(),
};

/// What [`About`] holds.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// The item's own place: its key in the model, its block in Terraform, its statement in CQL.
    pub span: Option<Span>,
    /// The name of the template that it is in, where several were read: each is a stack of its own.
    pub template: Option<String>,
    /// The places of its properties.
    pub properties: Places,
    /// The names that its properties had before, by the property's path (`columns.remark`: `note`).
    pub renamed_from: BTreeMap<String, String>,
    /// What statements that are still to be run take from it on the way to what it is, by the property's path (`columns.email`, whose
    /// values go; `rows`; empty: all of it), and where they stand.
    pub taken: BTreeMap<String, Span>,
    /// How its statement says it, where an engine minds: `custom` of an index; `clustering`, where an order names only some of the
    /// columns of a view; `key.a`, where a column of its key is not restricted; `columns.a`, where it is not selected;
    /// [`UNSEEDED`](super::dynamodb::UNSEEDED) of what a global table scales.
    pub manner: BTreeSet<String>,
    /// Its description in the model.
    pub description: Option<String>,
    /// The access patterns it serves, sorted.
    pub serves: Vec<String>,
}

impl Notes {
    /// Only a place.
    #[must_use]
    pub fn at(span: Span) -> Self {
        Self { span: Some(span), ..Self::default() }
    }
}

impl About {
    /// Only a place.
    #[must_use]
    pub fn at(span: Span) -> Self {
        Notes::at(span).into()
    }

    /// The place of a property, else of the map it would stand in, else of the item.
    #[must_use]
    pub fn place(&self, property: &str) -> Option<Span> {
        let map = property.split('.').next().unwrap_or_default();
        self.properties.get(property).or_else(|| self.properties.get(map)).copied().or(self.span)
    }
}

impl From<Notes> for About {
    fn from(notes: Notes) -> Self {
        Self(Some(Arc::new(notes)))
    }
}

impl Deref for About {
    type Target = Notes;

    fn deref(&self) -> &Notes {
        self.0.as_deref().unwrap_or(&NOTHING)
    }
}

impl DerefMut for About {
    fn deref_mut(&mut self) -> &mut Notes {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}

impl PartialEq for About {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for About {}

/// A schema whose items are described.
pub trait Described {
    /// What is known of an item; None when it has no such item.
    fn about(&self, address: &Address) -> Option<&About>;

    /// What is known of an item, to be changed.
    fn about_mut(&mut self, address: &Address) -> Option<&mut About>;

    /// The addresses of all items.
    fn addresses(&self) -> Vec<Address>;

    /// Takes over what another schema knows of the items that both have: a serialised schema does not hold it.
    fn take_about(&mut self, from: &Self) {
        for address in from.addresses() {
            if let (Some(to), Some(about)) = (self.about_mut(&address), from.about(&address)) {
                to.clone_from(about);
            }
        }
    }
}

/// Both ways to an item's [`About`], by the shared or the exclusive accessor of its maps.
macro_rules! dynamodb_about {
    ($schema:ident, $address:ident, $get:ident, $($reference:tt)+) => {
        match $address {
            Address::Parameter(name) => $schema.parameters.$get(name).map(|it| $($reference)+ it.about),
            Address::DynamodbTable(table) => $schema.tables.$get(table).map(|it| $($reference)+ it.about),
            Address::GlobalIndex(table, index) => {
                $schema.tables.$get(table)?.global_indexes.$get(index).map(|it| $($reference)+ it.about)
            }
            Address::LocalIndex(table, index) => {
                $schema.tables.$get(table)?.local_indexes.$get(index).map(|it| $($reference)+ it.about)
            }
            _ => None,
        }
    };
}

impl Described for dynamodb::Schema {
    fn about(&self, address: &Address) -> Option<&About> {
        dynamodb_about!(self, address, get, &)
    }

    fn about_mut(&mut self, address: &Address) -> Option<&mut About> {
        dynamodb_about!(self, address, get_mut, &mut)
    }

    fn addresses(&self) -> Vec<Address> {
        let mut all: Vec<Address> = self.parameters.keys().cloned().map(Address::Parameter).collect();
        for (key, table) in &self.tables {
            all.push(Address::DynamodbTable(key.clone()));
            all.extend(table.global_indexes.keys().map(|index| Address::GlobalIndex(key.clone(), index.clone())));
            all.extend(table.local_indexes.keys().map(|index| Address::LocalIndex(key.clone(), index.clone())));
        }
        all
    }
}

macro_rules! cql_about {
    ($schema:ident, $address:ident, $get:ident, $($reference:tt)+) => {
        match $address {
            Address::Parameter(name) => $schema.parameters.$get(name).map(|it| $($reference)+ it.about),
            Address::Keyspace(name) => $schema.keyspaces.$get(name).map(|it| $($reference)+ it.about),
            Address::CqlTable(Some(keyspace), table) => {
                $schema.keyspaces.$get(keyspace)?.tables.$get(table).map(|it| $($reference)+ it.about)
            }
            Address::CqlIndex(Some(keyspace), table, index) => {
                let table = $schema.keyspaces.$get(keyspace)?.tables.$get(table)?;
                table.indexes.$get(index).map(|it| $($reference)+ it.about)
            }
            Address::View(Some(keyspace), table, view) => {
                let table = $schema.keyspaces.$get(keyspace)?.tables.$get(table)?;
                table.views.$get(view).map(|it| $($reference)+ it.about)
            }
            _ => None,
        }
    };
}

impl Described for cql::Schema {
    fn about(&self, address: &Address) -> Option<&About> {
        cql_about!(self, address, get, &)
    }

    fn about_mut(&mut self, address: &Address) -> Option<&mut About> {
        cql_about!(self, address, get_mut, &mut)
    }

    fn addresses(&self) -> Vec<Address> {
        let mut all: Vec<Address> = self.parameters.keys().cloned().map(Address::Parameter).collect();
        for (name, keyspace) in &self.keyspaces {
            all.push(Address::Keyspace(name.clone()));
            for (key, table) in &keyspace.tables {
                let own = || (Some(name.clone()), key.clone());
                all.push(Address::CqlTable(own().0, own().1));
                all.extend(table.indexes.keys().map(|index| Address::CqlIndex(own().0, own().1, index.clone())));
                all.extend(table.views.keys().map(|view| Address::View(own().0, own().1, view.clone())));
            }
        }
        all
    }

    // A user type has no address of its own that says its keyspace.
    fn take_about(&mut self, from: &Self) {
        for address in from.addresses() {
            if let (Some(to), Some(about)) = (self.about_mut(&address), from.about(&address)) {
                to.clone_from(about);
            }
        }
        for (name, keyspace) in &from.keyspaces {
            for (key, user) in &keyspace.types {
                if let Some(to) = self.keyspaces.get_mut(name).and_then(|keyspace| keyspace.types.get_mut(key)) {
                    to.about.clone_from(&user.about);
                }
            }
        }
    }
}
