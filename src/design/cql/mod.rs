//! The CQL side of a design: tables for each engine and who serves each pattern there.

mod check;
mod cover;
mod engine;
mod guard;
mod keyspace;
mod layout;
mod propose;
mod read;
mod restrict;
mod scan;
mod serve;
mod table;
mod write;

use super::scope::Scope;
use super::{Coverage, Operations};
use crate::diagnostic::{Diagnostic, Sink};
use crate::model::{Cql, Model};
use crate::schema::{Address, Engine, Items, Store, cql};
use cover::Covered;
use layout::Relations;
use read::Side;
use std::collections::BTreeMap;

/// Designs the tables of each engine; coverage is appended in the model's order.
pub(crate) fn design(
    model: &Model,
    operations: Operations,
    sink: &mut Sink,
    coverage: &mut Vec<Coverage>,
) -> BTreeMap<Engine, cql::Schema> {
    let Some(section) = &model.cql else { return BTreeMap::new() };
    let scope = Scope::of(model);
    let relations = Relations::of(model, section);
    check::check(model, section, &scope, &relations, sink);
    let Some(keyspace) = keyspace::name(model, section, sink) else { return BTreeMap::new() };
    let mut schemas = BTreeMap::new();
    let mut verdicts = Vec::new();
    for engine in section.engines.iter().map(|engine| engine.value) {
        let side = Side { model, scope: &scope, relations: &relations, keyspace: &keyspace, engine, operations };
        let mut said = Sink::default();
        let covered = cover::cover(&side, &mut said);
        schemas.insert(engine, schema(&side, section, &covered));
        verdicts.push((engine, said));
        // The engines differ in which indexes serve; a pattern that one of them does not serve is an error anyway.
        if coverage.iter().all(|known| known.store != Store::Cql) {
            coverage.extend(covered.coverage);
        }
    }
    merge(verdicts, sink);
    schemas
}

/// Says once what holds for all engines; what holds for some names them.
fn merge(verdicts: Vec<(Engine, Sink)>, sink: &mut Sink) {
    let all = verdicts.len();
    // Diagnostics of one place and message, each with the engines that it holds for.
    let mut said: BTreeMap<_, Vec<(Diagnostic, Vec<&str>)>> = BTreeMap::new();
    for (engine, verdict) in verdicts {
        for diagnostic in verdict.into_sorted() {
            let place = (diagnostic.primary.as_ref().map(|label| label.span), diagnostic.code, diagnostic.message.clone());
            let alike = said.entry(place).or_default();
            match alike.iter_mut().find(|(known, _)| *known == diagnostic) {
                Some((_, engines)) => engines.push(engine.name()),
                None => alike.push((diagnostic, vec![engine.name()])),
            }
        }
    }
    for (diagnostic, engines) in said.into_values().flatten() {
        let everywhere = engines.len() == all;
        sink.push(if everywhere { diagnostic } else { diagnostic.note(format!("on {}", engines.join(", "))) });
    }
}

fn schema(side: &Side<'_>, section: &Cql, covered: &Covered) -> cql::Schema {
    let mut tables = Items::new();
    for relation in side.relations.tables().filter(|relation| !relation.table.external) {
        let mut table = table::table(relation, side.engine);
        let key = &relation.table.key;
        let readers = |address: &Address| covered.readers.get(address).into_iter().flatten().cloned().collect();
        table.about.serves = readers(&relation.address);
        for (name, index) in &mut table.indexes {
            index.about.serves = readers(&Address::CqlIndex(None, key.clone(), name.clone()));
        }
        for (name, view) in &mut table.views {
            view.about.serves = readers(&Address::View(None, key.clone(), name.clone()));
        }
        tables.insert(key.clone(), table);
    }
    let parameters = keyspace::parameters(side.model, section);
    // Where all tables exist elsewhere, so does the keyspace.
    if tables.is_empty() && !section.tables.is_empty() {
        return cql::Schema { parameters, ..cql::Schema::default() };
    }
    let keyspace = keyspace::keyspace(side.model, section, side.engine, tables);
    cql::Schema { parameters, keyspaces: [(side.keyspace.to_owned(), keyspace)].into(), ..cql::Schema::default() }
}

#[cfg(test)]
mod tests;
