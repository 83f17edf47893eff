//! Resources that stand beside a table and are part of it: scaling of its capacity, contributor insights, a Kinesis
//! destination, a resource policy. Those of tables of other modules are passed over.

use super::Reader;
use super::apart::is_apart;
use super::fields::{Fields, Item, Source};
use super::json::json;
use crate::schema::dynamodb::{self, Autoscaling, Insights, Range, Table};
use crate::schema::{About, Part, Text, Value};
use hcl::edit::structure::Block;
use std::collections::BTreeMap;

/// The resources of one module that stand beside tables, as they come.
#[derive(Default)]
pub(super) struct Companions<'a> {
    targets: Vec<(Source<'a>, &'a Block)>,
    policies: Vec<(Source<'a>, &'a Block)>,
    parts: Vec<(Source<'a>, &'a Block)>,
    others: Vec<(Source<'a>, &'a Block)>,
}

impl<'a> Companions<'a> {
    /// Takes a resource in, when it is of a type that stands beside tables.
    pub(super) fn take(&mut self, source: Source<'a>, block: &'a Block, kind: &str) {
        match kind {
            "aws_appautoscaling_target" => self.targets.push((source, block)),
            "aws_appautoscaling_policy" => self.policies.push((source, block)),
            "aws_dynamodb_contributor_insights"
            | "aws_dynamodb_kinesis_streaming_destination"
            | "aws_dynamodb_resource_policy" => self.others.push((source, block)),
            kind if is_apart(kind) => self.parts.push((source, block)),
            _ => {}
        }
    }

    fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.targets.is_empty() && self.policies.is_empty() && self.others.is_empty()
    }
}

/// A table, by its label, or an index of one.
pub(super) type Holder = (String, Option<String>);

/// What an ID, a name or an ARN of the module stands for.
pub(super) type Holders = BTreeMap<Text, Holder>;

/// Which capacity is scaled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Dimension {
    Read,
    Write,
}

impl Dimension {
    fn find(word: &str) -> Option<Self> {
        match word.rsplit(':').next()? {
            "ReadCapacityUnits" => Some(Self::Read),
            "WriteCapacityUnits" => Some(Self::Write),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    fn metric(self) -> &'static str {
        match self {
            Self::Read => "DynamoDBReadCapacityUtilization",
            Self::Write => "DynamoDBWriteCapacityUtilization",
        }
    }
}

/// A scaled capacity, gathered from its target and its policy.
#[derive(Default)]
struct Scaled {
    item: Item,
    min: Option<Value<u64>>,
    max: Option<Value<u64>>,
    target: Option<Value<u64>>,
}

type Scales = BTreeMap<(Holder, Dimension), Scaled>;

impl<'a> Reader<'a> {
    /// Puts the resources beside tables into them.
    pub(super) fn companions(&mut self, companions: &Companions<'a>) {
        if companions.is_empty() {
            return;
        }
        let holders = self.holders();
        for (source, block) in &companions.parts {
            self.part(*source, block, &holders);
        }
        // With the indexes that have come.
        let holders = if companions.parts.is_empty() { holders } else { self.holders() };
        let mut scales = Scales::new();
        // A policy mostly names its target, so targets come first.
        let mut labels = BTreeMap::new();
        for (source, block) in &companions.targets {
            let place = self.scaling_target(*source, block, &holders, &mut scales);
            let label = block.labels.get(1).map(hcl::edit::structure::BlockLabel::as_str);
            labels.extend(label.zip(place));
        }
        for (source, block) in &companions.policies {
            self.scaling_policy(*source, block, &holders, &labels, &mut scales);
        }
        for (((label, index), dimension), scaled) in scales {
            self.scaled(&label, index.as_deref(), dimension, scaled);
        }
        for (source, block) in &companions.others {
            self.other(*source, block, &holders);
        }
    }

    /// What the tables and indexes of the module are known by elsewhere.
    fn holders(&self) -> Holders {
        let mut holders = Holders::new();
        for (label, table) in &self.module.schema.tables {
            let of = |attribute: &str| Part::Expression(dynamodb::terraform_attribute(label, attribute));
            holders.insert(Text::from_parts([of("arn")]), (label.clone(), None));
            let mut names = vec![vec![of("name")], vec![of("id")]];
            names.extend(table.name.as_ref().map(|name| name.parts().to_vec()));
            for name in names {
                let id = |after: String| {
                    let before = Part::Literal("table/".to_owned());
                    Text::from_parts([vec![before], name.clone(), vec![Part::Literal(after)]].concat())
                };
                for index in table.global_indexes.keys() {
                    holders.insert(id(format!("/index/{index}")), (label.clone(), Some(index.clone())));
                }
                holders.insert(id(String::new()), (label.clone(), None));
                holders.insert(Text::from_parts(name), (label.clone(), None));
            }
        }
        holders
    }

