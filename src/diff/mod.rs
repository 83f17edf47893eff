//! What differs between two generations, and what that means on each backend: items are matched once, then changes are data,
//! then each change has an effect on each backend, from a table of rows with their sources.

mod change;
mod changes;
mod draft;
mod effect;
mod effects;
mod matching;
mod plan;
mod properties;
mod rows;
mod shown;
#[cfg(test)]
mod tests;

pub use change::{Acknowledgement, Action, Change};
pub use effect::{Confidence, Deploying, Effect, Effects, Loss, Needs, Rank, Unguarded, When};
pub(crate) use plan::joined;
pub use plan::{FileAction, FileChange, LeftOut, Origin, OriginKind, Plan, Source, Stage, Summary, TableEffects};
pub use rows::{explain, rules};
pub use shown::Shown;

use crate::schema::{Backend, Engine, Generation, NotRead, Releases, Schema, Store, cql, dynamodb};
use draft::Changes;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The two sides of a diff; the names keep its direction from being confused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair<T> {
    /// What was there.
    pub previous: T,
    /// What is to be there.
    pub next: T,
}

/// One of the two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// What was there.
    Previous,
    /// What is to be there.
    #[default]
    Next,
}

/// Whose changes they are.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The model's name; for native files the name of the file.
    pub model: String,
    /// The environment, when there are any.
    pub environment: Option<String>,
    /// The side whose keys are the addresses: the model's, else next.
    pub addresses: Side,
    /// What of each side may hold tables and was not read.
    pub not_read: Pair<Vec<NotRead>>,
    /// The names of the templates of each side.
    pub templates: Pair<Vec<String>>,
    /// The releases of Terraform's provider that next allows, where it says so.
    pub releases: Option<Releases>,
}

/// Keyspaces that were compared already, for one backend.
#[derive(Debug)]
pub struct Compared {
    /// The backend.
    pub backend: Backend,
    /// What was compared.
    pub pair: Pair<Arc<cql::Schema>>,
    /// What [`of_keyspaces`] found.
    pub changes: Vec<Change>,
}

impl Compared {
    /// Whether it is the very schemas of two generations that were compared. One that is absent is empty.
    fn is(&self, backend: Backend, pair: Pair<&Generation>) -> bool {
        let is = |own: &Arc<cql::Schema>, of: &Generation| match keyspaces(of, backend) {
            Some(schema) => Arc::ptr_eq(own, schema),
            None => **own == cql::Schema::default(),
        };
        self.backend == backend && is(&self.pair.previous, pair.previous) && is(&self.pair.next, pair.next)
    }
}

/// Compares two generations. A backend that only one side has is compared with nothing. The changes are in order of their
/// addresses; those that several backends see alike are one change with several effects.
#[must_use]
pub fn diff(context: &Context, pair: Pair<&Generation>) -> Vec<Change> {
    diff_beside(context, pair, Vec::new())
}

/// The same, where some of it was compared already in this context: what was found is taken.
#[must_use]
pub fn diff_beside(context: &Context, pair: Pair<&Generation>, mut compared: Vec<Compared>) -> Vec<Change> {
    let mut changes = Changes::default();
    let (no_tables, no_keyspaces) = (dynamodb::Schema::default(), cql::Schema::default());
    let mut known = changes::Differing::default();
    let backends: BTreeSet<Backend> = pair.previous.keys().chain(pair.next.keys()).copied().collect();
    for backend in backends {
        match backend.store() {
            Store::Dynamodb => {
                let previous = tables(pair.previous, backend).unwrap_or(&no_tables);
                let next = tables(pair.next, backend).unwrap_or(&no_tables);
                changes::dynamodb(context, backend, Pair { previous, next }, &mut known, &mut changes);
            }
            Store::Cql => {
                if let Some(found) = compared.extract_if(.., |found| found.is(backend, pair)).next() {
                    changes.extend(found.changes);
                    continue;
                }
                let previous = keyspaces(pair.previous, backend).map_or(&no_keyspaces, Arc::as_ref);
                let next = keyspaces(pair.next, backend).map_or(&no_keyspaces, Arc::as_ref);
                changes::cql(context, backend, Pair { previous, next }, &mut changes);
            }
        }
    }
    changes.done()
}

/// Compares the keyspaces of one backend.
#[must_use]
pub fn of_keyspaces(context: &Context, backend: Backend, pair: Pair<&cql::Schema>) -> Vec<Change> {
    let mut changes = Changes::default();
    changes::cql(context, backend, pair, &mut changes);
    changes.done()
}

/// Whether an engine spreads the data of a keyspace as tablets: where it says so, else as ScyllaDB's stock configuration has it.
#[must_use]
pub fn on_tablets(engine: Engine, keyspace: &cql::Keyspace) -> bool {
    effects::cql::on_tablets(engine, keyspace)
}

/// A previous table of CQL as it is once the columns of its key that have another name in next are renamed; and those
/// columns, from and to. Both tables in the engine's normal form.
#[must_use]
pub fn renamed_keys(pair: Pair<&cql::Table>) -> (Cow<'_, cql::Table>, BTreeMap<String, String>) {
    changes::renamed_keys(pair.previous, pair.next)
}

fn tables(generation: &Generation, backend: Backend) -> Option<&dynamodb::Schema> {
    if let Some(Schema::Dynamodb(schema)) = generation.get(&backend) { Some(schema) } else { None }
}

fn keyspaces(generation: &Generation, backend: Backend) -> Option<&Arc<cql::Schema>> {
    if let Some(Schema::Cql(schema)) = generation.get(&backend) { Some(schema) } else { None }
}
