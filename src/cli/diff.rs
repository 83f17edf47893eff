//! `gen diff A B`

use super::args::{DiffArgs, Format};
use super::operand::{self, Operand};
use super::workspace::Workspace;
use super::{Console, Exit, Failure, report};
use crate::diagnostic::{Severity, Sink, nearest};
use crate::diff::{self, Context, Pair, Plan, Side};
use crate::report::text::Next;
use crate::schema::{Backend, Generation};

pub(super) fn run(args: &DiffArgs, console: &mut Console) -> Result<Exit, Failure> {
    let chosen = args.backend.iter().map(|name| backend(name)).collect::<Result<Vec<_>, _>>()?;
    let mut workspace = Workspace::open(console)?;
    let mut sink = Sink::default();
    workspace.findings.iter().for_each(|finding| sink.push(finding.clone()));
    let mut previous = operand::read(&mut workspace, &args.previous, &mut sink)?;
    if let Some(history) = &args.history {
        let history = operand::read(&mut workspace, history.as_str(), &mut sink)?;
        if let (Some(previous), Some(history)) = (&mut previous, &history) {
            previous.remember(history)?;
        }
    }
    let next = operand::read(&mut workspace, &args.next, &mut sink)?;
    let wrong = sink.has_errors();
    let mut plan = Plan { findings: sink.into_sorted(), ..Plan::default() };
    if let (Some(previous), Some(next), false) = (previous, next, wrong) {
        compare(&mut plan, &previous, &next, &chosen);
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

fn compare(plan: &mut Plan, previous: &Operand, next: &Operand, chosen: &[Backend]) {
    let backends = if chosen.is_empty() { backends_of(previous, next) } else { chosen.to_vec() };
    let generation = |side: &Operand| -> Generation {
        backends.iter().filter_map(|backend| Some((*backend, side.schema(*backend)?))).collect()
    };
    let addresses = if previous.is_ours() && !next.is_ours() { Side::Previous } else { Side::Next };
    let name = if next.is_ours() || !previous.is_ours() { &next.name } else { &previous.name };
    let context = Context { model: name.clone(), environment: None, addresses };
    let pair = Pair { previous: &generation(previous), next: &generation(next) };
    plan.previous = previous.origin.clone();
    plan.next = next.origin.clone();
    plan.add(diff::diff(&context, pair));
}

/// The backends to report for: those a native file is for, else those of the models.
fn backends_of(previous: &Operand, next: &Operand) -> Vec<Backend> {
    let mut backends: Vec<Backend> = match (previous.backends(), next.backends()) {
        (Some(one), Some(other)) => one.into_iter().chain(other).collect(),
        (Some(native), None) | (None, Some(native)) => native,
        (None, None) => previous.own_backends().into_iter().chain(next.own_backends()).collect(),
    };
    backends.sort_unstable();
    backends.dedup();
    // The one stands for both: each table is judged by the type of its own resource.
    let tables = backends.contains(&Backend::CloudformationTable);
    backends.retain(|backend| !tables || *backend != Backend::CloudformationGlobalTable);
    backends
}

fn backend(name: &str) -> Result<Backend, Failure> {
    Backend::find(name).ok_or_else(|| {
        let known: Vec<&str> = Backend::ALL.iter().map(|backend| backend.name()).collect();
        let meant = nearest(name, known.iter().copied()).map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
        Failure::Other(format!("no backend is called `{name}`{meant}; there are {}", known.join(", ")))
    })
}
