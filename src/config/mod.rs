//! `gen.yaml`: where models, output and templates are, and what to generate.

mod files;
mod read;
mod schema;
mod targets;

pub use files::{Error, find, is_model, models_at, models_beside, models_in};
pub use read::load;
pub use schema::schema;
pub use targets::{Cloudformation, Keyspaces, Provider, Targets, Terraform};

use crate::diagnostic::{Level, Thresholds};
use crate::source::{Span, Spanned};
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
    /// Where they are named.
    pub templates_at: Option<Span>,
    /// Data of the team's own, for its templates.
    pub vars: serde_json::Map<String, serde_json::Value>,
    /// What to generate.
    pub targets: Targets,
    /// Environments, by name; none: the models are generated once, with their own values.
    pub environments: BTreeMap<String, Environment>,
    /// Where they are named.
    pub environments_at: Option<Span>,
    /// Findings of this level and above block.
    pub fail_on: FailOn,
    /// Limits of findings, where others are given.
    pub thresholds: Thresholds,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            models: vec!["models".into()],
            output: "infra".into(),
            templates: None,
            templates_at: None,
            vars: serde_json::Map::new(),
            targets: Targets::default(),
            environments: BTreeMap::new(),
            environments_at: None,
            fail_on: FailOn::default(),
            thresholds: Thresholds::default(),
        }
    }
}

/// An environment: each model is generated for it, into a folder of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// Where its name stands.
    pub span: Span,
    /// The values of parameters in it, each with its place.
    pub set: BTreeMap<String, Setting>,
}

/// The value of a parameter in an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Where the parameter is named.
    pub name: Span,
    /// The value, as it was written; its type is that of the parameter.
    pub value: Spanned<String>,
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
