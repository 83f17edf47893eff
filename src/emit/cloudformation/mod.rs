//! CloudFormation templates with `AWS::DynamoDB::Table`: YAML from the templates, JSON from the same tree.
//!
//! Everything is written out, also what is off, so that a template says what is in force. Lists are in a fixed order
//! (attributes, indexes and tags by name): whether CloudFormation takes another order for a change is not documented.

mod context;
mod value;

#[cfg(test)]
mod tests;

use super::engine::Templates;
use super::{Artifact, Project, verify};
use crate::diagnostic::{Diagnostic, Severity, Sink, codes};
use crate::read::cloudformation::{json, long_form, read};
use crate::schema::dynamodb::Schema;
use crate::schema::{Address, Backend, Format};
use crate::source::{SourceMap, Span, parse};
use std::collections::BTreeMap;

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

/// The template of the file, and those it includes.
const TEMPLATE: &str = "cloudformation/template.yaml.j2";
const TABLE: &str = "cloudformation/table.yaml.j2";
const INDEX: &str = "cloudformation/index.yaml.j2";

/// Renders the template of a schema, reads it back and compares it with the schema. A schema without tables gives none:
/// CloudFormation takes no template without a resource.
pub fn emit(project: &Project, schema: &Schema, syntax: Syntax, templates: &Templates) -> Result<Vec<Artifact>, Vec<Diagnostic>> {
    if schema.tables.is_empty() {
        return Ok(Vec::new());
    }
    let expected = schema.project(Format::Cloudformation);
    let yaml = templates.render(TEMPLATE, &context::File::new(project, &expected)).map_err(|problem| vec![*problem])?;
    let text = match syntax {
        Syntax::Yaml => yaml,
        Syntax::Json => to_json(&yaml).map_err(|problems| unreadable(&yaml, &problems, templates))?,
    };
    check(schema, expected, &text, templates)?;
    let path = format!("cloudformation/template.{}", syntax.name()).into();
    Ok(vec![Artifact { path, text, backend: Backend::CloudformationTable }])
}

/// Reads a template back and compares it with the schema. What a team's own templates add beside what is modelled is theirs.
fn check(schema: &Schema, expected: Schema, text: &str, templates: &Templates) -> Result<(), Vec<Diagnostic>> {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let file = sources.add("template", text);
    let Some(mut found) = read(&sources, &[file], &mut sink) else {
        return Err(unreadable(text, &sink.into_sorted(), templates));
    };
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
        let printers: &[&'static str] = match &difference.address {
            Some(Address::GlobalIndex(..) | Address::LocalIndex(..)) => &[INDEX, TABLE, TEMPLATE],
            Some(Address::DynamodbTable(_)) => &[TABLE, TEMPLATE],
            _ => &[TEMPLATE],
        };
        printers.iter().copied().find(|name| templates.replaced(name).is_some()).unwrap_or(TEMPLATE)
    });
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The problems of a text that the templates printed, each with the line it is about.
fn unreadable(text: &str, problems: &[Diagnostic], templates: &Templates) -> Vec<Diagnostic> {
    let replaced = [INDEX, TABLE, TEMPLATE].into_iter().find_map(|name| templates.replaced(name));
    let line = |problem: &Diagnostic| {
        let start = problem.primary.as_ref().map_or(0, |label| label.span.start as usize);
        text.get(..start).unwrap_or_default().lines().count().max(1)
    };
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
    errors
        .map(|problem| {
            let line = line(problem);
            let message = format!("what the templates print is no template: {} (line {line})", problem.message);
            let diagnostic = match replaced {
                Some(file) => Diagnostic::new(codes::TEMPLATE_LOSES, Span::new(file, 0, 0), message),
                None => Diagnostic::nowhere(codes::TEMPLATE_LOSES, message),
            };
            match text.lines().nth(line - 1) {
                Some(printed) => diagnostic.note(format!("it prints `{}`", printed.trim())),
                None => diagnostic,
            }
        })
        .collect()
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
