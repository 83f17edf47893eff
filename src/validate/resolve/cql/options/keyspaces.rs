//! Settings of a table that only Amazon Keyspaces has: custom properties, autoscaling, tags.
//!
//! Sources: Amazon Keyspaces developer guide, `cql.ddl.table`, `TTL-how-to-enable-custom-new`, `autoscaling.createTable`; API
//! reference, `CapacitySpecification`, `EncryptionSpecification`, `PointInTimeRecovery`, `ClientSideTimestamps`.

use super::place::custom_name;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::CqlTtl;
use crate::schema::cql::OptionValue;
use crate::schema::{Engine, Value, has_reference};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, BoolOrParameter, CqlDefaults, CqlTable, Field, Map, NumberOrParameter, Recovery};
use crate::validate::grammar::units;
use crate::validate::resolve::cql::keyspace::{bool_in_force, number_in_force, text_in_force};
use crate::validate::resolve::report::{Report, capacity_units};
use crate::validate::resolve::tag;
use std::collections::BTreeMap;

/// What a table says, else what `defaults` say.
pub(in crate::validate::resolve::cql) struct Service<'d> {
    billing: Option<&'d Spanned<document::Billing>>,
    throughput: Option<&'d Spanned<document::Throughput>>,
    recovery: Option<&'d Spanned<Recovery>>,
    encryption: Option<&'d Spanned<document::Encryption>>,
    /// Of the defaults, then of the table: they merge.
    tags: Vec<&'d Spanned<Map<document::Value>>>,
    timestamps: Option<&'d Spanned<BoolOrParameter>>,
    /// Rows expire by an attribute.
    expires: Option<Span>,
}

type Options = BTreeMap<String, Spanned<OptionValue>>;

fn pick<'d, T>(own: &'d Field<T>, default: Option<&'d Field<T>>) -> Option<&'d Spanned<T>> {
    if own.is_there() { own.get() } else { default.and_then(Field::get) }
}

impl<'d> Service<'d> {
    pub(in crate::validate::resolve::cql) fn of(
        table: &'d CqlTable,
        defaults: Option<&'d CqlDefaults>,
        ttl: Option<&Spanned<CqlTtl>>,
    ) -> Self {
        Self {
            expires: ttl.filter(|ttl| matches!(ttl.value, CqlTtl::Attribute(_))).map(|ttl| ttl.span),
            billing: pick(&table.billing, defaults.map(|defaults| &defaults.billing)),
            throughput: pick(&table.throughput, defaults.map(|defaults| &defaults.throughput)),
            recovery: pick(&table.point_in_time_recovery, defaults.map(|defaults| &defaults.point_in_time_recovery)),
            encryption: pick(&table.encryption, defaults.map(|defaults| &defaults.encryption)),
            tags: defaults.and_then(|defaults| defaults.tags.get()).into_iter().chain(table.tags.get()).collect(),
            timestamps: table.client_side_timestamps.get(),
        }
    }

    /// The options of the table there. Error `not-on-engine` when Amazon Keyspaces is not among the engines.
    pub(in crate::validate::resolve::cql) fn read(&self, engines: &[Spanned<Engine>], report: &mut Report<'_>) -> Options {
        if engines.iter().all(|engine| engine.value != Engine::Keyspaces) {
            self.for_nobody(report);
            return Options::new();
        }
        let mut options = Options::new();
        let mut custom = |name: &str, value: OptionValue, span: Span| {
            options.insert(custom_name(name), Spanned::new(value, span));
        };
        let mut scaling = BTreeMap::new();
        if let Some((capacity, span)) = self.capacity(&mut scaling, report) {
            custom("capacity_mode", capacity, span);
        }
        if let Some(recovery) = self.recovery
            && let Some(enabled) = recovers(recovery, report)
        {
            let status = if enabled { "enabled" } else { "disabled" };
            custom("point_in_time_recovery", map([("status", status)]), recovery.span);
        }
        if let Some(encryption) = self.encryption
            && let Some(value) = encrypted(encryption, report)
        {
            custom("encryption_specification", value, encryption.span);
        }
        if let Some(timestamps) = self.timestamps
            && let Some(true) = report.bool_value(timestamps).and_then(|value| bool_in_force(value, timestamps.span, report))
        {
            custom("client_side_timestamps", map([("status", "enabled")]), timestamps.span);
        }
        // With a default time to live it is on anyway; what a write says is heard only when it is on.
        if let Some(span) = self.expires {
            custom("ttl", map([("status", "enabled")]), span);
        }
        if let Some(throughput) = self.throughput.filter(|_| !scaling.is_empty()) {
            options.insert("autoscaling_settings".to_owned(), Spanned::new(OptionValue::Nested(scaling), throughput.span));
        }
        let tags = self.tags(report);
        if let Some(last) = self.tags.last().filter(|_| !tags.is_empty()) {
            options.insert("tags".to_owned(), Spanned::new(OptionValue::Map(tags), last.span));
        }
        options
    }

