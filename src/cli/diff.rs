//! `gen diff A B`

use super::args::{DiffArgs, Format};
use super::operand::{self, As, Operand};
use super::workspace::{self, Workspace};
use super::{Console, Exit, Failure, report};
use crate::diagnostic::{Severity, Sink, nearest};
use crate::diff::{self, Context, Pair, Plan, Side};
use crate::report::text::Next;
use crate::schema::{Backend, Engine, Generation};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn run(args: &DiffArgs, console: &mut Console) -> Result<Exit, Failure> {
    let (chosen, asked) = backends(&args.backend)?;
    let mut workspace = Workspace::open(console)?;
    let environments = workspace.config.environments.clone();
    let environment = match &args.environment {
        Some(name) if !workspace.is_wrong() => {
            let environment = environments.get(name).ok_or_else(|| workspace::unknown_environment(name, &environments))?;
            Some((name.as_str(), environment))
        }
        _ => None,
    };
    let as_of = As { environment, engine: only_engine(&chosen) };
    let mut sink = Sink::default();
    workspace.findings.iter().for_each(|finding| sink.push(finding.clone()));
    let mut previous = operand::read(&mut workspace, &args.previous, as_of, &mut sink)?;
    if let Some(history) = &args.history {
        let history = operand::read(&mut workspace, history.as_str(), as_of, &mut sink)?;
        if let (Some(previous), Some(history)) = (&mut previous, &history) {
            previous.remember(history)?;
        }
    }
    let mut next = operand::read(&mut workspace, &args.next, as_of, &mut sink)?;
    if let (Some(previous), Some(next)) = (&mut previous, &mut next) {
        previous.find_own_region(&workspace.sources, next);
        next.find_own_region(&workspace.sources, previous);
        next.run_on(&workspace.sources, previous, as_of.engine);
    }
    let wrong = sink.has_errors();
    let mut plan = Plan { findings: sink.into_sorted(), ..Plan::default() };
    if let (Some(previous), Some(next), false) = (previous, next, wrong) {
        if let Some(stranger) = chosen.iter().find(|backend| previous.schema(**backend).or(next.schema(**backend)).is_none()) {
            let there = backends_of(&previous, &next).iter().map(|backend| backend.name()).collect::<Vec<_>>().join(", ");
            return Err(Failure::Other(format!(
                "nothing of {} or {} is for {}; they are for {there}",
                args.previous,
                args.next,
                stranger.name()
            )));
        }
        compare(&mut plan, &previous, &next, &chosen, args.environment.as_deref());
        plan.call(asked);
        plan.complete = true;
        if args.report.format == Format::Text {
            let shown =
                plan.findings.iter().filter(|finding| finding.severity != Severity::Finding(crate::diagnostic::Level::Info));
            console.diagnostics(shown, &workspace.sources);
        }
        report::write(&plan, &workspace.sources, Next::Nothing, &args.report, console)?;
        return Ok(if next.is_ours() && plan.is_blocked() {
            Exit::Blocked
        } else if args.detailed_exitcode && !plan.changes.is_empty() {
            Exit::Changes
        } else {
            Exit::Done
        });
    }
    console.diagnostics(&plan.findings, &workspace.sources);
    if args.report.format == Format::Json {
        report::write(&plan, &workspace.sources, Next::Nothing, &args.report, console)?;
    }
    Ok(Exit::Failed)
}

fn compare(plan: &mut Plan, previous: &Operand, next: &Operand, chosen: &[Backend], environment: Option<&str>) {
    let backends = if chosen.is_empty() { backends_of(previous, next) } else { chosen.to_vec() };
    let generation = |side: &Operand| -> Generation {
        backends.iter().filter_map(|backend| Some((*backend, side.schema(*backend)?))).collect()
    };
    let addresses = if previous.is_ours() && !next.is_ours() { Side::Previous } else { Side::Next };
    let name = if next.is_ours() || !previous.is_ours() { &next.name } else { &previous.name };
    let not_read = Pair { previous: previous.not_read.clone(), next: next.not_read.clone() };
    let environment = environment.map(str::to_owned);
    let templates = Pair { previous: previous.templates.clone(), next: next.templates.clone() };
    let context = Context { model: name.clone(), environment, addresses, not_read, templates, releases: next.releases };
    let pair = Pair { previous: &generation(previous), next: &generation(next) };
    plan.previous = previous.origin.clone();
    plan.next = next.origin.clone();
    plan.add(diff::diff(&context, pair));
}

/// The engine whose backends alone are asked for: then statements mean what it makes of them.
fn only_engine(chosen: &[Backend]) -> Option<Engine> {
    let engines: BTreeSet<Engine> = chosen.iter().filter_map(|backend| backend.engine()).collect();
    let mut engines = engines.into_iter();
    engines.next().filter(|_| engines.next().is_none())
}

/// The backends to report for: those a native file is for, else those of the models.
fn backends_of(previous: &Operand, next: &Operand) -> Vec<Backend> {
    let is_asked = |side: &&Operand| previous.is_ours() == next.is_ours() || !side.is_ours();
    let mut backends: Vec<Backend> = [previous, next].into_iter().filter(is_asked).flat_map(Operand::backends).collect();
    backends.sort_unstable();
    backends.dedup();
    // The one stands for both: each table is judged by the type of its own resource.
    let tables = backends.contains(&Backend::CloudformationTable);
    backends.retain(|backend| !tables || *backend != Backend::CloudformationGlobalTable);
    backends
}

/// The backends of some names, and the names of those that stand in for a later version.
fn backends(names: &[String]) -> Result<(Vec<Backend>, BTreeMap<Backend, String>), Failure> {
    let mut named: BTreeMap<Backend, &String> = BTreeMap::new();
    let mut chosen = Vec::new();
    for name in names {
        let backend = backend(name)?;
        if let Some(other) = named.insert(backend, name).filter(|other| *other != name) {
            let known = backend.name();
            return Err(Failure::Other(format!(
                "what is known of `{other}` and of `{name}` is that of {known}: ask for one of them"
            )));
        }
        chosen.push(backend);
    }
    let asked = named.into_iter().filter(|(backend, name)| backend.name() != name.as_str());
    Ok((chosen, asked.map(|(backend, name)| (backend, name.clone())).collect()))
}

fn backend(name: &str) -> Result<Backend, Failure> {
    Backend::find(name).or_else(|| Backend::nearest(name)).ok_or_else(|| {
        let known: Vec<&str> = Backend::ALL.iter().map(|backend| backend.name()).collect();
        let meant = nearest(name, known.iter().copied()).map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
        Failure::Other(format!("no backend is called `{name}`{meant}; there are {}", known.join(", ")))
    })
}
