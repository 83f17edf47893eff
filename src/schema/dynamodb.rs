//! Tables of Amazon DynamoDB as they exist. Serialised, each field is one property of the lock and of the diff.

mod capacity;
mod index;
mod module;
mod replica;
mod template;

pub use capacity::{Autoscaling, Billing, Range, Throughput, Units};
pub use index::{GlobalIndex, Keys, LocalIndex, Projection};
pub use module::{IN_MODULE, REGION_OF_PROVIDER, terraform_address, terraform_attribute};
pub use replica::{APART, LEGACY_GLOBAL, Replica, ReplicaConsistency};
pub use template::Template;

use super::{About, Items, Parameter, Text, Value};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// All tables of one generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Schema {
    /// Parameters, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Parameter>,
    /// Tables, by the model's key; in a foreign file by Terraform label, logical ID or physical name.
    #[serde(skip_serializing_if = "Items::is_empty")]
    pub tables: Items<Table>,
    /// Tables that left the model and are kept, by the key they had.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub kept: BTreeMap<String, Kept>,
    /// Terraform labels that changed: from → to. They stay until `from` is in use again.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub moved: BTreeMap<String, String>,
    /// Tables that came back after they had left the model: label → physical name. They exist, but Terraform may have
    /// forgotten them, so it imports them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub imported: BTreeMap<String, Text>,
}

/// A table that left the model and is kept: Terraform forgets it by a `removed` block, CloudFormation by its policies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Its Terraform label.
    pub terraform_name: String,
    /// Its logical ID.
    pub logical_id: String,
    /// Its physical name.
    pub name: Option<Text>,
    /// Whether Terraform destroys it (`removed: … destroy`, acknowledged) instead of letting go.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub destroy: bool,
    /// The CloudFormation template it was in, whose number stays its own: the stack may be there still.
    #[serde(default = "Template::first", skip_serializing_if = "Template::goes_without_saying")]
    pub template: Template,
    /// Its place in `removed:` of the model.
    #[serde(skip)]
    pub about: About,
    /// What it is, where another model made it and is to hand it over.
    #[serde(skip)]
    pub made: Option<Arc<Made>>,
}

/// A table as another model made it.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The table.
    pub table: Table,
    /// The parameters of that model.
    pub parameters: BTreeMap<String, Parameter>,
}

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

    /// Whether an attribute is part of a key of the table or of an index.
    #[must_use]
    pub fn uses(&self, attribute: &str) -> bool {
        self.is_key(attribute)
            || self.local_indexes.values().any(|index| index.sort_key == attribute)
            || self.global_indexes.values().any(|index| index.uses(attribute))
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

/// The CloudFormation resource that a table is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// `AWS::DynamoDB::Table`
    #[default]
    Table,
    /// `AWS::DynamoDB::GlobalTable`
    GlobalTable,
}

impl Resource {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference to `skip_serializing_if`")]
    fn is_table(&self) -> bool {
        *self == Self::Table
    }

    /// CloudFormation's own word.
    #[must_use]
    pub fn type_name(self) -> &'static str {
        match self {
            Self::Table => "AWS::DynamoDB::Table",
            Self::GlobalTable => "AWS::DynamoDB::GlobalTable",
        }
    }

    /// By CloudFormation's own word.
    #[must_use]
    pub fn from_type_name(word: &str) -> Option<Self> {
        [Self::Table, Self::GlobalTable].into_iter().find(|resource| resource.type_name() == word)
    }
}

/// Type of a key attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum KeyType {
    /// String
    S,
    /// Number
    N,
    /// Binary
    B,
}

impl KeyType {
    /// DynamoDB's own word: `S`, `N` or `B`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
        }
    }

    /// By DynamoDB's own word.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        [Self::S, Self::N, Self::B].into_iter().find(|kind| kind.name() == name)
    }
}

/// Time to live.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ttl {
    /// The attribute with the second at which an item expires. Kept when TTL is switched off: the service asks for it.
    pub attribute: String,
    /// Whether items expire.
    pub enabled: bool,
}

/// What a stream shows of a changed item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// No stream, said so.
    Off,
    /// `KEYS_ONLY`
    KeysOnly,
    /// `NEW_IMAGE`
    NewImage,
    /// `OLD_IMAGE`
    OldImage,
    /// `NEW_AND_OLD_IMAGES`
    NewAndOldImages,
}

impl Stream {
    /// DynamoDB's own word; None when off.
    #[must_use]
    pub fn view_type(self) -> Option<&'static str> {
        match self {
            Self::Off => None,
            Self::KeysOnly => Some("KEYS_ONLY"),
            Self::NewImage => Some("NEW_IMAGE"),
            Self::OldImage => Some("OLD_IMAGE"),
            Self::NewAndOldImages => Some("NEW_AND_OLD_IMAGES"),
        }
    }

    /// By DynamoDB's own word.
    #[must_use]
    pub fn from_view_type(word: &str) -> Option<Self> {
        [Self::KeysOnly, Self::NewImage, Self::OldImage, Self::NewAndOldImages]
            .into_iter()
            .find(|stream| stream.view_type() == Some(word))
    }
}

/// Storage class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableClass {
    /// `STANDARD`
    Standard,
    /// `STANDARD_INFREQUENT_ACCESS`
    StandardInfrequentAccess,
}

impl TableClass {
    /// Both classes.
    pub const ALL: [Self; 2] = [Self::Standard, Self::StandardInfrequentAccess];

    /// DynamoDB's own word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "STANDARD",
            Self::StandardInfrequentAccess => "STANDARD_INFREQUENT_ACCESS",
        }
    }

    /// By DynamoDB's own word.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

/// Contributor insights: which keys `CloudWatch` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Insights {
    /// None, said so.
    Off,
    /// `ACCESSED_AND_THROTTLED_KEYS`
    AccessedAndThrottledKeys,
    /// `THROTTLED_KEYS`
    ThrottledKeys,
}

impl Insights {
    /// The service's own word; None when off.
    #[must_use]
    pub fn mode(self) -> Option<&'static str> {
        match self {
            Self::Off => None,
            Self::AccessedAndThrottledKeys => Some("ACCESSED_AND_THROTTLED_KEYS"),
            Self::ThrottledKeys => Some("THROTTLED_KEYS"),
        }
    }

    /// By the service's own word.
    #[must_use]
    pub fn from_mode(word: &str) -> Option<Self> {
        [Self::AccessedAndThrottledKeys, Self::ThrottledKeys].into_iter().find(|insights| insights.mode() == Some(word))
    }
}

/// Encryption at rest. Serialised as `aws_owned`, `aws_managed` or `{"kms_key": …}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encryption {
    /// The service's own key (`enabled = false`).
    AwsOwned,
    /// The key `aws/dynamodb`.
    AwsManaged,
    /// A customer's key, by ARN.
    KmsKey(Text),
}

/// Point-in-time recovery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointInTimeRecovery {
    /// Whether it is on.
    pub enabled: Value<bool>,
    /// Days it reaches back, 1 to 35; None: 35.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<u8>,
}
