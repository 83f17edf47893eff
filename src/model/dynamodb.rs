//! Section `dynamodb` of a model: names and defaults are resolved, each table stands for itself.

use super::Named;
use super::{Allow, Entity, Removal, Template, Where};
use crate::schema::dynamodb::{
    Autoscaling, Billing, Encryption, Insights, PointInTimeRecovery, Projection, Replica, ReplicaConsistency, Stream, TableClass,
    Throughput, Units,
};
use crate::schema::{Text, Value};
use crate::source::{Span, Spanned};
use std::collections::BTreeMap;

/// The section.
#[derive(Clone, Debug)]
pub struct Dynamodb {
    /// Its key.
    pub span: Span,
    /// Tables, by key; of those that other models own, what the owner says of them.
    pub tables: Named<DynamodbTable>,
    /// What stands here of tables that other models own, by key.
    pub shared: Named<Shared>,
    /// Tables that left the model.
    pub removed: Named<Spanned<Removal>>,
}

/// A table.
#[derive(Clone, Debug)]
pub struct DynamodbTable {
    /// Its key in the model.
    pub span: Span,
    /// Its key.
    pub key: String,
    /// Its description.
    pub description: Option<String>,
    /// Who makes it.
    pub owner: Owner,
    /// What it holds.
    pub holds: Vec<Holding>,
    /// What other models hold in it: the owner's first, then by the models' names.
    pub others: Vec<Other>,
    /// Partition key attribute.
    pub partition_key: Spanned<String>,
    /// Sort key attribute.
    pub sort_key: Option<Spanned<String>>,
    /// Physical name; `table_name` is applied.
    pub name: Spanned<Text>,
    /// Local secondary indexes, by key.
    pub local_indexes: Named<LocalIndex>,
    /// Global secondary indexes, by key.
    pub global_indexes: Named<GlobalIndex>,
    /// TTL attribute.
    pub ttl: Option<Spanned<String>>,
    /// The attribute that holds the entity's name in every item.
    pub discriminator: Option<Spanned<String>>,
    /// What it is warmed up for.
    pub warm_throughput: Option<Spanned<Units>>,
    /// ARN of the Kinesis stream that gets every change.
    pub kinesis_stream: Option<Spanned<Text>>,
    /// Who may do what with it.
    pub resource_policy: Option<Spanned<serde_json::Value>>,
    /// Settings, defaults applied.
    pub settings: Settings,
    /// Terraform label.
    pub terraform_name: Option<Spanned<String>>,
    /// CloudFormation logical ID.
    pub logical_id: Option<Spanned<String>>,
    /// The key it had before.
    pub renamed_from: Option<Spanned<String>>,
    /// Findings allowed here.
    pub allow: Vec<Allow>,
}

impl DynamodbTable {
    /// Whether it is generated for this model.
    #[must_use]
    pub fn is_emitted(&self) -> bool {
        self.owner == Owner::This
    }
}

/// Who makes a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// This model.
    This,
    /// Another model, and where it is named.
    Model(Spanned<String>),
    /// Nobody here: it exists elsewhere.
    Elsewhere,
}

/// What a model says of a table that another one owns.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The table's key in this model.
    pub span: Span,
    /// The owner's name.
    pub owner: Spanned<String>,
    /// What this model holds in it.
    pub holds: Vec<Holding>,
}

/// An entity of another model in a table.
#[derive(Clone, Debug)]
pub struct Other {
    /// The model's name.
    pub model: String,
    /// The entity, as that model describes it.
    pub entity: Entity,
    /// How its keys are made.
    pub holding: Holding,
    /// It was there before what this model holds: where the two do not fit, this model is the one to mend.
    pub precedes: bool,
}

/// An entity in a table.
#[derive(Clone, Debug)]
pub struct Holding {
    /// The entity, and where the table names it.
    pub entity: Spanned<String>,
    /// Key attribute → how its value is made. A key attribute that is not here is the entity's attribute of that name.
    pub keys: Named<KeyValue>,
}

