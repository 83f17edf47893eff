//! What the changes of one table do together: services and tools look at all of them at once.

use super::{Facts, Item, attributes, settings};
use crate::diff::Action;
use crate::diff::draft::Draft;
use crate::schema::is_computed;

/// Counts of them, and what is said of the table as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Together {
    /// Global indexes that are new, renamed ones included.
    pub(super) global_added: usize,
    /// Global indexes that are gone, renamed ones included.
    pub(super) global_dropped: usize,
    /// Any index changes, its keys or its being there.
    pub(super) any_index: bool,
    /// Some index is given or named by an expression: it may be one that is gone or new.
    pub(super) index_computed: bool,
    /// A local index is new, gone or renamed.
    pub(super) local_set: bool,
    /// The physical name changes.
    pub(super) renamed: bool,
    /// An index keeps its capacity while the table goes on demand.
    pub(super) index_keeps_capacity: bool,
    /// Replicas that are new.
    pub(super) replicas_added: usize,
    /// Replicas that are gone.
    pub(super) replicas_dropped: usize,
}

impl Together {
    pub(super) fn of(facts: &Facts<'_>, drafts: &[Draft<Item<'_>>]) -> Self {
        let mut together = Self::default();
        for draft in drafts {
            let whole = draft.path.is_none();
            let renamed = draft.action == Action::Rename;
            let is_index = matches!(draft.item, Item::Global(_) | Item::Local(_));
            together.index_computed |= is_index && whole && is_computed(draft.address.name());
            match &draft.item {
                Item::Global(_) => {
                    together.any_index = true;
                    together.global_added += usize::from(renamed || (whole && draft.action == Action::Add));
                    together.global_dropped += usize::from(renamed || (whole && draft.action == Action::Drop));
                }
                Item::Local(_) => {
                    together.any_index = true;
                    together.local_set |= whole || renamed;
                }
                _ => together.renamed |= draft.head() == "name",
            }
        }
        together.index_keeps_capacity = facts
            .tables
            .next
            .is_some_and(|table| table.global_indexes.values().any(|index| settings::has_capacity(index.throughput.as_ref())));
        if let Some(pair) = facts.both() {
            together.index_computed |= [pair.previous, pair.next].into_iter().any(attributes::has_open_indexes);
            let (previous, next) = (&pair.previous.replicas, &pair.next.replicas);
            together.replicas_added = next.keys().filter(|region| !previous.contains_key(*region)).count();
            together.replicas_dropped = previous.keys().filter(|region| !next.contains_key(*region)).count();
        }
        together
    }
}
