//! Amazon Keyspaces as a CloudFormation template of its own: the keyspace, its types, its tables.
//!
//! Everything is written out, also what is off; types stand before what uses them, and resources name what they wait for.

use super::{to_json, value};
use crate::diagnostic::Diagnostic;
use crate::emit::engine::{Literal, Templates};
use crate::emit::keyspaces::{Scaling, Settings, lacks};
use crate::emit::{Artifact, Project, Rendered, cql, verify};
use crate::read::cloudformation::read_all;
use crate::schema::cql::{Column, Keyspace, Schema, Table, Type};
use crate::schema::{About, Address, Backend, Difference, Engine, TemplateFormat};
use serde::Serialize;
use std::collections::BTreeSet;

const BACKEND: Backend = Backend::KeyspacesCloudformation;

/// The template of the file, and those it includes.
const TEMPLATE: &str = "cloudformation/keyspaces.yaml.j2";
const TABLE: &str = "cloudformation/keyspaces_table.yaml.j2";

/// Renders the template, reads it back and compares it with the schema. None for a schema without a keyspace of its own.
pub fn emit(
    project: &Project,
    schema: &Schema,
    format: TemplateFormat,
    templates: &Templates,
) -> Result<Rendered<Schema>, Vec<Diagnostic>> {
    let errors: Vec<Diagnostic> = lacks(schema, BACKEND).into_iter().filter(Diagnostic::is_error).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let keyspaces: Vec<KeyspaceContext<'_>> = schema
        .keyspaces
        .iter()
        .filter(|(_, keyspace)| !keyspace.replication.is_empty())
        .map(|(name, keyspace)| KeyspaceContext::new(name, keyspace))
        .collect();
    if keyspaces.is_empty() {
        return Ok(Rendered::default());
    }
    let context = File {
        header: project.header(),
        project,
        description: super::context::shortened_description(project.description.as_deref()),
        keyspaces,
    };
    let yaml = templates.render(TEMPLATE, &context).map_err(|problem| vec![*problem])?;
    let artifact = |text, format: TemplateFormat| {
        let path = format!("cloudformation/keyspaces.{}", format.name()).into();
        vec![Artifact { path, text, backend: BACKEND }]
    };
    let mut artifacts = artifact(yaml, TemplateFormat::Yaml);
    if format == TemplateFormat::Json {
        artifacts = artifact(verify::read_back(&artifacts, to_json)?, TemplateFormat::Json);
    }
    let completed = check(schema, &artifacts, templates)?;
    Ok(Rendered { artifacts, completed })
}

fn check(schema: &Schema, artifacts: &[Artifact], templates: &Templates) -> Result<Option<Schema>, Vec<Diagnostic>> {
    let found = verify::read_back(artifacts, read_all)?.keyspaces;
    let words = |expressed: Schema| expressed.normalise(Engine::Keyspaces).in_words_of_managed(schema, BACKEND);
    let (expected, found) = (words(schema.as_managed(BACKEND)), words(found));
    verify::compare(schema, &expected, &found, templates, |difference: &Difference| {
        let own: &[&'static str] = match &difference.address {
            Some(Address::CqlTable(..)) => &[TABLE, TEMPLATE],
            _ => &[TEMPLATE],
        };
        own.iter().copied().find(|name| templates.replaced(name).is_some()).unwrap_or(TEMPLATE)
    })
}

#[derive(Serialize)]
struct File<'a> {
    header: String,
    project: &'a Project,
    description: Option<String>,
    keyspaces: Vec<KeyspaceContext<'a>>,
}

#[derive(Serialize)]
struct KeyspaceContext<'a> {
    logical_id: &'a str,
    reference: Literal,
    name: &'a str,
    deletion_policy: Option<&'a str>,
    update_replace_policy: Option<&'a str>,
    /// Empty: one Region, that of the stack.
    regions: Vec<&'a str>,
    types: Vec<TypeContext<'a>>,
    tables: Vec<TableContext<'a>>,
}

#[derive(Serialize)]
struct TypeContext<'a> {
    logical_id: &'a str,
    name: &'a str,
    description: Option<&'a str>,
    deletion_policy: Option<&'a str>,
    update_replace_policy: Option<&'a str>,
    depends_on: Vec<&'a str>,
    fields: Vec<Typed<'a>>,
}

#[derive(Serialize)]
struct Typed<'a> {
    name: &'a str,
    r#type: String,
}

#[derive(Serialize)]
struct Ordered<'a> {
    name: &'a str,
    r#type: String,
    order: &'static str,
}

#[derive(Serialize)]
struct TableContext<'a> {
    logical_id: &'a str,
    output: String,
    description: Option<&'a str>,
    serves: &'a [String],
    deletion_policy: Option<&'a str>,
    update_replace_policy: Option<&'a str>,
    depends_on: Vec<&'a str>,
    name: &'a str,
    partition_key: Vec<Typed<'a>>,
    clustering: Vec<Ordered<'a>>,
    columns: Vec<Typed<'a>>,
    default_time_to_live: Option<Literal>,
    billing: Option<Billing>,
    autoscaling: Option<Autoscaling>,
    point_in_time_recovery: Option<bool>,
    encryption: Option<Encryption<'a>>,
    client_side_timestamps: bool,
    change_capture: Option<ChangeCapture<'a>>,
    tags: Vec<Tag<'a>>,
}

