//! The table that would serve a read that nothing serves, as help for its author.

use super::read::Side;
use super::restrict::Query;
use crate::model::{AttributeType, Comparison};

/// What to add to the model.
pub(super) fn proposal(query: &Query<'_>, side: &Side<'_>) -> Option<String> {
    let [entity] = query.entities.as_slice() else { return None };
    let of = |wanted: fn(&Comparison) -> bool| {
        let conditions = query.conditions.iter().filter(move |condition| wanted(&condition.comparison));
        conditions.map(|condition| condition.attribute.value.as_str())
    };
    let mut partition: Vec<String> =
        of(|comparison| matches!(comparison, Comparison::Equal(_) | Comparison::In(_))).map(str::to_owned).collect();
    partition.dedup();
    let fixed = partition.clone();
    let is_fixed = |name: &str| fixed.iter().any(|fixed| fixed == name);

    let ranged = of(|comparison| comparison.is_range() || matches!(comparison, Comparison::BeginsWith(_)));
    let mut clustering: Vec<(&str, bool)> = Vec::new();
    // A range must be on the first column that is not fixed; its direction is that of the order.
    let ordered = || query.order.iter().map(|order| (order.attribute.value.as_str(), order.descending));
    let direction = |name: &str| ordered().any(|(ordered, descending)| ordered == name && descending);
    let identity = entity.key.iter().map(|name| (name.value.as_str(), false));
    for (name, descending) in ranged.map(|name| (name, direction(name))).chain(ordered()).chain(identity) {
        if !is_fixed(name) && !clustering.iter().any(|(known, _)| *known == name) {
            clustering.push((name, descending));
        }
    }
    if partition.is_empty() {
        // "The newest of all": buckets of the time that leads.
        let (leading, _) = clustering.first()?;
        let has_time = matches!(
            entity.attributes.get(*leading)?.kind,
            AttributeType::Timestamp
                | AttributeType::Date
                | AttributeType::Timeuuid
                | AttributeType::Ulid
                | AttributeType::Ksuid
                | AttributeType::Snowflake
        );
        if !has_time || query.pattern.limit.is_none() && query.pattern.time_span.is_none() {
            return None;
        }
        partition.push(format!("{{ bucket: {leading}, by: day }}"));
    }
    let clustering: Vec<String> =
        clustering.iter().map(|(name, descending)| format!("{name}{}", if *descending { " desc" } else { "" })).collect();
    let clustering = if clustering.is_empty() { String::new() } else { format!(", clustering: [{}]", clustering.join(", ")) };
    let table = format!("{{ holds: {}, partition_key: [{}]{clustering} }}", entity.name, partition.join(", "));
    let word = if side.holds(&entity.name) { "another table" } else { "a table" };
    Some(format!("{word} would serve it: `{table}`"))
}
