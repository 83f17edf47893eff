//! Step 6: which other entities a condition lets in (model language, section 6.3).

use super::candidate::{Candidate, Title, View};
use super::request::Request;
use super::sort::Shape;
use super::spelling::{Spelling, behind, substitute};
use crate::model::TemplatePart;

/// A condition on a key, as one of the entities that are asked for sees it.
pub(super) struct Asked<'a, 'c, 'm> {
    pub view: &'c View<'m>,
    /// How many leading sort attributes are known.
    pub equal: usize,
    /// What is asked of the next one.
    pub shape: Option<&'a Shape<'m>>,
}

/// The entities that `find` does not name and whose items a read may return.
pub(super) fn others<'c, 'm>(candidate: &'c Candidate<'m>, request: &Request<'m>, asked: &Asked<'_, 'c, 'm>) -> Vec<Title<'m>> {
    unnamed(candidate, request).filter(|(other, _)| lets_in(request, asked, other)).map(|(_, title)| title).collect()
}

/// The entities in a table or index that `find` does not name; those of other models it cannot name.
pub(super) fn unnamed<'c, 'm>(
    candidate: &'c Candidate<'m>,
    request: &Request<'m>,
) -> impl Iterator<Item = (&'c View<'m>, Title<'m>)> {
    let named = |view: &&View<'_>| request.entities.iter().any(|entity| entity.name == view.entity.name);
    let own = candidate.views.iter().filter(move |view| !named(view)).map(|view| (view, view.title()));
    own.chain(candidate.guests.iter().map(|guest| (&guest.view, guest.title())))
}

fn lets_in(request: &Request<'_>, asked: &Asked<'_, '_, '_>, other: &View<'_>) -> bool {
    let ours = asked.view;
    let same = |ours_key: &[TemplatePart], theirs: &[TemplatePart]| {
        let known = Spelling::of(&substitute(ours_key, request), ours.entity);
        known.meets(&Spelling::of(theirs, other.entity)) && behind(ours_key, theirs).is_some_and(|rest| rest.is_empty())
    };
    let partition = ours.partition.iter().zip(&other.partition).all(|(ours, theirs)| same(&ours.parts, &theirs.parts));
    let equal = ours.sort.iter().zip(&other.sort).take(asked.equal).all(|(ours, theirs)| same(&ours.parts, &theirs.parts));
    let last = match (asked.shape, other.sort.get(asked.equal)) {
        (Some(shape), Some(theirs)) => reaches(request, ours, shape, other, &theirs.parts),
        _ => true,
    };
    partition && equal && last
}

/// Whether a condition on one sort attribute reaches the values another entity writes there.
fn reaches(request: &Request<'_>, ours: &View<'_>, shape: &Shape<'_>, other: &View<'_>, theirs: &[TemplatePart]) -> bool {
    let Some(rest) = behind(shape.prefix(), theirs) else { return false };
    let known = Spelling::of(&substitute(shape.prefix(), request), ours.entity);
    let asked = match shape {
        Shape::Prefix(_) | Shape::BeginsWith(..) => known,
        Shape::Range(_, part, range) => {
            // Strings between two values begin with a character between those the values can begin with.
            let first = Spelling::of(std::slice::from_ref(part), ours.entity).first();
            let low = if range.lower.is_some() { *first.start() } else { '\0' };
            let high = if range.upper.is_some() { *first.end() } else { char::MAX };
            known.then(low..=high)
        }
        Shape::Between { low, high, .. } => {
            let first = low.chars().next().unwrap_or('\0')..=high.chars().next().unwrap_or(char::MAX);
            known.then(first)
        }
    };
    let meets = asked.then_anything().meets(&Spelling::of(theirs, other.entity));
    let inside = match shape {
        Shape::Between { low, high, open, .. } => between(low, high, *open, &rest),
        _ => true,
    };
    meets && inside
}

/// Whether texts that a template prints can lie between two texts. Only its first literal is looked at.
fn between(low: &str, high: &str, open: bool, template: &[TemplatePart]) -> bool {
    let Some(TemplatePart::Literal(text)) = template.first() else { return true };
    let closed = template.len() == 1;
    let reaches_low = text.as_str() >= low || (!closed && low.starts_with(text.as_str()));
    let reaches_high = text.as_str() <= high || (open && text.starts_with(high));
    reaches_low && reaches_high
}
