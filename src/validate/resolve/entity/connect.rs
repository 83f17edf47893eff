//! What of an entity refers to its attributes, to other entities and to patterns.

use super::amount;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{Attribute, Derivation, Entity, Model, PerValue, UpdatedBy};
use crate::source::{Span, Spanned};
use crate::validate::document;
use crate::validate::grammar::units;
use crate::validate::resolve::report::Report;
use crate::validate::resolve::scope::{Scope, unknown, unknown_attribute};
use std::collections::BTreeMap;

/// What refers to attributes, other entities and patterns.
pub(in crate::validate::resolve) fn connect(
    document: &document::Model,
    report: &mut Report<'_>,
    model: &mut Model,
    scope: &Scope,
) {
    let entities = document.entities.get().into_iter().flat_map(|entities| entities.good());
    for (name, entity) in entities {
        let Some(defined) = model.entities.get(&name.value) else { continue };
        key(defined, report, scope);
        let per = per(defined, entity, report, scope);
        let guards = guards(entity, model, report, scope);
        let mut derived = Vec::new();
        for (attribute, options) in entity.attributes.get().into_iter().flat_map(|attributes| attributes.good()) {
            if let document::Attribute::Map(options) = &options.value
                && let Some(found) = defined.attributes.get(&attribute.value)
                && let Some(derivation) = derivation(defined, found, attribute, options, model, report, scope)
            {
                derived.push((&attribute.value, Box::new(derivation)));
            }
        }
        let Some(entity) = model.entities.get_mut(&name.value) else { continue };
        entity.per = per;
        entity.guards = guards;
        for (attribute, derivation) in derived {
            let Some(attribute) = entity.attributes.get_mut(attribute) else { continue };
            attribute.derivation = Some(derivation);
        }
    }
}

fn key(entity: &Entity, report: &mut Report<'_>, scope: &Scope) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for name in &entity.key {
        if let Some(attribute) = scope.attribute(entity, name, report)
            && attribute.optional
        {
            report.push(
                Diagnostic::new(
                    codes::OPTIONAL_KEY,
                    name.span,
                    format!("`{}` may be absent, so it cannot be part of the key of `{}`", name.value, entity.name),
                )
                .context(attribute.span, "optional here"),
            );
        }
        if let Some(first) = seen.insert(&name.value, name.span) {
            report.push(
                Diagnostic::new(codes::DUPLICATE_NAME, name.span, format!("`{}` is in the key twice", name.value))
                    .context(first, "the first"),
            );
        }
    }
}

fn per(entity: &Entity, document: &document::Entity, report: &mut Report<'_>, scope: &Scope) -> Vec<PerValue> {
    let mut per: Vec<PerValue> = Vec::new();
    for (names, count) in document.per.get().into_iter().flat_map(|per| &per.0) {
        let mut attributes = Vec::new();
        let mut at = 0;
        for part in names.value.split('+') {
            let inside = crate::source::Inside::new(report.sources, names.span, &names.value);
            let name = Spanned::new(part.trim().to_owned(), inside.part(at..at + part.len()));
            at += part.len() + 1;
            scope.attribute(entity, &name, report);
            attributes.push(name.value);
        }
        attributes.sort();
        if per.iter().any(|known| known.attributes == attributes) {
            report.push(Diagnostic::new(codes::DUPLICATE_KEY, names.span, format!("`{}` is given twice", names.value)));
        }
        if let Some(count) = amount(count, units::count, report) {
            per.push(PerValue { attributes, count });
        }
    }
    per
}

fn guards(
    document: &document::Entity,
    model: &Model,
    report: &mut Report<'_>,
    scope: &Scope,
) -> Option<Spanned<(String, String)>> {
    let path = document.guards.get()?;
    let (entity, attribute, name) = scope.path(model, path, report)?;
    if !attribute.unique {
        report.push(
            Diagnostic::new(codes::BAD_VALUE, path.span, format!("`{}` is not `unique`, so nothing has to guard it", path.value))
                .context(attribute.span, "add `unique: true` here"),
        );
    }
    Some(Spanned::new((entity.name.clone(), name), path.span))
}

