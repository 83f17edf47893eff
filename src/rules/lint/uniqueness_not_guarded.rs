//! An attribute that must be unique, and nothing keeps it so.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{Guard, Pattern, Verb};
use crate::rules::Facts;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let model = facts.model;
    for (name, entity) in &model.entities {
        // A key is unique by itself.
        let is_key = |attribute: &str| matches!(entity.key.as_slice(), [only] if only.value == attribute);
        for (attribute, of) in entity.attributes.iter().filter(|(attribute, of)| of.unique && !is_key(attribute)) {
            let finding = |span, message: String| {
                Diagnostic::new(codes::UNIQUENESS_NOT_GUARDED, span, message).of_entity(name).of_attribute(name, attribute)
            };
            let guard = model.entities.values().find(|guard| {
                guard.guards.as_ref().is_some_and(|guards| guards.value.0 == *name && guards.value.1 == *attribute)
            });
            let Some(guard) = guard else {
                sink.push(
                    finding(of.span, format!("`{name}.{attribute}` is unique, but no entity guards it"))
                        .help(format!("add an entity whose key is `{attribute}`, with `guards: {name}.{attribute}`")),
                );
                continue;
            };
            for pattern in model.patterns.values() {
                for writing in writing(pattern, name, attribute) {
                    if !guarded(pattern, &guard.name) {
                        sink.push(
                            finding(
                                writing.span,
                                format!(
                                    "`{}` sets `{name}.{attribute}` without the `put` of its guard `{}`",
                                    pattern.name, guard.name
                                ),
                            )
                            .context(of.span, "unique")
                            .help(format!(
                                "put both in one `transaction`, the other as `{{ put: {}, if: not exists }}`",
                                guard.name
                            ))
                            .of_pattern(&pattern.name),
                        );
                    }
                }
            }
        }
    }
}

/// The pattern, or those of its entries, that give the attribute a value.
fn writing<'m>(pattern: &'m Pattern, entity: &str, attribute: &str) -> Vec<&'m Pattern> {
    match &pattern.verb {
        Verb::Transaction(entries) | Verb::Batch(entries) => {
            entries.iter().flat_map(|entry| writing(entry, entity, attribute)).collect()
        }
        Verb::Put(target) if target.value == entity => vec![pattern],
        Verb::Update(target) if target.value == entity && pattern.set.iter().any(|set| set.value == attribute) => vec![pattern],
        _ => Vec::new(),
    }
}

fn guarded(pattern: &Pattern, guard: &str) -> bool {
    let Verb::Transaction(entries) = &pattern.verb else { return false };
    entries.iter().any(|entry| {
        let not_exists = matches!(entry.guard.as_ref().map(|guard| &guard.value), Some(Guard::NotExists));
        matches!(&entry.verb, Verb::Put(target) if target.value == guard) && not_exists
    })
}
