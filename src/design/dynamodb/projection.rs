//! Step 5: whether an index carries what a pattern needs (model language, section 6.3).

use super::candidate::{Candidate, Kind, View};
use super::lack::Lack;
use super::request::Request;
use crate::model::{Consistency, TemplatePart, Where};
use crate::schema::dynamodb::Projection;
use std::collections::BTreeSet;

/// What the pattern needs and an index does not carry.
pub(super) fn projection<'m>(candidate: &Candidate<'m>, view: &View<'m>, request: &Request<'m>) -> Option<Lack<'m>> {
    let listed = match candidate.projection {
        Projection::All => return None,
        Projection::KeysOnly => &BTreeSet::new(),
        Projection::Include(names) => names,
    };
    let spelt: BTreeSet<&str> =
        view.key().chain(&view.table_key).flat_map(|key| key.parts.iter().filter_map(spelt_out)).collect();
    let needed = needed(view, request);
    let missing: Vec<String> =
        needed.into_iter().filter(|name| !listed.contains(*name) && !spelt.contains(name)).map(str::to_owned).collect();
    (!missing.is_empty()).then_some(Lack::Projection { attributes: missing })
}

/// A GSI cannot be read consistently.
pub(super) fn consistency<'m>(candidate: &Candidate<'m>, request: &Request<'m>) -> Option<Lack<'m>> {
    let word = match request.pattern.consistency {
        Consistency::Eventual => return None,
        Consistency::Strong => "strong",
        Consistency::Transactional => "transactional",
    };
    (candidate.kind == Kind::Global).then_some(Lack::Consistency { word })
}

fn needed<'v>(view: &'v View<'_>, request: &'v Request<'_>) -> Vec<&'v str> {
    let attributes = &view.entity.attributes;
    let selected: Vec<&str> = if request.select.is_empty() {
        attributes.keys().map(String::as_str).collect()
    } else {
        request.select.iter().copied().filter(|name| attributes.contains_key(*name)).collect()
    };
    let filtered = request.pattern.filter.iter().flat_map(Where::attributes);
    let mut all: Vec<&str> = selected.into_iter().chain(filtered.filter(|name| attributes.contains_key(*name))).collect();
    let mut seen = BTreeSet::new();
    all.retain(|name| seen.insert(*name));
    all
}

/// The attribute whose value can be read out of a key: bare or padded.
fn spelt_out(part: &TemplatePart) -> Option<&str> {
    match part {
        TemplatePart::Attribute { name, case: None, .. } => Some(name),
        _ => None,
    }
}