    fn for_nobody(&self, report: &mut Report<'_>) {
        let written = [
            ("billing", self.billing.map(|value| value.span)),
            ("throughput", self.throughput.map(|value| value.span)),
            ("point_in_time_recovery", self.recovery.map(|value| value.span)),
            ("encryption", self.encryption.map(|value| value.span)),
            ("tags", self.tags.first().map(|value| value.span)),
            ("client_side_timestamps", self.timestamps.map(|value| value.span)),
        ];
        for (key, span) in written {
            let Some(span) = span else { continue };
            report.push(for_keyspaces_alone(key, span));
        }
    }

    /// On demand is what a table is anyway.
    fn capacity(&self, scaling: &mut BTreeMap<String, OptionValue>, report: &mut Report<'_>) -> Option<(OptionValue, Span)> {
        let provisioned = self.billing.is_some_and(|billing| billing.value == document::Billing::Provisioned);
        if !provisioned {
            if let Some(throughput) = self.throughput.filter(|_| self.billing.is_none()) {
                let diagnostic = Diagnostic::new(codes::THROUGHPUT_MODE, throughput.span, "on demand, capacity is not set");
                report.push(diagnostic.help("set `billing: provisioned`"));
            }
            return self.billing.map(|billing| (map([("throughput_mode", "PAY_PER_REQUEST")]), billing.span));
        }
        let span = self.billing?.span;
        let Some(throughput) = self.throughput else {
            let diagnostic = Diagnostic::new(codes::THROUGHPUT_MODE, span, "provisioned capacity without a `throughput`");
            report.push(diagnostic.help("add `throughput: { read: 5, write: 5 }`"));
            return None;
        };
        let mut capacity = |what: &str, field: &Field<document::Capacity>| {
            let (units, policy) = units_of(what, field, throughput.span, report)?;
            scaling.extend(policy.map(|policy| (format!("provisioned_{what}_capacity_autoscaling_update"), policy)));
            Some(units)
        };
        let read = capacity("read", &throughput.value.read);
        let write = capacity("write", &throughput.value.write);
        let value = map([
            ("throughput_mode", "PROVISIONED"),
            ("read_capacity_units", &read?.to_string()),
            ("write_capacity_units", &write?.to_string()),
        ]);
        Some((value, throughput.span))
    }

    fn tags(&self, report: &mut Report<'_>) -> BTreeMap<String, String> {
        let mut tags = BTreeMap::new();
        for (key, value) in self.tags.iter().flat_map(|tags| tags.value.good()) {
            let text = tag::read(key, value, report).and_then(|text| text_in_force(&text, report));
            let Some(text) = text else { continue };
            if text.is_empty() {
                let message = format!("the tag `{}` has no value, which Amazon Keyspaces does not take", key.value);
                report.push(Diagnostic::new(codes::BAD_VALUE, value.span, message).help("give it one"));
            }
            tags.insert(key.value.clone(), text);
        }
        if let Some(last) = self.tags.last().filter(|_| tags.len() > 50) {
            report.push(Diagnostic::new(codes::BAD_VALUE, last.span, format!("{} tags; a table has at most 50", tags.len())));
        }
        tags
    }
}

/// Error `not-on-engine` for a setting of Amazon Keyspaces, where Amazon Keyspaces is not among the engines.
pub(in crate::validate::resolve::cql) fn for_keyspaces_alone(key: &str, span: Span) -> Diagnostic {
    let message = format!("`{key}` is a setting of Amazon Keyspaces, which is not among the engines");
    Diagnostic::new(codes::NOT_ON_ENGINE, span, message).help("add `keyspaces` to `engines`, or remove the line")
}

