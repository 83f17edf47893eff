//! What a model comes to beside what was there: the work that `plan`, `apply`, `check` and `ack` share.

use super::adopted;
use super::generate::{self, Designed};
use super::migrations::{self, Migrations};
use super::workspace::{self, Workspace};
use super::{Console, Exit, Failure};
use crate::baseline::acknowledgements::{self, Acknowledgements, Occasion};
use crate::baseline::migrations::is_migration;
use crate::baseline::{self, Digest, Edited, Lock, Previous, lock};
use crate::config::FailOn;
use crate::diagnostic::{Diagnostic, Level, Severity, Sink};
use crate::diff::{self, Context, FileAction, FileChange, Origin, OriginKind, Pair, Plan, Side, Source};
use crate::emit::Artifact;
use crate::output::{self, Expected, Output};
use crate::rules;
use crate::schema::{Backend, Format, Generation};
use crate::source::{self, FileId};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// One model, planned.
pub(super) struct Planned {
    pub(super) name: String,
    /// The model's folder, as it is shown.
    pub(super) folder: Utf8PathBuf,
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
    /// What may be in the place of that file when it is written.
    acknowledged: Expected,
}

/// The plan of a run, with the models it is made of.
pub(super) struct Run {
    pub(super) plan: Plan,
    pub(super) models: Vec<Planned>,
    /// Findings of this level and above block.
    fail_on: FailOn,
}

impl Run {
    /// Whether a finding is at or above `fail_on`.
    fn blocks(&self, finding: &Diagnostic) -> bool {
        match finding.severity {
            Severity::Error => true,
            Severity::Finding(level) => self.fail_on.blocks(level),
        }
    }

    /// Prints the findings as text. Informations that do not block are only counted.
    pub(super) fn show_findings(&self, workspace: &Workspace, console: &mut Console) {
        let is_quiet = |finding: &&Diagnostic| finding.severity == Severity::Finding(Level::Info) && !self.blocks(finding);
        let shown = self.plan.findings.iter().filter(|finding| !is_quiet(finding));
        console.diagnostics(shown, &workspace.sources);
        let hidden = self.plan.findings.iter().filter(is_quiet).count();
        if hidden > 0 {
            let noun = if hidden == 1 { "note" } else { "notes" };
            console.remark(&format!("{hidden} {noun} of level info; --format json shows them\n"));
        }
    }

    /// Why `gen apply` may not go on, if it may not.
    pub(super) fn obstacle(&self) -> Option<String> {
        let findings = self.plan.findings.iter().filter(|finding| self.blocks(finding)).count();
        let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
        match (self.plan.summary.blocked, findings) {
            (0, 0) => None,
            (changes, 0) => Some(count(changes, "dangerous change")),
            (0, findings) => Some(count(findings, "finding")),
            (changes, findings) => Some(format!("{} and {}", count(changes, "dangerous change"), count(findings, "finding"))),
        }
    }
}

/// What a plan is asked for.
#[derive(Clone, Copy, Default)]
pub(super) struct Request<'a> {
    /// Model files, or folders of them; none: all.
    pub(super) models: &'a [Utf8PathBuf],
    /// What to compare with instead of the lock.
    pub(super) against: Option<&'a str>,
    /// Files, as the user wrote them, that may be overwritten whatever they hold.
    pub(super) discard: &'a [Utf8PathBuf],
}

impl Request<'_> {
    /// Whether a file, by its path as it is shown, may be overwritten whatever it holds.
    fn discards(&self, path: &Utf8Path) -> bool {
        self.discard.iter().any(|named| workspace::normal(named) == workspace::normal(path))
    }
}

