//! A scan: everything in a table, by ranges of its token.

use super::layout::Relation;
use super::read::Side;
use super::serve::{Refusal, Stage, leaves_out, refuse};
use crate::design::Service;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Pattern;
use crate::schema::Store;
use crate::schema::cql::identifier;

/// The table that is read; None when none or several would do, which the sink then knows.
pub(super) fn scan(side: &Side<'_>, pattern: &Pattern, entities: &[&str], sink: &mut Sink) -> Option<Service> {
    let via: Vec<_> = pattern.via.iter().filter(|address| address.value.store() == Some(Store::Cql)).collect();
    let first = entities.first().copied().unwrap_or_default();
    let all: Vec<(&Relation<'_>, Option<Refusal>)> = side
        .relations
        .holding(first)
        .filter(|relation| !relation.is_view || via.iter().any(|address| address.value == relation.address))
        .map(|relation| (relation, serves(relation, pattern, entities).err()))
        .collect();
    for address in &via {
        let refusal = all.iter().find(|(relation, _)| relation.address == address.value);
        let why = match refusal {
            Some((_, None)) => continue,
            Some((_, Some(refusal))) => refusal.why.as_str(),
            None => "it does not hold what is scanned",
        };
        let message = format!("`{}` cannot serve `{}`: {why}", address.value, pattern.name);
        sink.push(Diagnostic::new(codes::VIA_CANNOT_SERVE, address.span, message).of_pattern(&pattern.name).at(&address.value));
        return None;
    }
    let asked = |relation: &Relation<'_>| via.is_empty() || via.iter().any(|address| address.value == relation.address);
    let serving: Vec<_> =
        all.iter().filter(|(relation, lack)| lack.is_none() && asked(relation)).map(|(relation, _)| *relation).collect();
    match serving.as_slice() {
        [relation] => Some(Service {
            address: relation.address.clone(),
            operation: side.operations.text(|| statement(side, pattern, relation)),
            partitions: None,
            endless: false,
        }),
        [] => {
            let filters = all.iter().flat_map(|(_, refusal)| refusal).any(|refusal| refusal.stage == Stage::Filter);
            let (code, message) = if filters {
                (codes::FILTER_SCANS, format!("the filter of the scan `{}` would be ALLOW FILTERING on CQL", pattern.name))
            } else {
                (codes::PATTERN_UNSERVED, format!("no table serves the scan `{}` on CQL", pattern.name))
            };
            let mut diagnostic = Diagnostic::new(code, pattern.span, message).of_pattern(&pattern.name);
            for (relation, refusal) in &all {
                if let Some(Refusal { why, .. }) = refusal {
                    diagnostic = diagnostic.note(format!("`{}` does not serve it: {why}", relation.address));
                }
            }
            let help = filters.then_some("scan without it, and let the caller drop what it does not need");
            sink.push(help.into_iter().fold(diagnostic, Diagnostic::help));
            None
        }
        several => {
            let names: Vec<String> = several.iter().map(|relation| format!("`{}`", relation.address)).collect();
            let message = format!("{} serve the scan `{}` equally well", names.join(" and "), pattern.name);
            let mut diagnostic = Diagnostic::new(codes::AMBIGUOUS_PATTERN, pattern.span, message).of_pattern(&pattern.name);
            for relation in several {
                diagnostic = diagnostic.context(relation.span, "serves it").at(&relation.address);
            }
            if let Some(first) = several.first() {
                diagnostic = diagnostic.help(format!("say which: `via: {}`", first.address));
            }
            sink.push(diagnostic);
            None
        }
    }
}

/// Whether a table has all that is scanned, and nothing is to be filtered.
fn serves(relation: &Relation<'_>, pattern: &Pattern, entities: &[&str]) -> Result<(), Refusal> {
    for &name in entities {
        let Some(layout) = relation.layout(name) else {
            return refuse(Stage::Entity, format!("it does not hold `{name}`"));
        };
        let needed = |attribute: &str| pattern.select.is_empty() || pattern.select.iter().any(|name| name.value == attribute);
        if let Some(attribute) = layout.entity.attributes.keys().find(|name| needed(name) && !layout.returns(name)) {
            return refuse(Stage::Columns, format!("it does not store `{attribute}`"));
        }
        if let Some(condition) = layout.when.first() {
            return refuse(Stage::Condition, leaves_out(condition));
        }
    }
    match pattern.filter.as_ref().and_then(|filter| filter.conditions.first()) {
        Some(condition) => {
            refuse(Stage::Filter, format!("`{}` would be filtered over the whole table", condition.attribute.value))
        }
        None => Ok(()),
    }
}

fn statement(side: &Side<'_>, pattern: &Pattern, relation: &Relation<'_>) -> String {
    let columns: Vec<String> = pattern.select.iter().map(|name| identifier(&name.value)).collect();
    let columns = if columns.is_empty() { "*".to_owned() } else { columns.join(", ") };
    let key: Vec<String> =
        relation.layouts.first().into_iter().flat_map(|layout| &layout.partition).map(|column| identifier(column.name)).collect();
    let key = key.join(", ");
    format!(
        "SELECT {columns} FROM {}.{} WHERE token({key}) > :start AND token({key}) <= :end",
        identifier(side.keyspace),
        identifier(relation.name)
    )
}
