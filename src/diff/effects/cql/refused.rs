//! Which definitions a backend never accepts: what is refused when it is altered is refused when it is created.

mod compact;
mod index;
mod keyspace;
mod kind;
mod name;
mod sasi;
mod value;
mod view;

pub(super) use sasi::is_of_others as has_strange_analyzer;
pub(super) use value::{flaw as value_flaw, untold as untold_value};
pub(super) use view::option_flaw as view_option_flaw;

use super::{Facts, Item, counts, index as indexes, is_counter, managed, option};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Deploying, Effect, Needs, Pair};
use crate::schema::Backend;
use crate::schema::cql::engine::InTablets;
use crate::schema::cql::{Column, Index, Table, Type, UserType, View, identifier};
use std::collections::BTreeMap;

/// A part of a definition, and the row that may say that it is not accepted.
struct Part {
    pick: Pick,
    /// What it is, in words that the reason of the row can follow.
    what: String,
}

impl Part {
    fn new(rule: &'static str, what: String) -> Self {
        Self { pick: Pick::rule(rule), what }
    }

    /// What becomes of the whole where the row says that the backend does not accept the part or cannot be told it.
    fn effect(&self, facts: &Facts<'_>) -> Option<Effect> {
        let own = self.pick.effect(facts.backend, |_| None);
        let lacks = own.needs == Needs::Unsupported && own.deploying == Deploying::Nothing;
        (lacks || own.deploying == Deploying::Refuses).then(|| Effect {
            needs: Needs::Unsupported,
            reason: format!("{} {}", self.what, own.reason).into(),
            steps: Vec::new().into(),
            statement: None,
            ..own
        })
    }
}

/// The effect, or that of the first part of the next definition that is not accepted.
pub(super) fn of(facts: &Facts<'_>, draft: &Draft<Item<'_>>, effect: Effect) -> Effect {
    let is_settled = effect.deploying == Deploying::Refuses || effect.needs == Needs::Unsupported;
    // Of what goes, only a column is asked about.
    let is_gone = draft.action == Action::Drop && draft.head() != "columns";
    if is_settled || is_gone || managed::is_untold(facts, draft) {
        return effect;
    }
    let found: Vec<Effect> = parts(facts, draft).iter().filter_map(|part| part.effect(facts)).collect();
    let refused = found.iter().find(|found| found.deploying == Deploying::Refuses);
    refused.or(found.first()).cloned().unwrap_or(effect)
}

