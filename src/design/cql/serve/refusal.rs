//! Why a table or view does not serve a read.

use crate::diagnostic::{Code, codes};

/// Why a table or view does not serve a read.
#[derive(Clone, Debug)]
pub(in crate::design::cql) struct Refusal {
    /// How far it came: the nearest candidate came farthest.
    pub(in crate::design::cql) stage: Stage,
    /// What is lacking, as a clause whose subject is the table: "its partition key needs `token`, …".
    pub(in crate::design::cql) why: String,
}

/// The steps of the proof, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::design::cql) enum Stage {
    /// It does not hold the entity.
    Entity,
    /// The partition is not known.
    Partition,
    /// The rows are not next to each other.
    Clustering,
    /// Something is compared that the key does not have.
    Condition,
    /// A transaction reads whole keys.
    WholeKey,
    /// Rows of other entities lie in between.
    Entities,
    /// The rows lie in another order.
    Order,
    /// It does not store what the caller needs.
    Columns,
    /// It lags behind.
    Consistency,
    /// CQL has no such filter.
    Operator,
    /// The filter is not one that stays in a partition.
    Filter,
}

impl Stage {
    /// The error when the nearest candidate failed here.
    pub(in crate::design::cql) fn code(self) -> Code {
        match self {
            Self::Entities => codes::CANNOT_SEPARATE,
            Self::Operator | Self::Filter => codes::FILTER_SCANS,
            _ => codes::PATTERN_UNSERVED,
        }
    }
}

pub(in crate::design::cql) fn refuse<T>(stage: Stage, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { stage, why: why.into() })
}
