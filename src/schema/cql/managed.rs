//! Amazon Keyspaces as Terraform and CloudFormation make it: the names they know things by, their guards, and the settings that
//! are written out there although the service takes them for granted.
//!
//! To Terraform a block that is not written is, for most settings of `aws_keyspaces_table`, one that stays as it was (optional
//! and computed); what a template that no longer has a property does is not documented. So all of them are always written.

use super::{Keyspace, OptionValue, Schema, Table, UserType};
use crate::schema::{Backend, Items};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The type of the Terraform resource that is a keyspace.
pub const KEYSPACE: &str = "aws_keyspaces_keyspace";

/// What an infrastructure tool knows a keyspace, a table or a type by, and how it guards it. Statements have none of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Managed {
    /// The label of the Terraform resource.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub terraform_name: String,
    /// The CloudFormation logical ID.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub logical_id: String,
    /// `lifecycle { prevent_destroy }`
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub prevent_destroy: bool,
    /// `lifecycle { ignore_changes }`
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub ignore_changes: BTreeSet<String>,
    /// `DeletionPolicy`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_policy: Option<String>,
    /// `UpdateReplacePolicy`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_replace_policy: Option<String>,
    /// Values that the Terraform provider does not take, as they are written, by their argument: `ttl.status`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub refused: BTreeMap<String, String>,
}

impl Managed {
    /// What a tool knows it by, where it is one that does.
    #[must_use]
    pub fn name(&self, backend: Backend) -> Option<&str> {
        let name = match backend {
            Backend::KeyspacesTerraform => &self.terraform_name,
            Backend::KeyspacesCloudformation => &self.logical_id,
            _ => return None,
        };
        Some(name.as_str()).filter(|name| !name.is_empty())
    }

