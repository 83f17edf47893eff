//! From the model to the schema: which key serves which pattern, and the tables, indexes and columns that follow.

mod buckets;
pub(crate) mod cql;
pub(crate) mod dynamodb;
pub(crate) mod scope;

use crate::diagnostic::{Sink, Subject, codes};
use crate::model::Model;
use crate::schema::{self, Address, Engine, Store};
use std::collections::{BTreeMap, BTreeSet};

/// What a model comes to.
#[derive(Clone, Debug, Default)]
pub struct Design {
    /// The tables of DynamoDB that are this model's to make, when there are any.
    pub dynamodb: Option<schema::dynamodb::Schema>,
    /// The tables of DynamoDB that exist elsewhere, as the model describes them: they are never generated.
    pub external: Option<schema::dynamodb::Schema>,
    /// The CQL side, for each engine.
    pub cql: BTreeMap<Engine, schema::cql::Schema>,
    /// Who serves each pattern, in the model's order.
    pub coverage: Vec<Coverage>,
    /// The tables and indexes of DynamoDB that patterns of other models use: those models share the tables.
    pub used_elsewhere: BTreeSet<Address>,
}

impl Design {
    /// The table of that key in DynamoDB, and its indexes, as far as patterns read them.
    pub fn uses(&self, table: &str) -> impl Iterator<Item = Address> {
        let on_dynamodb = self.coverage.iter().filter(|coverage| coverage.store == Store::Dynamodb);
        let addresses = on_dynamodb.flat_map(|coverage| &coverage.served).map(|service| &service.address);
        addresses.filter(move |address| address.table().name() == table).cloned()
    }

    /// The table of that key in DynamoDB, and its indexes.
    #[must_use]
    pub fn addresses(&self, table: &str) -> Vec<Address> {
        let Some(of) = self.dynamodb.as_ref().and_then(|schema| schema.tables.get(table)) else { return Vec::new() };
        let local = of.local_indexes.keys().map(|index| Address::LocalIndex(table.to_owned(), index.clone()));
        let global = of.global_indexes.keys().map(|index| Address::GlobalIndex(table.to_owned(), index.clone()));
        std::iter::once(Address::DynamodbTable(table.to_owned())).chain(local).chain(global).collect()
    }
}

/// How one pattern is served on one store.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// The pattern's name.
    pub pattern: String,
    /// The store.
    pub store: Store,
    /// The table or index that serves it; for a write each table it goes to. Empty for an `unserved` pattern.
    pub served: Vec<Service>,
}

/// Whether a design says each request in words. A plan shows none of them, and there are as many as patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operations {
    /// Each is written.
    Written,
    /// All are empty.
    LeftOut,
}

impl Operations {
    fn text(self, write: impl FnOnce() -> String) -> String {
        match self {
            Self::Written => write(),
            Self::LeftOut => String::new(),
        }
    }
}

/// One table or index that serves a pattern.
#[derive(Clone, Debug)]
pub struct Service {
    /// Which.
    pub address: Address,
    /// How: `GetItem`, `Query`, `SELECT`, … with what matters of the request. Empty where [`Operations`] are left out.
    pub operation: String,
    /// Partitions touched by one request at most, when known.
    pub partitions: Option<u64>,
    /// Nothing bounds the number of partitions: rows are kept for ever, and so are their buckets.
    pub endless: bool,
}

/// Designs the schema and proves coverage; errors and findings go to the sink.
pub fn design(model: &Model, operations: Operations, sink: &mut Sink) -> Design {
    let mut coverage = Vec::new();
    let mut own = Sink::default();
    let [dynamodb, external] = dynamodb::design(model, operations, &mut own, &mut coverage);
    pass_on(model, Store::Cql, own, sink);
    let mut own = Sink::default();
    let cql = cql::design(model, operations, &mut own, &mut coverage);
    pass_on(model, Store::Dynamodb, own, sink);
    let order = |of: &Coverage| (model.patterns.get_index_of(&of.pattern), of.store);
    coverage.sort_by_cached_key(order);
    Design { dynamodb, external, cql, coverage, used_elsewhere: BTreeSet::new() }
}

/// Passes on what was said about one store. A pattern that nothing serves there may be meant for the other one alone.
fn pass_on(model: &Model, other: Store, own: Sink, sink: &mut Sink) {
    let (there, name, word) = match other {
        Store::Cql => (model.cql.is_some(), "CQL", "cql"),
        Store::Dynamodb => (model.dynamodb.is_some(), "DynamoDB", "dynamodb"),
    };
    let is_open = |subject: &Subject| match subject {
        Subject::Pattern(name) => model.patterns.get(name).is_some_and(|pattern| pattern.backend.is_none()),
        _ => false,
    };
    for mut diagnostic in own.into_sorted() {
        if there && diagnostic.code == codes::PATTERN_UNSERVED && diagnostic.subjects.iter().any(is_open) {
            diagnostic.notes.push(format!("`backend: {word}` in the pattern leaves it to the tables of {name} alone"));
        }
        sink.push(diagnostic);
    }
}
