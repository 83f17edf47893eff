//! What the CloudFormation templates see. `docs/templates.md` documents it.

mod index;

use super::autoscaling::{self, ScalingContext};
use super::division::Part;
use super::global_table::GlobalContext;
use super::value;
use crate::emit::Project;
use crate::emit::engine::Literal;
use crate::emit::literal::yaml;
use crate::schema::dynamodb::{
    Billing, Encryption, Insights, PointInTimeRecovery, Resource, Stream, Table, TableClass, Throughput, Ttl, Units,
};
use crate::schema::{About, Parameter, ParameterKind, Text, Value};
use index::IndexContext;
use minijinja::Value as ContextValue;
use serde::Serialize;

/// `Description` of a template holds at most this many bytes, that of a parameter 4000
/// (<https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html>).
const DESCRIPTION_BYTES: usize = 1024;
const PARAMETER_DESCRIPTION_BYTES: usize = 4000;

/// The context of the whole template.
#[derive(Serialize)]
pub(super) struct File<'a> {
    header: String,
    project: &'a Project,
    description: Option<String>,
    template: u32,
    parameters: Vec<ParameterContext<'a>>,
    tables: Vec<TableContext<'a>>,
}

impl<'a> File<'a> {
    /// From a part of a schema, as CloudFormation names its parts.
    pub(super) fn new(project: &'a Project, part: &Part<'a>) -> Self {
        Self {
            header: project.header(),
            project,
            description: shortened_description(project.description.as_deref()),
            template: part.template.number(),
            parameters: part.parameters.iter().map(|(name, parameter)| ParameterContext::new(name, parameter)).collect(),
            tables: tables(part),
        }
    }
}

/// The `Description` of a template.
pub(super) fn shortened_description(text: Option<&str>) -> Option<String> {
    shortened(text, DESCRIPTION_BYTES)
}

/// The tables of a template, those with indexes chained: each waits for the one before it. CloudFormation makes tables at
/// once, and the service takes only so many with indexes at a time
/// (<https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-dynamodb-table.html>).
fn tables<'a>(part: &Part<'a>) -> Vec<TableContext<'a>> {
    let mut before = None;
    let chained = part.tables.iter().map(|table| {
        let depends_on = if table.is_indexed() { before.replace(table.logical_id.as_str()) } else { None };
        TableContext { depends_on, ..TableContext::new(table) }
    });
    chained.collect()
}

/// A description, cut off where CloudFormation takes no more; None for one of white space only.
fn shortened(text: Option<&str>, bytes: usize) -> Option<String> {
    const MARK: &str = "…";
    let text = text.map(str::trim).filter(|text| !text.is_empty())?;
    if text.len() <= bytes {
        return Some(text.to_owned());
    }
    let limit = bytes - MARK.len();
    let end = text.char_indices().map(|(start, _)| start).take_while(|&start| start <= limit).last().unwrap_or(0);
    Some(format!("{}{MARK}", text.get(..end).unwrap_or_default().trim_end()))
}

fn description(about: &About) -> Option<&str> {
    about.description.as_deref().filter(|text| !text.trim().is_empty())
}

/// Literal text stays text, so that templates can compare it; the rest is source.
pub(super) fn text(text: &Text) -> ContextValue {
    match text.as_literal() {
        Some(literal) => ContextValue::from(literal),
        None => ContextValue::from_object(Literal::verbatim(value::text(text))),
    }
}

/// A parameter of type `String` stands for a bool too: CloudFormation takes the texts `true` and `false` where a property
/// is a bool, in a template and from a parameter
/// (<https://awholenother.com/2020/06/20/boolean-parameters-in-cloudformation.html>; cfn-lint 1.58 takes both).
pub(super) fn literal_or_source<T: Clone + Into<ContextValue>>(of: &Value<T>) -> ContextValue {
    match of {
        Value::Literal(literal) => literal.clone().into(),
        Value::Parameter(name) => ContextValue::from_object(Literal::verbatim(value::reference(name))),
        Value::Expression(source) => ContextValue::from_object(Literal::verbatim(source.clone())),
    }
}

#[derive(Serialize)]
struct ParameterContext<'a> {
    name: &'a str,
    description: Option<String>,
    r#type: &'static str,
    default: Option<Literal>,
    allowed: Vec<Literal>,
}

