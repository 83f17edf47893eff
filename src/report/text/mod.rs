//! A plan as text: the worst first, one line a table; then how to go on; then why, for each change that blocks or warns.

mod cut;
mod detail;
mod files;
mod outcome;

use super::Palette;
use crate::diff::{Change, Effects, Plan, Rank, Summary};
use crate::schema::{Address, Backend};
use crate::source::SourceMap;
use outcome::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How the reader may go on with a blocked plan; commands differ in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<'a> {
    /// `gen ack …` unblocks; what it has to be told so that it sees the same changes.
    Acknowledge(&'a str),
    /// There is nothing to acknowledge: the two sides are files.
    Nothing,
}

/// Changes that neither block nor warn are shown one by one up to this number, in a run of several models; files up to this
/// number, then folders.
const SHOWN: usize = 20;

/// About how long the text of a change gets, in bytes.
const CHANGE: usize = 128;

/// About how much longer it gets for one that blocks, in bytes.
const BLOCKED: usize = 1600;

/// Changes by the environment that they are in.
type ByEnvironment<'p> = BTreeMap<Option<&'p str>, Vec<&'p Change>>;

/// One change, in the environments that see it alike.
struct Alike<'p> {
    change: &'p Change,
    environments: Vec<&'p str>,
}

impl Alike<'_> {
    fn is_harmless(&self) -> bool {
        !self.change.blocks() && !self.change.warns()
    }
}

/// The plan as text, in these colours.
#[must_use]
pub fn plan(plan: &Plan, sources: &SourceMap, next: Next<'_>, palette: Palette) -> String {
    let mut text = String::with_capacity(plan.changes.len() * CHANGE + plan.summary.blocked * BLOCKED);
    let models: BTreeSet<&str> = plan.sources.iter().map(|source| source.model.as_str()).collect();
    let several = models.len() > 1;
    lines(&mut text, plan, several, palette);
    let count = plan.summary;
    if !plan.changes.is_empty() {
        let _ = writeln!(
            text,
            "{} add, {} update, {} recreate, {} drop, {} kept; {} blocked",
            count.add, count.update, count.recreate, count.drop, count.kept, count.blocked
        );
    } else if several {
        let _ = writeln!(text, "no changes in {} models", models.len());
    } else {
        text.push_str("no changes\n");
    }
    if several {
        of_models(&mut text, plan, &models, palette);
    }
    let blocked = plan.changes.iter().filter(|change| change.blocks() && change.acknowledged.is_none());
    let mut blocked: Vec<&str> = blocked.map(Change::id).collect();
    let mut known = BTreeSet::new();
    blocked.retain(|id| known.insert(*id));
    if let (Next::Acknowledge(with), false) = (next, blocked.is_empty()) {
        let _ = writeln!(text, "\nif it is meant:");
        for id in &blocked {
            let _ = writeln!(text, "  gen ack {id} --reason … --owner …{with}");
        }
    }
    let alike = alike(plan);
    let crowded = several && alike.iter().filter(|change| change.is_harmless()).count() > SHOWN;
    let (shown, hidden): (Vec<&Alike<'_>>, Vec<&Alike<'_>>) = alike.iter().partition(|change| !crowded || !change.is_harmless());
    for change in shown {
        detail::write(&mut text, plan, change, sources, several, palette);
    }
    if !hidden.is_empty() {
        let more = hidden.len();
        let _ = writeln!(text, "\n{more} more changes, of which none blocks or warns; name a model, or --format json shows them");
    }
    files::write(&mut text, plan, palette);
    text
}

/// One line a table or keyspace, the worst first.
fn lines(text: &mut String, plan: &Plan, several: bool, palette: Palette) {
    let mut groups: BTreeMap<(&str, Address), ByEnvironment<'_>> = BTreeMap::new();
    for change in &plan.changes {
        let holder = (change.model.as_str(), change.address.table());
        groups.entry(holder).or_default().entry(change.environment.as_deref()).or_default().push(change);
    }
    let tables = plan.tables.iter();
    let worst: BTreeMap<(&str, Option<&str>, &Address), &Effects> =
        tables.map(|table| ((table.model.as_str(), table.environment.as_deref(), &table.address), &table.effects)).collect();
    let mut lines: Vec<(Rank, String)> = Vec::new();
    for ((model, address), environments) in groups {
        let mut told: Vec<(Rank, String, Vec<&str>)> = Vec::new();
        for (environment, changes) in environments {
            let worst = worst.get(&(model, environment, &address)).copied();
            let outcomes = outcome::of(&changes, worst, &address);
            let Some(worst) = outcomes.iter().map(|(_, outcome)| outcome.gravity).max() else { continue };
            let is_open = changes.iter().any(|change| change.blocks() && change.acknowledged.is_none());
            let acknowledged = !is_open && changes.iter().any(|change| change.acknowledged.is_some());
            let said: Vec<String> = grouped(outcomes).iter().map(|(outcome, backends)| outcome.with(plan, backends)).collect();
            let style = palette.of(worst);
            let note = if acknowledged { " (acknowledged)" } else { "" };
            let words = format!("{}{style:#}{note}\n", said.join("; "));
            match told.iter_mut().find(|(gravity, known, _)| *gravity == worst && *known == words) {
                Some((_, _, environments)) => environments.extend(environment),
                None => told.push((worst, words, environment.into_iter().collect())),
            }
        }
        for (worst, words, environments) in told {
            let style = palette.of(worst);
            let model = if several { format!("{model}: ") } else { String::new() };
            let name = detail::holder(&address);
            lines.push((worst, format!("{style}{model}{name}{}: {words}", within(&environments))));
        }
    }
    lines.sort_by_key(|(gravity, _)| std::cmp::Reverse(*gravity));
    let is_harmless = |gravity: Rank| !gravity.blocks() && !gravity.warns();
    let crowded = several && lines.iter().filter(|(gravity, _)| is_harmless(*gravity)).count() > SHOWN;
    for (_, line) in lines.iter().filter(|(gravity, _)| !crowded || !is_harmless(*gravity)) {
        text.push_str(line);
    }
}

