//! Capacity: how it is paid for, what is provisioned, and within which limits.

use crate::schema::Value;
use serde::{Deserialize, Serialize};

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
    /// What is said, reads first.
    pub fn values(&self) -> impl Iterator<Item = &Value<u64>> {
        self.read.iter().chain(&self.write)
    }

    /// The same, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value<u64>> {
        self.read.iter_mut().chain(&mut self.write)
    }
}
