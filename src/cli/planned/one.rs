//! One model in one environment, planned from what was read. Nothing is read here, so that many can be planned at once.

use super::design::Designed;
use super::folders::Environment;
use super::{Request, handed, writes};
use crate::baseline::migrations::is_migration;
use crate::baseline::{self, Digest, Edited, Laid, Lock, Place, Previous, Tree};
use crate::cli::migrations::{self, Migrations};
use crate::cli::workspace::Workspace;
use crate::cli::{Failure, adopted, generate};
use crate::diagnostic::{Diagnostic, Sink};
use crate::diff::{self, Change, Context, FileAction, FileChange, Origin, OriginKind, Pair, Side, Source};
use crate::emit::{self, Artifact, Verified};
use crate::schema::{Backend, Format, Generation};
use crate::source::SourceMap;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// One model in one environment, planned.
pub(in crate::cli) struct Planned {
    /// Whose files they are.
    pub(in crate::cli) place: Place,
    /// The folder of the files, as it is shown.
    pub(in crate::cli) folder: Utf8PathBuf,
    /// What is in that folder now.
    pub(in crate::cli) tree: Tree,
    /// What of it is a generation, whatever the plan is compared with.
    pub(in crate::cli) locked: Previous,
    /// Where the two sides come from.
    pub(in crate::cli) source: Source,
    /// What differs.
    pub(in crate::cli) changes: Vec<Change>,
    /// What would happen to the files.
    pub(in crate::cli) files: Vec<FileChange>,
    /// What `gen apply` would write, with what may be there.
    pub(super) artifacts: Vec<Artifact>,
    /// Migrations that were written earlier: they stay as they are.
    pub(super) written: BTreeMap<Utf8PathBuf, Digest>,
    /// New migrations that destroy something, with the changes that must be meant, by their ids.
    pub(super) destroying: Vec<(Utf8PathBuf, Vec<String>)>,
    /// Why a migration that is needed cannot be made.
    pub(in crate::cli) obstacles: Vec<Diagnostic>,
    /// The schema of each backend.
    pub(super) generation: Generation,
    /// The backends whose schema templates added to, with the whole.
    completed: Generation,
}

/// Plans one model in one environment. None when its lock, a file or a template is wrong; the sink says why.
pub(super) fn plan(
    workspace: &Workspace,
    designed: Designed,
    environment: Environment,
    path: &Utf8Path,
    request: Request<'_>,
    sink: &mut Sink,
) -> Result<Option<Planned>, Failure> {
    let handed = handed::over(&workspace.sources, &designed, &environment);
    let Designed { mut model, mut design, targets, sharers: _ } = designed;
    // Nobody asks for the patterns, the largest part of a model, any more: that is room for the lock.
    drop(std::mem::take(&mut model.patterns));
    let Environment { place, tree, against, fellows: _ } = environment;
    let sources = &workspace.sources;
    let shown = tree.shown(Utf8Path::new(""));
    let backends = generate::backends(&targets, &model);
    let discarded = |path: &Utf8Path| request.discards(&shown.join(path)) && !is_migration(path);
    let Some(mut locked) = baseline::previous(sources, &tree, &backends, &discarded, sink)? else { return Ok(None) };
    locked.upgrade(&backends);
    let with_handed = (!handed.is_empty()).then(|| {
        let mut lock = locked.lock.clone().unwrap_or_else(|| Lock::empty(&place.model));
        handed::add(&handed, backends.iter().copied(), &mut lock.generation);
        lock
    });
    // An engine without a target leaves like one that is not in the model.
    design.cql.retain(|engine, _| targets.cql(*engine).is_some());
    if let Some(lock) = with_handed.as_ref().or(locked.lock.as_ref()) {
        baseline::carry(lock, &model, &mut design.dynamodb, &mut design.cql, sink);
        // What does not go together with a table that is kept cannot be written either.
        if sink.has_errors() {
            return Ok(None);
        }
    }
    let project = generate::project(&model, place.environment.as_deref());
    // Nor for the rest.
    drop(model);
    if let Some(schema) = &mut design.dynamodb {
        generate::divide(workspace, &project, &targets, schema);
    }
    let deployed: Vec<Backend> = locked.lock.iter().flat_map(|lock| lock.generation.keys()).copied().collect();
    let mut generation = generate::generation(&targets, design, &deployed);
    generate::substitutes(&generation, sink);
    let verified = locked.verified();
    let stands = |artifact: &Artifact| locked.standing(sources, &tree, &artifact.path, &artifact.text).is_some();
    let rendered = match generate::render(workspace, &project, &generation, Verified::new(&verified, &stands)) {
        Ok(rendered) => rendered,
        Err(problems) => {
            sink.extend(problems);
            return Ok(None);
        }
    };
    let next = rendered.in_force(&generation);
    let generate::Output { mut artifacts, mut completed } = rendered;
    sink.extend(emit::cloudformation::remarks(&artifacts));
    let is_kept = |edited: &&Edited| !writes::is_as_generated(edited, &artifacts) && !discarded(&edited.path);
    for edited in locked.edited.iter().filter(is_kept) {
        sink.push(edited.finding(&shown.join(&edited.path)));
    }
    let found = migrations::find(workspace, &project, &tree, &locked, &next, &artifacts, sink)?;
    let Some(Migrations { written, files: new, recreated, compared, problems: obstacles }) = found else { return Ok(None) };
    for schemas in [&mut generation, &mut completed] {
        migrations::forget(schemas, &recreated);
    }
    let destroying = new.iter().filter(|file| !file.destroys.is_empty());
    let destroying = destroying.map(|file| (file.artifact.path.clone(), file.destroys.clone())).collect();
    artifacts.extend(new.into_iter().map(|file| file.artifact));
    let named = match &against {
        Some(given) => {
            let Some(mut previous) = baseline::of_tree(sources, &given.tree, &backends, sink)? else { return Ok(None) };
            previous.upgrade(&backends);
            // A folder that looks like another one may be that of a model that is no more.
            let is_own = || previous.lock.as_ref().is_some_and(|lock| lock.model == place.model);
            let is_other = match given.laid {
                Laid::Here => false,
                Laid::OfNone => !previous.shares_tables_with(&generation),
                Laid::Elsewhere => !is_own() && !previous.shares_tables_with(&generation),
            };
            Some(if is_other { Previous::nothing() } else { previous })
        }
        None => None,
    };
    let previous = named.as_ref().unwrap_or(&locked);
    // An engine that left is deployed still: its tables are kept.
    let backends: BTreeSet<Backend> = backends.into_iter().chain(generation.keys().copied()).collect();
    let (mut before, after) = (in_force(previous, &backends), of_known(&next, previous));
    adopted::adopt(&previous.generation, &after, &mut before);
    handed::add(&handed, after.keys().copied(), &mut before);
    let pair = Pair { previous: &before, next: &after };
    let context = Context {
        model: place.model.clone(),
        environment: place.environment.clone(),
        addresses: Side::Next,
        ..Context::default()
    };
    let changes = diff::diff_beside(&context, pair, compared);
    let source = Source {
        model: place.model.clone(),
        environment: place.environment.clone(),
        previous: origin(previous, workspace),
        next: Origin { kind: OriginKind::Model, path: Some(workspace.below_root(path).to_owned()), reference: None },
    };
    let mut planned = Planned {
        place,
        folder: shown,
        tree,
        locked,
        source,
        changes,
        files: Vec::new(),
        artifacts,
        written,
        destroying,
        obstacles,
        generation,
        completed,
    };
    planned.files = planned.file_changes(workspace)?;
    Ok(Some(planned))
}