impl<'a> ParameterContext<'a> {
    fn new(name: &'a str, parameter: &'a Parameter) -> Self {
        let (kind, both): (_, &[&str]) = match parameter.kind {
            ParameterKind::Text => ("String", &[]),
            ParameterKind::Number => ("Number", &[]),
            ParameterKind::Bool => ("String", &["\"true\"", "\"false\""]),
        };
        let values = parameter.values.iter().map(value::parameter);
        Self {
            name,
            description: shortened(parameter.about.description.as_deref(), PARAMETER_DESCRIPTION_BYTES),
            r#type: kind,
            default: parameter.default.as_ref().map(|default| Literal::verbatim(value::parameter(default))),
            allowed: both.iter().map(|word| (*word).to_owned()).chain(values).map(Literal::verbatim).collect(),
        }
    }
}

#[derive(Serialize)]
struct TableContext<'a> {
    logical_id: &'a str,
    depends_on: Option<&'a str>,
    r#type: &'static str,
    outputs: Outputs,
    description: Option<&'a str>,
    serves: &'a [String],
    deletion_policy: Option<&'a str>,
    update_replace_policy: Option<&'a str>,
    name: Option<ContextValue>,
    billing: Option<&'static str>,
    throughput: Option<ThroughputContext>,
    on_demand_maximum: Option<UnitsContext>,
    warm_throughput: Option<UnitsContext>,
    table_class: Option<&'static str>,
    attributes: Vec<Typed<'a>>,
    key: Vec<Typed<'a>>,
    local_indexes: Vec<IndexContext<'a>>,
    global_indexes: Vec<IndexContext<'a>>,
    ttl: Option<&'a Ttl>,
    stream: Option<&'static str>,
    point_in_time_recovery: Option<RecoveryContext>,
    encryption: Option<EncryptionContext>,
    deletion_protection: Option<ContextValue>,
    contributor_insights: Option<InsightsContext>,
    kinesis_stream: Option<ContextValue>,
    resource_policy: Vec<Literal>,
    autoscaling: Vec<ScalingContext>,
    tags: Vec<Tag<'a>>,
    /// What only a global table has.
    global: Option<GlobalContext<'a>>,
}

impl<'a> TableContext<'a> {
    fn new(table: &'a Table) -> Self {
        match table.resource {
            Resource::Table => Self::table(table),
            Resource::GlobalTable => Self::global_table(table),
        }
    }

    /// A global table says of each Region what a table says of itself.
    fn global_table(table: &'a Table) -> Self {
        let encryption = table.encryption.as_ref().map(EncryptionContext::new);
        Self {
            throughput: None,
            on_demand_maximum: None,
            table_class: None,
            point_in_time_recovery: None,
            encryption: encryption.map(|encryption| EncryptionContext { kms_key: None, ..encryption }),
            deletion_protection: None,
            contributor_insights: None,
            kinesis_stream: None,
            resource_policy: Vec::new(),
            autoscaling: Vec::new(),
            tags: Vec::new(),
            global_indexes: table.global_indexes.values().map(IndexContext::of_global_table).collect(),
            global: Some(GlobalContext::new(table)),
            ..Self::table(table)
        }
    }

