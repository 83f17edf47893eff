//! A plan as text: the worst first, one line a table; then how to go on; then why, for each change that blocks or warns.

mod detail;
mod outcome;

use crate::diff::{Change, FileAction, Plan};
use crate::schema::{Address, Backend};
use crate::source::SourceMap;
use anstyle::{AnsiColor, Style};
use outcome::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

pub(super) const DANGER: Style = AnsiColor::Red.on_default().bold();
pub(super) const CAUTION: Style = AnsiColor::Yellow.on_default();
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const DIM: Style = Style::new().dimmed();

/// How the reader may go on with a blocked plan; commands differ in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// `gen ack …` unblocks.
    Acknowledge,
    /// There is nothing to acknowledge: the two sides are files.
    Nothing,
}

/// The plan as text, with the terminal's own codes for colour; the caller's stream takes them out.
#[must_use]
pub fn plan(plan: &Plan, sources: &SourceMap, next: Next) -> String {
    let mut text = String::new();
    lines(&mut text, plan);
    if plan.changes.is_empty() {
        text.push_str("no changes\n");
    } else {
        let count = plan.summary;
        let _ = writeln!(
            text,
            "{} add, {} update, {} recreate, {} drop, {} kept; {} blocked",
            count.add, count.update, count.recreate, count.drop, count.kept, count.blocked
        );
    }
    let blocked: Vec<&Change> = plan.changes.iter().filter(|change| change.blocks() && change.acknowledged.is_none()).collect();
    if next == Next::Acknowledge && !blocked.is_empty() {
        let _ = writeln!(text, "\nif it is meant:");
        for change in &blocked {
            let _ = writeln!(text, "  gen ack {} --reason … --owner …", change.id);
        }
    }
    let several = plan.changes.windows(2).any(|pair| matches!(pair, [one, other] if one.model != other.model));
    for change in by_danger(plan) {
        detail::write(&mut text, change, sources, several);
    }
    files(&mut text, plan);
    text
}

/// One line a table or keyspace, the worst first.
fn lines(text: &mut String, plan: &Plan) {
    let mut groups: BTreeMap<(&str, Option<&str>, Address), Vec<&Change>> = BTreeMap::new();
    for change in &plan.changes {
        let holder = (change.model.as_str(), change.environment.as_deref(), change.address.table());
        groups.entry(holder).or_default().push(change);
    }
    let models: BTreeSet<&str> = plan.changes.iter().map(|change| change.model.as_str()).collect();
    let mut lines: Vec<(outcome::Gravity, String)> = Vec::new();
    for ((model, environment, address), changes) in groups {
        let outcomes = outcome::of(&changes, plan, model, environment, &address);
        let Some(worst) = outcomes.iter().map(|(_, outcome)| outcome.gravity).max() else { continue };
        let mut name = detail::holder(&address);
        if models.len() > 1 {
            name = format!("{model}: {name}");
        }
        if let Some(environment) = environment {
            name = format!("{environment}: {name}");
        }
        let style = match worst {
            gravity if gravity.blocks() => DANGER,
            gravity if gravity.warns() => CAUTION,
            _ => GOOD,
        };
        let acknowledged = changes.iter().any(|change| change.acknowledged.is_some());
        let said: Vec<String> = grouped(&outcomes).iter().map(|(outcome, backends)| outcome.with(backends)).collect();
        let note = if acknowledged { " (acknowledged)" } else { "" };
        lines.push((worst, format!("{style}{name}: {}{style:#}{note}\n", said.join("; "))));
    }
    lines.sort_by_key(|(gravity, _)| std::cmp::Reverse(*gravity));
    for (_, line) in lines {
        text.push_str(&line);
    }
}

/// Backends with one outcome together, the gravest first.
fn grouped(outcomes: &[(Backend, Outcome)]) -> Vec<(Outcome, Vec<Backend>)> {
    let mut groups: Vec<(Outcome, Vec<Backend>)> = Vec::new();
    for (backend, outcome) in outcomes {
        match groups.iter_mut().find(|(known, _)| known == outcome) {
            Some((_, backends)) => backends.push(*backend),
            None => groups.push((outcome.clone(), vec![*backend])),
        }
    }
    groups.sort_by_key(|(outcome, _)| std::cmp::Reverse(outcome.gravity));
    groups
}

/// All changes, those that block first, then those that warn.
fn by_danger(plan: &Plan) -> Vec<&Change> {
    let mut changes: Vec<&Change> = plan.changes.iter().collect();
    changes.sort_by_key(|change| {
        let open = change.blocks() && change.acknowledged.is_none();
        (!open, !change.blocks(), !change.effects.values().any(crate::diff::Effect::warns))
    });
    changes
}

fn files(text: &mut String, plan: &Plan) {
    if plan.files.is_empty() {
        return;
    }
    let count = plan.files.len();
    let noun = if count == 1 { "file" } else { "files" };
    let rewritten = plan.files.iter().all(|file| file.action == FileAction::Change);
    let note = if plan.changes.is_empty() && rewritten { " rewritten (comments only)" } else { "" };
    let _ = writeln!(text, "\n{count} {noun}{note}:");
    for file in &plan.files {
        let (sign, style) = match file.action {
            FileAction::Add => ("+", GOOD),
            FileAction::Change => ("~", CAUTION),
            FileAction::Delete => ("-", DANGER),
        };
        let _ = writeln!(text, "  {style}{sign}{style:#} {}", file.path);
    }
}
