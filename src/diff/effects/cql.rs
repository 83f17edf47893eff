//! Which row each change of a keyspace, a type or a table falls under on one backend, and its statement.

mod column;
mod index;
mod keyspace;
mod managed;
mod option;
mod overlooked;
mod refused;
mod types;

pub(in crate::diff) use option::is_refused as is_refused_option;

use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Effect, Pair};
use crate::schema::cql::{Index, Keyspace, OptionValue, Schema, Table, Type, UserType, View, identifier};
use crate::schema::{Backend, Engine, Family};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// What a draft is about.
#[derive(Clone, Debug)]
pub(in crate::diff) enum Item<'a> {
    /// A keyspace or a property of it.
    Keyspace,
    /// A user type or a field of it.
    Type(Pair<Option<&'a UserType>>),
    /// A property of a table that both sides have.
    Table,
    /// A table that is new.
    Added,
    /// A table that is dropped and created again under its name.
    Remade,
    /// A table that was kept and is in the model again.
    Returned,
    /// A table that is gone.
    Dropped {
        /// It left the model and stays in the keyspace.
        kept: bool,
    },
    /// A secondary index or a property of it.
    Index(Pair<Option<&'a Index>>),
    /// A materialized view or a property of it.
    View(Pair<Option<&'a View>>),
}

/// What stands around the changes of one keyspace or table on one backend; schemas in the engine's normal form.
#[derive(Clone, Debug)]
pub(in crate::diff) struct Facts<'a> {
    pub(in crate::diff) backend: Backend,
    pub(in crate::diff) schemas: Pair<&'a Schema>,
    /// The keyspace's name on each side.
    pub(in crate::diff) keyspace: Pair<Option<&'a str>>,
    /// The table, where the changes are those of one; previous with its key columns renamed.
    pub(in crate::diff) tables: Pair<Option<&'a Table>>,
    /// What next says, as it is written.
    pub(in crate::diff) stated: Stated<'a>,
}

/// What next says in its own words, in which an engine may refuse what is the same as another thing to it.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::diff) struct Stated<'a> {
    pub(in crate::diff) keyspace: Option<&'a Keyspace>,
    pub(in crate::diff) table: Option<&'a Table>,
}

impl<'a> Facts<'a> {
    /// Facts about a keyspace.
    pub(in crate::diff) fn new(backend: Backend, schemas: Pair<&'a Schema>, keyspace: Pair<Option<&'a str>>) -> Self {
        Self { backend, schemas, keyspace, tables: Pair::default(), stated: Stated::default() }
    }

    /// The table on both sides.
    pub(super) fn both(&self) -> Option<Pair<&'a Table>> {
        Some(Pair { previous: self.tables.previous?, next: self.tables.next? })
    }

    /// Whether the table is one that Terraform or a stack had let go of before.
    fn is_let_go(&self) -> bool {
        !matches!(self.backend, Backend::Cql(_)) && self.tables.previous.is_some_and(|table| table.kept)
    }

    /// The keyspace in next, else in previous.
    pub(super) fn space(&self) -> Option<&'a Keyspace> {
        self.next_space().or_else(|| self.previous_space())
    }

    /// The options of a view of next as they are written: an engine may refuse a spelling of what it has.
    pub(super) fn stated_options(&self, name: &str, view: &'a View) -> &'a BTreeMap<String, OptionValue> {
        let stated = self.stated.table.and_then(|table| table.views.get(name));
        &stated.unwrap_or(view).options
    }

    /// The keyspace in next.
    pub(super) fn next_space(&self) -> Option<&'a Keyspace> {
        self.schemas.next.keyspaces.get(self.keyspace.next?)
    }

    /// The keyspace of previous.
    pub(super) fn previous_space(&self) -> Option<&'a Keyspace> {
        self.schemas.previous.keyspaces.get(self.keyspace.previous?)
    }

    /// Whether the keyspace spreads its data as tablets: where it says so, else as ScyllaDB's stock configuration has it.
    pub(super) fn tablets(&self) -> bool {
        self.backend.engine().zip(self.space()).is_some_and(|(engine, space)| on_tablets(engine, space))
    }

    /// Whether the definition itself says so or otherwise.
    pub(super) fn says_tablets(&self) -> bool {
        self.space().is_some_and(|space| space.options.contains_key("tablets"))
    }

    /// Whether that of previous did.
    pub(super) fn said_tablets(&self) -> bool {
        self.previous_space().is_some_and(|space| space.options.contains_key("tablets"))
    }

    /// Whether it spread them so in previous.
    pub(super) fn had_tablets(&self) -> bool {
        self.backend.engine().zip(self.previous_space()).is_some_and(|(engine, space)| on_tablets(engine, space))
    }
}

