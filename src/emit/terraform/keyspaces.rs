//! Amazon Keyspaces in a Terraform module: the keyspace, one file a table. They stand beside the files of DynamoDB and share
//! `versions.tf` with them.

mod scaling;

use super::Files;
use super::context::{Companion, Import, Module, Move, Removed};
use crate::diagnostic::{Diagnostic, codes};
use crate::emit::engine::{Literal, Templates};
use crate::emit::keyspaces::{Settings, lacks};
use crate::emit::literal::hcl;
use crate::emit::{Artifact, Project, Rendered, verify};
use crate::read;
use crate::schema::cql::{Keyspace, Schema, Table};
use crate::schema::{Address, Backend, Difference, Engine, dynamodb, moved};
use minijinja::Value as ContextValue;
use scaling::{ScalingContext, scaled_as, scaling, scaling_label};
use serde::Serialize;
use std::collections::BTreeMap;

const BACKEND: Backend = Backend::KeyspacesTerraform;

/// What else is in the module.
#[derive(Clone, Copy, Debug)]
pub enum Beside<'a> {
    /// The tables of DynamoDB, whose files say which provider it is.
    Dynamodb(&'a dynamodb::Schema),
    /// Nothing: the provider is of this major version.
    Nothing {
        /// `provider: aws-6`
        six: bool,
    },
}

/// Renders the files, reads them back and compares them with the schema.
pub fn emit(
    project: &Project,
    schema: &Schema,
    beside: Beside<'_>,
    templates: &Templates,
) -> Result<Rendered<Schema>, Vec<Diagnostic>> {
    let errors: Vec<Diagnostic> =
        lacks(schema, BACKEND).into_iter().filter(Diagnostic::is_error).chain(names(schema, beside)).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut files = Files { backend: BACKEND, templates, artifacts: Vec::new(), problems: Vec::new() };
    let module = Module { header: &project.header(), project };
    if let Beside::Nothing { six } = beside {
        files.add("versions", "versions", &module.versions(if six { "~> 6.0" } else { "~> 5.100" }.to_owned()));
    }
    let tables = || schema.keyspaces.values().flat_map(|keyspace| keyspace.tables.values());
    let mut removed: Vec<&Table> = tables().filter(|table| table.kept && !table.managed.terraform_name.is_empty()).collect();
    removed.sort_unstable_by_key(|table| &table.managed.terraform_name);
    let created = schema.keyspaces.iter().filter(|(_, keyspace)| !keyspace.replication.is_empty());
    let keyspaces: Vec<KeyspaceContext<'_>> = created.map(|(name, keyspace)| KeyspaceContext::new(name, keyspace)).collect();
    for keyspace in &keyspaces {
        files.add("keyspaces_keyspace", &format!("keyspaces_keyspace_{}", keyspace.label), &File { module, keyspace });
        for table in &keyspace.tables {
            files.add("keyspaces_table", &format!("keyspaces_table_{}", table.label), &TableFile { module, keyspace, table });
        }
    }
    if !keyspaces.is_empty() {
        files.add(
            "keyspaces_outputs",
            "keyspaces_outputs",
            &Outputs { module, keyspaces: keyspaces.iter().map(Output::of).collect() },
        );
    }
    if !schema.moved.is_empty() {
        let moved = schema
            .moved
            .iter()
            .map(|(from, to)| Move { from: reference(from), to: reference(to), from_label: from, to_label: to })
            .collect();
        // One that is kept has them still, unless another has its label by now.
        let all = removed.iter().copied().chain(tables().filter(|table| !table.kept));
        let scaled: BTreeMap<&str, &Table> = all.map(|table| (table.managed.terraform_name.as_str(), table)).collect();
        let beside = schema.moved.iter().flat_map(|(from, to)| {
            let table = moved::chain(&schema.moved, to).last().and_then(|label| scaled.get(label));
            let ends = table.into_iter().flat_map(|table| scaled_as(table, from).zip(scaled_as(table, to)));
            ends.map(move |(address, next)| Move {
                from: Literal::verbatim(address),
                to: Literal::verbatim(next),
                from_label: from,
                to_label: to,
            })
        });
        files.add("moved", "keyspaces_moved", &module.with_moved(moved, beside.collect()));
    }
    if !schema.imported.is_empty() {
        let imports = schema.imported.iter();
        let imports = imports.map(|(to, id)| Import {
            label: to.split_once('.').map_or(to.as_str(), |(_, label)| label),
            address: Literal::verbatim(to),
            name: ContextValue::from(id.as_str()),
        });
        files.add("imports", "keyspaces_imports", &module.with_imports(imports.collect(), Vec::new()));
    }
    if !removed.is_empty() {
        let beside = removed.iter().flat_map(|table| scaled_as(table, &table.managed.terraform_name));
        let beside = beside.map(|address| Companion { address: Literal::verbatim(address), destroy: false }).collect();
        let removed = removed.iter().map(|table| Removed {
            label: &table.managed.terraform_name,
            address: reference(&table.managed.terraform_name),
            destroy: false,
        });
        files.add("removed", "keyspaces_removed", &module.with_removed(removed.collect(), beside));
    }
    if !files.problems.is_empty() {
        return Err(files.problems);
    }
    let completed = check(schema, &files.artifacts, templates)?;
    Ok(Rendered { artifacts: files.artifacts, completed })
}

