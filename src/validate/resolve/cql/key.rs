//! Primary keys: parts of the partition key, and that each column is there once.

use super::Reader;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{AttributeType, Holding, Order, PartitionPart, Period};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, Field};
use crate::validate::grammar::name::Name;
use crate::validate::grammar::template;
use crate::validate::resolve::holding::hidden;
use crate::validate::resolve::report::Report;
use crate::validate::resolve::scope::unknown_attribute;
use std::collections::BTreeMap;

impl Reader<'_> {
    pub(super) fn partition_key(&self, report: &mut Report<'_>) -> Vec<Spanned<PartitionPart>> {
        let Some(written) = self.table.partition_key.get() else { return Vec::new() };
        let attribute = |name: &str, span| Spanned::new(PartitionPart::Attribute(name.to_owned()), span);
        let parts = match &written.value {
            document::PartitionKey::Text(name) => vec![attribute(&name.value, name.span)],
            document::PartitionKey::Map(part) => bucket_or_shard(&part.value, part.span, report).into_iter().collect(),
            document::PartitionKey::List(parts) => parts
                .iter()
                .filter_map(|part| match &part.value {
                    document::Part::Text(name) => Some(attribute(name, part.span)),
                    document::Part::Map(map) => bucket_or_shard(map, part.span, report),
                })
                .collect(),
        };
        if let document::PartitionKey::List(parts) = &written.value
            && parts.is_empty()
        {
            report.push(Diagnostic::new(codes::WRONG_SHAPE, written.span, "the partition key is empty"));
        }
        parts
    }

    /// Key columns: known, and each once.
    pub(super) fn key(
        &self,
        partition: &[Spanned<PartitionPart>],
        clustering: &[Order],
        holds: &[Holding],
        report: &mut Report<'_>,
    ) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let parts = partition.iter().map(|part| (part.value.column(), part.span));
        for (column, span) in parts.chain(clustering.iter().map(|order| (order.attribute.value.as_str(), order.attribute.span))) {
            if let Some(first) = seen.insert(column, span) {
                report.push(
                    Diagnostic::new(codes::DUPLICATE_NAME, span, format!("`{column}` is in the primary key twice"))
                        .context(first, "the first"),
                );
            }
            report.name(Name::Attribute, &Spanned::new(column.to_owned(), span), "the name of a column");
        }
        for part in partition {
            let (attribute, bucket) = match &part.value {
                PartitionPart::Attribute(_) => continue,
                PartitionPart::Bucket { attribute, .. } => (attribute, true),
                PartitionPart::Shard { attribute, .. } => (attribute, false),
            };
            let beside = self.table.statics.get().and_then(|statics| match &statics.value {
                document::OneOrMany::Text(entity) => self.model.entities.get(&entity.value),
                document::OneOrMany::List(_) => None,
            });
            let column = part.value.column();
            for entity in self.entities(holds).map(|(_, entity)| entity).chain(beside) {
                if let Some(attribute) = entity.attributes.get(column) {
                    report.push(hidden(entity, column, attribute, part.span));
                }
            }
            for (_, entity) in self.entities(holds) {
                if self.scope.is_broken(&entity.name, attribute) {
                    continue;
                }
                match entity.attributes.get(attribute) {
                    None => report.push(unknown_attribute(entity, attribute, part.span)),
                    Some(found) if bucket && !found.kind.has_time() => {
                        let message = format!("a bucket needs a value that carries a time, and `{attribute}` is {}", found.kind);
                        report.push(Diagnostic::new(codes::BAD_TEMPLATE, part.span, message).context(found.span, "its type"));
                    }
                    Some(_) => {}
                }
            }
        }
    }
}

/// A bucket or a shard.
fn bucket_or_shard(written: &document::PartMap, span: Span, report: &mut Report<'_>) -> Option<Spanned<PartitionPart>> {
    let column = |default: String| written.column.get().map_or(default, |column| column.value.clone());
    let part = match (written.bucket.get(), written.shard.get()) {
        (Some(bucket), None) => {
            let Field::Given(by) = &written.by else {
                if !written.by.is_broken() {
                    report.push(
                        Diagnostic::new(codes::WRONG_SHAPE, span, "the bucket does not say how long it lasts")
                            .help("add `by: month` or another period"),
                    );
                }
                return None;
            };
            if let Some(into) = written.into.get() {
                report.push(Diagnostic::new(codes::BAD_PATTERN, into.span, "`into` goes with `shard`, not with `bucket`"));
            }
            let period = report.read(by, template::period)?;
            let kind = match (written.kind.get().map(|kind| kind.value), period) {
                (Some(document::BucketType::Bigint), _) => AttributeType::Bigint,
                (Some(document::BucketType::Date), _) => AttributeType::Date,
                (Some(document::BucketType::Int), _) | (None, Period::Every(_)) => AttributeType::Int,
                (Some(document::BucketType::Text) | None, _) => AttributeType::Text,
            };
            if let (Some(written), AttributeType::Date) = (written.kind.get(), &kind)
                && !period.has_dates()
            {
                let message = format!("buckets of one {period} would have one date, all those of a day");
                report.push(Diagnostic::new(codes::BAD_VALUE, written.span, message).help("leave `type` out: a bucket is text"));
            }
            let suffix = by.value.clone();
            PartitionPart::Bucket {
                attribute: bucket.value.clone(),
                period,
                column: column(format!("{}_{suffix}", bucket.value)),
                kind,
            }
        }
        (None, Some(shard)) => {
            let Field::Given(into) = &written.into else {
                if !written.into.is_broken() {
                    report.push(
                        Diagnostic::new(codes::WRONG_SHAPE, span, "the shard does not say how many there are")
                            .help("add `into: 8` or another number"),
                    );
                }
                return None;
            };
            if into.value < 2 {
                report.push(
                    Diagnostic::new(codes::BAD_VALUE, into.span, format!("{} is no number of shards", into.value))
                        .help("2 or more"),
                );
            }
            for (key, span) in [("by", written.by.get().map(|by| by.span)), ("type", written.kind.get().map(|kind| kind.span))] {
                let Some(span) = span else { continue };
                let message = format!("`{key}` goes with `bucket`, not with `shard`");
                report.push(Diagnostic::new(codes::BAD_PATTERN, span, message));
            }
            PartitionPart::Shard {
                attribute: shard.value.clone(),
                into: into.value,
                column: column(format!("{}_shard", shard.value)),
            }
        }
        _ => {
            if !written.bucket.is_broken() && !written.shard.is_broken() {
                let diagnostic =
                    Diagnostic::new(codes::WRONG_SHAPE, span, "a part of a partition key is either a bucket or a shard");
                report.push(diagnostic.help("write `{ bucket: created_at, by: month }` or `{ shard: order_id, into: 8 }`"));
            }
            return None;
        }
    };
    Some(Spanned::new(part, span))
}
