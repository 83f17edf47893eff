//! `gen ack ID`: records that a dangerous change is meant.

use super::args::AckArgs;
use super::planned::{self, Request};
use super::workspace::Workspace;
use super::{Console, Exit, Failure};
use crate::baseline::acknowledgements::{self, Acknowledgement, Date};

pub(super) fn run(args: &AckArgs, console: &mut Console) -> Result<Exit, Failure> {
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
    let mut workspace = Workspace::open(console)?;
    let request = Request { models: &args.models, against: args.against.as_deref(), discard: &[] };
    let run = planned::plan(&mut workspace, request)?;
    if !run.plan.complete {
        run.show_findings(&workspace, console);
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
    workspace.output()?.write(vec![model.write_acknowledgements(text)])?;
    let path = model.folder.join(acknowledgements::NAME);
    console.print(&format!("{} is acknowledged in {path}; `gen apply` goes on\n", change.id))?;
    Ok(Exit::Done)
}
