//! What a read returns: the columns it selects, and the filter on them.

use super::refusal::{Refusal, Stage, refuse};
use crate::design::cql::layout::{KeyColumn, Layout, Relation};
use crate::design::cql::restrict::{self, Query};
use crate::model::Comparison;
use crate::schema::cql::identifier;
use std::collections::BTreeSet;

/// The caller's attributes must be stored.
pub(super) fn columns(relation: &Relation<'_>, layouts: &[&Layout<'_>], query: &Query<'_>) -> Result<(), Refusal> {
    let mut lacking = Vec::new();
    for layout in layouts {
        let attributes = layout.entity.attributes.keys().map(String::as_str);
        let needed = attributes.filter(|name| query.select.is_empty() || query.select.contains(name));
        lacking.extend(needed.filter(|name| !layout.returns(name)).map(|name| format!("`{name}`")));
    }
    lacking.sort();
    lacking.dedup();
    if lacking.is_empty() {
        return Ok(());
    }
    let what = if relation.is_view { "it does not select" } else { "it does not store" };
    refuse(Stage::Columns, format!("{what} {}", lacking.join(", ")))
}

/// The filter, when it stays inside partitions that the read names.
pub(super) fn filter(
    relation: &Relation<'_>,
    layouts: &[&Layout<'_>],
    query: &Query<'_>,
    inside: bool,
) -> Result<Vec<String>, Refusal> {
    let Some(filter) = query.filter else { return Ok(Vec::new()) };
    if !inside {
        return refuse(Stage::Filter, "the filter would read more than the partitions that the key names");
    }
    let mut texts = Vec::new();
    for condition in &filter.conditions {
        let name = condition.attribute.value.as_str();
        if relation.layouts.iter().all(|layout| !layout.regular.contains(name) && !layout.key().any(|column| column.name == name))
        {
            return refuse(Stage::Columns, format!("it does not store `{name}`, which the filter compares"));
        }
        if matches!(
            condition.comparison,
            Comparison::NotEqual(_) | Comparison::Exists | Comparison::NotExists | Comparison::BeginsWith(_)
        ) {
            return refuse(
                Stage::Operator,
                format!("CQL has no such filter as the one on `{name}`: it knows =, <, <=, >, >=, IN and CONTAINS"),
            );
        }
        let kind = layouts.iter().find_map(|layout| layout.kind(name));
        texts.push(query.text(|| restrict::comparisons(name, kind, &[(0, condition)])));
    }
    Ok(texts)
}

/// The columns of the SELECT clause.
pub(super) fn selected(relation: &Relation<'_>, layouts: &[&Layout<'_>], query: &Query<'_>) -> String {
    let only_static = layouts.iter().all(|layout| layout.is_static);
    if query.select.is_empty() && !only_static {
        return "*".to_owned();
    }
    let mut names: Vec<&str> = Vec::new();
    for layout in layouts {
        for (attribute, _) in &layout.entity.attributes {
            let attribute = attribute.as_str();
            if !query.select.is_empty() && !query.select.contains(&attribute) {
                continue;
            }
            let spells = |column: &&KeyColumn<'_>| column.spelt_out().any(|name| name == attribute);
            match layout.regular.get(attribute) {
                Some(name) => names.push(name),
                None => names.extend(layout.key().filter(spells).map(|column| column.name).take(1)),
            }
        }
    }
    // Columns in the order of the key, then as the entities list them; each once.
    let keys: Vec<&str> = relation.layouts.first().into_iter().flat_map(Layout::key).map(|column| column.name).collect();
    let place = |name: &&str| keys.iter().position(|key| key == name).unwrap_or(keys.len());
    names.sort_by_key(place);
    let mut seen = BTreeSet::new();
    let texts: Vec<String> = names.into_iter().filter(|name| seen.insert(*name)).map(identifier).collect();
    texts.join(", ")
}
