//! What differs between two generations of keyspaces, for one backend. What is the same to the engine is no difference.

mod fields;
mod items;
mod renames;
mod taken;

pub(in crate::diff) use renames::follow as renamed_keys;

use super::dynamodb::OF_THE_FORMAT;
use super::{moves_stack, shown};
use crate::diff::draft::{Changes, Draft};
use crate::diff::effects::cql::{Facts, Item, Stated, effect, is_refused_option};
use crate::diff::matching::{Match, cql_tables, keyspaces, made_keyspaces};
use crate::diff::properties::{Difference, Path, Properties, differences, differing, properties, sides_of};
use crate::diff::{Action, Context, Effect, Pair, Shown, Side};
use crate::schema::cql::{Keyspace, Schema, Table, UserType, default_entry, identifier, takes_no_notice};
use crate::schema::{Address, Backend, Engine, Format};
use items::{indexes, renamed, types_of, views_of, whole};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Properties that are maps of independent entries.
const MAPS: &[&str] = &["columns", "options", "extra", "refused"];

/// What of a keyspace, and of a table, is compared by itself or not at all.
const KEYSPACE_APART: &[&str] = &["types", "tables"];
const TABLE_APART: &[&str] = &["indexes", "views", "dropped", "kept"];

/// Compares all keyspaces, types and tables and takes the changes in.
pub(in crate::diff) fn compare(context: &Context, backend: Backend, pair: Pair<&Schema>, changes: &mut Changes) {
    let engine = backend.engine().unwrap_or(Engine::Keyspaces);
    let (previous, next) = (pair.previous.normalise(engine), pair.next.normalise(engine));
    let normal = Pair { previous: &previous, next: &next };
    let matches = keyspaces(backend, normal);
    let renamed: BTreeMap<&str, &str> =
        matches.iter().filter_map(|found| found.keys.previous.zip(found.keys.next)).filter(|(from, to)| from != to).collect();
    let several = previous.keyspaces.len() > 1 || next.keyspaces.len() > 1;
    let mut run = Run { context, backend, written: pair, normal, several, anew: BTreeMap::new(), changes };
    for found in &made_keyspaces(backend, normal) {
        run.keyspace(found);
    }
    for found in &matches {
        run.types(found);
    }
    for found in cql_tables(normal, &renamed) {
        run.table(&found, &renamed);
    }
}

/// One comparison.
struct Run<'a> {
    context: &'a Context,
    backend: Backend,
    /// Both sides as they were written: what changes show.
    written: Pair<&'a Schema>,
    /// Both sides in the engine's normal form: what is compared.
    normal: Pair<&'a Schema>,
    /// Addresses name the keyspace.
    several: bool,
    /// Types that can only be made anew, by previous keyspace and name: the tables that hold them come and go with them.
    anew: BTreeMap<(&'a str, &'a str), Anew>,
    changes: &'a mut Changes,
}

/// A type that can only be made anew.
struct Anew {
    fields: Pair<Json>,
    effect: Effect,
}

/// A table's keyspace and key on each side.
type Keys<'a> = Pair<Option<(&'a str, &'a str)>>;

impl<'a> Run<'a> {
    fn take(&mut self, facts: &Facts<'_>, drafts: Vec<Draft<Item<'_>>>) {
        for draft in drafts {
            let effect = effect(facts, &draft);
            self.changes.push(self.context, self.backend, draft, effect);
        }
    }

