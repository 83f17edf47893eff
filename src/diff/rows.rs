//! The table of effects: every kind of change that is known, what it means on each backend, and the source. The rows are
//! data, `rows/dynamodb.json` and `rows/cql.json`; they are read when the first effect is asked for.

mod case;
mod explain;
#[cfg(test)]
mod refused;
mod released;

pub(super) use case::Case;
pub use explain::{explain, rules};

use super::{Confidence, Deploying, Effect, Loss, Needs, When};
use crate::schema::{Backend, Releases, Store};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// All rows of one store, in the order of the file.
#[derive(Debug, Deserialize)]
struct Table {
    rows: Vec<Row>,
    #[serde(skip)]
    index: BTreeMap<String, usize>,
}

/// One kind of change.
#[derive(Debug, Deserialize)]
struct Row {
    id: String,
    change: String,
    backends: BTreeMap<String, Entry>,
    /// Backends on which the situation does not exist.
    #[serde(default)]
    cannot_arise: Vec<String>,
    doubt: Option<String>,
    #[serde(default)]
    evidence: Vec<String>,
}

/// What a change means on one backend.
#[derive(Debug, Deserialize)]
struct Entry {
    needs: Needs,
    deploying: Deploying,
    when: Option<When>,
    loses: Vec<Loss>,
    reason: String,
    confidence: Confidence,
    #[serde(default)]
    steps: Vec<String>,
    statement: Option<String>,
    #[serde(default)]
    variants: Vec<Variant>,
    #[serde(default)]
    versions: Vec<Variant>,
}

/// What differs from the entry under a condition or in a range of releases; what it leaves out is as in the entry.
#[derive(Debug, Deserialize)]
struct Variant {
    #[serde(rename = "if")]
    condition: Option<String>,
    case: Option<Case>,
    range: Option<String>,
    /// A release before which it holds in any case, where the range has no release at its end.
    surely_before: Option<String>,
    needs: Needs,
    deploying: Deploying,
    when: Option<When>,
    loses: Vec<Loss>,
    reason: Option<String>,
    confidence: Option<Confidence>,
    steps: Option<Vec<String>>,
}

/// Which row a change falls under. The first of the rules whose situation exists on the backend is taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pick {
    rules: Vec<&'static str>,
    cases: Vec<Case>,
    /// What of the definition a condition is about, as a sentence.
    about: Option<String>,
    /// Why no row knows the change.
    unknown: Option<&'static str>,
    /// What else the change does.
    also: Vec<Pick>,
    /// The releases of the tool that it may be, where that is known.
    releases: Option<Releases>,
}

impl Pick {
    /// One row.
    pub(super) fn rule(rule: &'static str) -> Self {
        Self { rules: vec![rule], ..Self::default() }
    }

    /// No row knows the change.
    pub(super) fn unknown() -> Self {
        Self::default()
    }

    /// No row knows the change, for a reason.
    pub(super) fn unknown_because(reason: &'static str) -> Self {
        Self { unknown: Some(reason), ..Self::default() }
    }

    /// Another row, for a backend on which the first situation cannot arise.
    pub(super) fn or(mut self, rule: &'static str) -> Self {
        self.rules.push(rule);
        self
    }

    /// A condition that holds or not.
    pub(super) fn case(mut self, case: Case, holds: bool) -> Self {
        self.cases.extend(holds.then_some(case));
        self.also = self.also.into_iter().map(|also| also.case(case, holds)).collect();
        self
    }

    /// The releases that it may be: what a row says of some of them counts.
    pub(super) fn of_releases(mut self, releases: Option<Releases>) -> Self {
        self.also = self.also.into_iter().map(|also| also.of_releases(releases)).collect();
        Self { releases, ..self }
    }

    /// All of several rows: a change that does several things.
    pub(super) fn all(picks: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut picks = picks.into_iter();
        let first = picks.next()?;
        Some(Self { also: picks.collect(), ..first })
    }

    /// What of the definition the conditions are about, as a sentence: it goes before the reason of a variant.
    pub(super) fn about(self, about: Option<String>) -> Self {
        Self { about, ..self }
    }

    /// The effect on a backend. `fill` gives the text for a placeholder of the statement.
    pub(super) fn effect(&self, backend: Backend, fill: impl Fn(&str) -> Option<String>) -> Effect {
        let first = self.first(backend, &fill);
        if self.also.is_empty() {
            return first;
        }
        let others = self.also.iter().map(|also| also.first(backend, &fill));
        let all: Vec<Arc<Effect>> = std::iter::once(first).chain(others).map(Arc::new).collect();
        Effect::joined(&all).unwrap_or_else(|| Effect::unknown(""))
    }

