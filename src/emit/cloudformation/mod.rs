//! CloudFormation templates with `AWS::DynamoDB::Table`: YAML from the templates, JSON from the same tree.
//!
//! Everything is written out, also what is off, so that a template says what is in force. Lists are in a fixed order
//! (attributes, indexes and tags by name): whether CloudFormation takes another order for a change is not documented.

mod autoscaling;
mod context;
pub mod keyspaces;
mod value;

#[cfg(test)]
mod tests;

use super::engine::Templates;
use super::{Artifact, Project, verify};
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::cloudformation::{json, long_form, read};
use crate::schema::dynamodb::Schema;
use crate::schema::{Address, Backend, Format, TemplateFormat};
use crate::source::{FileId, SourceMap, parse};
use std::collections::BTreeMap;

/// The template of the file, and those it includes.
const TEMPLATE: &str = "cloudformation/template.yaml.j2";
const TABLE: &str = "cloudformation/table.yaml.j2";
const INDEX: &str = "cloudformation/index.yaml.j2";

/// Renders the template of a schema, reads it back and compares it with the schema. A schema without tables gives none:
/// CloudFormation takes no template without a resource.
pub fn emit(
    project: &Project,
    schema: &Schema,
    format: TemplateFormat,
    templates: &Templates,
) -> Result<Vec<Artifact>, Vec<Diagnostic>> {
    if schema.tables.is_empty() {
        return Ok(Vec::new());
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
    check(schema, expected, &artifacts, templates)?;
    Ok(artifacts)
}

/// A template in YAML as JSON: functions in their long form, numbers and texts as they are.
fn to_json(sources: &SourceMap, files: &[FileId], sink: &mut Sink) -> Option<String> {
    let root = parse(sources, *files.first()?, sink)?;
    (!sink.has_errors()).then(|| format!("{:#}\n", json(&long_form(&root))))
}

/// Reads a template back and compares it with the schema. What a team's own templates add beside what is modelled is theirs.
fn check(schema: &Schema, expected: Schema, artifacts: &[Artifact], templates: &Templates) -> Result<(), Vec<Diagnostic>> {
    let mut found = verify::read_back(artifacts, read)?;
    for table in found.tables.values_mut() {
        table.extra.clear();
        table.local_indexes.values_mut().for_each(|index| index.extra.clear());
        table.global_indexes.values_mut().for_each(|index| index.extra.clear());
    }
    // Problems speak of the model's tables.
    let keys: BTreeMap<&str, &str> = schema.tables.iter().map(|(key, table)| (table.logical_id.as_str(), key.as_str())).collect();
    let by_key = |schema: Schema| {
        let key = |logical_id: String| keys.get(logical_id.as_str()).map_or(logical_id.clone(), |key| (*key).to_owned());
        Schema { tables: schema.tables.into_iter().map(|(logical_id, table)| (key(logical_id), table)).collect(), ..schema }
    };
    let problems = verify::compare(&by_key(expected), &by_key(found), templates, |difference| {
        // The innermost template that the team replaced.
        let printers: &[&'static str] = match &difference.address {
            Some(Address::GlobalIndex(..) | Address::LocalIndex(..)) => &[INDEX, TABLE, TEMPLATE],
            Some(Address::DynamodbTable(_)) => &[TABLE, TEMPLATE],
            _ => &[TEMPLATE],
        };
        printers.iter().copied().find(|name| templates.replaced(name).is_some()).unwrap_or(TEMPLATE)
    });
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
