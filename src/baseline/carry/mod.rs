//! What the lock knows and the model does not: names that were given out, what became of tables that left, and what an engine
//! never forgets. `carry` takes it over into the next schemas.
//!
//! Only the lock counts here, not the files beside it: the output is a function of model, configuration, templates and lock.

mod cql;
mod dynamodb;
mod keyspaces;
mod renamed;

use super::Lock;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Named;
use crate::model::{Model, Removal};
use crate::schema::{self, Address, Backend, Engine, Format, Schema};
use crate::source::{Span, Spanned};
use std::collections::BTreeMap;

/// Takes over into the next schemas what only the lock knows. Findings `table-kept` and `rename-done`, error `name-taken`.
pub fn carry(
    lock: &Lock,
    model: &Model,
    dynamodb: &mut Option<schema::dynamodb::Schema>,
    cql: &mut BTreeMap<Engine, schema::cql::Schema>,
    sink: &mut Sink,
) {
    if let Some(previous) = lock.dynamodb() {
        // The tables are kept, even when the section has left the model.
        let next = dynamodb.get_or_insert_default();
        let is_template = |(backend, _): &(&Backend, &Schema)| backend.format() == Format::Cloudformation;
        let templates = lock.generation.iter().filter(is_template);
        let mut templates = templates
            .filter_map(|(_, schema)| if let Schema::Dynamodb(schema) = schema { Some(schema) } else { None })
            .peekable();
        let was_divided = templates.peek().is_some();
        dynamodb::carry(previous, was_divided, model.dynamodb.as_ref(), next, sink);
        templates.for_each(|schema| dynamodb::keep_resources(schema, next));
        if *next == schema::dynamodb::Schema::default() {
            *dynamodb = None;
        }
    }
    let left: Vec<Engine> = Engine::ALL.into_iter().filter(|engine| !cql.contains_key(engine)).collect();
    for (engine, previous) in left.into_iter().filter_map(|engine| Some((engine, lock.cql(engine)?))) {
        let kept = cql::left(previous);
        if kept.tables().next().is_some() {
            if kept.tables().eq(previous.tables()) {
                remind_of_engine(engine, model, sink);
            }
            cql.insert(engine, kept);
        }
    }
    let any = lock.generation.values().find_map(|schema| match schema {
        Schema::Cql(schema) => Some(schema),
        Schema::Dynamodb(_) => None,
    });
    if let (Some(any), Some(section)) = (any, &model.cql) {
        for (engine, next) in cql.iter_mut() {
            match lock.cql(*engine) {
                Some(previous) => cql::carry(previous, model, section, next, sink),
                // An engine that is new has its types in the order of the others: then they stay one fact.
                None => cql::order_fields(any, next),
            }
        }
    }
    renamed::findings(lock, model, sink);
}

impl Lock {
    /// The DynamoDB schema; its formats have the same one.
    pub(super) fn dynamodb(&self) -> Option<&schema::dynamodb::Schema> {
        self.generation.values().find_map(|schema| match schema {
            Schema::Dynamodb(schema) => Some(schema.as_ref()),
            Schema::Cql(_) => None,
        })
    }

    /// The schema of a CQL engine, however its tables are made.
    pub(super) fn cql(&self, engine: Engine) -> Option<&schema::cql::Schema> {
        let keyspaces = [Backend::KeyspacesTerraform, Backend::KeyspacesCloudformation];
        let others = keyspaces.into_iter().filter(|_| engine == Engine::Keyspaces);
        std::iter::once(Backend::Cql(engine)).chain(others).find_map(|backend| match self.generation.get(&backend) {
            Some(Schema::Cql(schema)) => Some(schema.as_ref()),
            _ => None,
        })
    }
}

/// Reminds of a table that left the model in an earlier generation and is kept without a word about it.
fn remind(address: &Address, section: Option<Span>, sink: &mut Sink) {
    let message = format!("`{address}` left the model and is kept");
    let diagnostic = Diagnostic::somewhere(codes::TABLE_KEPT, section, message);
    let name = address.name();
    sink.push(diagnostic.at(address.to_string()).help(format!(
        "write `removed: {{ {name}: retain }}` to end this reminder, or `destroy` to delete the table with its data"
    )));
}

/// Reminds of an engine that left the model in an earlier generation: its cluster has its tables still.
fn remind_of_engine(engine: Engine, model: &Model, sink: &mut Sink) {
    let in_model = model.cql.iter().flat_map(|cql| &cql.engines).any(|own| own.value == engine);
    let how = if in_model { "is not generated any more" } else { "left the model" };
    let message = format!("`{engine}` {how}, and its tables are kept");
    let diagnostic = Diagnostic::somewhere(codes::TABLE_KEPT, model.cql.as_ref().map(|section| section.span), message);
    sink.push(diagnostic.help("write `allow: { table-kept: \"…\" }` at the top of the model to end this reminder"));
}

/// What the model says of a table that left it.
fn removal<'m>(removed: Option<&'m Named<Spanned<Removal>>>, key: &str) -> Option<&'m Spanned<Removal>> {
    removed?.get(key)
}

/// A key that is not in use, as near as possible to the one wanted.
fn free_key(is_taken: impl Fn(&str) -> bool, wanted: &str) -> String {
    let numbered = (2..).map(|number| format!("{wanted}-{number}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(|key| !is_taken(key)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
