//! Secondary indexes and materialized views.

use super::refused::{has_strange_analyzer, view_option_flaw};
use super::{Facts, Item, option};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Needs, Pair};
use crate::schema::cql::{Index, Type, View};

pub(super) fn index(facts: &Facts<'_>, draft: &Draft<Item<'_>>, pair: Pair<Option<&Index>>) -> Pick {
    let made = pair.next.or(pair.previous).map_or("", made);
    match (draft.action, draft.head()) {
        (Action::Add | Action::Modify, _) if is_untold(facts, made, pair.next) => Pick::unknown_because(STRANGE),
        (Action::Add, "") if converts(facts, pair) => Pick::rule("idx-2i-to-sai").or(made),
        (Action::Drop, "") if converts(facts, pair) => Pick::rule("idx-2i-to-sai").or("idx-drop"),
        (Action::Add, "") if !made.is_empty() => Pick::rule(made),
        (Action::Add, "") => Pick::unknown(),
        (Action::Drop, "") => Pick::rule("idx-drop").or("idx-add-2i"),
        // The engine has no index of the class.
        _ if Pick::rule(made).effect(facts.backend, |_| None).needs == Needs::Unsupported => Pick::rule(made),
        _ => Pick::rule("idx-change").or("idx-add-2i"),
    }
}

/// Why nothing is known of an index with an analyzer of somebody else.
const STRANGE: &str = "its analyzer is none of the engine's own, and what that takes is not known here";

/// Whether an engine has indexes of the class, and the index one that depends on what is not known here.
fn is_untold(facts: &Facts<'_>, made: &'static str, next: Option<&Index>) -> bool {
    let is_there = || Pick::rule(made).effect(facts.backend, |_| None).needs != Needs::Unsupported;
    made == "idx-add-sasi" && next.is_some_and(has_strange_analyzer) && is_there()
}

/// The row of an index that is made; empty for a class that no row knows.
pub(super) fn made(index: &Index) -> &'static str {
    match index.using.as_deref() {
        _ if !index.local.is_empty() => "idx-add-local",
        None => "idx-add-2i",
        Some("sai") => "idx-add-sai",
        Some(class) if class.ends_with("SASIIndex") => "idx-add-sasi",
        Some(_) => "",
    }
}

/// Whether a legacy index and one of SAI take turns on one column.
fn converts(facts: &Facts<'_>, pair: Pair<Option<&Index>>) -> bool {
    let Some(tables) = facts.both() else { return false };
    let new = |index: &Index| index.using.as_deref() == Some("sai");
    let legacy = |index: &Index| index.using.is_none() && index.local.is_empty();
    match (pair.previous, pair.next) {
        (None, Some(next)) => {
            let gone = tables.previous.indexes.iter().filter(|(name, _)| !tables.next.indexes.contains_key(name));
            new(next) && gone.map(|(_, index)| index).any(|index| legacy(index) && index.column == next.column)
        }
        (Some(previous), None) => {
            let came = tables.next.indexes.iter().filter(|(name, _)| !tables.previous.indexes.contains_key(name));
            legacy(previous) && came.map(|(_, index)| index).any(|index| new(index) && index.column == previous.column)
        }
        _ => false,
    }
}

/// The types of the values that are indexed.
pub(super) fn indexed<'a>(index: &Index, kind: &'a Type) -> Vec<&'a Type> {
    match (kind, index.target.as_deref()) {
        (Type::Map(key, _), Some("keys")) => vec![key],
        (Type::Map(key, value), Some("entries")) => vec![key, value],
        (Type::Map(_, of) | Type::List(of) | Type::Set(of), _) => vec![of],
        _ => vec![kind],
    }
}

/// The indexed columns as a statement names them behind those of a local index: `values(tags)`.
pub(super) fn target(index: &Index) -> String {
    Index { local: Vec::new(), ..index.clone() }.targets()
}

pub(super) fn view(facts: &Facts<'_>, draft: &Draft<Item<'_>>, pair: Pair<Option<&View>>) -> Pick {
    match (draft.action, draft.head()) {
        (Action::Add, "") if pair.previous.is_none() => Pick::rule("mv-create"),
        (Action::Drop, "") if pair.next.is_none() => Pick::rule("mv-drop").or("mv-create"),
        (Action::Drop, "options") if option::is_foreign(facts, draft.key()) => Pick::rule("opt-gone"),
        (_, "options") if draft.key() == "synchronous_updates" => Pick::rule("opt-sync-updates"),
        (_, "options") => {
            let flaw = pair.next.and_then(|view| {
                let options = facts.stated_options(draft.address.name(), view);
                view_option_flaw(facts.backend, options, draft.key())
            });
            Pick::rule("mv-options").or("mv-create").case(Case::BadValue, flaw.is_some()).about(flaw)
        }
        _ => Pick::rule("mv-def").or("mv-create"),
    }
}
