//! Step 1: whether a pattern gives the partition key (model language, section 6.3).

use super::candidate::View;
use super::lack::Lack;
use super::request::Request;
use super::settled::{Settled, Use};
use crate::model::{AttributeType, Entity, Period, TemplatePart};

/// Which conditions the partition key answers, or what it needs beside them.
pub(super) fn partition<'c, 'm>(view: &'c View<'m>, request: &Request<'m>) -> Result<Settled<'c>, Vec<Lack<'m>>> {
    let mut settled = Settled::default();
    let mut lacks = Vec::new();
    for key in &view.partition {
        for part in key.parts.iter() {
            match part {
                TemplatePart::Literal(_) => {}
                TemplatePart::Attribute { name, .. } if request.given(name) => settled.value(name, request),
                TemplatePart::Attribute { name, .. } => lacks.push(Lack::value(key, name, instead(request, name))),
                TemplatePart::Shard { name, .. } => settled.located(name),
                TemplatePart::Bucket { name, period } => {
                    let exact = holds_one_value(view.entity, name, *period);
                    if request.given(name) {
                        settled.located(name);
                        if exact {
                            settled.value(name, request);
                        }
                    } else if let Some(range) = request.range(name) {
                        if range.closed() || request.pattern.time_span.is_some() || walks(request, name) {
                            settled.located(name);
                            if exact {
                                settled.exactly(name, Use::Range);
                            }
                        } else {
                            lacks.push(Lack::Bucket { key: key.name.to_owned(), attribute: name.clone(), half: true });
                        }
                    } else if !walks(request, name) {
                        lacks.push(Lack::Bucket { key: key.name.to_owned(), attribute: name.clone(), half: false });
                    }
                }
            }
        }
    }
    if lacks.is_empty() { Ok(settled) } else { Err(lacks) }
}

/// Whether the caller reads bucket by bucket until it has enough: `order` by the attribute, with a `limit`.
pub(super) fn walks(request: &Request<'_>, attribute: &str) -> bool {
    let first = request.pattern.order.iter().find(|order| request.equal(&order.attribute.value).is_none());
    request.pattern.limit.is_some() && first.is_some_and(|order| order.attribute.value == attribute)
}

/// Whether a bucket holds items of one value only: days of a date.
pub(super) fn holds_one_value(entity: &Entity, attribute: &str, period: Period) -> bool {
    period == Period::Day && entity.attributes.get(attribute).is_some_and(|attribute| attribute.kind == AttributeType::Date)
}

fn instead(request: &Request<'_>, attribute: &str) -> Option<&'static str> {
    if request.range(attribute).is_some() {
        Some("a range")
    } else if request.begins_with(attribute).is_some() {
        Some("`begins_with`")
    } else if request.conditions().iter().any(|condition| condition.attribute.value == attribute) {
        Some("another condition")
    } else {
        None
    }
}
