//! The scaling of a capacity as resources beside a table say it, in Terraform and in CloudFormation alike.

use crate::schema::dynamodb::{Autoscaling, Range, Table};
use crate::schema::{About, Text, Value};
use std::collections::BTreeMap;

/// What stands before the name of an index in the ID of what is scaled.
pub(super) const INDEX: &str = "/index/";

/// Which capacity is scaled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dimension {
    Read,
    Write,
}

impl Dimension {
    /// That of a `ScalableDimension`: `dynamodb:table:ReadCapacityUnits`.
    pub(super) fn find(word: &str) -> Option<Self> {
        match word.rsplit(':').next()? {
            "ReadCapacityUnits" => Some(Self::Read),
            "WriteCapacityUnits" => Some(Self::Write),
            _ => None,
        }
    }

    /// Under which path what is not modelled of it is carried along.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Read => "autoscaling.read",
            Self::Write => "autoscaling.write",
        }
    }

    /// What scales it is named after.
    pub(super) fn end(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// The metric that its policy keeps.
    pub(super) fn metric(self) -> &'static str {
        match self {
            Self::Read => "DynamoDBReadCapacityUtilization",
            Self::Write => "DynamoDBWriteCapacityUtilization",
        }
    }
}

/// What a target and a policy say of a capacity.
#[derive(Default)]
pub(super) struct Limits {
    pub(super) min: Option<Value<u64>>,
    pub(super) max: Option<Value<u64>>,
    pub(super) target: Option<Value<u64>>,
}

impl Limits {
    /// Puts them into a table, or into an index of it that it has, with what is known of them beside.
    pub(super) fn put(
        self,
        dimension: Dimension,
        table: &mut Table,
        index: Option<&str>,
        beside: &About,
        carried: BTreeMap<String, String>,
    ) {
        let (about, extra, autoscaling) = match index.map(|index| table.global_indexes.get_mut(index)) {
            None => (&mut table.about, &mut table.extra, &mut table.autoscaling),
            Some(Some(index)) => (&mut index.about, &mut index.extra, &mut index.autoscaling),
            Some(None) => return,
        };
        extra.extend(carried);
        about.properties.extend(beside.properties.clone());
        about.properties.extend(beside.span.map(|span| ("autoscaling".to_owned(), span)));
        match (self.min, self.max, self.target) {
            (Some(min), Some(max), Some(target)) => {
                let autoscaling = autoscaling.get_or_insert_with(Autoscaling::default);
                let range = Some(Range { min, max, target });
                match dimension {
                    Dimension::Read => autoscaling.read = range,
                    Dimension::Write => autoscaling.write = range,
                }
            }
            // A target alone, or a policy alone.
            (min, max, target) => {
                for (name, value) in [("min", min), ("max", max), ("target", target)] {
                    extra.extend(value.map(|value| (format!("{}.{name}", dimension.path()), Text::from(value).to_string())));
                }
            }
        }
    }
}
