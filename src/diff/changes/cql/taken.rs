//! What statements that are still to be run take on the way to next, though it is there again: by what reading them noted.

use super::{MAPS, TABLE_APART};
use crate::diff::changes::dynamodb::OF_THE_FORMAT;
use crate::diff::changes::shown;
use crate::diff::draft::Draft;
use crate::diff::effects::cql::Item;
use crate::diff::properties::{Difference, Path, Properties, properties};
use crate::diff::{Action, Pair};
use crate::schema::cql::Table;
use crate::schema::{About, Address};
use crate::source::Span;

/// A table that is dropped and created again, whatever differs in it.
pub(super) fn whole<'t>(address: &Address, pair: Pair<&'t Table>) -> Option<Draft<Item<'t>>> {
    let span = pair.next.about.taken.get("")?;
    let table = |table| Some(super::whole_table(table));
    let sides = Pair { previous: table(pair.previous), next: table(pair.next) };
    let about = Pair { previous: Some(&pair.previous.about), next: None };
    Some(Draft::item(Item::Remade, address.clone(), Action::Modify, sides, about).held_in(&About::at(*span), ""))
}

/// The rows of a table, and the columns that are dropped and added again: of these two changes each, whatever differs in them.
pub(super) fn parts<'t>(address: &Address, pair: Pair<&Table>, found: &mut Vec<Difference>) -> Vec<Draft<Item<'t>>> {
    let mut drafts = Vec::new();
    let about = Pair { previous: &pair.previous.about, next: &pair.next.about };
    let draft = |difference, span: Span| {
        Draft::property(Item::Table, address.clone(), difference, about).held_in(&About::at(span), "columns")
    };
    for (taken, span) in &pair.next.about.taken {
        if taken == "rows" {
            let draft = draft(Difference { path: Path::of("rows"), before: None, after: None }, *span);
            drafts.push(Draft { action: Action::Modify, ..draft });
        }
        let Some(column) = taken.strip_prefix("columns.") else { continue };
        if pair.previous.columns.contains_key(column) && pair.next.columns.contains_key(column) {
            let path = Path::entry("columns", column);
            found.retain(|difference| difference.path != path);
            let value = |table: &Table| properties(table, MAPS, TABLE_APART).remove(&path);
            let (before, after) = (value(pair.previous), value(pair.next));
            drafts.push(draft(Difference { path: path.clone(), before, after: None }, *span));
            drafts.push(Draft::property(Item::Table, address.clone(), Difference { path, before: None, after }, about));
        }
    }
    drafts
}

/// Whether an index or a view of one name is dropped and made again.
pub(super) fn is_again(pair: Pair<&Table>, map: &str, names: Pair<Option<&str>>) -> bool {
    names.previous == names.next && names.next.is_some_and(|name| pair.next.about.taken.contains_key(&format!("{map}.{name}")))
}

/// An index or a view that is dropped and made again as it was.
pub(super) fn again<'t>(
    item: Item<'t>,
    address: &Address,
    sides: Pair<Option<Properties>>,
    about: Pair<&About>,
) -> Draft<Item<'t>> {
    let show = |side: Option<Properties>| side.map(|side| shown(side, OF_THE_FORMAT));
    let sides = Pair { previous: show(sides.previous), next: show(sides.next) };
    let about = Pair { previous: Some(about.previous), next: Some(about.next) };
    Draft::item(item, address.clone(), Action::Modify, sides, about)
}
