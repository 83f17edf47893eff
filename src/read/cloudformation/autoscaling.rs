//! Scaling of capacity: resources beside tables, put into them.

use super::Reader;
use super::intrinsic::call;
use super::item::Item;
use crate::schema::dynamodb::{Autoscaling, Range, Schema};
use crate::schema::{Part, Text, Value};
use crate::source::{Entry, Kind, Node};
use std::collections::BTreeMap;

const TARGET: &str = "AWS::ApplicationAutoScaling::ScalableTarget";
const POLICY: &str = "AWS::ApplicationAutoScaling::ScalingPolicy";

/// A table, by its logical ID, or an index of one.
type Holder = (String, Option<String>);

/// What is scaled: whose capacity, and whether that of reads.
type Scaled = (Holder, bool);

#[derive(Default)]
struct Limits {
    min: Option<Value<u64>>,
    max: Option<Value<u64>>,
    target: Option<Value<u64>>,
}

impl Reader<'_> {
    /// Reads the targets and policies of a template into the tables they are for. Those of others are passed over.
    pub(super) fn autoscaling(&mut self, resources: &Node, schema: &mut Schema) {
        let of = |kind: &'static str| {
            let is = move |entry: &&Entry| entry.value.get("Type").and_then(Node::as_str) == Some(kind);
            resources.entries().iter().filter(is).filter_map(|entry| Some((entry, entry.value.get("Properties")?)))
        };
        let mut holders: Option<BTreeMap<Text, Holder>> = None;
        let mut found: BTreeMap<Scaled, (Limits, Item)> = BTreeMap::new();
        let mut by_id: BTreeMap<&str, Scaled> = BTreeMap::new();
        for (entry, properties) in of(TARGET) {
            let holders = holders.get_or_insert_with(|| known_as(schema));
            let Some(scaled) = self.scaled(properties, holders) else { continue };
            let mut limit = |key: &str| properties.get(key).and_then(|limit| self.number(limit));
            let limits = Limits { min: limit("MinCapacity"), max: limit("MaxCapacity"), target: None };
            by_id.insert(&entry.key, scaled.clone());
            found.insert(scaled, (limits, Item::at(entry.key_span)));
        }
        for (_, properties) in of(POLICY) {
            let holders = holders.get_or_insert_with(|| known_as(schema));
            let named = properties.get("ScalingTargetId").and_then(call).and_then(|(_, id)| by_id.get(id.as_str()?).cloned());
            let Some(scaled) = named.or_else(|| self.scaled(properties, holders)) else { continue };
            let metric = if scaled.1 { "DynamoDBReadCapacityUtilization" } else { "DynamoDBWriteCapacityUtilization" };
            let Some((limits, _)) = found.get_mut(&scaled) else { continue };
            let tracking = properties.get("TargetTrackingScalingPolicyConfiguration");
            let measured = tracking
                .and_then(|tracking| tracking.get("PredefinedMetricSpecification")?.get("PredefinedMetricType")?.as_str());
            if measured == Some(metric) {
                limits.target = tracking.and_then(|tracking| tracking.get("TargetValue")).and_then(|value| self.number(value));
            }
        }
        for (((logical_id, index), read), (limits, item)) in found {
            let Some(table) = schema.tables.get_mut(&logical_id) else { continue };
            let (about, autoscaling) = match index.map(|index| table.global_indexes.get_mut(&index)) {
                None => (&mut table.about, &mut table.autoscaling),
                Some(Some(index)) => (&mut index.about, &mut index.autoscaling),
                Some(None) => continue,
            };
            about.properties.extend(item.about.span.map(|span| ("autoscaling".to_owned(), span)));
            let Limits { min: Some(min), max: Some(max), target: Some(target) } = limits else { continue };
            let autoscaling = autoscaling.get_or_insert_with(Autoscaling::default);
            let range = Some(Range { min, max, target });
            if read { autoscaling.read = range } else { autoscaling.write = range }
        }
    }

    /// What a target or a policy is for.
    fn scaled(&mut self, properties: &Node, holders: &BTreeMap<Text, Holder>) -> Option<Scaled> {
        let id = properties.get("ResourceId").filter(|id| !matches!(id.kind, Kind::Null | Kind::Sequence(_)))?;
        let holder = holders.get(&self.text(id)?)?.clone();
        let read = match properties.get("ScalableDimension")?.as_str()?.rsplit(':').next()? {
            "ReadCapacityUnits" => true,
            "WriteCapacityUnits" => false,
            _ => return None,
        };
        Some((holder, read))
    }
}

/// The IDs by which Application Auto Scaling knows the tables of a template and their indexes.
fn known_as(schema: &Schema) -> BTreeMap<Text, Holder> {
    let mut holders = BTreeMap::new();
    for (logical_id, table) in &schema.tables {
        let reference = Part::Expression(serde_json::json!({ "Ref": logical_id }).to_string());
        // A parameter of the same name, which CloudFormation refuses, hides the table.
        let hidden = Part::Parameter(logical_id.clone());
        let names = [vec![reference], vec![hidden]].into_iter().chain(table.name.as_ref().map(|name| name.parts().to_vec()));
        for name in names {
            let id = |after: String| {
                let before = vec![Part::Literal("table/".to_owned())];
                Text::from_parts([before, name.clone(), vec![Part::Literal(after)]].concat())
            };
            holders.insert(id(String::new()), (logical_id.clone(), None));
            for index in table.global_indexes.keys() {
                holders.insert(id(format!("/index/{index}")), (logical_id.clone(), Some(index.clone())));
            }
        }
    }
    holders
}
