//! What stands beside a table in other formats and is a property here: contributor insights, a Kinesis destination, a policy.

use super::Reader;
use super::intrinsic::json;
use super::item::{Fields, Item};
use crate::schema::dynamodb::Insights;
use crate::schema::{Text, Value};

impl Reader<'_> {
    /// `ContributorInsightsSpecification` of a table or an index.
    pub(super) fn insights(&mut self, holder: &mut Fields<'_>, item: &mut Item) -> Option<Insights> {
        let mut fields = self.nested(holder, "ContributorInsightsSpecification", item)?;
        item.place("contributor_insights", fields.span());
        let enabled = self.required(&mut fields, "Enabled")?;
        let modes = [Insights::AccessedAndThrottledKeys, Insights::ThrottledKeys];
        let known: Vec<_> = modes.into_iter().filter_map(|mode| Some((mode.mode()?, mode))).collect();
        let mode = fields.take("Mode").and_then(|mode| self.word(mode, fields.path("Mode"), &known, item));
        let insights = match self.boolean(enabled)? {
            Value::Literal(true) => Some(mode.unwrap_or(Insights::AccessedAndThrottledKeys)),
            Value::Literal(false) => Some(Insights::Off),
            Value::Parameter(_) | Value::Expression(_) => {
                item.carry(fields.path("Enabled"), enabled);
                None
            }
        };
        fields.carry_rest(item);
        insights
    }

    pub(super) fn kinesis_stream(&mut self, table: &mut Fields<'_>, item: &mut Item) -> Option<Text> {
        let mut fields = self.nested(table, "KinesisStreamSpecification", item)?;
        item.place("kinesis_stream", fields.span());
        let stream = self.required(&mut fields, "StreamArn").and_then(|arn| self.text(arn));
        fields.carry_rest(item);
        stream
    }

    /// The policy as it stands there; functions in it are part of it.
    pub(super) fn resource_policy(&mut self, table: &mut Fields<'_>, item: &mut Item) -> Option<serde_json::Value> {
        let mut fields = self.nested(table, "ResourcePolicy", item)?;
        item.place("resource_policy", fields.span());
        let policy = self.required(&mut fields, "PolicyDocument");
        fields.carry_rest(item);
        let mut policy = json(policy?);
        // The order of its keys means nothing.
        policy.sort_all_objects();
        Some(policy)
    }
}
