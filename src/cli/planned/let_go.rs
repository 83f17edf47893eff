//! Tables that a model is to make anew while another one of the run, which made them before, lets go of them: they exist.

use super::claims::{Thing, things};
use super::design::Designed;
use super::folders::Environment;
use crate::baseline::{Lock, lock};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Removal;
use crate::schema::{Address, Schema};
use crate::source::{SourceMap, Span};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, HashSet};

/// A model in one environment, read and not planned yet.
pub(super) type Job = (Utf8PathBuf, Designed, Environment);

/// Finding `made-twice` for each such table, with the number of the job that it is of.
pub(super) fn judge(sources: &SourceMap, jobs: &[Job]) -> Vec<(usize, Diagnostic)> {
    let mut said = Vec::new();
    if jobs.len() < 2 {
        return said;
    }
    // Locks are long, and mostly nobody makes anything new.
    let mut known: BTreeMap<usize, Option<Lock>> = BTreeMap::new();
    for (number, job) in jobs.iter().enumerate() {
        for (thing, address, span) in new(sources, job) {
            let maker = jobs.iter().enumerate().find(|(other, (_, designed, environment))| {
                *other != number && environment.place.environment == job.2.place.environment && {
                    let lock = known.entry(*other).or_insert_with(|| read(sources, environment));
                    lock.as_ref().is_some_and(|lock| lets_go(lock, designed, &thing))
                }
            });
            let Some((_, (_, maker, _))) = maker else { continue };
            let maker = &maker.model.name.value;
            let message = format!("{} exists: the model `{maker}`, which lets go of it, has made it", thing.described());
            let mut finding = match span {
                Some(span) => Diagnostic::new(codes::MADE_TWICE, span, message),
                None => Diagnostic::nowhere(codes::MADE_TWICE, message),
            };
            finding = finding.note("it is there still when this model is deployed: creating it is refused");
            said.push((number, finding.help(thing.way_to(&job.1.model.name.value, maker)).at(address)));
        }
    }
    said
}

/// The tables of a model that its lock does not have by their names, as they are written. What it shares is handed over.
fn new(sources: &SourceMap, (_, designed, environment): &Job) -> Vec<(Thing, Address, Option<Span>)> {
    let own = environment.tree.text(Utf8Path::new(lock::NAME)).ok().flatten().map_or("", |file| sources.text(file));
    let names: BTreeMap<&String, String> = designed
        .design
        .dynamodb
        .iter()
        .flat_map(|schema| &schema.tables)
        .filter_map(|(key, table)| Some((key, serde_json::to_string(table.name.as_ref()?).ok()?)))
        .collect();
    let known: HashSet<&str> = own.lines().filter_map(known).collect();
    let is_new = |address: &Address| match address {
        Address::DynamodbTable(key) => {
            let is_handed = designed.sharers.iter().any(|(shared, _)| shared == key);
            !is_handed && names.get(key).is_none_or(|name| !known.contains(name.as_str()))
        }
        Address::CqlTable(_, key) => !known.contains(key.as_str()),
        _ => false,
    };
    things(designed).into_iter().filter(|(_, address, _)| is_new(address)).collect()
}

/// What a line of the lock says is there: the name of a table of DynamoDB as JSON, or the key of a table of CQL.
fn known(line: &str) -> Option<&str> {
    let (fact, value) = line.split_once(" = ")?;
    let of =
        fact.strip_suffix(".name").filter(|of| ![".gsi.", ".lsi.", ".index.", ".view."].iter().any(|part| of.contains(part)))?;
    if of.starts_with("dynamodb.") { Some(value) } else { of.strip_prefix("cql.")?.rsplit('.').next() }
}

fn read(sources: &SourceMap, environment: &Environment) -> Option<Lock> {
    let file = environment.tree.text(Utf8Path::new(lock::NAME)).ok().flatten()?;
    Lock::read(sources, file, &mut Sink::default())
}

/// Whether a model that made a thing, or kept it, does not make it any more, and does not destroy it.
fn lets_go(lock: &Lock, designed: &Designed, thing: &Thing) -> bool {
    let model = &designed.model;
    let made = lock.generation.iter().any(|(backend, schema)| match (schema, thing) {
        (Schema::Dynamodb(schema), Thing::Table(name)) => {
            let removed = model.dynamodb.as_ref().map(|section| &section.removed);
            let goes = |key: &String| removed.and_then(|removed| removed.get(key)).is_some_and(|of| of.value == Removal::Destroy);
            let tables = schema.tables.iter().map(|(key, table)| (key, table.name.as_ref()));
            let kept = schema.kept.iter().filter(|(_, kept)| !kept.destroy).map(|(key, kept)| (key, kept.name.as_ref()));
            let mut all = tables.chain(kept).filter(|(key, _)| !goes(key));
            all.any(|(_, known)| known.is_some_and(|known| known.with_values(&schema.parameters) == *name))
        }
        (Schema::Cql(schema), Thing::InKeyspace(family, keyspace, name)) => {
            let removed = model.cql.as_ref().map(|section| &section.removed);
            let goes = |key: &String| removed.and_then(|removed| removed.get(key)).is_some_and(|of| of.value == Removal::Destroy);
            backend.engine().is_some_and(|engine| engine.family() == *family)
                && schema
                    .keyspaces
                    .get(keyspace)
                    .is_some_and(|keyspace| keyspace.tables.iter().any(|(key, table)| table.name == *name && !goes(key)))
        }
        _ => false,
    });
    made && !things(designed).iter().any(|(own, ..)| own == thing)
}