/// ` in dev, prod`
fn within(environments: &[&str]) -> String {
    if environments.is_empty() { String::new() } else { format!(" in {}", environments.join(", ")) }
}

/// One line for each model that changes; those that do not are counted.
fn of_models(text: &mut String, plan: &Plan, models: &BTreeSet<&str>, palette: Palette) {
    let mut changes: BTreeMap<&str, ByEnvironment<'_>> = BTreeMap::new();
    for change in &plan.changes {
        changes.entry(&change.model).or_default().entry(change.environment.as_deref()).or_default().push(change);
    }
    let width = changes.keys().map(|model| model.chars().count()).max().unwrap_or_default();
    for (model, environments) in &changes {
        let mut told: Vec<(String, Vec<&str>)> = Vec::new();
        for (environment, changes) in environments {
            let words = in_words(&Summary::of(changes.iter().copied()));
            match told.iter_mut().find(|(known, _)| *known == words) {
                Some((_, environments)) => environments.extend(*environment),
                None => told.push((words, environment.iter().copied().collect())),
            }
        }
        let told: Vec<String> = told.iter().map(|(words, environments)| format!("{words}{}", within(environments))).collect();
        let _ = writeln!(text, "  {model:width$}  {}", told.join("; "));
    }
    let same = models.len() - changes.len();
    if !changes.is_empty() && same > 0 {
        let noun = if same == 1 { "model does" } else { "models do" };
        let Palette { dim, .. } = palette;
        let _ = writeln!(text, "  {dim}{same} {noun} not change{dim:#}");
    }
}

fn in_words(count: &Summary) -> String {
    let counts = [
        (count.add, "add"),
        (count.update, "update"),
        (count.recreate, "recreate"),
        (count.drop, "drop"),
        (count.kept, "kept"),
        (count.blocked, "blocked"),
    ];
    let words: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if words.is_empty() { "nothing to deploy".to_owned() } else { words.join(", ") }
}

/// Backends with one outcome together, the gravest first.
fn grouped(outcomes: Vec<(Backend, Outcome)>) -> Vec<(Outcome, Vec<Backend>)> {
    let mut groups: Vec<(Outcome, Vec<Backend>)> = Vec::new();
    for (backend, outcome) in outcomes {
        match groups.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, backends)) => backends.push(backend),
            None => groups.push((outcome, vec![backend])),
        }
    }
    groups.sort_by_key(|(outcome, _)| std::cmp::Reverse(outcome.gravity));
    groups
}

/// All changes, those that block first, then those that warn; what several environments see alike once.
fn alike(plan: &Plan) -> Vec<Alike<'_>> {
    let mut all: Vec<Alike<'_>> = Vec::new();
    let mut known: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for change in &plan.changes {
        // What is in no environment is told once anyway.
        let Some(environment) = change.environment.as_deref() else {
            all.push(Alike { change, environments: Vec::new() });
            continue;
        };
        let places = known.entry((&change.model, change.id())).or_default();
        let same = |other: &Change| other.effects == change.effects && other.acknowledged == change.acknowledged;
        let place = places.iter().copied().find(|place| all.get(*place).is_some_and(|other| same(other.change)));
        if let Some(other) = place.and_then(|place| all.get_mut(place)) {
            other.environments.push(environment);
        } else {
            places.push(all.len());
            all.push(Alike { change, environments: vec![environment] });
        }
    }
    all.sort_by_key(|Alike { change, .. }| {
        let open = change.blocks() && change.acknowledged.is_none();
        (!open, !change.blocks(), !change.warns())
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::{Acknowledgement, Context, Pair, diff};
    use crate::schema::{Backend, Schema, dynamodb};

    #[test]
    fn a_table_is_acknowledged_when_nothing_of_it_is_open() {
        let generation = |name: &str, sort_key: Option<&str>| {
            let table = dynamodb::Table {
                name: Some(crate::schema::Text::literal(name)),
                terraform_name: "orders".into(),
                partition_key: "id".into(),
                sort_key: sort_key.map(str::to_owned),
                ..dynamodb::Table::default()
            };
            let schema = dynamodb::Schema { tables: [("orders".to_owned(), table)].into(), ..dynamodb::Schema::default() };
            [(Backend::TerraformAws5, Schema::from(schema))].into()
        };
        let (previous, next) = (generation("orders", None), generation("others", Some("at")));
        let mut changes = diff(&Context::default(), Pair { previous: &previous, next: &next });
        assert_eq!(changes.len(), 2);
        let first_line = |changes: &[Change]| {
            let mut whole = Plan { complete: true, ..Plan::default() };
            whole.add(changes.to_vec());
            let text = plan(&whole, &SourceMap::default(), Next::Nothing, Palette::PLAIN);
            text.lines().next().unwrap_or_default().to_owned()
        };
        for open in [2, 1, 0] {
            assert_eq!(first_line(&changes).ends_with(" (acknowledged)"), open == 0, "{open} open");
            let meant = || Acknowledgement { reason: "it is empty".into(), owner: "a team".into(), until: None };
            if let Some(change) = changes.iter_mut().find(|change| change.acknowledged.is_none()) {
                change.acknowledged = Some(meant());
            }
        }
    }
}