    pub(super) fn holder(&self, fields: &mut Fields<'a>, argument: &str, holders: &Holders) -> Option<Holder> {
        let value = fields.argument(argument)?;
        holders.get(&self.scope.text(fields.source, value)?).cloned()
    }

    fn dimension(&self, fields: &mut Fields<'a>) -> Option<Dimension> {
        let value = fields.argument("scalable_dimension")?;
        Dimension::find(&self.scope.word(fields.source, value)?)
    }

    fn scaling_target(
        &mut self,
        source: Source<'a>,
        block: &'a Block,
        holders: &Holders,
        scales: &mut Scales,
    ) -> Option<(Holder, Dimension)> {
        let mut fields = Fields::new(source, &block.body);
        let holder = self.holder(&mut fields, "resource_id", holders)?;
        let dimension = self.dimension(&mut fields)?;
        fields.argument("service_namespace");
        let scaled = scales.entry((holder.clone(), dimension)).or_default();
        let mut item = Item::at(source.span(&block.ident));
        let mut limit = |argument: &str| {
            let value = fields.argument(argument)?;
            Some(self.scope.value(source, value))
        };
        scaled.min = limit("min_capacity");
        scaled.max = limit("max_capacity");
        fields.carry_rest(&format!("autoscaling.{}", dimension.name()), &mut item);
        scaled.item = item;
        Some((holder, dimension))
    }

    fn scaling_policy(
        &mut self,
        source: Source<'a>,
        block: &'a Block,
        holders: &Holders,
        labels: &BTreeMap<&str, (Holder, Dimension)>,
        scales: &mut Scales,
    ) {
        let mut fields = Fields::new(source, &block.body);
        let Some(place) = self.scaled_by(&mut fields, holders, labels) else { return };
        let (path, metric) = (format!("autoscaling.{}", place.1.name()), place.1.metric());
        let scaled = scales.entry(place).or_default();
        // Its name and where it belongs say nothing more.
        for argument in ["name", "service_namespace", "scalable_dimension"] {
            fields.argument(argument);
        }
        self.is_word(&mut fields, "policy_type", "TargetTrackingScaling", &path, &mut scaled.item);
        if let Some(block) = fields.block("target_tracking_scaling_policy_configuration") {
            let mut fields = Fields::new(source, &block.body);
            scaled.target = fields.argument("target_value").map(|value| self.scope.value(source, value));
            if let Some(block) = fields.block("predefined_metric_specification") {
                let mut fields = Fields::new(source, &block.body);
                self.is_word(&mut fields, "predefined_metric_type", metric, &path, &mut scaled.item);
                fields.carry_rest(&path, &mut scaled.item);
            }
            fields.carry_rest(&path, &mut scaled.item);
        }
        fields.carry_rest(&path, &mut scaled.item);
    }

    /// What a policy is for: that of the target it names, else what it says itself.
    fn scaled_by(
        &self,
        fields: &mut Fields<'a>,
        holders: &Holders,
        labels: &BTreeMap<&str, (Holder, Dimension)>,
    ) -> Option<(Holder, Dimension)> {
        let value = fields.argument("resource_id")?;
        let text = self.scope.text(fields.source, value)?;
        if let [Part::Expression(source)] = text.parts() {
            let label = source.strip_prefix("aws_appautoscaling_target.").and_then(|rest| rest.strip_suffix(".resource_id"));
            if let Some(place) = label.and_then(|label| labels.get(label)) {
                return Some(place.clone());
            }
        }
        Some((holders.get(&text)?.clone(), self.dimension(fields)?))
    }

    /// Takes a word that has to be the one expected; another is carried along.
    fn is_word(&self, fields: &mut Fields<'a>, argument: &str, expected: &str, path: &str, item: &mut Item) {
        let Some(value) = fields.argument(argument) else { return };
        if self.scope.word(fields.source, value).as_deref() != Some(expected) {
            item.carry(format!("{path}.{argument}"), fields.source, value);
        }
    }

