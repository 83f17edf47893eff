//! The command line: arguments, exit codes, one file per command.

mod args;
mod console;
mod diff;
mod exit;
mod explain;
mod generate;
mod init;
mod operand;
mod report;
mod schema;
mod workspace;

pub use args::Cli;
pub use console::Console;
pub use exit::{Exit, Failure};

use args::Command;
use clap::Parser;
use std::ffi::OsString;

/// Runs `gen` with these arguments (the program's name first) in the current directory.
pub fn run(arguments: impl IntoIterator<Item = OsString>, console: &mut Console) -> Exit {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return console.usage(&error),
    };
    console.set_color(cli.global.color());
    let result = match &cli.command {
        Command::Init(args) => init::run(args, console),
        Command::Explain(args) => explain::run(args, console),
        Command::Schema(args) => schema::run(args, console),
        Command::Diff(args) => diff::run(args, console),
        Command::Plan(_) | Command::Apply(_) | Command::Check(_) | Command::Ack(_) => {
            Err(Failure::Other("this command is not finished".to_owned()))
        }
    };
    match result {
        Ok(exit) => exit,
        Err(failure) => console.failure(&failure),
    }
}
