//! A difference on one backend while its effect is found out, and how the drafts of all backends become changes.

use super::properties::{Difference, Path};
use super::{Action, Change, Context, Effect, Pair};
use crate::schema::{About, Address, Backend};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One difference on one backend. `I` is the item, with its types, on both sides.
#[derive(Clone, Debug)]
pub(super) struct Draft<I> {
    pub(super) item: I,
    pub(super) address: Address,
    pub(super) action: Action,
    pub(super) path: Option<Path>,
    pub(super) before: Option<Json>,
    pub(super) after: Option<Json>,
    /// The values in force of a side that holds parameters, where they are known.
    pub(super) in_force: Pair<Option<Json>>,
    /// What is known about the item on each side; in next, for an item that is gone, about what held it.
    pub(super) about: Pair<Option<About>>,
    /// The property of its holder under which an item that is gone was written.
    pub(super) held_in: Option<&'static str>,
}

impl<I> Draft<I> {
    /// A whole item that is new or gone.
    pub(super) fn item(item: I, address: Address, action: Action, pair: Pair<Option<Json>>, about: Pair<Option<&About>>) -> Self {
        let about = Pair { previous: about.previous.cloned(), next: about.next.cloned() };
        Self {
            item,
            address,
            action,
            path: None,
            before: pair.previous,
            after: pair.next,
            in_force: Pair::default(),
            about,
            held_in: None,
        }
    }

    /// Where an item that is gone was held: `about` is of its holder in next, `held_in` the holder's property.
    pub(super) fn held_in(mut self, about: &About, held_in: &'static str) -> Self {
        self.about.next = Some(about.clone());
        self.held_in = Some(held_in);
        self
    }

    /// A property that differs.
    pub(super) fn property(item: I, address: Address, difference: Difference, about: Pair<&About>) -> Self {
        let Difference { path, before, after } = difference;
        let action = match (&before, &after) {
            (None, _) => Action::Add,
            (_, None) => Action::Drop,
            _ => Action::Modify,
        };
        let about = Pair { previous: Some(about.previous.clone()), next: Some(about.next.clone()) };
        Self { item, address, action, path: Some(path), before, after, in_force: Pair::default(), about, held_in: None }
    }

    /// What is in force on each side, as far as it is known; else what is written.
    pub(super) fn values(&self) -> Pair<Option<&Json>> {
        fn shown(side: Option<&Json>) -> Option<&Json> {
            side.map(|side| side.get("value").unwrap_or(side))
        }
        Pair {
            previous: self.in_force.previous.as_ref().or(shown(self.before.as_ref())),
            next: self.in_force.next.as_ref().or(shown(self.after.as_ref())),
        }
    }

    /// Whether it is a definition behind expressions that changed.
    pub(super) fn is_behind(&self) -> bool {
        self.path.as_ref().is_some_and(Path::is_behind)
    }

    /// The property's own name; empty for a whole item.
    pub(super) fn head(&self) -> &str {
        self.path.as_ref().map_or("", |path| path.head.as_str())
    }

    /// The key of a map's entry; empty where there is none.
    pub(super) fn key(&self) -> &str {
        self.path.as_ref().and_then(|path| path.key.as_deref()).unwrap_or("")
    }
}

/// Changes by what they are, so that backends that see the same one share it.
#[derive(Debug, Default)]
pub(super) struct Changes(BTreeMap<(Address, Option<String>, Action, String), Change>);

impl Changes {
    /// Takes a draft in with what it means on a backend.
    pub(super) fn push<I>(&mut self, context: &Context, backend: Backend, draft: &Draft<I>, effect: Effect) {
        let path = draft.path.as_ref().map(Path::to_string);
        let values = canonical(&[draft.before.as_ref().map(Sorted), draft.after.as_ref().map(Sorted)]);
        let key = (draft.address.clone(), path.clone(), draft.action, values);
        let change = self.0.entry(key).or_insert_with(|| {
            let place = |about: &Option<About>, path: Option<&str>| {
                let about = about.as_ref()?;
                let carried = about.properties.get(draft.key()).filter(|_| draft.head() == "extra");
                carried.copied().or_else(|| path.map_or(about.span, |path| about.place(path)))
            };
            let serves = |about: &Option<About>| about.as_ref().map(|about| about.serves.clone()).unwrap_or_default();
            let mut patterns = if draft.held_in.is_none() { serves(&draft.about.next) } else { Vec::new() };
            if patterns.is_empty() {
                patterns = serves(&draft.about.previous);
            }
            Change {
                id: id(context, draft, path.as_deref()),
                model: context.model.clone(),
                environment: context.environment.clone(),
                address: draft.address.clone(),
                action: draft.action,
                path: path.clone(),
                before: draft.before.clone(),
                after: draft.after.clone(),
                location: place(&draft.about.next, path.as_deref().or(draft.held_in)),
                previous_location: place(&draft.about.previous, path.as_deref()),
                patterns,
                effects: BTreeMap::new(),
                acknowledged: None,
            }
        });
        change.effects.insert(backend, effect);
    }

    /// All changes, in order of their addresses and paths.
    pub(super) fn done(self) -> Vec<Change> {
        self.0.into_values().collect()
    }
}

/// `<kind>-<name>-<8 hex>`: the same in every run, and in every environment that shows the change.
fn id<I>(context: &Context, draft: &Draft<I>, path: Option<&str>) -> String {
    let column = draft.path.as_ref().filter(|path| path.head == "columns").and_then(|path| path.key.as_deref());
    let (kind, name) = column.map_or((draft.address.kind(), draft.address.name()), |name| ("column", name));
    let (before, after) = (draft.before.as_ref().map(Sorted), draft.after.as_ref().map(Sorted));
    let document = canonical(&(&context.model, draft.address.to_string(), draft.action, path, before, after));
    let mut id = format!("{kind}-");
    id.extend(name.to_lowercase().chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }));
    id.push('-');
    for byte in Sha256::digest(document).iter().take(4) {
        let _ = write!(id, "{byte:02x}");
    }
    id
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn draft(before: Json, after: Json) -> Draft<()> {
        let difference = Difference { path: Path::entry("columns", "E Mail"), before: Some(before), after: Some(after) };
        let about = About::default();
        let address = Address::CqlTable(None, "Users".into());
        Draft::property((), address, difference, Pair { previous: &about, next: &about })
    }

    #[test]
    fn an_id_is_that_of_the_change_and_of_nothing_else() {
        let context = |environment: Option<&str>| Context {
            model: "shop".into(),
            environment: environment.map(str::to_owned),
            ..Context::default()
        };
        let of = |context: &Context, before, after| {
            let mut changes = Changes::default();
            let backend = Backend::Cql(crate::schema::Engine::Cassandra50);
            changes.push(context, backend, &draft(before, after), Effect::unknown(""));
            changes.done()[0].id.clone()
        };
        let first = of(&context(None), json!({"a": 1, "b": 2}), json!("text"));
        assert_eq!(first, of(&context(Some("prod")), json!({"b": 2, "a": 1}), json!("text")));
        assert_ne!(first, of(&context(None), json!({"a": 1, "b": 3}), json!("text")));
        assert!(first.starts_with("column-e-mail-"), "{first}");
        assert_eq!(first.len(), "column-e-mail-".len() + 8);
    }
}