/// The parts of what a draft makes or changes.
fn parts(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Vec<Part> {
    match &draft.item {
        Item::Keyspace if draft.head().is_empty() => name::keyspace(facts).into_iter().chain(keyspace::parts(facts)).collect(),
        Item::Keyspace if draft.head() == "replication" => keyspace::replication(facts).into_iter().collect(),
        Item::Type(Pair { next: Some(next), .. }) => user_type(facts, draft, next),
        Item::Added => table(facts),
        Item::Table if draft.head() == "columns" => {
            let column = facts.stated.table.and_then(|table| Some((table, table.columns.get_key_value(draft.key())?)));
            let mut parts = column.map(|(table, (name, column))| self::column(facts, table, name, column)).unwrap_or_default();
            parts.extend(compact::altered(facts, draft.action));
            parts
        }
        Item::Index(Pair { next: Some(next), .. }) => {
            facts.tables.next.map(|table| index(facts, table, draft.address.name(), next)).into_iter().collect()
        }
        Item::View(Pair { next: Some(next), .. }) if draft.head() != "options" => {
            facts.tables.next.map(|table| view(facts, table, draft.address.name(), next)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// All that a new table is made of.
fn table(facts: &Facts<'_>) -> Vec<Part> {
    let (Some(stated), Some(normal)) = (facts.stated.table, facts.tables.next) else { return Vec::new() };
    let mut parts: Vec<Part> = name::table(facts, &stated.name).into_iter().collect();
    let refused = stated.managed.refused.iter().filter(|_| facts.backend == Backend::KeyspacesTerraform);
    parts.extend(refused.map(|(path, value)| Part::new("def-resource-value", format!("`{path} = \"{value}\"`:"))));
    parts.extend(stated.columns.iter().flat_map(|(name, column)| self::column(facts, stated, name, column)));
    let mut others = stated.columns.iter().filter(|(name, _)| !stated.is_key(name));
    if let Some((counter, _)) = others.clone().find(|(_, column)| is_counter(&column.kind))
        && others.any(|(_, column)| !is_counter(&column.kind))
    {
        parts.push(Part::new("def-counter-mix", format!("`{counter}` is a counter.")));
    }
    parts.extend(compact::part(facts, stated));
    parts.extend(stated.options.keys().filter_map(|name| option(facts, name, stated, normal)));
    parts.extend(normal.indexes.iter().map(|(name, index)| self::index(facts, normal, name, index)));
    parts.extend(normal.views.iter().flat_map(|(name, view)| self::view(facts, normal, name, view)));
    parts
}

/// A column as it is written.
fn column(facts: &Facts<'_>, table: &Table, name: &str, column: &Column) -> Vec<Part> {
    let none = BTreeMap::new();
    let types = facts.stated.keyspace.map_or(&none, |keyspace| &keyspace.types);
    let mut parts: Vec<Part> = name::column(facts, name).into_iter().collect();
    let written = || format!("`{} {}`", identifier(name), column.kind);
    let what = || written() + ":";
    parts.extend(kind(facts, &column.kind, types, &what));
    // A resource has no place for one.
    if column.extra.is_some() && matches!(facts.backend, Backend::Cql(_)) {
        parts.push(Part::new("opt-mask", what()));
    }
    let is_key = table.is_key(name);
    if is_key && kind::has_no_order(&column.kind, types) {
        parts.push(Part::new("def-key-type", format!("{} is in the key.", written())));
    }
    if column.is_static {
        let is_free = !table.clustering.is_empty() && !is_key;
        // Where there is nothing wrong with it, the resource may yet have no property for it.
        let rule = if is_free { "col-add-static" } else { "def-static" };
        parts.push(Part::new(rule, format!("`{}` is static.", identifier(name))));
    }
    parts
}

/// A type as it is written, of a column or of a field.
fn kind(facts: &Facts<'_>, kind: &Type, types: &BTreeMap<String, UserType>, what: &dyn Fn() -> String) -> Vec<Part> {
    let Some(engine) = facts.backend.engine() else { return Vec::new() };
    // What is refused before anything is deployed comes first.
    let nested = kind::flaw(kind, types);
    let lacking = kind::is_lacking(kind, engine).then_some("def-type");
    let told = name::is_untold(facts.backend, kind).then_some("def-resource-type");
    [told, lacking, nested].into_iter().flatten().map(|rule| Part::new(rule, what())).collect()
}

fn user_type(facts: &Facts<'_>, draft: &Draft<Item<'_>>, next: &UserType) -> Vec<Part> {
    let name = draft.address.name();
    let Some(keyspace) = facts.stated.keyspace else { return Vec::new() };
    let fields = keyspace.types.get(name).unwrap_or(next).fields.iter();
    let touched = fields.filter(|(field, _)| draft.head().is_empty() || draft.key() == field);
    let mut parts: Vec<Part> = name::user_type(facts, name).into_iter().collect();
    for (field, kind) in touched {
        let what = || format!("`{} {kind}`:", identifier(field));
        parts.extend(kind::field_flaw(kind).map(|rule| Part::new(rule, what())));
        parts.extend(self::kind(facts, kind, &keyspace.types, &what));
    }
    parts
}

/// An option that would be refused on a table that is there; None for one that only a new table takes. What a resource has no
/// property for is left out, and the table is made.
fn option(facts: &Facts<'_>, name: &str, stated: &Table, normal: &Table) -> Option<Part> {
    const AT_CREATION: [&str; 2] = ["compact_storage", "id"];
    let none = Table::default();
    let pick = match name {
        _ if AT_CREATION.contains(&name) => return None,
        // To all but Amazon Keyspaces it is unknown.
        "custom_properties" => Pick::rule("opt-capacity"),
        _ => option::pick(facts, name, Action::Add, Pair { previous: &none, next: normal }),
    };
    if pick.effect(facts.backend, |_| None).deploying != Deploying::Refuses {
        return None;
    }
    let what = stated.options.get(name).map_or_else(|| name.to_owned(), |value| format!("{name} = {value}"));
    Some(Part { pick, what: format!("`{what}`:") })
}

fn index(facts: &Facts<'_>, table: &Table, name: &str, index: &Index) -> Part {
    let backend = facts.backend;
    // What an option has by default is judged where it is written.
    let stated = facts.stated.table.and_then(|table| table.indexes.get(name)).unwrap_or(index);
    let index = &Index { options: stated.options.clone(), ..index.clone() };
    let why = name::index_flaw(backend, name)
        .or_else(|| index::class_flaw(backend, index))
        .or_else(|| index::flaw(backend, table, index, facts.next_space()));
    // Of a class that no row is about it is known what no class has.
    let rule = Some(indexes::made(index)).filter(|rule| !rule.is_empty() || why.is_none()).unwrap_or("idx-add-2i");
    let pick = Pick::rule(rule).case(Case::NotIndexable, why.is_some());
    let pick = pick.case(Case::Tablets, on_tablets(facts, InTablets::SecondaryIndexes));
    Part { pick: pick.about(why.map(|why| format!("{why}."))), what: format!("Index `{name}`:") }
}

fn view(facts: &Facts<'_>, table: &Table, name: &str, view: &View) -> Vec<Part> {
    let options = facts.stated_options(name, view);
    let why = view::flaw(facts.backend, table, view, options, facts.next_space());
    let pick = Pick::rule("mv-create").case(Case::NotPossible, why.is_some());
    let pick = pick.case(Case::Tablets, on_tablets(facts, InTablets::Views));
    let own = Part { pick: pick.about(why), what: format!("View `{name}`:") };
    // An option of views alone.
    let synchronous = options
        .contains_key("synchronous_updates")
        .then(|| Part { pick: Pick::rule("opt-sync-updates"), what: format!("View `{name}` with `synchronous_updates`:") });
    name::table(facts, name).into_iter().chain([own]).chain(synchronous).collect()
}

/// Whether a keyspace that says tablets may not hold a part. Of one that says nothing it depends on the node's setting.
fn on_tablets(facts: &Facts<'_>, part: InTablets) -> bool {
    facts.tablets() && facts.says_tablets() && facts.backend.engine().is_some_and(|engine| part.refused_on(engine))
}

/// Whether a table holds counters, of which there is neither an index nor a view.
fn holds_counters(table: &Table) -> Option<&'static str> {
    counts(table).then_some("the table holds counters")
}
