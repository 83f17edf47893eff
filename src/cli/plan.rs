//! `gen plan`

use super::args::{Format, PlanArgs};
use super::workspace::Workspace;
use super::{Console, Exit, Failure, planned, report};
use crate::report::text::Next;

pub(super) fn run(args: &PlanArgs, console: &mut Console) -> Result<Exit, Failure> {
    let mut workspace = match Workspace::open(console)? {
        Ok(workspace) => workspace,
        Err(exit) => return Ok(exit),
    };
    let run = planned::plan(&mut workspace, &args.models, args.against.as_deref())?;
    if args.report.format == Format::Text {
        run.show_findings(&workspace, console);
    }
    if run.plan.complete || args.report.format == Format::Json {
        report::write(&run.plan, &workspace.sources, Next::Acknowledge, &args.report, console)?;
    }
    if !run.plan.complete {
        return Ok(Exit::Failed);
    }
    let changed = !run.plan.changes.is_empty() || !run.plan.files.is_empty();
    let detailed = if args.detailed_exitcode && changed { Exit::Changes } else { Exit::Done };
    Ok(planned::exit(&run, &workspace).and(detailed))
}
