//! From one CQL schema to the next: the statements that bring a cluster forward, in an order that the engine takes.
//!
//! What can be altered in place is one ordinary migration. What destroys rows or values is in files of their own, behind it: a
//! table, type or keyspace that has to be made anew, a table or column that is dropped. Whether a change can be made in place is
//! asked of its effect (`diff`), so that a migration never does other than its plan says.
//!
//! The law: the migration applied to the previous schema gives the next one. It is checked on the rendered text, whatever
//! templates printed it, before anybody sees the migration.

mod holders;
mod keyspace;
mod law;
mod name;
mod option;
mod refused;
mod scripts;
mod statements;
mod table;
#[cfg(test)]
mod tests;
mod types;

pub use law::lacks;

use crate::diagnostic::Diagnostic;
use crate::diff::{Change, Pair};
use crate::emit::cql::migration::{self, Script};
use crate::emit::{Artifact, Project, Templates};
use crate::schema::cql::Schema;
use crate::schema::{Engine, Family};

/// What brings a cluster from one schema to the next.
#[derive(Debug, Default)]
pub struct Migration {
    /// Its files, in the order in which they are run. None when nothing changes on the engine.
    pub files: Vec<File>,
    /// The tables that are made anew, by keyspace and key: what their engine remembered of columns is gone.
    pub recreated: Vec<(String, String)>,
    /// The changes between the two schemas; None when the schemas are the same.
    pub changes: Option<Vec<Change>>,
}

/// One file of a migration.
#[derive(Debug)]
pub struct File {
    /// Its path and text.
    pub artifact: Artifact,
    /// The changes, by their ids, that must have been acknowledged before it may be written: it destroys what they lose.
    pub destroys: Vec<String>,
}

/// Finds the migration between two schemas of one engine. `first` is the number of its first file.
///
/// # Errors
/// `migration-not-possible` where the engine has no statement for a change, and `migration-incomplete` when the law does not
/// hold; then there is no migration.
pub fn migrate(
    project: &Project,
    engine: Engine,
    pair: Pair<&Schema>,
    first: u32,
    templates: &Templates,
) -> Result<Migration, Vec<Diagnostic>> {
    migrate_to(project, engine, pair, None, first, templates)
}

/// The same, to a schema whose `schema.cql` is `printed`, which was read back: what holds the very statements of it on a cluster that
/// has nothing leads to the schema, and is not read a second time.
pub fn migrate_to(
    project: &Project,
    engine: Engine,
    pair: Pair<&Schema>,
    printed: Option<&str>,
    first: u32,
    templates: &Templates,
) -> Result<Migration, Vec<Diagnostic>> {
    if pair.previous == pair.next {
        return Ok(Migration::default());
    }
    let found = scripts::scripts(project, engine, pair)?;
    let mut migration = Migration { files: Vec::new(), recreated: found.recreated, changes: Some(found.changes) };
    let mut problems = Vec::new();
    for (number, draft) in (first..).zip(found.drafts) {
        let destroys = draft.destroys;
        let mut about = draft.about;
        if draft.destructive {
            about.insert(0, "It destroys rows or values: run it when nothing needs them any more.".to_owned());
        }
        about.extend(how_to_run(engine).into_iter().map(str::to_owned));
        let script = Script { number, name: draft.name, destructive: draft.destructive, about, steps: draft.steps };
        let artifact = migration::emit(project, engine, &script, templates).map_err(|problem| vec![*problem])?;
        // A team's template may add statements; the embedded ones print what they are given.
        if templates.own().next().is_some() {
            problems.extend(law::destroys_more(&artifact, &script));
        }
        migration.files.push(File { artifact, destroys });
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let is_printed = printed.is_some_and(|printed| *pair.previous == Schema::default() && law::is_printed(&migration, printed));
    if !is_printed {
        law::check(engine, pair, &migration)?;
    }
    Ok(migration)
}

/// What has to be known to run the statements of any migration.
fn how_to_run(engine: Engine) -> [&'static str; 1] {
    match engine.family() {
        Family::Cassandra | Family::Scylla => {
            ["Run the statements in their order, each when all nodes agree on the schema (nodetool describecluster)."]
        }
        Family::Keyspaces => [
            "Statements return before they are done: run each when system_schema_mcs says ACTIVE for what the one before it changed.",
        ],
    }
}
