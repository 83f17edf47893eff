//! A difference on one backend while its effect is found out, and how the drafts of all backends become changes.

use super::properties::{Difference, Path};
use super::{Action, Change, Context, Effect, Effects, Pair, Shown};
use crate::schema::{About, Address, Backend};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// One difference on one backend. `I` is the item, with its types, on both sides.
#[derive(Clone, Debug)]
pub(super) struct Draft<I> {
    pub(super) item: I,
    pub(super) address: Address,
    pub(super) action: Action,
    pub(super) path: Option<Path>,
    pub(super) before: Option<Json>,
    pub(super) after: Option<Json>,
    /// The table that is new or gone, which is not written out before somebody reads the change.
    pub(super) table: Option<Shown>,
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
            table: None,
            in_force: Pair::default(),
            about,
            held_in: None,
        }
    }

    /// A whole table that is new or gone.
    pub(super) fn table(item: I, address: Address, action: Action, table: Option<Shown>, about: Pair<Option<&About>>) -> Self {
        Self { table, ..Self::item(item, address, action, Pair::default(), about) }
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
        Self {
            item,
            address,
            action,
            path: Some(path),
            before,
            after,
            table: None,
            in_force: Pair::default(),
            about,
            held_in: None,
        }
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

    /// The change it is, before it means anything on any backend.
    fn change(self, context: &Context) -> Change {
        let path = self.path.as_ref().map(Path::to_string);
        let place = |about: &Option<About>, path: Option<&str>| {
            let about = about.as_ref()?;
            let carried = about.properties.get(self.key()).filter(|_| self.head() == "extra");
            carried.copied().or_else(|| path.map_or(about.span, |path| about.place(path)))
        };
        let location = place(&self.about.next, path.as_deref().or(self.held_in));
        let previous_location = place(&self.about.previous, path.as_deref());
        let (mut before, mut after) = (self.before.map(Shown::Value), self.after.map(Shown::Value));
        if let Some(table) = self.table {
            *(if self.action == Action::Drop { &mut before } else { &mut after }) = Some(table);
        }
        let Pair { previous, next } = self.about;
        Change {
            model: context.model.clone(),
            environment: context.environment.clone(),
            address: self.address,
            action: self.action,
            path,
            before,
            after,
            location,
            previous_location,
            about: Pair { previous, next: next.filter(|_| self.held_in.is_none()) },
            effects: Effects::new(),
            acknowledged: None,
            id: OnceLock::new(),
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

/// Changes by their items, so that backends that see the same one share it.
#[derive(Debug, Default)]
pub(super) struct Changes(BTreeMap<Address, Vec<Change>>);

impl Changes {
    /// Takes a draft in with what it means on a backend.
    pub(super) fn push<I>(&mut self, context: &Context, backend: Backend, draft: Draft<I>, effect: Effect) {
        let mut change = draft.change(context);
        change.effects.insert(backend, Arc::new(effect));
        self.take(change);
    }

    /// Takes in what was found before.
    pub(super) fn extend(&mut self, changes: impl IntoIterator<Item = Change>) {
        changes.into_iter().for_each(|change| self.take(change));
    }

    fn take(&mut self, change: Change) {
        let known = self.0.entry(change.address.clone()).or_default();
        let same = |other: &&mut Change| {
            let of_one_kind = other.action == change.action && other.path == change.path;
            of_one_kind && other.before == change.before && other.after == change.after
        };
        match known.iter_mut().find(same) {
            Some(known) => known.effects.extend(change.effects),
            None => known.push(change),
        }
    }

    /// All changes, in order of their addresses and paths.
    pub(super) fn done(self) -> Vec<Change> {
        let mut all = Vec::with_capacity(self.0.values().map(Vec::len).sum());
        for mut changes in self.0.into_values() {
            changes.sort_by(|one, other| {
                let path = (&one.path, one.action).cmp(&(&other.path, other.action));
                path.then_with(|| one.order().cmp(&other.order()))
            });
            all.append(&mut changes);
        }
        all
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
            changes.push(context, backend, draft(before, after), Effect::unknown(""));
            changes.done()[0].id().to_owned()
        };
        let first = of(&context(None), json!({"a": 1, "b": 2}), json!("text"));
        assert_eq!(first, of(&context(Some("prod")), json!({"b": 2, "a": 1}), json!("text")));
        assert_ne!(first, of(&context(None), json!({"a": 1, "b": 3}), json!("text")));
        assert!(first.starts_with("column-e-mail-"), "{first}");
        assert_eq!(first.len(), "column-e-mail-".len() + 8);
    }
}