    /// The effect without what else the change does.
    fn first(&self, backend: Backend, fill: &impl Fn(&str) -> Option<String>) -> Effect {
        let mut impossible = None;
        for rule in &self.rules {
            let Some(row) = table(backend.store()).find(rule) else { continue };
            match row.entry(backend) {
                Known::Entry(entry, own) => return self.read(row, entry, own, fill),
                Known::CannotArise => impossible = impossible.or(Some(row)),
                Known::Nothing => {}
            }
        }
        match impossible {
            Some(row) => unsupported(row, backend),
            None => Effect::unknown(self.unknown.map_or_else(
                || {
                    format!("Not known: no source says what {backend} does with this. Have a person look before it is deployed.")
                        .into()
                },
                Cow::Borrowed,
            )),
        }
    }

    fn read(&self, row: &'static Row, entry: &'static Entry, own: bool, fill: &impl Fn(&str) -> Option<String>) -> Effect {
        let (all, some) = entry.in_releases(self.releases);
        let of_case = || entry.variants.iter().find(|variant| variant.case.is_some_and(|case| self.cases.contains(&case)));
        let variant = all.or_else(of_case);
        let confidence = variant.and_then(|variant| variant.confidence).unwrap_or(entry.confidence);
        // What was read for another version is at best derived for this one.
        let confidence = if own && some.is_none() { confidence } else { confidence.max(Confidence::Derived) };
        let steps = variant.and_then(|variant| variant.steps.as_ref()).unwrap_or(&entry.steps).as_slice();
        let deploying = variant.map_or(entry.deploying, |variant| variant.deploying);
        let reason = variant.and_then(|variant| variant.reason.as_ref()).unwrap_or(&entry.reason).as_str();
        let mut loses = variant.map_or(&entry.loses, |variant| &variant.loses).clone();
        loses.sort_unstable();
        Effect {
            needs: variant.map_or(entry.needs, |variant| variant.needs),
            deploying,
            when: variant.map_or(entry.when, |variant| variant.when),
            loses,
            unguarded: None,
            guard: None,
            rule: Some(&row.id),
            reason: match (&self.about, all, some) {
                (Some(about), ..) if variant.is_some() => format!("{about} {reason}").into(),
                (_, Some(Variant { range: Some(range), .. }), _) => {
                    format!("With a release {range}, as the constraint asks for: {reason}").into()
                }
                (.., Some(Variant { range: Some(range), reason: Some(other), .. })) => {
                    format!("{reason} With a release {range}, which the constraint allows too: {other}").into()
                }
                _ => reason.into(),
            },
            steps: if steps.iter().any(|step| step.contains('{')) {
                steps.iter().map(|step| filled(step, fill)).collect()
            } else {
                steps.into()
            },
            // A statement that has to leave something open is an outline: it is for reading the row, not for running.
            // Nor is one that is refused as it stands.
            statement: entry
                .statement
                .as_ref()
                .filter(|_| deploying != Deploying::Refuses)
                .filter(|statement| !statement.contains("..."))
                .map(|statement| filled(statement, fill))
                .filter(|statement| !statement.contains("...") && !is_open(statement)),
            evidence: row.evidence.as_slice().into(),
            confidence,
            doubt: row.doubt.as_deref().filter(|_| confidence != Confidence::Confirmed),
        }
    }
}

/// The effect on a backend that has no such feature at all.
fn unsupported(row: &'static Row, backend: Backend) -> Effect {
    let refuses = matches!(backend, Backend::Cql(_));
    Effect {
        needs: Needs::Unsupported,
        deploying: if refuses { Deploying::Refuses } else { Deploying::Nothing },
        when: refuses.then_some(When::Apply),
        rule: Some(&row.id),
        evidence: row.evidence.as_slice().into(),
        confidence: Confidence::Derived,
        ..Effect::unknown(format!("{backend} has no such feature ({}).", row.change))
    }
}

/// Puts the texts of `fill` in place of `{name}`; one that is empty takes the `.` behind it along.
fn filled(text: &str, fill: impl Fn(&str) -> Option<String>) -> String {
    let mut result = String::with_capacity(2 * text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        result.push_str(before);
        let found = after.split_once('}').and_then(|(name, next)| Some((fill(name)?, next)));
        if let Some((value, next)) = found {
            result.push_str(&value);
            rest = if value.is_empty() { next.strip_prefix('.').unwrap_or(next) } else { next };
        } else {
            result.push('{');
            rest = after;
        }
    }
    result + rest
}

