//! What the Terraform templates see. `docs/templates.md` documents it, and a test holds the templates to that.

use super::companion::{self, InsightsContext, ScalingContext};
use crate::emit::Project;
use crate::emit::engine::Literal;
use crate::emit::literal::hcl;
use crate::schema::dynamodb::{
    Billing, Encryption, GlobalIndex, Keys, LocalIndex, Projection, ReplicaConsistency, Schema, Stream, Table, TableClass,
    Throughput, Units,
};
use crate::schema::{About, Parameter, ParameterKind, Text, Value};
use minijinja::Value as ContextValue;
use serde::Serialize;

/// `removed` blocks need Terraform 1.7.
const REQUIRED_VERSION: &str = ">= 1.7.0";

const PROVIDER_SOURCE: &str = "hashicorp/aws";

/// How long the provider waits for an update of a table unless told otherwise, in minutes.
const UPDATE_MINUTES: usize = 60;

/// What every file's context holds, and the maker of each file's own.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Module<'a> {
    pub(super) header: &'a str,
    pub(super) project: &'a Project,
}

/// The context of one file: what all files see, and its own part under a name.
macro_rules! file {
    ($name:ident { $($field:ident: $type:ty),* }) => {
        #[derive(Serialize)]
        pub(super) struct $name<'a> {
            header: &'a str,
            project: &'a Project,
            $($field: $type),*
        }
    };
}

