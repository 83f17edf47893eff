//! Settings of DynamoDB tables: what the table says, else what `defaults` says, else what holds anyway (section 6).

use super::{capacity, replicas};
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{Capacity, Settings};
use crate::schema::dynamodb::{Billing, Encryption, Insights, PointInTimeRecovery, Stream, TableClass};
use crate::schema::{Text, Value, has_reference};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, DynamodbDefaults, DynamodbTable, Field, Map};
use crate::validate::grammar::{Flaw, units};
use crate::validate::resolve::report::Report;
use crate::validate::resolve::tag;
use std::collections::BTreeMap;

/// The table's own value, else that of `defaults`; true when it is the table's own.
pub(super) fn pick<'d, T>(own: &'d Field<T>, default: Option<&'d Field<T>>) -> Option<(&'d Spanned<T>, bool)> {
    if own.is_there() {
        return own.get().map(|value| (value, true));
    }
    default.and_then(Field::get).map(|value| (value, false))
}

pub(super) fn resolve(table: &DynamodbTable, defaults: Option<&DynamodbDefaults>, report: &mut Report<'_>) -> Settings {
    let mut places = BTreeMap::new();
    let mut place = |key: &str, span: Span| _ = places.insert(key.to_owned(), span);
    let stream = pick(&table.stream, defaults.map(|defaults| &defaults.stream)).map(|(stream, _)| {
        place("stream", stream.span);
        match &stream.value {
            document::Stream::Bool(_) => Stream::Off,
            document::Stream::Text(document::StreamWord::KeysOnly) => Stream::KeysOnly,
            document::Stream::Text(document::StreamWord::NewImage) => Stream::NewImage,
            document::Stream::Text(document::StreamWord::OldImage) => Stream::OldImage,
            document::Stream::Text(document::StreamWord::NewAndOldImages) => Stream::NewAndOldImages,
        }
    });
    let billing = pick(&table.billing, defaults.map(|defaults| &defaults.billing));
    if let Some((billing, _)) = billing {
        place("billing", billing.span);
    }
    let mode = match billing.map(|(billing, _)| billing.value) {
        Some(document::Billing::Provisioned) => Billing::Provisioned,
        Some(document::Billing::OnDemand) | None => Billing::OnDemand,
    };
    let written = pick(&table.throughput, defaults.map(|defaults| &defaults.throughput));
    if let Some((written, _)) = written {
        place("throughput", written.span);
        place("on_demand_maximum", written.span);
        place("autoscaling", written.span);
    }
    let class = pick(&table.table_class, defaults.map(|defaults| &defaults.table_class)).map(|(class, _)| {
        place("table_class", class.span);
        table_class(class.value)
    });
    let encryption = pick(&table.encryption, defaults.map(|defaults| &defaults.encryption)).map(|(encryption, _)| {
        place("encryption", encryption.span);
        self::encryption(&encryption.value, report)
    });
    let recovery =
        pick(&table.point_in_time_recovery, defaults.map(|defaults| &defaults.point_in_time_recovery)).and_then(|(value, _)| {
            place("point_in_time_recovery", value.span);
            recovery(value, report)
        });
    let protection =
        pick(&table.deletion_protection, defaults.map(|defaults| &defaults.deletion_protection)).and_then(|(value, _)| {
            place("deletion_protection", value.span);
            report.bool_value(value)
        });
    let insights =
        pick(&table.contributor_insights, defaults.map(|defaults| &defaults.contributor_insights)).map(|(insights, _)| {
            place("contributor_insights", insights.span);
            self::insights(&insights.value)
        });
    let tags = tags(&table.tags, defaults.map(|defaults| &defaults.tags), &mut places, report);
    let unsaid = Settings::default();
    let mut settings = Settings {
        stream: stream.unwrap_or(unsaid.stream),
        billing: mode,
        capacity: capacity(table, written, billing.map(|(billing, _)| billing.span), mode, report),
        table_class: class,
        encryption: encryption.unwrap_or(unsaid.encryption),
        point_in_time_recovery: recovery.unwrap_or(unsaid.point_in_time_recovery),
        deletion_protection: protection.unwrap_or(unsaid.deletion_protection),
        contributor_insights: insights,
        tags,
        places,
        ..unsaid
    };
    replicas::resolve(table, defaults, &mut settings, report);
    settings
}

