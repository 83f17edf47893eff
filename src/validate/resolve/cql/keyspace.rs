//! Engines and the keyspace.

use crate::diagnostic::{Diagnostic, codes};
use crate::model::Named;
use crate::model::{CqlKeyspace, Model};
use crate::schema::cql::engine::Feature;
use crate::schema::{Engine, Part, Scalar, Text, Value};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, Field};
use crate::validate::grammar::Flaw;
use crate::validate::grammar::name::Name;
use crate::validate::resolve::in_force::InForce;
use crate::validate::resolve::report::{Report, whole};
use std::collections::BTreeMap;

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
        keyspace_name(name, engines, report);
    }
    let needs_replication = engines.iter().any(|engine| engine.value != Engine::Keyspaces);
    let there = written.replication.is_there() || section.keyspace.is_broken();
    if needs_replication && !there {
        let diagnostic = Diagnostic::new(codes::WRONG_SHAPE, span, "the keyspace does not say how often its data is kept");
        report.push(diagnostic.help("add `keyspace: { replication: { dc1: 3 } }`, with the names of your data centres"));
    }
    let mut replication = Named::default();
    for (centre, number) in written.replication.get().into_iter().flat_map(|replication| replication.good()) {
        let number = report
            .number_value(number, replicas)
            .and_then(|value| number_in_force(&value, number.span, report))
            .map(|value| Spanned::new(value, number.span));
        if centre.value.is_empty() {
            report.push(Diagnostic::new(codes::BAD_NAME, centre.span, "a data centre has a name"));
        }
        if centre.value.chars().any(char::is_control) {
            report.push(Diagnostic::new(codes::BAD_NAME, centre.span, "the name of a data centre holds no control characters"));
        }
        if let Some(number) = number {
            replication.insert(centre.value.clone(), number);
        }
    }
    if let (Some(written), true) = (written.replication.get(), replication.is_empty())
        && written.value.0.is_empty()
    {
        report.push(Diagnostic::new(codes::WRONG_SHAPE, written.span, "no data centre is named"));
    }
    features(written, engines, report);
    Some(CqlKeyspace {
        span,
        name: name?,
        // Nobody is judged by what no engine gets.
        replication: if needs_replication { replication } else { Named::default() },
        regions: written.regions.get().map(|regions| regions.value.clone()).unwrap_or_default(),
        durable_writes: written.durable_writes.get().map(|value| value.value),
        tablets: written.tablets.get().cloned(),
    })
}

/// How often a data centre keeps the data.
fn replicas(text: &str) -> Result<u64, Flaw> {
    match whole(text)? {
        0 => Err(Flaw::value(0..text.len(), "a data centre without replicas is left out of the list")),
        replicas => Ok(replicas),
    }
}

/// Checks the letters that are written, and then what values make of them.
fn keyspace_name(name: &Spanned<Text>, engines: &[Spanned<Engine>], report: &mut Report<'_>) {
    let what = "the name of a keyspace";
    let mut written = String::new();
    for part in name.value.parts() {
        match part {
            Part::Literal(text) => written.push_str(text),
            // Some text, so that nothing is missed where letters are written beside it.
            Part::Parameter(parameter) => {
                report.written.insert(parameter.clone());
                written.push('x');
            }
            Part::Expression(_) => {}
        }
    }
    let in_force = InForce::of(&name.value, report);
    if !report.name(Name::Cql, &Spanned::new(written, name.span), what) || !in_force.check(Name::Cql, name, what, report) {
        return;
    }
    let begins_with = match name.value.parts() {
        [Part::Parameter(first), ..] => report.value_of(first),
        _ => None,
    };
    engine_name(in_force.text(), begins_with.map_or(name.span, |value| value.span), engines, report);
}