#[derive(Serialize)]
struct Billing {
    mode: &'static str,
    read: Option<Literal>,
    write: Option<Literal>,
}

#[derive(Serialize)]
struct Autoscaling {
    read: Option<ScalingContext>,
    write: Option<ScalingContext>,
}

#[derive(Serialize)]
struct ScalingContext {
    min: Literal,
    max: Literal,
    utilisation: Literal,
}

#[derive(Serialize)]
struct Encryption<'a> {
    r#type: &'a str,
    kms_key: Option<&'a str>,
}

#[derive(Serialize)]
struct ChangeCapture<'a> {
    status: &'static str,
    view_type: Option<&'a str>,
}

#[derive(Serialize)]
struct Tag<'a> {
    key: &'a str,
    value: &'a str,
}

fn description(about: &About) -> Option<&str> {
    about.description.as_deref().filter(|text| !text.trim().is_empty())
}

impl<'a> KeyspaceContext<'a> {
    fn new(name: &'a str, keyspace: &'a Keyspace) -> Self {
        let managed = &keyspace.managed;
        Self {
            logical_id: &managed.logical_id,
            reference: Literal::verbatim(value::reference(&managed.logical_id)),
            name,
            deletion_policy: managed.deletion_policy.as_deref(),
            update_replace_policy: managed.update_replace_policy.as_deref(),
            regions: keyspace.regions().collect(),
            types: cql::in_order(&keyspace.types)
                .map(|(name, user)| TypeContext {
                    logical_id: &user.managed.logical_id,
                    name,
                    description: description(&user.about),
                    deletion_policy: user.managed.deletion_policy.as_deref(),
                    update_replace_policy: user.managed.update_replace_policy.as_deref(),
                    depends_on: used(keyspace, user.fields.iter().map(|(_, kind)| kind)),
                    fields: user.fields.iter().map(|(name, kind)| Typed { name, r#type: kind.to_string() }).collect(),
                })
                .collect(),
            tables: keyspace
                .tables
                .values()
                .filter(|table| !table.kept)
                .map(|table| TableContext::new(keyspace, table))
                .collect(),
        }
    }
}

/// The logical IDs of the user types that types hold.
fn used<'a, 't>(keyspace: &'a Keyspace, kinds: impl Iterator<Item = &'t Type>) -> Vec<&'a str> {
    fn collect<'a>(keyspace: &'a Keyspace, kind: &Type, found: &mut BTreeSet<&'a str>) {
        if let Type::User(name) = kind {
            found.extend(keyspace.types.get(name).map(|user| user.managed.logical_id.as_str()));
        }
        kind.inner().into_iter().for_each(|inner| collect(keyspace, inner, found));
    }
    let mut found = BTreeSet::new();
    kinds.for_each(|kind| collect(keyspace, kind, &mut found));
    found.into_iter().collect()
}

impl<'a> TableContext<'a> {
    fn new(keyspace: &'a Keyspace, table: &'a Table) -> Self {
        let settings = Settings::of(table);
        let managed = &table.managed;
        let number = |text: &str| Literal::verbatim(text);
        let typed = |(name, column): (&'a String, &Column)| Typed { name, r#type: column.kind.to_string() };
        let kind = |name: &String| table.columns.get(name).map(|column| column.kind.to_string()).unwrap_or_default();
        let scaling = |scaling: &Scaling| ScalingContext {
            min: Literal::verbatim(&scaling.min),
            max: Literal::verbatim(&scaling.max),
            utilisation: Literal::verbatim(&scaling.target),
        };
        let scaled = settings.read_scaling.is_some() || settings.write_scaling.is_some();
        Self {
            logical_id: &managed.logical_id,
            output: format!("{}Name", managed.logical_id),
            description: description(&table.about),
            serves: &table.about.serves,
            deletion_policy: managed.deletion_policy.as_deref(),
            update_replace_policy: managed.update_replace_policy.as_deref(),
            depends_on: used(keyspace, table.columns.values().map(|column| &column.kind)),
            name: &table.name,
            partition_key: table.partition_key.iter().map(|name| Typed { name, r#type: kind(name) }).collect(),
            clustering: table
                .clustering
                .iter()
                .map(|key| Ordered {
                    name: &key.column,
                    r#type: kind(&key.column),
                    order: if key.descending { "DESC" } else { "ASC" },
                })
                .collect(),
            columns: table.columns.iter().filter(|(name, _)| !table.is_key(name)).map(typed).collect(),
            default_time_to_live: settings.default_time_to_live.as_deref().map(number),
            billing: settings.throughput_mode.map(|mode| Billing {
                mode: if mode == "PROVISIONED" { "PROVISIONED" } else { "ON_DEMAND" },
                read: settings.read.map(number),
                write: settings.write.map(number),
            }),
            autoscaling: scaled.then(|| Autoscaling {
                read: settings.read_scaling.as_ref().map(scaling),
                write: settings.write_scaling.as_ref().map(scaling),
            }),
            point_in_time_recovery: settings.point_in_time_recovery,
            encryption: settings.encryption_type.map(|kind| Encryption { r#type: kind, kms_key: settings.kms_key }),
            client_side_timestamps: settings.client_side_timestamps,
            change_capture: settings
                .change_capture
                .map(|(on, view_type)| ChangeCapture { status: if on { "ENABLED" } else { "DISABLED" }, view_type }),
            tags: settings.tags.iter().map(|(key, value)| Tag { key, value }).collect(),
        }
    }
}
