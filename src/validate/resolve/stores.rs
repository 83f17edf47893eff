//! What entities and the stores that hold them ask of one another.

use super::report::Report;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{AttributeType, Encoding, Model, UpdatedBy};
use crate::schema::Engine;
use crate::schema::dynamodb::Stream;
use crate::source::Spanned;
use crate::validate::document;

/// The largest item of DynamoDB and the largest row of Amazon Keyspaces, in bytes.
const DYNAMODB_ITEM: f64 = 400.0 * 1024.0;
const KEYSPACES_ROW: f64 = 1024.0 * 1024.0;

pub(super) fn check(document: &document::Model, report: &mut Report<'_>, model: &mut Model) {
    sizes(document, report, model);
    streams(report, model);
    expiry(document, report, model);
}

fn sizes(document: &document::Model, report: &mut Report<'_>, model: &Model) {
    let keyspaces = model.cql.as_ref().is_some_and(|cql| cql.engines.iter().any(|engine| engine.value == Engine::Keyspaces));
    for (name, entity) in document.entities.get().into_iter().flat_map(|entities| entities.good()) {
        let (Some(written), Some(size)) = (entity.size.get(), model.entities.get(&name.value).and_then(|entity| entity.size))
        else {
            continue;
        };
        let largest = size.max.unwrap_or(size.average);
        let in_dynamodb = model
            .dynamodb
            .iter()
            .flat_map(|section| section.tables.values())
            .any(|table| table.holds.iter().any(|holding| holding.entity.value == name.value));
        let in_cql = model
            .cql
            .iter()
            .flat_map(|section| section.tables.values())
            .any(|table| table.holds.iter().any(|holding| holding.entity.value == name.value));
        let limit = if in_dynamodb && largest > DYNAMODB_ITEM {
            Some("an item of DynamoDB has at most 400KB")
        } else if keyspaces && in_cql && largest > KEYSPACES_ROW {
            Some("a row of Amazon Keyspaces has at most 1MB")
        } else {
            None
        };
        if let Some(limit) = limit {
            let diagnostic =
                Diagnostic::new(codes::ITEM_TOO_LARGE, written.span, format!("`{}` is too large: {limit}", name.value));
            report.push(
                diagnostic.help("keep the large part in an object store and its address here, or split it into several items"),
            );
        }
    }
}

/// `updated_by: stream` needs a stream on every table of DynamoDB that holds the original.
fn streams(report: &mut Report<'_>, model: &Model) {
    for attribute in model.entities.values().flat_map(|entity| entity.attributes.values()) {
        let Some(by) = attribute.updated_by.as_ref().filter(|by| by.value == UpdatedBy::Stream) else { continue };
        let of = attribute.copy_of.as_ref().or(attribute.sum_of.as_ref()).map(|path| path.value.0.as_str());
        let Some(original) = of.or_else(|| attribute.count_of.as_ref().map(|of| of.value.as_str())) else { continue };
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
    let expiring: Vec<(String, Spanned<String>)> = tables
        .filter_map(|table| table.ttl.as_ref().map(|ttl| (table, ttl)))
        .flat_map(|(table, ttl)| table.holds.iter().map(|holding| (holding.entity.value.clone(), ttl.clone())))
        .collect();
    for (entity, ttl) in expiring {
        let Some(attribute) = model.entities.get_mut(&entity).and_then(|entity| entity.attributes.get_mut(&ttl.value)) else {
            continue;
        };
        if attribute.kind != AttributeType::Timestamp {
            continue;
        }
        attribute.encoding = Encoding::EpochSeconds;
        if let Some(written) = written_encoding(document, &entity, &ttl.value)
            && !matches!(written.value, document::Encoding::EpochSeconds)
        {
            let message = format!("items expire by `{}`, so it must be in epoch seconds", ttl.value);
            let diagnostic = Diagnostic::new(codes::TTL_ENCODING, written.span, message).context(ttl.span, "the time of expiry");
            report.push(diagnostic.suggest("write `epoch_seconds`", written.span, "epoch_seconds"));
        }
    }
}

fn written_encoding<'d>(document: &'d document::Model, entity: &str, attribute: &str) -> Option<&'d Spanned<document::Encoding>> {
    let (_, entity) = document.entities.get()?.value.good().find(|(name, _)| name.value == entity)?;
    let (_, attribute) = entity.attributes.get()?.value.good().find(|(name, _)| name.value == attribute)?;
    match &attribute.value {
        document::Attribute::Map(options) => options.encoding.get(),
        document::Attribute::Text(_) => None,
    }
}