    /// The facts about a keyspace.
    fn facts_of(&self, found: &Match<'a, &'a str, Keyspace>) -> Facts<'a> {
        let stated = Stated { keyspace: found.keys.next.and_then(|name| self.written.next.keyspaces.get(name)), table: None };
        Facts { stated, ..Facts::new(self.backend, self.normal, found.keys) }
    }

    /// The keyspace itself.
    fn keyspace(&mut self, found: &Match<'a, &'a str, Keyspace>) {
        let name = found.keys.next.or(found.keys.previous).unwrap_or_default();
        let facts = self.facts_of(found);
        let written = Pair {
            previous: found.keys.previous.and_then(|name| self.written.previous.keyspaces.get(name)),
            next: facts.stated.keyspace,
        };
        let take = |keyspace: &Keyspace| properties(keyspace, MAPS, KEYSPACE_APART);
        let about = Pair { previous: found.items.previous.map(|of| &of.about), next: found.items.next.map(|of| &of.about) };
        let address = Address::Keyspace(name.to_owned());
        // A keyspace without replication is only used here: it is neither made nor changed.
        let created = |keyspace: Option<&Keyspace>| keyspace.is_some_and(|keyspace| !keyspace.replication.is_empty());
        let (before, after) = (created(found.items.previous), created(found.items.next));
        // Statements that no longer make it do not drop it; a resource that is gone is deleted, whatever still uses it.
        let is_deleted = before && !after && self.backend.format() != Format::Cql;
        let about = Pair { next: about.next.filter(|_| !is_deleted), ..about };
        let mut drafts = Vec::new();
        match (about.previous, about.next) {
            (Some(previous), Some(next)) => {
                let about = Pair { previous, next };
                if found.keys.previous != found.keys.next {
                    drafts.push(renamed(Item::Keyspace, &address, found.keys, about));
                }
                let sides = both(found.items, KEYSPACE_APART);
                let written = both(written, KEYSPACE_APART);
                let compared = changed(&sides, &written)
                    .into_iter()
                    .chain(moves_stack(self.context, self.backend, about))
                    .filter(|found| (before && after) || found.path.head == "extra");
                drafts.extend(compared.map(|difference| Draft::property(Item::Keyspace, address.clone(), difference, about)));
            }
            (None, Some(_)) if after => {
                drafts.push(whole(Item::Keyspace, address, written.next.map(take), None, about));
            }
            (Some(_), None) if before => {
                drafts.push(whole(Item::Keyspace, address, None, written.previous.map(take), about));
            }
            _ => {}
        }
        self.take(&facts, drafts);
    }

    /// The types of a keyspace.
    fn types(&mut self, found: &Match<'a, &'a str, Keyspace>) {
        let facts = self.facts_of(found);
        for draft in types_of(found.items) {
            let effect = effect(&facts, &draft);
            if let (Item::Type(Pair { previous: Some(previous), next: Some(next) }), true) = (&draft.item, effect.only_anew()) {
                self.anew(found, draft.address.name(), Pair { previous: *previous, next: *next }, &effect);
            }
            self.changes.push(self.context, self.backend, draft, effect);
        }
    }

    /// Notes a type that both sides have under one name and that can only be made anew.
    fn anew(&mut self, found: &Match<'a, &'a str, Keyspace>, name: &str, pair: Pair<&UserType>, effect: &Effect) {
        let Some((keyspace, previous)) = found.keys.previous.zip(found.items.previous) else { return };
        let Some((name, _)) = previous.types.get_key_value(name) else { return };
        let fields =
            |of: &UserType| of.fields.iter().map(|(name, kind)| format!("{} {kind}", identifier(name))).collect::<Json>();
        let fields = Pair { previous: fields(pair.previous), next: fields(pair.next) };
        self.anew.entry((keyspace, name)).or_insert_with(|| Anew { fields, effect: effect.clone() });
    }

    /// A table cannot outlive a type that it holds: one change for each such type.
    fn held_types(&mut self, address: &Address, keyspace: &str, pair: Pair<&Table>) {
        let Some(space) = self.normal.previous.keyspaces.get(keyspace).filter(|_| !self.anew.is_empty()) else { return };
        let about = Pair { previous: &pair.previous.about, next: &pair.next.about };
        let held = space.held_by(pair.previous);
        for ((_, name), anew) in self.anew.iter().filter(|((of, name), _)| *of == keyspace && held.contains(name)) {
            let (before, after) = (Some(anew.fields.previous.clone()), Some(anew.fields.next.clone()));
            let difference = Difference { path: Path::entry("types", name), before, after };
            let draft = Draft::property(Item::Table, address.clone(), difference, about);
            let reason = format!(
                "The table holds the type `{name}`, which can only be made anew: a migration that is meant drops the table, with all \
                 its rows, and creates it again."
            );
            self.changes.push(self.context, self.backend, draft, Effect { reason: reason.into(), ..anew.effect.clone() });
        }
    }

    /// A table with its columns, indexes and views.
    fn table(&mut self, found: &Match<'_, (&str, &str), Table>, renamed_keyspaces: &BTreeMap<&str, &str>) {
        let keys = found.keys;
        let keyspaces =
            Pair { previous: keys.previous.map(|(keyspace, _)| keyspace), next: keys.next.map(|(keyspace, _)| keyspace) };
        let stated = Stated {
            keyspace: keyspaces.next.and_then(|name| self.written.next.keyspaces.get(name)),
            table: written(self.written.next, keys.next),
        };
        let facts = Facts { stated, ..Facts::new(self.backend, self.normal, keyspaces) };
        let address = self.address(keys);
        match (found.items.previous, found.items.next) {
            (Some(previous), Some(next)) => {
                if let Some((keyspace, _)) = keys.previous {
                    self.held_types(&address, keyspace, Pair { previous, next });
                }
                let moved = keys.previous.map(|(keyspace, _)| renamed_keyspaces.get(keyspace).copied().unwrap_or(keyspace))
                    != keys.next.map(|(keyspace, _)| keyspace);
                let both =
                    Pair { previous: written(self.written.previous, keys.previous), next: written(self.written.next, keys.next) };
                if let Some(draft) = taken::whole(&address, Pair { previous, next }) {
                    return self.take(&Facts { tables: found.items, ..facts }, vec![draft]);
                }
                let about = Pair { previous: &previous.about, next: &next.about };
                let is_there_still = !moved && moves_stack(self.context, self.backend, about).is_none();
                let is_same = both.previous.is_some() && both.previous == both.next && is_there_still;
                if is_same && next.about.taken.is_empty() {
                    return;
                }
                let (previous, columns) = renames::follow(previous, next);
                let previous = previous.as_ref();
                let facts = Facts { tables: Pair { previous: Some(previous), next: Some(next) }, ..facts };
                let mut drafts = Vec::new();
                self.both(&facts, &address, keys, Pair { previous, next }, moved, &mut drafts);
                if !next.kept {
                    drafts.extend(renames::drafts(&columns, &address, Pair { previous, next }));
                }
                self.take(&facts, drafts);
            }
            // A table that leaves the model and is kept is still in the schema; what was never there is not missed.
            (None, Some(next)) if !next.kept && !unread(self.written.previous, keys.next, &next.name) => {
                let facts = Facts { tables: found.items, ..facts };
                let about = Pair { previous: None, next: Some(&next.about) };
                let draft = Draft::table(Item::Added, address, Action::Add, as_it_stands(self.normal.next, keys.next), about);
                self.take(&facts, vec![draft]);
            }
            (Some(previous), None) if !unread(self.written.next, keys.previous, &previous.name) => {
                let facts = Facts { tables: found.items, ..facts };
                let about = Pair { previous: Some(&previous.about), next: None };
                let table = as_it_stands(self.normal.previous, keys.previous);
                let draft = Draft::table(Item::Dropped { kept: false }, address, Action::Drop, table, about);
                self.take(&facts, vec![draft]);
            }
            _ => {}
        }
    }

    fn both<'t>(
        &self,
        facts: &Facts<'_>,
        address: &Address,
        keys: Keys<'_>,
        pair: Pair<&'t Table>,
        moved: bool,
        drafts: &mut Vec<Draft<Item<'t>>>,
    ) {
        let about = Pair { previous: &pair.previous.about, next: &pair.next.about };
        match (pair.previous.kept, pair.next.kept) {
            (_, true) => {
                if !pair.previous.kept {
                    let about = Pair { previous: Some(about.previous), next: None };
                    let table = Some(Shown::CqlTable(Arc::new(pair.previous.clone())));
                    drafts.push(Draft::table(Item::Dropped { kept: true }, address.clone(), Action::Drop, table, about));
                }
                return;
            }
            (true, false) => {
                let difference = Difference { path: Path::of("kept"), before: Some(json!(true)), after: Some(json!(false)) };
                drafts.push(Draft::property(Item::Returned, address.clone(), difference, about));
            }
            (false, false) => {}
        }
        if moved {
            let name = |key: Option<(&str, &str)>| key.map(|(keyspace, _)| Json::from(keyspace));
            let difference = Difference { path: Path::of("keyspace"), before: name(keys.previous), after: name(keys.next) };
            drafts.push(Draft::property(Item::Table, address.clone(), difference, about));
        }
        let of_stack = moves_stack(self.context, self.backend, about);
        drafts.extend(of_stack.map(|difference| Draft::property(Item::Table, address.clone(), difference, about)));
        let written =
            Pair { previous: written(self.written.previous, keys.previous), next: written(self.written.next, keys.next) };
        let sides = differing(pair, MAPS, TABLE_APART, None);
        let is_normal = written.previous.is_some_and(|table| std::ptr::eq(table, pair.previous))
            && written.next.is_some_and(|table| std::ptr::eq(table, pair.next));
        let mut found = if is_normal {
            differences(&sides.previous, &sides.next)
        } else {
            let written = both(written, TABLE_APART);
            let mut found = changed(&sides, &written);
            found.extend(the_same(facts, &written, &found));
            found
        };
        drafts.extend(taken::parts(address, pair, &mut found));
        let engine = self.backend.engine().unwrap_or(Engine::Keyspaces);
        for difference in found.into_iter().flat_map(|difference| one_by_one(engine, difference)) {
            if follows_the_key(&difference, pair) {
                continue;
            }
            let mut draft = Draft::property(Item::Table, address.clone(), difference, about);
            if draft.head() == "name" {
                draft.action = Action::Rename;
            }
            drafts.push(draft);
        }
        indexes(address, pair, drafts);
        views_of(address, pair, drafts);
    }

    fn address(&self, keys: Keys<'_>) -> Address {
        let key = match self.context.addresses {
            Side::Previous => keys.previous.or(keys.next),
            Side::Next => keys.next.or(keys.previous),
        };
        let (keyspace, key) = key.unwrap_or_default();
        Address::CqlTable(self.several.then(|| keyspace.to_owned()), key.to_owned())
    }
}

