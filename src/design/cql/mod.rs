//! The CQL side of a design: tables for each engine and who serves each pattern there.

mod check;
mod engine;
mod keyspace;
mod layout;
mod table;

use super::Coverage;
use crate::diagnostic::Sink;
use crate::model::{Cql, Model};
use crate::schema::{Engine, cql};
use layout::{Relation, relations};
use std::collections::BTreeMap;

/// Designs the tables of each engine; coverage is appended in the model's order.
pub(crate) fn design(model: &Model, sink: &mut Sink, coverage: &mut Vec<Coverage>) -> BTreeMap<Engine, cql::Schema> {
    let Some(section) = &model.cql else { return BTreeMap::new() };
    let relations = relations(model, section);
    check::check(&relations, sink);
    let Some(name) = keyspace::name(model, section, sink) else { return BTreeMap::new() };
    let engines = section.engines.iter().map(|engine| engine.value);
    let _ = coverage;
    engines.map(|engine| (engine, schema(model, section, engine, &name, &relations))).collect()
}

fn schema(model: &Model, section: &Cql, engine: Engine, name: &str, relations: &[Relation<'_>]) -> cql::Schema {
    let tables = relations.iter().filter(|relation| !relation.is_view);
    let tables = tables.map(|relation| (relation.table.key.clone(), table::table(relation, engine))).collect();
    let keyspace = keyspace::keyspace(model, section, engine, tables);
    cql::Schema {
        parameters: keyspace::parameters(model, section),
        keyspaces: [(name.to_owned(), keyspace)].into(),
        ..cql::Schema::default()
    }
}
