//! CQL DDL.
