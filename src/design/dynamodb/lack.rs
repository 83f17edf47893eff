//! Why a table or index does not serve a pattern.

use super::candidate::KeyAttribute;
use crate::model::Condition;
use std::fmt;

/// One thing that is missing.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lack<'m> {
    /// The entity's items are not in the index, or the table does not hold it.
    Absent { entity: String },
    /// The partition key needs the value of an attribute.
    Value { key: String, attribute: String, has: Option<&'static str> },
    /// The partition key needs to know which buckets.
    Bucket { key: String, attribute: String, half: bool },
    /// No key answers a condition.
    Condition { condition: &'m Condition, is: &'static str },
    /// The index holds only some items, and the pattern does not ask for those.
    When { condition: &'m Condition },
    /// The items do not come in the order.
    Order { attribute: String, why: &'static str },
    /// A range on an attribute that does not sort as it prints.
    Unsorted { attribute: String, why: &'static str },
    /// A range that leaves out one of its two ends, on a key with no neighbouring values.
    HalfOpen { attribute: String },
    /// The index does not carry attributes that the pattern needs.
    Projection { attributes: Vec<String> },
    /// A GSI is always eventually consistent.
    Consistency { word: &'static str },
    /// A transaction reads whole keys.
    WholeKey,
    /// A transaction has no filter.
    Filter,
    /// The entities of a list do not share a partition.
    Apart { entities: [String; 2] },
    /// The entities of a list cannot be read by one condition on the sort key.
    Conditions { entities: [String; 2] },
    /// Items of other entities come with it and cannot be told apart.
    Inseparable { entities: Vec<String>, discriminator: Option<String> },
    /// A scan reads a table.
    ScansTable,
}

impl Lack<'_> {
    /// How far it is from serving: the partition key is the hardest to mend, what an index carries the easiest.
    pub(super) fn weight(&self) -> u32 {
        match self {
            Self::Absent { .. } => 16,
            Self::Value { .. } | Self::Bucket { .. } | Self::Apart { .. } => 6,
            Self::Condition { .. } | Self::When { .. } | Self::Conditions { .. } => 3,
            Self::Order { .. } | Self::Unsorted { .. } | Self::HalfOpen { .. } | Self::WholeKey => 2,
            Self::Filter | Self::Projection { .. } | Self::Consistency { .. } | Self::Inseparable { .. } | Self::ScansTable => 1,
        }
    }

    /// The partition key's want of an attribute.
    pub(super) fn value(key: &KeyAttribute<'_>, attribute: &str, has: Option<&'static str>) -> Self {
        Self::Value { key: key.name.to_owned(), attribute: attribute.to_owned(), has }
    }
}

/// Follows the name of the table or index: "gsi `by_status` of `orders` …".
impl fmt::Display for Lack<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { entity } => write!(f, "does not hold `{entity}`"),
            Self::Value { key, attribute, has } => {
                write!(f, "needs `=` on `{attribute}`")?;
                f.write_str(&if key == attribute { ", ".to_owned() } else { format!(" for `{key}`, ") })?;
                match has {
                    None => write!(f, "which `where` lacks"),
                    Some(has) => write!(f, "where the pattern has {has}"),
                }
            }
            Self::Bucket { key, attribute, half: false } => {
                write!(f, "needs `=` or a range on `{attribute}` for the buckets of `{key}`, or `order` by it with `limit`")
            }
            Self::Bucket { key, attribute, half: true } => {
                write!(f, "needs both ends of the range on `{attribute}`, or `span`, to know the buckets of `{key}`")
            }
            Self::Condition { condition, is } => write!(f, "does not answer `{condition}`: {is}"),
            Self::When { condition } => write!(f, "holds only items with `{condition}`, which `where` does not ask for"),
            Self::Order { attribute, why } => write!(f, "does not sort by `{attribute}`: {why}"),
            Self::Unsorted { attribute, why } => write!(f, "has no range on `{attribute}`: {why}"),
            Self::HalfOpen { attribute } => {
                write!(f, "takes a range on `{attribute}` only with both ends included (`between`)")
            }
            Self::Projection { attributes } => write!(f, "does not carry {}", quoted(attributes)),
            Self::Consistency { word } => write!(f, "is eventually consistent, and the pattern asks for `{word}`"),
            Self::WholeKey => write!(f, "is read by a whole key in a transaction, and the pattern does not name one"),
            Self::Filter => write!(f, "is read by its keys in a transaction, which takes no `filter`"),
            Self::Apart { entities: [one, other] } => write!(f, "keeps `{one}` and `{other}` in different partitions"),
            Self::Conditions { entities: [one, other] } => {
                write!(f, "has no one condition on its sort key for `{one}` and `{other}`")
            }
            Self::Inseparable { entities, discriminator: None } => {
                write!(f, "would also return {}, and no `discriminator` tells them apart", quoted(entities))
            }
            Self::Inseparable { entities, discriminator: Some(name) } => {
                write!(f, "would also return {}, and does not carry the discriminator `{name}`", quoted(entities))
            }
            Self::ScansTable => write!(f, "is an index, and a scan reads a table"),
        }
    }
}

/// "`a`, `b` and `c`"
pub(super) fn quoted<T: fmt::Display>(names: &[T]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
