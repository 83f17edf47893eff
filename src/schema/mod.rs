//! The physical schema: what exists in a store. Two typed schemas, not one lossy common table; Terraform and
//! CloudFormation are formats of the first.

mod about;
mod address;
mod backend;
pub(crate) mod behind;
pub mod cql;
mod difference;
pub mod dynamodb;
mod dynamodb_format;
mod entries;
mod items;
pub mod moved;
mod not_read;
mod places;
mod releases;
mod value;

pub use about::{About, Described, Notes};
pub use address::{Address, Store};
pub(crate) use address::{Quoted, unquoted};
pub use backend::{Backend, Engine, Family, Format, TemplateFormat};
pub use behind::{each_text, is_behind};
pub use difference::{Difference, differences};
pub use dynamodb_format::pascal_case;
pub(crate) use entries::{TakeEntries, hand_over};
pub use items::Items;
pub use not_read::NotRead;
pub use places::Places;
pub use releases::{Release, Releases};
pub(crate) use value::has_reference;
pub use value::{Parameter, ParameterKind, Part, Scalar, Text, Value, is_computed};

use std::collections::BTreeMap;
use std::sync::Arc;

/// The physical schema of one backend. Backends that are alike share one, and so do the stages that look at it.
#[derive(Clone, Debug, PartialEq)]
pub enum Schema {
    /// Tables of Amazon DynamoDB.
    Dynamodb(Arc<dynamodb::Schema>),
    /// A keyspace of one CQL engine.
    Cql(Arc<cql::Schema>),
}

impl From<dynamodb::Schema> for Schema {
    fn from(schema: dynamodb::Schema) -> Self {
        Self::Dynamodb(Arc::new(schema))
    }
}

impl From<cql::Schema> for Schema {
    fn from(schema: cql::Schema) -> Self {
        Self::Cql(Arc::new(schema))
    }
}

/// One generation: a schema for each backend it is for.
pub type Generation = BTreeMap<Backend, Schema>;
