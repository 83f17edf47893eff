//! What a table holds, and how its key attributes are made (sections 6.1 and 6.2).

use super::condition;
use super::report::Report;
use super::scope::{Scope, unknown_attribute};
use crate::diagnostic::{Diagnostic, codes, nearest};
use crate::model::Named;
use crate::model::{Attribute, AttributeType, Entity, Holding, KeyValue, Model, Template, TemplatePart};
use crate::source::{Span, Spanned};
use crate::validate::document::{Field, Holds, KeyTemplate, Map};
use crate::validate::grammar::condition::Place;
use crate::validate::grammar::{template, units};

/// What a table holds; entities that are unknown or broken are left out. `keys` are the key attributes; None: nobody knows.
pub(super) fn resolve(
    holds: &Field<Holds>,
    keys: Option<&[&str]>,
    model: &Model,
    scope: &Scope,
    report: &mut Report<'_>,
) -> Vec<Holding> {
    let Some(written) = holds.get() else { return Vec::new() };
    let mut holdings: Vec<Holding> = Vec::new();
    let bare = |name: &Spanned<String>| Holding { entity: name.clone(), keys: Named::default() };
    match &written.value {
        Holds::Text(name) => {
            holdings.reserve_exact(1);
            if scope.entity(model, name, report).is_some() {
                holdings.push(bare(name));
            }
        }
        Holds::List(names) => {
            holdings.reserve_exact(names.len());
            for name in names {
                if let Some(first) = holdings.iter().find(|holding| holding.entity.value == name.value) {
                    let diagnostic = Diagnostic::new(codes::DUPLICATE_NAME, name.span, format!("`{}` is held twice", name.value));
                    report.push(diagnostic.context(first.entity.span, "the first"));
                } else if scope.entity(model, name, report).is_some() {
                    holdings.push(bare(name));
                }
            }
        }
        Holds::Map(entities) => {
            holdings.reserve_exact(entities.0.len());
            for (name, templates) in &entities.0 {
                let Some(entity) = scope.entity(model, name, report) else { continue };
                let keys = templates.get().map(|templates| values(entity, &templates.value, keys, scope, report));
                holdings.push(Holding { entity: name.clone(), keys: keys.unwrap_or_default() });
            }
        }
    }
    let is_empty = match &written.value {
        Holds::Text(_) => false,
        Holds::List(names) => names.is_empty(),
        Holds::Map(entities) => entities.0.is_empty(),
    };
    if is_empty {
        report.push(
            Diagnostic::new(codes::WRONG_SHAPE, written.span, "the table holds nothing").help("name the entities it holds"),
        );
    }
    holdings
}

/// Whether nothing that a table holds was left out, so that a missing attribute is missing indeed.
pub(super) fn is_complete(holds: &Field<Holds>, resolved: &[Holding]) -> bool {
    let written = match holds.get().map(|holds| &holds.value) {
        None => return false,
        Some(Holds::Text(_)) => 1,
        Some(Holds::List(names)) => names.len(),
        Some(Holds::Map(entities)) => entities.0.len(),
    };
    resolved.len() >= written
}

/// Whether a template is written for a key attribute of an entity, good or not.
pub(super) fn has_template(holds: &Field<Holds>, entity: &str, key: &str) -> bool {
    let Some(Holds::Map(entities)) = holds.get().map(|holds| &holds.value) else { return false };
    let templates = entities.good().filter(|(name, _)| name.value == entity).flat_map(|(_, templates)| templates.names());
    templates.into_iter().any(|name| name.value == key)
}

fn values(
    entity: &Entity,
    templates: &Map<KeyTemplate>,
    keys: Option<&[&str]>,
    scope: &Scope,
    report: &mut Report<'_>,
) -> Named<KeyValue> {
    let mut values = Named::default();
    for (name, written) in templates.good() {
        if let Some(keys) = keys.filter(|keys| !keys.contains(&name.value.as_str())) {
            let message = format!("`{}` is a key of neither the table nor an index of it", name.value);
            let diagnostic = Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, name.span, message);
            report.push(match nearest(&name.value, keys.iter().copied()) {
                Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), name.span, near),
                None => diagnostic.help("templates make key attributes alone"),
            });
        }
        if let Some(value) = value(entity, name, &written.value, scope, report) {
            values.insert(name.value.clone(), value);
        }
    }
    values
}