impl Planned {
    /// The lock that goes with the files.
    pub(super) fn lock(&self, sources: &SourceMap) -> Lock {
        let digest = |artifact: &Artifact| {
            let standing = self.locked.standing(sources, &self.tree, &artifact.path, &artifact.text);
            standing.cloned().unwrap_or_else(|| Digest::of(&artifact.text))
        };
        let artifacts = self.artifacts.iter().map(|artifact| (artifact.path.to_string(), Some(digest(artifact))));
        let written = self.written.iter().map(|(path, digest)| (path.to_string(), Some(digest.clone())));
        Lock {
            model: self.place.model.clone(),
            generation: self.generation.clone(),
            completed: self.completed.clone(),
            files: artifacts.chain(written).collect(),
        }
    }

    /// What happens to the files. The lock follows them and is not listed.
    fn file_changes(&self, workspace: &Workspace) -> Result<Vec<FileChange>, Failure> {
        let folder = workspace.below_root(&self.folder);
        let mut files = Vec::new();
        for artifact in &self.artifacts {
            let action = match self.tree.is(&workspace.sources, &artifact.path, &artifact.text)? {
                None => FileAction::Add,
                Some(true) => continue,
                Some(false) => FileAction::Change,
            };
            files.push(FileChange { path: folder.join(&artifact.path), action });
        }
        for path in self.leftovers() {
            if self.tree.digest(&workspace.sources, path)?.is_some() {
                files.push(FileChange { path: folder.join(path), action: FileAction::Delete });
            }
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }
}

fn origin(previous: &Previous, workspace: &Workspace) -> Origin {
    let kind = match previous.kind {
        baseline::Kind::Lock => OriginKind::Lock,
        baseline::Kind::Directory => OriginKind::Directory,
        baseline::Kind::File(Format::Terraform) => OriginKind::Terraform,
        baseline::Kind::File(Format::Cloudformation) => OriginKind::Cloudformation,
        baseline::Kind::File(Format::Cql) => OriginKind::Cql,
        baseline::Kind::Nothing => OriginKind::Nothing,
    };
    let path = workspace.below_root(&previous.path).to_owned();
    Origin { kind, path: Some(path).filter(|path| !path.as_str().is_empty()), reference: previous.reference.clone() }
}

/// What of a previous generation is compared, on the backends that are deployed by now.
fn in_force(previous: &Previous, backends: &BTreeSet<Backend>) -> Generation {
    let mut in_force = Generation::new();
    for (backend, schema) in &of_known(&previous.generation, previous) {
        let successor = || {
            let same = |next: &&Backend| next.format() == backend.format() && next.store() == backend.store();
            backends.iter().find(same).filter(|next| !previous.generation.contains_key(next))
        };
        match backend.format() {
            _ if backends.contains(backend) => in_force.insert(*backend, schema.clone()),
            // Statements that are no longer written drop nothing.
            Format::Cql => continue,
            // Another provider or resource for the same tables. Without one, the target is left out and takes its files along:
            // Terraform destroys what its module no longer has, a stack drops its tables or keeps them.
            _ => in_force.insert(*successor().unwrap_or(backend), schema.clone()),
        };
    }
    in_force
}

/// What of a generation can be compared at all with a previous one.
fn of_known(generation: &Generation, previous: &Previous) -> Generation {
    let known = generation.iter().filter(|(backend, _)| previous.knows(**backend));
    known.map(|(backend, schema)| (*backend, schema.clone())).collect()
}