/// Names in one module that a table of DynamoDB may have too.
fn names(schema: &Schema, beside: Beside<'_>) -> Option<Diagnostic> {
    let Beside::Dynamodb(dynamodb) = beside else { return None };
    let scaled = schema.keyspaces.values().flat_map(|keyspace| keyspace.tables.values());
    let scaled = scaled.filter(|table| !table.managed.ignore_changes.is_empty());
    let own: Vec<String> =
        std::iter::once("keyspaces".to_owned()).chain(scaled.map(|table| scaling_label(&table.managed.terraform_name))).collect();
    let (key, table) = dynamodb.tables.iter().find(|(_, table)| own.contains(&table.terraform_name))?;
    let address = Address::DynamodbTable(key.clone());
    let message = format!("the Terraform label `{}` of `{address}` is needed for Amazon Keyspaces", table.terraform_name);
    let mut diagnostic = Diagnostic::nowhere(codes::NAME_TAKEN, message).help("set another `terraform_name` on the table");
    diagnostic.primary = table.about.span.map(|span| crate::diagnostic::Label { span, text: String::new() });
    Some(diagnostic.at(address.to_string()))
}

fn check(schema: &Schema, artifacts: &[Artifact], templates: &Templates) -> Result<Option<Schema>, Vec<Diagnostic>> {
    let found = verify::read_back(artifacts, read::terraform::read)?.keyspaces;
    let words = |expressed: Schema| expressed.normalise(Engine::Keyspaces).in_words_of_managed(schema, BACKEND);
    let (expected, found) = (words(schema.as_managed(BACKEND)), words(found));
    verify::compare(schema, &expected, &found, templates, |difference: &Difference| {
        match (&difference.address, difference.path.split('.').next()) {
            (Some(Address::Keyspace(_)), _) => "terraform/keyspaces_keyspace.tf.j2",
            (None, Some("moved")) => "terraform/moved.tf.j2",
            (None, Some("imported")) => "terraform/imports.tf.j2",
            (None, Some("removed")) => "terraform/removed.tf.j2",
            _ => "terraform/keyspaces_table.tf.j2",
        }
    })
}

/// The address of a table of that label. That of a keyspace is written out where both are listed.
fn reference(label: &str) -> Literal {
    Literal::verbatim(if label.contains('.') { label.to_owned() } else { format!("aws_keyspaces_table.{label}") })
}

/// What every file's context holds, and `keyspace`.
#[derive(Serialize)]
struct File<'a> {
    #[serde(flatten)]
    module: Module<'a>,
    keyspace: &'a KeyspaceContext<'a>,
}

#[derive(Serialize)]
struct TableFile<'a> {
    #[serde(flatten)]
    module: Module<'a>,
    keyspace: &'a KeyspaceContext<'a>,
    table: &'a TableContext<'a>,
}

#[derive(Serialize)]
struct Outputs<'a> {
    #[serde(flatten)]
    module: Module<'a>,
    keyspaces: Vec<Output>,
}

/// A keyspace, or a table, which has none.
#[derive(Serialize)]
struct Output {
    /// The label as a key of a map.
    key: Literal,
    address: Literal,
    tables: Vec<Output>,
}

impl Output {
    fn new(label: &str, address: &Literal, tables: Vec<Self>) -> Self {
        Self { key: Literal::verbatim(hcl::key(label)), address: address.clone(), tables }
    }

    fn of(keyspace: &KeyspaceContext<'_>) -> Self {
        let tables = keyspace.tables.iter().map(|table| Self::new(table.label, &table.address, Vec::new()));
        Self::new(keyspace.label, &keyspace.address, tables.collect())
    }
}

