//! Scaling of capacity: resources beside tables, put into them. What is not modelled of them is carried along, as for a table.

use super::Reader;
use super::behind::named_in_text;
use super::intrinsic::call;
use super::item::{Fields, Item};
use super::table::NOT_PART_OF_IT;
use crate::read::scaling::{Dimension, INDEX, Limits};
use crate::schema::dynamodb::Schema;
use crate::schema::{Part, Text, Value};
use crate::source::{Entry, Kind, Node};
use std::collections::{BTreeMap, BTreeSet};

const TARGET: &str = "AWS::ApplicationAutoScaling::ScalableTarget";
const POLICY: &str = "AWS::ApplicationAutoScaling::ScalingPolicy";

/// What is scaled: a table, by its logical ID, or an index of one, and which capacity of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    table: String,
    index: Option<String>,
    dimension: Dimension,
}

/// A resource of which it is not known what it scales.
struct NotKnown;

/// A scaled capacity, gathered from its target and its policy.
#[derive(Default)]
struct Scaled {
    item: Item,
    /// The types of which one has been taken.
    taken: BTreeSet<&'static str>,
    limits: Limits,
}

impl Reader<'_> {
    /// Reads the targets and policies of a template into the tables they are for. Those of other services are passed over.
    pub(super) fn autoscaling(&mut self, resources: &Node, schema: &mut Schema) {
        let of = |kind: &'static str| {
            let is = move |entry: &&Entry| entry.value.get("Type").and_then(Node::as_str) == Some(kind);
            resources.entries().iter().filter(is).filter_map(move |entry| Some((kind, entry, entry.value.get("Properties")?)))
        };
        let mut found = of(TARGET).chain(of(POLICY)).peekable();
        if found.peek().is_none() {
            return;
        }
        let ids = ids(schema);
        let mut scales: BTreeMap<Place, Scaled> = BTreeMap::new();
        // A policy mostly names its target, so targets come first.
        let mut targets: BTreeMap<&str, Option<Place>> = BTreeMap::new();
        let mut not_known = Vec::new();
        for (kind, entry, properties) in found {
            let target = properties.get("ScalingTargetId").and_then(call).and_then(|(_, id)| targets.get(id.as_str()?));
            let place = match target {
                Some(place) => Ok(place.clone()),
                None => self.scaled_place(properties, schema, &ids),
            };
            let place = place.unwrap_or_else(|NotKnown| {
                not_known.push((entry.key_span, entry.key.clone()));
                None
            });
            if kind == TARGET {
                targets.insert(&entry.key, place.clone());
            }
            let Some(place) = place else { continue };
            let mut scaled = scales.remove(&place).unwrap_or_default();
            self.take_scaling(kind, entry, &place, &ids, &mut scaled);
            scales.insert(place, scaled);
        }
        self.not_placed(&not_known);
        for (place, scaled) in scales {
            if let Some(table) = schema.tables.get_mut(&place.table) {
                let Item { about, extra } = scaled.item;
                scaled.limits.put(place.dimension, table, place.index.as_deref(), &about, extra);
            }
        }
    }

    /// The capacity that a target or a policy names itself; None for that of another service, or of a table that is not here.
    fn scaled_place(
        &mut self,
        properties: &Node,
        schema: &Schema,
        ids: &BTreeMap<Text, String>,
    ) -> Result<Option<Place>, NotKnown> {
        let word = |key: &str| properties.get(key).and_then(Node::as_str);
        let dimension = word("ScalableDimension");
        let services = [word("ServiceNamespace"), dimension.and_then(|dimension| dimension.split(':').next())];
        match services.into_iter().flatten().find(|service| *service != "dynamodb") {
            Some("cassandra") => return Err(NotKnown),
            Some(_) => return Ok(None),
            None => {}
        }
        let id = properties.get("ResourceId").filter(|id| !matches!(id.kind, Kind::Null | Kind::Sequence(_)));
        let Some(id) = id.and_then(|id| self.text(id)) else {
            let is_of_a_table = measured(properties).is_some_and(|metric| metric.starts_with("DynamoDB"));
            return if is_of_a_table { Err(NotKnown) } else { Ok(None) };
        };
        let (table, index) = divided(&id);
        let Some(table) = ids.get(&table).cloned().or_else(|| only_one(&table, schema)) else {
            return if id.as_literal().is_some() { Ok(None) } else { Err(NotKnown) };
        };
        let index = match index {
            None => None,
            Some(index) => {
                let name = index.in_force(&self.parameters).ok_or(NotKnown)?;
                let known = schema.tables.get(&table).is_some_and(|table| table.global_indexes.contains_key(&name));
                Some(if known { name } else { return Err(NotKnown) })
            }
        };
        let dimension = dimension.and_then(Dimension::find).ok_or(NotKnown)?;
        Ok(Some(Place { table, index, dimension }))
    }

    /// Takes in what a target or a policy says. A second one of its type, as on another condition, is carried along whole.
    fn take_scaling(
        &mut self,
        kind: &'static str,
        entry: &Entry,
        place: &Place,
        ids: &BTreeMap<Text, String>,
        scaled: &mut Scaled,
    ) {
        let (path, item) = (place.dimension.path(), &mut scaled.item);
        let is_first = scaled.taken.insert(kind);
        let own = match (is_first, kind) {
            (false, _) => format!("{path}.{}", entry.key),
            (true, TARGET) => format!("{path}.target"),
            (true, _) => format!("{path}.policy"),
        };
        let Some(mut attributes) = self.fields(&entry.value, own.as_str(), item) else { return };
        for key in NOT_PART_OF_IT {
            attributes.take(key);
        }
        if let Some(name) = attributes.take("Condition").and_then(Node::as_str) {
            // As a reference, behind which the condition is found.
            item.extra.insert(format!("{own}.Condition"), serde_json::json!({ "Condition": name }).to_string());
        }
        let properties = attributes.take("Properties");
        attributes.carry_rest(item);
        let Some(properties) = properties else { return };
        if !is_first {
            return item.carry(&own, properties);
        }
        let Some(mut fields) = self.fields(properties, path, item) else { return };
        // Its name and where it belongs say nothing more.
        for key in ["PolicyName", "ServiceNamespace", "ScalableDimension", "ScalingTargetId"] {
            fields.take(key);
        }
        let mut text = |id: &Node| call(id).is_none() || self.text(id).is_some_and(|id| ids.contains_key(&divided(&id).0));
        let is_plain = properties.get("ResourceId").is_none_or(&mut text);
        fields.take_if("ResourceId", |_| is_plain);
        if kind == TARGET {
            item.about.span = Some(entry.key_span);
            scaled.limits.min = fields.take("MinCapacity").and_then(|limit| self.number(limit));
            scaled.limits.max = fields.take("MaxCapacity").and_then(|limit| self.number(limit));
        } else {
            fields.take_if("PolicyType", |kind| kind.as_str() == Some("TargetTrackingScaling"));
            scaled.limits.target = self.tracking(&mut fields, place, item);
        }
        fields.carry_rest(item);
    }

    /// The utilisation that a policy keeps to.
    fn tracking(&mut self, fields: &mut Fields<'_>, place: &Place, item: &mut Item) -> Option<Value<u64>> {
        let mut tracking = self.nested(fields, "TargetTrackingScalingPolicyConfiguration", item)?;
        if let Some(mut metric) = self.nested(&mut tracking, "PredefinedMetricSpecification", item) {
            metric.take_if("PredefinedMetricType", |metric| metric.as_str() == Some(place.dimension.metric()));
            metric.carry_rest(item);
        }
        let target = tracking.take("TargetValue").and_then(|value| self.per_cent(value));
        tracking.carry_rest(item);
        target
    }
}

