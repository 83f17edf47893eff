//! `gen templates list`

use super::{blocks, is_wrong};
use crate::cli::workspace::Workspace;
use crate::cli::{Console, Exit, Failure};
use crate::emit::Templates;
use std::fmt::Write as _;

pub(super) fn run(workspace: &Workspace, console: &mut Console) -> Result<Exit, Failure> {
    let mut text = String::new();
    for name in Templates::names() {
        text.push_str(name);
        text.push('\n');
        if let Some(file) = workspace.templates.replaced(name) {
            // Writing to a String does not fail.
            let _ = writeln!(text, "  replaced by {}", workspace.sources.path(file));
        }
        let blocks = blocks(name);
        if !blocks.is_empty() {
            let _ = writeln!(text, "  blocks: {blocks}");
        }
    }
    let parts = workspace.templates.own().filter(|(name, _)| Templates::embedded(name).is_none());
    for (name, file) in parts {
        let _ = writeln!(text, "{name}\n  your own, {}", workspace.sources.path(file));
    }
    console.print(&text)?;
    Ok(if is_wrong(workspace, console) { Exit::Failed } else { Exit::Done })
}
