//! What is defined, and what was meant to be: references to broken things say nothing more.

use super::report::Report;
use crate::diagnostic::{Diagnostic, codes, listed, nearest};
use crate::model::{Attribute, Entity, Model};
use crate::schema::has_reference;
use crate::source::{Span, Spanned};
use std::collections::BTreeSet;

#[derive(Debug, Default)]
pub(super) struct Scope {
    /// `Entity` and `Entity.attribute` that were wrong.
    pub(super) broken: BTreeSet<String>,
    /// All names of patterns, broken ones too.
    pub(super) patterns: BTreeSet<String>,
}

impl Scope {
    pub(super) fn break_entity(&mut self, entity: &str) {
        self.broken.insert(entity.to_owned());
    }

    pub(super) fn break_attribute(&mut self, entity: &str, attribute: &str) {
        self.broken.insert(format!("{entity}.{attribute}"));
    }

    pub(super) fn is_broken(&self, entity: &str, attribute: &str) -> bool {
        // Asked of every name, and nearly always nothing is.
        !self.broken.is_empty() && (self.broken.contains(entity) || self.broken.contains(&format!("{entity}.{attribute}")))
    }

    /// An entity by its name; None, reported unless it is broken, when there is none.
    pub(super) fn entity<'m>(&self, model: &'m Model, name: &Spanned<String>, report: &mut Report<'_>) -> Option<&'m Entity> {
        if self.broken.contains(&name.value) {
            return None;
        }
        let found = model.entities.get(&name.value);
        if found.is_none() {
            let known = model.entities.keys().map(String::as_str);
            report.push(unknown(codes::UNKNOWN_ENTITY, "entity", name, known));
        }
        found
    }

    /// An attribute of an entity; None, reported unless it is broken, when there is none.
    pub(super) fn attribute<'m>(
        &self,
        entity: &'m Entity,
        name: &Spanned<String>,
        report: &mut Report<'_>,
    ) -> Option<&'m Attribute> {
        if self.is_broken(&entity.name, &name.value) {
            return None;
        }
        let found = entity.attributes.get(&name.value);
        if found.is_none() {
            report.push(unknown_attribute(entity, &name.value, name.span));
        }
        found
    }

    /// `Entity.attribute`
    pub(super) fn path<'m>(
        &self,
        model: &'m Model,
        path: &Spanned<String>,
        report: &mut Report<'_>,
    ) -> Option<(&'m Entity, &'m Attribute, String)> {
        let Some((entity, attribute)) = path.value.split_once('.') else {
            let diagnostic =
                Diagnostic::new(codes::BAD_VALUE, path.span, format!("`{}` is no attribute of an entity", path.value));
            report.push(diagnostic.help("write `Entity.attribute`"));
            return None;
        };
        let entity = self.entity(model, &Spanned::new(entity.to_owned(), path.span), report)?;
        let found = self.attribute(entity, &Spanned::new(attribute.to_owned(), path.span), report)?;
        Some((entity, found, attribute.to_owned()))
    }
}

/// "no attribute of `Order` is called …"
pub(super) fn unknown_attribute(entity: &Entity, name: &str, span: Span) -> Diagnostic {
    let spanned = Spanned::new(name.to_owned(), span);
    if let Some(diagnostic) = parameter_not_here(&spanned) {
        return diagnostic;
    }
    let diagnostic = Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, span, format!("`{}` has no attribute `{name}`", entity.name));
    let diagnostic = diagnostic.context(entity.span, "the entity");
    if let Some(near) = nearest(name, entity.attributes.keys().map(String::as_str)) {
        return diagnostic.suggest(format!("did you mean `{near}`?"), span, near);
    }
    diagnostic.help(format!("it has {}", listed(entity.attributes.keys().take(12))))
}

/// A name that nothing defines, with the nearest that is.
pub(super) fn unknown<'a>(
    code: crate::diagnostic::Code,
    what: &str,
    name: &Spanned<String>,
    known: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    if let Some(diagnostic) = parameter_not_here(name) {
        return diagnostic;
    }
    let diagnostic = Diagnostic::new(code, name.span, format!("there is no {what} `{}`", name.value));
    match nearest(&name.value, known) {
        Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), name.span, near),
        None => diagnostic,
    }
}

fn parameter_not_here(name: &Spanned<String>) -> Option<Diagnostic> {
    has_reference(&name.value).then(|| {
        Diagnostic::new(codes::PARAMETER_NOT_HERE, name.span, "a parameter cannot stand here")
            .help("parameters stand in names, tags and keys of encryption, and for a whole bool or number")
    })
}
