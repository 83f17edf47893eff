//! From the document to the model: every reference is followed, every text read by its grammar. What is broken is left
//! out and remembered, so that what refers to it says nothing more.

mod allow;
mod condition;
mod cql;
mod dynamodb;
mod entity;
mod holding;
mod in_force;
mod literal;
mod parameters;
mod pattern;
mod report;
mod scope;
mod stores;
mod tag;
mod written_items;

use super::grammar::name::Name;
use super::share::Neighbours;
use super::{Values, document};
use crate::diagnostic::Sink;
use crate::model::Model;
use crate::model::Named;
use crate::source::{SourceMap, Span, Spanned};
use report::Report;
use scope::Scope;
use std::collections::{BTreeMap, BTreeSet};

/// Resolves a document. The model is complete only when no error was reported.
/// Without neighbours nothing is said that they could answer.
pub(super) fn resolve(
    document: &document::Model,
    span: Span,
    sources: &SourceMap,
    values: &Values,
    neighbours: Option<&Neighbours<'_>>,
    sink: &mut Sink,
) -> Model {
    let mut report = Report { sources, sink, parameters: BTreeMap::new(), values: BTreeMap::new(), written: BTreeSet::new() };
    let name = document.name.get().cloned();
    if let Some(name) = &name {
        report.name(Name::Kebab, name, "the name of a model");
    }
    let mut model = Model {
        name: name.unwrap_or_else(|| Spanned::new(String::new(), span)),
        description: entity::text(&document.description),
        parameters: Named::default(),
        types: Named::default(),
        entities: Named::default(),
        patterns: Named::default(),
        dynamodb: None,
        cql: None,
        written_parameters: BTreeSet::new(),
        allow: allow::resolve(&document.allow, &mut report),
    };
    let mut scope = Scope { patterns: pattern::names(document), ..Scope::default() };
    parameters::resolve(document, values, &mut report, &mut model);
    entity::define(document, &mut report, &mut model, &mut scope);
    entity::connect(document, &mut report, &mut model, &scope);
    pattern::resolve(document, neighbours, &mut report, &mut model, &scope);
    dynamodb::resolve(document, neighbours, &mut report, &mut model, &scope);
    cql::resolve(document, &mut report, &mut model, &scope);
    stores::check(document, &mut report, &mut model);
    written_items::check(&mut report, &model);
    model.written_parameters = report.written;
    model
}
