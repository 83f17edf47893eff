//! The files of a migration and what stands in each.
//!
//! A migration that destroys nothing is one file. Its statements come by phases, over all tables: what is in the way goes first,
//! types come before what uses them, tables before their indexes and views. What destroys rows or values follows, a file for each
//! table, so that a person decides on each when to run it; types that only it sets free go with the last of them.

use super::holders::Holders;
use super::{keyspace, name, option};
use crate::diagnostic::{Diagnostic, codes};
use crate::diff::{self, Action, Change, Context, Deploying, Needs, Pair, Side, on_tablets};
use crate::emit::Project;
use crate::emit::cql::migration::{Statement, Step};
use crate::emit::cql::{in_order, qualified};
use crate::schema::cql::{Keyspace, Schema, Table, carried_in_order, identifier, type_identifier};
use crate::schema::{Address, Backend, Engine};
use std::collections::{BTreeMap, BTreeSet};

/// How steps begin that are for keyspaces of the one kind, and of the other.
const TABLETS: (&str, &str) = ("tablets: ", "vnodes: ");
const VNODES: (&str, &str) = ("vnodes: ", "tablets: ");

/// A file before it has its number.
pub(super) struct Draft<'a> {
    pub(super) name: String,
    pub(super) destructive: bool,
    pub(super) about: Vec<String>,
    pub(super) steps: Vec<Step<'a>>,
    /// The ids of the changes that must be meant.
    pub(super) destroys: Vec<String>,
}

/// All files, in the order in which they are run.
pub(super) struct Scripts<'a> {
    pub(super) drafts: Vec<Draft<'a>>,
    /// Tables that are made anew: keyspace and key in next.
    pub(super) recreated: Vec<(String, String)>,
    /// All changes.
    pub(super) changes: Vec<Change>,
}

/// The order of statements in an ordinary migration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    Keyspaces,
    /// Views and indexes that are gone or in the way.
    Removals,
    Types,
    /// New tables with all that is on them.
    Tables,
    Alterations,
    /// Indexes and views on tables that were there.
    Builds,
    /// Indexes that another one has taken over from.
    Replaced,
    /// Types that nothing uses any more.
    Unused,
}

/// What a destructive file is about.
pub(super) struct Destruction<'a> {
    pub(super) name: String,
    pub(super) steps: Vec<Step<'a>>,
    /// The places of its changes among all.
    pub(super) changes: BTreeSet<usize>,
}

/// The work on one pair of schemas.
pub(super) struct Work<'a> {
    pub(super) engine: Engine,
    pub(super) backend: Backend,
    pub(super) written: Pair<&'a Schema>,
    /// Both sides in the engine's normal form: what is compared.
    pub(super) normal: Pair<Schema>,
    pub(super) changes: Vec<Change>,
    /// The places of the changes of each table, keyspace and type, by its name.
    of: BTreeMap<String, Vec<usize>>,
    ordinary: BTreeMap<Phase, Vec<Step<'a>>>,
    /// Run before the ordinary statements.
    pub(super) before: Vec<Destruction<'a>>,
    /// What comes anew with a type: run behind what makes way for it.
    pub(super) anew: Option<Destruction<'a>>,
    /// Run behind them.
    pub(super) behind: Vec<Destruction<'a>>,
    pub(super) recreated: Vec<(String, String)>,
    /// Views and indexes that are dropped before anything else, to free their names.
    pub(super) gone_early: BTreeSet<&'a str>,
    problems: Vec<Diagnostic>,
}

/// Finds the files of a migration. `Err`: the engine has no statement for a change.
pub(super) fn scripts<'a>(project: &Project, engine: Engine, pair: Pair<&'a Schema>) -> Result<Scripts<'a>, Vec<Diagnostic>> {
    let backend = Backend::Cql(engine);
    let (model, environment) = (project.name.clone(), project.environment.clone());
    let context = Context { model, environment, addresses: Side::Next, ..Context::default() };
    let changes = diff::of_keyspaces(&context, backend, pair);
    let mut of: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, change) in changes.iter().enumerate() {
        of.entry(change.address.table().name().to_owned()).or_default().push(at);
    }
    let mut work = Work {
        engine,
        backend,
        written: pair,
        normal: Pair { previous: pair.previous.normalise(engine), next: pair.next.normalise(engine) },
        changes,
        of,
        ordinary: BTreeMap::new(),
        before: Vec::new(),
        anew: None,
        behind: Vec::new(),
        recreated: Vec::new(),
        gone_early: BTreeSet::new(),
        problems: Vec::new(),
    };
    work.refuse();
    work.statements_of_no_keyspace();
    let names: BTreeSet<&'a str> = pair.previous.keyspaces.keys().chain(pair.next.keyspaces.keys()).map(String::as_str).collect();
    for name in names {
        work.keyspace(name);
    }
    work.done(&project.name)
}

