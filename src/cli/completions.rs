//! `gen completions`: what a shell needs to complete commands and flags.

use super::args::{Cli, CompletionsArgs};
use super::{Console, Exit, Failure};
use clap::CommandFactory;

pub(super) fn run(args: &CompletionsArgs, console: &mut Console) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gen", &mut script);
    console.print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
