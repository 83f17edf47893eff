//! A table with all that belongs to it.

use super::beside::Labels;
use super::{
    Autoscaling, Billing, Encryption, GlobalIndex, Insights, KeyType, LocalIndex, PointInTimeRecovery, Replica,
    ReplicaConsistency, Resource, Stream, TableClass, Template, Throughput, Ttl, Units,
};
use crate::schema::{About, Items, Text, Value};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Table {
    /// Where it stands and what it is for.
    #[serde(skip)]
    pub about: About,
    /// Terraform label, `module.name` where a module makes it; empty in a schema read from another format.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub terraform_name: String,
    /// Terraform labels of the resources beside it, in a schema read from a module.
    #[serde(skip)]
    pub labels_beside: Labels,
    /// CloudFormation logical ID; empty in a schema read from another format.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub logical_id: String,
    /// In which CloudFormation template it is. A table never moves to another by itself: that would be another stack.
    #[serde(default = "Template::first", skip_serializing_if = "Template::goes_without_saying")]
    pub template: Template,
    /// CloudFormation resource type.
    #[serde(skip_serializing_if = "Resource::is_table")]
    pub resource: Resource,
    /// Physical name; None: CloudFormation makes one up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Text>,
    /// Types of the attributes that keys and indexes use; exactly those.
    pub attributes: BTreeMap<String, KeyType>,
    /// Partition key.
    pub partition_key: String,
    /// Sort key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort_key: Option<String>,
    /// Local secondary indexes, by key.
    #[serde(rename = "lsi", skip_serializing_if = "Items::is_empty")]
    pub local_indexes: Items<LocalIndex>,
    /// Global secondary indexes, by key.
    #[serde(rename = "gsi", skip_serializing_if = "Items::is_empty")]
    pub global_indexes: Items<GlobalIndex>,
    /// Time to live. None: nothing is said, which on a live table means "as it was".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl: Option<Ttl>,
    /// Stream. None: nothing is said, which switches it off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<Stream>,
    /// Billing mode. None: nothing is said, which means provisioned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing: Option<Billing>,
    /// Capacity, when provisioned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throughput: Option<Throughput>,
    /// Capacity that follows the load, when provisioned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autoscaling: Option<Autoscaling>,
    /// The most that is served on demand. None: nothing is said, which on a live table means "as it was".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_demand_maximum: Option<Units>,
    /// What the table is warmed up for. None: nothing is said, which on a live table means "as it was".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warm_throughput: Option<Units>,
    /// Storage class. None: nothing is said, which means standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_class: Option<TableClass>,
    /// Encryption at rest. None: nothing is said, which on a live table means "as it was".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encryption: Option<Encryption>,
    /// Point-in-time recovery. None: nothing is said, which on a live table means "as it was".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point_in_time_recovery: Option<PointInTimeRecovery>,
    /// Deletion protection. None: nothing is said, which switches it off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_protection: Option<Value<bool>>,
    /// Its copies in other Regions, by Region.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub replicas: BTreeMap<String, Replica>,
    /// What a read in one Region sees of a write in another.
    #[serde(skip_serializing_if = "ReplicaConsistency::is_eventual")]
    pub replica_consistency: ReplicaConsistency,
    /// The Region that takes part in strongly consistent writes without holding the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
    /// The table's own Region is among `replicas`, because its template names all of them: which one it is, it does not say.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_region_named: bool,
    /// Tags.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, Text>,
    /// Contributor insights. None: nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contributor_insights: Option<Insights>,
    /// ARN of the Kinesis stream that gets every change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinesis_stream: Option<Text>,
    /// Who may do what with the table: an IAM policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_policy: Option<serde_json::Value>,
    /// Terraform `lifecycle { prevent_destroy = true }`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub prevent_destroy: bool,
    /// Terraform `lifecycle { ignore_changes = … }`: arguments that something else sets.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub ignore_changes: BTreeSet<String>,
    /// CloudFormation `DeletionPolicy`, e.g. `Retain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_policy: Option<String>,
    /// CloudFormation `UpdateReplacePolicy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_replace_policy: Option<String>,
    /// Properties that are not modelled, by path in their format, as source text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, String>,
}

impl Table {
    /// Whether anything of it is carried along as text.
    #[must_use]
    pub fn carries_text(&self) -> bool {
        let local = self.local_indexes.values().map(|index| &index.extra);
        let global = self.global_indexes.values().map(|index| &index.extra);
        let replicas = self.replicas.values().map(|replica| &replica.extra);
        local.chain(global).chain(replicas).chain([&self.extra]).any(|extra| !extra.is_empty())
    }

    /// Whether it has an index: of those the service makes only so many at a time.
    #[must_use]
    pub fn is_indexed(&self) -> bool {
        !self.local_indexes.is_empty() || !self.global_indexes.is_empty()
    }

    /// Whether TTL is on.
    #[must_use]
    pub fn expires(&self) -> bool {
        self.ttl.as_ref().is_some_and(|ttl| ttl.enabled)
    }

    /// Whether an attribute is part of a key of the table or of an index.
    #[must_use]
    pub fn uses(&self, attribute: &str) -> bool {
        self.is_key(attribute)
            || self.local_indexes.values().any(|index| index.sort_key == attribute)
            || self.global_indexes.values().any(|index| index.uses(attribute))
    }

    /// The attributes of its own key and of those of its indexes; some of them more than once.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        let own = std::iter::once(&self.partition_key).chain(&self.sort_key);
        let local = self.local_indexes.values().map(|index| &index.sort_key);
        own.chain(local).chain(self.global_indexes.values().flat_map(GlobalIndex::keys))
    }

    /// In how many Regions it is, its own included.
    #[must_use]
    pub fn regions(&self) -> usize {
        self.replicas.len() + usize::from(!self.own_region_named)
    }

    /// Whether an attribute is part of the table's own key.
    #[must_use]
    pub fn is_key(&self, attribute: &str) -> bool {
        self.partition_key == attribute || self.sort_key.as_deref() == Some(attribute)
    }
}
