//! Secondary indexes of a table: their keys, and what they carry.

use super::{Autoscaling, Insights, Throughput, Units};
use crate::schema::About;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// What an index carries along of a key in which a sort attribute stands before a partition attribute.
pub const KEY_NOT_SORTED: &str = "RANGE before HASH";

/// What it carries along of a key that is written in both of Terraform's ways.
pub const KEY_TWICE: &str = "beside hash_key or range_key";

/// What it carries along of a projection that is none of those that there are, or that is not written where it has to be.
pub const NO_PROJECTION: &str = "no such projection";

/// A local secondary index: the table's partition key with another sort key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalIndex {
    /// Where it stands and what it is for.
    #[serde(skip)]
    pub about: About,
    /// Name in the service.
    pub name: String,
    /// Sort key.
    pub sort_key: String,
    /// What it carries.
    pub projection: Projection,
    /// Properties that are not modelled, as source text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, String>,
}

/// A global secondary index.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GlobalIndex {
    /// Where it stands and what it is for.
    #[serde(skip)]
    pub about: About,
    /// Name in the service.
    pub name: String,
    /// Partition key: 1 to 4 attributes.
    pub partition_key: Keys,
    /// Sort key: 0 to 4 attributes.
    #[serde(default, skip_serializing_if = "Keys::is_empty")]
    pub sort_key: Keys,
    /// What it carries.
    pub projection: Projection,
    /// Capacity, when provisioned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throughput: Option<Throughput>,
    /// Capacity that follows the load, when provisioned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autoscaling: Option<Autoscaling>,
    /// The most that is served on demand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_demand_maximum: Option<Units>,
    /// What the index is warmed up for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_throughput: Option<Units>,
    /// Contributor insights. None: nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contributor_insights: Option<Insights>,
    /// Properties that are not modelled, as source text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, String>,
}

impl GlobalIndex {
    /// Whether an attribute is part of its key.
    #[must_use]
    pub fn uses(&self, attribute: &str) -> bool {
        self.keys().any(|key| key == attribute)
    }

    /// The attributes of its key: those of the partition key, then those of the sort key.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.partition_key.0.iter().chain(&self.sort_key.0)
    }
}

/// The attributes of one part of an index key, in order. One alone is serialised as a string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys(pub Vec<String>);

impl Keys {
    /// A single attribute.
    pub fn one(name: impl Into<String>) -> Self {
        Self(vec![name.into()])
    }

    /// No attribute.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Keys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => serializer.serialize_str(one),
            many => many.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(one) => Ok(Self::one(one)),
            other => serde_json::from_value(other).map(Self).map_err(serde::de::Error::custom),
        }
    }
}

/// What an index carries beside the keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// All attributes. `"all"`
    #[default]
    All,
    /// Only the keys of table and index. `"keys_only"`
    KeysOnly,
    /// These too; their order means nothing. A list of names.
    Include(BTreeSet<String>),
}

impl Serialize for Projection {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::All => serializer.serialize_str("all"),
            Self::KeysOnly => serializer.serialize_str("keys_only"),
            Self::Include(names) => names.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Projection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(word) if word == "all" => Ok(Self::All),
            serde_json::Value::String(word) if word == "keys_only" => Ok(Self::KeysOnly),
            other => serde_json::from_value(other).map(Self::Include).map_err(serde::de::Error::custom),
        }
    }
}
