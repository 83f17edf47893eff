//! Indexes of a table that are new, gone, or have properties that differ: local and global ones alike.

use super::sides::{changed, values_in_force};
use super::{key, shown};
use crate::diff::draft::Draft;
use crate::diff::effects::dynamodb::Item;
use crate::diff::matching::Match;
use crate::diff::properties::{Also, Parameters, Path, Properties, sides_of};
use crate::diff::{Action, Context, Pair};
use crate::schema::{About, Address};
use serde::Serialize;
use serde_json::json;

/// The indexes of one table.
pub(super) struct Indexes<'c> {
    pub(super) context: &'c Context,
    /// The key of the table.
    pub(super) table: &'c str,
    /// What is known about the table in next.
    pub(super) about: &'c About,
    pub(super) parameters: Pair<&'c Parameters>,
    /// What counts as a difference though it is written alike, where parameters differ.
    pub(super) also: Also,
}

/// A kind of index: the property of the table that holds them, the address and the item of one, and what is known about it.
type Kind<'a, T> = (&'static str, fn(String, String) -> Address, fn(Pair<Option<&'a T>>) -> Item<'a>, fn(&T) -> &About);

impl Indexes<'_> {
    /// What differs between two indexes that are one, or the whole of one that has no counterpart.
    pub(super) fn compare<'a, T: Serialize + PartialEq>(
        &self,
        found: &Match<'a, &'a str, T>,
        (held_in, address, item, about): Kind<'a, T>,
        drafts: &mut Vec<Draft<Item<'a>>>,
    ) {
        let items = found.items;
        if self.also.is_none() && items.previous == items.next {
            return;
        }
        let address = address(self.table.to_owned(), key(self.context, found.keys).to_owned());
        let about = Pair { previous: items.previous.map(about), next: items.next.map(about) };
        let item = item(items);
        // The name is shown where it is not what the index is addressed by.
        let whole = |properties: Properties| {
            let named = properties.get(&Path::of("name")).is_some_and(|name| *name == json!(address.name()));
            shown(properties, if named { &["name", "extra"] } else { &["extra"] })
        };
        let sides = sides_of(items, &["extra"], &[], self.also);
        match (sides.previous, sides.next) {
            (Some(previous), Some(next)) => {
                let (Some(before), Some(after)) = (about.previous, about.next) else { return };
                for difference in changed(&Pair { previous, next }, self.parameters, &[]) {
                    let about = Pair { previous: before, next: after };
                    let mut draft = Draft::property(item.clone(), address.clone(), difference, about);
                    draft.in_force = values_in_force(&draft, self.parameters);
                    if draft.head() == "name" {
                        draft.action = Action::Rename;
                    }
                    drafts.push(draft);
                }
            }
            (None, Some(next)) => {
                let pair = Pair { previous: None, next: Some(whole(next)) };
                drafts.push(Draft::item(item, address, Action::Add, pair, about));
            }
            (Some(previous), None) => {
                let pair = Pair { previous: Some(whole(previous)), next: None };
                drafts.push(Draft::item(item, address, Action::Drop, pair, about).held_in(self.about, held_in));
            }
            (None, None) => {}
        }
    }
}