impl<'a> Work<'a> {
    pub(super) fn add(&mut self, phase: Phase, step: Step<'a>) {
        self.ordinary.entry(phase).or_default().push(step);
    }

    pub(super) fn problem(&mut self, address: impl std::fmt::Display, what: &str, why: &str) {
        let message = format!("{} cannot bring `{address}`{what} forward: {why}", self.engine);
        self.problems.push(Diagnostic::nowhere(codes::MIGRATION_NOT_POSSIBLE, message).at(address));
    }

    /// Options that have no value to be set back to.
    pub(super) fn cannot_set_back(&mut self, address: impl std::fmt::Display, options: &[String]) {
        for option in options {
            self.problem(&address, &format!(" options.{option}"), option::advice(self.engine, option));
        }
    }

    /// The places of the changes that a test holds for.
    pub(super) fn which(&self, holds: impl Fn(&Change) -> bool) -> BTreeSet<usize> {
        self.changes.iter().enumerate().filter(|(_, change)| holds(change)).map(|(at, _)| at).collect()
    }

    /// The places of the changes of a table that a test holds for. A table has one key on each side.
    pub(super) fn which_of(&self, keys: Pair<&str>, holds: impl Fn(&Change) -> bool) -> BTreeSet<usize> {
        let places = [keys.previous, keys.next].into_iter().filter_map(|key| self.of.get(key)).flatten().copied();
        places.filter(|at| self.changes.get(*at).is_some_and(&holds)).collect()
    }

    /// Whether something of it has to be made anew to change.
    pub(super) fn recreates(&self, change: &Change) -> bool {
        change.effects.get(&self.backend).is_some_and(|effect| effect.only_anew())
    }

    /// A step with what its changes are for and what they ask for behind it. What is created says by itself what it serves.
    pub(super) fn step(&self, statement: Statement<'a>, changes: &BTreeSet<usize>) -> Step<'a> {
        let changes = || changes.iter().filter_map(|at| self.changes.get(*at));
        let mut comments = Vec::new();
        if matches!(statement, Statement::Text(_)) {
            let patterns: BTreeSet<&str> = changes().flat_map(Change::patterns).map(String::as_str).collect();
            if !patterns.is_empty() {
                comments.push(format!("Serves: {}", patterns.into_iter().collect::<Vec<_>>().join(", ")));
            }
        }
        let mut then: Vec<String> = Vec::new();
        for effect in changes().filter_map(|change| change.effects.get(&self.backend)) {
            if matches!(effect.needs, Needs::FollowUp | Needs::IndexBuild | Needs::IndexRebuild | Needs::Stages) {
                then.extend(effect.steps.iter().filter(|step| !then.contains(step)).cloned().collect::<Vec<_>>());
            }
        }
        Step { comments, statement, then }
    }

    /// A statement that carries out no change by itself.
    pub(super) fn text(text: String) -> Step<'a> {
        Self::bare(Statement::Text(text))
    }

