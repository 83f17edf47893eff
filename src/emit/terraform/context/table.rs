//! What the template of a table sees of it.

use super::{reference, text, value};
use crate::emit::engine::Literal;
use crate::emit::literal::hcl;
use crate::emit::terraform::companion::{self, InsightsContext, ScalingContext};
use crate::schema::About;
use crate::schema::dynamodb::{
    Billing, Encryption, GlobalIndex, Keys, LocalIndex, Projection, ReplicaConsistency, Stream, Table, TableClass, Throughput,
    Units,
};
use minijinja::Value as ContextValue;
use serde::Serialize;

/// How long the provider waits for an update of a table unless told otherwise, in minutes.
const UPDATE_MINUTES: usize = 60;

#[derive(Serialize)]
pub(super) struct TableContext<'a> {
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
    pub(super) fn new(table: &'a Table) -> Self {
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