/// Capacity of a table. In `defaults`, what its billing mode does not take is for the others.
fn capacity(
    table: &DynamodbTable,
    written: Option<(&Spanned<document::Throughput>, bool)>,
    billing: Option<Span>,
    mode: Billing,
    report: &mut Report<'_>,
) -> Capacity {
    let read = match (mode, written) {
        (Billing::Provisioned, None) => {
            if !table.throughput.is_broken()
                && let Some(span) = billing
            {
                let diagnostic = Diagnostic::new(codes::THROUGHPUT_MODE, span, "provisioned capacity without a `throughput`");
                report.push(diagnostic.help("add `throughput: { read: 5, write: 5 }`"));
            }
            None
        }
        (Billing::OnDemand, Some((written, own))) if !capacity::is_limit(&written.value) => {
            if own {
                capacity::not_on_demand(written.span, report);
            }
            None
        }
        (_, written) => written.and_then(|(written, _)| capacity::read(written, mode, report)),
    };
    read.unwrap_or_default()
}

pub(super) fn table_class(written: document::TableClass) -> TableClass {
    match written {
        document::TableClass::Standard => TableClass::Standard,
        document::TableClass::StandardInfrequentAccess => TableClass::StandardInfrequentAccess,
    }
}

/// `false` is how `defaults` are taken back, and as good as nothing said.
pub(super) fn insights(written: &document::Insights) -> Insights {
    match written {
        document::Insights::Bool(_) => Insights::Off,
        document::Insights::Text(document::InsightsWord::AccessedAndThrottledKeys) => Insights::AccessedAndThrottledKeys,
        document::Insights::Text(document::InsightsWord::ThrottledKeys) => Insights::ThrottledKeys,
    }
}

/// The key of a table or a replica; empty, and reported, when it is wrong.
pub(super) fn key(written: &Field<String>, report: &mut Report<'_>) -> Option<Text> {
    let text = written.get().map(|key| report.kms_key(key));
    if written.is_there() { Some(text.flatten().map(|key| key.value).unwrap_or_default()) } else { None }
}

fn encryption(written: &document::Encryption, report: &mut Report<'_>) -> Encryption {
    match written {
        document::Encryption::Text(document::EncryptionWord::AwsOwned) => Encryption::AwsOwned,
        document::Encryption::Text(document::EncryptionWord::AwsManaged) => Encryption::AwsManaged,
        // A key that is wrong is one all the same.
        document::Encryption::Map(key) => Encryption::KmsKey(self::key(&key.kms_key, report).unwrap_or_default()),
    }
}

pub(super) fn recovery(written: &Spanned<document::Recovery>, report: &mut Report<'_>) -> Option<PointInTimeRecovery> {
    let on = |enabled| PointInTimeRecovery { enabled, days: None };
    match written.value.0.as_str() {
        "true" => Some(on(Value::Literal(true))),
        "false" => Some(on(Value::Literal(false))),
        text if has_reference(text) => {
            let value = report.value(written, document::ParameterType::Bool, |_| Ok(false))?;
            Some(on(value))
        }
        text => {
            let days = report.read(written, |source| {
                if !source.starts_with(|first: char| first.is_ascii_digit()) {
                    return Err(Flaw::value(0..source.len(), format!("`{source}` is no bool, parameter or number of days"))
                        .help("write `true`, `false`, or `1d` to `35d`"));
                }
                let duration = units::duration(source)?;
                let days = duration.seconds / 86_400;
                if duration.seconds % 86_400 == 0 && (1..=35).contains(&days) {
                    return Ok(u8::try_from(days).unwrap_or(35));
                }
                Err(Flaw::value(0..text.len(), format!("`{text}` is not between 1d and 35d")))
            })?;
            Some(PointInTimeRecovery { enabled: Value::Literal(true), days: Some(days).filter(|days| *days != 35) })
        }
    }
}

fn tags(
    own: &Field<Map<document::Value>>,
    defaults: Option<&Field<Map<document::Value>>>,
    places: &mut BTreeMap<String, Span>,
    report: &mut Report<'_>,
) -> BTreeMap<String, Text> {
    let mut tags = BTreeMap::new();
    let sources = [defaults.and_then(Field::get), own.get()];
    for map in sources.into_iter().flatten() {
        places.insert("tags".to_owned(), map.span);
        for (key, value) in map.value.good() {
            let Some(text) = tag::read(key, value, report) else { continue };
            places.insert(format!("tags.{}", key.value), value.span);
            tags.insert(key.value.clone(), text.value);
        }
    }
    if tags.len() > 50
        && let Some(map) = own.get().or_else(|| defaults.and_then(Field::get))
    {
        report.push(Diagnostic::new(codes::BAD_VALUE, map.span, format!("{} tags; a table has at most 50", tags.len())));
    }
    tags
}
