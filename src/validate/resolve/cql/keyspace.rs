//! Engines and the keyspace.

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{CqlKeyspace, Model};
use crate::schema::{Engine, Part, Scalar, Text, Value};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, Field};
use crate::validate::grammar::name::Name;
use crate::validate::resolve::report::Report;
use indexmap::IndexMap;

pub(super) fn engines(written: &Field<Vec<Spanned<document::EngineName>>>, report: &mut Report<'_>) -> Vec<Spanned<Engine>> {
    let Some(written) = written.get() else { return Vec::new() };
    let mut engines: Vec<Spanned<Engine>> = Vec::new();
    for name in &written.value {
        let engine = match name.value {
            document::EngineName::Cassandra40 => Engine::Cassandra40,
            document::EngineName::Cassandra41 => Engine::Cassandra41,
            document::EngineName::Cassandra50 => Engine::Cassandra50,
            document::EngineName::Scylla20251 => Engine::Scylla20251,
            document::EngineName::Scylla20261 => Engine::Scylla20261,
            document::EngineName::Keyspaces => Engine::Keyspaces,
        };
        if engines.iter().any(|known| known.value == engine) {
            report.push(Diagnostic::new(codes::DUPLICATE_NAME, name.span, format!("`{engine}` is listed twice")));
            continue;
        }
        engines.push(Spanned::new(engine, name.span));
    }
    if engines.is_empty() {
        report.push(Diagnostic::new(codes::WRONG_SHAPE, written.span, "the list of engines is empty"));
    }
    engines.sort_by_key(|engine| engine.value);
    engines
}

pub(super) fn resolve(
    section: &document::Cql,
    section_span: Span,
    engines: &[Spanned<Engine>],
    model: &Model,
    report: &mut Report<'_>,
) -> Option<CqlKeyspace> {
    let empty = document::Keyspace::default();
    let (written, span) = section.keyspace.get().map_or((&empty, section_span), |keyspace| (&keyspace.value, keyspace.span));
    let name = match written.name.get() {
        Some(name) => report.text(name),
        None => Some(Spanned::new(Text::literal(model.name.value.replace('-', "_")), model.name.span)),
    };
    if let Some(name) = &name {
        let literal: String =
            name.value.parts().iter().map(|part| if let Part::Literal(text) = part { text.as_str() } else { "" }).collect();
        let all_parameters = literal.is_empty() && !name.value.parts().is_empty();
        let text = Spanned::new(if all_parameters { "x".to_owned() } else { literal }, name.span);
        report.name(Name::Cql, &text, "the name of a keyspace");
    }
    let needs_replication = engines.iter().any(|engine| engine.value != Engine::Keyspaces);
    let there = written.replication.is_there() || section.keyspace.is_broken();
    if needs_replication && !there {
        let diagnostic = Diagnostic::new(codes::WRONG_SHAPE, span, "the keyspace does not say how often its data is kept");
        report.push(diagnostic.help("add `keyspace: { replication: { dc1: 3 } }`, with the names of your data centres"));
    }
    let mut replication = IndexMap::new();
    for (centre, number) in written.replication.get().into_iter().flat_map(|replication| replication.good()) {
        let number = match report.number_value(number) {
            Some(Value::Parameter(parameter)) => {
                in_force(&parameter, number.span, report).map(|value| Spanned::new(value, number.span))
            }
            Some(Value::Literal(value)) => Some(Spanned::new(value, number.span)),
            _ => None,
        };
        if centre.value.is_empty() {
            report.push(Diagnostic::new(codes::BAD_NAME, centre.span, "a data centre has a name"));
        }
        if centre.value.chars().any(char::is_control) {
            report.push(Diagnostic::new(codes::BAD_NAME, centre.span, "the name of a data centre holds no control characters"));
        }
        if let Some(number) = number {
            if number.value == 0 {
                report.push(Diagnostic::new(
                    codes::BAD_VALUE,
                    number.span,
                    "a data centre without replicas is left out of the list",
                ));
            }
            replication.insert(centre.value.clone(), number);
        }
    }
    if let (Some(written), true) = (written.replication.get(), replication.is_empty())
        && written.value.0.is_empty()
    {
        report.push(Diagnostic::new(codes::WRONG_SHAPE, written.span, "no data centre is named"));
    }
    Some(CqlKeyspace {
        span,
        name: name?,
        replication,
        regions: written.regions.get().map(|regions| regions.value.clone()).unwrap_or_default(),
        durable_writes: written.durable_writes.get().map(|value| value.value),
        tablets: written.tablets.get().cloned(),
    })
}

/// CQL has no variables: the parameter's default is written.
fn in_force(parameter: &str, span: Span, report: &mut Report<'_>) -> Option<u64> {
    let default = report.parameters.get(parameter)?.as_ref()?.default.clone();
    if let Some(Scalar::Number(text)) = default {
        return text.parse().ok();
    }
    let diagnostic = Diagnostic::new(codes::PARAMETER_UNSET, span, format!("CQL needs a value of `{parameter}`"));
    report.push(diagnostic.help("give the parameter a `default`"));
    None
}
