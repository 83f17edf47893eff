//! What models come to beside what was there: the work that `plan`, `apply`, `check` and `ack` share. Texts and folders are
//! read first; then every model is designed, and planned in each of its environments, on as many threads as there are.

mod changed;
mod claims;
mod clashes;
mod design;
mod environments;
mod folders;
mod groups;
mod handed;
mod left;
mod let_go;
mod model;
mod neighbours;
mod one;
mod sharing;
mod texts;
mod writes;

pub(super) use design::alone;
pub(super) use model::PlannedModel;
pub(super) use neighbours::Place;
pub(super) use one::Planned;

use super::args::Format;
use super::workspace::Workspace;
use super::{Console, Exit, Failure};
use crate::baseline::Basis;
use crate::baseline::acknowledgements::Occasion;
use crate::config::{Environment, FailOn};
use crate::design::Design;
use crate::diagnostic::{Diagnostic, Level, Severity, Sink, codes};
use crate::diff::{LeftOut, Origin, OriginKind, Plan, joined};
use crate::model::Model;
use crate::rules::{self, Wording};
use crate::source::normal;
use camino::{Utf8Path, Utf8PathBuf};
use design::design;
use texts::Text;

/// The plan of a run, with the models it is made of.
pub(super) struct Run {
    pub(super) plan: Plan,
    pub(super) models: Vec<PlannedModel>,
    /// Findings of this level and above block.
    fail_on: FailOn,
}

impl Run {
    /// Each model in each of its environments.
    pub(super) fn planned(&self) -> impl Iterator<Item = &Planned> {
        self.models.iter().flat_map(|model| &model.environments)
    }

    /// The environments of the run.
    pub(super) fn environments(&self) -> impl Iterator<Item = &str> {
        let first = self.models.first().map(|model| model.environments.as_slice()).unwrap_or_default();
        first.iter().filter_map(|planned| planned.place.environment.as_deref())
    }

    /// Says which models were left out, of those that were asked for.
    pub(super) fn show_left_out(&self, console: &mut Console) {
        let Some(LeftOut { since, models }) = &self.plan.left_out else { return };
        let (changed, left) = (self.models.len(), models.len());
        let all = changed + left;
        let noun = if all == 1 { "model" } else { "models" };
        console.remark(&match (changed, left) {
            (1, 0) => format!("1 model: it changed since {since}, or what it depends on\n"),
            (_, 0) => format!("all {all} models changed since {since}, or what they depend on\n"),
            (_, 1) => format!("{changed} of {all} {noun} changed since {since}; 1 is left out\n"),
            _ => format!("{changed} of {all} {noun} changed since {since}; {left} are left out\n"),
        });
    }

    /// Says what is left of models and environments that are no more: nobody else keeps an eye on it.
    pub(super) fn show_left(&self, workspace: &Workspace, console: &mut Console) {
        let is_left = |finding: &&Diagnostic| [codes::MODEL_LEFT, codes::ENVIRONMENT_LEFT].contains(&finding.code);
        console.diagnostics(self.plan.findings.iter().filter(is_left), &workspace.sources);
    }

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
        if self.plan.complete {
            self.show_left_out(console);
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
    /// Environments; none: all.
    pub(super) environments: &'a [String],
    /// What to compare with instead of the lock.
    pub(super) against: Option<&'a str>,
    /// Only models of which something changed since this git ref; an empty one stands for that of `against`, or HEAD.
    pub(super) changed: Option<&'a str>,
    /// Files, as the user wrote them, that may be overwritten whatever they hold.
    pub(super) discard: &'a [Utf8PathBuf],
    /// How the plan is shown.
    pub(super) format: Format,
}

impl Request<'_> {
    /// Whether a file, by its path as it is shown, may be overwritten whatever it holds.
    fn discards(&self, path: &Utf8Path) -> bool {
        self.discard.iter().any(|named| normal(named) == normal(path))
    }

