//! A plan: the changes of a run, their effects taken together for each table, and how many tables they touch.

use super::{Action, Change, Confidence, Effect, Effects};
use crate::diagnostic::Diagnostic;
use crate::schema::{Address, Backend};
use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What `gen plan` and `gen diff` find, for any number of models and environments.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Whether everything could be compared. When not, there are no changes, and nobody may read that as "no change".
    pub complete: bool,
    /// Where the previous generation comes from.
    pub previous: Origin,
    /// Where the next one comes from.
    pub next: Origin,
    /// The parts of a workspace, when previous and next are one.
    pub sources: Vec<Source>,
    /// Models that were left out, when only changed ones were asked for.
    pub left_out: Option<LeftOut>,
    /// What backends are called that stand in for a later version, which has no rows of its own.
    pub asked: BTreeMap<Backend, String>,
    /// All changes.
    pub changes: Vec<Change>,
    /// Changed tables, with the worst effect on each backend and what all of them lose.
    pub tables: Vec<TableEffects>,
    /// Stages that were generated.
    pub stages: BTreeMap<Backend, Vec<Stage>>,
    /// Files that would be written or deleted.
    pub files: Vec<FileChange>,
    /// Errors and findings about the models' texts.
    pub findings: Vec<Diagnostic>,
    /// Tables and keyspaces by what happens to them.
    pub summary: Summary,
}

/// Where one side of a plan comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Origin {
    /// What it is.
    pub kind: OriginKind,
    /// Its path, as the user wrote it or as it is shown; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub path: Option<Utf8PathBuf>,
    /// The git ref it was read at.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// What one side of a plan is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OriginKind {
    /// There is nothing yet.
    #[default]
    Nothing,
    /// A model.
    Model,
    /// A `gen.lock`.
    Lock,
    /// A directory of generated files.
    Directory,
    /// A Terraform file or module.
    Terraform,
    /// A CloudFormation template.
    Cloudformation,
    /// CQL statements.
    Cql,
    /// What `aws dynamodb describe-table` prints.
    DescribeTable,
    /// Several models or environments; `sources` lists them.
    Workspace,
}

/// One model in one environment of a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Source {
    /// The model.
    pub model: String,
    /// The environment, when there are any.
    pub environment: Option<String>,
    /// Where its previous generation comes from.
    pub previous: Origin,
    /// Where its next one comes from.
    pub next: Origin,
}

/// Models of which neither an input nor the output changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOut {
    /// The git ref since which nothing of them changed.
    pub since: String,
    /// Their files.
    #[schemars(with = "Vec<String>")]
    pub models: Vec<Utf8PathBuf>,
}

/// A changed table, with the worst of its changes on each backend, and what all of them lose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableEffects {
    /// The model.
    pub model: String,
    /// The environment, when there are any.
    pub environment: Option<String>,
    /// The table.
    pub address: Address,
    /// The worst effect on each backend that sees a change, with what all changes lose there.
    pub effects: Effects,
}

/// One deployment of several that a change takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stage {
    /// Its number, from 1.
    pub deploy: u32,
    /// The ids of the changes it carries out.
    pub changes: Vec<String>,
    /// What to wait for before the next one.
    pub wait_for: Option<String>,
    /// The file that holds it.
    #[schemars(with = "String")]
    pub file: Utf8PathBuf,
}

/// A file that would be written or deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileChange {
    /// Its path below the root of the repository.
    #[schemars(with = "String")]
    pub path: Utf8PathBuf,
    /// What happens to it.
    pub action: FileAction,
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileAction {
    /// It is new.
    Add,
    /// It is rewritten.
    Change,
    /// It is deleted.
    Delete,
}

/// Tables and keyspaces, each counted once, by the worst that happens to it on any backend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    /// New ones.
    pub add: usize,
    /// Ones that are changed where they are.
    pub update: usize,
    /// Ones that are, or would be, made anew.
    pub recreate: usize,
    /// Ones that are dropped.
    pub drop: usize,
    /// Ones that leave the model and are kept.
    pub kept: usize,
    /// Changes that block and are not acknowledged.
    pub blocked: usize,
}

/// Changes by the table or keyspace that holds them, in one environment of one model.
type ByHolder<'c> = BTreeMap<(&'c str, Option<&'c str>, Address), Vec<&'c Change>>;

fn by_holder<'c>(changes: impl IntoIterator<Item = &'c Change>) -> ByHolder<'c> {
    let mut groups = ByHolder::new();
    for change in changes {
        let holder = (change.model.as_str(), change.environment.as_deref(), change.address.table());
        groups.entry(holder).or_default().push(change);
    }
    groups
}

