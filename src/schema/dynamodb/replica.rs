//! Global tables: the copies of a table in other Regions.

use super::{PointInTimeRecovery, TableClass};
use crate::schema::{Text, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The path under which a replica or a global index carries its Terraform address along, where it is a resource of its own.
pub const APART: &str = "resource";

/// What CloudFormation calls the Region of a stack, whichever that is.
pub const OWN_REGION: &str = "AWS::Region";

/// How a definition of scaling in a template says it: without the capacity that it starts with.
pub const UNSEEDED: &str = "unseeded";

/// The Terraform resource of a global table of the version of 2017, and the path under which a table carries one along.
pub const LEGACY_GLOBAL: &str = "aws_dynamodb_global_table";

/// A copy of a table in another Region. What the table says of its keys, indexes, billing, TTL and stream holds for it too; its
/// contributor insights, its Kinesis stream and its policy are of the table's own Region alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Replica {
    /// The customer's key in that Region, where the table has one in its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kms_key: Option<Text>,
    /// Point-in-time recovery. None: nothing is said, which means off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point_in_time_recovery: Option<PointInTimeRecovery>,
    /// Deletion protection. None: nothing is said; a new replica starts without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_protection: Option<Value<bool>>,
    /// Storage class, where it is not the table's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_class: Option<TableClass>,
    /// Whether it has the tags of the table.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub propagate_tags: bool,
    /// Properties that are not modelled, by path in their format, as source text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, String>,
}

/// What a read in one Region sees of a write in another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplicaConsistency {
    /// `EVENTUAL`: it may lag.
    #[default]
    Eventual,
    /// `STRONG`: the newest write.
    Strong,
}

impl ReplicaConsistency {
    /// Both, by the service's own words.
    pub const WORDS: [(&str, Self); 2] = [("EVENTUAL", Self::Eventual), ("STRONG", Self::Strong)];

    /// The sets of Regions between which writes are strongly consistent
    /// (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html>).
    pub const REGION_SETS: [&[&str]; 3] = [
        &["us-east-1", "us-east-2", "us-west-2"],
        &["eu-west-1", "eu-west-2", "eu-west-3", "eu-central-1"],
        &["ap-northeast-1", "ap-northeast-2", "ap-northeast-3"],
    ];

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference to `skip_serializing_if`")]
    pub(super) fn is_eventual(&self) -> bool {
        *self == Self::Eventual
    }
}
