//! Prints a plan the way the arguments say.

use super::args::{Format, ReportArgs};
use super::console::plain;
use super::{Console, Failure};
use crate::diff::Plan;
use crate::report::{Palette, json, text};
use crate::source::{SourceMap, normal};
use std::fs;

/// Prints a plan, or writes it to `--output`.
pub(super) fn write(
    plan: &Plan,
    sources: &SourceMap,
    next: text::Next<'_>,
    args: &ReportArgs,
    console: &mut Console,
) -> Result<(), Failure> {
    let report = match args.format {
        Format::Text => {
            let palette = if args.output.is_some() { Palette::PLAIN } else { console.palette() };
            text::plan(plan, sources, next, palette)
        }
        Format::Json => json::plan(plan, sources).map_err(|error| Failure::Report(error.into()))?,
    };
    if let Some(path) = args.output.as_ref().filter(|path| sources.find(&normal(path)).or(sources.find(path)).is_some()) {
        return Err(Failure::Other(format!("the report would overwrite {path}, which this run reads; name another file")));
    }
    print(&report, args, console)
}

/// For a format that is one document in every case: the one that says why there is no plan.
pub(super) fn failure(failure: &Failure, args: &ReportArgs, console: &mut Console) -> Result<(), Failure> {
    match args.format {
        Format::Text => Ok(()),
        Format::Json => {
            let document = json::failure(&failure.to_string()).map_err(|error| Failure::Report(error.into()))?;
            print(&document, args, console)
        }
    }
}

fn print(report: &str, args: &ReportArgs, console: &mut Console) -> Result<(), Failure> {
    let Some(path) = &args.output else { return console.print(report) };
    fs::write(path, plain(report).as_bytes()).map_err(|source| Failure::ReportFile { path: path.clone(), source })
}
