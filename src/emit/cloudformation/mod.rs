//! CloudFormation templates with `AWS::DynamoDB::Table` and `AWS::DynamoDB::GlobalTable`: YAML from the templates, JSON from the same tree.
//!
//! Everything is written out, also what is off, so that a template says what is in force. Lists are in a fixed order
//! (attributes, indexes and tags by name): whether CloudFormation takes another order for a change is not documented.

mod autoscaling;
mod context;
mod global_table;
pub mod keyspaces;
mod value;

#[cfg(test)]
mod tests;

use super::engine::Templates;
use super::{Artifact, Project, Rendered, verify};
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::cloudformation::{json, long_form, read};
use crate::schema::dynamodb::Schema;
use crate::schema::{Address, Backend, Format, TemplateFormat};
use crate::source::{FileId, SourceMap, parse};

/// The template of the file, and those it includes.
const TEMPLATE: &str = "cloudformation/template.yaml.j2";
const TABLE: &str = "cloudformation/table.yaml.j2";
const INDEX: &str = "cloudformation/index.yaml.j2";
const REPLICA: &str = "cloudformation/replica.yaml.j2";

/// Renders the template of a schema, reads it back and compares it with the schema. A schema without tables gives none:
/// CloudFormation takes no template without a resource.
pub fn emit(
    project: &Project,
    schema: &Schema,
    format: TemplateFormat,
    templates: &Templates,
) -> Result<Rendered<Schema>, Vec<Diagnostic>> {
    if schema.tables.is_empty() {
        return Ok(Rendered::default());
    }
    let problems = global_table::problems(schema);
    if !problems.is_empty() {
        return Err(problems);
    }
    let expected = schema.project(Format::Cloudformation);
    let yaml = templates.render(TEMPLATE, &context::File::new(project, &expected)).map_err(|problem| vec![*problem])?;
    let artifact = |text, format: TemplateFormat| {
        let path = format!("cloudformation/template.{}", format.name()).into();
        vec![Artifact { path, text, backend: Backend::CloudformationTable }]
    };
    let mut artifacts = artifact(yaml, TemplateFormat::Yaml);
    if format == TemplateFormat::Json {
        artifacts = artifact(verify::read_back(&artifacts, to_json)?, TemplateFormat::Json);
    }
    let completed = check(schema, expected, &artifacts, templates)?;
    Ok(Rendered { artifacts, completed })
}

/// A template in YAML as JSON: functions in their long form, numbers and texts as they are.
fn to_json(sources: &SourceMap, files: &[FileId], sink: &mut Sink) -> Option<String> {
    let root = parse(sources, *files.first()?, sink)?;
    (!sink.has_errors()).then(|| format!("{:#}\n", json(&long_form(root))))
}

/// Reads a template back and compares it with the schema.
fn check(
    schema: &Schema,
    expected: Schema,
    artifacts: &[Artifact],
    templates: &Templates,
) -> Result<Option<Schema>, Vec<Diagnostic>> {
    let found = verify::read_back(artifacts, read)?;
    let words = |expressed: Schema| expressed.in_words_of(schema, Format::Cloudformation);
    verify::compare(schema, &words(expected), &words(found), templates, |difference| {
        // The innermost template that the team replaced.
        let printers: &[&'static str] = match &difference.address {
            Some(Address::GlobalIndex(..) | Address::LocalIndex(..)) => &[INDEX, TABLE, TEMPLATE],
            Some(Address::DynamodbTable(_)) => &[REPLICA, TABLE, TEMPLATE],
            _ => &[TEMPLATE],
        };
        printers.iter().copied().find(|name| templates.replaced(name).is_some()).unwrap_or(TEMPLATE)
    })
}