    fn table(table: &'a Table) -> Self {
        let partition_key = std::slice::from_ref(&table.partition_key);
        let stream = table.stream.and_then(Stream::view_type);
        Self {
            logical_id: &table.logical_id,
            depends_on: None,
            r#type: table.resource.type_name(),
            outputs: Outputs::new(&table.logical_id, stream.is_some()),
            description: description(&table.about),
            serves: &table.about.serves,
            deletion_policy: table.deletion_policy.as_deref(),
            update_replace_policy: table.update_replace_policy.as_deref(),
            name: table.name.as_ref().map(text),
            billing: table.billing.map(|billing| match billing {
                Billing::OnDemand => "PAY_PER_REQUEST",
                Billing::Provisioned => "PROVISIONED",
            }),
            throughput: table.throughput.as_ref().map(ThroughputContext::new),
            on_demand_maximum: table.on_demand_maximum.as_ref().map(UnitsContext::new),
            warm_throughput: table.warm_throughput.as_ref().map(UnitsContext::new),
            table_class: table.table_class.map(TableClass::name),
            attributes: table.attributes.iter().map(|(name, kind)| Typed { name, r#type: kind.name() }).collect(),
            key: key(partition_key, table.sort_key.as_slice()),
            local_indexes: table.local_indexes.values().map(|index| IndexContext::local(index, partition_key)).collect(),
            global_indexes: table.global_indexes.values().map(IndexContext::global).collect(),
            ttl: table.ttl.as_ref(),
            stream,
            point_in_time_recovery: table.point_in_time_recovery.as_ref().map(RecoveryContext::new),
            encryption: table.encryption.as_ref().map(EncryptionContext::new),
            deletion_protection: table.deletion_protection.as_ref().map(literal_or_source),
            contributor_insights: table.contributor_insights.map(InsightsContext::new),
            kinesis_stream: table.kinesis_stream.as_ref().map(text),
            resource_policy: policy(table),
            autoscaling: autoscaling::of_table(table),
            tags: tags(table),
            global: None,
        }
    }
}

pub(super) fn policy(table: &Table) -> Vec<Literal> {
    table.resource_policy.iter().flat_map(yaml::block).map(Literal::verbatim).collect()
}

pub(super) fn tags(table: &Table) -> Vec<Tag<'_>> {
    table.tags.iter().map(|(key, value)| Tag { key, value: text(value) }).collect()
}

/// The outputs of a table: their names, and where their values come from. No output of one table can have the name of
/// another's: of the endings `Name`, `Arn` and `Stream` none ends in another.
#[derive(Serialize)]
struct Outputs {
    name: Output,
    arn: Output,
    stream: Option<Output>,
}

#[derive(Serialize)]
struct Output {
    logical_id: String,
    value: Literal,
}

impl Outputs {
    fn new(table: &str, has_stream: bool) -> Self {
        let output = |ending: &str, source| Output { logical_id: format!("{table}{ending}"), value: Literal::verbatim(source) };
        Self {
            name: output("Name", value::reference(table)),
            arn: output("Arn", value::attribute(table, "Arn")),
            stream: has_stream.then(|| output("Stream", value::attribute(table, "StreamArn"))),
        }
    }
}

#[derive(Serialize)]
struct Typed<'a> {
    name: &'a str,
    r#type: &'static str,
}

/// `KeySchema`: the partition key first, as the service wants it.
fn key<'a>(partition: &'a [String], sort: &'a [String]) -> Vec<Typed<'a>> {
    let part = |names: &'a [String], kind| names.iter().map(move |name| Typed { name, r#type: kind });
    part(partition, "HASH").chain(part(sort, "RANGE")).collect()
}

#[derive(Serialize)]
struct ThroughputContext {
    read: ContextValue,
    write: ContextValue,
}

impl ThroughputContext {
    fn new(throughput: &Throughput) -> Self {
        Self { read: literal_or_source(&throughput.read), write: literal_or_source(&throughput.write) }
    }
}

/// Reads and writes a second, either of which may be left open.
#[derive(Serialize)]
struct UnitsContext {
    read: Option<ContextValue>,
    write: Option<ContextValue>,
}

impl UnitsContext {
    fn new(units: &Units) -> Self {
        Self { read: units.read.as_ref().map(literal_or_source), write: units.write.as_ref().map(literal_or_source) }
    }
}

#[derive(Serialize)]
pub(super) struct InsightsContext {
    enabled: bool,
    mode: Option<&'static str>,
}

impl InsightsContext {
    pub(super) fn new(insights: Insights) -> Self {
        Self { enabled: insights != Insights::Off, mode: insights.mode() }
    }
}

#[derive(Serialize)]
pub(super) struct RecoveryContext {
    enabled: ContextValue,
    days: Option<u8>,
}

impl RecoveryContext {
    pub(super) fn new(recovery: &PointInTimeRecovery) -> Self {
        Self { enabled: literal_or_source(&recovery.enabled), days: recovery.days }
    }
}

#[derive(Serialize)]
struct EncryptionContext {
    enabled: bool,
    kms_key: Option<ContextValue>,
}

impl EncryptionContext {
    fn new(encryption: &Encryption) -> Self {
        match encryption {
            Encryption::AwsOwned => Self { enabled: false, kms_key: None },
            Encryption::AwsManaged => Self { enabled: true, kms_key: None },
            Encryption::KmsKey(key) => Self { enabled: true, kms_key: Some(text(key)) },
        }
    }
}

#[derive(Serialize)]
pub(super) struct Tag<'a> {
    key: &'a str,
    value: ContextValue,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_cut_between_characters() {
        assert_eq!(shortened(Some(" a "), 8).as_deref(), Some("a"));
        assert_eq!(shortened(Some(" \n"), 8), None);
        assert_eq!(shortened(Some("äääää"), 8).as_deref(), Some("ää…"));
    }
}