/// Plans every model. When a text is wrong the plan is not complete: it has the diagnostics and no changes.
pub(super) fn plan(workspace: &mut Workspace, request: Request<'_>) -> Result<Run, Failure> {
    let plan = Plan { findings: workspace.findings.clone(), ..Plan::default() };
    let mut run = Run { plan, models: Vec::new(), fail_on: workspace.config.fail_on };
    if workspace.is_wrong() {
        return Ok(run);
    }
    let output = workspace.output()?;
    let mut complete = true;
    let mut compared = false;
    let mut outputs: BTreeMap<String, Utf8PathBuf> = BTreeMap::new();
    let mut all = Vec::new();
    for path in workspace.models(request.models)? {
        let mut sink = Sink::default();
        let planned = one(workspace, &output, &path, request, &mut sink)?;
        complete &= planned.is_some() && !sink.has_errors();
        run.plan.findings.extend(sink.into_sorted());
        let Some((planned, source, changes, files)) = planned else { continue };
        if let Some(other) = outputs.insert(planned.name.clone(), path.clone()) {
            let name = &planned.name;
            return Err(Failure::Other(format!("{other} and {path} are both called `{name}`; their output would be one folder")));
        }
        compared |= source.previous.kind != OriginKind::Nothing;
        all.push((changes, files, source));
        run.models.push(planned);
    }
    if let (Some(folder), true, false) = (request.against.filter(|named| Utf8Path::new(named).is_dir()), complete, compared) {
        return Err(Failure::Other(format!("{folder} holds nothing that could be compared: no lock and no generated files")));
    }
    run.plan.complete = complete;
    if complete {
        let mut sink = Sink::default();
        for ((changes, files, source), planned) in all.into_iter().zip(&run.models) {
            let occasion = Occasion { environment: None, against: request.against.is_some(), today: workspace.today };
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
fn one(
    workspace: &mut Workspace,
    output: &Output,
    path: &Utf8Path,
    request: Request<'_>,
    sink: &mut Sink,
) -> Result<Option<Parts>, Failure> {
    let Some(mut designed) = generate::read(workspace, path, sink)? else { return Ok(None) };
    let name = designed.model.name.value.clone();
    let shown = output.root().join(&name);
    let targets = generate::targets(workspace, &designed.design, sink);
    let backends = generate::backends(&targets, &designed.model);
    let discarded = |path: &Utf8Path| request.discards(&shown.join(path)) && !is_migration(path);
    let Some(mut locked) = baseline::previous(&mut workspace.sources, &shown, &backends, &discarded, sink)? else {
        return Ok(None);
    };
    locked.upgrade(&backends);
    if let Some(lock) = &locked.lock {
        let design = &mut designed.design;
        baseline::carry(lock, &designed.model, &mut design.dynamodb, &mut design.cql, sink);
    }
    let mut generation = generate::generation(&targets, &designed.design);
    generate::substitutes(&generation, sink);
    let mut artifacts = match generate::render(workspace, &designed.model, &generation) {
        Ok(artifacts) => artifacts,
        Err(problems) => {
            sink.extend(problems);
            return Ok(None);
        }
    };
    let is_kept = |edited: &&Edited| !is_as_generated(edited, &artifacts) && !discarded(&edited.path);
    for edited in locked.edited.iter().filter(is_kept) {
        sink.push(edited.finding(&shown.join(&edited.path)));
    }
    let project = generate::project(&designed.model);
    let Some(migrations) = migrations::find(workspace, &project, &shown, &locked, &mut generation, sink)? else {
        return Ok(None);
    };
    let Migrations { written, files: new, problems: obstacles } = migrations;
    let destroying = new.iter().filter(|file| !file.destroys.is_empty());
    let destroying = destroying.map(|file| (file.artifact.path.clone(), file.destroys.clone())).collect();
    artifacts.extend(new.into_iter().map(|file| file.artifact));
    findings(workspace, &designed, sink);
    let folder = workspace.config.output.join(&name);
    let named = match request.against {
        Some(against) => {
            let base = workspace.root.clone();
            match baseline::against(&mut workspace.sources, &base, &folder, against, &backends, sink)? {
                Some(mut previous) => {
                    previous.upgrade(&backends);
                    Some(previous)
                }
                None => return Ok(None),
            }
        }
        None => None,
    };
    let previous = named.as_ref().unwrap_or(&locked);
    // An engine that left is deployed still: its tables are kept.
    let backends: BTreeSet<Backend> = backends.into_iter().chain(generation.keys().copied()).collect();
    let mut before = in_force(previous, &backends);
    let after = of_known(&generation, previous);
    adopted::adopt(&previous.generation, &after, &mut before);
    let pair = Pair { previous: &before, next: &after };
    let context = Context { model: name.clone(), environment: None, addresses: Side::Next };
    let changes = diff::diff(&context, pair);
    let source = Source {
        model: name.clone(),
        environment: None,
        previous: origin(previous, workspace),
        next: Origin { kind: OriginKind::Model, path: Some(workspace.below_root(path).to_owned()), reference: None },
    };
    let files = file_changes(&shown, &folder, &artifacts, &leftovers(locked.lock.as_ref(), &artifacts, &written))?;
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
    let path = shown.join(acknowledgements::NAME);
    let (acknowledged_in, acknowledged) = match on_disk(&path)? {
        Some(bytes) => {
            let expected = Expected::File(Digest::of(&bytes));
            let text = String::from_utf8(bytes).map_err(|_| Failure::Other(format!("{path} is not UTF-8")))?;
            (Some(workspace.sources.add(path, text)), expected)
        }
        None => (None, Expected::Nothing),
    };
    let acknowledgements = match acknowledged_in {
        Some(file) => Acknowledgements::read(&workspace.sources, file, sink),
        None => Some(Acknowledgements::default()),
    };
    let Some(acknowledgements) = acknowledgements else { return Ok(None) };
    let lock = lock.to_string();
    let planned = Planned {
        name,
        folder: shown,
        artifacts,
        written,
        destroying,
        obstacles,
        lock,
        locked,
        acknowledgements,
        acknowledged_in,
        acknowledged,
    };
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

/// What happens to the files. The lock follows them and is not listed.
fn file_changes(
    shown: &Utf8Path,
    folder: &Utf8Path,
    artifacts: &[Artifact],
    leftovers: &[&Utf8Path],
) -> Result<Vec<FileChange>, Failure> {
    let mut files = Vec::new();
    for artifact in artifacts {
        let action = match on_disk(&shown.join(&artifact.path))? {
            None => FileAction::Add,
            Some(bytes) if bytes == artifact.text.as_bytes() => continue,
            Some(_) => FileAction::Change,
        };
        files.push(FileChange { path: folder.join(&artifact.path), action });
    }
    for path in leftovers {
        if on_disk(&shown.join(path))?.is_some() {
            files.push(FileChange { path: folder.join(path), action: FileAction::Delete });
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// Files of a lock that are no longer generated. Migrations that were written are no leftovers, even of an engine that has left:
/// when it comes back, they tell where its clusters stand.
fn leftovers<'l>(lock: Option<&'l Lock>, artifacts: &[Artifact], written: &BTreeMap<Utf8PathBuf, Digest>) -> Vec<&'l Utf8Path> {
    let generated: BTreeSet<&Utf8PathBuf> = artifacts.iter().map(|artifact| &artifact.path).chain(written.keys()).collect();
    let known = lock.into_iter().flat_map(|lock| lock.files.keys());
    known.filter(|path| !generated.contains(path) && !is_migration(path)).map(Utf8PathBuf::as_path).collect()
}

/// The bytes of a file; None when there is none.
pub(super) fn on_disk(path: &Utf8Path) -> Result<Option<Vec<u8>>, Failure> {
    match source::read_bytes(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => Ok(None),
        Err(source) => Err(Failure::File { action: "read", path: path.to_owned(), source }),
    }
}

/// Whether a file, edited since it was generated, is what would be generated now: then nothing of it gets lost.
fn is_as_generated(edited: &Edited, artifacts: &[Artifact]) -> bool {
    let next = artifacts.iter().find(|artifact| artifact.path == edited.path);
    next.map(|artifact| Digest::of(&artifact.text)) == edited.found
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

    /// All that `gen apply` writes and deletes, the lock included, by their paths below the output folder of all models.
    pub(super) fn writes(&self, request: Request<'_>) -> Vec<output::Change> {
        let expected = |path: &Utf8Path| {
            if request.discards(&self.folder.join(path)) {
                return Expected::Anything;
            }
            match self.locked.lock.as_ref().and_then(|lock| lock.files.get(path)) {
                Some(Some(digest)) => Expected::File(digest.clone()),
                Some(None) => Expected::Anything,
                None => Expected::Nothing,
            }
        };
        let change = |path: &Utf8Path, text: Option<&str>, expected| output::Change {
            path: Utf8Path::new(&self.name).join(path),
            text: text.map(str::to_owned),
            expected,
        };
        let lock = self.locked.lock_digest.clone().map_or(Expected::Nothing, Expected::File);
        let artifacts = self.artifacts.iter();
        let mut changes: Vec<output::Change> =
            artifacts.map(|artifact| change(&artifact.path, Some(&artifact.text), expected(&artifact.path))).collect();
        changes.extend(self.leftovers().into_iter().map(|path| change(path, None, expected(path))));
        changes.push(change(lock::NAME.into(), Some(&self.lock), lock));
        changes
    }

    /// Writes the acknowledgements anew, unless somebody else was faster.
    pub(super) fn write_acknowledgements(&self, text: String) -> output::Change {
        let path = Utf8Path::new(&self.name).join(acknowledgements::NAME);
        output::Change { path, text: Some(text), expected: self.acknowledged.clone() }
    }

    /// The files as they should be, the lock last: path below the model's folder and text.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&Utf8Path, &str)> {
        let files = self.artifacts.iter().map(|artifact| (artifact.path.as_path(), artifact.text.as_str()));
        files.chain(std::iter::once((Utf8Path::new(lock::NAME), self.lock.as_str())))
    }

    /// Files of the previous lock that are no longer generated.
    pub(super) fn leftovers(&self) -> Vec<&Utf8Path> {
        leftovers(self.locked.lock.as_ref(), &self.artifacts, &self.written)
    }

    /// What is to be said of files that were edited or deleted by hand and that nobody gave up.
    pub(super) fn kept_edits(&self, request: Request<'_>) -> Vec<String> {
        let files = self.locked.edited.iter().filter(|edited| !self.written.contains_key(&edited.path));
        let lost = files.filter(|edited| !is_as_generated(edited, &self.artifacts));
        let kept = lost.map(|edited| (self.folder.join(&edited.path), edited)).filter(|(path, _)| !request.discards(path));
        kept.map(|(path, edited)| match edited.found {
            Some(_) => format!("{path} was edited by hand; `--discard-edits {path}` overwrites it"),
            None => format!("{path} was deleted by hand; `--discard-edits {path}` writes it again"),
        })
        .collect()
    }

    /// Migrations that have other bytes than those that were written, or are gone. Nobody can give these up: they may have
    /// been run, and their text is nowhere else.
    pub(super) fn edited_migrations(&self) -> Vec<Utf8PathBuf> {
        let edited = self.locked.edited.iter().filter(|edited| self.written.contains_key(&edited.path));
        edited.map(|edited| self.folder.join(&edited.path)).collect()
    }

    /// New migrations that would destroy something that the plan does not show, or that nobody meant: the plan was made from
    /// a file that was edited by hand, and the migration from the lock.
    pub(super) fn unmeant(&self, plan: &Plan) -> Vec<Utf8PathBuf> {
        let is_meant = |id: &String| plan.changes.iter().any(|change| change.id == *id && change.acknowledged.is_some());
        let unmeant = self.destroying.iter().filter(|(_, ids)| !ids.iter().all(is_meant));
        unmeant.map(|(path, _)| self.folder.join(path)).collect()
    }
}

/// How a run ends, for a plan that is complete.
pub(super) fn exit(run: &Run) -> Exit {
    if run.obstacle().is_some() { Exit::Blocked } else { Exit::Done }
}
