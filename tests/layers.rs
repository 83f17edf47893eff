//! Data flows one way: a stage uses only the stages before it.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::fs;

/// The stages in their order, each with what it may use beside itself. `source` and `diagnostic` are one layer: a parser
/// reports, and a report points at text.
const STAGES: &[(&str, &[&str])] = &[
    ("source", &["diagnostic"]),
    ("diagnostic", &["source", "schema"]),
    ("schema", &["source"]),
    ("model", &["source", "schema", "diagnostic"]),
    ("validate", &["source", "diagnostic", "schema", "model"]),
    ("design", &["source", "diagnostic", "schema", "model"]),
    ("read", &["source", "diagnostic", "schema"]),
    ("emit", &["source", "diagnostic", "schema", "read"]),
    ("config", &["source", "diagnostic", "schema", "validate"]),
    ("baseline", &["source", "diagnostic", "schema", "model", "read", "emit", "config"]),
    ("diff", &["source", "diagnostic", "schema"]),
    ("migrate", &["source", "diagnostic", "schema", "read", "emit", "diff"]),
    ("rules", &["source", "diagnostic", "schema", "model", "design", "diff"]),
    ("report", &["source", "diagnostic", "schema", "design", "diff", "rules"]),
    ("output", &["source", "diagnostic", "schema", "emit", "baseline"]),
];

#[test]
fn stages_use_only_those_before_them() {
    let allowed: BTreeMap<&str, &[&str]> = STAGES.iter().copied().collect();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (stage, text, path) in sources() {
        // The command line uses everything; the crate root declares everything.
        let Some(may_use) = allowed.get(stage.as_str()) else {
            assert!(["cli", "lib.rs", "main.rs"].contains(&stage.as_str()), "`{stage}` is not in the table of stages");
            continue;
        };
        seen += 1;
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for used in stages_in(code) {
            if used != stage && !may_use.contains(&used.as_str()) {
                wrong.push(format!("{path}: `{stage}` uses `{used}`"));
            }
        }
    }
    assert!(seen > 20, "only {seen} files were looked at");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Every `crate::x` in code, comments left out.
fn stages_in(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for after in line.split("crate::").skip(1) {
            match after.strip_prefix('{') {
                Some(list) => found.extend(list.split(',').map(first_word)),
                None => found.push(first_word(after)),
            }
        }
    }
    found.retain(|word| STAGES.iter().any(|(stage, _)| stage == word) || word == "cli");
    found
}

fn first_word(text: &str) -> String {
    text.trim_start().chars().take_while(|next| next.is_alphanumeric() || *next == '_').collect()
}

/// Stage, text and path of every source file.
fn sources() -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let mut folders = vec!["src".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"))).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.rsplit_once('.').is_some_and(|(_, ending)| ending == "rs") && !path.contains("/tests") {
                let stage = path.split('/').nth(1).unwrap().to_owned();
                found.push((stage, fs::read_to_string(entry.path()).unwrap(), path));
            }
        }
    }
    found
}
