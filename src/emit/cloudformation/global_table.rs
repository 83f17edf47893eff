//! What a table says as an `AWS::DynamoDB::GlobalTable`: most settings are those of its Regions, each of which lists them.
//!
//! Reads are of each Region, writes of all of them, as in the resource's properties
//! (<https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-dynamodb-globaltable.html>).

use super::context::{InsightsContext, RecoveryContext, Tag, literal_or_source, policy, tags, text};
use crate::diagnostic::{Diagnostic, Label, codes};
use crate::emit::engine::Literal;
use crate::schema::dynamodb::{
    Autoscaling, Encryption, GlobalIndex, Projection, Range, Replica, ReplicaConsistency, Resource, Schema, Table, TableClass,
    Throughput, Units,
};
use crate::schema::{About, Address, Value};
use crate::source::Span;
use minijinja::Value as ContextValue;
use serde::Serialize;

/// `NonKeyAttributes` of an index holds at most so many (the schema of the resource, `maxItems`).
const MOST_PROJECTED: usize = 20;

/// What a global table says of itself and not of one Region.
#[derive(Serialize)]
pub(super) struct GlobalContext<'a> {
    writes: Writes,
    replicas: Vec<ReplicaContext<'a>>,
    /// `STRONG`, or none.
    consistency: Option<&'static str>,
    witness: Option<&'a str>,
}

impl<'a> GlobalContext<'a> {
    pub(super) fn new(table: &'a Table) -> Self {
        let own = (!table.own_region_named).then(|| ReplicaContext::own(table));
        let others = table.replicas.iter().map(|(region, replica)| ReplicaContext::other(table, region, replica));
        Self {
            writes: Writes::new(table.throughput.as_ref(), table.autoscaling.as_ref(), table.on_demand_maximum.as_ref()),
            replicas: own.into_iter().chain(others).collect(),
            consistency: (table.replica_consistency == ReplicaConsistency::Strong).then_some("STRONG"),
            witness: table.witness.as_deref(),
        }
    }
}

/// How much may be written, in all Regions alike.
#[derive(Serialize)]
pub(super) struct Writes {
    scaling: Option<RangeContext>,
    maximum: Option<ContextValue>,
}

impl Writes {
    fn new(throughput: Option<&Throughput>, autoscaling: Option<&Autoscaling>, maximum: Option<&Units>) -> Self {
        let start = throughput.map(|throughput| &throughput.write);
        let scaling = autoscaling.and_then(|autoscaling| autoscaling.write.as_ref());
        Self {
            scaling: scaling.map(|range| RangeContext::new(range, start)),
            maximum: maximum.and_then(|maximum| maximum.write.as_ref()).map(literal_or_source),
        }
    }

    pub(super) fn of(index: &GlobalIndex) -> Self {
        Self::new(index.throughput.as_ref(), index.autoscaling.as_ref(), index.on_demand_maximum.as_ref())
    }
}

/// How much may be read in one Region.
#[derive(Serialize)]
struct Reads {
    units: Option<ContextValue>,
    scaling: Option<RangeContext>,
    maximum: Option<ContextValue>,
}

impl Reads {
    fn new(throughput: Option<&Throughput>, autoscaling: Option<&Autoscaling>, maximum: Option<&Units>) -> Self {
        let scaling = autoscaling.and_then(|autoscaling| autoscaling.read.as_ref());
        Self {
            units: throughput.filter(|_| scaling.is_none()).map(|throughput| literal_or_source(&throughput.read)),
            scaling: scaling.map(|range| RangeContext::new(range, throughput.map(|throughput| &throughput.read))),
            maximum: maximum.and_then(|maximum| maximum.read.as_ref()).map(literal_or_source),
        }
    }

    fn says_nothing(&self) -> bool {
        self.units.is_none() && self.scaling.is_none() && self.maximum.is_none()
    }
}

#[derive(Serialize)]
struct RangeContext {
    /// Where it starts. A change of the billing mode, and its rollback, need it.
    seed: Option<ContextValue>,
    min: ContextValue,
    max: ContextValue,
    utilisation: ContextValue,
}

impl RangeContext {
    fn new(range: &Range, seed: Option<&Value<u64>>) -> Self {
        Self {
            seed: seed.map(literal_or_source),
            min: literal_or_source(&range.min),
            max: literal_or_source(&range.max),
            utilisation: literal_or_source(&range.target),
        }
    }
}

/// The table in one Region.
#[derive(Serialize)]
struct ReplicaContext<'a> {
    region: ContextValue,
    kms_key: Option<ContextValue>,
    reads: Reads,
    table_class: Option<&'static str>,
    point_in_time_recovery: Option<RecoveryContext>,
    deletion_protection: Option<ContextValue>,
    contributor_insights: Option<InsightsContext>,
    kinesis_stream: Option<ContextValue>,
    resource_policy: Vec<Literal>,
    tags: Vec<Tag<'a>>,
    indexes: Vec<IndexContext<'a>>,
}

