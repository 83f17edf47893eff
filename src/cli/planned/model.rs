//! One model with all its environments: what is said of it, and which of its changes are meant.

use super::Planned;
use super::folders::Folder;
use crate::baseline::acknowledgements::{self, Acknowledgement, Acknowledgements, NO_ENVIRONMENT, Occasion};
use crate::cli::Failure;
use crate::cli::workspace::Workspace;
use crate::diagnostic::{Diagnostic, Sink, listed};
use crate::diff::{self, Change, Plan, joined};
use crate::output::{self, Expected};
use crate::rules::Allowances;
use crate::source::{FileId, Span};
use camino::Utf8PathBuf;
use std::collections::{BTreeMap, BTreeSet};

/// A model, planned in each environment of the run.
pub(in crate::cli) struct PlannedModel {
    /// Its name.
    pub(in crate::cli) name: String,
    /// One that has no name, or those of the run in order of their names.
    pub(in crate::cli) environments: Vec<Planned>,
    /// Its acknowledgements, as they are shown.
    pub(in crate::cli) acknowledgements_path: Utf8PathBuf,
    acknowledgements: Acknowledgements,
    /// Those at the commit that it is compared with.
    earlier: Option<Acknowledgements>,
    acknowledged_in: Option<FileId>,
    acknowledged: Expected,
}

/// What came of planning a model in one environment.
pub(super) type Outcome = (Result<Option<Planned>, Failure>, Vec<Diagnostic>);

/// What is known of a model before it is planned.
pub(super) struct Part {
    /// What the model allows in its first environment.
    pub(super) allowances: Option<Allowances>,
    /// What is said in all environments.
    pub(super) findings: Vec<Diagnostic>,
    /// What is said in each.
    pub(super) said: Vec<Vec<Diagnostic>>,
    /// Its folder; None when it is not good in every environment.
    pub(super) folder: Option<Folder>,
}

impl Part {
    /// Takes in what came of each environment. No model when something is wrong; the diagnostics say why.
    pub(super) fn finish(
        self,
        outcomes: Vec<Outcome>,
        workspace: &Workspace,
        names: &[Option<&str>],
    ) -> Result<(Option<PlannedModel>, Vec<Diagnostic>), Failure> {
        let Self { allowances, mut findings, mut said, folder } = self;
        let mut environments = Vec::new();
        for ((outcome, more), said) in outcomes.into_iter().zip(&mut said) {
            environments.extend(outcome?);
            said.extend(more);
        }
        findings = joined(findings, together(said, names));
        let is_wrong = |all: &[Diagnostic]| all.iter().any(Diagnostic::is_error);
        if let Some(allowances) = allowances.filter(|_| !is_wrong(&findings)) {
            findings = allowances.apply(&workspace.today.to_string(), findings);
        }
        let mut sink = Sink::from(findings);
        let planned = folder.filter(|_| environments.len() == names.len()).and_then(|folder| {
            let acknowledgements = match folder.acknowledgements {
                Some(file) => Acknowledgements::read(&workspace.sources, file, &mut sink)?,
                None => Acknowledgements::default(),
            };
            // One that cannot be read was mended since.
            let earlier = folder.earlier.and_then(|file| Acknowledgements::read(&workspace.sources, file, &mut Sink::default()));
            Some(PlannedModel {
                name: folder.model,
                environments,
                acknowledgements_path: folder.shown.join(acknowledgements::NAME),
                acknowledgements,
                earlier,
                acknowledged_in: folder.acknowledgements,
                acknowledged: folder.acknowledged,
            })
        });
        let planned = planned.filter(|_| !sink.has_errors());
        Ok((planned, sink.into_sorted()))
    }
}

