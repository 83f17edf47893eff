//! The documentation is true: its models load, every key and word has its place, and what points somewhere arrives.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use camino::{Utf8Path, Utf8PathBuf};
use nosql_gen::diagnostic::{Severity, Sink, Thresholds};
use nosql_gen::schema::Backend;
use nosql_gen::source::SourceMap;
use nosql_gen::{design, rules, validate};
use std::collections::BTreeSet;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn read(path: impl AsRef<Utf8Path>) -> String {
    let path = Utf8Path::new(ROOT).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All files below a folder with an extension.
fn files(folder: &str, extension: &str) -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Utf8Path::new(ROOT).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().unwrap() {
            let path = entry.unwrap().into_path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension() == Some(extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn models_in_the_documentation_have_no_errors() {
    let mut tried = 0;
    for path in files("docs", "md") {
        let text = read(&path);
        for model in text.split("```yaml model\n").skip(1) {
            let model = model.split("```").next().unwrap();
            let mut sources = SourceMap::default();
            let mut sink = Sink::default();
            let file = sources.add(path.as_str(), model);
            if let Some(model) = validate::load(&sources, file, &mut sink) {
                let design = design::design(&model, design::Operations::Written, &mut sink);
                rules::lint(&model, &design, &Thresholds::default(), rules::Wording::Written, &mut sink);
            }
            let said: Vec<String> = sink
                .into_sorted()
                .into_iter()
                .filter(|one| one.severity == Severity::Error)
                .map(|one| format!("{}: {}", one.code.slug(), one.message))
                .collect();
            assert!(said.is_empty(), "{path}: {said:#?} in\n{model}");
            tried += 1;
        }
    }
    assert!(tried >= 6, "only {tried} models were found");
}

#[test]
fn the_reference_names_every_key_of_the_language() {
    fn keys(schema: &serde_json::Value, found: &mut BTreeSet<String>) {
        match schema {
            serde_json::Value::Object(map) => {
                if let Some(properties) = map.get("properties").and_then(|value| value.as_object()) {
                    found.extend(properties.keys().cloned());
                }
                map.values().for_each(|value| keys(value, found));
            }
            serde_json::Value::Array(list) => list.iter().for_each(|value| keys(value, found)),
            _ => {}
        }
    }
    let schema = serde_json::from_str(&read("models/model.schema.json")).unwrap();
    let mut all = BTreeSet::new();
    keys(&schema, &mut all);
    assert!(all.len() > 100, "only {} keys", all.len());
    let text = read("docs/model.md");
    // A word inside code: `holds`, `{ bucket: a, by: month }`.
    let spoken: BTreeSet<&str> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .flat_map(|code| code.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')))
        .collect();
    let missing: Vec<&String> = all.iter().filter(|key| !spoken.contains(key.as_str())).collect();
    assert!(missing.is_empty(), "not in docs/model.md: {missing:?}");
}

#[test]
fn the_words_of_a_plan_are_explained() {
    let schema: serde_json::Value = serde_json::from_str(&read("docs/plan.schema.json")).unwrap();
    let text = read("docs/effects.md");
    let mut words = 0;
    for kind in ["Action", "Needs", "Deploying", "When", "Loss", "Confidence"] {
        for word in schema["$defs"][kind]["oneOf"].as_array().unwrap() {
            let word = word["const"].as_str().unwrap();
            assert!(text.contains(&format!("`{word}`")), "docs/effects.md does not explain the {kind} `{word}`");
            words += 1;
        }
    }
    assert!(words > 30, "only {words} words");
    let backends = Backend::ALL.into_iter().filter(|backend| !text.contains(&format!("`{}`", backend.name())));
    assert_eq!(backends.collect::<Vec<_>>(), [], "docs/effects.md does not name them");
}

#[test]
fn the_plan_in_the_documentation_is_one() {
    let text = read("docs/effects.md");
    let plan = text.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let plan: serde_json::Value = serde_json::from_str(plan).unwrap();
    let schema = serde_json::from_str(&read("docs/plan.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&plan).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn rules_in_the_documentation_exist() {
    let known: BTreeSet<&str> = nosql_gen::diff::rules().collect();
    let text = read("docs/effects.md");
    let column =
        text.lines().skip_while(|line| !line.contains("| `gen explain` |")).skip(2).take_while(|line| line.starts_with('|'));
    let named: Vec<&str> = column.filter_map(|line| line.split('`').rev().nth(1)).collect();
    assert!(named.len() > 4, "{named:?}");
    assert!(named.iter().all(|rule| known.contains(rule)), "{named:?}");
}

#[test]
fn pipelines_in_the_documentation_are_those_that_init_writes() {
    let text = read("docs/ci.md");
    for file in ["src/cli/init/github.yaml", "src/cli/init/gitlab.yaml"] {
        assert!(text.contains(&format!("```yaml\n{}```", read(file))), "docs/ci.md differs from {file}");
    }
}

#[test]
fn sections_that_the_code_names_exist() {
    let text = read("docs/model.md");
    let headings: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")))
        .filter_map(|heading| heading.split_whitespace().next())
        .map(|number| number.trim_end_matches('.'))
        .collect();
    let mut named = 0;
    for path in files("src", "rs") {
        for line in read(&path).lines().filter(|line| line.trim_start().starts_with("//") && !line.contains("YAML")) {
            for after in line.split("section ").skip(1) {
                let number: String = after.chars().take_while(|letter| letter.is_ascii_digit() || *letter == '.').collect();
                let number = number.trim_end_matches('.');
                assert!(number.is_empty() || headings.contains(number), "{path}: no section {number}");
                named += usize::from(!number.is_empty());
            }
        }
    }
    assert!(named > 20, "only {named} references");
}

#[test]
fn links_between_pages_arrive() {
    let mut pages = files("docs", "md");
    pages.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| Utf8Path::new(ROOT).join(name)));
    let mut followed = 0;
    for page in pages {
        let text = read(&page);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if link.contains("://") || link.contains([' ', '\n']) {
                continue;
            }
            let (target, anchor) = link.split_once('#').map_or((link, None), |(target, anchor)| (target, Some(anchor)));
            let file = if target.is_empty() { page.clone() } else { page.parent().unwrap().join(target) };
            assert!(file.exists(), "{page}: {link} leads nowhere");
            if let Some(anchor) = anchor {
                let there = read(&file).lines().filter(|line| line.starts_with('#')).any(|line| slug(line) == anchor);
                assert!(there, "{page}: {link} has no such heading");
            }
            followed += 1;
        }
    }
    assert!(followed > 20, "only {followed} links");
}

/// The anchor that a heading gets.
fn slug(heading: &str) -> String {
    heading
        .trim_start_matches('#')
        .trim()
        .to_lowercase()
        .chars()
        .filter_map(|letter| match letter {
            ' ' => Some('-'),
            '-' | '_' => Some(letter),
            _ => letter.is_alphanumeric().then_some(letter),
        })
        .collect()
}

/// No engine judges what is written for these: each golden case that has some names what it relies on.
#[test]
fn what_no_engine_judges_names_its_sources() {
    let unjudged = ["scylla-2025.1", "scylla-2026.1", "keyspaces"];
    let is_of_one = |path: &Utf8Path| path.components().any(|part| unjudged.contains(&part.as_str()));
    let mut cases: BTreeSet<Utf8PathBuf> = BTreeSet::new();
    for kind in ["diff", "generate", "migrate", "plan", "templates"] {
        let folder = Utf8Path::new(ROOT).join("golden").join(kind);
        for path in files(folder.as_str(), "cql").into_iter().chain(files(folder.as_str(), "json")) {
            let below = path.strip_prefix(&folder).unwrap();
            let effects = || read(&path);
            let planned = path.file_name() == Some("plan.json")
                && unjudged.iter().any(|engine| effects().contains(&format!("\"{engine}\": {{")));
            if is_of_one(below) || planned {
                cases.insert(folder.join(below.components().next().unwrap().as_str()));
            }
        }
    }
    assert!(cases.len() > 15, "only {} cases were found", cases.len());
    let sources = ["https://", ".cc`", ".rst", "`cql3/", "developer guide", "API reference"];
    for case in cases {
        let text = std::fs::read_to_string(case.join("README.md")).unwrap_or_default();
        assert!(sources.iter().any(|source| text.contains(source)), "{case}/README.md names no source");
    }
}