    /// As one backend knows it and guards it.
    fn of(&self, backend: Backend) -> Self {
        let retain = || Some("Retain".to_owned());
        match backend {
            Backend::KeyspacesTerraform => {
                Self { terraform_name: self.terraform_name.clone(), prevent_destroy: true, ..Self::default() }
            }
            Backend::KeyspacesCloudformation => Self {
                logical_id: self.logical_id.clone(),
                deletion_policy: retain(),
                update_replace_policy: retain(),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }
}

/// What `ignore_changes` of a scaled table names: Application Auto Scaling sets these.
const SCALED: [(&str, &str); 2] = [
    ("provisioned_read_capacity_autoscaling_update", "capacity_specification[0].read_capacity_units"),
    ("provisioned_write_capacity_autoscaling_update", "capacity_specification[0].write_capacity_units"),
];

impl Schema {
    /// A designed schema of Amazon Keyspaces as it is generated for a backend; for statements nothing but the schema itself.
    #[must_use]
    pub fn on(&self, backend: Backend) -> Self {
        let mut schema = self.clone();
        let terraform = backend == Backend::KeyspacesTerraform;
        if !terraform {
            schema.moved.clear();
            schema.imported.clear();
        }
        for keyspace in schema.keyspaces.values_mut() {
            keyspace.managed = keyspace.managed.of(backend);
            let several = keyspace.is_in_several_regions();
            if backend == Backend::KeyspacesCloudformation && several {
                // A keyspace in several Regions has to have it on (`ClientSideTimestampsEnabled`).
                keyspace.options.insert("client_side_timestamps".to_owned(), map([("status", "enabled")]));
            }
            for user in keyspace.types.values_mut() {
                user.managed = user.managed.of(backend);
                user.managed.prevent_destroy = false;
            }
            for table in keyspace.tables.values_mut() {
                table.managed = table.managed.of(backend);
                if table.kept {
                    table.managed.prevent_destroy = false;
                    continue;
                }
                match backend {
                    Backend::KeyspacesTerraform => table.in_terraform(several),
                    Backend::KeyspacesCloudformation => table.in_cloudformation(),
                    _ => {}
                }
            }
        }
        schema
    }

    /// The schema as files for a backend express it, so that it equals what is read back: tables by the names that the tool
    /// knows them by.
    #[must_use]
    pub fn as_managed(&self, backend: Backend) -> Self {
        let terraform = backend == Backend::KeyspacesTerraform;
        let mut schema = self.clone();
        schema.parameters.clear();
        for keyspace in schema.keyspaces.values_mut() {
            if terraform {
                keyspace.types.clear();
            }
            let mut tables = Items::new();
            for (_, mut table) in std::mem::take(&mut keyspace.tables) {
                table.dropped.clear();
                if table.kept {
                    let label = table.managed.terraform_name;
                    schema.removed.extend((terraform && !label.is_empty()).then_some((label, false)));
                    continue;
                }
                tables.insert(table.managed.name(backend).unwrap_or_default().to_owned(), table);
            }
            keyspace.tables = tables;
        }
        // A keyspace that only held tables which left is not written.
        schema.keyspaces.retain(|_, keyspace| !keyspace.replication.is_empty());
        schema
    }
}

impl Schema {
    /// What was read from files for a backend, in the words of the schema that they were written for: tables under their keys
    /// there.
    #[must_use]
    pub fn in_words_of_managed(mut self, own: &Self, backend: Backend) -> Self {
        for (name, keyspace) in &mut self.keyspaces {
            let known = own.keyspaces.get(name);
            keyspace.tables = std::mem::take(&mut keyspace.tables).under(|known_as, _| {
                let it = |known: &Table| !known.kept && known.managed.name(backend) == Some(known_as);
                let key = known.and_then(|known| known.tables.iter().find(|(_, known)| it(known)));
                key.map_or_else(|| known_as.clone(), |(key, _)| key.clone())
            });
        }
        self
    }
}

impl Keyspace {
    /// Whether it is replicated across Regions.
    #[must_use]
    pub fn is_in_several_regions(&self) -> bool {
        self.replication.get("class").is_some_and(|class| class == "NetworkTopologyStrategy")
    }

    /// The Regions of a keyspace that has several.
    pub fn regions(&self) -> impl Iterator<Item = &str> {
        self.replication.keys().map(String::as_str).filter(|key| *key != "class")
    }
}

impl Table {
    fn in_terraform(&mut self, several_regions: bool) {
        self.take_for_granted();
        // A template says 0, the provider takes from 1 on.
        if self.options.get("default_time_to_live").and_then(OptionValue::scalar).is_some_and(|seconds| seconds == "0") {
            self.options.remove("default_time_to_live");
        }
        let lives = self.options.contains_key("default_time_to_live");
        let mut custom = self.custom();
        let mut status = |name: &str| {
            custom.entry(name.to_owned()).or_insert_with(|| map([("status", "enabled")]));
        };
        // The service turns both on by itself. The provider compares its answer with what is written: without the block it
        // would plan a difference for ever, and for timestamps a replacement (`internal/service/keyspaces/table.go`).
        if lives {
            status("ttl");
        }
        if several_regions {
            status("client_side_timestamps");
        }
        self.set_custom(custom);
        let scaled = |name: &&(&str, &str)| matches!(self.options.get("autoscaling_settings"), Some(OptionValue::Nested(settings)) if settings.contains_key(name.0));
        self.managed.ignore_changes = SCALED.iter().filter(scaled).map(|(_, argument)| (*argument).to_owned()).collect();
    }

    fn in_cloudformation(&mut self) {
        // `AWS::Cassandra::Table` has no property for it; the template says it in a comment.
        self.options.remove("comment");
        self.take_for_granted();
        let lives = self.options.get("default_time_to_live").and_then(OptionValue::scalar).is_some_and(|seconds| seconds != "0");
        if lives {
            // `DefaultTimeToLive` turns it on.
            let mut custom = self.custom();
            custom.remove("ttl");
            self.set_custom(custom);
        }
    }

    /// Writes out what the service takes for granted (developer guide, `cql.ddl.table`).
    fn take_for_granted(&mut self) {
        let mut custom = self.custom();
        for (name, value) in [
            ("capacity_mode", ("throughput_mode", "PAY_PER_REQUEST")),
            ("encryption_specification", ("encryption_type", "AWS_OWNED_KMS_KEY")),
            ("point_in_time_recovery", ("status", "disabled")),
        ] {
            custom.entry(name.to_owned()).or_insert_with(|| map([value]));
        }
        self.set_custom(custom);
    }

    /// Amazon Keyspaces' own properties, by name.
    #[must_use]
    pub fn custom(&self) -> BTreeMap<String, OptionValue> {
        match self.options.get("custom_properties") {
            Some(OptionValue::Nested(properties)) => properties.clone(),
            _ => BTreeMap::new(),
        }
    }

    /// One entry of one of Amazon Keyspaces' own properties: `capacity_mode`, `throughput_mode`.
    #[must_use]
    pub fn custom_entry(&self, property: &str, key: &str) -> Option<&str> {
        let Some(OptionValue::Nested(properties)) = self.options.get("custom_properties") else { return None };
        let Some(OptionValue::Map(map)) = properties.get(property) else { return None };
        map.get(key).map(String::as_str)
    }

    /// Replaces Amazon Keyspaces' own properties.
    pub fn set_custom(&mut self, properties: BTreeMap<String, OptionValue>) {
        if properties.is_empty() {
            self.options.remove("custom_properties");
        } else {
            self.options.insert("custom_properties".to_owned(), OptionValue::from_entries(properties));
        }
    }
}

impl UserType {
    /// A type of these fields.
    #[must_use]
    pub fn of(fields: Vec<(String, super::Type)>) -> Self {
        Self { fields, ..Self::default() }
    }
}

fn map<const N: usize>(entries: [(&str, &str); N]) -> OptionValue {
    OptionValue::Map(entries.map(|(key, value)| (key.to_owned(), value.to_owned())).into())
}
