//! A copy of an attribute that some pattern updates without the copy's own update.

use super::requests;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{Derivation, Pattern, UpdatedBy, Verb};
use crate::rules::Facts;
use crate::source::Span;
use std::collections::BTreeMap;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    // Who sets which attribute of which entity.
    let mut setting: BTreeMap<(&str, &str), Vec<(&Pattern, Span)>> = BTreeMap::new();
    for pattern in requests(facts.model) {
        let Verb::Update(target) = &pattern.verb else { continue };
        for set in &pattern.set {
            setting.entry((&target.value, &set.value)).or_default().push((pattern, set.span));
        }
    }
    for (name, entity) in &facts.model.entities {
        for (attribute, of) in &entity.attributes {
            let Some(Derivation { copy_of: Some(original), updated_by: Some(updated_by), .. }) = of.derivation.as_deref() else {
                continue;
            };
            let UpdatedBy::Pattern(refreshing) = &updated_by.value else { continue };
            let (owner, source) = &original.value;
            for (pattern, span) in setting.get(&(owner.as_str(), source.as_str())).into_iter().flatten() {
                // An entry of the refreshing transaction is part of it.
                let whole = pattern.name.split_once('[').map_or(pattern.name.as_str(), |(whole, _)| whole);
                if whole == refreshing {
                    continue;
                }
                sink.push(
                    Diagnostic::new(
                        codes::COPY_NEVER_UPDATED,
                        *span,
                        format!(
                            "`{}` sets `{owner}.{source}`, but its copy `{name}.{attribute}` is refreshed by `{refreshing}` only",
                            pattern.name
                        ),
                    )
                    .context(of.span, "the copy")
                    .help(format!(
                        "set the copy in one transaction with the original, or say `updated_by: {whole}`, `stream` or `never`"
                    ))
                    .of_pattern(&pattern.name)
                    .of_attribute(name, attribute),
                );
            }
        }
    }
}