    /// The arguments with which another command sees the same changes, each behind a space: what gen.yaml does not say.
    pub(super) fn again(&self, workspace: &Workspace) -> String {
        // No folder is looked through for nothing.
        let is_known = self.models.is_empty() || {
            let all = workspace.models(&[]).unwrap_or_default();
            workspace.models(self.models).is_ok_and(|named| named.iter().all(|path| all.contains(path)))
        };
        let models = self.models.iter().filter(|_| !is_known).map(|path| path.as_str());
        let words = self.against.into_iter().flat_map(|against| ["--against", against]).chain(models);
        words.fold(String::new(), |before, word| before + " " + &quoted(word))
    }
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./:@~^+=,%".contains(letter);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// A model of the run, on its way to a plan.
struct Draft {
    path: Utf8PathBuf,
    text: Text,
    /// In each environment of the run.
    designed: Vec<design::InEnvironment>,
}

impl Draft {
    /// The model's name, when it is good in every environment.
    fn name(&self) -> Option<&str> {
        let good = self.designed.iter().all(|(designed, _)| designed.is_some());
        self.designed.first().filter(|_| good)?.0.as_ref().map(|designed| designed.model.name.value.as_str())
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
    let config = workspace.config.clone();
    let environments = environments::chosen(&config, request.environments)?;
    let names: Vec<Option<&str>> = environments.iter().map(|of| of.map(|(name, _)| name)).collect();
    let settings: Vec<Option<&Environment>> = environments.iter().map(|of| of.map(|(_, environment)| environment)).collect();

    let paths = workspace.models(request.models);
    let paths = paths.map_err(|failure| left::without_models(failure, workspace, output.root(), request.models))?;
    let mut groups = groups::read(workspace, &paths)?;
    let mut said = environments::unknown_settings(workspace, &groups);
    let all = left::names(&groups).filter(|_| request.models.is_empty());
    if let Some(since) = request.changed {
        run.plan.left_out = Some(changed::only(workspace, output.root(), &mut groups, since, request.against)?);
    }
    // What several environments say alike is found by its words.
    let is_counted = request.format == Format::Text && environments.len() == 1 && !config.fail_on.blocks(Level::Info);
    let wording = if is_counted { Wording::LeftOut } else { Wording::Written };
    let judge = |model: &Model, design: &Design, sink: &mut Sink| rules::lint(model, design, &config.thresholds, wording, sink);
    let drafts = workspace.pool.map("designing", groups, |group| {
        let designed = design(workspace, group, &settings, &judge).into_iter();
        let draft = |(text, designed): (Text, _)| Draft { path: workspace.sources.path(text.file).to_owned(), text, designed };
        designed.map(draft).collect::<Vec<_>>()
    });
    let mut drafts: Vec<Draft> = drafts.into_iter().flatten().collect();
    drafts.sort_by_key(|draft| draft.text.file);
    claims::judge(&mut drafts);
    said.extend(clashes::of_names(&drafts));
    said.extend(clashes::with_models(&drafts, &config));

    let basis = request.against.map(|named| Basis::find(&workspace.root, &config.output, named));
    let mut basis = basis.transpose()?;
    if let Some(all) = all {
        said.extend(left::output(workspace, output.root(), &all)?);
        if let Some(Basis::Commit(commit)) = &mut basis {
            said.extend(left::at_commit(workspace, output.root(), &all, commit)?);
        }
    }
    let mut parts = Vec::new();
    let mut jobs = Vec::new();
    for draft in drafts {
        let folder = draft.name().map(|name| folders::read(workspace, output.root(), name, &names, basis.as_mut()));
        let (folder, environments) = folder.transpose()?.unzip();
        let (designed, said): (Vec<_>, Vec<_>) = draft.designed.into_iter().unzip();
        let allowances = designed.iter().flatten().next().map(|first| rules::Allowances::of(&first.model));
        let mut environments = environments.unwrap_or_default();
        for (environment, designed) in environments.iter_mut().zip(designed.iter().flatten()) {
            environment.meet(&mut workspace.sources, output.root(), designed.sharers.iter().map(|(_, fellow)| fellow));
        }
        parts.push((environments.len(), model::Part { allowances, findings: draft.text.findings, said, folder }));
        let of_environments = designed.into_iter().flatten().zip(environments);
        jobs.extend(of_environments.map(|(designed, environment)| (draft.path.clone(), designed, environment)));
    }
    said.extend(environments::layout(&config, parts.iter().filter_map(|(_, part)| part.folder.as_ref())));
    let mut complete = said.iter().all(|diagnostic| !diagnostic.is_error());
    run.plan.findings.extend(said);
    let shared = &*workspace;
    let mut outcomes = shared.pool.map("planning", jobs, |(path, designed, environment)| {
        let mut sink = Sink::default();
        let planned = one::plan(shared, designed, environment, &path, request, &mut sink);
        (planned, sink.into_sorted())
    });
    let_go::judge(&mut outcomes);
    let mut outcomes = outcomes.into_iter();
    for (count, part) in parts {
        let (model, findings) = part.finish(outcomes.by_ref().take(count).collect(), workspace, &names)?;
        run.plan.findings = joined(std::mem::take(&mut run.plan.findings), findings);
        complete &= model.is_some();
        run.models.extend(model);
    }
    let compared = run.planned().any(|planned| planned.source.previous.kind != OriginKind::Nothing);
    if let (Some(folder), true, false) = (request.against.filter(|named| Utf8Path::new(named).is_dir()), complete, compared) {
        return Err(Failure::Other(format!("{folder} holds nothing that could be compared: no lock and no generated files")));
    }
    run.plan.complete = complete;
    if complete {
        fill(&mut run, workspace, request, environments.len() == config.environments.len().max(1));
    }
    Ok(run)
}

/// Puts the plan together from those of the models.
fn fill(run: &mut Run, workspace: &Workspace, request: Request<'_>, all_environments: bool) {
    let occasion = Occasion { environment: None, against: request.against.is_some(), earlier: None, today: workspace.today };
    let mut changes = Vec::new();
    for model in &mut run.models {
        let mut sink = Sink::default();
        model.acknowledge(occasion, all_environments, &mut sink);
        run.plan.findings.extend(sink.into_sorted());
        for planned in &mut model.environments {
            changes = joined(changes, std::mem::take(&mut planned.changes));
            run.plan.files.append(&mut planned.files);
            run.plan.sources.push(planned.source.clone());
        }
    }
    run.plan.add(changes);
    if let [only] = run.plan.sources.as_slice() {
        (run.plan.previous, run.plan.next) = (only.previous.clone(), only.next.clone());
        run.plan.sources.clear();
    } else {
        let workspace = Origin { kind: OriginKind::Workspace, path: None, reference: None };
        (run.plan.previous, run.plan.next) = (workspace.clone(), workspace);
    }
}

/// How a run ends, for a plan that is complete.
pub(super) fn exit(run: &Run) -> Exit {
    if run.obstacle().is_some() { Exit::Blocked } else { Exit::Done }
}
