//! Steps 3 and 7: which items an index leaves out (model language, section 6.3).

use super::candidate::{KeyAttribute, View};
use super::lack::Lack;
use super::request::Request;
use super::settled::{Settled, Use};

/// The conditions an index takes over because it holds only items for which they hold; what the pattern does not repeat
/// is a lack.
pub(super) fn when<'m>(view: &View<'m>, request: &Request<'m>) -> (Settled<'m>, Vec<Lack<'m>>) {
    let mut settled = Settled::default();
    let mut lacks = Vec::new();
    let conditions = view.key().filter_map(KeyAttribute::when).flat_map(|when| &when.conditions);
    for condition in conditions {
        let repeated = request
            .conditions()
            .iter()
            .find(|asked| asked.attribute.value == condition.attribute.value && asked.comparison == condition.comparison);
        match repeated.map(|asked| Use::of(&asked.comparison)) {
            Some(Some(how)) => settled.exactly(&condition.attribute.value, how),
            _ => lacks.push(Lack::When { condition }),
        }
    }
    (settled, lacks)
}

/// Optional attributes of the key that the pattern does not ask for: items without them are not found.
pub(super) fn hidden<'v>(view: &'v View<'_>, request: &Request<'_>) -> Vec<&'v str> {
    let asked = |name: &str| request.conditions().iter().any(|condition| condition.attribute.value == name);
    let mut names: Vec<&str> = Vec::new();
    for name in view.key().flat_map(KeyAttribute::attributes) {
        let optional = view.entity.attributes.get(name).is_some_and(|attribute| attribute.optional);
        if optional && !asked(name) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