/// The metric that a policy measures.
fn measured(policy: &Node) -> Option<&str> {
    let tracking = policy.get("TargetTrackingScalingPolicyConfiguration")?;
    tracking.get("PredefinedMetricSpecification")?.get("PredefinedMetricType")?.as_str()
}

/// The ID of a table, and the name of an index of it.
fn divided(id: &Text) -> (Text, Option<Text>) {
    let parts = id.parts();
    let at = parts.iter().enumerate().find_map(|(at, part)| match part {
        Part::Literal(text) => text.split_once(INDEX).map(|(before, after)| (at, before, after)),
        Part::Parameter(_) | Part::Expression(_) => None,
    });
    let Some((at, before, after)) = at else { return (id.clone(), None) };
    let literal = |text: &str| Part::Literal(text.to_owned());
    let table = parts.iter().take(at).cloned().chain([literal(before)]);
    let index = [literal(after)].into_iter().chain(parts.iter().skip(at + 1).cloned());
    (Text::from_parts(table), Some(Text::from_parts(index)))
}

/// The IDs by which Application Auto Scaling knows tables: by a reference, by the name as it is written, and as it is by default.
fn ids(schema: &Schema) -> BTreeMap<Text, String> {
    let mut ids = BTreeMap::new();
    for (logical_id, table) in &schema.tables {
        let reference = Part::Expression(serde_json::json!({ "Ref": logical_id }).to_string());
        // A parameter of the same name, which CloudFormation refuses, hides the table.
        let hidden = Part::Parameter(logical_id.clone());
        let named = table.name.iter().flat_map(|name| [name.clone(), name.with_values(&schema.parameters)]);
        let names = [Text::from_parts([reference]), Text::from_parts([hidden])].into_iter().chain(named);
        for name in names {
            let id = [Part::Literal("table/".to_owned())].into_iter().chain(name.parts().iter().cloned());
            ids.insert(Text::from_parts(id), logical_id.clone());
        }
    }
    ids
}

/// The table that an ID names by a reference, when it names no other: `!If [IsProd, !Sub 'table/${Orders}', …]`.
fn only_one(id: &Text, schema: &Schema) -> Option<String> {
    let mut open = BTreeSet::new();
    named_in_text(&id.to_string(), &mut open);
    let mut tables = schema.tables.keys().filter(|logical_id| open.iter().any(|name| name.is_resource(logical_id)));
    let (Some(table), None) = (tables.next(), tables.next()) else { return None };
    Some(table.clone())
}

#[cfg(test)]
mod tests;
