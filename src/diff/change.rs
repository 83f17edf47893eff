//! A change: what differs, as data.

use super::Effect;
use crate::schema::{Address, Backend};
use crate::source::Span;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What was done to an item or a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// It is new.
    Add,
    /// It is gone.
    Drop,
    /// It is different.
    Modify,
    /// It has another name.
    Rename,
}

/// One difference between two generations: a table, an index, a column or a property. Backends that see the same
/// difference share one change.
#[derive(Clone, Debug)]
pub struct Change {
    /// `<kind>-<name>-<8 hex>`, the same in every run for the same change.
    pub id: String,
    /// The model it belongs to.
    pub model: String,
    /// The environment, when there are any.
    pub environment: Option<String>,
    /// The item.
    pub address: Address,
    /// What was done.
    pub action: Action,
    /// The property, when it is not the item itself: `projection`, `columns.email`.
    pub path: Option<String>,
    /// What was there.
    pub before: Option<serde_json::Value>,
    /// What is to be there.
    pub after: Option<serde_json::Value>,
    /// Its place in next; for a drop the map of the model that held it.
    pub location: Option<Span>,
    /// Its place in previous, when that has one.
    pub previous_location: Option<Span>,
    /// The access patterns that the item serves in next, else served in previous.
    pub patterns: Vec<String>,
    /// What it means, for each backend that sees it.
    pub effects: BTreeMap<Backend, Effect>,
    /// Who meant it, when someone said so.
    pub acknowledged: Option<Acknowledgement>,
}

impl Change {
    /// Whether it blocks on any backend; an acknowledgement does not change that.
    #[must_use]
    pub fn blocks(&self) -> bool {
        self.effects.values().any(Effect::blocks)
    }
}

/// That a dangerous change is meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Acknowledgement {
    /// Why.
    pub reason: String,
    /// Who answers for it.
    pub owner: String,
    /// The last day on which it holds, `2026-12-31`.
    pub until: Option<String>,
}
