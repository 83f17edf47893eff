//! What Terraform keeps beside a table in resources of their own: its scaling, its policy, its insights and its stream to Kinesis; and
//! parts of it that may be such resources instead of blocks. They go where the table goes only when they are told to.

use super::{Insights, Schema, Table};
use crate::schema::{Part, Text, moved};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The type of the resource that registers what is scaled.
pub const SCALING_TARGET: &str = "aws_appautoscaling_target";
/// The type of the resource that says how it is scaled.
pub const SCALING_POLICY: &str = "aws_appautoscaling_policy";
/// The type of the resource with contributor insights.
pub const INSIGHTS: &str = "aws_dynamodb_contributor_insights";
/// The type of the resource that sends changes to Kinesis.
pub const KINESIS: &str = "aws_dynamodb_kinesis_streaming_destination";
/// The type of the resource with the policy of a table.
pub const RESOURCE_POLICY: &str = "aws_dynamodb_resource_policy";

/// The type of the resource that is a replica.
pub const REPLICA: &str = "aws_dynamodb_table_replica";
/// The type of the resource that is a global index.
pub const GLOBAL_INDEX: &str = "aws_dynamodb_global_secondary_index";

/// All of these types.
pub const TYPES: [&str; 7] = [SCALING_TARGET, SCALING_POLICY, INSIGHTS, KINESIS, RESOURCE_POLICY, REPLICA, GLOBAL_INDEX];

/// The type of the resource beside a table that an address is of; None when it is the label of a table.
#[must_use]
pub fn kind_of(address: &str) -> Option<&'static str> {
    let (kind, _) = address.split_once('.')?;
    TYPES.into_iter().find(|known| *known == kind)
}

/// The labels that resources beside a table have in the module that was read, by what they are. All values of this type are equal: a
/// resource is the same under any label, and whether Terraform follows it to another one is a question of its own.
#[derive(Clone, Debug, Default)]
pub struct Labels(BTreeMap<String, String>);

impl PartialEq for Labels {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Labels {
    /// Whether these are the same labels: equal tables then have the same addresses beside them.
    #[must_use]
    pub fn are(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    /// Notes the label of a resource: its type, the name of the index that it is for, and `read` or `write` of what is scaled. Gives
    /// the name of the resource among those beside the table.
    pub fn set(&mut self, kind: &str, index: Option<&str>, end: Option<&str>, label: &str) -> String {
        let name = name(kind, index, end);
        self.0.insert(name.clone(), label.to_owned());
        name
    }
}

/// What a resource is among those beside its table: `aws_appautoscaling_target.by_status.read`.
fn name(kind: &str, index: Option<&str>, end: Option<&str>) -> String {
    [Some(kind), index, end].into_iter().flatten().collect::<Vec<_>>().join(".")
}

/// A resource beside a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside<'a> {
    /// Its type.
    pub kind: &'static str,
    /// The index that it is for, by its name; the table itself when there is none.
    pub index: Option<&'a str>,
    /// `read` or `write`, of what is scaled.
    end: Option<&'static str>,
    label: String,
}

/// A resource beside a table that has another address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readdressed {
    /// What it is: `aws_appautoscaling_target.by_status.read`.
    pub name: String,
    /// Where it was.
    pub from: String,
    /// Where it is.
    pub to: String,
}

impl Beside<'_> {
    /// Where Terraform finds it: `aws_dynamodb_resource_policy.orders`.
    #[must_use]
    pub fn address(&self) -> String {
        format!("{}.{}", self.kind, self.label)
    }
}

/// What blocks of Terraform say of a resource beside a table, by its address.
impl Schema {
    /// Whether a `removed` block lets go of it.
    #[must_use]
    pub fn lets_go_of(&self, address: &str) -> bool {
        self.removed.get(address) == Some(&false)
    }

    /// Whether an `import` block takes it in.
    #[must_use]
    pub fn takes_in(&self, address: &str) -> bool {
        self.imported.contains_key(address)
    }

    /// Whether what was at one address is at another one now: `moved` blocks lead there, or one block lets go of it and another
    /// takes it in.
    #[must_use]
    pub fn leads(&self, from: &str, to: &str) -> bool {
        moved::chain(&self.moved, from).skip(1).any(|at| at == to) || (self.lets_go_of(from) && self.takes_in(to))
    }
}

