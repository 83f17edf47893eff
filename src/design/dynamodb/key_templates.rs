//! Findings about key templates, one at a time (model language, sections 6.1 and 6.2).

use super::candidate::{Candidate, KeyAttribute, Kind, View};
use super::lack::quoted;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{Attribute, AttributeType, TemplatePart};
use std::collections::BTreeSet;

/// Judges the templates of a table and its indexes.
pub(super) fn judge(candidate: &Candidate<'_>, sink: &mut Sink) {
    for view in &candidate.views {
        for key in view.key() {
            separators(candidate, view, key, sink);
        }
        for key in &view.sort {
            unpadded(candidate, view, key, sink);
        }
        if candidate.kind == Kind::Table {
            optional(candidate, view, sink);
            not_unique(candidate, view, sink);
        }
    }
}

/// A number in a text sort key sorts as text: 10 before 9.
fn unpadded(candidate: &Candidate<'_>, view: &View<'_>, key: &KeyAttribute<'_>, sink: &mut Sink) {
    let Some(template) = key.template.filter(|_| key.bare().is_none()) else { return };
    for part in key.parts.iter() {
        let TemplatePart::Attribute { name, pad: None, .. } = part else { continue };
        let Some(attribute) = view.entity.attributes.get(name).filter(|attribute| attribute.is_stored_as_number()) else {
            continue;
        };
        let message = format!("`{name}` is a number in the text key `{}` of `{}` and is not padded", key.name, view.entity.name);
        sink.push(
            Diagnostic::new(codes::UNPADDED_NUMBER, template.template.span, message)
                .context(attribute.span, format!("a `{}`", attribute.kind))
                .note("text sorts letter by letter: 10 comes before 9")
                .help(format!("write `{{{name}:010}}`, with as many digits as the largest number has"))
                .of_attribute(&view.entity.name, name)
                .at(candidate.address.table()),
        );
    }
}

/// A free text before a literal may hold that literal.
fn separators(candidate: &Candidate<'_>, view: &View<'_>, key: &KeyAttribute<'_>, sink: &mut Sink) {
    let Some(template) = key.template else { return };
    for pair in key.parts.windows(2) {
        let [TemplatePart::Attribute { name, .. }, TemplatePart::Literal(literal)] = pair else { continue };
        let Some(attribute) = view.entity.attributes.get(name).filter(|attribute| is_free_text(attribute)) else { continue };
        let message =
            format!("a value of `{name}` may hold `{literal}`, which ends it in `{}` of `{}`", key.name, view.entity.name);
        sink.push(
            Diagnostic::new(codes::SEPARATOR_IN_VALUE, template.template.span, message)
                .context(attribute.span, "free text")
                .help("see to it that the application refuses such values, and allow the finding with that reason")
                .of_attribute(&view.entity.name, name)
                .at(candidate.address.table()),
        );
    }
}

fn is_free_text(attribute: &Attribute) -> bool {
    attribute.values.is_none() && matches!(attribute.kind, AttributeType::Text | AttributeType::Ascii)
}

/// An item without a key attribute cannot be written.
fn optional(candidate: &Candidate<'_>, view: &View<'_>, sink: &mut Sink) {
    for key in view.key() {
        for name in key.attributes() {
            let Some(attribute) = view.entity.attributes.get(name).filter(|attribute| attribute.optional) else { continue };
            let place = key.template.map_or(attribute.span, |template| template.template.span);
            let message = format!("`{name}` may be absent and is in the key `{}` of {candidate}", key.name);
            let mut diagnostic = Diagnostic::new(codes::OPTIONAL_IN_KEY, place, message);
            if key.template.is_some() {
                diagnostic = diagnostic.context(attribute.span, "optional");
            }
            sink.push(
                diagnostic
                    .note(format!("a `{}` without it cannot be written", view.entity.name))
                    .help("key the table by attributes that every item has")
                    .of_attribute(&view.entity.name, name)
                    .at(&candidate.address),
            );
        }
    }
}

/// Each attribute of the identity is in the table key, so that no item overwrites another.
fn not_unique(candidate: &Candidate<'_>, view: &View<'_>, sink: &mut Sink) {
    let spelt: BTreeSet<&str> = view
        .key()
        .flat_map(|key| key.parts.iter())
        .filter_map(|part| if let TemplatePart::Attribute { name, .. } = part { Some(name.as_str()) } else { None })
        .collect();
    let missing: Vec<&str> =
        view.entity.key.iter().map(|name| name.value.as_str()).filter(|name| !spelt.contains(name)).collect();
    if missing.is_empty() {
        return;
    }
    let message = format!("the key of {candidate} does not hold {} of `{}`", quoted(&missing), view.entity.name);
    let mut diagnostic = Diagnostic::new(codes::KEY_NOT_UNIQUE, view.span, message);
    if let Some(name) = view.entity.key.first() {
        diagnostic = diagnostic.context(name.span, format!("what tells one `{}` from another", view.entity.name));
    }
    sink.push(
        diagnostic
            .note("two items with one key are one item: the later overwrites the earlier")
            .help(format!("put {} into the partition key or the sort key", quoted(&missing)))
            .of_entity(&view.entity.name)
            .at(&candidate.address),
    );
}