/// Where a value comes from; None when nothing is said of it.
fn derivation(
    entity: &Entity,
    attribute: &Attribute,
    name: &Spanned<String>,
    document: &document::AttributeOptions,
    model: &Model,
    report: &mut Report<'_>,
    scope: &Scope,
) -> Option<Derivation> {
    let mut found = Derivation::default();
    if let Some(path) = document.copy_of.get()
        && let Some((owner, original, of)) = scope.path(model, path, report)
    {
        if original.kind != attribute.kind {
            report.push(
                Diagnostic::new(
                    codes::COPY_TYPE_DIFFERS,
                    path.span,
                    format!("`{}` is {}, its original {}", name.value, attribute.kind, original.kind),
                )
                .context(original.span, "the original")
                .help(format!("give both the type `{}`", original.kind)),
            );
        }
        found.copy_of = Some(Spanned::new((owner.name.clone(), of), path.span));
    }
    if let Some(counted) = document.count_of.get()
        && let Some(of) = scope.entity(model, counted, report)
    {
        grouped(entity, of, counted.span, report, scope);
        numeric(name, attribute, report);
        found.count_of = Some(counted.clone());
    }
    if let Some(path) = document.sum_of.get()
        && let Some((of, summed, attribute_name)) = scope.path(model, path, report)
    {
        grouped(entity, of, path.span, report, scope);
        numeric(name, attribute, report);
        numeric(&Spanned::new(path.value.clone(), path.span), summed, report);
        found.sum_of = Some(Spanned::new((of.name.clone(), attribute_name), path.span));
    }
    let derived = [document.copy_of.is_there(), document.count_of.is_there(), document.sum_of.is_there()];
    let number = derived.into_iter().filter(|there| *there).count();
    if number > 1 {
        report.push(Diagnostic::new(
            codes::BAD_VALUE,
            name.span,
            format!("`{}` cannot be a copy, a count and a sum at once", name.value),
        ));
    }
    match document.updated_by.get() {
        Some(by) => {
            let updated_by = match by.value.as_str() {
                "stream" => UpdatedBy::Stream,
                "never" => UpdatedBy::Never,
                pattern => {
                    if !scope.patterns.contains(pattern) {
                        let known = scope.patterns.iter().map(String::as_str).chain(["stream", "never"]);
                        report.push(unknown(codes::UNKNOWN_NAME, "access pattern", by, known));
                    }
                    UpdatedBy::Pattern(pattern.to_owned())
                }
            };
            if number == 0 {
                let diagnostic = Diagnostic::new(
                    codes::BAD_VALUE,
                    by.span,
                    format!("`{}` is no copy, count or sum, so nothing has to refresh it", name.value),
                );
                report.push(diagnostic.help("add `copy_of`, `count_of` or `sum_of`, or remove the line"));
            }
            found.updated_by = Some(Spanned::new(updated_by, by.span));
        }
        None if number > 0 && !document.updated_by.is_there() => {
            let diagnostic =
                Diagnostic::new(codes::WRONG_SHAPE, name.span, format!("`{}` does not say what refreshes it", name.value));
            report.push(diagnostic.help("add `updated_by:` with a pattern, `stream`, or `never` for a snapshot"));
        }
        None => {}
    }
    (number > 0 || document.updated_by.is_there()).then_some(found)
}

/// A count or sum is grouped by its entity's key, which the counted entity must have.
fn grouped(entity: &Entity, counted: &Entity, span: Span, report: &mut Report<'_>, scope: &Scope) {
    for key in &entity.key {
        if !scope.is_broken(&counted.name, &key.value)
            && !scope.is_broken(&entity.name, &key.value)
            && !counted.attributes.contains_key(&key.value)
        {
            let diagnostic = unknown_attribute(counted, &key.value, span);
            report.push(
                diagnostic
                    .help(format!("it is counted for each `{}`, so it must have the key of `{}`", entity.name, entity.name)),
            );
        }
    }
}

fn numeric(name: &Spanned<String>, attribute: &Attribute, report: &mut Report<'_>) {
    if !attribute.kind.is_number() {
        report.push(Diagnostic::new(
            codes::BAD_VALUE,
            name.span,
            format!("`{}` is {}, and only numbers count and add up", name.value, attribute.kind),
        ));
    }
}
