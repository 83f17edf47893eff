//! What a model comes to beside what was there: the work that `plan`, `apply`, `check` and `ack` share.

use super::generate::{self, Designed};
use super::migrations::{self, Migrations};
use super::workspace::{self, Workspace};
use super::{Console, Exit, Failure};
use crate::baseline::acknowledgements::{self, Acknowledgements, Occasion};
use crate::baseline::{self, Digest, Lock, Previous, lock};
use crate::diagnostic::{Diagnostic, Level, Severity, Sink};
use crate::diff::{self, Context, FileAction, FileChange, Origin, OriginKind, Pair, Plan, Side, Source};
use crate::emit::Artifact;
use crate::output::{self, Expected, Output};
use crate::rules;
use crate::schema::{Backend, Format, Generation};
use crate::source::FileId;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// One model, planned.
pub(super) struct Planned {
    pub(super) name: String,
    /// The model's output folder.
    pub(super) output: Output,
    /// What `gen apply` would write, with what may be there.
    artifacts: Vec<Artifact>,
    /// Migrations that were written earlier: they stay as they are.
    written: BTreeMap<Utf8PathBuf, Digest>,
    /// New migrations that destroy something, with the changes that must be meant, by their ids.
    destroying: Vec<(Utf8PathBuf, Vec<String>)>,
    /// Why a migration that is needed cannot be made.
    pub(super) obstacles: Vec<Diagnostic>,
    /// The text of the lock that goes with them.
    lock: String,
    /// What lies in the output folder now, whatever the plan is compared with.
    pub(super) locked: Previous,
    /// Who meant what, and the file that says so.
    acknowledgements: Acknowledgements,
    pub(super) acknowledged_in: Option<FileId>,
}

/// The plan of a run, with the models it is made of.
pub(super) struct Run {
    pub(super) plan: Plan,
    pub(super) models: Vec<Planned>,
}

impl Run {
    /// Whether a finding is at or above `fail_on`.
    pub(super) fn findings_block(&self, workspace: &Workspace) -> bool {
        self.plan.findings.iter().any(|finding| match finding.severity {
            Severity::Error => true,
            Severity::Finding(level) => workspace.config.fail_on.blocks(level),
        })
    }

    /// The findings that are shown as text: informations are only counted.
    pub(super) fn show_findings(&self, workspace: &Workspace, console: &mut Console) {
        let is_info = |finding: &&Diagnostic| finding.severity == Severity::Finding(Level::Info);
        let shown = self.plan.findings.iter().filter(|finding| !is_info(finding));
        console.diagnostics(shown, &workspace.sources);
        let hidden = self.plan.findings.iter().filter(is_info).count();
        if hidden > 0 {
            let noun = if hidden == 1 { "note" } else { "notes" };
            console.remark(&format!("{hidden} {noun} of level info; --format json shows them\n"));
        }
    }
}