impl Table {
    /// The resources beside the table, as its module has them.
    pub fn beside(&self) -> impl Iterator<Item = Beside<'_>> {
        let own = std::iter::once((None, self.autoscaling.as_ref(), self.contributor_insights));
        let indexes = self.global_indexes.iter();
        let indexes = indexes.map(|index| (Some(index), index.1.autoscaling.as_ref(), index.1.contributor_insights));
        let of_each = own.chain(indexes).flat_map(move |(index, autoscaling, insights)| {
            let key = index.map(|(key, _)| key);
            let beside = move |kind, end: Option<&'static str>| {
                let label = || end.map_or_else(|| self.label_beside(key), |end| self.label_scaled(key, end));
                self.one_beside(kind, index.map(|(_, index)| index.name.as_str()), end, label)
            };
            let ends = [("read", autoscaling.map(|of| &of.read)), ("write", autoscaling.map(|of| &of.write))];
            let scaled = ends.into_iter().filter(|(_, range)| range.is_some_and(Option::is_some));
            let scaled = scaled.flat_map(move |(end, _)| [SCALING_TARGET, SCALING_POLICY].map(|kind| beside(kind, Some(end))));
            scaled.chain(insights.and_then(Insights::mode).map(|_| beside(INSIGHTS, None)))
        });
        let there = [(KINESIS, self.kinesis_stream.is_some()), (RESOURCE_POLICY, self.resource_policy.is_some())];
        let there = there.into_iter().filter(|(_, there)| *there);
        of_each.chain(there.map(|(kind, _)| self.one_beside(kind, None, None, || self.label_beside(None))))
    }

    /// One of them, under the label that it was read with, else under the one that it gets.
    fn one_beside<'a>(
        &self,
        kind: &'static str,
        index: Option<&'a str>,
        end: Option<&'static str>,
        label: impl FnOnce() -> String,
    ) -> Beside<'a> {
        let read = if self.labels_beside.0.is_empty() { None } else { self.labels_beside.0.get(&name(kind, index, end)) };
        Beside { kind, index, end, label: read.cloned().unwrap_or_else(label) }
    }

    /// Where the resources beside a table have gone that became this one: those that have another address.
    pub fn moves_beside(&self, previous: &Self) -> impl Iterator<Item = Readdressed> {
        let mut next = self.addresses_beside();
        previous.addresses_beside().into_iter().filter_map(move |(name, from)| {
            let to = next.remove(&name)?;
            (from != to).then_some(Readdressed { name, from, to })
        })
    }

    /// What stands beside the table, and what was read that is but a part of such a thing: its name and its address.
    fn addresses_beside(&self) -> BTreeMap<String, String> {
        let read = self.labels_beside.0.iter().filter_map(|(name, label)| {
            let kind = name.split('.').next()?;
            Some((name.clone(), format!("{kind}.{label}")))
        });
        let own = self.beside().map(|beside| (name(beside.kind, beside.index, beside.end), beside.address()));
        read.chain(own).collect()
    }

    /// How Terraform takes in the stream to Kinesis that a table has already, which nobody can make a second time: its address and its
    /// ID. None where it may be another one. Source: the provider's `aws_dynamodb_kinesis_streaming_destination`, "Import".
    #[must_use]
    pub fn kinesis_import(&self, made: &Self) -> Option<(String, Text)> {
        let (name, stream) = (self.name.as_ref()?, self.kinesis_stream.as_ref()?);
        let address = self.beside().find(|beside| beside.kind == KINESIS)?.address();
        let comma = [Part::Literal(",".to_owned())];
        let id = Text::from_parts(name.parts().iter().cloned().chain(comma).chain(stream.parts().iter().cloned()));
        (made.kinesis_stream.as_ref() == Some(stream)).then_some((address, id))
    }

    /// The label of what scales the table or an index of that key: `orders_read`; `end` is `read` or `write`.
    #[must_use]
    pub fn label_scaled(&self, index: Option<&String>, end: &str) -> String {
        format!("{}_{end}", self.label_beside(index))
    }

    /// The label of what belongs to the table or to an index of that key: `orders`, `orders_index_by_status`.
    #[must_use]
    pub fn label_beside(&self, index: Option<&String>) -> String {
        let mut label = self.terraform_name.clone();
        if let Some(index) = index {
            label.push_str("_index_");
            for character in index.chars() {
                if character.is_ascii_alphanumeric() || character == '_' {
                    label.push(character);
                } else {
                    // A name read from elsewhere may be no identifier, and two of them must not become one label.
                    let _ = write!(label, "-{:x}-", u32::from(character));
                }
            }
        }
        label
    }
}
