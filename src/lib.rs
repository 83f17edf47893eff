//! `gen`: access patterns in, table definitions out, and the truth about every change.
//!
//! Data flows one way through the stages, each a module that uses only those before it:
//! [`source`] → [`model`] → [`validate`] → [`design`] → [`schema`] → [`emit`] / [`read`] → [`baseline`] → [`diff`] →
//! [`migrate`] → [`rules`] → [`report`] → [`output`] → [`cli`]. `tests/layers.rs` holds that line.

#![forbid(unsafe_code)]

pub mod baseline;
pub mod cli;
pub mod config;
pub mod design;
pub mod diagnostic;
pub mod diff;
pub mod emit;
pub mod migrate;
pub mod model;
pub mod output;
pub mod read;
pub mod report;
pub mod rules;
pub mod schema;
pub mod source;
pub mod validate;
