//! `gen templates list|eject|check`: the templates of the binary, and a team's own laid over them.

mod check;
mod eject;
mod list;
#[cfg(test)]
mod tests;

use super::args::TemplatesCommand;
use super::workspace::Workspace;
use super::{Console, Exit, Failure};
use crate::emit::Templates;

pub(super) fn run(command: &TemplatesCommand, console: &mut Console) -> Result<Exit, Failure> {
    match command {
        TemplatesCommand::List => list::run(&Workspace::open(console)?, console),
        TemplatesCommand::Eject(args) => eject::run(args, console),
        TemplatesCommand::Check(args) => check::run(args, Workspace::open(console)?, console),
    }
}

/// The blocks of an embedded template, as they are listed.
fn blocks(name: &str) -> String {
    let blocks: Vec<&str> = Templates::embedded(name).map(|text| Templates::blocks(text).collect()).unwrap_or_default();
    blocks.join(", ")
}

/// Prints what is wrong with `gen.yaml` and the templates; whether anything is.
fn is_wrong(workspace: &Workspace, console: &mut Console) -> bool {
    console.diagnostics(&workspace.findings, &workspace.sources);
    workspace.is_wrong()
}
