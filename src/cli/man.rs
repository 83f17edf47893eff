//! `gen man`: the help of each command as a man page.

use super::args::{Cli, ManArgs};
use super::{Console, Exit, Failure};
use camino::Utf8Path;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::fs;

pub(super) fn run(args: &ManArgs, console: &mut Console) -> Result<Exit, Failure> {
    let mut root = Cli::command();
    root.build();
    if let Some(folder) = &args.to {
        let failed = |source| Failure::File { action: "write", path: folder.clone(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        write(&root, folder)?;
        return Ok(Exit::Done);
    }
    let mut command = &root;
    for name in &args.command {
        let Some(next) = command.find_subcommand(name) else {
            return Err(Failure::Other(format!("`{}` has no command `{name}`", page(command).replace('-', " "))));
        };
        command = next;
    }
    console.print(&String::from_utf8_lossy(&text(command)?))?;
    Ok(Exit::Done)
}

/// Writes the pages of a command and of those below it.
fn write(command: &Command, folder: &Utf8Path) -> Result<(), Failure> {
    let path = folder.join(format!("{}.1", page(command)));
    fs::write(&path, text(command)?).map_err(|source| Failure::File { action: "write", path: path.clone(), source })?;
    let mut below = command.get_subcommands().filter(|command| command.get_name() != "help" && !command.is_hide_set());
    below.try_for_each(|command| write(command, folder))
}

/// The name of a command's page: `gen-templates-check`.
fn page(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

fn text(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}
