//! What changes of a table that is made anew for another change: the new one is made from the next definition.

use super::overlooked::arguments;
use super::{Facts, Item, gsi};
use crate::diff::draft::Draft;
use crate::diff::{Deploying, Effect, Needs};
use crate::schema::{Backend, Format};

/// Whether a change comes with the new table, whatever it would mean for the one that is there. What is never accepted is not
/// accepted of a new table either, what no source knows stays unknown, and what Terraform overlooks stays as it was.
pub(super) fn comes_along(facts: &Facts<'_>, draft: &Draft<Item<'_>>, effect: &Effect) -> bool {
    let is_settled = matches!(effect.needs, Needs::Nothing | Needs::Unsupported | Needs::Unknown)
        || effect.danger().0 == Deploying::Replaces
        || matches!(effect.rule, Some("ignore-changes" | "gsi-ignore-changes"));
    !is_settled && is_of_the_table(facts, draft)
}

/// Whether a change is of the table's own resource, and not of one that stands beside it.
fn is_of_the_table(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> bool {
    let Some(pair) = facts.both() else { return false };
    match &draft.item {
        Item::Local(_) => true,
        Item::Global(_) if matches!(draft.head(), "autoscaling" | "contributor_insights") => {
            facts.backend == Backend::CloudformationGlobalTable
        }
        Item::Global(index) => !index.previous.into_iter().chain(index.next).any(gsi::is_apart),
        Item::Table if facts.backend.format() == Format::Terraform => !arguments(draft, pair).is_empty(),
        Item::Table => draft.head() != "autoscaling" || facts.backend == Backend::CloudformationGlobalTable,
        _ => false,
    }
}
