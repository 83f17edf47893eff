//! The order of the rows of a read.

use super::refusal::{Refusal, Stage, refuse};
use crate::design::cql::layout::{KeyColumn, Layout};
use crate::design::cql::restrict::{self, Form, Query, Restriction};
use crate::model::{Comparison, TemplatePart};
use crate::schema::cql::identifier;

/// The order of a read.
pub(super) struct ReadOrder {
    pub(super) texts: Vec<String>,
    pub(super) reversed: bool,
}

/// The rows must lie in the order that is asked for, or in its reverse.
pub(super) fn order(
    layouts: &[&Layout<'_>],
    by_clustering: &[Option<Restriction>],
    query: &Query<'_>,
    by_index: bool,
) -> Result<ReadOrder, Refusal> {
    let mut found = ReadOrder { texts: Vec::new(), reversed: false };
    if query.order.is_empty() {
        return Ok(found);
    }
    if by_index {
        return refuse(Stage::Order, "an index read has no order");
    }
    for layout in layouts.iter().filter(|layout| !layout.is_static) {
        let asked: Vec<_> =
            query.order.iter().filter(|order| layout.entity.attributes.contains_key(&order.attribute.value)).collect();
        let mut sequence = sequence(layout, by_clustering, query).into_iter().peekable();
        let mut texts = Vec::new();
        let mut reversed = None;
        for order in asked {
            let name = &order.attribute.value;
            if is_fixed(query, name) {
                continue;
            }
            let Some((column, _)) = sequence.next_if(|(_, attribute)| attribute == name) else {
                let instead = match sequence.peek() {
                    Some((_, attribute)) => format!("by `{attribute}`"),
                    None => "by nothing more".to_owned(),
                };
                return refuse(Stage::Order, format!("its rows do not lie in the order of `{name}` there, but {instead}"));
            };
            let backwards = order.descending != column.descending;
            if reversed.is_some_and(|reversed| reversed != backwards) {
                let why = format!(
                    "its rows can be read in the order of its clustering key or in the reverse, and `{name}` asks for another"
                );
                return refuse(Stage::Order, why);
            }
            reversed = Some(backwards);
            let text = format!("{} {}", identifier(column.name), if order.descending { "DESC" } else { "ASC" });
            if texts.last() != Some(&text) {
                texts.push(text);
            }
        }
        found.reversed |= reversed.unwrap_or(false);
        found.texts = texts;
    }
    Ok(found)
}

/// What the rows of the read are sorted by: the attributes in the clustering key that are not fixed by `=`.
fn sequence<'l>(
    layout: &'l Layout<'_>,
    by_clustering: &[Option<Restriction>],
    query: &Query<'_>,
) -> Vec<(&'l KeyColumn<'l>, String)> {
    let mut sequence = Vec::new();
    for (column, restriction) in layout.clustering.iter().zip(by_clustering) {
        if restriction.as_ref().is_some_and(|restriction| restriction.form == Form::Equal) {
            continue;
        }
        for part in &column.parts {
            match part {
                TemplatePart::Literal(_) => {}
                TemplatePart::Attribute { name, .. } if is_fixed(query, name) => {}
                TemplatePart::Attribute { name, .. }
                    if column.bare().is_some() || restrict::sorts_as_printed(part, layout.kind(name)) =>
                {
                    sequence.push((column, name.clone()));
                }
                _ => return sequence,
            }
        }
    }
    sequence
}

fn is_fixed(query: &Query<'_>, attribute: &str) -> bool {
    let fixes = |comparison: &Comparison| matches!(comparison, Comparison::Equal(_));
    query.conditions.iter().any(|condition| condition.attribute.value == attribute && fixes(&condition.comparison))
}