fn map<const N: usize>(entries: [(&str, &str); N]) -> OptionValue {
    OptionValue::Map(entries.map(|(key, value)| (key.to_owned(), value.to_owned())).into())
}

/// Capacity units to begin with, and the policy by which they are adjusted.
fn units_of(
    what: &str,
    field: &Field<document::Capacity>,
    span: Span,
    report: &mut Report<'_>,
) -> Option<(u64, Option<OptionValue>)> {
    let number = |number: &Spanned<NumberOrParameter>, report: &mut Report<'_>| {
        let units = report.number_value(number, capacity_units)?;
        number_in_force(&units, number.span, report)
    };
    let Some(capacity) = field.get() else {
        if !field.is_broken() {
            let diagnostic =
                Diagnostic::new(codes::THROUGHPUT_MODE, span, format!("`throughput` does not say how much to {what}"));
            report.push(diagnostic.help(format!("add `{what}: …`, in capacity units")));
        }
        return None;
    };
    match &capacity.value {
        document::Capacity::Number(fixed) | document::Capacity::Text(fixed) => Some((number(fixed, report)?, None)),
        document::Capacity::Map(range) => {
            let (Some(min), Some(max)) = (range.min.get(), range.max.get()) else {
                let diagnostic = Diagnostic::new(codes::THROUGHPUT_MODE, capacity.span, "autoscaling needs `min` and `max`");
                report.push(diagnostic.help("write `{ min: 5, max: 500 }`"));
                return None;
            };
            let (least, most) = (number(min, report)?, number(max, report)?);
            if least > most {
                report.push(Diagnostic::new(codes::BAD_VALUE, max.span, "`max` is below `min`"));
            }
            let target = report.field(&range.target, units::share).map_or(0.7, |target| {
                if !(0.2..=0.9).contains(&target.value) {
                    report.push(Diagnostic::new(codes::BAD_VALUE, target.span, "the target is from 20% to 90%"));
                }
                target.value
            });
            let target = map([("target_value", &(target * 100.0).round().to_string())]);
            let nested = |entries: [(&str, OptionValue); 1]| {
                OptionValue::Nested(entries.map(|(key, value)| (key.to_owned(), value)).into())
            };
            let policy = BTreeMap::from([
                ("maximum_units".to_owned(), OptionValue::Number(most.to_string())),
                ("minimum_units".to_owned(), OptionValue::Number(least.to_string())),
                ("scaling_policy".to_owned(), nested([("target_tracking_scaling_policy_configuration", target)])),
            ]);
            Some((least, Some(OptionValue::Nested(policy))))
        }
    }
}

/// Whether point-in-time recovery is on. The window is always 35 days.
fn recovers(written: &Spanned<Recovery>, report: &mut Report<'_>) -> Option<bool> {
    match written.value.0.as_str() {
        "true" => Some(true),
        "false" => Some(false),
        text if has_reference(text) => {
            let value: Value<bool> = report.value(written, document::ParameterType::Bool, |_| Ok(false))?;
            bool_in_force(value, written.span, report)
        }
        _ => {
            let days = report.read(written, units::duration)?;
            if days.seconds != 35 * 86_400 {
                let diagnostic = Diagnostic::new(codes::NOT_ON_ENGINE, written.span, "Amazon Keyspaces always keeps 35 days");
                report.push(diagnostic.help("write `true`"));
            }
            Some(true)
        }
    }
}

fn encrypted(written: &Spanned<document::Encryption>, report: &mut Report<'_>) -> Option<OptionValue> {
    match &written.value {
        document::Encryption::Text(document::EncryptionWord::AwsOwned) => Some(map([("encryption_type", "AWS_OWNED_KMS_KEY")])),
        document::Encryption::Text(document::EncryptionWord::AwsManaged) => {
            let diagnostic = Diagnostic::new(codes::NOT_ON_ENGINE, written.span, "Amazon Keyspaces has no managed key");
            report.push(diagnostic.help("write `aws_owned`, or `{ kms_key: … }`"));
            None
        }
        document::Encryption::Map(key) => {
            let key = report.kms_key(key.kms_key.get()?).and_then(|key| text_in_force(&key, report))?;
            Some(map([("encryption_type", "CUSTOMER_MANAGED_KMS_KEY"), ("kms_key_identifier", &key)]))
        }
    }
}
