//! Fields of a user type: their order is part of the type, and appending is the only way to add one.

use crate::diff::draft::Draft;
use crate::diff::effects::cql::Item;
use crate::diff::properties::{Difference, Path};
use crate::diff::{Action, Pair};
use crate::schema::Address;
use crate::schema::cql::{Type, UserType};
use serde_json::Value as Json;

/// What differs between two types that are one, field by field.
pub(super) fn compare<'a>(item: &Item<'a>, address: &Address, pair: Pair<&UserType>) -> Vec<Draft<Item<'a>>> {
    let (previous, next) = (&pair.previous.fields, &pair.next.fields);
    let find = |fields: &[(String, Type)], name: &str| fields.iter().position(|(field, _)| field == name);
    let mut found = Vec::new();
    let mut renamed_to = Vec::new();
    for (at, (name, kind)) in previous.iter().enumerate() {
        match (find(next, name).and_then(|place| next.get(place)), next.get(at)) {
            (Some((_, other)), _) if other == kind => {}
            (Some((_, other)), _) => found.push((Action::Modify, name, Some(text(kind)), Some(text(other)))),
            // The same type in the same place under a name that was not there: it has another name.
            (None, Some((other, same))) if same == kind && find(previous, other).is_none() => {
                renamed_to.push(other);
                found.push((Action::Rename, other, Some(Json::from(name.as_str())), Some(Json::from(other.as_str()))));
            }
            (None, _) => found.push((Action::Drop, name, Some(text(kind)), None)),
        }
    }
    for (name, kind) in next {
        if find(previous, name).is_none() && !renamed_to.contains(&name) {
            found.push((Action::Add, name, None, Some(text(kind))));
        }
    }
    let about = Pair { previous: &pair.previous.about, next: &pair.next.about };
    let mut drafts: Vec<_> = found
        .into_iter()
        .map(|(action, name, before, after)| {
            let difference = Difference { path: Path::entry("fields", name), before, after };
            let mut draft = Draft::property(item.clone(), address.clone(), difference, about);
            draft.action = action;
            draft
        })
        .collect();
    if drafts.is_empty() && previous != next {
        let names = |fields: &[(String, Type)]| Some(fields.iter().map(|(name, _)| name.as_str()).collect::<Json>());
        let difference = Difference { path: Path::of("fields"), before: names(previous), after: names(next) };
        drafts.push(Draft::property(item.clone(), address.clone(), difference, about));
    }
    drafts
}

fn text(kind: &Type) -> Json {
    Json::from(kind.to_string())
}
