//! Prints a plan the way the arguments say.

use super::args::{Format, ReportArgs};
use super::{Console, Failure};
use crate::diff::Plan;
use crate::report::{json, text};
use crate::source::SourceMap;
use std::fs;

/// Prints a plan, or writes it to `--output`.
pub(super) fn write(
    plan: &Plan,
    sources: &SourceMap,
    next: text::Next,
    args: &ReportArgs,
    console: &mut Console,
) -> Result<(), Failure> {
    let report = match args.format {
        Format::Text => text::plan(plan, sources, next),
        Format::Json => json::plan(plan, sources).map_err(|error| Failure::Other(error.to_string()))?,
    };
    match &args.output {
        None => console.print(&report),
        Some(path) => {
            let bytes = anstream::adapter::strip_str(&report).to_string();
            fs::write(path, bytes).map_err(|source| Failure::File { action: "write", path: path.clone(), source })
        }
    }
}
