//! CloudFormation templates with `AWS::DynamoDB::Table` and `AWS::DynamoDB::GlobalTable`: YAML from the templates, JSON from the same tree.
//!
//! Everything is written out, also what is off, so that a template says what is in force. Lists are in a fixed order
//! (attributes, indexes and tags by name): whether CloudFormation takes another order for a change is not documented.

mod autoscaling;
mod context;
mod division;
mod global_table;
pub mod keyspaces;
mod limits;
mod value;

#[cfg(test)]
mod tests;

use super::engine::Templates;
use super::{Artifact, Project, Rendered, Verified, verify};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::read::cloudformation::{Entries, json, long_form, read_and_count};
use crate::schema::dynamodb::Schema;
use crate::schema::{Address, Backend, Format, TemplateFormat};
use crate::source::{FileId, SourceMap, parse};
use limits::{BYTES_OF_A_REQUEST, SERVICE, Size};
use std::collections::BTreeSet;

/// The template of the file, and those it includes.
const TEMPLATE: &str = "cloudformation/template.yaml.j2";
const TABLE: &str = "cloudformation/table.yaml.j2";
const INDEX: &str = "cloudformation/index.yaml.j2";
const REPLICA: &str = "cloudformation/replica.yaml.j2";

/// Gives each table that is in no template yet the one it stays in.
pub fn divide(project: &Project, schema: &mut Schema, format: TemplateFormat, templates: &Templates) {
    divide_within(&SERVICE, project, schema, format, templates);
}

fn divide_within(limits: &Size, project: &Project, schema: &mut Schema, format: TemplateFormat, templates: &Templates) {
    let template = |part: &division::Part<'_>| {
        let artifact = render(project, part, format, templates).ok()?;
        let parsed =
            |sources: &SourceMap, files: &[FileId], sink: &mut Sink| Some(Entries::of(&parse(sources, *files.first()?, sink)?));
        let bytes = artifact.text.len();
        let entries = Entries::of_block(&artifact.text).or_else(|| verify::read_back(&[artifact], parsed).ok());
        entries.map(|entries| Size { bytes, entries })
    };
    let each = templates.own().any(|(name, _)| name.starts_with("cloudformation/"));
    division::divide(schema, limits, &division::Measure { template, each });
}

/// Renders the templates of a schema, reads them back and compares them with the schema. A schema without tables gives none:
/// CloudFormation takes no template without a resource.
pub fn emit(
    project: &Project,
    schema: &Schema,
    format: TemplateFormat,
    templates: &Templates,
    verified: Verified<'_>,
) -> Result<Rendered<Schema>, Vec<Diagnostic>> {
    emit_within(&SERVICE, project, schema, format, templates, verified)
}

fn emit_within(
    limits: &Size,
    project: &Project,
    schema: &Schema,
    format: TemplateFormat,
    templates: &Templates,
    verified: Verified<'_>,
) -> Result<Rendered<Schema>, Vec<Diagnostic>> {
    if schema.tables.is_empty() {
        return Ok(Rendered::default());
    }
    let problems = global_table::problems(schema);
    if !problems.is_empty() {
        return Err(problems);
    }
    let verified = verified.tables(Backend::CloudformationTable, schema);
    let mut expected = schema.project(Format::Cloudformation);
    let mut rendered = Vec::new();
    let (mut standing, mut parameters) = (BTreeSet::new(), BTreeSet::new());
    for part in division::parts(&expected) {
        let artifact = render(project, &part, format, templates)?;
        let own = schema.tables.iter().filter(|(_, table)| table.template.or_first() == part.template);
        let stands = verified.stand(own.map(|(key, _)| key.as_str()), &artifact);
        if stands {
            standing.insert(part.template);
        } else {
            parameters.extend(part.parameters.iter().map(|(name, _)| (*name).to_owned()));
        }
        rendered.push((artifact, stands));
    }
    expected.tables.retain(|_, table| !standing.contains(&table.template.or_first()));
    expected.parameters.retain(|name, _| parameters.contains(name));
    let to_read: Vec<&Artifact> = rendered.iter().filter(|(_, stands)| !stands).map(|(artifact, _)| artifact).collect();
    let (found, entries) = verify::read_back(to_read.iter().copied(), read_and_count)?;
    let completed = check(schema, expected, found, templates)?;
    let sizes = to_read.iter().zip(entries).map(|(artifact, entries)| (artifact, Size { bytes: artifact.text.len(), entries }));
    let problems: Vec<Diagnostic> = sizes.flat_map(|(artifact, size)| too_large(artifact, &size, limits)).collect();
    let artifacts = rendered.into_iter().map(|(artifact, _)| artifact).collect();
    if problems.is_empty() { Ok(Rendered { artifacts, completed }) } else { Err(problems) }
}

