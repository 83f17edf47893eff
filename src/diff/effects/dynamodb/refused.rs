//! Definitions that a backend never accepts, whatever was there before: of a table that is new, and of a change to one that is there.

use super::carried::split;
use super::{Facts, Item, attributes, capacity, checks, gsi, later, lsi, strong};
use crate::diff::Action;
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::schema::dynamodb::{GlobalIndex, Table};

/// Why a definition is never accepted, and which of its properties say so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refused {
    rule: &'static str,
    case: Option<Case>,
    /// Properties; of what is carried along the first name of its path. What is new as a whole says all of them.
    said_in: &'static [&'static str],
}

impl Refused {
    pub(super) fn new(rule: &'static str, said_in: &'static [&'static str]) -> Self {
        Self { rule, case: None, said_in }
    }

    /// The case of the row that it is.
    pub(super) fn case(self, case: Case, holds: bool) -> Self {
        Self { case: holds.then_some(case).or(self.case), ..self }
    }

    fn pick(self) -> Pick {
        let pick = Pick::rule(self.rule);
        if let Some(case) = self.case { pick.case(case, true) } else { pick }
    }

    fn is_said_by(&self, draft: &Draft<Item<'_>>) -> bool {
        let property = if draft.head() == "extra" { split(draft.key()).0 } else { draft.head() };
        self.said_in.contains(&property)
    }
}

/// Why a table that is new is never accepted.
pub(super) fn whole(facts: &Facts<'_>) -> Option<Pick> {
    let table = facts.tables.next?;
    let indexes = table.global_indexes.values().flat_map(|index| of_index(facts, table, index));
    let local = table.local_indexes.values().filter_map(checks::local);
    of_table(facts, table).into_iter().chain(local).chain(indexes).map(Refused::pick).next()
}

/// Why what a change leads to is never accepted.
pub(super) fn change(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Option<Pick> {
    let table = facts.both()?.next;
    let is_new = draft.path.is_none() && draft.action == Action::Add;
    let found = match &draft.item {
        Item::Table => of_table(facts, table),
        Item::Global(pair) => pair.next.map(|index| of_index(facts, table, index)).unwrap_or_default(),
        Item::Local(pair) => pair.next.and_then(checks::local).into_iter().collect(),
        _ => Vec::new(),
    };
    found.into_iter().find(|refused| is_new || refused.is_said_by(draft)).map(Refused::pick)
}

fn of_table(facts: &Facts<'_>, table: &Table) -> Vec<Refused> {
    let definitions = [attributes::refused(table), lsi::refused(table)].into_iter().flatten().map(|rule| Refused::new(rule, &[]));
    definitions
        .chain(capacity::refused(facts, table))
        .chain(later::table(facts, table))
        .chain(strong::refused(facts.backend, table))
        .chain(checks::table(facts, table))
        .collect()
}

fn of_index(facts: &Facts<'_>, table: &Table, index: &GlobalIndex) -> Vec<Refused> {
    let own = gsi::refused(facts.backend, table, index).into_iter().chain(later::index(facts, index));
    own.chain(checks::index(facts.backend, table, index)).collect()
}