/// Whether an engine spreads the data of a keyspace as tablets.
pub(in crate::diff) fn on_tablets(engine: Engine, keyspace: &Keyspace) -> bool {
    engine.family() == Family::Scylla
        && match keyspace.options.get("tablets") {
            Some(OptionValue::Map(tablets)) => tablets.get("enabled").is_none_or(|enabled| enabled != "false"),
            Some(_) => true,
            None => keyspace.replication.get("class").is_some_and(|class| class == "NetworkTopologyStrategy"),
        }
}

/// Whether a table holds counters.
pub(super) fn counts(table: &Table) -> bool {
    table.columns.values().any(|column| is_counter(&column.kind))
}

pub(super) fn is_counter(kind: &Type) -> bool {
    matches!(kind, Type::Native(name) if *name == "counter")
}

/// Of a table that an import block takes in.
const TAKEN_IN: &str = "An import block takes in the table that exists, and what that is, is not known here. Terraform then updates what \
                        differs, or makes the table anew: `terraform plan` shows which.";

/// Finds the effect of a change.
pub(in crate::diff) fn effect(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Effect {
    let pick = pick(facts, draft).case(Case::ReplaceableName, managed::is_replaceable(facts));
    let effect = managed::guard(facts, draft, renamed(facts, draft, pick));
    overlooked::effect(facts, draft, &effect).unwrap_or_else(|| refused::of(facts, draft, effect))
}

/// The effect of `pick`; where a column goes for one of another name, with what that takes.
fn renamed(facts: &Facts<'_>, draft: &Draft<Item<'_>>, pick: Pick) -> Effect {
    let of = |pick: Pick| pick.effect(facts.backend, |name| fill(facts, draft, name));
    let effect = of(pick);
    let Some(next) = renamed_to(facts, draft) else { return effect };
    // What has no statement is a new column and one that goes: the plan says how to get the values over first.
    let rename = of(Pick::rule("col-rename"));
    let reason = format!("It is to be called `{next}`. {} {}", rename.reason, effect.reason).into();
    let steps = [rename.steps, effect.steps].concat().into();
    let others = effect.evidence.iter().filter(|source| !rename.evidence.contains(source));
    let evidence: Vec<String> = rename.evidence.iter().chain(others).cloned().collect();
    Effect { reason, steps, evidence: evidence.into(), ..effect }
}

/// The column that takes the place of one that goes, by what the model says of its name.
fn renamed_to<'a>(facts: &Facts<'a>, draft: &Draft<Item<'_>>) -> Option<&'a str> {
    let next = facts.tables.next?;
    if draft.head() != "columns" || draft.after.is_some() || draft.action != Action::Drop {
        return None;
    }
    let (path, _) = next.about.renamed_from.iter().find(|(_, before)| *before == draft.key())?;
    let name = path.strip_prefix("columns.")?;
    (!facts.tables.previous?.columns.contains_key(name)).then_some(name)
}

fn pick(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Pick {
    if managed::is_untold(facts, draft) {
        return Pick::unknown_because(super::COMPUTED);
    }
    if let Some(pick) = managed::pick(facts, draft) {
        return pick;
    }
    match &draft.item {
        Item::Keyspace => keyspace::pick(facts, draft),
        Item::Type(pair) => types::pick(facts, draft, *pair),
        Item::Added if managed::is_taken_in(facts, draft) => Pick::unknown_because(TAKEN_IN),
        Item::Added => {
            Pick::rule("tbl-create").case(Case::CountersOnTablets, facts.tablets() && facts.tables.next.is_some_and(counts))
        }
        Item::Remade => Pick::rule("tbl-recreate"),
        Item::Returned => Pick::rule("table-returns"),
        // Infrastructure code has let go of a kept table: that the model now says destroy does nothing.
        Item::Dropped { kept } if *kept || facts.is_let_go() || managed::stays(facts, draft) => Pick::rule("table-kept"),
        Item::Dropped { .. } => Pick::rule("tbl-drop"),
        Item::Index(pair) => index::index(facts, draft, *pair),
        Item::View(pair) => index::view(facts, draft, *pair),
        Item::Table => table(facts, draft),
    }
}

/// A property of a table.
fn table(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Pick {
    let Some(pair) = facts.both() else { return Pick::unknown() };
    match draft.head() {
        "name" => Pick::rule("tbl-rename"),
        "rows" => Pick::rule("tbl-truncate"),
        "keyspace" => Pick::rule("tbl-move-ks"),
        "partition_key" => Pick::rule(if regrouped(pair) { "pk-partition" } else { into_key(pair).unwrap_or("pk-partition") }),
        "clustering" => Pick::rule(clustering(pair)),
        "columns" => column::pick(facts, draft, pair),
        "options" => option::pick(facts, draft.key(), draft.action, pair),
        "extra" if draft.is_behind() => Pick::unknown_because(super::BEHIND),
        "extra" if draft.key().starts_with("timeouts") => Pick::rule("guard-change"),
        // What becomes of one that is no longer written is not known.
        "extra" if IN_PLACE.contains(&draft.key()) && draft.action != Action::Drop => Pick::rule("opt-template-property"),
        "custom_properties" => option::custom(facts, draft),
        _ => Pick::unknown(),
    }
}

/// Properties of `AWS::Cassandra::Table` that only a template says, and that are updated in place.
const IN_PLACE: [&str; 2] = ["ReplicaSpecifications", "WarmThroughput"];

/// The columns of the primary key.
fn keys(table: &Table) -> Vec<&String> {
    table.partition_key.iter().chain(table.clustering.iter().map(|key| &key.column)).collect()
}

/// Whether the key has the same columns in other places.
fn regrouped(pair: Pair<&Table>) -> bool {
    let (mut previous, mut next) = (keys(pair.previous), keys(pair.next));
    previous.sort_unstable();
    next.sort_unstable();
    previous == next
}

/// Whether a column that is there on both sides moves into the key or out of it.
fn into_key(pair: Pair<&Table>) -> Option<&'static str> {
    let other = |table: &Table, column: &str| table.columns.contains_key(column) && !table.is_key(column);
    let moves = keys(pair.next).into_iter().any(|key| other(pair.previous, key))
        || keys(pair.previous).into_iter().any(|key| other(pair.next, key));
    moves.then_some("pk-regular-into-key")
}

fn clustering(pair: Pair<&Table>) -> &'static str {
    let columns = |table: &'_ Table| -> Vec<String> { table.clustering.iter().map(|key| key.column.clone()).collect() };
    if columns(pair.previous) == columns(pair.next) { "pk-order" } else { into_key(pair).unwrap_or("pk-clustering") }
}

/// The text for a placeholder of a statement.
fn fill(facts: &Facts<'_>, draft: &Draft<Item<'_>>, name: &str) -> Option<String> {
    let text = |json: &Option<Json>| json.as_ref().and_then(Json::as_str).map(identifier);
    let own = || Some(identifier(draft.address.name()));
    match name {
        // A text without `USE` names none: what is in it is called by its name alone.
        "ks" => facts
            .keyspace
            .next
            .or(facts.keyspace.previous)
            .map(|name| if name.is_empty() { String::new() } else { identifier(name) }),
        "t" => facts.tables.next.or(facts.tables.previous).map(|table| identifier(&table.name)),
        "v" if matches!(draft.item, Item::View(_)) => own(),
        "i" if matches!(draft.item, Item::Index(_)) => own(),
        "u" => own(),
        "v" => {
            let tables = facts.both()?;
            tables.previous.views.keys().find(|view| tables.next.views.contains_key(view)).map(|view| identifier(view))
        }
        "i" => {
            facts.tables.previous?.indexes.iter().find(|(_, index)| index.column == draft.key()).map(|(name, _)| identifier(name))
        }
        "c" => match &draft.item {
            Item::Index(pair) => pair.next.or(pair.previous).map(index::target),
            _ => Some(identifier(draft.key())),
        },
        "f" => Some(identifier(draft.key())),
        "pk" => match &draft.item {
            Item::Index(pair) => Some(pair.next?.local.iter().map(|column| identifier(column)).collect::<Vec<_>>().join(", ")),
            _ => None,
        },
        "type" => {
            let after = draft.after.as_ref()?;
            after.get("type").unwrap_or(after).as_str().map(str::to_owned)
        }
        "column" => {
            let next = facts.tables.next?.columns.get(draft.key())?;
            let mask = next.extra.iter().map(String::as_str);
            let kind = next.kind.to_string();
            let parts: Vec<&str> = std::iter::once(kind.as_str()).chain(next.is_static.then_some("STATIC")).chain(mask).collect();
            Some(parts.join(" "))
        }
        "mask" => {
            let next = facts.tables.next?.columns.get(draft.key())?;
            Some(next.extra.clone().unwrap_or_else(|| "DROP MASKED".to_owned()))
        }
        "previous" => text(&draft.before),
        "next" => text(&draft.after),
        "option" => Some(draft.key().to_owned()),
        "value" => option::value(facts, draft),
        "source_dc" => {
            let centres =
                || facts.previous_space().into_iter().flat_map(|space| space.replication.keys()).filter(|key| *key != "class");
            // One that stays has the rows afterwards, too.
            let stays = |centre: &&String| facts.next_space().is_some_and(|space| space.replication.contains_key(*centre));
            centres().find(stays).or_else(|| centres().next()).cloned()
        }
        "current" => facts.space().map(|space| space.durable_writes.unwrap_or(true).to_string()),
        _ => None,
    }
}
