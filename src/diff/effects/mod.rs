//! From a change and what stands around it to the row of the table of effects that it falls under, and from there to its
//! effect on a backend.

pub(super) mod cql;
pub(super) mod dynamodb;
mod guard;
