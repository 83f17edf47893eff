//! What entities and the stores that hold them ask of one another.

use super::report::Report;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{AttributeType, Encoding, Model, UpdatedBy};
use crate::schema::Engine;
use crate::schema::dynamodb::Stream;
use crate::validate::document;

/// The largest item of DynamoDB and the largest row of Amazon Keyspaces, in bytes.
const DYNAMODB_ITEM: f64 = 400.0 * 1024.0;
const KEYSPACES_ROW: f64 = 1024.0 * 1024.0;

pub(super) fn check(document: &document::Model, report: &mut Report<'_>, model: &mut Model) {
    sizes(document, report, model);
    streams(report, model);
    expiry(model);
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
fn expiry(model: &mut Model) {
    let expiring: Vec<(String, String)> = model
        .dynamodb
        .iter()
        .flat_map(|section| section.tables.values())
        .filter_map(|table| table.ttl.as_ref().map(|ttl| (table, ttl)))
        .flat_map(|(table, ttl)| table.holds.iter().map(|holding| (holding.entity.value.clone(), ttl.value.clone())))
        .collect();
    for (entity, name) in expiring {
        if let Some(attribute) = model.entities.get_mut(&entity).and_then(|entity| entity.attributes.get_mut(&name))
            && attribute.kind == AttributeType::Timestamp
        {
            attribute.encoding = Encoding::EpochSeconds;
        }
    }
}
