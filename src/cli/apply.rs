//! `gen apply`

use super::args::{ApplyArgs, Format};
use super::planned::{self, Planned, Request, Run};
use super::workspace::Workspace;
use super::{Console, Exit, Failure, report};
use crate::diagnostic::Sink;
use crate::diff::Plan;
use crate::report::text::Next;

pub(super) fn run(args: &ApplyArgs, console: &mut Console) -> Result<Exit, Failure> {
    let mut workspace = Workspace::open(console)?;
    let request = Request {
        models: &args.models,
        environments: &args.environments,
        changed: args.changed.as_deref(),
        discard: &args.discard_edits,
        against: None,
        format: args.report.format,
    };
    let mut run = planned::plan(&mut workspace, request)?;
    let outcome = if run.plan.complete { write(&mut run, &workspace, request)? } else { Outcome::Wrong };
    // Last, so that the report can be believed: what it tells has happened.
    if args.report.format == Format::Text {
        run.show_findings(&workspace, console);
    }
    if run.plan.complete || args.report.format == Format::Json {
        report::write(&run.plan, &workspace.sources, Next::Acknowledge(&request.again(&workspace)), &args.report, console)?;
    }
    match outcome {
        Outcome::Wrong => Ok(Exit::Failed),
        Outcome::Blocked(why) => {
            console.remark(&format!("{why}\nnothing was written\n"));
            Ok(Exit::Blocked)
        }
        Outcome::Written => {
            let lock = if run.planned().count() == 1 { "the lock" } else { "the locks" };
            let written = match run.plan.files.len() {
                0 => format!("nothing had to be written but {lock}"),
                1 => format!("1 file and {lock} are written"),
                count => format!("{count} files and {lock} are written"),
            };
            console.remark(&format!("{written}\n"));
            Ok(Exit::Done)
        }
        Outcome::Nothing => Ok(Exit::Done),
    }
}

/// What became of the files.
enum Outcome {
    /// A text is wrong, or a file is in the way; the findings say so.
    Wrong,
    /// They wait for somebody to say that it is meant.
    Blocked(String),
    /// They are there.
    Written,
    /// They were there.
    Nothing,
}

/// Writes everything, if nothing forbids it.
fn write(run: &mut Run, workspace: &Workspace, request: Request<'_>) -> Result<Outcome, Failure> {
    if let Some(obstacle) = run.obstacle() {
        return Ok(Outcome::Blocked(format!("blocked by {obstacle}")));
    }
    let migrations: Vec<_> = run.planned().flat_map(Planned::edited_migrations).collect();
    if !migrations.is_empty() {
        let lines = migrations
            .iter()
            .map(|path| format!("{path} was edited or deleted, and it may have been run: take it from version control"));
        return Ok(Outcome::Blocked(lines.collect::<Vec<_>>().join("\n")));
    }
    let edits: Vec<_> = run.planned().flat_map(|planned| planned.kept_edits(request)).collect();
    if !edits.is_empty() {
        return Ok(Outcome::Blocked(edits.join("\n")));
    }
    let unmeant: Vec<_> = run.planned().flat_map(|planned| planned.unmeant(&run.plan)).collect();
    if !unmeant.is_empty() {
        let why = "the schema beside it was edited by hand, and the plan starts from the edit: take that from version control";
        let lines =
            unmeant.iter().map(|path| format!("{path} would destroy what the plan does not show; {why}, then plan again"));
        return Ok(Outcome::Blocked(lines.collect::<Vec<_>>().join("\n")));
    }
    let output = workspace.output()?;
    let mut sink = Sink::default();
    for obstacle in run.planned().flat_map(|planned| &planned.obstacles) {
        sink.push(obstacle.clone());
    }
    let mut changes = Vec::new();
    for model in &run.models {
        changes.extend(model.environments.iter().flat_map(|planned| planned.writes(&workspace.sources, request)));
        match model.applied(&run.plan, workspace) {
            Ok(change) => changes.extend(change),
            Err(problems) => problems.into_iter().for_each(|problem| sink.push(problem)),
        }
    }
    output.check(&changes, &mut sink)?;
    if sink.has_errors() {
        // Nothing can be done, so nothing is said to be done.
        run.plan = Plan { findings: std::mem::take(&mut run.plan.findings), ..Plan::default() };
        run.plan.findings.extend(sink.into_sorted());
        return Ok(Outcome::Wrong);
    }
    Ok(if output.write(changes)? { Outcome::Written } else { Outcome::Nothing })
}
