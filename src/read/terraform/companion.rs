//! Resources that stand beside a table and are part of it: scaling of its capacity, contributor insights, a Kinesis
//! destination, a resource policy. Those of tables of other modules are passed over.

use super::Reader;
use super::apart::is_apart;
use super::fields::{Fields, Item, Source};
use super::json::json;
use super::place::{Holder, Holders};
use super::syntax::{Block, Name};
use crate::read::scaling::{Dimension, Limits};
use crate::schema::About;
use crate::schema::dynamodb::{Insights, STEP_SCALING, Table};
use std::collections::BTreeMap;

/// The resources of one module that stand beside tables, as they come.
#[derive(Default)]
pub(super) struct Companions<'a> {
    targets: Vec<(Source<'a>, &'a Block<'a>)>,
    policies: Vec<(Source<'a>, &'a Block<'a>)>,
    schedules: Vec<(Source<'a>, &'a Block<'a>)>,
    parts: Vec<(Source<'a>, &'a Block<'a>)>,
    others: Vec<(Source<'a>, &'a Block<'a>)>,
}

impl<'a> Companions<'a> {
    /// Takes a resource in, when it is of a type that stands beside tables.
    pub(super) fn take(&mut self, source: Source<'a>, block: &'a Block<'a>, kind: &str) {
        match kind {
            "aws_appautoscaling_target" => self.targets.push((source, block)),
            "aws_appautoscaling_policy" => self.policies.push((source, block)),
            "aws_appautoscaling_scheduled_action" => self.schedules.push((source, block)),
            "aws_dynamodb_contributor_insights"
            | "aws_dynamodb_kinesis_streaming_destination"
            | "aws_dynamodb_resource_policy" => self.others.push((source, block)),
            kind if is_apart(kind) => self.parts.push((source, block)),
            _ => {}
        }
    }

    fn is_empty(&self) -> bool {
        [&self.targets, &self.policies, &self.schedules, &self.parts, &self.others].iter().all(|resources| resources.is_empty())
    }
}

/// A scaled capacity, gathered from its target and its policy.
#[derive(Default)]
struct Scaled {
    item: Item,
    limits: Limits,
}

type Scales = BTreeMap<(Holder, Dimension), Scaled>;

/// What each target scales, by its label; None where that is another service's, or not known.
type Targets<'a> = BTreeMap<&'a str, Option<(Holder, Dimension)>>;

/// What sets other limits at times is carried along with what it scales.
fn scheduled_action<'a>(block: &'a Block<'a>, mut fields: Fields<'a>, dimension: Dimension, scaled: &mut Scaled) {
    for argument in ["service_namespace", "scalable_dimension"] {
        fields.argument(argument);
    }
    let label = block.labels.get(1).map_or("", Name::as_str);
    fields.carry_rest(&format!("{}.scheduled_action.{label}", dimension.path()), &mut scaled.item);
}

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
        let mut targets = Targets::new();
        for (source, block) in &companions.targets {
            let place = self.scaling_target(*source, block, &holders, &mut scales);
            let label = block.labels.get(1).map(Name::as_str);
            targets.extend(label.map(|label| (label, place)));
        }
        for (source, block) in &companions.policies {
            let mut fields = Fields::new(*source, &block.body);
            let Some(place) = self.scaled_by(block, &mut fields, &holders, &targets) else { continue };
            let dimension = place.1;
            self.label_beside(*source, block, &place.0, Some(dimension.end()));
            self.scaling_policy(fields, dimension, scales.entry(place).or_default());
        }
        for (source, block) in &companions.schedules {
            let mut fields = Fields::new(*source, &block.body);
            let Some(place) = self.scaled_by(block, &mut fields, &holders, &targets) else { continue };
            let dimension = place.1;
            scheduled_action(block, fields, dimension, scales.entry(place).or_default());
        }
        for (((label, index), dimension), scaled) in scales {
            if let Some(table) = self.module.schema.tables.get_mut(&label) {
                let Item { about, extra } = scaled.item;
                scaled.limits.put(dimension, table, index.as_deref(), &about, extra);
            }
        }
        for (source, block) in &companions.others {
            self.other(*source, block, &holders);
        }
    }

    fn scaling_target(
        &mut self,
        source: Source<'a>,
        block: &'a Block<'a>,
        holders: &Holders,
        scales: &mut Scales,
    ) -> Option<(Holder, Dimension)> {
        let mut fields = Fields::new(source, &block.body);
        let (holder, dimension) = self.scaled_capacity(block, &mut fields, holders)?;
        let scaled = scales.entry((holder.clone(), dimension)).or_default();
        let mut item = Item::at(source.span(&block.ident));
        let mut limit = |argument: &str| {
            let value = fields.argument(argument)?;
            Some(self.scope.value(source, value))
        };
        scaled.limits.min = limit("min_capacity");
        scaled.limits.max = limit("max_capacity");
        fields.carry_rest(dimension.path(), &mut item);
        scaled.item = item;
        self.label_beside(source, block, &holder, Some(dimension.end()));
        Some((holder, dimension))
    }

    fn scaling_policy(&self, mut fields: Fields<'a>, dimension: Dimension, scaled: &mut Scaled) {
        let (path, metric, source) = (dimension.path(), dimension.metric(), fields.source);
        // Its name and where it belongs say nothing more.
        for argument in ["name", "service_namespace", "scalable_dimension"] {
            fields.argument(argument);
        }
        if fields.has("policy_type") {
            self.is_word(&mut fields, "policy_type", "TargetTrackingScaling", path, &mut scaled.item);
        } else {
            // What the provider takes for granted.
            scaled.item.extra.insert(format!("{path}.policy_type"), format!("\"{STEP_SCALING}\""));
        }
        if let Some(block) = fields.block("target_tracking_scaling_policy_configuration") {
            let mut fields = Fields::new(source, &block.body);
            scaled.limits.target = fields.argument("target_value").map(|value| self.scope.value(source, value));
            if let Some(block) = fields.block("predefined_metric_specification") {
                let mut fields = Fields::new(source, &block.body);
                self.is_word(&mut fields, "predefined_metric_type", metric, path, &mut scaled.item);
                fields.carry_rest(path, &mut scaled.item);
            }
            fields.carry_rest(path, &mut scaled.item);
        }
        fields.carry_rest(path, &mut scaled.item);
    }

    /// The capacity that a target or a policy names itself. Those of other services are passed over.
    fn scaled_capacity(
        &mut self,
        block: &'a Block<'a>,
        fields: &mut Fields<'a>,
        holders: &Holders,
    ) -> Option<(Holder, Dimension)> {
        let word = |argument: &str| {
            let value = block.body.get_attribute(argument).map(|attribute| &attribute.value)?;
            self.scope.word(fields.source, value)
        };
        let (service, dimension) = (word("service_namespace"), word("scalable_dimension"));
        for argument in ["service_namespace", "scalable_dimension"] {
            fields.argument(argument);
        }
        let is_other = |word: &Option<String>| word.as_ref().is_some_and(|word| word.split(':').next() != Some("dynamodb"));
        if is_other(&service) || is_other(&dimension) {
            return None;
        }
        let holder = self.holder(block, fields, "resource_id", holders)?;
        let dimension = dimension.and_then(|dimension| Dimension::find(&dimension));
        if dimension.is_none() {
            self.not_placed(block, fields.source);
        }
        Some((holder, dimension?))
    }

    /// What a policy is for: that of the target it names, else what it says itself.
    fn scaled_by(
        &mut self,
        block: &'a Block<'a>,
        fields: &mut Fields<'a>,
        holders: &Holders,
        targets: &Targets<'a>,
    ) -> Option<(Holder, Dimension)> {
        let id = block.body.get_attribute("resource_id").and_then(|id| self.scope.text(fields.source, &id.value))?;
        let named = self.named_by(&id, &["aws_appautoscaling_target"]);
        let mut known = named.iter().filter_map(|name| targets.get(name.rsplit('.').next()?));
        match (known.next(), known.next()) {
            (Some(place), None) => {
                fields.argument("resource_id");
                place.clone()
            }
            _ => self.scaled_capacity(block, fields, holders),
        }
    }

    /// Takes a word that has to be the one expected; another is carried along.
    fn is_word(&self, fields: &mut Fields<'a>, argument: &str, expected: &str, path: &str, item: &mut Item) {
        let Some(value) = fields.argument(argument) else { return };
        if self.scope.word(fields.source, value).as_deref() != Some(expected) {
            item.carry(format!("{path}.{argument}"), fields.source, value);
        }
    }

    fn other(&mut self, source: Source<'a>, block: &'a Block<'a>, holders: &Holders) {
        let kind = block.labels.first().map_or("", Name::as_str);
        let mut fields = Fields::new(source, &block.body);
        let argument = if kind == "aws_dynamodb_resource_policy" { "resource_arn" } else { "table_name" };
        let Some((label, _)) = self.holder(block, &mut fields, argument, holders) else { return };
        let mut item = Item::at(source.span(&block.ident));
        match kind {
            // The policy of its stream is another one.
            "aws_dynamodb_resource_policy" if self.names_a_stream(source, block) => {
                fields.carry_rest("stream.resource_policy", &mut item);
                self.put(&label, item, |_| ());
            }
            "aws_dynamodb_contributor_insights" => self.insights(&label, block, fields, item),
            "aws_dynamodb_kinesis_streaming_destination" => {
                self.label_beside(source, block, &(label.clone(), None), None);
                let stream = self.text(&mut fields, "stream_arn", "kinesis_stream", &mut item);
                fields.carry_rest("kinesis_stream", &mut item);
                self.put(&label, item, |table| table.kinesis_stream = stream);
            }
            _ => {
                self.label_beside(source, block, &(label.clone(), None), None);
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

    /// Whether a policy is for the stream of a table, by its `resource_arn`.
    fn names_a_stream(&self, source: Source<'a>, block: &'a Block<'a>) -> bool {
        let Some(arn) = block.body.get_attribute("resource_arn") else { return false };
        let (source, arn) = self.scope.follow(source, &arn.value);
        source.slice(arn).ends_with(".stream_arn")
    }

    fn insights(&mut self, label: &str, block: &'a Block<'a>, mut fields: Fields<'a>, mut item: Item) {
        let source = fields.source;
        let index = fields.argument("index_name").and_then(|index| self.scope.word(source, index));
        self.label_beside(source, block, &(label.to_owned(), index.clone()), None);
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

    /// Notes under which label Terraform knows a resource, and where it stands.
    fn label_beside(&mut self, source: Source<'a>, block: &'a Block<'a>, (table, index): &Holder, end: Option<&str>) {
        let [kind, label] = block.labels.as_slice() else { return };
        let Some(table) = self.module.schema.tables.get_mut(table) else { return };
        let name = table.labels_beside.set(kind.as_str(), index.as_deref(), end, label.as_str());
        table.about.properties.insert(format!("beside.{name}"), source.span(&block.ident));
    }

    /// Puts what was read into a table of the module.
    pub(super) fn put(&mut self, label: &str, item: Item, change: impl FnOnce(&mut Table)) {
        let Some(table) = self.module.schema.tables.get_mut(label) else { return };
        table.about.properties.extend(item.about.properties.clone());
        table.extra.extend(item.extra);
        change(table);
    }
}