/// Whether a placeholder is left in a statement; braces of CQL itself hold quotes and spaces.
fn is_open(statement: &str) -> bool {
    statement
        .split('{')
        .skip(1)
        .filter_map(|after| after.split_once('}'))
        .any(|(name, _)| !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_'))
}

/// What a row says about a backend.
enum Known<'a> {
    /// The entry, and whether it is the backend's own and not an earlier version's.
    Entry(&'a Entry, bool),
    CannotArise,
    Nothing,
}

impl Row {
    fn entry(&self, backend: Backend) -> Known<'_> {
        let mut at = Some(backend);
        while let Some(version) = at {
            if let Some(entry) = self.backends.get(version.name()) {
                return Known::Entry(entry, version == backend);
            }
            if self.cannot_arise.iter().any(|name| name == version.name()) {
                return Known::CannotArise;
            }
            at = version.earlier();
        }
        Known::Nothing
    }
}

impl Table {
    fn find(&self, rule: &str) -> Option<&Row> {
        self.rows.get(*self.index.get(rule)?)
    }
}

/// The rows of a store. A test reads both files, so that they are never empty in a build that passed.
fn table(store: Store) -> &'static Table {
    static DYNAMODB: OnceLock<Table> = OnceLock::new();
    static CQL: OnceLock<Table> = OnceLock::new();
    match store {
        Store::Dynamodb => DYNAMODB.get_or_init(|| read(include_str!("rows/dynamodb.json")).unwrap_or_else(|_| empty())),
        Store::Cql => CQL.get_or_init(|| read(include_str!("rows/cql.json")).unwrap_or_else(|_| empty())),
    }
}

fn read(text: &str) -> serde_json::Result<Table> {
    let mut table: Table = serde_json::from_str(text)?;
    table.index = table.rows.iter().enumerate().map(|(at, row)| (row.id.clone(), at)).collect();
    Ok(table)
}

fn empty() -> Table {
    Table { rows: Vec::new(), index: BTreeMap::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Engine;

    fn nothing(_: &str) -> Option<String> {
        None
    }

    #[test]
    fn both_files_are_read_and_every_row_speaks_of_every_backend() {
        for store in [Store::Dynamodb, Store::Cql] {
            let text = if store == Store::Dynamodb { include_str!("rows/dynamodb.json") } else { include_str!("rows/cql.json") };
            let read = read(text).unwrap();
            assert!(read.rows.len() > 100);
            assert_eq!(read.rows.len(), read.index.len(), "an id twice");
            for row in &read.rows {
                assert!(!row.evidence.is_empty(), "{} has no source", row.id);
                for backend in Backend::ALL.into_iter().filter(|backend| backend.store() == store) {
                    assert!(!matches!(row.entry(backend), Known::Nothing), "{} says nothing of {backend}", row.id);
                }
                for (name, entry) in &row.backends {
                    assert!(Backend::find(name).is_some(), "{name}");
                    assert_eq!(entry.when.is_some(), entry.deploying == Deploying::Refuses, "{} {name}", row.id);
                }
            }
        }
    }

    #[test]
    fn a_later_version_takes_the_rows_of_the_one_before_as_derived() {
        let pick = Pick::rule("type-ascii-text");
        assert_eq!(pick.effect(Backend::Cql(Engine::Scylla20251), nothing).confidence, Confidence::Confirmed);
        let later = pick.effect(Backend::Cql(Engine::Scylla20261), nothing);
        assert_eq!((later.deploying, later.confidence), (Deploying::Applies, Confidence::Derived));
    }

    #[test]
    fn a_variant_replaces_what_it_names() {
        let pick = Pick::rule("hash-key-change");
        let named = pick.effect(Backend::CloudformationTable, nothing);
        let generated = pick.case(Case::ReplaceableName, true).effect(Backend::CloudformationTable, nothing);
        assert_eq!((named.deploying, named.when), (Deploying::Refuses, Some(When::Apply)));
        assert_eq!((generated.deploying, generated.when, generated.loses), (Deploying::Replaces, None, vec![Loss::Items]));
        assert_eq!(named.reason, generated.reason);
    }

    #[test]
    fn what_cannot_arise_falls_back_or_is_unsupported() {
        let keyspaces = Backend::Cql(Engine::Keyspaces);
        let fallen = Pick::rule("col-readd-other").or("col-add").effect(keyspaces, nothing);
        assert_eq!((fallen.rule, fallen.deploying), (Some("col-add"), Deploying::Applies));
        let alone = Pick::rule("idx-change").effect(keyspaces, nothing);
        assert_eq!((alone.needs, alone.deploying), (Needs::Unsupported, Deploying::Refuses));
        let unheard = Pick::unknown().effect(keyspaces, nothing);
        assert_eq!((unheard.needs, unheard.deploying, unheard.rule), (Needs::Unknown, Deploying::Unknown, None));
    }

    #[test]
    fn statements_are_filled_and_keep_their_own_braces() {
        let fill = |name: &str| match name {
            "t" => Some("\"my table\"".to_owned()),
            _ => None,
        };
        assert_eq!(filled("ALTER {t} WITH a = {'class': {x}} {", fill), "ALTER \"my table\" WITH a = {'class': {x}} {");
    }
}
