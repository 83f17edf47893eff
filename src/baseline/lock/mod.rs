//! `gen.lock`: the generation that was applied, one fact a line, and the hash of each file. See `docs/gen-lock.md`.

mod facts;
mod flat;
mod path;
mod read;
#[cfg(test)]
mod tests;
mod text;
mod typed;

use crate::schema::{Backend, Generation, Schema};
use camino::Utf8Path;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt;

/// The format that is written.
const VERSION: u64 = 1;

/// The name of the lock in a model's output folder.
pub const NAME: &str = "gen.lock";

/// Whether a file is a lock, by its name or by how it begins.
#[must_use]
pub fn is_lock(path: &Utf8Path, text: &str) -> bool {
    path.file_name() == Some(NAME) || text.starts_with("gen-lock ")
}

/// What was applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Lock {
    /// The model's name.
    pub model: String,
    /// The schema of each backend that was generated for.
    pub generation: Generation,
    /// The backends whose schema templates added to, with the whole.
    pub completed: Generation,
    /// The files, by their path beside the lock, as text with `/`. None: the hash is not known, because a merge left both sides.
    pub files: BTreeMap<String, Option<Digest>>,
}

/// A SHA-256, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Digest(String);

impl Digest {
    /// Of a file's bytes.
    #[must_use]
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        let digest = Sha256::digest(bytes.as_ref());
        let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
        Self(digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect())
    }

    fn parse(text: &str) -> Option<Self> {
        let hex = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        hex.then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let backends: Vec<&str> = self.generation.keys().map(|backend| backend.name()).collect();
        let mut lines = vec![format!("backends = {}", Value::from(backends)), format!("model = {}", Value::from(&*self.model))];
        let keyspaces = facts::several_keyspaces(self.generation.values().chain(self.completed.values()));
        let line = |facts::Fact { name: mut line, backend, value }: facts::Fact| {
            if let Some(backend) = backend {
                line.extend([" @", backend.name()]);
            }
            line.extend([" = ", &value]);
            line
        };
        lines.extend(facts::facts(&self.generation, keyspaces).into_iter().map(line));
        // Facts come in this order nearly: a stable sort takes the runs as they are.
        lines.sort();
        writeln!(f, "gen-lock {VERSION}")?;
        for line in lines {
            writeln!(f, "{line}")?;
        }
        let mut added: Vec<String> = facts::added(&self.generation, &self.completed, keyspaces).into_iter().map(line).collect();
        added.sort_unstable();
        if !added.is_empty() {
            writeln!(f, "{}", text::TEMPLATES)?;
        }
        for line in added {
            writeln!(f, "{line}")?;
        }
        writeln!(f, "[files]")?;
        let files = self.files.iter().filter_map(|(path, digest)| Some((Utf8Path::new(path), digest.as_ref()?)));
        // A folder comes before what begins with its name.
        let mut files: Vec<(&Utf8Path, &Digest)> = files.collect();
        files.sort();
        for (path, digest) in files {
            writeln!(f, "{path} {digest}")?;
        }
        Ok(())
    }
}

impl Lock {
    /// That of a model before anything of it was applied.
    #[must_use]
    pub fn empty(model: &str) -> Self {
        let (generation, completed) = (Generation::new(), Generation::new());
        Self { model: model.to_owned(), generation, completed, files: BTreeMap::new() }
    }

    /// The schema of a backend, with what templates added to it.
    #[must_use]
    pub fn schema(&self, backend: Backend) -> Option<&Schema> {
        self.completed.get(&backend).or_else(|| self.generation.get(&backend))
    }

    /// The schema of each backend, with what templates added to it.
    #[must_use]
    pub fn in_force(&self) -> Generation {
        self.generation.clone().into_iter().chain(self.completed.clone()).collect()
    }
}
