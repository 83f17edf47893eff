//! An attribute that must be unique, and nothing keeps it so.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{Entity, Guard, Pattern, Verb};
use crate::rules::Facts;
use std::collections::BTreeMap;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let model = facts.model;
    let mut guards: BTreeMap<(&str, &str), &Entity> = BTreeMap::new();
    for guard in model.entities.values() {
        if let Some(guarded) = &guard.guards {
            guards.entry((&guarded.value.0, &guarded.value.1)).or_insert(guard);
        }
    }
    let mut writing: BTreeMap<&str, Vec<(&Pattern, &Pattern)>> = BTreeMap::new();
    for pattern in model.patterns.values() {
        for request in writes(pattern) {
            if let Verb::Put(target) | Verb::Update(target) = &request.verb {
                writing.entry(&target.value).or_default().push((pattern, request));
            }
        }
    }
    for (name, entity) in &model.entities {
        // A key is unique by itself.
        let is_key = |attribute: &str| matches!(entity.key.as_slice(), [only] if only.value == attribute);
        for (attribute, of) in entity.attributes.iter().filter(|(attribute, of)| of.unique && !is_key(attribute)) {
            let finding = |span, message: String| {
                Diagnostic::new(codes::UNIQUENESS_NOT_GUARDED, span, message).of_entity(name).of_attribute(name, attribute)
            };
            let guard = guards.get(&(name.as_str(), attribute.as_str()));
            let Some(guard) = guard else {
                sink.push(
                    finding(of.span, format!("`{name}.{attribute}` is unique, but no entity guards it"))
                        .help(format!("add an entity whose key is `{attribute}`, with `guards: {name}.{attribute}`")),
                );
                continue;
            };
            let setting = writing.get(name.as_str()).into_iter().flatten().filter(|(_, request)| gives(request, attribute));
            for (pattern, request) in setting.filter(|(pattern, _)| !guarded(pattern, &guard.name)) {
                let message =
                    format!("`{}` sets `{name}.{attribute}` without the `put` of its guard `{}`", pattern.name, guard.name);
                sink.push(
                    finding(request.span, message)
                        .context(of.span, "unique")
                        .help(format!("put both in one `transaction`, the other as `{{ put: {}, if: not exists }}`", guard.name))
                        .of_pattern(&pattern.name),
                );
            }
        }
    }
}

/// The pattern, or its entries.
fn writes(pattern: &Pattern) -> &[Pattern] {
    match &pattern.verb {
        Verb::Transaction(entries) | Verb::Batch(entries) => entries,
        _ => std::slice::from_ref(pattern),
    }
}

/// Whether a put or an update gives the attribute a value.
fn gives(request: &Pattern, attribute: &str) -> bool {
    matches!(request.verb, Verb::Put(_)) || request.set.iter().any(|set| set.value == attribute)
}

fn guarded(pattern: &Pattern, guard: &str) -> bool {
    let Verb::Transaction(entries) = &pattern.verb else { return false };
    entries.iter().any(|entry| {
        let not_exists = matches!(entry.guard.as_ref().map(|guard| &guard.value), Some(Guard::NotExists));
        matches!(&entry.verb, Verb::Put(target) if target.value == guard) && not_exists
    })
}
