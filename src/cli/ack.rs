//! `gen ack ID`: records that a dangerous change is meant.

use super::args::{AckArgs, Format};
use super::planned::{self, Request};
use super::workspace::Workspace;
use super::{Console, Exit, Failure};
use crate::baseline::acknowledgements::{self, Acknowledgement, Date};
use crate::diff::{Change, Shown};

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
    if let (Some(until), Some(text)) = (&until, &args.until)
        && *until < workspace.today
    {
        return Err(Failure::Other(format!("`{text}` has passed; name the last day on which the change may go in")));
    }
    let request = Request {
        models: &args.models,
        environments: &args.environments,
        changed: None,
        against: args.against.as_deref(),
        discard: &[],
        format: Format::Text,
    };
    let run = planned::plan(&mut workspace, request)?;
    if !run.plan.complete {
        run.show_findings(&workspace, console);
        return Ok(Exit::Failed);
    }
    // One change of a model may be one in several environments; what is open in any of them counts.
    let found = || run.plan.changes.iter().filter(|change| change.id() == args.id);
    let open = || found().filter(|change| change.blocks() && change.acknowledged.is_none());
    let Some(change) = open().next().or_else(|| found().next()) else {
        let ids = run.plan.changes.iter().filter(|change| change.blocks()).map(Change::id).collect();
        console.diagnostics(&[acknowledgements::unknown(&args.id, &ids)], &workspace.sources);
        return Ok(Exit::Failed);
    };
    let Some(model) = run.models.iter().find(|model| model.name == change.model) else { return Ok(Exit::Failed) };
    if change.acknowledged.is_some() {
        console.print(&format!("{} is acknowledged already\n", change.id()))?;
        return Ok(Exit::Done);
    }
    if !change.blocks() {
        console.print(&format!("{} does not block; there is nothing to acknowledge\n", change.id()))?;
        return Ok(Exit::Done);
    }
    let json = |side: &Option<Shown>| side.as_ref().map(|side| side.json().into_owned()).unwrap_or_default();
    let entry = Acknowledgement {
        id: change.id().to_owned(),
        address: change.path.as_ref().map_or_else(|| change.address.to_string(), |path| format!("{} {path}", change.address)),
        before: json(&change.before),
        after: json(&change.after),
        reason: args.reason.clone(),
        owner: args.owner.clone(),
        until,
        applied_in: Vec::new(),
    };
    let written = match model.with_acknowledgement(&workspace, &entry) {
        Ok(written) => written,
        Err(problems) => {
            console.diagnostics(&problems, &workspace.sources);
            return Ok(Exit::Failed);
        }
    };
    workspace.output()?.write(vec![written])?;
    let path = &model.acknowledgements_path;
    // Whatever environments were asked for: the id of a change does not depend on them.
    let serves = if workspace.config.environments.is_empty() { "" } else { ", for every environment" };
    console.print(&format!("{} is acknowledged in {path}{serves}; `gen apply` goes on\n", change.id()))?;
    Ok(Exit::Done)
}
