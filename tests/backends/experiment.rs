//! The experiment: `gen apply` on the models of all samples, backend by backend, and what that says of each.

use crate::outline;
use crate::sample::{OWNER, Sample, owner, written};
use camino::Utf8Path;
use nosql_gen::diagnostic::codes;
use nosql_gen::schema::{Backend, Engine, Store};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// What is said about a model: code and message.
pub(crate) type Said = (String, String);

/// What becomes of a key on a backend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The output says it in these words.
    Reaches(Vec<String>),
    /// The output is the same without it. What was said about that.
    LeftOut(Vec<Said>),
    /// The model is refused: the first error.
    Refused(Said),
}

/// The outcome of each sample on a backend, in their order.
pub(crate) fn outcomes(samples: &[Sample], backend: Backend) -> Vec<Outcome> {
    let models: Vec<[Value; 2]> =
        samples.iter().enumerate().map(|(number, sample)| sample.models(&name(number), backend)).collect();
    let [without, with] = [0, 1].map(|side| {
        let models = models.iter().enumerate().filter_map(|(number, pair)| Some((name(number), pair.get(side)?)));
        generate(models.collect(), backend)
    });
    let mut bad = Vec::new();
    let outcomes = (0..samples.len())
        .map(|number| {
            let name = name(number);
            match (&without[&name], &with[&name]) {
                (_, Generated { output: None, said }) => Outcome::Refused(said.first().unwrap().clone()),
                (Generated { output: None, said }, _) => {
                    bad.push(format!("{}: {said:?}", samples[number].key));
                    Outcome::LeftOut(Vec::new())
                }
                (Generated { output: Some(without), said: before }, Generated { output: Some(with), said }) => {
                    let words = outline::added(without, with, backend.format());
                    if words.is_empty() {
                        let of = |said: &BTreeSet<Said>| -> BTreeSet<Said> {
                            said.iter().filter(|(code, _)| code == codes::LEFT_OUT.slug()).cloned().collect()
                        };
                        let (said, before) = (of(said), of(before));
                        let more: Vec<Said> = said.difference(&before).cloned().collect();
                        // What both are without is said of both.
                        Outcome::LeftOut(if more.is_empty() { said.into_iter().collect() } else { more })
                    } else {
                        Outcome::Reaches(words)
                    }
                }
            }
        })
        .collect();
    assert!(bad.is_empty(), "refused on {backend} without the key, but not with it: {bad:#?}");
    outcomes
}

fn name(number: usize) -> String {
    format!("m{number:03}")
}

/// What came of one model.
struct Generated {
    /// All its files, one after the other; None when the model has errors.
    output: Option<String>,
    /// What was said about it; only errors when there are some.
    said: BTreeSet<Said>,
}

/// Generates from the models, all in one folder, and in one run as far as they have no errors.
fn generate(models: BTreeMap<String, &Value>, backend: Backend) -> BTreeMap<String, Generated> {
    let folder = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(folder.path()).unwrap();
    fs::write(folder.join("gen.yaml"), format!("gen: 1\nmodels: [models]\ntargets: {{ {} }}\n", target(backend))).unwrap();
    fs::create_dir(folder.join("models")).unwrap();
    for (name, model) in &models {
        let text = serde_json::to_string_pretty(&written(model)).unwrap();
        fs::write(folder.join(format!("models/{name}.json")), text).unwrap();
    }
    if backend.store() == Store::Dynamodb {
        fs::write(folder.join(format!("models/{OWNER}.json")), owner().to_string()).unwrap();
    }
    let mut generated = BTreeMap::new();
    // A run with errors writes nothing.
    let report = loop {
        let report = apply(folder);
        if let Some(said) = refused_as_a_whole(&report) {
            let refused = |name| (name, Generated { output: None, said: [said.clone()].into() });
            return models.into_keys().map(refused).collect();
        }
        let mut refused: BTreeMap<String, BTreeSet<Said>> = BTreeMap::new();
        for (name, said, is_error) in findings(&report) {
            if is_error {
                refused.entry(name).or_default().insert(said);
            }
        }
        if refused.is_empty() {
            break report;
        }
        for (name, said) in refused {
            fs::remove_file(folder.join(format!("models/{name}.json"))).unwrap();
            generated.insert(name, Generated { output: None, said });
        }
    };
    let mut said: BTreeMap<String, BTreeSet<Said>> = BTreeMap::new();
    for (name, one, _) in findings(&report) {
        said.entry(name).or_default().insert(one);
    }
    for name in models.into_keys() {
        // Every model has one name on the page.
        let output = text(&folder.join("infra").join(&name)).replace(&name, "shop");
        let said = said.remove(&name).unwrap_or_default();
        generated.entry(name).or_insert(Generated { output: Some(output), said });
    }
    generated
}

/// How `gen.yaml` names a backend.
fn target(backend: Backend) -> &'static str {
    match backend {
        Backend::TerraformAws5 => "terraform: { provider: aws-5 }",
        Backend::TerraformAws6 => "terraform: { provider: aws-6 }",
        Backend::CloudformationTable => "cloudformation: { resource: table }",
        Backend::CloudformationGlobalTable => "cloudformation: { resource: global_table }",
        Backend::Cql(_) => "cql: {}",
        Backend::KeyspacesTerraform => "keyspaces: terraform",
        Backend::KeyspacesCloudformation => "keyspaces: cloudformation",
    }
}

fn apply(folder: &Utf8Path) -> Value {
    let mut gen_command = Command::new(env!("CARGO_BIN_EXE_gen"));
    let gen_command = gen_command.args(["apply", "--format", "json"]).current_dir(folder).env_clear();
    let output = gen_command.output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// The error of `gen.yaml`, when it asks for what is not there.
fn refused_as_a_whole(report: &Value) -> Option<Said> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = report["findings"].as_array().unwrap();
    let one = findings.iter().find(|one| one["kind"] == "error" && one["location"]["file"] == "gen.yaml")?;
    Some((text(&one["code"]), text(&one["message"])))
}

/// The model that each finding is about, the finding, and whether it is an error.
fn findings(report: &Value) -> Vec<(String, Said, bool)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |one: &Value| {
        let file = text(&one["location"]["file"]);
        let is_error = one["kind"] == "error";
        let name = file.strip_prefix("models/").and_then(|file| file.strip_suffix(".json"));
        Some((name?.to_owned(), (text(&one["code"]), text(&one["message"])), is_error))
    };
    report["findings"].as_array().unwrap().iter().filter_map(of).collect()
}

/// All that was generated into a folder, but not what tells of a change.
fn text(folder: &Utf8Path) -> String {
    let mut entries: Vec<_> = folder.read_dir_utf8().into_iter().flatten().map(|entry| entry.unwrap().into_path()).collect();
    entries.sort();
    let mut all = String::new();
    for path in entries {
        if path.is_dir() {
            if !path.ends_with("migrations") {
                all += &text(&path);
            }
        } else if !path.ends_with("gen.lock") {
            all += &fs::read_to_string(path).unwrap();
        }
    }
    all
}

/// The backends of one kind of store.
pub(crate) fn backends(cql: bool) -> Vec<Backend> {
    Backend::ALL.into_iter().filter(|backend| backend.engine().is_some() == cql).collect()
}

/// The family whose documents tell of a backend.
pub(crate) fn is_scylla(engine: Engine) -> bool {
    engine.name().starts_with("scylla")
}