    pub(super) fn bare(statement: Statement<'a>) -> Step<'a> {
        Step { comments: Vec::new(), statement, then: Vec::new() }
    }

    /// Roles and grants, which are carried along as text.
    fn statements_of_no_keyspace(&mut self) {
        let (previous, next) = (&self.written.previous.extra, &self.written.next.extra);
        self.carried(previous, next);
    }

    /// What is carried along can be made, and nothing else: what it is, is not known.
    fn carried(&mut self, previous: &BTreeMap<String, String>, next: &BTreeMap<String, String>) {
        for (subject, text) in carried_in_order(next) {
            match previous.get(subject) {
                None => self.add(Phase::Types, Self::text(text.clone())),
                Some(known) if known != text => {
                    self.problem(subject, "", "gen carries it along and does not change it; do that in a migration of your own");
                }
                Some(_) => {}
            }
        }
        for subject in previous.keys().filter(|subject| !next.contains_key(*subject)) {
            self.problem(subject, "", "gen carries it along and does not drop it; do that in a migration of your own");
        }
    }

    fn keyspace(&mut self, name: &'a str) {
        let sides = (self.written.previous.keyspaces.get(name), self.written.next.keyspaces.get(name));
        match sides {
            (None, Some(next)) => self.create_keyspace(name, next),
            (Some(previous), None) => self.drop_keyspace(name, previous),
            (Some(previous), Some(next)) => {
                let is_this = |change: &Change| change.address == Address::Keyspace(name.to_owned());
                if self.changes.iter().any(|change| is_this(change) && self.recreates(change) && change.action != Action::Rename)
                {
                    let mut steps = vec![drop_keyspace(name)];
                    steps.extend(self.whole_keyspace(name, next));
                    let changes = self.which(|change| is_this(change) || is_in(change, name));
                    self.behind.push(Destruction { name: name::slug(&["recreate", name]), steps, changes });
                } else {
                    self.alter_keyspace(name, Pair { previous, next });
                }
            }
            (None, None) => {}
        }
    }

    /// Whether a change takes the rows from all data centres that have them, which the engine does at once.
    fn moves(&self, change: &Change) -> bool {
        let effect = change.effects.get(&self.backend);
        effect.is_some_and(|effect| effect.rule == Some("ks-dc-move") && effect.deploying == Deploying::Applies)
    }

    fn create_keyspace(&mut self, name: &'a str, next: &'a Keyspace) {
        for step in self.whole_keyspace(name, next) {
            let phase = match step.statement {
                Statement::Keyspace(..) => Phase::Keyspaces,
                Statement::Type(..) | Statement::Text(_) => Phase::Types,
                _ => Phase::Tables,
            };
            self.add(phase, step);
        }
    }

    /// Everything of a keyspace.
    fn whole_keyspace(&self, name: &'a str, keyspace: &'a Keyspace) -> Vec<Step<'a>> {
        let mut steps = Vec::new();
        if !keyspace.replication.is_empty() {
            steps.push(Self::bare(Statement::Keyspace(name, keyspace)));
        }
        let types = in_order(&keyspace.types).map(|(user, of)| Self::bare(Statement::Type(name, user, of)));
        steps.extend(types);
        steps.extend(keyspace.extra.values().map(|text| Self::text(text.clone())));
        for (key, table) in &keyspace.tables {
            steps.extend(self.whole_table(name, key, table));
        }
        steps
    }

