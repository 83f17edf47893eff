//! Scaling of capacity, as resources beside a table.

use super::context::literal_or_source;
use super::value;
use crate::emit::engine::Literal;
use crate::schema::dynamodb::{Autoscaling, Range, Table};
use crate::schema::{Part, Text, pascal_case};
use minijinja::Value as ContextValue;
use serde::Serialize;

/// A target of Application Auto Scaling and its policy.
#[derive(Serialize)]
pub(super) struct ScalingContext {
    target: String,
    policy: String,
    target_reference: Literal,
    resource_id: Literal,
    dimension: &'static str,
    metric: &'static str,
    min: ContextValue,
    max: ContextValue,
    utilisation: ContextValue,
}

/// All that is scaled of a table: itself, then its indexes.
pub(super) fn of_table(table: &Table) -> Vec<ScalingContext> {
    let own = table.autoscaling.iter().flat_map(|autoscaling| of(&table.logical_id, None, autoscaling));
    let indexes = table.global_indexes.values().flat_map(|index| {
        let scaled = index.autoscaling.iter();
        scaled.flat_map(move |autoscaling| of(&table.logical_id, Some(&index.name), autoscaling))
    });
    own.chain(indexes).collect()
}

fn of(table: &str, index: Option<&String>, autoscaling: &Autoscaling) -> Vec<ScalingContext> {
    let [read, write] = match index {
        None => ["dynamodb:table:ReadCapacityUnits", "dynamodb:table:WriteCapacityUnits"],
        Some(_) => ["dynamodb:index:ReadCapacityUnits", "dynamodb:index:WriteCapacityUnits"],
    };
    let one = |range: &Range, dimension, metric, what: &str| {
        let before = format!("{table}{}{what}", index.map(|name| index_id(name)).unwrap_or_default());
        let target = format!("{before}ScalableTarget");
        ScalingContext {
            target_reference: Literal::verbatim(value::reference(&target)),
            target,
            policy: format!("{before}ScalingPolicy"),
            resource_id: Literal::verbatim(value::text(&resource_id(table, index))),
            dimension,
            metric,
            min: literal_or_source(&range.min),
            max: literal_or_source(&range.max),
            utilisation: literal_or_source(&range.target),
        }
    };
    let read = autoscaling.read.iter().map(|range| one(range, read, "DynamoDBReadCapacityUtilization", "Read"));
    let write = autoscaling.write.iter().map(|range| one(range, write, "DynamoDBWriteCapacityUtilization", "Write"));
    read.chain(write).collect()
}

fn resource_id(table: &str, index: Option<&String>) -> Text {
    let after = index.map(|index| format!("/index/{index}")).unwrap_or_default();
    Text::from_parts([Part::Literal("table/".to_owned()), Part::Parameter(table.to_owned()), Part::Literal(after)])
}

/// The part of an index in a logical ID: its name in Pascal case. A name with other signs than words and underscores has its
/// FNV-1a hash too, since two such names may come to the same.
fn index_id(name: &str) -> String {
    let id: String = pascal_case(name).chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit();
    // Each word has to begin with a letter: `i` and `_i`, or `a1` and `a_1`, would come to the same.
    let is_word = |word: &str| word.starts_with(|first: char| first.is_ascii_lowercase()) && word.chars().all(plain);
    if name.split('_').all(is_word) {
        return format!("Index{id}");
    }
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("Index{id}{hash:016x}")
}
