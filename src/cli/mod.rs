//! The command line: arguments, exit codes, one file per command.

mod ack;
mod adopted;
mod apply;
mod args;
mod check;
mod completions;
mod console;
mod diff;
mod exit;
mod explain;
mod generate;
mod init;
mod man;
mod migrations;
mod operand;
mod parallel;
mod plan;
mod planned;
mod progress;
mod report;
mod schema;
mod templates;
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
    console.set_work(cli.global.threads(), cli.global.no_progress);
    let result = match &cli.command {
        Command::Init(args) => init::run(args, console),
        Command::Explain(args) => explain::run(args, console),
        Command::Schema(args) => schema::run(args, console),
        Command::Completions(args) => completions::run(args, console),
        Command::Man(args) => man::run(args, console),
        Command::Templates(command) => templates::run(command, console),
        Command::Diff(args) => diff::run(args, console),
        Command::Plan(args) => plan::run(args, console),
        Command::Apply(args) => apply::run(args, console),
        Command::Check(args) => check::run(args, console),
        Command::Ack(args) => ack::run(args, console),
    };
    let failure = match result {
        Ok(exit) => return exit,
        Err(failure) => failure,
    };
    let is_report = matches!(failure, Failure::Report(_) | Failure::ReportFile { .. });
    if let Some(args) = cli.command.report().filter(|_| !is_report)
        && let Err(second) = report::failure(&failure, args, console)
    {
        console.failure(&second);
    }
    console.failure(&failure)
}