fn value(
    entity: &Entity,
    name: &Spanned<String>,
    written: &KeyTemplate,
    scope: &Scope,
    report: &mut Report<'_>,
) -> Option<KeyValue> {
    let constant = |text: &str, span| Template { span, parts: vec![TemplatePart::Literal(text.to_owned())] };
    let (template, number, when, present) = match written {
        KeyTemplate::Text(text) => (report.read(text, |source| template::template(source, text.span))?, false, None, None),
        KeyTemplate::Number(number) => (constant(&number.value.0, number.span), true, None, None),
        KeyTemplate::Map(conditional) => {
            let text = conditional.template.get()?;
            let is_number = report.sources.snippet(text.span) == text.value.0 && text.value.0.parse::<f64>().is_ok();
            let template = if is_number {
                constant(&text.value.0, text.span)
            } else {
                report.read(text, |source| template::template(source, text.span))?
            };
            let when = conditional.when.get().and_then(|when| condition::resolve(when, &[entity], Place::When, scope, report));
            (template, is_number, when, report.field(&conditional.present, units::share).map(|present| present.value))
        }
    };
    let mut good = true;
    for part in &template.parts {
        good &= placeholder(entity, part, &template, scope, report);
    }
    if good {
        hides(entity, name, &template, report);
    }
    Some(KeyValue { span: name.span, template, number, when, present })
}

/// A key that is called like an attribute stands in its place, so it must spell it out.
fn hides(entity: &Entity, name: &Spanned<String>, template: &Template, report: &mut Report<'_>) {
    let Some(attribute) = entity.attributes.get(&name.value) else { return };
    let spells =
        |part: &TemplatePart| matches!(part, TemplatePart::Attribute { name: spelt, case: None, .. } if *spelt == name.value);
    if !template.parts.iter().any(spells) {
        report.push(hidden(entity, &name.value, attribute, name.span));
    }
}

/// Error `name-taken` for what is computed under the name of an attribute, which is then stored nowhere.
pub(super) fn hidden(entity: &Entity, name: &str, attribute: &Attribute, span: Span) -> Diagnostic {
    let message = format!("`{}.{name}` would be stored nowhere: what is computed has its name", entity.name);
    Diagnostic::new(codes::NAME_TAKEN, span, message).context(attribute.span, "the attribute").help("give the key another name")
}

/// Whether the attribute of a placeholder can be printed there.
fn placeholder(entity: &Entity, part: &TemplatePart, template: &Template, scope: &Scope, report: &mut Report<'_>) -> bool {
    let Some(name) = part.attribute() else { return true };
    let span = place(template, name, report);
    if scope.is_broken(&entity.name, name) {
        return false;
    }
    let Some(attribute) = entity.attributes.get(name) else {
        report.push(unknown_attribute(entity, name, span));
        return false;
    };
    let problem = match part {
        TemplatePart::Attribute { pad: Some(_), .. } if !attribute.kind.is_number() => Some("padding is for numbers"),
        TemplatePart::Attribute { case: Some(_), .. } if !attribute.kind.is_text() => Some("`upper` and `lower` are for text"),
        TemplatePart::Bucket { .. } if !attribute.kind.has_time() => Some("a bucket needs a value that carries a time"),
        _ => None,
    };
    if let Some(rule) = problem {
        let message = format!("{rule}, and `{name}` is {}", attribute.kind);
        report.push(Diagnostic::new(codes::BAD_TEMPLATE, span, message).context(attribute.span, "its type"));
        false
    } else if !prints(&attribute.kind) && template.bare().is_none() {
        let message = format!("`{name}` is {}, which cannot be printed into a key", attribute.kind);
        report.push(Diagnostic::new(codes::NOT_A_KEY_TYPE, span, message).context(attribute.span, "its type"));
        false
    } else {
        true
    }
}

/// Where a template mentions an attribute.
fn place(template: &Template, name: &str, report: &Report<'_>) -> Span {
    let text = report.sources.snippet(template.span);
    text.find(name).map_or(template.span, |at| template.span.part(at, at + name.len()))
}

/// Whether a value of the type has one printed form.
fn prints(kind: &AttributeType) -> bool {
    kind.is_number()
        || kind.is_text()
        || kind.has_time()
        || matches!(kind, AttributeType::Uuid | AttributeType::Inet | AttributeType::Time | AttributeType::Boolean)
}
