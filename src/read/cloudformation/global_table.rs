//! What only an `AWS::DynamoDB::GlobalTable` has: replicas, and capacity in the form that goes with them.
//!
//! The stack's own Region is one of the replicas. What it says there is what a table of one Region says at its top.

use super::Reader;
use super::intrinsic::{call, source};
use super::item::{Fields, Item};
use crate::schema::dynamodb::{
    Autoscaling, Encryption, OWN_REGION, Range, Replica, ReplicaConsistency, Table, Throughput, UNSEEDED, Units,
};
use crate::schema::{Text, Value};
use crate::source::Node;
use std::collections::BTreeMap;

/// How much may be read of a table or an index, in one Region.
#[derive(Clone, Debug, Default, PartialEq)]
struct Reads {
    /// What is provisioned; where it is scaled, where it starts.
    units: Option<Value<u64>>,
    scaling: Option<Range>,
    maximum: Option<Value<u64>>,
}

impl Reads {
    /// What is said, else what another says.
    fn or(self, other: &Self) -> Self {
        let (units, scaling) = match (self.units, self.scaling) {
            (None, None) => (other.units.clone(), other.scaling.clone()),
            said => said,
        };
        Self { units, scaling, maximum: self.maximum.or_else(|| other.maximum.clone()) }
    }
}

/// The capacity of a table or of an index, as far as it was read.
struct Capacity<'t> {
    throughput: &'t mut Option<Throughput>,
    autoscaling: &'t mut Option<Autoscaling>,
    maximum: &'t mut Option<Units>,
    /// Where writes start.
    writes: Option<Value<u64>>,
}

impl Capacity<'_> {
    /// Puts reads beside the writes that are there. False when there are units that no writes go with.
    fn take(self, reads: Reads) -> bool {
        if let Some(maximum) = reads.maximum {
            self.maximum.get_or_insert_default().read = Some(maximum);
        }
        let alone = reads.units.is_some() && reads.scaling.is_none();
        let read = reads.units.or_else(|| reads.scaling.as_ref().map(|range| range.min.clone()));
        if let Some(range) = reads.scaling {
            self.autoscaling.get_or_insert_default().read = Some(range);
        }
        let scaled = self.autoscaling.as_ref().and_then(|autoscaling| autoscaling.write.as_ref());
        let write = self.writes.or_else(|| scaled.map(|range| range.min.clone()));
        if let (Some(read), Some(write)) = (read, write) {
            *self.throughput = Some(Throughput { read, write });
            return true;
        }
        !alone
    }
}

