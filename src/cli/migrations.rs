//! The migrations of a model: those that were written, and those that the next generation asks for.

use super::Failure;
use super::workspace::Workspace;
use crate::baseline::migrations::History;
use crate::baseline::{Digest, Previous, Tree};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::diff::{Compared, Pair};
use crate::emit::cql::migration::folder;
use crate::emit::{Artifact, Project};
use crate::migrate::{self, Migration, lacks};
use crate::read;
use crate::schema::{Backend, Engine, Generation, Schema, cql};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What becomes of the migrations of a model.
#[derive(Default)]
pub(super) struct Migrations {
    /// Those that were written earlier: they stay as they are.
    pub(super) written: BTreeMap<Utf8PathBuf, Digest>,
    /// New ones.
    pub(super) files: Vec<migrate::File>,
    /// Tables that they make anew, by backend, keyspace and key.
    pub(super) recreated: Vec<(Backend, String, String)>,
    /// The changes that they carry out.
    pub(super) compared: Vec<Compared>,
    /// Why there is none for an engine although there should be.
    pub(super) problems: Vec<Diagnostic>,
}

/// Finds them for every engine of a generation. Only the lock says where clusters stand; without one it is the migrations
/// themselves, else the files. `artifacts` are those of the generation, read back. None when a text is wrong; the sink says why.
pub(super) fn find(
    workspace: &Workspace,
    project: &Project,
    tree: &Tree,
    locked: &Previous,
    generation: &Generation,
    artifacts: &[Artifact],
    sink: &mut Sink,
) -> Result<Option<Migrations>, Failure> {
    let mut found = Migrations::default();
    let mut good = true;
    for (backend, next) in generation {
        let (Backend::Cql(engine), Schema::Cql(next)) = (*backend, next) else { continue };
        let lock = locked.lock.as_ref();
        let history = History::find(tree, engine, lock, sink);
        let known = lock.and_then(|lock| of_backend(lock.schema(*backend)));
        let base: Arc<cql::Schema> = match known {
            Some(schema) => schema.clone(),
            None if !history.is_empty() => {
                let files = history.texts(tree)?;
                let Some(schema) = read::cql::apply(&workspace.sources, &files, Some(engine), cql::Schema::default(), sink)
                else {
                    good = false;
                    continue;
                };
                schema.into()
            }
            None => of_backend(locked.generation.get(backend)).cloned().unwrap_or_default(),
        };
        found.written.extend(written(workspace, tree, engine, &history, locked, known.is_some())?);
        let nothing = cql::Schema::default();
        // A history starts with what was there when it was begun.
        let created =
            if history.is_empty() { Pair { previous: &nothing, next: &*base } } else { Pair { previous: &*base, next: &*base } };
        let first = history.next();
        let migrations = migrate::migrate(project, engine, created, first, &workspace.templates).and_then(|created| {
            let count = u32::try_from(created.files.len()).unwrap_or(u32::MAX);
            let pair = Pair { previous: &*base, next: &**next };
            let printed = artifacts.iter().find(|artifact| artifact.backend == *backend).map(|artifact| artifact.text.as_str());
            let rest = migrate::migrate_to(project, engine, pair, printed, first.saturating_add(count), &workspace.templates)?;
            Ok([created, rest])
        });
        match migrations {
            Ok(mut migrations) => {
                // What is compared last is what the plan compares.
                let changes = migrations.iter_mut().next_back().and_then(|last| last.changes.take());
                let pair = Pair { previous: base, next: next.clone() };
                found.compared.extend(changes.map(|changes| Compared { backend: *backend, pair, changes }));
                for Migration { files, recreated, changes: _ } in migrations {
                    found.files.extend(files);
                    found.recreated.extend(recreated.into_iter().map(|(keyspace, key)| (*backend, keyspace, key)));
                }
            }
            // A template that prints migrations wrongly is as one that loses anything.
            Err(problems) if workspace.templates.own().next().is_some() => {
                let (printed, impossible): (Vec<_>, Vec<_>) =
                    problems.into_iter().partition(|problem| problem.code == codes::MIGRATION_INCOMPLETE);
                sink.extend(printed);
                found.problems.extend(impossible);
            }
            Err(problems) => found.problems.extend(problems),
        }
    }
    Ok((good && !sink.has_errors()).then_some(found))
}

/// A table that is made anew remembers no column.
pub(super) fn forget(generation: &mut Generation, recreated: &[(Backend, String, String)]) {
    for (backend, keyspace, key) in recreated {
        let Some(Schema::Cql(schema)) = generation.get_mut(backend) else { continue };
        let schema = Arc::make_mut(schema);
        if let Some(table) = schema.keyspaces.get_mut(keyspace).and_then(|keyspace| keyspace.tables.get_mut(key)) {
            table.dropped.clear();
        }
    }
}

fn of_backend(schema: Option<&Schema>) -> Option<&Arc<cql::Schema>> {
    match schema {
        Some(Schema::Cql(schema)) => Some(schema),
        _ => None,
    }
}

/// The migrations that the next lock goes on knowing of: those of the lock, and where it knows nothing of the engine, those in
/// the folder.
fn written(
    workspace: &Workspace,
    tree: &Tree,
    engine: Engine,
    history: &History,
    locked: &Previous,
    is_known: bool,
) -> Result<BTreeMap<Utf8PathBuf, Digest>, Failure> {
    let folder = folder(engine);
    let files = locked.lock.iter().flat_map(|lock| &lock.files).map(|(path, digest)| (Utf8Path::new(path), digest));
    let files = files.filter(|(path, _)| path.parent() == Some(&folder));
    let in_lock = |path: &Utf8Path| locked.lock.as_ref().and_then(|lock| lock.files.get(path.as_str())?.as_ref()).is_some();
    let present = history.digests(tree, &workspace.sources, |path| is_known && in_lock(path))?;
    // A hash that a merge left in doubt is that of the file.
    let mut written: BTreeMap<_, _> = files
        .filter_map(|(path, digest)| Some((path.to_owned(), digest.as_ref().or_else(|| present.get(path))?.clone())))
        .collect();
    if !is_known {
        written.extend(present);
    }
    Ok(written)
}

/// What keeps the migrations in the folders from adding up to the schema of the lock, line by line.
pub(super) fn lacking(workspace: &Workspace, tree: &Tree, locked: &Previous, sink: &mut Sink) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    let Some(lock) = &locked.lock else { return Ok(lines) };
    for (backend, schema) in &lock.in_force() {
        let (Backend::Cql(engine), Schema::Cql(schema)) = (*backend, schema) else { continue };
        let history = History::find(tree, engine, Some(lock), sink);
        if history.is_empty() {
            continue;
        }
        let files = history.texts(tree)?;
        let Some(reached) = read::cql::apply(&workspace.sources, &files, Some(engine), cql::Schema::default(), sink) else {
            continue;
        };
        let folder = tree.shown(&folder(engine));
        let told = lacks(engine, schema, &reached).into_iter();
        lines.extend(told.map(|lack| format!("{folder}: the migrations do not add up to the schema of the lock: {lack}")));
    }
    Ok(lines)
}
