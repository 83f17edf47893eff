//! Several requests as one: transactions and batches.

use super::candidate::Candidates;
use super::reads;
use super::writes::{self, Write};
use crate::design::Service;
use crate::design::scope::Scope;
use crate::diagnostic::Sink;
use crate::model::{Model, Pattern, Verb};
use crate::schema::Store;

/// All or nothing: `TransactWriteItems`, or `TransactGetItems` of whole keys.
pub(super) fn transaction(
    scope: &Scope<'_>,
    model: &Model,
    candidates: &Candidates<'_>,
    entries: &[Pattern],
    sink: &mut Sink,
) -> Vec<Service> {
    let mut served = Vec::new();
    for entry in here(scope, entries) {
        match Write::of(model, entry) {
            Some(write) => {
                let services = writes::write(model, candidates, &write, sink);
                served.extend(services.into_iter().map(|service| within(candidates, "TransactWriteItems", service)));
            }
            None => served.extend(reads::read(model, candidates, entry, true, sink)),
        }
    }
    served
}

/// Together, not atomic: `BatchWriteItem`, which neither updates nor takes a condition, so those go alone.
pub(super) fn batch(
    scope: &Scope<'_>,
    model: &Model,
    candidates: &Candidates<'_>,
    entries: &[Pattern],
    sink: &mut Sink,
) -> Vec<Service> {
    let mut served = Vec::new();
    for entry in here(scope, entries) {
        let Some(write) = Write::of(model, entry) else { continue };
        let alone = matches!(entry.verb, Verb::Update(_)) || entry.guard.is_some();
        let services = writes::write(model, candidates, &write, sink);
        served.extend(
            services.into_iter().map(|service| if alone { service } else { within(candidates, "BatchWriteItem", service) }),
        );
    }
    served
}

/// The entries for entities that DynamoDB holds.
fn here<'p>(scope: &Scope<'_>, entries: &'p [Pattern]) -> impl Iterator<Item = &'p Pattern> {
    entries.iter().filter(|entry| scope.stores(entry).contains(&Store::Dynamodb))
}

fn within(candidates: &Candidates<'_>, request: &str, service: Service) -> Service {
    Service { operation: candidates.operations.text(|| format!("{request}: {}", service.operation)), ..service }
}
