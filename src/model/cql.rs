//! Section `cql` of a model: names and defaults are resolved, each table stands for itself.

use super::Named;
use super::{Allow, AttributeType, Duration, Holding, Order, Period, Removal};
use crate::schema::cql::OptionValue;
use crate::schema::{Engine, Text};
use crate::source::{Span, Spanned};
use std::collections::BTreeMap;

/// The options of a table or view in force on each engine, by name.
pub type EngineOptions = BTreeMap<Engine, BTreeMap<String, Spanned<OptionValue>>>;

/// The section.
#[derive(Clone, Debug)]
pub struct Cql {
    /// Its key.
    pub span: Span,
    /// Engines to generate for, in the order of [`Engine::ALL`].
    pub engines: Vec<Spanned<Engine>>,
    /// The keyspace.
    pub keyspace: CqlKeyspace,
    /// Tables, by key.
    pub tables: Named<CqlTable>,
    /// Tables that left the model.
    pub removed: Named<Spanned<Removal>>,
}

/// The keyspace.
#[derive(Clone, Debug)]
pub struct CqlKeyspace {
    /// Its key in the model, else that of the section.
    pub span: Span,
    /// Its name; the model's with `_` when nothing is said.
    pub name: Spanned<Text>,
    /// Data centre → replicas.
    pub replication: Named<Spanned<u64>>,
    /// Regions of Amazon Keyspaces; empty: one.
    pub regions: Vec<Spanned<String>>,
    /// None: the engine's own.
    pub durable_writes: Option<bool>,
    /// None: the engine's own.
    pub tablets: Option<Spanned<bool>>,
}

/// A table.
#[derive(Clone, Debug)]
pub struct CqlTable {
    /// Its key in the model.
    pub span: Span,
    /// Its key.
    pub key: String,
    /// Its description: the `comment` option.
    pub description: Option<String>,
    /// It exists elsewhere and is not generated.
    pub external: bool,
    /// What it holds.
    pub holds: Vec<Holding>,
    /// The entity whose other attributes are static, or the attributes that are.
    pub static_entity: Option<Spanned<String>>,
    /// Static attributes of the held entity.
    pub static_attributes: Vec<Spanned<String>>,
    /// Attributes stored beside the key; None: all.
    pub columns: Option<Vec<Spanned<String>>>,
    /// Partition key.
    pub partition_key: Vec<Spanned<PartitionPart>>,
    /// Clustering key.
    pub clustering: Vec<Order>,
    /// Types of columns that are only templates or constants.
    pub key_types: Named<Spanned<AttributeType>>,
    /// Time to live.
    pub ttl: Option<Spanned<CqlTtl>>,
    /// Name in the keyspace; its key when nothing is said.
    pub name: Spanned<String>,
    /// Secondary indexes, by name.
    pub indexes: Named<CqlIndex>,
    /// Materialized views, by name.
    pub views: Named<CqlView>,
    /// What each engine is told, by the engine's own names and in its own form (`gc_grace_seconds`).
    pub options: EngineOptions,
    /// Where each of Amazon Keyspaces' own settings was written, by the property.
    pub settings: BTreeMap<String, Span>,
    /// The label of the Terraform resource; its key when nothing is said.
    pub terraform_name: Option<Spanned<String>>,
    /// The CloudFormation logical ID; its key in Pascal case when nothing is said.
    pub logical_id: Option<Spanned<String>>,
    /// The key it had before.
    pub renamed_from: Option<Spanned<String>>,
    /// Findings allowed here.
    pub allow: Vec<Allow>,
}

/// A part of a partition key.
#[derive(Clone, Debug)]
pub enum PartitionPart {
    /// An attribute.
    Attribute(String),
    /// `{ bucket: a, by: period, as: column, type: t }`
    Bucket {
        /// The attribute with the time.
        attribute: String,
        /// How long one bucket lasts.
        period: Period,
        /// The column.
        column: String,
        /// The column's type: text, int, bigint or date.
        kind: AttributeType,
    },
    /// `{ shard: a, into: n, as: column }`
    Shard {
        /// The attribute that is hashed.
        attribute: String,
        /// Number of shards.
        into: u32,
        /// The column, an int.
        column: String,
    },
}

impl PartitionPart {
    /// The column's name.
    #[must_use]
    pub fn column(&self) -> &str {
        match self {
            Self::Attribute(column) | Self::Bucket { column, .. } | Self::Shard { column, .. } => column,
        }
    }
}

/// Time to live of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CqlTtl {
    /// `default_time_to_live`; `retain` is resolved.
    Default(Duration),
    /// A timestamp attribute: every write says USING TTL.
    Attribute(String),
}

/// A secondary index.
#[derive(Clone, Debug)]
pub struct CqlIndex {
    /// Its key in the model.
    pub span: Span,
    /// Its description.
    pub description: Option<String>,
    /// The column.
    pub column: Spanned<String>,
    /// SAI instead of the legacy index.
    pub sai: bool,
    /// `keys`, `values`, `entries` or `full`.
    pub target: Option<Spanned<String>>,
    /// A Scylla local index.
    pub local: bool,
    /// WITH OPTIONS.
    pub options: BTreeMap<String, String>,
    /// The name it had before.
    pub renamed_from: Option<Spanned<String>>,
    /// Findings allowed here.
    pub allow: Vec<Allow>,
}

/// A materialized view.
#[derive(Clone, Debug)]
pub struct CqlView {
    /// Its key in the model.
    pub span: Span,
    /// Its description: the `comment` option.
    pub description: Option<String>,
    /// Partition key.
    pub partition_key: Vec<Spanned<String>>,
    /// Clustering key.
    pub clustering: Vec<Order>,
    /// Columns beside the key; None: all.
    pub columns: Option<Vec<Spanned<String>>>,
    /// What each engine is told.
    pub options: EngineOptions,
    /// The name it had before.
    pub renamed_from: Option<Spanned<String>>,
    /// Findings allowed here.
    pub allow: Vec<Allow>,
}