    fn scaled(&mut self, label: &str, index: Option<&str>, dimension: Dimension, scaled: Scaled) {
        let Some(table) = self.module.schema.tables.get_mut(label) else { return };
        let (about, extra, autoscaling) = match index.map(|index| table.global_indexes.get_mut(index)) {
            None => (&mut table.about, &mut table.extra, &mut table.autoscaling),
            Some(Some(index)) => (&mut index.about, &mut index.extra, &mut index.autoscaling),
            Some(None) => return,
        };
        let Item { about: place, extra: more } = scaled.item;
        extra.extend(more);
        about.properties.extend(place.properties.clone());
        about.properties.extend(place.span.map(|span| ("autoscaling".to_owned(), span)));
        match (scaled.min, scaled.max, scaled.target) {
            (Some(min), Some(max), Some(target)) => {
                let autoscaling = autoscaling.get_or_insert_with(Autoscaling::default);
                let range = Some(Range { min, max, target });
                match dimension {
                    Dimension::Read => autoscaling.read = range,
                    Dimension::Write => autoscaling.write = range,
                }
            }
            // A target alone, or a policy alone.
            (min, max, target) => {
                for (name, value) in [("min", min), ("max", max), ("target", target)] {
                    let path = || format!("autoscaling.{}.{name}", dimension.name());
                    extra.extend(value.map(|value| (path(), Text::from(value).to_string())));
                }
            }
        }
    }

    fn other(&mut self, source: Source<'a>, block: &'a Block, holders: &Holders) {
        let kind = block.labels.first().map_or("", hcl::edit::structure::BlockLabel::as_str);
        let mut fields = Fields::new(source, &block.body);
        let argument = if kind == "aws_dynamodb_resource_policy" { "resource_arn" } else { "table_name" };
        let Some((label, _)) = self.holder(&mut fields, argument, holders) else { return };
        let mut item = Item::at(source.span(&block.ident));
        match kind {
            "aws_dynamodb_contributor_insights" => self.insights(&label, fields, item),
            "aws_dynamodb_kinesis_streaming_destination" => {
                let stream = self.text(&mut fields, "stream_arn", "kinesis_stream", &mut item);
                fields.carry_rest("kinesis_stream", &mut item);
                self.put(&label, item, |table| table.kinesis_stream = stream);
            }
            _ => {
                let policy = fields.argument("policy");
                let known = policy.and_then(|policy| json(&self.scope, source, policy));
                if let (Some(policy), None) = (policy, &known) {
                    self.not_evaluated(source.span(policy), "policy");
                    item.carry("resource_policy", source, policy);
                }
                fields.carry_rest("resource_policy", &mut item);
                item.place("resource_policy", source.span(&block.ident));
                self.put(&label, item, |table| table.resource_policy = known);
            }
        }
    }

    fn insights(&mut self, label: &str, mut fields: Fields<'a>, mut item: Item) {
        let source = fields.source;
        let index = fields.argument("index_name").and_then(|index| self.scope.word(source, index));
        let mode = fields.argument("mode");
        let insights = match mode {
            None => Some(Insights::AccessedAndThrottledKeys),
            Some(mode) => self.scope.word(source, mode).and_then(|word| Insights::from_mode(&word)),
        };
        if let (Some(mode), None) = (mode, insights) {
            item.carry("contributor_insights.mode", source, mode);
        }
        fields.carry_rest("contributor_insights", &mut item);
        let span = item.about.span;
        item.about.properties.extend(span.map(|span| ("contributor_insights".to_owned(), span)));
        self.put(label, Item { about: About::default(), extra: BTreeMap::new() }, |table| {
            let index = index.map(|index| table.global_indexes.get_mut(&index));
            let (about, extra, place) = match index {
                None => (&mut table.about, &mut table.extra, &mut table.contributor_insights),
                Some(Some(index)) => (&mut index.about, &mut index.extra, &mut index.contributor_insights),
                Some(None) => return,
            };
            about.properties.extend(item.about.properties.clone());
            extra.extend(item.extra);
            *place = insights;
        });
    }

    /// Puts what was read into a table of the module.
    pub(super) fn put(&mut self, label: &str, item: Item, change: impl FnOnce(&mut Table)) {
        let Some(table) = self.module.schema.tables.get_mut(label) else { return };
        table.about.properties.extend(item.about.properties.clone());
        table.extra.extend(item.extra);
        change(table);
    }
}
