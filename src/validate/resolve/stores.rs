//! What entities and the stores that hold them ask of one another.

use super::report::Report;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{AttributeType, Encoding, Holding, Model, UpdatedBy};
use crate::schema::Engine;
use crate::schema::dynamodb::Stream;
use crate::source::Span;
use crate::validate::document;
use foldhash::fast::RandomState;
use std::collections::{BTreeMap, HashSet};

/// The largest item of DynamoDB and the largest row of Amazon Keyspaces, in bytes.
const DYNAMODB_ITEM: f64 = 400.0 * 1024.0;
const KEYSPACES_ROW: f64 = 1024.0 * 1024.0;

pub(super) fn check(document: &document::Model, report: &mut Report<'_>, model: &mut Model) {
    sizes(document, report, model);
    streams(report, model);
    expiry(document, report, model);
}

fn names(holds: &[Holding]) -> impl Iterator<Item = &str> {
    holds.iter().map(|holding| holding.entity.value.as_str())
}

fn sizes(document: &document::Model, report: &mut Report<'_>, model: &Model) {
    let keyspaces = model.cql.as_ref().is_some_and(|cql| cql.engines.iter().any(|engine| engine.value == Engine::Keyspaces));
    let tables = model.dynamodb.iter().flat_map(|section| section.tables.values());
    let in_dynamodb: HashSet<&str, RandomState> = tables.flat_map(|table| names(&table.holds)).collect();
    let tables = model.cql.iter().flat_map(|section| section.tables.values());
    let in_cql: HashSet<&str, RandomState> = tables.flat_map(|table| names(&table.holds)).collect();
    for (name, entity) in document.entities.get().into_iter().flat_map(|entities| entities.good()) {
        let size = model.entities.get(&name.value).and_then(|entity| entity.size);
        let (Some(written), Some(size)) = (entity.size.get(), size) else { continue };
        let largest = size.max.unwrap_or(size.average);
        let limit = if in_dynamodb.contains(name.value.as_str()) && largest > DYNAMODB_ITEM {
            Some("an item of DynamoDB has at most 400KB")
        } else if keyspaces && in_cql.contains(name.value.as_str()) && largest > KEYSPACES_ROW {
            Some("a row of Amazon Keyspaces has at most 1MB")
        } else {
            None
        };
        if let Some(limit) = limit {
            let message = format!("`{}` is too large: {limit}", name.value);
            report.push(
                Diagnostic::new(codes::ITEM_TOO_LARGE, written.span, message)
                    .help("keep the large part in an object store and its address here, or split it into several items"),
            );
        }
    }
}

/// `updated_by: stream` needs a stream on every table of DynamoDB that holds the original.
fn streams(report: &mut Report<'_>, model: &Model) {
    let attributes = model.entities.values().flat_map(|entity| entity.attributes.values());
    for derivation in attributes.filter_map(|attribute| attribute.derivation.as_ref()) {
        let Some(by) = derivation.updated_by.as_ref().filter(|by| by.value == UpdatedBy::Stream) else { continue };
        let of = derivation.copy_of.as_ref().or(derivation.sum_of.as_ref()).map(|path| path.value.0.as_str());
        let Some(original) = of.or_else(|| derivation.count_of.as_ref().map(|of| of.value.as_str())) else { continue };
        for table in model.dynamodb.iter().flat_map(|section| section.tables.values()) {
            let holds = table.holds.iter().any(|holding| holding.entity.value == original);
            if holds && table.settings.stream == Stream::Off {
                let message = format!("`{original}` lies in `{}`, which has no stream", table.key);
                let diagnostic =
                    Diagnostic::new(codes::UPDATED_BY_NEEDS_STREAM, by.span, message).context(table.span, "the table");
                report.push(diagnostic.help("add `stream: new_image` to the table"));
            }
        }
    }
}

/// A timestamp by which items expire is in epoch seconds wherever it is stored.
fn expiry(document: &document::Model, report: &mut Report<'_>, model: &mut Model) {
    let tables = model.dynamodb.iter().flat_map(|section| section.tables.values());
    let expiring: BTreeMap<(String, String), Span> = tables
        .filter_map(|table| table.ttl.as_ref().map(|ttl| (table, ttl)))
        .flat_map(|(table, ttl)| table.holds.iter().map(|holding| ((holding.entity.value.clone(), ttl.value.clone()), ttl.span)))
        .collect();
    for (entity, name) in expiring.keys() {
        if let Some(attribute) = model.entities.get_mut(entity).and_then(|entity| entity.attributes.get_mut(name))
            && attribute.kind == AttributeType::Timestamp
        {
            attribute.encoding = Encoding::EpochSeconds;
        }
    }
    for (entity, written) in document.entities.get().into_iter().flat_map(|entities| entities.good()) {
        for (name, attribute) in written.attributes.get().into_iter().flat_map(|attributes| attributes.good()) {
            let document::Attribute::Map(options) = &attribute.value else { continue };
            let Some(encoding) = options.encoding.get() else { continue };
            let Some(ttl) = expiring.get(&(entity.value.clone(), name.value.clone())) else { continue };
            if !matches!(encoding.value, document::Encoding::EpochSeconds) {
                let message = format!("items expire by `{}`, so it must be in epoch seconds", name.value);
                report.push(
                    Diagnostic::new(codes::TTL_ENCODING, encoding.span, message).context(*ttl, "the time of expiry").suggest(
                        "write `epoch_seconds`",
                        encoding.span,
                        "epoch_seconds",
                    ),
                );
            }
        }
    }
}