fn render(
    project: &Project,
    part: &division::Part<'_>,
    format: TemplateFormat,
    templates: &Templates,
) -> Result<Artifact, Vec<Diagnostic>> {
    let yaml = templates.render(TEMPLATE, &context::File::new(project, part)).map_err(|problem| vec![*problem])?;
    let artifact = |text, format| {
        let path = format!("cloudformation/{}", part.template.file_name(format)).into();
        Artifact { path, text, backend: Backend::CloudformationTable }
    };
    let artifact_in_yaml = artifact(yaml, TemplateFormat::Yaml);
    match format {
        TemplateFormat::Yaml => Ok(artifact_in_yaml),
        TemplateFormat::Json => Ok(artifact(verify::read_back(&[artifact_in_yaml], to_json)?, TemplateFormat::Json)),
    }
}

/// A template that CloudFormation does not take. Tables never leave a template by themselves, so somebody has to decide.
fn too_large<'a>(artifact: &'a Artifact, size: &Size, limits: &Size) -> impl Iterator<Item = Diagnostic> + use<'a> {
    let beyond: Vec<_> = size.beyond(limits).collect();
    beyond.into_iter().map(|(is, most, what)| {
        let path = &artifact.path;
        let message = format!("`{path}` would have {is} {what}, and CloudFormation takes {most} in one template");
        Diagnostic::nowhere(codes::STACK_TOO_LARGE, message).help(
            "take out of the template what others can hold, or move tables that are not deployed yet to another one: \
             `dynamodb.TABLE.template = 2` in gen.lock; `gen explain stack-too-large` tells how to move those that are",
        )
    })
}

/// Info `template-needs-bucket`: of templates that a request cannot hold.
pub fn remarks(artifacts: &[Artifact]) -> impl Iterator<Item = Diagnostic> {
    let templates = artifacts.iter().filter(|artifact| artifact.backend.format() == Format::Cloudformation);
    templates.filter(|artifact| artifact.text.len() > BYTES_OF_A_REQUEST).map(|artifact| {
        let (path, bytes) = (&artifact.path, artifact.text.len());
        let message =
            format!("`{path}` has {bytes} bytes; a request holds {BYTES_OF_A_REQUEST}, so it is deployed from a bucket");
        Diagnostic::nowhere(codes::TEMPLATE_NEEDS_BUCKET, message)
            .help("deploy it with `aws cloudformation deploy --s3-bucket BUCKET`, or by `--template-url`")
    })
}

/// A template in YAML as JSON: functions in their long form, numbers and texts as they are.
fn to_json(sources: &SourceMap, files: &[FileId], sink: &mut Sink) -> Option<String> {
    let root = parse(sources, *files.first()?, sink)?;
    (!sink.has_errors()).then(|| format!("{:#}\n", json(&long_form(root))))
}

/// Compares what was read back with the schema.
fn check(schema: &Schema, expected: Schema, found: Schema, templates: &Templates) -> Result<Option<Schema>, Vec<Diagnostic>> {
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
