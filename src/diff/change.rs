//! A change: what differs, as data.

use super::{Effects, Pair, Shown};
use crate::schema::{About, Address, unquoted};
use crate::source::Span;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::OnceLock;

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
    pub before: Option<Shown>,
    /// What is to be there.
    pub after: Option<Shown>,
    /// Its place in next; for a drop the map of the model that held it.
    pub location: Option<Span>,
    /// Its place in previous, when that has one.
    pub previous_location: Option<Span>,
    /// What is known of the item in next, and in previous, where it is an item of that generation.
    pub(super) about: Pair<Option<About>>,
    /// What it means, for each backend that sees it.
    pub effects: Effects,
    /// Who meant it, when someone said so.
    pub acknowledged: Option<Acknowledgement>,
    /// Found when it is asked for: of most changes nobody asks it.
    pub(super) id: OnceLock<String>,
}

impl Change {
    /// `<kind>-<name>-<8 hex>`: the same in every run, and in every environment that shows the change.
    #[must_use]
    pub fn id(&self) -> &str {
        self.id.get_or_init(|| {
            let column = self.path.as_deref().and_then(|path| path.strip_prefix("columns.")).and_then(unquoted);
            let (kind, name) = match &column {
                Some(column) => ("column", column.as_str()),
                None => (self.address.kind(), self.address.name()),
            };
            let [before, after] = self.values();
            let (before, after) = (before.as_deref().map(Sorted), after.as_deref().map(Sorted));
            let path = self.path.as_deref();
            let document = canonical(&(&self.model, self.address.to_string(), self.action, path, before, after));
            let mut id = format!("{kind}-");
            id.extend(name.to_lowercase().chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }));
            id.push('-');
            for byte in Sha256::digest(document).iter().take(4) {
                let _ = write!(id, "{byte:02x}");
            }
            id
        })
    }

    /// The access patterns that the item serves in next, else served in previous.
    #[must_use]
    pub fn patterns(&self) -> &[String] {
        let sides = [&self.about.next, &self.about.previous].into_iter().flatten();
        sides.map(|about| about.serves.as_slice()).find(|serves| !serves.is_empty()).unwrap_or_default()
    }

    /// Whether it blocks on any backend; an acknowledgement does not change that.
    #[must_use]
    pub fn blocks(&self) -> bool {
        self.effects.values().any(|effect| effect.blocks())
    }

    /// Whether it warns on any backend.
    #[must_use]
    pub fn warns(&self) -> bool {
        self.effects.values().any(|effect| effect.warns())
    }

    /// Orders the changes of one item and one path that do not show the same.
    pub(super) fn order(&self) -> String {
        canonical(&self.values().each_ref().map(|value| value.as_deref().map(Sorted)))
    }

    fn values(&self) -> [Option<Cow<'_, Json>>; 2] {
        [&self.before, &self.after].map(|side| side.as_ref().map(Shown::json))
    }
}

/// JSON without spaces.
fn canonical(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// JSON with its keys sorted.
struct Sorted<'a>(&'a Json);

impl Serialize for Sorted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Json::Object(fields) => {
                let mut fields: Vec<(&String, &Json)> = fields.iter().collect();
                fields.sort_unstable_by_key(|(key, _)| *key);
                serializer.collect_map(fields.into_iter().map(|(key, value)| (key, Sorted(value))))
            }
            Json::Array(items) => serializer.collect_seq(items.iter().map(Sorted)),
            other => other.serialize(serializer),
        }
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
