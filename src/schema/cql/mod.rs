//! Keyspaces of one CQL engine as they exist. Serialised, each field is one property of the lock and of the diff.

mod carried;
mod defaults;
pub mod engine;
mod history;
mod identifier;
mod managed;
mod normalise;
mod option;
mod types;

pub use carried::carried_in_order;
pub use defaults::{entry as default_entry, option as default_option, takes_no_notice};
pub use identifier::{identifier, is_reserved, is_reserved_by, is_reserved_everywhere, is_type_name, string, type_identifier};
pub use managed::{KEYSPACE, Managed};
pub use normalise::{index_class, short_class};
pub use option::OptionValue;
pub use types::Type;

use super::{About, Items, Parameter};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// All keyspaces of one generation, for one engine. Names are without quotes and with their case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Schema {
    /// Parameters whose values were written into names, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Parameter>,
    /// Keyspaces, by name.
    pub keyspaces: BTreeMap<String, Keyspace>,
    /// Statements that are carried along and belong to no keyspace (roles, grants), by what they create, as text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, String>,
    /// Terraform: labels of tables of Amazon Keyspaces that became others, from and to; of keyspaces their addresses
    /// (`aws_keyspaces_keyspace.shop`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub moved: BTreeMap<String, String>,
    /// Terraform: resources that exist and are taken over, by their address (`aws_keyspaces_table.orders`), with their ID.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub imported: BTreeMap<String, String>,
    /// Terraform: `removed` blocks that were read, by the table's label or the keyspace's address, and whether they destroy it. A table
    /// that is generated says itself that it is kept.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub removed: BTreeMap<String, bool>,
}

/// A keyspace. Without replication it is not created by this schema, only used by it. The empty name stands for the keyspace
/// of the session, for statements that name none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Keyspace {
    /// Where it stands.
    #[serde(skip)]
    pub about: About,
    /// How Terraform and CloudFormation know it.
    #[serde(flatten)]
    pub managed: Managed,
    /// The replication map, with `class` (its short name).
    pub replication: BTreeMap<String, String>,
    /// None: nothing is said (true).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub durable_writes: Option<bool>,
    /// Other options, by name in lower case.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
    /// User types, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub types: BTreeMap<String, UserType>,
    /// Tables, by the model's key; in a foreign file by name.
    #[serde(skip_serializing_if = "Items::is_empty")]
    pub tables: Items<Table>,
    /// Statements that are carried along (functions, aggregates, triggers), by what they create, as text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, String>,
    /// Names of tables that are there, and of which nothing else is known: they are not compared.
    #[serde(skip)]
    pub unread: BTreeSet<String>,
}

/// A user type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UserType {
    /// Where it stands.
    #[serde(skip)]
    pub about: About,
    /// How CloudFormation knows it.
    #[serde(flatten)]
    pub managed: Managed,
    /// Fields in the order the engine holds them: appending is the only way to add one.
    pub fields: Vec<(String, Type)>,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Table {
    /// Where it stands and what it is for.
    #[serde(skip)]
    pub about: About,
    /// How Terraform and CloudFormation know it.
    #[serde(flatten)]
    pub managed: Managed,
    /// Name in the keyspace.
    pub name: String,
    /// Columns, by name; their order means nothing to an engine.
    pub columns: BTreeMap<String, Column>,
    /// Partition key, in order.
    pub partition_key: Vec<String>,
    /// Clustering key, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clustering: Vec<Clustering>,
    /// Options that were written, by name in lower case. `comment` is one of them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
    /// Secondary indexes, by name.
    #[serde(skip_serializing_if = "Items::is_empty")]
    pub indexes: Items<Index>,
    /// Materialized views, by name.
    #[serde(skip_serializing_if = "Items::is_empty")]
    pub views: Items<View>,
    /// Columns that were dropped: they cannot come back with another type.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub dropped: BTreeMap<String, Column>,
    /// The table left the model and is kept; `schema.cql` lists it last.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub kept: bool,
    /// What Terraform or a template says beside what is modelled, as source text, by its path there.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, String>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Type,
    /// One value a partition.
    #[serde(rename = "static", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_static: bool,
    /// Column options an engine prints (masking), as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<String>,
}

/// One column of a clustering key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clustering {
    /// The column.
    pub column: String,
    /// Stored from high to low.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub descending: bool,
}

