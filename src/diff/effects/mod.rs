//! From a change and what stands around it to the row of the table of effects that it falls under, and from there to its
//! effect on a backend.

pub(super) mod cql;
pub(super) mod dynamodb;
mod guard;

/// Why nothing is known of a change to what stands behind expressions.
const BEHIND: &str = "expressions of this table need it, and what they come to is not evaluated here";

/// Why nothing is known of a change where an expression stands on a side.
const COMPUTED: &str = "an expression stands for it, or for what may be the same, and what that comes to is not evaluated here";
