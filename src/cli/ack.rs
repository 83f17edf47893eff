//! `gen ack ID`: records that a dangerous change is meant.

use super::args::AckArgs;
use super::workspace::Workspace;
use super::{Console, Exit, Failure, planned};
use crate::baseline::acknowledgements::{self, Entry};
use crate::diagnostic::nearest;
use crate::output::{self, Expected};

pub(super) fn run(args: &AckArgs, console: &mut Console) -> Result<Exit, Failure> {
    let mut workspace = match Workspace::open(console)? {
        Ok(workspace) => workspace,
        Err(exit) => return Ok(exit),
    };
    for (flag, text) in [("--reason", &args.reason), ("--owner", &args.owner)] {
        if text.trim().is_empty() {
            return Err(Failure::Other(format!("{flag} is empty; whoever reads it later needs it")));
        }
    }
    if let Some(until) = args.until.as_ref().filter(|until| !acknowledgements::is_date(until)) {
        return Err(Failure::Other(format!("`{until}` is not a date; write it as 2027-01-31")));
    }
    let run = planned::plan(&mut workspace, &args.models, args.against.as_deref())?;
    if !run.plan.complete {
        console.diagnostics(&run.plan.findings, &workspace.sources);
        return Ok(Exit::Failed);
    }
    let Some(change) = run.plan.changes.iter().find(|change| change.id == args.id) else {
        return Err(Failure::Other(unknown(&args.id, &run.plan)));
    };
    let Some(model) = run.models.iter().find(|model| model.name == change.model) else { return Ok(Exit::Failed) };
    if change.acknowledged.is_some() {
        console.print(&format!("{} is acknowledged already\n", change.id))?;
        return Ok(Exit::Done);
    }
    let entry = Entry {
        id: change.id.clone(),
        address: change.address.to_string(),
        path: change.path.clone(),
        before: change.before.clone(),
        after: change.after.clone(),
        reason: args.reason.clone(),
        owner: args.owner.clone(),
        until: args.until.clone(),
        applied_in: Vec::new(),
    };
    let text = model.acknowledgements.with(&entry);
    let path = model.output.root().join(acknowledgements::NAME);
    let write = output::Change { path: acknowledgements::NAME.into(), text: Some(text), expected: Expected::Anything };
    model.output.write(vec![write])?;
    console.print(&format!("{} is acknowledged in {path}\n", change.id))?;
    Ok(Exit::Done)
}

fn unknown(id: &str, plan: &crate::diff::Plan) -> String {
    let known: Vec<&str> = plan.changes.iter().filter(|change| change.blocks()).map(|change| change.id.as_str()).collect();
    if known.is_empty() {
        return format!("the plan has no change `{id}`, and none that needs an acknowledgement");
    }
    let meant = nearest(id, known.iter().copied()).map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
    format!("the plan has no change `{id}`{meant}; those that block are {}", known.join(", "))
}