/// How the value of a key attribute is made.
#[derive(Clone, Debug)]
pub struct KeyValue {
    /// Its key in `holds`.
    pub span: Span,
    /// The template; a number is a template with one literal.
    pub template: Template,
    /// The value is a number that was written as one.
    pub number: bool,
    /// Only items for which this holds have the attribute.
    pub when: Option<Where>,
    /// Share of items that have it, 0 to 1.
    pub present: Option<f64>,
}

/// A local secondary index.
#[derive(Clone, Debug)]
pub struct LocalIndex {
    /// Its key in the model.
    pub span: Span,
    /// Its description.
    pub description: Option<String>,
    /// Name in the service; its key when nothing is said.
    pub name: Spanned<String>,
    /// Sort key attribute.
    pub sort_key: Spanned<String>,
    /// What it carries.
    pub projection: Spanned<Projection>,
    /// The key it had before.
    pub renamed_from: Option<Spanned<String>>,
    /// Findings allowed here.
    pub allow: Vec<Allow>,
}

/// A global secondary index.
#[derive(Clone, Debug)]
pub struct GlobalIndex {
    /// Its key in the model.
    pub span: Span,
    /// Its description.
    pub description: Option<String>,
    /// Name in the service; its key when nothing is said.
    pub name: Spanned<String>,
    /// Partition key attributes.
    pub partition_key: Vec<Spanned<String>>,
    /// Sort key attributes.
    pub sort_key: Vec<Spanned<String>>,
    /// What it carries.
    pub projection: Spanned<Projection>,
    /// Capacity of its own. Few have one.
    pub capacity: Option<Box<Spanned<Capacity>>>,
    /// What it is warmed up for.
    pub warm_throughput: Option<Spanned<Units>>,
    /// Contributor insights, when they are said.
    pub contributor_insights: Option<Spanned<Insights>>,
    /// The key it had before.
    pub renamed_from: Option<Spanned<String>>,
    /// Findings allowed here.
    pub allow: Vec<Allow>,
}

/// Capacity in the table's billing mode.
#[derive(Clone, Debug, Default)]
pub struct Capacity {
    /// What is provisioned.
    pub throughput: Option<Throughput>,
    /// Between which limits it is scaled.
    pub autoscaling: Option<Autoscaling>,
    /// The most that is served on demand.
    pub on_demand_maximum: Option<Units>,
}

/// Table settings that `defaults` may give. `places` has the span of each that was written, in the table or in `defaults`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Stream.
    pub stream: Stream,
    /// Billing mode.
    pub billing: Billing,
    /// Capacity.
    pub capacity: Capacity,
    /// Storage class, when it is said.
    pub table_class: Option<TableClass>,
    /// Encryption at rest.
    pub encryption: Encryption,
    /// Point-in-time recovery.
    pub point_in_time_recovery: PointInTimeRecovery,
    /// Deletion protection.
    pub deletion_protection: Value<bool>,
    /// Its copies in other Regions.
    pub replicas: BTreeMap<String, Replica>,
    /// What a read in one Region sees of a write in another.
    pub replica_consistency: ReplicaConsistency,
    /// The Region of the witness.
    pub witness: Option<String>,
    /// Contributor insights, when they are said.
    pub contributor_insights: Option<Insights>,
    /// Tags of defaults and table together.
    pub tags: BTreeMap<String, Text>,
    /// Where each setting was written, by its key in the model.
    pub places: BTreeMap<String, Span>,
}

/// What holds where nothing is said.
impl Default for Settings {
    fn default() -> Self {
        Self {
            stream: Stream::Off,
            billing: Billing::OnDemand,
            capacity: Capacity::default(),
            table_class: None,
            encryption: Encryption::AwsOwned,
            point_in_time_recovery: PointInTimeRecovery { enabled: Value::Literal(false), days: None },
            deletion_protection: Value::Literal(true),
            replicas: BTreeMap::new(),
            replica_consistency: ReplicaConsistency::default(),
            witness: None,
            contributor_insights: None,
            tags: BTreeMap::new(),
            places: BTreeMap::new(),
        }
    }
}
