//! What the judges share: whether one is there, and what they judge.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests, each of which uses a part"
)]

#[path = "../golden/case.rs"]
pub(crate) mod case;
pub(crate) mod moto;
pub(crate) mod tables;
pub(crate) mod terraform;

use camino::{Utf8Path, Utf8PathBuf};
use nosql_gen::design::{Design, design};
use nosql_gen::diagnostic::Sink;
use nosql_gen::model::Model;
use nosql_gen::source::SourceMap;
use nosql_gen::validate::load;
use std::process::Command;

/// Where a program is: the path in `variable`, else `name` on the PATH. None when it does not start.
pub(crate) fn program(name: &str, variable: &str) -> Option<String> {
    let program = std::env::var(variable).unwrap_or_else(|_| name.to_owned());
    let works = Command::new(&program).arg("--version").output().is_ok_and(|output| output.status.success());
    works.then_some(program)
}

/// Whether every judge has to be there.
pub(crate) fn required() -> bool {
    std::env::var("CI").is_ok_and(|ci| ci == "true")
}

/// A judge that is missing: skipped on a user's machine, a failure in a pipeline.
pub(crate) fn missing(what: &str, how: &str) {
    assert!(!required(), "missing judge: {what} ({how})");
    println!("skipped: {what} is not installed ({how})");
}

/// The golden cases of `generate`: name and folder of what was generated.
pub(crate) fn generated() -> Vec<(String, Utf8PathBuf)> {
    case::all("generate").into_iter().map(|case| (case.name, case.path.join("expected"))).collect()
}

/// Files below a folder that are asked for, sorted.
pub(crate) fn files(folder: &Utf8Path, matches: impl Fn(&Utf8Path) -> bool) -> Vec<Utf8PathBuf> {
    let paths = case::tree(folder).into_keys().map(|path| folder.join(path));
    paths.filter(|path| matches(path)).collect()
}

/// A model and what it comes to; None when it has errors, as the models have that need what is not built yet.
pub(crate) fn model(path: &Utf8Path) -> Option<(Model, Design)> {
    let mut sources = SourceMap::default();
    let file = sources.add(path, std::fs::read_to_string(path).unwrap());
    let mut sink = Sink::default();
    let model = load(&sources, file, &mut sink)?;
    let design = design(&model, &mut sink);
    (!sink.has_errors()).then_some((model, design))
}
