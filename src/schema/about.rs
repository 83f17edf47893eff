//! What is known about a schema item beside what it is: never part of what "equal" means.

use crate::source::Span;
use std::collections::BTreeMap;

/// Where an item and its properties were written, and what is said about it. All values of this type are equal, so that
/// two schemas can be compared with `==`.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The item's own place: its key in the model, its block in Terraform, its statement in CQL.
    pub span: Option<Span>,
    /// The places of its properties, by the property's path (`projection`, `columns.email`).
    pub properties: BTreeMap<String, Span>,
    /// Its description in the model.
    pub description: Option<String>,
    /// The access patterns it serves, sorted.
    pub serves: Vec<String>,
}

impl About {
    /// Only a place.
    #[must_use]
    pub fn at(span: Span) -> Self {
        Self { span: Some(span), ..Self::default() }
    }

    /// The place of a property, else of the map it would stand in, else of the item.
    #[must_use]
    pub fn place(&self, property: &str) -> Option<Span> {
        let map = property.split('.').next().unwrap_or_default();
        self.properties.get(property).or_else(|| self.properties.get(map)).copied().or(self.span)
    }
}

impl PartialEq for About {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for About {}
