//! `gen apply`

use super::args::{ApplyArgs, Format};
use super::planned::{self, Planned, Run};
use super::workspace::Workspace;
use super::{Console, Exit, Failure, report};
use crate::baseline::acknowledgements::{self, NO_ENVIRONMENT};
use crate::diagnostic::{Diagnostic, Sink};
use crate::output::{self, Expected};
use crate::report::text::Next;

pub(super) fn run(args: &ApplyArgs, console: &mut Console) -> Result<Exit, Failure> {
    let mut workspace = match Workspace::open(console)? {
        Ok(workspace) => workspace,
        Err(exit) => return Ok(exit),
    };
    let run = planned::plan(&mut workspace, &args.models, None)?;
    if args.report.format == Format::Text {
        run.show_findings(&workspace, console);
    }
    if run.plan.complete || args.report.format == Format::Json {
        report::write(&run.plan, &workspace.sources, Next::Acknowledge, &args.report, console)?;
    }
    if !run.plan.complete {
        return Ok(Exit::Failed);
    }
    if planned::exit(&run, &workspace) == Exit::Blocked {
        console.remark("blocked: nothing was written\n");
        return Ok(Exit::Blocked);
    }
    let migrations: Vec<_> = run.models.iter().flat_map(Planned::edited_migrations).collect();
    if !migrations.is_empty() {
        for path in migrations {
            console.remark(&format!("{path} was edited or deleted, and it may have been run: take it from version control\n"));
        }
        console.remark("nothing was written\n");
        return Ok(Exit::Blocked);
    }
    let edits: Vec<_> = run.models.iter().flat_map(|model| model.kept_edits(&args.discard_edits)).collect();
    if !edits.is_empty() {
        for path in edits {
            console.remark(&format!("{path} was edited by hand; `--discard-edits {path}` overwrites it\n"));
        }
        console.remark("nothing was written\n");
        return Ok(Exit::Blocked);
    }
    let unmeant: Vec<_> = run.models.iter().flat_map(|model| model.unmeant(&run.plan)).collect();
    if !unmeant.is_empty() {
        for path in unmeant {
            let why =
                "the schema beside it was edited by hand, and the plan starts from the edit: take that from version control";
            console.remark(&format!("{path} would destroy what the plan does not show; {why}, then plan again\n"));
        }
        console.remark("nothing was written\n");
        return Ok(Exit::Blocked);
    }
    let mut sink = Sink::default();
    for obstacle in run.models.iter().flat_map(|model| &model.obstacles) {
        sink.push(obstacle.clone());
    }
    let mut writes = Vec::new();
    for model in &run.models {
        let mut changes = model.writes(&args.discard_edits);
        match applied(&run, model, &workspace) {
            Ok(change) => changes.extend(change),
            Err(problems) => sink.extend(problems),
        }
        model.output.check(&changes, &mut sink)?;
        writes.push((model, changes));
    }
    if sink.has_errors() {
        console.diagnostics(&sink.into_sorted(), &workspace.sources);
        return Ok(Exit::Failed);
    }
    for (model, changes) in writes {
        model.output.write(changes)?;
    }
    Ok(Exit::Done)
}

/// The acknowledgements that this run uses up, noted in their file.
fn applied(run: &Run, model: &Planned, workspace: &Workspace) -> Result<Option<output::Change>, Vec<Diagnostic>> {
    let used = run.plan.changes.iter().filter(|change| change.model == model.name && change.acknowledged.is_some());
    let ids: Vec<&str> = used.map(|change| change.id.as_str()).collect();
    let Some(file) = model.acknowledged_in.filter(|_| !ids.is_empty()) else { return Ok(None) };
    let text = acknowledgements::mark_applied(&workspace.sources, file, &ids, NO_ENVIRONMENT)?;
    Ok(Some(output::Change { path: acknowledgements::NAME.into(), text: Some(text), expected: Expected::Anything }))
}
