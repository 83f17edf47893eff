//! What the judges share: whether one is there, and what they judge.
#![allow(dead_code, reason = "each judge uses a part")]

pub(crate) mod terraform;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a program is: the path in `variable`, else `name` on the PATH. None when it does not start.
pub(crate) fn program(name: &str, variable: &str) -> Option<String> {
    let program = std::env::var(variable).unwrap_or_else(|_| name.to_owned());
    let works = Command::new(&program).arg("--version").output().is_ok_and(|output| output.status.success());
    works.then_some(program)
}

/// A judge that is missing: skipped on a user's machine, a failure in a pipeline.
pub(crate) fn missing(what: &str, how: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "missing judge: {what} ({how})");
    println!("skipped: {what} is not installed ({how})");
}

/// The golden cases of `generate`: name and folder of what was generated.
pub(crate) fn generated() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/generate");
    let mut cases: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path().join("expected")))
        .filter(|(_, path)| path.is_dir())
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "there is nothing to judge");
    cases
}

/// Files of one name or ending below a folder, sorted.
pub(crate) fn files(folder: &Path, matches: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().and_then(|name| name.to_str()).is_some_and(&matches) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