file!(VersionsFile { terraform: Requirement, provider: Provider });
file!(VariablesFile { variables: Vec<Variable<'a>> });
file!(OutputsFile { tables: Vec<Output<'a>> });
file!(TableFile { table: TableContext<'a> });
file!(MovedFile { moved: Vec<Move<'a>> });
file!(ImportsFile { imports: Vec<Import<'a>> });
file!(RemovedFile { removed: Vec<Removed<'a>> });

impl<'a> Module<'a> {
    pub(super) fn versions(self, version: String) -> VersionsFile<'a> {
        let terraform = Requirement { required_version: REQUIRED_VERSION };
        let provider = Provider { source: PROVIDER_SOURCE, version };
        VersionsFile { header: self.header, project: self.project, terraform, provider }
    }

    pub(super) fn variables(self, schema: &'a Schema) -> VariablesFile<'a> {
        let variables = schema.parameters.iter().map(|(name, parameter)| Variable::new(name, parameter)).collect();
        VariablesFile { header: self.header, project: self.project, variables }
    }

    pub(super) fn outputs(self, schema: &'a Schema) -> OutputsFile<'a> {
        OutputsFile { header: self.header, project: self.project, tables: schema.tables.values().map(Output::new).collect() }
    }

    pub(super) fn table(self, table: &'a Table) -> TableFile<'a> {
        TableFile { header: self.header, project: self.project, table: TableContext::new(table) }
    }

    pub(super) fn moved(self, schema: &'a Schema) -> MovedFile<'a> {
        let moved = schema
            .moved
            .iter()
            .map(|(from, to)| Move { from: reference(from), to: reference(to), from_label: from, to_label: to })
            .collect();
        self.with_moved(moved)
    }

    pub(super) fn imports(self, schema: &'a Schema) -> ImportsFile<'a> {
        let imports =
            schema.imported.iter().map(|(label, name)| Import { label, address: reference(label), name: text(name) }).collect();
        self.with_imports(imports)
    }

    pub(super) fn removed(self, schema: &'a Schema) -> RemovedFile<'a> {
        let mut kept: Vec<_> = schema.kept.values().collect();
        kept.sort_by(|a, b| a.terraform_name.cmp(&b.terraform_name));
        let removed = kept
            .iter()
            .map(|kept| Removed { label: &kept.terraform_name, address: reference(&kept.terraform_name), destroy: kept.destroy })
            .collect();
        self.with_removed(removed)
    }
}

impl<'a> Module<'a> {
    pub(super) fn with_moved(self, moved: Vec<Move<'a>>) -> MovedFile<'a> {
        MovedFile { header: self.header, project: self.project, moved }
    }

    pub(super) fn with_imports(self, imports: Vec<Import<'a>>) -> ImportsFile<'a> {
        ImportsFile { header: self.header, project: self.project, imports }
    }

    pub(super) fn with_removed(self, removed: Vec<Removed<'a>>) -> RemovedFile<'a> {
        RemovedFile { header: self.header, project: self.project, removed }
    }
}

/// The address of a table in Terraform.
pub(super) fn reference(label: &str) -> Literal {
    Literal::verbatim(format!("aws_dynamodb_table.{label}"))
}

/// Literal text stays text, so that templates can compare it; the rest is source.
fn text(text: &Text) -> ContextValue {
    match text.as_literal() {
        Some(literal) => ContextValue::from(literal),
        None => ContextValue::from_object(Literal::verbatim(hcl::text(text))),
    }
}

pub(super) fn value<T: Clone + Into<ContextValue>>(value: &Value<T>) -> ContextValue {
    match value {
        Value::Literal(literal) => literal.clone().into(),
        Value::Parameter(name) => ContextValue::from_object(Literal::verbatim(hcl::variable(name))),
        Value::Expression(source) => ContextValue::from_object(Literal::verbatim(source.clone())),
    }
}

#[derive(Serialize)]
struct Requirement {
    required_version: &'static str,
}

#[derive(Serialize)]
struct Provider {
    source: &'static str,
    version: String,
}

#[derive(Serialize)]
struct Variable<'a> {
    name: &'a str,
    reference: Literal,
    description: Option<&'a str>,
    r#type: Literal,
    default: Option<Literal>,
    allowed: Vec<Literal>,
    error_message: String,
}

impl<'a> Variable<'a> {
    fn new(name: &'a str, parameter: &'a Parameter) -> Self {
        let kind = match parameter.kind {
            ParameterKind::Text => "string",
            ParameterKind::Number => "number",
            ParameterKind::Bool => "bool",
        };
        let values: Vec<String> = parameter.values.iter().map(ToString::to_string).collect();
        Self {
            name,
            reference: Literal::verbatim(hcl::variable(name)),
            description: parameter.about.description.as_deref(),
            r#type: Literal::verbatim(kind),
            default: parameter.default.as_ref().map(|default| Literal::verbatim(hcl::scalar(default))),
            allowed: parameter.values.iter().map(|value| Literal::verbatim(hcl::scalar(value))).collect(),
            error_message: format!("{name} must be one of: {}.", values.join(", ")),
        }
    }
}

#[derive(Serialize)]
struct Output<'a> {
    label: &'a str,
    address: Literal,
    stream: bool,
}

impl<'a> Output<'a> {
    fn new(table: &'a Table) -> Self {
        Self {
            label: &table.terraform_name,
            address: reference(&table.terraform_name),
            stream: table.stream.is_some_and(|stream| stream != Stream::Off),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Move<'a> {
    pub(super) from: Literal,
    pub(super) to: Literal,
    pub(super) from_label: &'a str,
    pub(super) to_label: &'a str,
}

#[derive(Serialize)]
pub(super) struct Import<'a> {
    pub(super) label: &'a str,
    pub(super) address: Literal,
    pub(super) name: ContextValue,
}

#[derive(Serialize)]
pub(super) struct Removed<'a> {
    pub(super) label: &'a str,
    pub(super) address: Literal,
    pub(super) destroy: bool,
}

#[derive(Serialize)]
struct TableContext<'a> {
    label: &'a str,
    address: Literal,
    name: Option<ContextValue>,
    description: Option<&'a str>,
    serves: &'a [String],
    billing: Option<&'static str>,
    throughput: Option<ThroughputContext>,
    on_demand_maximum: Option<UnitsContext>,
    warm_throughput: Option<UnitsContext>,
    table_class: Option<&'static str>,
    partition_key: &'a str,
    sort_key: Option<&'a str>,
    attributes: Vec<Typed<'a>>,
    local_indexes: Vec<LocalIndexContext<'a>>,
    global_indexes: Vec<GlobalIndexContext<'a>>,
    ttl: Option<TtlContext<'a>>,
    stream: Option<StreamContext>,
    point_in_time_recovery: Option<RecoveryContext>,
    encryption: Option<EncryptionContext>,
    deletion_protection: Option<ContextValue>,
    replicas: Vec<ReplicaContext<'a>>,
    witness: Option<&'a str>,
    prevent_destroy: bool,
    ignore_changes: Vec<Literal>,
    timeouts: Option<TimeoutsContext>,
    tags: Vec<Tag>,
    autoscaling: Vec<ScalingContext>,
    contributor_insights: Vec<InsightsContext<'a>>,
    kinesis_stream: Option<ContextValue>,
    resource_policy: Option<Literal>,
}

impl<'a> TableContext<'a> {
    fn new(table: &'a Table) -> Self {
        Self {
            label: &table.terraform_name,
            address: reference(&table.terraform_name),
            name: table.name.as_ref().map(text),
            description: description(&table.about),
            serves: &table.about.serves,
            billing: table.billing.map(|billing| match billing {
                Billing::OnDemand => "PAY_PER_REQUEST",
                Billing::Provisioned => "PROVISIONED",
            }),
            throughput: table.throughput.as_ref().map(ThroughputContext::new),
            on_demand_maximum: table.on_demand_maximum.as_ref().map(UnitsContext::new),
            warm_throughput: table.warm_throughput.as_ref().map(UnitsContext::new),
            table_class: table.table_class.map(TableClass::name),
            partition_key: &table.partition_key,
            sort_key: table.sort_key.as_deref(),
            attributes: table.attributes.iter().map(|(name, kind)| Typed { name, r#type: kind.name() }).collect(),
            local_indexes: table.local_indexes.values().map(LocalIndexContext::new).collect(),
            global_indexes: table.global_indexes.values().map(GlobalIndexContext::new).collect(),
            ttl: table.ttl.as_ref().map(|ttl| TtlContext { attribute: &ttl.attribute, enabled: ttl.enabled }),
            stream: table.stream.map(|stream| StreamContext { enabled: stream != Stream::Off, view_type: stream.view_type() }),
            point_in_time_recovery: table
                .point_in_time_recovery
                .as_ref()
                .map(|recovery| RecoveryContext { enabled: value(&recovery.enabled), days: recovery.days }),
            encryption: table.encryption.as_ref().map(|encryption| match encryption {
                Encryption::AwsOwned => EncryptionContext { enabled: false, kms_key: None },
                Encryption::AwsManaged => EncryptionContext { enabled: true, kms_key: None },
                Encryption::KmsKey(key) => EncryptionContext { enabled: true, kms_key: Some(text(key)) },
            }),
            deletion_protection: table.deletion_protection.as_ref().map(value),
            replicas: table
                .replicas
                .iter()
                .map(|(region, replica)| ReplicaContext {
                    region,
                    kms_key: replica.kms_key.as_ref().map(text),
                    point_in_time_recovery: replica.point_in_time_recovery.as_ref().map(|it| value(&it.enabled)),
                    deletion_protection: replica.deletion_protection.as_ref().map(value),
                    propagate_tags: replica.propagate_tags,
                    strong: table.replica_consistency == ReplicaConsistency::Strong,
                })
                .collect(),
            witness: table.witness.as_deref(),
            prevent_destroy: table.prevent_destroy,
            ignore_changes: table.ignore_changes.iter().map(Literal::verbatim).collect(),
            timeouts: TimeoutsContext::new(table),
            autoscaling: companion::autoscaling(table),
            contributor_insights: companion::contributor_insights(table),
            kinesis_stream: table.kinesis_stream.as_ref().map(text),
            resource_policy: table.resource_policy.as_ref().map(|policy| Literal::verbatim(hcl::json(policy))),
            tags: table
                .tags
                .iter()
                .map(|(key, content)| Tag { key: Literal::verbatim(hcl::key(key)), value: text(content) })
                .collect(),
        }
    }
}

fn description(about: &About) -> Option<&str> {
    about.description.as_deref().filter(|text| !text.trim().is_empty())
}

/// A copy of the table in another Region.
#[derive(Serialize)]
struct ReplicaContext<'a> {
    region: &'a str,
    kms_key: Option<ContextValue>,
    point_in_time_recovery: Option<ContextValue>,
    deletion_protection: Option<ContextValue>,
    propagate_tags: bool,
    /// Whether writes are strongly consistent between the Regions.
    strong: bool,
}

/// How long the provider waits.
#[derive(Serialize)]
struct TimeoutsContext {
    update: String,
}

impl TimeoutsContext {
    /// One apply builds the indexes that a table gets later one after another, so there is time for each, whether the provider
    /// starts its clock anew for each (as those that were read do) or not. A new table has its indexes from the start.
    fn new(table: &Table) -> Option<Self> {
        let indexes = table.global_indexes.len();
        (indexes > 1).then(|| Self { update: format!("{}m", UPDATE_MINUTES * indexes) })
    }
}

#[derive(Serialize)]
struct Typed<'a> {
    name: &'a str,
    r#type: &'static str,
}

#[derive(Serialize)]
struct ThroughputContext {
    read: ContextValue,
    write: ContextValue,
}

impl ThroughputContext {
    fn new(throughput: &Throughput) -> Self {
        Self { read: value(&throughput.read), write: value(&throughput.write) }
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
        Self { read: units.read.as_ref().map(value), write: units.write.as_ref().map(value) }
    }
}

#[derive(Serialize)]
struct LocalIndexContext<'a> {
    name: &'a str,
    description: Option<&'a str>,
    serves: &'a [String],
    sort_key: &'a str,
    projection: &'static str,
    attributes: Vec<&'a str>,
}

impl<'a> LocalIndexContext<'a> {
    fn new(index: &'a LocalIndex) -> Self {
        let (projection, attributes) = projection(&index.projection);
        Self {
            name: &index.name,
            description: description(&index.about),
            serves: &index.about.serves,
            sort_key: &index.sort_key,
            projection,
            attributes,
        }
    }
}

#[derive(Serialize)]
struct GlobalIndexContext<'a> {
    name: &'a str,
    description: Option<&'a str>,
    serves: &'a [String],
    partition_key: Option<&'a str>,
    sort_key: Option<&'a str>,
    key_schema: Vec<Typed<'a>>,
    projection: &'static str,
    attributes: Vec<&'a str>,
    throughput: Option<ThroughputContext>,
    on_demand_maximum: Option<UnitsContext>,
    warm_throughput: Option<UnitsContext>,
}

impl<'a> GlobalIndexContext<'a> {
    /// A key of single attributes is written as `hash_key` and `range_key`, one of several as `key_schema`.
    fn new(index: &'a GlobalIndex) -> Self {
        let (projection, attributes) = projection(&index.projection);
        let parts = |keys: &'a Keys, kind| keys.0.iter().map(move |name| Typed { name, r#type: kind });
        let (partition_key, sort_key, key_schema) = match (index.partition_key.0.as_slice(), index.sort_key.0.as_slice()) {
            ([partition], []) => (Some(partition.as_str()), None, Vec::new()),
            ([partition], [sort]) => (Some(partition.as_str()), Some(sort.as_str()), Vec::new()),
            _ => (None, None, parts(&index.partition_key, "HASH").chain(parts(&index.sort_key, "RANGE")).collect()),
        };
        Self {
            name: &index.name,
            description: description(&index.about),
            serves: &index.about.serves,
            partition_key,
            sort_key,
            key_schema,
            projection,
            attributes,
            throughput: index.throughput.as_ref().map(ThroughputContext::new),
            on_demand_maximum: index.on_demand_maximum.as_ref().map(UnitsContext::new),
            warm_throughput: index.warm_throughput.as_ref().map(UnitsContext::new),
        }
    }
}

fn projection(projection: &Projection) -> (&'static str, Vec<&str>) {
    match projection {
        Projection::All => ("ALL", Vec::new()),
        Projection::KeysOnly => ("KEYS_ONLY", Vec::new()),
        Projection::Include(names) => ("INCLUDE", names.iter().map(String::as_str).collect()),
    }
}

#[derive(Serialize)]
struct TtlContext<'a> {
    attribute: &'a str,
    enabled: bool,
}

#[derive(Serialize)]
struct StreamContext {
    enabled: bool,
    view_type: Option<&'static str>,
}

#[derive(Serialize)]
struct RecoveryContext {
    enabled: ContextValue,
    days: Option<u8>,
}

#[derive(Serialize)]
struct EncryptionContext {
    enabled: bool,
    kms_key: Option<ContextValue>,
}

#[derive(Serialize)]
struct Tag {
    key: Literal,
    value: ContextValue,
}
