//! Several requests as one: transactions and batches.

use super::candidate::Candidate;
use super::reads;
use super::writes::{self, Write};
use crate::design::{Service, scope};
use crate::diagnostic::Sink;
use crate::model::{Model, Pattern, Verb};
use crate::schema::Store;

/// All or nothing: `TransactWriteItems`, or `TransactGetItems` of whole keys.
pub(super) fn transaction(model: &Model, candidates: &[Candidate<'_>], entries: &[Pattern], sink: &mut Sink) -> Vec<Service> {
    let mut served = Vec::new();
    for entry in here(model, entries) {
        match Write::of(model, entry) {
            Some(write) => {
                let services = writes::write(model, candidates, &write, sink);
                served.extend(services.into_iter().map(|service| within("TransactWriteItems", service)));
            }
            None => served.extend(reads::read(model, candidates, entry, true, sink)),
        }
    }
    served
}

/// Together, not atomic: `BatchWriteItem`, which neither updates nor takes a condition, so those go alone.
pub(super) fn batch(model: &Model, candidates: &[Candidate<'_>], entries: &[Pattern], sink: &mut Sink) -> Vec<Service> {
    let mut served = Vec::new();
    for entry in here(model, entries) {
        let Some(write) = Write::of(model, entry) else { continue };
        let alone = matches!(entry.verb, Verb::Update(_)) || entry.guard.is_some();
        let services = writes::write(model, candidates, &write, sink);
        served.extend(services.into_iter().map(|service| if alone { service } else { within("BatchWriteItem", service) }));
    }
    served
}

/// The entries for entities that DynamoDB holds.
fn here<'p>(model: &Model, entries: &'p [Pattern]) -> impl Iterator<Item = &'p Pattern> {
    entries.iter().filter(|entry| scope::stores(model, entry).contains(&Store::Dynamodb))
}

fn within(request: &str, service: Service) -> Service {
    Service { operation: format!("{request}: {}", service.operation), ..service }
}
