//! Capacity: how it is paid for, what is provisioned, and within which limits.

use crate::schema::Value;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// How capacity is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Billing {
    /// `PAY_PER_REQUEST`
    OnDemand,
    /// `PROVISIONED`
    Provisioned,
}

/// Fixed capacity, in units a second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Throughput {
    /// Read capacity units.
    pub read: Value<u64>,
    /// Write capacity units.
    pub write: Value<u64>,
}

impl Throughput {
    /// Both, reads first.
    pub fn values_mut(&mut self) -> [&mut Value<u64>; 2] {
        [&mut self.read, &mut self.write]
    }
}

/// Reads and writes a second, either of which may be left open: the most that is served on demand, or what is warmed up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Units {
    /// Read units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<Value<u64>>,
    /// Write units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<Value<u64>>,
}

impl Units {
    /// The least that Terraform's AWS provider takes as warm throughput, of reads and of writes
    /// (`internal/service/dynamodb/table.go`).
    pub const LEAST_WARM: [u64; 2] = [12_000, 4_000];

    /// What is said, reads first.
    pub fn values(&self) -> impl Iterator<Item = &Value<u64>> {
        self.read.iter().chain(&self.write)
    }

    /// The same, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value<u64>> {
        self.read.iter_mut().chain(&mut self.write)
    }
}

/// A type of scaling policies that the service does not have for tables
/// (<https://docs.aws.amazon.com/autoscaling/application/APIReference/API_PutScalingPolicy.html>).
pub const STEP_SCALING: &str = "StepScaling";

/// Capacity that follows the load: where it is scaled, the capacity that is written is only where it starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Autoscaling {
    /// Reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<Range>,
    /// Writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<Range>,
}

impl Autoscaling {
    /// Terraform's arguments of a table that something else than Terraform sets.
    #[must_use]
    pub fn overlooked(&self) -> BTreeSet<String> {
        let read = self.read.iter().map(|_| "read_capacity".to_owned());
        read.chain(self.write.iter().map(|_| "write_capacity".to_owned())).collect()
    }

    /// Reads and writes, to be changed.
    pub fn ranges_mut(&mut self) -> impl Iterator<Item = &mut Range> {
        self.read.iter_mut().chain(&mut self.write)
    }
}

/// Between which limits capacity is scaled, and by what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// The least, in units a second.
    pub min: Value<u64>,
    /// The most.
    pub max: Value<u64>,
    /// The utilisation that is aimed at, in percent.
    pub target: Value<u64>,
}

impl Range {
    /// The utilisations that the service scales by
    /// (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/AutoScaling.html>).
    pub const TARGETS: RangeInclusive<u64> = 20..=90;

    /// All that is said, to be changed.
    pub fn values_mut(&mut self) -> [&mut Value<u64>; 3] {
        [&mut self.min, &mut self.max, &mut self.target]
    }
}