/// Plans every model. When a text is wrong the plan is not complete: it has the diagnostics and no changes.
pub(super) fn plan(workspace: &mut Workspace, named: &[Utf8PathBuf], against: Option<&str>) -> Result<Run, Failure> {
    let mut run = Run { plan: Plan::default(), models: Vec::new() };
    let mut complete = true;
    let mut outputs: BTreeMap<String, Utf8PathBuf> = BTreeMap::new();
    let mut all = Vec::new();
    for path in workspace.models(named)? {
        let mut sink = Sink::default();
        let planned = one(workspace, &path, against, &mut sink)?;
        complete &= planned.is_some() && !sink.has_errors();
        run.plan.findings.extend(sink.into_sorted());
        let Some((planned, source, changes, files)) = planned else { continue };
        if let Some(other) = outputs.insert(planned.name.clone(), path.clone()) {
            let name = &planned.name;
            return Err(Failure::Other(format!("{other} and {path} are both called `{name}`; their output would be one folder")));
        }
        all.push((changes, files, source));
        run.models.push(planned);
    }
    run.plan.complete = complete;
    if complete {
        let mut sink = Sink::default();
        for ((changes, files, source), planned) in all.into_iter().zip(&run.models) {
            let occasion = Occasion { environment: None, against: against.is_some(), today: workspace.today };
            let meant = planned.meant(&changes, occasion, &mut sink);
            run.plan.add(changes);
            run.plan.acknowledge(&planned.name, &meant);
            run.plan.files.extend(files);
            run.plan.sources.push(source);
        }
        run.plan.findings.extend(sink.into_sorted());
    }
    if let [only] = run.plan.sources.as_slice() {
        (run.plan.previous, run.plan.next) = (only.previous.clone(), only.next.clone());
        run.plan.sources.clear();
    } else if !run.plan.sources.is_empty() {
        let workspace = Origin { kind: OriginKind::Workspace, path: None, reference: None };
        (run.plan.previous, run.plan.next) = (workspace.clone(), workspace);
    }
    Ok(run)
}

type Parts = (Planned, Source, Vec<diff::Change>, Vec<FileChange>);

/// Plans one model. None when its text, its lock or a template is wrong; the sink says why.
fn one(workspace: &mut Workspace, path: &Utf8Path, against: Option<&str>, sink: &mut Sink) -> Result<Option<Parts>, Failure> {
    let Some(mut designed) = generate::read(workspace, path, sink)? else { return Ok(None) };
    let name = designed.model.name.value.clone();
    let output = workspace.output(&name)?;
    let targets = generate::targets(workspace, &designed.design, sink);
    let backends = generate::backends(&targets, &designed.model);
    let Some(locked) = baseline::previous(&mut workspace.sources, output.root(), &backends, sink)? else { return Ok(None) };
    if let Some(lock) = &locked.lock {
        let design = &mut designed.design;
        baseline::carry(lock, &designed.model, &mut design.dynamodb, &mut design.cql, sink);
    }
    let mut generation = generate::generation(&targets, &designed.design);
    let mut artifacts = match generate::render(workspace, &designed.model, &generation) {
        Ok(artifacts) => artifacts,
        Err(problems) => {
            sink.extend(problems);
            return Ok(None);
        }
    };
    let project = generate::project(&designed.model);
    let Some(migrations) = migrations::find(workspace, &project, &output, &locked, &mut generation, sink)? else {
        return Ok(None);
    };
    let Migrations { written, files: new, problems: obstacles } = migrations;
    let destroying = new.iter().filter(|file| !file.destroys.is_empty());
    let destroying = destroying.map(|file| (file.artifact.path.clone(), file.destroys.clone())).collect();
    artifacts.extend(new.into_iter().map(|file| file.artifact));
    findings(workspace, &designed, sink);
    let folder = workspace.config.output.join(&name);
    let named = match against {
        Some(against) => {
            let base = workspace.root.clone();
            match baseline::against(&mut workspace.sources, &base, &folder, against, &backends, sink)? {
                Some(previous) => Some(previous),
                None => return Ok(None),
            }
        }
        None => None,
    };
    let previous = named.as_ref().unwrap_or(&locked);
    let known = |backend: &Backend| backends.contains(backend) && previous.knows(*backend);
    let only_known = |generation: &Generation| -> Generation {
        generation.iter().filter(|(backend, _)| known(backend)).map(|(backend, schema)| (*backend, schema.clone())).collect()
    };
    let pair = Pair { previous: &only_known(&previous.generation), next: &only_known(&generation) };
    let context = Context { model: name.clone(), environment: None, addresses: Side::Next };
    let changes = diff::diff(&context, pair);
    let source = Source {
        model: name.clone(),
        environment: None,
        previous: origin(previous, workspace),
        next: Origin { kind: OriginKind::Model, path: Some(workspace.below_root(path).to_owned()), reference: None },
    };
    let files = file_changes(&output, &folder, &artifacts, &leftovers(locked.lock.as_ref(), &artifacts, &written))?;
    let lock = Lock {
        model: name.clone(),
        generation,
        files: artifacts
            .iter()
            .map(|artifact| (artifact.path.clone(), Digest::of(&artifact.text)))
            .chain(written.clone())
            .map(|(path, digest)| (path, Some(digest)))
            .collect(),
    };
    let acknowledged_in = match on_disk(&output, acknowledgements::NAME.into())? {
        Some(bytes) => {
            let path = output.root().join(acknowledgements::NAME);
            let text = String::from_utf8(bytes).map_err(|_| Failure::Other(format!("{path} is not UTF-8")))?;
            Some(workspace.sources.add(path, text))
        }
        None => None,
    };
    let acknowledgements = match acknowledged_in {
        Some(file) => Acknowledgements::read(&workspace.sources, file, sink),
        None => Some(Acknowledgements::default()),
    };
    let Some(acknowledgements) = acknowledgements else { return Ok(None) };
    let lock = lock.to_string();
    let planned =
        Planned { name, output, artifacts, written, destroying, obstacles, lock, locked, acknowledgements, acknowledged_in };
    Ok(Some((planned, source, changes, files)))
}