#[derive(Serialize)]
struct KeyspaceContext<'a> {
    label: &'a str,
    address: Literal,
    description: Option<&'a str>,
    name: &'a str,
    /// Empty: one Region, that of the provider.
    regions: Vec<&'a str>,
    prevent_destroy: bool,
    /// Each is rendered by itself.
    #[serde(skip)]
    tables: Vec<TableContext<'a>>,
}

impl<'a> KeyspaceContext<'a> {
    fn new(name: &'a str, keyspace: &'a Keyspace) -> Self {
        let label = keyspace.managed.terraform_name.as_str();
        Self {
            label,
            address: Literal::verbatim(format!("aws_keyspaces_keyspace.{label}")),
            description: description(&keyspace.about),
            name,
            regions: keyspace.regions().collect(),
            prevent_destroy: keyspace.managed.prevent_destroy,
            tables: keyspace.tables.values().filter(|table| !table.kept).map(|table| TableContext::new(label, table)).collect(),
        }
    }
}

fn description(about: &crate::schema::About) -> Option<&str> {
    about.description.as_deref().filter(|text| !text.trim().is_empty())
}

#[derive(Serialize)]
struct TableContext<'a> {
    label: &'a str,
    address: Literal,
    description: Option<&'a str>,
    serves: &'a [String],
    name: &'a str,
    columns: Vec<Typed<'a>>,
    partition_key: &'a [String],
    clustering: Vec<Ordered<'a>>,
    static_columns: Vec<&'a str>,
    comment: Option<&'a str>,
    default_time_to_live: Option<Literal>,
    capacity: Option<Capacity<'a>>,
    client_side_timestamps: bool,
    encryption: Option<Encryption<'a>>,
    point_in_time_recovery: Option<&'static str>,
    ttl: bool,
    tags: Vec<Tag<'a>>,
    autoscaling: Vec<ScalingContext>,
    prevent_destroy: bool,
    ignore_changes: Vec<Literal>,
}

#[derive(Serialize)]
struct Typed<'a> {
    name: &'a str,
    r#type: String,
}

#[derive(Serialize)]
struct Ordered<'a> {
    name: &'a str,
    order: &'static str,
}

#[derive(Serialize)]
struct Capacity<'a> {
    mode: &'a str,
    read: Option<Literal>,
    write: Option<Literal>,
}

#[derive(Serialize)]
struct Encryption<'a> {
    r#type: &'a str,
    kms_key: Option<&'a str>,
}

#[derive(Serialize)]
struct Tag<'a> {
    key: Literal,
    value: &'a str,
}

impl<'a> TableContext<'a> {
    fn new(keyspace: &str, table: &'a Table) -> Self {
        let label = table.managed.terraform_name.as_str();
        let settings = Settings::of(table);
        let number = |text: &str| Literal::verbatim(text);
        Self {
            label,
            address: reference(label),
            description: description(&table.about),
            serves: &table.about.serves,
            name: &table.name,
            columns: table.columns.iter().map(|(name, column)| Typed { name, r#type: column.kind.to_string() }).collect(),
            partition_key: &table.partition_key,
            clustering: table
                .clustering
                .iter()
                .map(|key| Ordered { name: &key.column, order: if key.descending { "DESC" } else { "ASC" } })
                .collect(),
            static_columns: table.columns.iter().filter(|(_, column)| column.is_static).map(|(name, _)| name.as_str()).collect(),
            comment: settings.comment,
            default_time_to_live: settings.default_time_to_live.as_deref().map(number),
            capacity: settings.throughput_mode.map(|mode| Capacity {
                mode,
                read: settings.read.map(number),
                write: settings.write.map(number),
            }),
            client_side_timestamps: settings.client_side_timestamps,
            encryption: settings.encryption_type.map(|kind| Encryption { r#type: kind, kms_key: settings.kms_key }),
            point_in_time_recovery: settings.point_in_time_recovery.map(|on| if on { "ENABLED" } else { "DISABLED" }),
            ttl: settings.ttl,
            tags: settings.tags.iter().map(|(key, value)| Tag { key: Literal::verbatim(hcl::key(key)), value }).collect(),
            autoscaling: scaling(keyspace, label, &settings),
            prevent_destroy: table.managed.prevent_destroy,
            ignore_changes: table.managed.ignore_changes.iter().map(Literal::verbatim).collect(),
        }
    }
}