/// One Region's replica, while the others are not known yet.
struct Elsewhere {
    region: String,
    replica: Replica,
    tags: BTreeMap<String, Text>,
    reads: Reads,
    of_indexes: BTreeMap<String, Reads>,
    /// What is carried along of its tags and reads if they are not those of the table's own Region.
    sources: [(&'static str, Option<String>); 4],
}

const PROVISIONED: &str = "ReadProvisionedThroughputSettings";

/// The properties of a replica that are compared with those of the table's own Region.
const COMPARED: [&str; 4] = ["Tags", PROVISIONED, "ReadOnDemandThroughputSettings", "GlobalSecondaryIndexes"];

impl Reader<'_> {
    /// Reads what is left of a global table into it; `writes` is where those of each index start.
    pub(super) fn global_table(
        &mut self,
        properties: &mut Fields<'_>,
        item: &mut Item,
        table: &mut Table,
        mut writes: BTreeMap<String, Value<u64>>,
    ) {
        let start = self.writes(properties, item, &mut table.autoscaling, &mut table.on_demand_maximum);
        let general = self.reads(properties, item);
        if let Some(mode) = properties.take("MultiRegionConsistency") {
            item.place("replica_consistency", mode.span);
            let mode = self.word(mode, "MultiRegionConsistency", &ReplicaConsistency::WORDS, item);
            table.replica_consistency = mode.unwrap_or_default();
        }
        for (_, node) in self.items(properties, "GlobalTableWitnesses", item) {
            let Some(mut fields) = self.fields(node, "GlobalTableWitnesses", item) else { continue };
            item.place("witness", node.span);
            table.witness = fields.take("Region").and_then(|region| self.name(region));
            fields.carry_rest(item);
        }
        let mut own = None;
        let mut others = Vec::new();
        for (path, node) in self.items(properties, "Replicas", item) {
            let region = node.get("Region");
            if region.is_some_and(|region| self.is_own(region)) {
                if own.is_some() {
                    self.wrong(node.span, "the Region of the stack is listed twice");
                }
                own = self.own_region(node, item, table);
            } else if region.is_none() {
                self.wrong(node.span, format!("`{path}` has no `Region`"));
            } else {
                others.extend(self.elsewhere(node, item));
            }
        }
        table.own_region_named = own.is_none() && !others.is_empty();
        let (reads, of_indexes) = own.clone().unwrap_or_default();
        let reads = reads.or(&general);
        for (name, reads) in &of_indexes {
            let Some(index) = table.global_indexes.get_mut(name) else { continue };
            let (throughput, autoscaling, maximum) =
                (&mut index.throughput, &mut index.autoscaling, &mut index.on_demand_maximum);
            Capacity { throughput, autoscaling, maximum, writes: writes.remove(name) }.take(reads.clone());
        }
        let (throughput, autoscaling, maximum) = (&mut table.throughput, &mut table.autoscaling, &mut table.on_demand_maximum);
        let units = reads.units.clone();
        if !(Capacity { throughput, autoscaling, maximum, writes: start }).take(reads.clone()) {
            item.extra.extend(units.map(|units| ("ReadCapacityUnits".to_owned(), Text::from(units).to_string())));
        }
        for other in others {
            let same_tags = own.is_some() && other.tags == table.tags;
            let same_reads = own.is_some() && other.reads.clone().or(&general) == reads;
            let same_indexes = own.is_some() && other.of_indexes == of_indexes;
            let mut replica = other.replica;
            replica.propagate_tags = same_tags && !other.tags.is_empty();
            replica.table_class = replica.table_class.filter(|class| own.is_none() || Some(*class) != table.table_class);
            for (key, source) in other.sources {
                let same = match key {
                    "Tags" => same_tags,
                    "GlobalSecondaryIndexes" => same_indexes,
                    _ => same_reads,
                };
                // What only the table's own Region says is said not to be there.
                let nothing = || (own.is_some() && key == PROVISIONED).then(|| "null".to_owned());
                if let Some(source) = source.or_else(nothing).filter(|_| !same) {
                    replica.extra.insert(key.to_owned(), source);
                }
            }
            if table.replicas.insert(other.region.clone(), replica).is_some() {
                let place = item.about.properties.get(&format!("replicas.{}", other.region)).copied();
                let message = format!("the replica in `{}` is given twice", other.region);
                if let Some(span) = place {
                    self.wrong(span, message);
                }
            }
        }
    }

    /// Whether a Region is that of the stack.
    fn is_own(&self, region: &Node) -> bool {
        let is_ref = call(region).is_some_and(|(name, of)| name == "Ref" && of.as_str() == Some(OWN_REGION));
        is_ref || (self.region.is_some() && region.as_str() == self.region)
    }

    /// The replica of the stack's own Region: its settings are the table's. Gives what may be read of the table and its indexes.
    fn own_region(&mut self, node: &Node, item: &mut Item, table: &mut Table) -> Option<(Reads, BTreeMap<String, Reads>)> {
        let mut fields = self.fields(node, "", item)?;
        fields.take("Region");
        if let Some(mut sse) = self.nested(&mut fields, "SSESpecification", item) {
            let place = sse.span();
            let key = self.required(&mut sse, "KMSMasterKeyId");
            match (&table.encryption, key.and_then(|key| self.text(key))) {
                (Some(Encryption::AwsManaged), Some(key)) => {
                    item.place("encryption", place);
                    table.encryption = Some(Encryption::KmsKey(key));
                }
                // A key where encryption is off, or by an expression.
                (_, known) => {
                    if let Some(key) = key.filter(|_| known.is_some()) {
                        item.carry("SSESpecification.KMSMasterKeyId", key);
                    }
                }
            }
            sse.carry_rest(item);
        }
        table.point_in_time_recovery = self.point_in_time_recovery(&mut fields, item);
        table.deletion_protection = self.deletion_protection(&mut fields, item);
        table.table_class = self.table_class(&mut fields, item);
        table.contributor_insights = self.insights(&mut fields, item);
        table.kinesis_stream = self.kinesis_stream(&mut fields, item);
        table.resource_policy = self.resource_policy(&mut fields, item);
        table.tags = self.tags(&mut fields, item);
        let reads = self.reads(&mut fields, item);
        let mut of_indexes = BTreeMap::new();
        for (path, node) in self.items(&mut fields, "GlobalSecondaryIndexes", item) {
            let Some(mut fields) = self.fields(node, path, item) else { continue };
            let name = self.required(&mut fields, "IndexName").and_then(|name| self.name(name));
            let Some((name, index)) = name.and_then(|name| table.global_indexes.get_mut(&name).map(|index| (name, index))) else {
                item.carry(path, node);
                continue;
            };
            let mut of_index = Item { about: std::mem::take(&mut index.about), extra: std::mem::take(&mut index.extra) };
            index.contributor_insights = self.insights(&mut fields, &mut of_index);
            let reads = self.reads(&mut fields, &mut of_index);
            fields.carry_rest(&mut of_index);
            (index.about, index.extra) = (of_index.about, of_index.extra);
            if reads != Reads::default() {
                of_indexes.insert(name, reads);
            }
        }
        fields.carry_rest(item);
        Some((reads, of_indexes))
    }

    /// A replica in another Region. What gen writes for one Region alone is carried along here.
    fn elsewhere(&mut self, node: &Node, item: &mut Item) -> Option<Elsewhere> {
        let region = self.name(node.get("Region")?)?;
        item.place(format!("replicas.{region}"), node.span);
        let mut sources = COMPARED.map(|key| (key, node.get(key).map(source)));
        let mut own = Item::at(node.span);
        let mut fields = self.fields(node, "", &mut own)?;
        fields.take("Region");
        let mut replica = Replica::default();
        if let Some(mut sse) = self.nested(&mut fields, "SSESpecification", &mut own) {
            replica.kms_key = self.required(&mut sse, "KMSMasterKeyId").and_then(|key| self.text(key));
            sse.carry_rest(&mut own);
        }
        replica.point_in_time_recovery = self.point_in_time_recovery(&mut fields, &mut own);
        replica.deletion_protection = self.deletion_protection(&mut fields, &mut own);
        replica.table_class = self.table_class(&mut fields, &mut own);
        let tags = self.tags(&mut fields, &mut own);
        // Their order means nothing.
        for (_, said) in sources.iter_mut().filter(|(key, _)| *key == "Tags" && !tags.is_empty()) {
            *said = serde_json::to_string(&tags).ok();
        }
        let reads = self.reads(&mut fields, &mut own);
        let mut of_indexes = BTreeMap::new();
        for (path, node) in self.items(&mut fields, "GlobalSecondaryIndexes", &mut own) {
            let Some(mut fields) = self.fields(node, path, &mut own) else { continue };
            let name = self.required(&mut fields, "IndexName").and_then(|name| self.name(name));
            let reads = self.reads(&mut fields, &mut own);
            fields.carry_rest(&mut own);
            of_indexes.extend(name.map(|name| (name, reads)).filter(|(_, reads)| *reads != Reads::default()));
        }
        fields.carry_rest(&mut own);
        replica.extra = own.extra;
        Some(Elsewhere { region, replica, tags, reads, of_indexes, sources })
    }

    /// How much may be written: `WriteProvisionedThroughputSettings` and `WriteOnDemandThroughputSettings`. Gives where it
    /// starts.
    pub(super) fn writes(
        &mut self,
        fields: &mut Fields<'_>,
        item: &mut Item,
        autoscaling: &mut Option<Autoscaling>,
        maximum: &mut Option<Units>,
    ) -> Option<Value<u64>> {
        let mut start = None;
        if let Some(mut settings) = self.nested(fields, "WriteProvisionedThroughputSettings", item) {
            item.place("autoscaling", settings.span());
            if let Some((range, seed)) = self.limits(&mut settings, "WriteCapacityAutoScalingSettings", item) {
                autoscaling.get_or_insert_default().write = Some(range);
                if seed.is_none() {
                    item.about.manner.insert(UNSEEDED.to_owned());
                }
                start = seed;
            }
            settings.carry_rest(item);
        }
        if let Some(mut settings) = self.nested(fields, "WriteOnDemandThroughputSettings", item) {
            item.place("on_demand_maximum", settings.span());
            if let Some(units) = settings.take("MaxWriteRequestUnits").and_then(|units| self.number(units)) {
                maximum.get_or_insert_default().write = Some(units);
            }
            settings.carry_rest(item);
        }
        start
    }

    /// How much may be read: `ReadProvisionedThroughputSettings` and `ReadOnDemandThroughputSettings`.
    fn reads(&mut self, fields: &mut Fields<'_>, item: &mut Item) -> Reads {
        let mut reads = Reads::default();
        if let Some(mut settings) = self.nested(fields, "ReadProvisionedThroughputSettings", item) {
            item.place("throughput", settings.span());
            reads.units = settings.take("ReadCapacityUnits").and_then(|units| self.number(units));
            if let Some((range, seed)) = self.limits(&mut settings, "ReadCapacityAutoScalingSettings", item) {
                reads.scaling = Some(range);
                reads.units = seed.or(reads.units);
            }
            settings.carry_rest(item);
        }
        if let Some(mut settings) = self.nested(fields, "ReadOnDemandThroughputSettings", item) {
            item.place("on_demand_maximum", settings.span());
            reads.maximum = settings.take("MaxReadRequestUnits").and_then(|units| self.number(units));
            settings.carry_rest(item);
        }
        reads
    }

    /// The limits between which capacity is scaled, and where it starts.
    fn limits(&mut self, fields: &mut Fields<'_>, key: &str, item: &mut Item) -> Option<(Range, Option<Value<u64>>)> {
        let mut settings = self.nested(fields, key, item)?;
        let min = self.required(&mut settings, "MinCapacity").and_then(|units| self.number(units));
        let max = self.required(&mut settings, "MaxCapacity").and_then(|units| self.number(units));
        let seed = settings.take("SeedCapacity").and_then(|units| self.number(units));
        let mut tracking = self.nested(&mut settings, "TargetTrackingScalingPolicyConfiguration", item);
        let target = tracking.as_mut().and_then(|tracking| self.required(tracking, "TargetValue"));
        let target = target.and_then(|target| self.per_cent(target));
        if let Some(tracking) = tracking {
            tracking.carry_rest(item);
        }
        settings.carry_rest(item);
        Some((Range { min: min?, max: max?, target: target? }, seed))
    }
}
