//! The model: entities, access patterns and the tables that serve them, with every reference resolved and every text
//! parsed. `validate` makes it from a [`document`](crate::validate); the later stages trust it.

mod condition;
mod cql;
mod dynamodb;
mod entity;
mod pattern;
mod template;
mod units;

pub use condition::{Comparison, Condition, InValues, Literal, Operand, Order, Where};
pub use cql::{Cql, CqlIndex, CqlKeyspace, CqlTable, CqlTtl, CqlView, EngineOptions, PartitionPart};
pub use dynamodb::{
    Capacity, Dynamodb, DynamodbTable, GlobalIndex, Holding, KeyValue, LocalIndex, Other, Owner, Settings, Shared,
};
pub use entity::{Attribute, AttributeType, Derivation, Encoding, Entity, PerValue, UpdatedBy};
pub use pattern::{Consistency, Guard, Pattern, Verb};
pub use template::{Case, Period, Template, TemplatePart};
pub use units::{Amount, Duration};

use crate::schema::Parameter;
use crate::source::{Span, Spanned};
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// Things by their names, in the order of the text. Names are looked up some hundreds of times a table: the hash is a quick one, and
/// seeded anew in each run.
pub type Named<T> = IndexMap<String, T, foldhash::fast::RandomState>;

/// A whole model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name, unique in the repository.
    pub name: Spanned<String>,
    /// What it is about.
    pub description: Option<String>,
    /// Parameters, by name.
    pub parameters: Named<Parameter>,
    /// User types, by name: field → type.
    pub types: Named<UserType>,
    /// Entities, by name.
    pub entities: Named<Entity>,
    /// Access patterns, by name.
    pub patterns: Named<Pattern>,
    /// Tables on DynamoDB.
    pub dynamodb: Option<Dynamodb>,
    /// Tables on CQL engines.
    pub cql: Option<Cql>,
    /// Parameters whose values are written where they stand, since CQL has no variables: another value of one is another
    /// model. Another value of the rest is another default of a variable.
    pub written_parameters: BTreeSet<String>,
    /// Findings that are allowed anywhere in the model.
    pub allow: Vec<Allow>,
}

/// A user type.
#[derive(Clone, Debug)]
pub struct UserType {
    /// Its key in the model.
    pub span: Span,
    /// Its description.
    pub description: Option<String>,
    /// Field → type, as written.
    pub fields: Named<Spanned<AttributeType>>,
    /// The name it had before.
    pub renamed_from: Option<Spanned<String>>,
    /// Findings allowed here.
    pub allow: Vec<Allow>,
}

/// A finding that is allowed, with its reason.
#[derive(Clone, Debug)]
pub struct Allow {
    /// The code, and its place.
    pub code: Spanned<String>,
    /// Why.
    pub reason: String,
    /// The last day it holds, `YYYY-MM-DD`.
    pub until: Option<Spanned<String>>,
}

/// What becomes of a table that left the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// It is kept, and that is meant.
    Retain,
    /// It is destroyed.
    Destroy,
}