/// A secondary index.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// Where it stands and what it is for.
    #[serde(skip)]
    pub about: About,
    /// The indexed column. A Scylla local index has the partition key first: `local`. Empty where a custom index names none.
    pub column: String,
    /// Further columns of a custom index, such as those by which a vector index of ScyllaDB filters, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
    /// `keys`, `values`, `entries` or `full` of a collection; None: the value itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Partition key columns of a Scylla local index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub local: Vec<String>,
    /// The class after USING (`StorageAttachedIndex` is `sai`); None: the engine's legacy index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub using: Option<String>,
    /// WITH OPTIONS.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

/// A materialized view.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Where it stands and what it is for.
    #[serde(skip)]
    pub about: About,
    /// Selected columns, sorted, with or without those of the key (they are always selected); None: all of the table's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// The relations of the WHERE clause beside the `IS NOT NULL` of its key columns, sorted: the column's name as
    /// [`identifier`] writes it, a space, the rest. Mostly empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filter: Vec<String>,
    /// Partition key, in order.
    pub partition_key: Vec<String>,
    /// Clustering key, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clustering: Vec<Clustering>,
    /// Options that were written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
}

impl Schema {
    /// The tables of all keyspaces.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.keyspaces.values().flat_map(|keyspace| keyspace.tables.values())
    }
}

/// A type, and all that it holds, directly or through the fields of user types, each of which is followed once. What holds another
/// type is entered where `enters` says so.
pub fn each_within<'a>(
    kind: &'a Type,
    types: &'a BTreeMap<String, UserType>,
    enters: impl Fn(&Type) -> bool,
) -> impl Iterator<Item = &'a Type> {
    let mut seen = BTreeSet::new();
    let mut rest = vec![kind];
    std::iter::from_fn(move || {
        let kind = rest.pop()?;
        if !enters(kind) {
            return Some(kind);
        }
        if let Type::User(name) = kind
            && seen.insert(name)
        {
            rest.extend(types.get(name).into_iter().flat_map(|of| &of.fields).map(|(_, kind)| kind));
        }
        rest.extend(kind.inner());
        Some(kind)
    })
}

impl Keyspace {
    /// The user types that a type holds, directly or through the fields of others.
    #[must_use]
    pub fn held_in<'a>(&'a self, kind: &'a Type) -> BTreeSet<&'a str> {
        let name = |kind: &'a Type| if let Type::User(name) = kind { Some(name.as_str()) } else { None };
        each_within(kind, &self.types, |_| true).filter_map(name).collect()
    }

    /// The user types that a table holds in any of its columns.
    #[must_use]
    pub fn held_by<'a>(&'a self, table: &'a Table) -> BTreeSet<&'a str> {
        table.columns.values().flat_map(|column| self.held_in(&column.kind)).collect()
    }
}

impl Table {
    /// Whether a column is part of the primary key.
    #[must_use]
    pub fn is_key(&self, column: &str) -> bool {
        is_key(&self.partition_key, &self.clustering, column)
    }
}

impl Index {
    /// What stands between the brackets of its statement: `(a), values(b), c`.
    #[must_use]
    pub fn targets(&self) -> String {
        let list = |columns: &[String]| columns.iter().map(|column| identifier(column)).collect::<Vec<_>>();
        let column = identifier(&self.column);
        let own = match &self.target {
            _ if self.column.is_empty() => None,
            Some(target) => Some(format!("{}({column})", target.to_uppercase())),
            None => Some(column),
        };
        let local = (!self.local.is_empty()).then(|| format!("({})", list(&self.local).join(", ")));
        local.into_iter().chain(own).chain(list(&self.further)).collect::<Vec<_>>().join(", ")
    }
}

impl View {
    /// Whether a column is part of the view's key.
    #[must_use]
    pub fn is_key(&self, column: &str) -> bool {
        is_key(&self.partition_key, &self.clustering, column)
    }

    /// Whether a view of ScyllaDB needs a column that it does not select: all regular ones, where none of them is in its key
    /// (`create_view_statement.cc`, virtual columns).
    #[must_use]
    pub fn needs_unselected(&self, table: &Table, column: &str) -> bool {
        let is_regular = !table.is_key(column) && table.columns.get(column).is_none_or(|column| !column.is_static);
        let mut keys = self.partition_key.iter().chain(self.clustering.iter().map(|key| &key.column));
        is_regular && keys.all(|key| table.is_key(key))
    }

    /// Whether the filter restricts a column: a key column that it restricts needs no `IS NOT NULL`.
    #[must_use]
    pub fn restricts(&self, column: &str) -> bool {
        let name = identifier(column);
        self.filter.iter().any(|relation| relation.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with(' ')))
    }
}

fn is_key(partition_key: &[String], clustering: &[Clustering], column: &str) -> bool {
    partition_key.iter().any(|key| key == column) || clustering.iter().any(|key| key.column == column)
}