/// A whole table as a change shows it.
pub(in crate::diff) fn whole_table(table: &Table) -> Json {
    shown(properties(table, MAPS, TABLE_APART), OF_THE_FORMAT)
}

/// A table as it stands in a schema, for a change to hold.
fn as_it_stands(schema: &Schema, key: Option<(&str, &str)>) -> Option<Shown> {
    let (keyspace, key) = key?;
    schema.keyspaces.get(keyspace)?.tables.shared(key).cloned().map(Shown::CqlTable)
}

/// The properties in which two items differ; all of them where one side has no item.
fn both<T: Serialize>(items: Pair<Option<&T>>, apart: &[&str]) -> Pair<Properties> {
    let Pair { previous, next } = sides_of(items, MAPS, apart, None);
    Pair { previous: previous.unwrap_or_default(), next: next.unwrap_or_default() }
}

/// Whether the other side has a table of that name and nothing more is known of it.
fn unread(other: &Schema, key: Option<(&str, &str)>, name: &str) -> bool {
    key.and_then(|(keyspace, _)| other.keyspaces.get(keyspace)).is_some_and(|keyspace| keyspace.unread.contains(name))
}

/// A table as it was written, not as it is compared.
fn written<'a>(schema: &'a Schema, key: Option<(&str, &str)>) -> Option<&'a Table> {
    let (keyspace, key) = key?;
    schema.keyspaces.get(keyspace)?.tables.get(key)
}