/// The findings about a design, less those that are allowed.
fn findings(workspace: &Workspace, designed: &Designed, sink: &mut Sink) {
    rules::lint(&designed.model, &designed.design, sink);
    let found = std::mem::take(sink).into_sorted();
    sink.extend(rules::allow(&designed.model, &workspace.today.to_string(), found));
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

/// What happens to the files. The lock follows them and is not listed.
fn file_changes(
    output: &Output,
    folder: &Utf8Path,
    artifacts: &[Artifact],
    leftovers: &[&Utf8Path],
) -> Result<Vec<FileChange>, Failure> {
    let mut files = Vec::new();
    for artifact in artifacts {
        let action = match on_disk(output, &artifact.path)? {
            None => FileAction::Add,
            Some(bytes) if bytes == artifact.text.as_bytes() => continue,
            Some(_) => FileAction::Change,
        };
        files.push(FileChange { path: folder.join(&artifact.path), action });
    }
    for path in leftovers {
        if on_disk(output, path)?.is_some() {
            files.push(FileChange { path: folder.join(path), action: FileAction::Delete });
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// Files of a lock that are no longer generated. Migrations that were written are no leftovers.
fn leftovers<'l>(lock: Option<&'l Lock>, artifacts: &[Artifact], written: &BTreeMap<Utf8PathBuf, Digest>) -> Vec<&'l Utf8Path> {
    let generated: BTreeSet<&Utf8PathBuf> = artifacts.iter().map(|artifact| &artifact.path).chain(written.keys()).collect();
    let known = lock.into_iter().flat_map(|lock| lock.files.keys());
    known.filter(|path| !generated.contains(path)).map(Utf8PathBuf::as_path).collect()
}

/// The bytes of a file of the output; None when there is none.
pub(super) fn on_disk(output: &Output, path: &Utf8Path) -> Result<Option<Vec<u8>>, Failure> {
    let path = output.root().join(path);
    match std::fs::read(&path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => Ok(None),
        Err(source) => Err(Failure::File { action: "read", path, source }),
    }
}

impl Planned {
    /// The changes that are meant, by id.
    fn meant(
        &self,
        changes: &[diff::Change],
        occasion: Occasion<'_>,
        sink: &mut Sink,
    ) -> BTreeMap<String, diff::Acknowledgement> {
        let ids = changes.iter().filter(|change| change.blocks()).map(|change| change.id.as_str()).collect();
        let honoured = self.acknowledgements.honoured(&ids, occasion, sink).into_iter();
        let meant = |entry: &acknowledgements::Acknowledgement| diff::Acknowledgement {
            reason: entry.reason.clone(),
            owner: entry.owner.clone(),
            until: entry.until.as_ref().map(ToString::to_string),
        };
        honoured.map(|entry| (entry.id.clone(), meant(entry))).collect()
    }

    /// All that `gen apply` writes and deletes, the lock included. `discard` has the paths, as the user wrote them, that may be
    /// overwritten whatever they hold.
    pub(super) fn writes(&self, discard: &[Utf8PathBuf]) -> Vec<output::Change> {
        let discarded = |path: &Utf8Path| discard.iter().any(|named| same(named, &self.output.root().join(path)));
        let expected = |path: &Utf8Path| {
            if discarded(path) {
                return Expected::Anything;
            }
            match self.locked.lock.as_ref().and_then(|lock| lock.files.get(path)) {
                Some(Some(digest)) => Expected::File(digest.clone()),
                Some(None) => Expected::Anything,
                None => Expected::Nothing,
            }
        };
        let mut changes: Vec<output::Change> = self
            .artifacts
            .iter()
            .map(|artifact| output::Change {
                path: artifact.path.clone(),
                text: Some(artifact.text.clone()),
                expected: expected(&artifact.path),
            })
            .collect();
        changes.extend(self.leftovers().into_iter().map(|path| output::Change {
            path: path.to_owned(),
            text: None,
            expected: expected(path),
        }));
        changes.push(output::Change { path: lock::NAME.into(), text: Some(self.lock.clone()), expected: Expected::Anything });
        changes
    }

    /// The files as they should be, the lock last: path below the output folder and text.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&Utf8Path, &str)> {
        let files = self.artifacts.iter().map(|artifact| (artifact.path.as_path(), artifact.text.as_str()));
        files.chain(std::iter::once((Utf8Path::new(lock::NAME), self.lock.as_str())))
    }

    /// Files of the previous lock that are no longer generated.
    pub(super) fn leftovers(&self) -> Vec<&Utf8Path> {
        leftovers(self.locked.lock.as_ref(), &self.artifacts, &self.written)
    }

    /// Files that were edited by hand and that nobody gave up.
    pub(super) fn kept_edits(&self, discard: &[Utf8PathBuf]) -> Vec<Utf8PathBuf> {
        let edited = self.locked.edited.iter().filter(|edited| !self.written.contains_key(&edited.path));
        let paths = edited.map(|edited| self.output.root().join(&edited.path));
        paths.filter(|path| !discard.iter().any(|named| same(named, path))).collect()
    }

    /// Migrations that have other bytes than those that were written, or are gone. Nobody can give these up: they may have
    /// been run, and their text is nowhere else.
    pub(super) fn edited_migrations(&self) -> Vec<Utf8PathBuf> {
        let edited = self.locked.edited.iter().filter(|edited| self.written.contains_key(&edited.path));
        edited.map(|edited| self.output.root().join(&edited.path)).collect()
    }

    /// New migrations that would destroy something that the plan does not show, or that nobody meant: the plan was made from
    /// a file that was edited by hand, and the migration from the lock.
    pub(super) fn unmeant(&self, plan: &Plan) -> Vec<Utf8PathBuf> {
        let is_meant = |id: &String| plan.changes.iter().any(|change| change.id == *id && change.acknowledged.is_some());
        let unmeant = self.destroying.iter().filter(|(_, ids)| !ids.iter().all(is_meant));
        unmeant.map(|(path, _)| self.output.root().join(path)).collect()
    }
}

/// Whether two paths, as they were written, are one.
fn same(one: &Utf8Path, other: &Utf8Path) -> bool {
    workspace::normal(one) == workspace::normal(other)
}

/// How a run ends, for a plan that is complete.
pub(super) fn exit(run: &Run, workspace: &Workspace) -> Exit {
    if run.plan.is_blocked() || run.findings_block(workspace) { Exit::Blocked } else { Exit::Done }
}
