//! `gen.yaml`: where models, output and templates are, and what to generate.

mod files;
mod read;
mod targets;

pub use files::{Error, find, models_at, models_in};
pub use read::load;
pub use targets::{Cloudformation, Keyspaces, Provider, Targets, Terraform};

use crate::diagnostic::Level;
use crate::schema::Scalar;
use camino::Utf8PathBuf;
use std::collections::BTreeMap;

/// The file's name.
pub const NAME: &str = "gen.yaml";

/// What `gen.yaml` says, or what holds without one.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Model files, and folders of them, relative to the folder of `gen.yaml`.
    pub models: Vec<Utf8PathBuf>,
    /// The output folder, relative to that of `gen.yaml` and inside it.
    pub output: Utf8PathBuf,
    /// The platform team's templates, relative to the folder of `gen.yaml`.
    pub templates: Option<Utf8PathBuf>,
    /// What to generate.
    pub targets: Targets,
    /// Findings of this level and above block.
    pub fail_on: FailOn,
    /// Limits of findings that differ from the built-in ones, by the finding's code.
    pub thresholds: BTreeMap<String, Threshold>,
    /// A platform team's own data for its templates.
    pub vars: serde_json::Map<String, serde_json::Value>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            models: vec!["models".into()],
            output: "infra".into(),
            templates: None,
            targets: Targets::default(),
            fail_on: FailOn::default(),
            thresholds: BTreeMap::new(),
            vars: serde_json::Map::new(),
        }
    }
}

/// From which level on findings block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailOn {
    /// Findings of level error.
    #[default]
    Error,
    /// Warnings too.
    Warning,
    /// All findings.
    Info,
    /// No finding.
    Never,
}

impl FailOn {
    /// Whether a finding of this level blocks.
    #[must_use]
    pub fn blocks(self, level: Level) -> bool {
        match self {
            Self::Error => level >= Level::Error,
            Self::Warning => level >= Level::Warning,
            Self::Info => true,
            Self::Never => false,
        }
    }
}

/// Limits of one finding.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Threshold {
    /// From here on it is a warning, in the finding's own unit.
    #[serde(default)]
    pub warn: Option<Scalar>,
    /// From here on it is an error.
    #[serde(default)]
    pub error: Option<Scalar>,
    /// Why.
    pub reason: String,
}

#[cfg(test)]
mod tests;