impl<'a> ReplicaContext<'a> {
    /// In the Region of the stack.
    fn own(table: &'a Table) -> Self {
        let key = if let Some(Encryption::KmsKey(key)) = &table.encryption { Some(text(key)) } else { None };
        Self {
            kms_key: key,
            table_class: table.table_class.map(TableClass::name),
            point_in_time_recovery: table.point_in_time_recovery.as_ref().map(RecoveryContext::new),
            deletion_protection: table.deletion_protection.as_ref().map(literal_or_source),
            contributor_insights: table.contributor_insights.map(InsightsContext::new),
            kinesis_stream: table.kinesis_stream.as_ref().map(text),
            resource_policy: policy(table),
            tags: tags(table),
            ..Self::of(table, ContextValue::from_object(Literal::verbatim("!Ref AWS::Region")), true)
        }
    }

    /// In another Region.
    fn other(table: &'a Table, region: &'a str, replica: &'a Replica) -> Self {
        Self {
            kms_key: replica.kms_key.as_ref().map(text),
            table_class: replica.table_class.or(table.table_class).map(TableClass::name),
            point_in_time_recovery: replica.point_in_time_recovery.as_ref().map(RecoveryContext::new),
            deletion_protection: replica.deletion_protection.as_ref().map(literal_or_source),
            tags: if replica.propagate_tags { tags(table) } else { Vec::new() },
            ..Self::of(table, ContextValue::from(region), false)
        }
    }

    fn of(table: &'a Table, region: ContextValue, own: bool) -> Self {
        let indexes = table.global_indexes.values().map(|index| IndexContext::new(index, own));
        Self {
            region,
            kms_key: None,
            reads: Reads::new(table.throughput.as_ref(), table.autoscaling.as_ref(), table.on_demand_maximum.as_ref()),
            table_class: None,
            point_in_time_recovery: None,
            deletion_protection: None,
            contributor_insights: None,
            kinesis_stream: None,
            resource_policy: Vec::new(),
            tags: Vec::new(),
            indexes: indexes.filter(|index| !index.says_nothing()).collect(),
        }
    }
}

/// An index in one Region.
#[derive(Serialize)]
struct IndexContext<'a> {
    name: &'a str,
    reads: Reads,
    contributor_insights: Option<InsightsContext>,
}

impl<'a> IndexContext<'a> {
    fn new(index: &'a GlobalIndex, own: bool) -> Self {
        Self {
            name: &index.name,
            reads: Reads::new(index.throughput.as_ref(), index.autoscaling.as_ref(), index.on_demand_maximum.as_ref()),
            contributor_insights: index.contributor_insights.filter(|_| own).map(InsightsContext::new),
        }
    }

    fn says_nothing(&self) -> bool {
        self.reads.says_nothing() && self.contributor_insights.is_none()
    }
}

/// What the resource has no property for, or does not take.
pub(super) fn problems(schema: &Schema) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let global = schema.tables.iter().filter(|(_, table)| table.resource == Resource::GlobalTable);
    for (key, table) in global {
        let address = Address::DynamodbTable(key.clone());
        scaled(&address, &table.about, (table.throughput.as_ref(), table.autoscaling.as_ref()), &mut problems);
        for (name, index) in &table.local_indexes {
            let address = Address::LocalIndex(key.clone(), name.clone());
            projected(&address, &index.about, &index.projection, &mut problems);
        }
        for (name, index) in &table.global_indexes {
            let address = Address::GlobalIndex(key.clone(), name.clone());
            // An index that says nothing of its capacity has the table's, and its place.
            let about = if index.about.properties.contains_key("throughput") { &index.about } else { &table.about };
            scaled(&address, about, (index.throughput.as_ref(), index.autoscaling.as_ref()), &mut problems);
            projected(&address, &index.about, &index.projection, &mut problems);
        }
    }
    problems
}

/// Write capacity of a global table is scaled or paid for by the request.
fn scaled(
    address: &Address,
    about: &About,
    (throughput, autoscaling): (Option<&Throughput>, Option<&Autoscaling>),
    problems: &mut Vec<Diagnostic>,
) {
    if throughput.is_some() && autoscaling.is_none_or(|autoscaling| autoscaling.write.is_none()) {
        let problem = refused(address, about, "throughput", "fixed write capacity");
        problems.push(problem.help("give `write: { min: …, max: … }`, or set `billing: on_demand`"));
    }
}

fn projected(address: &Address, about: &About, projection: &Projection, problems: &mut Vec<Diagnostic>) {
    let Projection::Include(names) = projection else { return };
    if names.len() > MOST_PROJECTED {
        let what = format!("{} projected attributes, more than {MOST_PROJECTED}", names.len());
        problems.push(refused(address, about, "projection", &what).help("use `projection: all`"));
    }
}

fn refused(address: &Address, about: &About, property: &str, what: &str) -> Diagnostic {
    let message = format!("`{address}` has {what}, which AWS::DynamoDB::GlobalTable does not take");
    let mut problem = Diagnostic::nowhere(codes::NOT_ON_RESOURCE, message).at(address.to_string());
    let span: Option<Span> = about.properties.get(property).copied().or(about.span);
    problem.primary = span.map(|span| Label { span, text: String::new() });
    problem
}
