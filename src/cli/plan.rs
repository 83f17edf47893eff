//! `gen plan`

use super::args::{Format, PlanArgs};
use super::planned::{self, Request};
use super::workspace::Workspace;
use super::{Console, Exit, Failure, report};
use crate::report::text::Next;
use std::mem::ManuallyDrop;

pub(super) fn run(args: &PlanArgs, console: &mut Console) -> Result<Exit, Failure> {
    let mut workspace = Workspace::open(console)?;
    let request = Request {
        models: &args.models,
        environments: &args.environments,
        changed: args.changed.as_deref(),
        against: args.against.as_deref(),
        discard: &[],
        format: args.report.format,
    };
    // The process ends behind it: nobody waits until a large plan is given back piece by piece.
    let run = ManuallyDrop::new(planned::plan(&mut workspace, request)?);
    if args.report.format == Format::Text {
        run.show_findings(&workspace, console);
    }
    if run.plan.complete || args.report.format == Format::Json {
        report::write(&run.plan, &workspace.sources, Next::Acknowledge(&request.again(&workspace)), &args.report, console)?;
    }
    if !run.plan.complete {
        return Ok(Exit::Failed);
    }
    let changed = !run.plan.changes.is_empty() || !run.plan.files.is_empty();
    let detailed = if args.detailed_exitcode && changed { Exit::Changes } else { Exit::Done };
    Ok(planned::exit(&run).and(detailed))
}
