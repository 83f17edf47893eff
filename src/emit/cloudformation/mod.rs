//! CloudFormation templates with `AWS::DynamoDB::Table`: YAML from the templates, JSON from the same tree.
//!
//! Everything is written out, also what is off, so that a template says what is in force. Lists are in a fixed order
//! (attributes, indexes and tags by name): whether CloudFormation takes another order for a change is not documented.

mod context;
mod value;

#[cfg(test)]
mod tests;

use super::engine::Templates;
use super::{Artifact, Project};
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::cloudformation::{json, long_form};
use crate::schema::Backend;
use crate::schema::dynamodb::Schema;
use crate::source::{SourceMap, parse};

/// How a template is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// With comments and short functions.
    #[default]
    Yaml,
    /// The same tree, without comments.
    Json,
}

impl Syntax {
    /// The name in `gen.yaml`, and the extension of the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Yaml => "yaml",
            Self::Json => "json",
        }
    }
}

const TEMPLATE: &str = "cloudformation/template.yaml.j2";

/// Renders the template of a schema, reads it back and compares it with the schema. A schema without tables gives none:
/// CloudFormation takes no template without a resource.
pub fn emit(project: &Project, schema: &Schema, syntax: Syntax, templates: &Templates) -> Result<Vec<Artifact>, Vec<Diagnostic>> {
    if schema.tables.is_empty() {
        return Ok(Vec::new());
    }
    let written = schema.as_cloudformation();
    let yaml = templates.render(TEMPLATE, &context::File::new(project, &written)).map_err(|problem| vec![*problem])?;
    let text = match syntax {
        Syntax::Yaml => yaml,
        Syntax::Json => to_json(&yaml)?,
    };
    let path = format!("cloudformation/template.{}", syntax.name()).into();
    Ok(vec![Artifact { path, text, backend: Backend::CloudformationTable }])
}

/// A template in YAML as JSON: functions in their long form, numbers and texts as they are.
fn to_json(yaml: &str) -> Result<String, Vec<Diagnostic>> {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let file = sources.add("template.yaml", yaml);
    match parse(&sources, file, &mut sink) {
        Some(root) if !sink.has_errors() => Ok(format!("{:#}\n", json(&long_form(&root)))),
        _ => Err(sink.into_sorted()),
    }
}
