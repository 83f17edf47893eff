//! Settings of a table of Amazon Keyspaces, out of the options that statements have.

use crate::schema::cql::{OptionValue, Table};
use std::collections::BTreeMap;

/// What the options of a table say, each with the words that the API has.
pub(in crate::emit) struct Settings<'a> {
    pub(in crate::emit) comment: Option<&'a str>,
    /// Seconds.
    pub(in crate::emit) default_time_to_live: Option<String>,
    /// `PAY_PER_REQUEST`, `PROVISIONED`
    pub(in crate::emit) throughput_mode: Option<&'a str>,
    pub(in crate::emit) read: Option<&'a str>,
    pub(in crate::emit) write: Option<&'a str>,
    pub(in crate::emit) read_scaling: Option<Scaling>,
    pub(in crate::emit) write_scaling: Option<Scaling>,
    pub(in crate::emit) encryption_type: Option<&'a str>,
    pub(in crate::emit) kms_key: Option<&'a str>,
    pub(in crate::emit) point_in_time_recovery: Option<bool>,
    pub(in crate::emit) client_side_timestamps: bool,
    pub(in crate::emit) ttl: bool,
    /// Change capture, and what of a change is kept.
    pub(in crate::emit) change_capture: Option<(bool, Option<&'a str>)>,
    pub(in crate::emit) tags: BTreeMap<&'a str, &'a str>,
}

/// Bounds and target of a scaled capacity.
pub(in crate::emit) struct Scaling {
    pub(in crate::emit) min: String,
    pub(in crate::emit) max: String,
    /// Percent.
    pub(in crate::emit) target: String,
}

impl<'a> Settings<'a> {
    pub(in crate::emit) fn of(table: &'a Table) -> Self {
        let entry = |property, key| table.custom_entry(property, key);
        let is_on = |property| entry(property, "status").map(|status| status.eq_ignore_ascii_case("enabled"));
        let text =
            |name: &str| if let Some(OptionValue::Text(text)) = table.options.get(name) { Some(text.as_str()) } else { None };
        let capture = match table.options.get("cdc") {
            Some(OptionValue::Bool(on)) => Some((*on, entry("cdc_specification", "view_type").filter(|_| *on))),
            _ => None,
        };
        let tags = match table.options.get("tags") {
            Some(OptionValue::Map(tags)) => tags.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect(),
            _ => BTreeMap::new(),
        };
        Self {
            comment: text("comment"),
            default_time_to_live: table.options.get("default_time_to_live").and_then(OptionValue::scalar),
            throughput_mode: entry("capacity_mode", "throughput_mode"),
            read: entry("capacity_mode", "read_capacity_units"),
            write: entry("capacity_mode", "write_capacity_units"),
            read_scaling: scaling(table, "provisioned_read_capacity_autoscaling_update"),
            write_scaling: scaling(table, "provisioned_write_capacity_autoscaling_update"),
            encryption_type: entry("encryption_specification", "encryption_type"),
            kms_key: entry("encryption_specification", "kms_key_identifier"),
            point_in_time_recovery: is_on("point_in_time_recovery"),
            client_side_timestamps: is_on("client_side_timestamps") == Some(true),
            ttl: is_on("ttl") == Some(true),
            change_capture: capture,
            tags,
        }
    }
}

fn scaling(table: &Table, dimension: &str) -> Option<Scaling> {
    let inside =
        |value: &'_ OptionValue, key: &str| if let OptionValue::Nested(map) = value { map.get(key).cloned() } else { None };
    let settings = inside(table.options.get("autoscaling_settings")?, dimension)?;
    let units = |key| inside(&settings, key).as_ref().and_then(OptionValue::scalar);
    let policy = inside(&inside(&settings, "scaling_policy")?, "target_tracking_scaling_policy_configuration")?;
    let OptionValue::Map(policy) = policy else { return None };
    Some(Scaling { min: units("minimum_units")?, max: units("maximum_units")?, target: policy.get("target_value")?.clone() })
}
