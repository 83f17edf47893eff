//! A case, the files it holds, and how they are compared with what came.

use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Output};

/// One directory of `golden/<kind>`.
pub(crate) struct Case {
    /// Its name.
    pub(crate) name: String,
    /// Its path.
    pub(crate) path: Utf8PathBuf,
}

fn utf8(path: impl TryInto<Utf8PathBuf, Error: std::fmt::Debug>) -> Utf8PathBuf {
    path.try_into().unwrap()
}

/// All cases of a kind, sorted.
pub(crate) fn all(kind: &str) -> Vec<Case> {
    let folder = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(kind);
    let mut cases: Vec<Case> = fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| Case { name: entry.file_name().into_string().unwrap(), path: utf8(entry.path()) })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!cases.is_empty(), "no cases in {folder}");
    cases
}

/// A scratch folder with a git-less copy of what a user would have.
pub(crate) struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    /// Puts a file of the case in place.
    pub(crate) fn put(&self, from: &Utf8Path, to: &str) {
        let to = self.path().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    }

    /// Puts a folder of the case in place.
    pub(crate) fn put_all(&self, from: &Utf8Path, to: &str) {
        for (path, bytes) in tree(from) {
            let to = self.path().join(to).join(path);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, bytes).unwrap();
        }
    }

    /// Runs `gen` there, without colour and without the surroundings' settings.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_gen"))
            .args(arguments)
            .current_dir(self.path())
            .env_clear()
            .env("NO_COLOR", "1")
            .output()
            .unwrap()
    }
}

/// All files below a folder: relative path → bytes.
pub(crate) fn tree(folder: &Utf8Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = utf8(entry.unwrap().path());
            if path.is_dir() {
                folders.push(path);
            } else {
                let relative = path.strip_prefix(folder).unwrap().as_str().to_owned();
                files.insert(relative, fs::read(&path).unwrap());
            }
        }
    }
    files
}

impl Case {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.path.join(name).exists()
    }

    /// The model of the case under one of its names, YAML or JSON: its path and its ending.
    pub(crate) fn model(&self, stem: &str) -> Result<(Utf8PathBuf, &'static str), String> {
        ["yaml", "json"]
            .into_iter()
            .map(|ending| (self.path.join(format!("{stem}.{ending}")), ending))
            .find(|(path, _)| path.exists())
            .ok_or_else(|| format!("{} has no {stem}.yaml", self.path))
    }

    /// Puts the model of the case under one of its names in place, or the folder of models; gives what to plan. `model` is
    /// `model.yaml` or `models/`.
    pub(crate) fn put(&self, scratch: &Scratch, stem: &str) -> Result<String, String> {
        let folder = if stem == "model" { "models" } else { stem };
        if self.path.join(folder).is_dir() {
            let _ = fs::remove_dir_all(scratch.path().join("models"));
            scratch.put_all(&self.path.join(folder), "models");
            return Ok("models".to_owned());
        }
        let (model, ending) = self.model(stem)?;
        let name = format!("models/model.{ending}");
        scratch.put(&model, &name);
        Ok(name)
    }

    /// Puts the case's own settings in place: `gen.yaml`, `templates/`, `acknowledgements.yaml`.
    pub(crate) fn settings(&self, scratch: &Scratch) {
        if self.has("gen.yaml") {
            scratch.put(&self.path.join("gen.yaml"), "gen.yaml");
        }
        if self.has("templates") {
            scratch.put_all(&self.path.join("templates"), "templates");
        }
    }

    /// Compares what came with the case's files, or writes them with `BLESS=1`. `came` has the expected files by name; the
    /// case may hold only these and `inputs` (files or folders).
    pub(crate) fn compare(&self, inputs: &[&str], came: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
        let is_input = |name: &str| inputs.iter().any(|input| name == *input || name.starts_with(&format!("{input}/")));
        let mut expected = tree(&self.path);
        expected.retain(|name, _| !is_input(name));
        if std::env::var_os("BLESS").is_some() {
            for name in expected.keys().filter(|name| !came.contains_key(*name)) {
                fs::remove_file(self.path.join(name)).unwrap();
            }
            for (name, bytes) in came {
                let path = self.path.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
            return Ok(());
        }
        let mut wrong = String::new();
        for name in expected.keys().chain(came.keys()).collect::<std::collections::BTreeSet<_>>() {
            match (expected.get(name), came.get(name)) {
                (Some(_), None) => writeln!(wrong, "{name}: expected, but it did not come (or it is no file of a case)").unwrap(),
                (None, Some(_)) => writeln!(wrong, "{name}: came, but is not expected").unwrap(),
                (Some(expected), Some(came)) if expected != came => {
                    let (expected, came) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(came));
                    let diff = similar::TextDiff::from_lines(expected.as_ref(), came.as_ref());
                    let unified = diff.unified_diff().header(&format!("expected {name}"), &format!("came {name}")).to_string();
                    wrong.push_str(&unified);
                }
                _ => {}
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(format!("{wrong}\nBLESS=1 cargo test rewrites it")) }
    }
}
