//! From the model to the schema: which key serves which pattern, and the tables, indexes and columns that follow.

pub(crate) mod cql;
pub(crate) mod dynamodb;
pub(crate) mod scope;

use crate::diagnostic::Sink;
use crate::model::Model;
use crate::schema::{self, Address, Engine, Store};
use std::collections::BTreeMap;

/// What a model comes to.
#[derive(Clone, Debug, Default)]
pub struct Design {
    /// The DynamoDB side, when the model has one.
    pub dynamodb: Option<schema::dynamodb::Schema>,
    /// The CQL side, for each engine.
    pub cql: BTreeMap<Engine, schema::cql::Schema>,
    /// Who serves each pattern, in the model's order.
    pub coverage: Vec<Coverage>,
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

/// One table or index that serves a pattern.
#[derive(Clone, Debug)]
pub struct Service {
    /// Which.
    pub address: Address,
    /// How: `GetItem`, `Query`, `SELECT`, … with what matters of the request.
    pub operation: String,
    /// Partitions touched by one request at most, when known.
    pub partitions: Option<u64>,
    /// Nothing bounds the number of partitions: rows are kept for ever, and so are their buckets.
    pub endless: bool,
}

/// Designs the schema and proves coverage; errors and findings go to the sink.
pub fn design(model: &Model, sink: &mut Sink) -> Design {
    let mut coverage = Vec::new();
    let dynamodb = dynamodb::design(model, sink, &mut coverage);
    let cql = cql::design(model, sink, &mut coverage);
    let order = |of: &Coverage| (model.patterns.get_index_of(&of.pattern), of.store);
    coverage.sort_by_key(order);
    Design { dynamodb, cql, coverage }
}