/// The differences of the normal forms, shown as they were written.
fn changed(normal: &Pair<Properties>, written: &Pair<Properties>) -> Vec<Difference> {
    let mut found = differences(&normal.previous, &normal.next);
    for difference in &mut found {
        let before = written.previous.get(&difference.path).cloned();
        let after = written.next.get(&difference.path).cloned();
        // A default that was written, on one side or both, is shown as such; a value that only the normal form has stands.
        if before != after {
            difference.before = before.or(difference.before.take());
            difference.after = after.or(difference.after.take());
        }
    }
    found
}

/// The options that are written otherwise and the same in the normal form, where the engine takes no notice of them, or would
/// refuse them as they are written.
fn the_same(facts: &Facts<'_>, written: &Pair<Properties>, found: &[Difference]) -> Vec<Difference> {
    let is_meant = |difference: &Difference| {
        let Some(name) = difference.path.key.as_deref().filter(|_| difference.path.head == "options") else { return false };
        let is_overlooked = matches!(facts.backend, Backend::Cql(engine) if takes_no_notice(engine, name));
        let is_known = found.iter().any(|known| known.path == difference.path);
        let is_empty = |side: &Option<Json>| side.as_ref().is_none_or(|side| *side == json!({}));
        // An id that one side says is that of the table which was made. Each table that DESCRIBE prints has `extensions = {}`.
        let has_one = difference.before.is_none() || difference.after.is_none();
        let says_nothing = name == "id" && has_one || is_empty(&difference.before) && is_empty(&difference.after);
        !says_nothing && !is_known && (is_overlooked || difference.after.is_some() && is_refused_option(facts, name))
    };
    differences(&written.previous, &written.next).into_iter().filter(is_meant).collect()
}

/// Amazon Keyspaces' own properties each for itself: each is set in a statement of its own, and to infrastructure code they are
/// arguments of their own.
fn one_by_one(engine: Engine, difference: Difference) -> Vec<Difference> {
    const CUSTOM: &str = "custom_properties";
    if difference.path != Path::entry("options", CUSTOM) {
        return vec![difference];
    }
    let entries = |side: Option<Json>| if let Some(Json::Object(entries)) = side { entries } else { serde_json::Map::new() };
    let (before, after) = (entries(difference.before), entries(difference.after));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let default = |name: &str| serde_json::to_value(default_entry(engine, CUSTOM, name)?).ok();
    let said = |side: Option<&Json>, name: &str| side.cloned().or_else(|| default(name));
    let differ = names.into_iter().filter(|name| said(before.get(*name), name) != said(after.get(*name), name));
    differ
        .map(|name| Difference {
            path: Path::entry(CUSTOM, name),
            before: before.get(name).cloned(),
            after: after.get(name).cloned(),
        })
        .collect()
}

/// Whether a column only comes or goes with the primary key that holds it.
fn follows_the_key(difference: &Difference, pair: Pair<&Table>) -> bool {
    let Some(column) = difference.path.key.as_deref().filter(|_| difference.path.head == "columns") else { return false };
    match (&difference.before, &difference.after) {
        (None, Some(_)) => pair.next.is_key(column),
        (Some(_), None) => pair.previous.is_key(column),
        _ => false,
    }
}
