//! CQL statements of a whole schema.
