//! `gen ack ID`: records that a dangerous change is meant.

use super::args::AckArgs;
use super::workspace::Workspace;
use super::{Console, Exit, Failure, planned};
use crate::baseline::acknowledgements::{self, Acknowledgement, Date};
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
    let until = args
        .until
        .as_ref()
        .map(|text| Date::parse(text).ok_or_else(|| Failure::Other(format!("`{text}` is not a day; write it as 2027-01-31"))));
    let until = until.transpose()?;
    let run = planned::plan(&mut workspace, &args.models, args.against.as_deref())?;
    if !run.plan.complete {
        console.diagnostics(&run.plan.findings, &workspace.sources);
        return Ok(Exit::Failed);
    }
    let Some(change) = run.plan.changes.iter().find(|change| change.id == args.id) else {
        let ids = run.plan.changes.iter().filter(|change| change.blocks()).map(|change| change.id.as_str()).collect();
        console.diagnostics(&[acknowledgements::unknown(&args.id, &ids)], &workspace.sources);
        return Ok(Exit::Failed);
    };
    let Some(model) = run.models.iter().find(|model| model.name == change.model) else { return Ok(Exit::Failed) };
    if change.acknowledged.is_some() {
        console.print(&format!("{} is acknowledged already\n", change.id))?;
        return Ok(Exit::Done);
    }
    if !change.blocks() {
        console.print(&format!("{} does not block; there is nothing to acknowledge\n", change.id))?;
        return Ok(Exit::Done);
    }
    let entry = Acknowledgement {
        id: change.id.clone(),
        address: change.path.as_ref().map_or_else(|| change.address.to_string(), |path| format!("{} {path}", change.address)),
        before: change.before.clone().unwrap_or_default(),
        after: change.after.clone().unwrap_or_default(),
        reason: args.reason.clone(),
        owner: args.owner.clone(),
        until,
        applied_in: Vec::new(),
    };
    let text = match acknowledgements::add(&workspace.sources, model.acknowledged_in, &entry) {
        Ok(text) => text,
        Err(problems) => {
            console.diagnostics(&problems, &workspace.sources);
            return Ok(Exit::Failed);
        }
    };
    let path = model.output.root().join(acknowledgements::NAME);
    let write = output::Change { path: acknowledgements::NAME.into(), text: Some(text), expected: Expected::Anything };
    model.output.write(vec![write])?;
    console.print(&format!("{} is acknowledged in {path}\n", change.id))?;
    Ok(Exit::Done)
}
