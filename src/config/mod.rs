//! `gen.yaml`: where models, output and templates are, and what to generate.

mod files;
mod read;
mod targets;

pub use files::{Error, find, models_at, models_in};
pub use read::load;
pub use targets::{Cloudformation, Keyspaces, Provider, Targets, Terraform};

use crate::diagnostic::Level;
use camino::Utf8PathBuf;

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
    /// Data of the team's own, for its templates.
    pub vars: serde_json::Map<String, serde_json::Value>,
    /// What to generate.
    pub targets: Targets,
    /// Findings of this level and above block.
    pub fail_on: FailOn,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            models: vec!["models".into()],
            output: "infra".into(),
            templates: None,
            vars: serde_json::Map::new(),
            targets: Targets::default(),
            fail_on: FailOn::default(),
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

#[cfg(test)]
mod tests;