/// One list behind the other. There may be thousands, and nearly always in one list, which is not copied then.
pub(crate) fn joined<T>(mut first: Vec<T>, mut rest: Vec<T>) -> Vec<T> {
    if first.is_empty() {
        return rest;
    }
    first.append(&mut rest);
    first
}

impl Plan {
    /// Takes changes in.
    pub fn add(&mut self, changes: Vec<Change>) {
        self.changes = joined(std::mem::take(&mut self.changes), changes);
        self.count();
    }

    /// Calls backends by the names that were asked for, of later versions: what is known of the earlier ones is derived for these.
    pub fn call(&mut self, asked: BTreeMap<Backend, String>) {
        for (backend, effect) in self.changes.iter_mut().flat_map(|change| &mut change.effects) {
            if asked.contains_key(backend) && effect.confidence == Confidence::Confirmed {
                Arc::make_mut(effect).confidence = Confidence::Derived;
            }
        }
        self.asked = asked;
    }

    /// What a backend is called.
    #[must_use]
    pub fn name_of(&self, backend: Backend) -> &str {
        self.asked.get(&backend).map_or(backend.name(), String::as_str)
    }

    /// Whether something dangerous would go through unmeant.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.changes.iter().any(is_blocked)
    }

    /// Finds the tables and the summary from the changes.
    fn count(&mut self) {
        let groups = by_holder(&self.changes);
        let summary = Summary::of_groups(&groups);
        let mut tables = Vec::new();
        for ((model, environment, address), changes) in groups {
            if matches!(address, Address::DynamodbTable(_) | Address::CqlTable(..)) {
                let (model, environment) = (model.to_owned(), environment.map(str::to_owned));
                tables.push(TableEffects { model, environment, address, effects: worst(&changes) });
            }
        }
        (self.summary, self.tables) = (summary, tables);
    }
}

impl Summary {
    /// Counts the tables and keyspaces of some changes.
    #[must_use]
    pub fn of<'c>(changes: impl IntoIterator<Item = &'c Change>) -> Self {
        Self::of_groups(&by_holder(changes))
    }

    fn of_groups(groups: &ByHolder<'_>) -> Self {
        let mut summary = Self::default();
        for ((_, _, address), changes) in groups {
            summary.blocked += changes.iter().filter(|change| is_blocked(change)).count();
            if matches!(address, Address::DynamodbTable(_) | Address::CqlTable(..) | Address::Keyspace(_)) {
                summary.take(changes);
            }
        }
        summary
    }

    /// Counts one table or keyspace by the worst that happens to it on any backend.
    fn take(&mut self, changes: &[&Change]) {
        let backends: BTreeSet<Backend> = changes.iter().flat_map(|change| change.effects.keys().copied()).collect();
        let count = match backends.into_iter().map(|backend| fate(changes, backend)).max() {
            Some(Fate::Recreated) => &mut self.recreate,
            Some(Fate::Dropped) => &mut self.drop,
            Some(Fate::Updated) => &mut self.update,
            Some(Fate::Added) => &mut self.add,
            Some(Fate::Kept) => &mut self.kept,
            Some(Fate::Untouched) | None => return,
        };
        *count += 1;
    }
}

/// What happens to a table or keyspace on one backend; the worst last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Untouched,
    Kept,
    Added,
    Updated,
    Dropped,
    Recreated,
}

fn fate(changes: &[&Change], backend: Backend) -> Fate {
    let here = || changes.iter().filter_map(|change| Some((change, change.effects.get(&backend)?)));
    let whole = |action: Action| {
        here().any(|(change, _)| change.path.is_none() && change.action == action && change.address == change.address.table())
    };
    let nothing = |effect: &Effect| {
        effect.needs == super::Needs::Nothing && !effect.blocks() && effect.deploying != super::Deploying::Unknown
    };
    if here().any(|(_, effect)| effect.recreates()) {
        Fate::Recreated
    } else if whole(Action::Drop) {
        let kept = here().all(|(_, effect)| effect.keeps_table() || nothing(effect));
        if kept { Fate::Kept } else { Fate::Dropped }
    } else if whole(Action::Add) {
        Fate::Added
    } else if here().all(|(_, effect)| nothing(effect)) {
        Fate::Untouched
    } else {
        Fate::Updated
    }
}

fn is_blocked(change: &Change) -> bool {
    change.acknowledged.is_none() && change.blocks()
}

/// The worst effect on each backend, with what all of the changes lose.
fn worst(changes: &[&Change]) -> Effects {
    let mut effects: BTreeMap<Backend, Vec<&Arc<Effect>>> = BTreeMap::new();
    for (backend, effect) in changes.iter().flat_map(|change| &change.effects) {
        effects.entry(*backend).or_default().push(effect);
    }
    effects.into_iter().filter_map(|(backend, effects)| Some((backend, Effect::together(effects)?))).collect()
}
