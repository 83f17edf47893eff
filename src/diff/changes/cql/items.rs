//! What a keyspace or a table holds: types, indexes and views, each a change of its own.

use super::{fields, taken};
use crate::diff::changes::dynamodb::OF_THE_FORMAT;
use crate::diff::changes::shown;
use crate::diff::draft::Draft;
use crate::diff::effects::cql::Item;
use crate::diff::matching::{cql_indexes, types, views};
use crate::diff::properties::{Difference, Path, Properties, differences, properties, sides_of};
use crate::diff::{Action, Pair};
use crate::schema::cql::{Keyspace, Table};
use crate::schema::{About, Address};
use serde_json::Value as Json;

/// A whole item that is new or gone.
pub(super) fn whole<'a>(
    item: Item<'a>,
    address: Address,
    after: Option<Properties>,
    before: Option<Properties>,
    about: Pair<Option<&About>>,
) -> Draft<Item<'a>> {
    let action = if after.is_some() { Action::Add } else { Action::Drop };
    let values = Pair {
        previous: before.map(|before| shown(before, OF_THE_FORMAT)),
        next: after.map(|after| shown(after, OF_THE_FORMAT)),
    };
    Draft::item(item, address, action, values, about)
}

/// An item under another name.
pub(super) fn renamed<'a>(item: Item<'a>, address: &Address, names: Pair<Option<&str>>, about: Pair<&About>) -> Draft<Item<'a>> {
    let (before, after) = (names.previous.map(Json::from), names.next.map(Json::from));
    let mut draft = Draft::property(item, address.clone(), Difference { path: Path::of("name"), before, after }, about);
    draft.action = Action::Rename;
    draft
}

/// An index or view that is new, gone, renamed, or has properties that differ.
fn child<'a>(
    item: Item<'a>,
    address: &Address,
    names: Pair<Option<&str>>,
    sides: Pair<Option<Properties>>,
    about: Pair<Option<&About>>,
    holder: (&About, &'static str),
    drafts: &mut Vec<Draft<Item<'a>>>,
) {
    match (sides.previous, sides.next) {
        (Some(previous), Some(next)) => {
            let (Some(before), Some(after)) = (about.previous, about.next) else { return };
            let about = Pair { previous: before, next: after };
            if names.previous != names.next {
                drafts.push(renamed(item.clone(), address, names, about));
            }
            let found = differences(&previous, &next);
            // Dropped and made again as it was.
            if found.is_empty() && names.previous == names.next {
                let sides = (Some(previous), Some(next));
                drafts.push(taken::again(item, address, Pair { previous: sides.0, next: sides.1 }, about));
                return;
            }
            drafts.extend(found.into_iter().map(|difference| Draft::property(item.clone(), address.clone(), difference, about)));
        }
        (Some(previous), None) => {
            drafts.push(whole(item, address.clone(), None, Some(previous), about).held_in(holder.0, holder.1));
        }
        (None, next) => drafts.push(whole(item, address.clone(), next, None, about)),
    }
}

pub(super) fn types_of(pair: Pair<Option<&Keyspace>>) -> Vec<Draft<Item<'_>>> {
    let mut drafts = Vec::new();
    for found in types(pair) {
        let address = Address::UserType(found.keys.next.or(found.keys.previous).unwrap_or_default().to_owned());
        let about = Pair { previous: found.items.previous.map(|of| &of.about), next: found.items.next.map(|of| &of.about) };
        let item = Item::Type(found.items);
        let take = |of| properties(of, &[], &[]);
        match (found.items.previous, found.items.next) {
            (Some(previous), Some(next)) => {
                let about = Pair { previous: &previous.about, next: &next.about };
                if found.keys.previous != found.keys.next {
                    drafts.push(renamed(item.clone(), &address, found.keys, about));
                }
                drafts.extend(fields::compare(&item, &address, Pair { previous, next }));
            }
            (None, Some(next)) => drafts.push(whole(item, address, Some(take(next)), None, about)),
            (Some(previous), None) => drafts.push(whole(item, address, None, Some(take(previous)), about)),
            (None, None) => {}
        }
    }
    drafts
}

pub(super) fn indexes<'t>(table: &Address, pair: Pair<&'t Table>, drafts: &mut Vec<Draft<Item<'t>>>) {
    for found in cql_indexes(pair).into_iter().filter(|found| !found.is_same() || taken::is_again(pair, "indexes", found.keys)) {
        let name = found.keys.next.or(found.keys.previous).unwrap_or_default();
        let Address::CqlTable(keyspace, of) = table else { continue };
        let address = Address::CqlIndex(keyspace.clone(), of.clone(), name.to_owned());
        let about = Pair { previous: found.items.previous.map(|of| &of.about), next: found.items.next.map(|of| &of.about) };
        let sides = sides_of(found.items, &[], &[], None);
        child(Item::Index(found.items), &address, found.keys, sides, about, (&pair.next.about, "indexes"), drafts);
    }
}

pub(super) fn views_of<'t>(table: &Address, pair: Pair<&'t Table>, drafts: &mut Vec<Draft<Item<'t>>>) {
    for found in views(pair).into_iter().filter(|found| !found.is_same() || taken::is_again(pair, "views", found.keys)) {
        let name = found.keys.next.or(found.keys.previous).unwrap_or_default();
        let Address::CqlTable(keyspace, of) = table else { continue };
        let address = Address::View(keyspace.clone(), of.clone(), name.to_owned());
        let about = Pair { previous: found.items.previous.map(|of| &of.about), next: found.items.next.map(|of| &of.about) };
        let sides = sides_of(found.items, &["options"], &[], None);
        child(Item::View(found.items), &address, found.keys, sides, about, (&pair.next.about, "views"), drafts);
    }
}
