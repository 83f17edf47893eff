//! Conditions against the entities they are about (section 5).

use super::literal;
use super::report::Report;
use super::scope::Scope;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{Attribute, AttributeType, Comparison, Condition, Entity, InValues, Literal, Operand, Where};
use crate::schema::has_reference;
use crate::source::{Inside, Span, Spanned};
use crate::validate::grammar::condition::{Place, conditions};
use std::collections::BTreeMap;

/// Reads conditions and checks them against every entity. Without entities only the grammar is checked.
pub(super) fn resolve(
    text: &Spanned<String>,
    entities: &[&Entity],
    place: Place,
    scope: &Scope,
    report: &mut Report<'_>,
) -> Option<Where> {
    if has_reference(&text.value) {
        let diagnostic =
            Diagnostic::new(codes::PARAMETER_NOT_HERE, text.span, "a parameter of the model cannot stand in a condition");
        report.push(diagnostic.help("a value that the caller passes is `?` or `:name`"));
        return None;
    }
    let inside = Inside::new(report.sources, text.span, &text.value);
    let read = match conditions(&text.value, text.span, &inside, place) {
        Ok(read) => read,
        Err(flaws) => {
            for flaw in flaws {
                report.flaw(text, flaw);
            }
            return None;
        }
    };
    for condition in &read.conditions {
        let mut first: Option<(&Entity, &Attribute)> = None;
        for entity in entities {
            let Some(attribute) = scope.attribute(entity, &condition.attribute, report) else { continue };
            match first {
                None => {
                    check(condition, attribute, report);
                    first = Some((entity, attribute));
                }
                Some((other, known)) if known.kind != attribute.kind => {
                    let name = &condition.attribute.value;
                    let message =
                        format!("`{name}` is {} in `{}` and {} in `{}`", known.kind, other.name, attribute.kind, entity.name);
                    let diagnostic = Diagnostic::new(codes::LITERAL_TYPE, condition.attribute.span, message);
                    report.push(
                        diagnostic
                            .context(known.span, "one")
                            .context(attribute.span, "the other")
                            .help("one request compares with one value"),
                    );
                }
                Some(_) => {}
            }
        }
    }
    conflicts(&read, report);
    Some(read)
}

fn check(condition: &Condition, attribute: &Attribute, report: &mut Report<'_>) {
    let name = &condition.attribute.value;
    let whole = |operands: &[&Operand], report: &mut Report<'_>| {
        for operand in operands {
            if let Operand::Literal(value) = operand {
                literal::check(name, attribute, value, condition.span, report);
            }
        }
    };
    match &condition.comparison {
        Comparison::Equal(value)
        | Comparison::NotEqual(value)
        | Comparison::Less(value)
        | Comparison::LessOrEqual(value)
        | Comparison::Greater(value)
        | Comparison::GreaterOrEqual(value) => whole(&[value], report),
        Comparison::Between(low, high) => whole(&[low, high], report),
        Comparison::In(InValues::List(values)) => whole(&values.iter().collect::<Vec<_>>(), report),
        Comparison::In(InValues::Parameter(_)) | Comparison::Exists | Comparison::NotExists => {}
        Comparison::BeginsWith(value) => {
            if !attribute.kind.is_text() {
                wrong(condition, attribute, "`begins_with` is for text", report);
            } else if let Operand::Literal(value @ (Literal::Number(_) | Literal::Bool(_))) = value {
                literal::check_type(name, &attribute.kind, value, condition.span, report);
            }
        }
        Comparison::Contains(value) => match element(&attribute.kind) {
            Some(element) => {
                if let Operand::Literal(value) = value {
                    literal::check_type(name, element, value, condition.span, report);
                }
            }
            None if attribute.kind.is_text() => {}
            None => wrong(condition, attribute, "`contains` is for lists, sets, maps and text", report),
        },
        Comparison::ContainsKey(value) => match unfrozen(&attribute.kind) {
            AttributeType::Map(key, _) => {
                if let Operand::Literal(value) = value {
                    literal::check_type(name, key, value, condition.span, report);
                }
            }
            _ => wrong(condition, attribute, "`contains_key` is for maps", report),
        },
    }
}

fn wrong(condition: &Condition, attribute: &Attribute, rule: &str, report: &mut Report<'_>) {
    let message = format!("{rule}, and `{}` is {}", condition.attribute.value, attribute.kind);
    report.push(Diagnostic::new(codes::BAD_CONDITION, condition.span, message).context(attribute.span, "its type"));
}

fn unfrozen(kind: &AttributeType) -> &AttributeType {
    if let AttributeType::Frozen(inner) = kind { unfrozen(inner) } else { kind }
}

/// What a collection holds.
fn element(kind: &AttributeType) -> Option<&AttributeType> {
    match unfrozen(kind) {
        AttributeType::List(of) | AttributeType::Set(of) | AttributeType::Map(_, of) => Some(of),
        _ => None,
    }
}

/// At most one lower and one upper bound for an attribute; `=`, `in` and `begins_with` exclude all others.
fn conflicts(read: &Where, report: &mut Report<'_>) {
    let mut bounds: BTreeMap<&str, Vec<(&Condition, [bool; 2])>> = BTreeMap::new();
    for condition in &read.conditions {
        let takes = match condition.comparison {
            Comparison::Equal(_) | Comparison::In(_) | Comparison::BeginsWith(_) | Comparison::Between(..) => [true, true],
            Comparison::Less(_) | Comparison::LessOrEqual(_) => [false, true],
            Comparison::Greater(_) | Comparison::GreaterOrEqual(_) => [true, false],
            Comparison::NotEqual(_)
            | Comparison::Contains(_)
            | Comparison::ContainsKey(_)
            | Comparison::Exists
            | Comparison::NotExists => continue,
        };
        let earlier = bounds.entry(&condition.attribute.value).or_default();
        let conflict = earlier.iter().find(|(_, taken)| taken.iter().zip(takes).any(|(taken, takes)| *taken && takes));
        if let Some((other, _)) = conflict {
            report.push(conflicting(condition.span, other.span, &condition.attribute.value));
        }
        earlier.push((condition, takes));
    }
}

fn conflicting(span: Span, other: Span, name: &str) -> Diagnostic {
    Diagnostic::new(codes::CONFLICTING_CONDITIONS, span, format!("two conditions on `{name}` that exclude or repeat each other"))
        .context(other, "the other")
        .help("an attribute has one `=`, or one lower and one upper bound")
}
