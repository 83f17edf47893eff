//! Tables of Amazon DynamoDB as they exist. Serialised, each field is one property of the lock and of the diff.

pub mod beside;
mod capacity;
mod index;
mod module;
mod replica;
mod table;
mod template;

pub use capacity::{Autoscaling, Billing, Range, STEP_SCALING, Throughput, Units};
pub use index::{GlobalIndex, KEY_NOT_SORTED, KEY_TWICE, Keys, LocalIndex, NO_PROJECTION, Projection};
pub use module::{IN_MODULE, REGION_OF_PROVIDER, SETTINGS_OF_PROVIDER, terraform_address, terraform_attribute, terraform_region};
pub use replica::{APART, LEGACY_GLOBAL, OWN_REGION, Replica, ReplicaConsistency, UNSEEDED};
pub use table::Table;
pub use template::Template;

use super::moved::Parts;
use super::{About, Items, Parameter, Text, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// Terraform labels that changed: from → to; of resources [`beside`] a table, addresses. They stay until `from` is in use again.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub moved: BTreeMap<String, String>,
    /// Tables that came back after they had left the model: label → physical name; of resources [`beside`] a table, address → ID.
    /// They exist, but Terraform may have forgotten them, so it imports them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub imported: BTreeMap<String, Text>,
    /// Resources [`beside`] tables that left the model, by Terraform's address: whether it destroys them or lets go. They stay until
    /// the address is in use again.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub removed: BTreeMap<String, bool>,
    /// What of these is said of a part: of one instance, of one resource in a module.
    #[serde(skip)]
    pub parts: Parts,
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
    /// What it was when it left, or is, where another model made it and is to hand it over. None: nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Box<Made>>,
}

/// A table as this model, or another one, last made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Made {
    /// The table.
    pub table: Table,
    /// The parameters that it was made with.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Parameter>,
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
