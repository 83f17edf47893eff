//! From a change and what stands around it to the row of the table of effects that it falls under, and from there to its
//! effect on a backend.

mod attributes;
mod carried;
pub(super) mod cql;
mod cql_column;
mod cql_index;
mod cql_keyspace;
mod cql_option;
mod cql_types;
pub(super) mod dynamodb;
mod gsi;
mod guards;
mod lsi;
mod settings;
