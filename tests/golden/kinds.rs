//! The kinds of golden cases: what each runs, and which files it compares.

use super::case::{Case, Scratch, tree};
use super::migrate::migrate;
use super::workspace::workspace;
use std::collections::BTreeMap;
use std::process::Output;

type Run = fn(&Case) -> Result<(), String>;

/// Folder of `golden` → how its cases are run.
pub(crate) const KINDS: &[(&str, Run)] = &[
    ("validate", validate),
    ("generate", generate),
    ("plan", plan),
    ("templates", templates),
    ("diff", diff),
    ("migrate", migrate),
    ("workspace", workspace),
];

pub(super) const INPUTS: &[&str] = &[
    "model.yaml",
    "model.json",
    "models",
    "previous.yaml",
    "previous",
    "next.yaml",
    "next",
    "gen.yaml",
    "templates",
    "README.md",
];

/// `gen plan` on a model that is wrong, or on several: what it says.
fn validate(case: &Case) -> Result<(), String> {
    let scratch = Scratch::new();
    case.settings(&scratch);
    let name = case.put(&scratch, "model")?;
    let output = scratch.run(&["plan", &name]);
    let mut actual = BTreeMap::from([("stderr.txt".to_owned(), output.stderr)]);
    actual.insert("exit".to_owned(), exit(output.status.code())?);
    case.compare(INPUTS, &actual)
}

/// `gen apply`: the files it writes, and that the next plan and check find nothing to do.
fn generate(case: &Case) -> Result<(), String> {
    let scratch = Scratch::new();
    case.settings(&scratch);
    let name = case.put(&scratch, "model")?;
    expect(&scratch.run(&["apply", &name]), 0)?;
    let files = tree(&scratch.path().join("infra")).into_iter().filter(|(path, _)| !path.ends_with(".gen.apply.lock"));
    let actual: BTreeMap<_, _> = files.map(|(path, bytes)| (format!("expected/{path}"), bytes)).collect();
    expect(&scratch.run(&["check", &name]), 0)?;
    expect(&scratch.run(&["plan", &name, "--detailed-exitcode"]), 0)?;
    case.compare(INPUTS, &actual)
}

/// `gen apply` on `previous`, `gen plan` on `next`: the plan as text and JSON.
fn plan(case: &Case) -> Result<(), String> {
    let scratch = Scratch::new();
    case.settings(&scratch);
    let name = case.put(&scratch, "previous")?;
    let name = name.as_str();
    expect(&scratch.run(&["apply", name]), 0)?;
    let before = tree(&scratch.path().join("infra"));
    case.put(&scratch, "next")?;
    let text = scratch.run(&["plan", name, "--detailed-exitcode"]);
    let json = scratch.run(&["plan", name, "--detailed-exitcode", "--format", "json"]);
    if tree(&scratch.path().join("infra")) != before {
        return Err("`gen plan` wrote something".to_owned());
    }
    if text.status.code() != json.status.code() {
        return Err(format!("text ends with {:?}, JSON with {:?}", text.status.code(), json.status.code()));
    }
    meant(&scratch, name, &json.stdout)?;
    let mut actual = BTreeMap::from([("plan.txt".to_owned(), text.stdout), ("plan.json".to_owned(), json.stdout)]);
    actual.insert("exit".to_owned(), exit(text.status.code())?);
    if !text.stderr.is_empty() {
        actual.insert("stderr.txt".to_owned(), text.stderr);
    }
    case.compare(INPUTS, &actual)
}

/// The law behind every plan: acknowledged and applied, nothing is left to do; blocked, nothing is written.
fn meant(scratch: &Scratch, name: &str, plan: &[u8]) -> Result<(), String> {
    let plan: serde_json::Value = serde_json::from_slice(plan).map_err(|error| error.to_string())?;
    let changes = plan["changes"].as_array().ok_or("a plan has changes")?;
    let ids: Vec<&str> =
        changes.iter().filter(|change| change["blocks"] == true).filter_map(|change| change["id"].as_str()).collect();
    let before = tree(&scratch.path().join("infra"));
    if !ids.is_empty() {
        expect(&scratch.run(&["apply", name]), 3)?;
        if tree(&scratch.path().join("infra")) != before {
            return Err("`gen apply` wrote something although it was blocked".to_owned());
        }
    }
    for id in ids {
        expect(&scratch.run(&["ack", id, "--reason", "it is meant", "--owner", "a team", name]), 0)?;
    }
    expect(&scratch.run(&["apply", name]), 0)?;
    expect(&scratch.run(&["plan", name, "--detailed-exitcode"]), 0)?;
    expect(&scratch.run(&["check", name]), 0)
}

/// `gen apply` with an overlay: what it prints, or the files when it goes through.
fn templates(case: &Case) -> Result<(), String> {
    let scratch = Scratch::new();
    case.settings(&scratch);
    let name = "models/model.yaml";
    scratch.put(&case.model("model")?.0, name);
    let output = scratch.run(&["apply", name]);
    let files = tree(&scratch.path().join("infra"));
    let mut actual: BTreeMap<_, _> = files
        .into_iter()
        .filter(|(path, _)| !path.ends_with("gen.lock") && !path.ends_with(".gen.apply.lock"))
        .map(|(path, bytes)| (format!("expected/{path}"), bytes))
        .collect();
    actual.insert("exit".to_owned(), exit(output.status.code())?);
    if !output.stderr.is_empty() {
        actual.insert("stderr.txt".to_owned(), output.stderr);
    }
    case.compare(INPUTS, &actual)
}

/// `gen diff` of two native files; for the backends named in `backend`, one a line, where there is one.
fn diff(case: &Case) -> Result<(), String> {
    let find = |stem: &str| {
        ["tf", "yaml", "json", "cql"].into_iter().map(|ending| format!("{stem}.{ending}")).find(|name| case.has(name))
    };
    let (Some(before), Some(after)) = (find("before"), find("after")) else {
        return Err("a case of diff has before.* and after.*".to_owned());
    };
    let scratch = Scratch::new();
    scratch.put(&case.path.join(&before), &before);
    scratch.put(&case.path.join(&after), &after);
    let backends = std::fs::read_to_string(case.path.join("backend")).unwrap_or_default();
    let chosen = backends.lines().flat_map(|backend| ["--backend", backend]);
    let arguments: Vec<&str> = ["diff", &before, &after].into_iter().chain(chosen).collect();
    let text = scratch.run(&arguments);
    let json = scratch.run(&[arguments.as_slice(), &["--format", "json"]].concat());
    let mut actual = BTreeMap::from([("plan.txt".to_owned(), text.stdout), ("plan.json".to_owned(), json.stdout)]);
    actual.insert("exit".to_owned(), exit(text.status.code())?);
    if !text.stderr.is_empty() {
        actual.insert("stderr.txt".to_owned(), text.stderr);
    }
    case.compare(&[before.as_str(), after.as_str(), "backend", "README.md"], &actual)
}

pub(super) fn exit(code: Option<i32>) -> Result<Vec<u8>, String> {
    match code {
        Some(101) | None => Err("gen panicked or was killed".to_owned()),
        Some(code) => Ok(format!("{code}\n").into_bytes()),
    }
}

pub(super) fn expect(output: &Output, code: i32) -> Result<(), String> {
    if output.status.code() == Some(code) {
        return Ok(());
    }
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Err(format!("expected exit {code}, came {:?}\n{out}\n{err}", output.status.code()))
}
