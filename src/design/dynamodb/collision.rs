//! Whether two entities of a table can write one key (model language, section 6.2).

use super::candidate::{Candidate, Kind, View};
use super::spelling::{Overlap, overlap};
use crate::diagnostic::{Diagnostic, Sink, codes};

/// Compares the table keys of each two entities of a table.
pub(super) fn judge(candidate: &Candidate<'_>, sink: &mut Sink) {
    if candidate.kind != Kind::Table {
        return;
    }
    for (at, one) in candidate.views.iter().enumerate() {
        for other in candidate.views.iter().skip(at + 1) {
            // One key attribute that differs is enough.
            let keys = one.key().zip(other.key());
            let alike = keys.map(|(ours, theirs)| overlap((&ours.parts, one.entity), (&theirs.parts, other.entity))).min();
            match alike {
                Some(Overlap::Alike) => sink.push(report(candidate, one, other, true)),
                Some(Overlap::SomeValue) => sink.push(report(candidate, one, other, false)),
                Some(Overlap::Never) | None => {}
            }
        }
    }
}

fn report(candidate: &Candidate<'_>, one: &View<'_>, other: &View<'_>, always: bool) -> Diagnostic {
    let place = |view: &View<'_>| {
        let template = view.key().find_map(|key| key.template.map(|value| value.span));
        let holding = candidate.table.holds.iter().find(|holding| holding.entity.value == view.entity.name);
        template.or(holding.map(|holding| holding.entity.span)).unwrap_or(candidate.span)
    };
    let (ours, theirs) = (&one.entity.name, &other.entity.name);
    let (code, message) = if always {
        (
            codes::KEY_COLLISION,
            format!("a `{ours}` and a `{theirs}` can have one key in {candidate}: their keys are printed alike"),
        )
    } else {
        (codes::KEY_MAY_COLLIDE, format!("some value could give a `{ours}` and a `{theirs}` one key in {candidate}"))
    };
    Diagnostic::new(code, place(other), message)
        .context(place(one), format!("the key of `{ours}`"))
        .label(format!("the key of `{theirs}`"))
        .note("two items with one key are one item: the later overwrites the earlier")
        .help("begin the keys of each entity with a word of its own, as in `ORDER#{id}`")
        .of_entity(theirs)
        .of_entity(ours)
        .at(&candidate.address)
}
