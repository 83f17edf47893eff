//! Tables that a model is to make anew while another one of the run, which made them before, lets go of them: they exist.

use super::Planned;
use super::claims::{Thing, of_cql, of_dynamodb};
use super::model::Outcome;
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::{Address, Engine, Generation, Schema};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What is let go of in an environment, with the models that do.
type Makers<'p> = BTreeMap<(Option<&'p str>, Thing), Vec<&'p str>>;

/// Adds finding `made-twice` of each such table to what is said of the model that makes it.
pub(super) fn judge(outcomes: &mut [Outcome]) {
    let planned: Vec<Option<&Planned>> = outcomes.iter().map(|(planned, _)| planned.as_ref().ok()?.as_ref()).collect();
    let mut makers = Makers::new();
    for of in planned.iter().flatten() {
        for thing in kept(&of.generation) {
            makers.entry((of.place.environment.as_deref(), thing)).or_default().push(&of.place.model);
        }
    }
    if makers.is_empty() {
        return;
    }
    let found: Vec<_> = planned.iter().map(|of| of.map(|of| findings(of, &makers)).unwrap_or_default()).collect();
    for ((_, said), found) in outcomes.iter_mut().zip(found) {
        said.extend(found);
    }
}

/// What is said of a model in one environment.
fn findings(planned: &Planned, makers: &Makers<'_>) -> Vec<Diagnostic> {
    let model = planned.place.model.as_str();
    let previous = &planned.locked.generation;
    let mut known: BTreeSet<Thing> = made(previous).into_keys().chain(kept(previous)).collect();
    known.extend(imported(&planned.generation));
    let mut said = Vec::new();
    for (thing, (address, span)) in made(&planned.generation).into_iter().filter(|(thing, _)| !known.contains(thing)) {
        let key = (planned.place.environment.as_deref(), thing);
        let Some(maker) = makers.get(&key).and_then(|makers| makers.iter().find(|maker| **maker != model)) else { continue };
        let (_, thing) = key;
        let message = format!("{} exists: the model `{maker}`, which lets go of it, has made it", thing.described());
        let finding = Diagnostic::somewhere(codes::MADE_TWICE, span, message)
            .note("it is there still when this model is deployed: creating it is refused");
        said.push(finding.help(thing.way_to(model, maker)).at(address));
    }
    said
}

/// The tables that a generation makes.
fn made(generation: &Generation) -> BTreeMap<Thing, (Address, Option<Span>)> {
    let mut made = BTreeMap::new();
    for (backend, schema) in generation {
        let things = match (schema, backend.engine()) {
            (Schema::Cql(schema), Some(engine)) => of_cql(engine.family(), schema),
            (Schema::Cql(_), None) => continue,
            (Schema::Dynamodb(schema), _) => of_dynamodb(schema),
        };
        let tables =
            things.into_iter().filter(|(_, address, _)| matches!(address, Address::DynamodbTable(_) | Address::CqlTable(..)));
        made.extend(tables.map(|(thing, address, span)| (thing, (address, span))));
    }
    made
}

/// The tables that a generation has let go of, and that stay.
fn kept(generation: &Generation) -> Vec<Thing> {
    let mut kept = Vec::new();
    for (backend, schema) in generation {
        match schema {
            Schema::Dynamodb(schema) => kept.extend(schema.kept.values().filter(|table| !table.destroy).filter_map(|table| {
                let parameters = table.made.as_ref().map_or(&schema.parameters, |made| &made.parameters);
                Some(Thing::Table(table.name.as_ref()?.with_values(parameters)))
            })),
            Schema::Cql(schema) => {
                let Some(family) = backend.engine().map(Engine::family) else { continue };
                for (keyspace, of) in &schema.keyspaces {
                    let tables = of.tables.values().filter(|table| table.kept);
                    kept.extend(tables.map(|table| Thing::InKeyspace(family, keyspace.clone(), table.name.clone())));
                }
            }
        }
    }
    kept
}

/// The tables of DynamoDB that a generation takes over as they are.
fn imported(generation: &Generation) -> Vec<Thing> {
    let mut imported = Vec::new();
    for schema in generation.values() {
        if let Schema::Dynamodb(schema) = schema {
            imported.extend(schema.imported.values().map(|name| Thing::Table(name.with_values(&schema.parameters))));
        }
    }
    imported
}
