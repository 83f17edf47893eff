//! Resources that stand beside a table, in its file.

use super::context::value;
use crate::emit::engine::Literal;
use crate::emit::literal::hcl;
use crate::schema::dynamodb::{Autoscaling, Range, Table};
use crate::schema::{Part, Text};
use minijinja::Value as ContextValue;
use serde::Serialize;

/// A target of Application Auto Scaling and its policy.
#[derive(Serialize)]
pub(super) struct ScalingContext {
    label: String,
    policy_name: Literal,
    /// The target's address.
    target: Literal,
    /// Whether it scales an index.
    index: bool,
    resource_id: Literal,
    dimension: &'static str,
    metric: &'static str,
    min: ContextValue,
    max: ContextValue,
    utilisation: ContextValue,
}

/// All that is scaled of a table: itself, then its indexes.
pub(super) fn autoscaling(table: &Table) -> Vec<ScalingContext> {
    let own = table.autoscaling.iter().flat_map(|autoscaling| of(table, None, autoscaling));
    let indexes = table.global_indexes.iter().flat_map(|(key, index)| {
        let scaled = index.autoscaling.iter();
        scaled.flat_map(move |autoscaling| of(table, Some((key, &index.name)), autoscaling))
    });
    own.chain(indexes).collect()
}

fn of(table: &Table, index: Option<(&String, &String)>, autoscaling: &Autoscaling) -> Vec<ScalingContext> {
    let words = match index {
        None => ["dynamodb:table:ReadCapacityUnits", "dynamodb:table:WriteCapacityUnits"],
        Some(_) => ["dynamodb:index:ReadCapacityUnits", "dynamodb:index:WriteCapacityUnits"],
    };
    let [read, write] = words;
    let one = |range: &Range, dimension, metric, what: &str| {
        let label = table.label_scaled(index.map(|(key, _)| key), what);
        ScalingContext {
            policy_name: Literal::verbatim(format!("\"{metric}:${{aws_appautoscaling_target.{label}.resource_id}}\"")),
            target: Literal::verbatim(format!("aws_appautoscaling_target.{label}")),
            label,
            index: index.is_some(),
            resource_id: Literal::verbatim(hcl::text(&resource_id(table, index.map(|(_, name)| name)))),
            dimension,
            metric,
            min: value(&range.min),
            max: value(&range.max),
            utilisation: value(&range.target),
        }
    };
    let read = autoscaling.read.iter().map(|range| one(range, read, "DynamoDBReadCapacityUtilization", "read"));
    let write = autoscaling.write.iter().map(|range| one(range, write, "DynamoDBWriteCapacityUtilization", "write"));
    read.chain(write).collect()
}

fn resource_id(table: &Table, index: Option<&String>) -> Text {
    let after = index.map(|index| format!("/index/{index}")).unwrap_or_default();
    let name = format!("aws_dynamodb_table.{}.name", table.terraform_name);
    Text::from_parts([Part::Literal("table/".to_owned()), Part::Expression(name), Part::Literal(after)])
}

/// Contributor insights of the table or of an index.
#[derive(Serialize)]
pub(super) struct InsightsContext<'a> {
    label: String,
    index: Option<&'a str>,
    /// None: what the provider does when nothing is said.
    mode: Option<&'static str>,
}

/// All that has contributor insights: the table, then its indexes.
pub(super) fn contributor_insights(table: &Table) -> Vec<InsightsContext<'_>> {
    let own = (table.label_beside(None), None, table.contributor_insights);
    let indexes = table.global_indexes.iter();
    let indexes =
        indexes.map(|(key, index)| (table.label_beside(Some(key)), Some(index.name.as_str()), index.contributor_insights));
    let all = std::iter::once(own).chain(indexes);
    all.filter_map(|(label, index, insights)| {
        let mode = insights?.mode()?;
        Some(InsightsContext { label, index, mode: Some(mode).filter(|mode| *mode != "ACCESSED_AND_THROTTLED_KEYS") })
    })
    .collect()
}
