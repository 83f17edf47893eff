//! What an engine lacks and what cannot be left out, and what nodes have to be set up for.

use super::super::layout::Relation;
use super::super::table::Columns;
use crate::diagnostic::{Diagnostic, Sink, codes, in_words};
use crate::model::{Cql, EngineOptions, Model, Pattern, Verb};
use crate::schema::cql::engine::{Feature, InTablets, has_tablets};
use crate::schema::cql::{OptionValue, Type};
use crate::schema::{Address, Engine, Family};
use crate::source::{Span, Spanned};

/// The engines of a model.
pub(super) struct Engines<'m> {
    section: &'m Cql,
}

/// Why an engine cannot do something, and where that is asked of it.
type Lack<'a> = (&'a str, Span);

impl<'m> Engines<'m> {
    pub(super) fn of(section: &'m Cql) -> Self {
        Self { section }
    }

    fn all(&self) -> impl Iterator<Item = &'m Spanned<Engine>> {
        self.section.engines.iter()
    }

    /// Error `not-on-engine` for the engines that lack one of some features; of several that an engine lacks, the first.
    pub(super) fn need(
        &self,
        needed: &[(Feature, bool, Span)],
        what: &str,
        at: &dyn Fn(Diagnostic) -> Diagnostic,
        sink: &mut Sink,
    ) {
        let mut lacking: Vec<(Lack<'_>, Vec<&Spanned<Engine>>)> = Vec::new();
        for engine in self.all() {
            let mut needed = needed.iter().filter(|(_, needed, _)| *needed);
            let Some(why) = needed.find_map(|(feature, _, span)| Some((feature.lacking_on(engine.value)?, *span))) else {
                continue;
            };
            match lacking.iter_mut().find(|(known, _)| *known == why) {
                Some((_, engines)) => engines.push(engine),
                None => lacking.push((why, vec![engine])),
            }
        }
        for ((why, span), engines) in lacking {
            sink.push(at(not_on(&engines, what, span).note(why)));
        }
    }

    /// Error `not-on-engine` for each engine whose tablets do not take it; finding `engine-setting` where they need racks.
    fn in_tablets(&self, part: InTablets, what: &str, span: Span, at: &dyn Fn(Diagnostic) -> Diagnostic, sink: &mut Sink) {
        let tablets = self.section.keyspace.tablets.as_ref();
        for engine in self.all().filter(|engine| has_tablets(engine.value, tablets.map(|tablets| tablets.value))) {
            if part.refused_on(engine.value) {
                let mut diagnostic = not_on(&[engine], what, span)
                    .note("keyspaces with tablets do not take it there, and keyspaces have tablets unless they say otherwise")
                    .help("say `keyspace: { tablets: false }`");
                if let Some(tablets) = tablets {
                    diagnostic = diagnostic.context(tablets.span, "the tablets");
                }
                sink.push(at(diagnostic));
            } else if part.needs_racks_on(engine.value) {
                let message = format!("{what} needs a rack for each replica on `{}`, whose keyspace has tablets", engine.value);
                sink.push(at(Diagnostic::new(codes::ENGINE_SETTING, span, message)
                    .help("spread the nodes over as many racks as there are replicas, or say `keyspace: { tablets: false }`")));
            }
        }
    }
}

fn not_on(engines: &[&Spanned<Engine>], what: &str, span: Span) -> Diagnostic {
    let names = in_words(engines.iter().map(|engine| format!("`{}`", engine.value)));
    let diagnostic = Diagnostic::new(codes::NOT_ON_ENGINE, span, format!("{what} is not possible on {names}"));
    engines.iter().fold(diagnostic, |diagnostic, engine| diagnostic.context(engine.span, "not here"))
}

/// The table's own parts.
pub(super) fn table(relation: &Relation<'_>, columns: &Columns, engines: &Engines<'_>, sink: &mut Sink) {
    let table = relation.table;
    let at = |diagnostic: Diagnostic| diagnostic.at(&relation.address);
    let counter = Type::Native("counter");
    let counts = columns.values().any(|column| column.kind == counter);
    if counts {
        engines.in_tablets(InTablets::Counters, &format!("`{}`, a table of counters,", table.key), table.span, &at, sink);
    }
    for name in columns.keys().filter(|name| name.chars().count() > 48) {
        let attributes = relation.layouts.iter().filter_map(|layout| layout.entity.attributes.get(name));
        let span = attributes.map(|attribute| attribute.span).next().unwrap_or(table.span);
        engines.need(&[(Feature::LongColumnNames, true, span)], &format!("column `{name}`"), &at, sink);
    }
    if let Some(span) = captured(&table.options, Family::Scylla) {
        engines.in_tablets(InTablets::ChangeCapture, "change capture", span, &at, sink);
        engines.need(&[(Feature::CaptureOfCountersAndViews, counts, span)], "change capture of counters", &at, sink);
    }
    for (name, index) in &table.indexes {
        let at = |diagnostic: Diagnostic| diagnostic.at(Address::CqlIndex(None, table.key.clone(), name.clone()));
        engines.in_tablets(InTablets::SecondaryIndexes, &format!("index `{name}`"), index.span, &at, sink);
    }
    for (name, view) in &table.views {
        let at = |diagnostic: Diagnostic| diagnostic.at(Address::View(None, table.key.clone(), name.clone()));
        engines.in_tablets(InTablets::Views, &format!("view `{name}`"), view.span, &at, sink);
        if let Some(span) = captured(&view.options, Family::Scylla) {
            engines.need(&[(Feature::CaptureOfCountersAndViews, true, span)], "change capture of a view", &at, sink);
        }
    }
}

/// Where a family is told to capture changes.
fn captured(options: &EngineOptions, family: Family) -> Option<Span> {
    let of_family = options.iter().filter(|(engine, _)| engine.family() == family);
    let found = of_family.filter_map(|(_, options)| options.get("cdc")).find(|value| match &value.value {
        OptionValue::Bool(enabled) => *enabled,
        OptionValue::Map(map) => map.get("enabled").is_none_or(|enabled| enabled == "true"),
        _ => false,
    });
    found.map(|value| value.span)
}

/// Conditional writes, which tablets do not take everywhere. `is_here`: whether CQL holds what a pattern writes.
pub(super) fn conditions(model: &Model, is_here: &dyn Fn(&Pattern) -> bool, engines: &Engines<'_>, sink: &mut Sink) {
    for pattern in model.patterns.values() {
        let entries: &[Pattern] = match &pattern.verb {
            Verb::Transaction(entries) | Verb::Batch(entries) => entries,
            _ => std::slice::from_ref(pattern),
        };
        for guard in entries.iter().filter(|entry| is_here(entry)).filter_map(|entry| entry.guard.as_ref()) {
            let at = |diagnostic: Diagnostic| diagnostic.of_pattern(&pattern.name);
            engines.in_tablets(InTablets::Conditions, "a condition", guard.span, &at, sink);
        }
    }
}