/// What is said in several environments, once. What holds in some of them alone says in which.
fn together(mut said: Vec<Vec<Diagnostic>>, names: &[Option<&str>]) -> Vec<Diagnostic> {
    // One environment has nothing to bring together.
    if let [name] = names {
        let only = said.pop().unwrap_or_default();
        return only.into_iter().map(|diagnostic| diagnostic.in_environments(*name)).collect();
    }
    let mut all: Vec<(Diagnostic, Vec<&str>)> = Vec::new();
    let mut known: BTreeMap<(Option<Span>, &str, String), Vec<usize>> = BTreeMap::new();
    for (said, name) in said.into_iter().zip(names) {
        for diagnostic in said {
            let span = diagnostic.primary.as_ref().map(|label| label.span);
            let places = known.entry((span, diagnostic.code.slug(), diagnostic.message.clone())).or_default();
            let name = name.unwrap_or_default();
            let same = places.iter().copied().find(|place| all.get(*place).is_some_and(|(known, _)| *known == diagnostic));
            match same.and_then(|place| all.get_mut(place)) {
                Some((_, names)) if names.last() == Some(&name) => {}
                Some((_, names)) => names.push(name),
                None => {
                    places.push(all.len());
                    all.push((diagnostic, vec![name]));
                }
            }
        }
    }
    let told = |(diagnostic, of): (Diagnostic, Vec<&str>)| {
        let diagnostic = diagnostic.in_environments(of.iter().copied().filter(|name| !name.is_empty()));
        match of.len() {
            count if count == names.len() => diagnostic,
            1 => diagnostic.note(format!("in the environment {}", listed(of))),
            _ => diagnostic.note(format!("in the environments {}", listed(of))),
        }
    };
    all.into_iter().map(told).collect()
}

impl PlannedModel {
    /// Notes which changes are meant, in each environment. Whether an acknowledgement is of use is known when `all` environments
    /// are planned.
    pub(super) fn acknowledge(&mut self, occasion: Occasion<'_>, all: bool, sink: &mut Sink) {
        let mut blocking: BTreeSet<String> = BTreeSet::new();
        let mut said = Vec::new();
        for planned in &mut self.environments {
            let mut own = Sink::default();
            let ids: BTreeSet<String> =
                planned.changes.iter().filter(|change| change.blocks()).map(|change| change.id().to_owned()).collect();
            let environment = planned.place.environment.as_deref();
            let occasion = Occasion { environment, earlier: self.earlier.as_ref(), ..occasion };
            let known: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
            let honoured = self.acknowledgements.honoured(&known, occasion, &mut own).into_iter();
            let honoured: BTreeMap<&str, &Acknowledgement> = honoured.map(|entry| (entry.id.as_str(), entry)).collect();
            for change in planned.changes.iter_mut().filter(|change| change.blocks()) {
                let entry = honoured.get(change.id());
                change.acknowledged = entry.map(|entry| diff::Acknowledgement {
                    reason: entry.reason.clone(),
                    owner: entry.owner.clone(),
                    until: entry.until.as_ref().map(ToString::to_string),
                });
            }
            blocking.extend(ids);
            said.push(own.into_sorted());
        }
        let names: Vec<Option<&str>> = self.environments.iter().map(|planned| planned.place.environment.as_deref()).collect();
        sink.extend(together(said, &names));
        if all {
            self.acknowledgements.unused(&blocking.iter().map(String::as_str).collect(), sink);
        }
    }

    /// The file of acknowledgements with one more.
    pub(in crate::cli) fn with_acknowledgement(
        &self,
        workspace: &Workspace,
        entry: &Acknowledgement,
    ) -> Result<output::Change, Vec<Diagnostic>> {
        acknowledgements::add(&workspace.sources, self.acknowledged_in, entry).map(|text| self.write(text))
    }

    /// The acknowledgements that a plan uses up, noted in their file; None when it uses none.
    pub(in crate::cli) fn applied(&self, plan: &Plan, workspace: &Workspace) -> Result<Option<output::Change>, Vec<Diagnostic>> {
        let mut used: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for planned in &self.environments {
            let ids: Vec<&str> = planned.of(plan).filter(|change| change.acknowledged.is_some()).map(Change::id).collect();
            if !ids.is_empty() {
                used.insert(planned.place.environment.as_deref().unwrap_or(NO_ENVIRONMENT), ids);
            }
        }
        let Some(file) = self.acknowledged_in.filter(|_| !used.is_empty()) else { return Ok(None) };
        acknowledgements::mark_applied(&workspace.sources, file, &used, workspace.today).map(|text| Some(self.write(text)))
    }

    /// Writes the acknowledgements anew, unless somebody else was faster.
    fn write(&self, text: String) -> output::Change {
        let path = Utf8PathBuf::from(&self.name).join(acknowledgements::NAME);
        output::Change { path, text: Some(text), expected: self.acknowledged.clone() }
    }
}