    /// A table with its indexes and views.
    pub(super) fn whole_table(&self, keyspace: &'a str, key: &str, table: &'a Table) -> Vec<Step<'a>> {
        let of = |change: &Change, item: &str| {
            name::is_of_table(change, keyspace, [Some(key), None]) && change.address.name() == item && change.path.is_none()
        };
        let changes = |item: &str| self.which_of(Pair { previous: key, next: key }, |change| of(change, item));
        let mut steps = vec![Self::bare(Statement::Table(keyspace, table))];
        for (name, index) in &table.indexes {
            steps.push(self.step(Statement::Index(keyspace, table, name, index), &changes(name)));
        }
        for (name, view) in &table.views {
            steps.push(self.step(Statement::View(keyspace, table, name, view), &changes(name)));
        }
        steps
    }

    fn drop_keyspace(&mut self, name: &'a str, previous: &'a Keyspace) {
        let own = Address::Keyspace(name.to_owned());
        let changes = self.which(|change| change.address == own || is_in(change, name) || name::is_renamed_from(change, name));
        let steps = if previous.replication.is_empty() {
            // It is only used here: what is in it goes, it stays.
            let tables = previous.tables.values().flat_map(|table| Self::drop_table(name, table, &BTreeSet::new()));
            tables.chain(in_order(&previous.types).rev().map(|(user, _)| drop_type(name, user))).collect()
        } else {
            vec![drop_keyspace(name)]
        };
        if !steps.is_empty() {
            self.behind.push(Destruction { name: name::slug(&["drop", name]), steps, changes });
        }
    }

    fn alter_keyspace(&mut self, name: &'a str, pair: Pair<&'a Keyspace>) {
        self.carried(&pair.previous.extra, &pair.next.extra);
        let created = !pair.previous.replication.is_empty() && !pair.next.replication.is_empty();
        let normal = (self.normal.previous.keyspaces.get(name), self.normal.next.keyspaces.get(name));
        if let (Some(previous), Some(next), true) = (normal.0, normal.1, created) {
            let own = Address::Keyspace(name.to_owned());
            let moved = self.which(|change| change.address == own && self.moves(change));
            let mut filled = (!moved.is_empty()).then(|| keyspace::filled(previous));
            let between = if moved.is_empty() { None } else { Some(keyspace::between(previous, next)) };
            if let Some(Ok(statements)) = between.as_ref().map(|between| keyspace::alter(self.engine, name, between, next)) {
                let steps = statements.into_iter().map(keyspace::left).collect();
                self.behind.push(Destruction { name: name::slug(&["leave", name, "data-centres"]), steps, changes: moved });
            }
            match keyspace::alter(self.engine, name, previous, between.as_ref().unwrap_or(next)) {
                Ok(statements) => {
                    let last = statements.len().saturating_sub(1);
                    for (at, statement) in statements.into_iter().enumerate() {
                        let carried = self.which(|change| at == last && change.address == own && !self.moves(change));
                        let mut step = self.step(Statement::Text(statement), &carried);
                        let (on, off) = if on_tablets(self.engine, pair.previous) { TABLETS } else { VNODES };
                        step.then.retain(|line| !line.starts_with(off));
                        step.then.iter_mut().for_each(|line| *line = line.trim_start_matches(on).to_owned());
                        step.then.extend(if at == last { filled.take() } else { None });
                        self.add(Phase::Keyspaces, step);
                    }
                }
                Err(options) => self.cannot_set_back(Address::Keyspace(name.to_owned()), &options),
            }
        }
        let named = Pair { previous: Holders::of(pair.previous), next: Holders::of(pair.next) };
        let anew = self.types(name, pair, &named);
        self.tables(name, pair, &named, &anew);
        self.before.extend(self.anew.take());
        self.unused_types(name, pair, &named, &anew);
    }

    /// The statements that drop a table: its views first, but for those that are gone already. Its indexes go with it.
    pub(super) fn drop_table(keyspace: &str, table: &Table, gone: &BTreeSet<&str>) -> Vec<Step<'a>> {
        let views = table.views.keys().filter(|view| !gone.contains(view.as_str()));
        let views = views.map(|view| Self::text(format!("DROP MATERIALIZED VIEW {}", qualified(keyspace, &identifier(view)))));
        let own = Self::text(format!("DROP TABLE {}", qualified(keyspace, &identifier(&table.name))));
        let own = Step { comments: vec!["All its rows are lost.".to_owned()], ..own };
        views.chain(std::iter::once(own)).collect()
    }

    /// Puts the files together.
    fn done(self, model: &str) -> Result<Scripts<'a>, Vec<Diagnostic>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        let backend = self.backend;
        let changes = &self.changes;
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        let mut destructive = |found: Destruction<'a>| {
            let own: Vec<&Change> = found.changes.iter().filter_map(|at| changes.get(*at)).collect();
            // What had a name is destroyed here; what has the next one is made by the ordinary migration.
            let is_shared = |at: &usize| changes.get(*at).is_some_and(name::is_renamed);
            taken.extend(found.changes.iter().filter(|at| !is_shared(at)));
            Draft {
                name: found.name,
                destructive: true,
                about: own.iter().map(|change| name::line(change)).collect(),
                steps: found.steps,
                destroys: own.iter().filter(|change| change.blocks()).map(|change| change.id().to_owned()).collect(),
            }
        };
        let before: Vec<Draft<'a>> = self.before.into_iter().map(&mut destructive).collect();
        let behind: Vec<Draft<'a>> = self.behind.into_iter().map(&mut destructive).collect();
        let does = |change: &Change| change.effects.get(&backend).is_some_and(|effect| effect.needs != Needs::Nothing);
        let rest = changes.iter().enumerate().filter(|(at, change)| does(change) && !taken.contains(at));
        let rest: Vec<&Change> = rest.map(|(_, change)| change).collect();
        let steps: Vec<Step<'a>> = self.ordinary.into_values().flatten().collect();
        let ordinary = (!steps.is_empty()).then(|| Draft {
            name: match name::of_worst(backend, &rest) {
                Some(name) if !self.written.previous.keyspaces.is_empty() => name,
                None if !self.written.previous.keyspaces.is_empty() => name::slug(&["prepare", model]),
                _ => name::slug(&["create", model]),
            },
            destructive: false,
            about: rest.iter().map(|change| name::line(change)).collect(),
            steps,
            destroys: Vec::new(),
        });
        let drafts = before.into_iter().chain(ordinary).chain(behind).collect();
        Ok(Scripts { drafts, recreated: self.recreated, changes: self.changes })
    }
}

/// Whether a change is one of something in a keyspace.
fn is_in(change: &Change, keyspace: &str) -> bool {
    match change.address.table() {
        Address::CqlTable(of, _) => of.is_none_or(|of| of == keyspace),
        _ => false,
    }
}

fn drop_keyspace<'a>(name: &str) -> Step<'a> {
    let step = Work::text(format!("DROP KEYSPACE {}", identifier(name)));
    Step { comments: vec!["All that is in it is lost.".to_owned()], ..step }
}

pub(super) fn drop_type<'a>(keyspace: &str, user: &str) -> Step<'a> {
    Work::text(format!("DROP TYPE {}", qualified(keyspace, &type_identifier(user))))
}
