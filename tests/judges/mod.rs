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
use nosql_gen::design::{Design, Operations, design};
use nosql_gen::diagnostic::Sink;
use nosql_gen::model::Model;
use nosql_gen::source::{FileId, SourceMap};
use nosql_gen::validate::{Draft, Lookup, Member, Outline, Values, outline, resolve_all};
use std::collections::BTreeMap;
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

/// The golden cases of `templates` that go through: name and folder of what the overlay made.
pub(crate) fn overlaid() -> Vec<(String, Utf8PathBuf)> {
    let cases = case::all("templates").into_iter().map(|case| (case.name, case.path.join("expected")));
    cases.filter(|(_, folder)| folder.is_dir()).collect()
}

/// Files below a folder that are asked for, sorted.
pub(crate) fn files(folder: &Utf8Path, matches: impl Fn(&Utf8Path) -> bool) -> Vec<Utf8PathBuf> {
    let paths = case::tree(folder).into_keys().map(|path| folder.join(path));
    paths.filter(|path| matches(path)).collect()
}

/// A model and what it comes to; None when it has errors, as the models have that need what is not built yet.
pub(crate) fn model(path: &Utf8Path) -> Option<(Model, Design)> {
    group(path).map(|mut group| group.remove(0))
}

/// A model, and behind it those in its folder that share tables with it. None when it has errors.
pub(crate) fn group(path: &Utf8Path) -> Option<Vec<(Model, Design)>> {
    let mut sources = SourceMap::default();
    let mut beside = files(path.parent().unwrap(), |other| other.extension() == path.extension() && other != path);
    beside.retain(|other| other.parent() == path.parent());
    let texts: Vec<(FileId, Outline)> = std::iter::once(path.to_owned())
        .chain(beside)
        .map(|path| {
            let file = sources.add(path.as_str(), std::fs::read_to_string(&path).unwrap());
            (file, outline(&sources, file))
        })
        .collect();
    let named = |name: &str| texts.iter().position(|(_, text)| text.name.as_ref().is_some_and(|own| own.value == name));
    let shares = |one: &Outline, other: usize| one.owners.iter().any(|owner| named(owner) == Some(other));
    let mut sink = Sink::default();
    let members: Vec<_> = texts
        .iter()
        .enumerate()
        .filter(|(at, (_, text))| {
            let beside = || texts[0].1.owners.iter().any(|owner| text.owners.contains(owner));
            *at == 0 || shares(text, 0) || shares(&texts[0].1, *at) || beside()
        })
        .map(|(_, (file, text))| {
            let found = |owner: &String| Some((owner.clone(), Lookup::Found(texts[named(owner)?].0)));
            (*file, Draft::read(&sources, *file, &mut sink), text.owners.iter().filter_map(found).collect::<BTreeMap<_, _>>())
        })
        .collect();
    let members: Vec<Member<'_>> =
        members.iter().map(|(file, draft, owners)| Member { file: *file, draft: draft.as_ref(), said: &[], owners }).collect();
    let all = resolve_all(&sources, &members, &Values::new()).models.into_iter().map(|(model, mut said)| {
        let model = model?;
        let design = design(&model, Operations::Written, &mut said);
        (!said.has_errors()).then_some((model, design))
    });
    all.collect()
}