/// What a keyspace says that not every engine has.
fn features(written: &document::Keyspace, engines: &[Spanned<Engine>], report: &mut Report<'_>) {
    let nobody =
        |feature: Feature| !engines.is_empty() && engines.iter().all(|engine| feature.lacking_on(engine.value).is_some());
    for (key, feature, span) in [
        ("tablets", Feature::Tablets, written.tablets.get().map(|value| value.span)),
        ("regions", Feature::Regions, written.regions.get().map(|value| value.span)),
    ] {
        let (Some(span), true) = (span, nobody(feature)) else { continue };
        let mut diagnostic =
            Diagnostic::new(codes::NOT_ON_ENGINE, span, format!("none of the engines knows `{key}` of a keyspace"));
        if let Some(why) = engines.first().and_then(|engine| feature.lacking_on(engine.value)) {
            diagnostic = diagnostic.note(why);
        }
        report.push(diagnostic.help("remove the line, or add the engine that it is for"));
    }
    if let (Some(replication), true) = (written.replication.get(), nobody(Feature::DataCentres)) {
        let message = "`replication` is left out: none of the engines has data centres to name";
        let mut diagnostic = Diagnostic::new(codes::LEFT_OUT, replication.span, message);
        if let Some(why) = engines.first().and_then(|engine| Feature::DataCentres.lacking_on(engine.value)) {
            diagnostic = diagnostic.note(why);
        }
        report.push(diagnostic.help("remove the line; `regions` names the Regions, when there are several"));
    }
    if let Some(durable) = written.durable_writes.get().filter(|durable| !durable.value)
        && engines.iter().any(|engine| engine.value == Engine::Keyspaces)
    {
        let message = "`durable_writes` is left out for `keyspaces`, where every write is durable";
        report.push(Diagnostic::new(codes::LEFT_OUT, durable.span, message));
    }
    let mut seen: Vec<&str> = Vec::new();
    for region in written.regions.get().into_iter().flat_map(|regions| &regions.value) {
        report.name(Name::Region, region, "a Region");
        if seen.contains(&region.value.as_str()) {
            report.push(Diagnostic::new(codes::DUPLICATE_NAME, region.span, format!("`{}` is listed twice", region.value)));
        }
        seen.push(&region.value);
    }
}

/// Names of keyspaces and tables that an engine does not take.
pub(super) fn engine_name(name: &str, span: Span, engines: &[Spanned<Engine>], report: &mut Report<'_>) {
    let lacking = engines.iter().find_map(|engine| Some((engine, Feature::LeadingUnderscore.lacking_on(engine.value)?)));
    if let Some((engine, why)) = lacking.filter(|_| name.starts_with('_')) {
        let diagnostic = Diagnostic::new(codes::BAD_NAME, span, format!("`{name}` is no name on `{}`", engine.value));
        report.push(diagnostic.context(engine.span, "the engine").note(why));
    }
}

/// CQL has no variables: the value that is in force is written.
fn in_force(parameter: &str, span: Span, report: &mut Report<'_>) -> Option<Scalar> {
    report.written.insert(parameter.to_owned());
    let default = report.parameters.get(parameter)?.as_ref()?.default.clone();
    if default.is_none() {
        let diagnostic = Diagnostic::new(codes::PARAMETER_UNSET, span, format!("CQL needs a value of `{parameter}`"));
        report.push(
            diagnostic
                .note("CQL has no variables: the value itself is written")
                .help(format!("give the parameter `{parameter}` a `default`, or set it for the environment in gen.yaml")),
        );
    }
    default
}

/// The number that is written for a value.
pub(super) fn number_in_force(value: &Value<u64>, span: Span, report: &mut Report<'_>) -> Option<u64> {
    if let Value::Parameter(parameter) = value {
        in_force(parameter, span, report)?;
    }
    report.number_in_force(value)
}

/// The bool that is written for a value.
pub(super) fn bool_in_force(value: Value<bool>, span: Span, report: &mut Report<'_>) -> Option<bool> {
    match value {
        Value::Literal(enabled) => Some(enabled),
        Value::Parameter(parameter) => match in_force(&parameter, span, report)? {
            Scalar::Bool(enabled) => Some(enabled),
            _ => None,
        },
        Value::Expression(_) => None,
    }
}

/// The text that is written for a text with parameters.
pub(super) fn text_in_force(text: &Spanned<Text>, report: &mut Report<'_>) -> Option<String> {
    let mut values = BTreeMap::new();
    for part in text.value.parts() {
        if let Part::Parameter(name) = part {
            values.insert(name.clone(), in_force(name, text.span, report)?.to_string());
        }
    }
    text.value.resolve(|name| values.get(name).cloned())
}
