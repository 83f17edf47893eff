//! Whether two entities of a table can write one key (model language, section 6.2).

use super::candidate::{Candidate, Kind, Title, View};
use super::spelling::{Overlap, overlap};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::source::Span;

/// Compares the table keys of each two entities of a table, over all models that share it. Of two models the one that came
/// later says it.
pub(super) fn judge(candidate: &Candidate<'_>, sink: &mut Sink) {
    if candidate.kind != Kind::Table {
        return;
    }
    for (at, view) in candidate.views.iter().enumerate() {
        let before = candidate.guests.iter().filter(|guest| guest.precedes);
        for guest in before {
            compare(candidate, (&guest.view, guest.title()), view, sink);
        }
        for other in candidate.views.iter().skip(at + 1) {
            compare(candidate, (view, view.title()), other, sink);
        }
    }
}

fn compare(candidate: &Candidate<'_>, (one, title): (&View<'_>, Title<'_>), other: &View<'_>, sink: &mut Sink) {
    // One key attribute that differs is enough.
    let keys = one.key().zip(other.key());
    let alike = keys.map(|(ours, theirs)| overlap((&ours.parts, one.entity), (&theirs.parts, other.entity))).min();
    match alike {
        Some(Overlap::Alike) => sink.push(report(candidate, (one, title), other, true)),
        Some(Overlap::SomeValue) => sink.push(report(candidate, (one, title), other, false)),
        Some(Overlap::Never) | None => {}
    }
}

fn report(candidate: &Candidate<'_>, (one, title): (&View<'_>, Title<'_>), other: &View<'_>, always: bool) -> Diagnostic {
    let theirs = &other.entity.name;
    let (code, message) = if always {
        (
            codes::KEY_COLLISION,
            format!("a `{title}` and a `{theirs}` can have one key in {candidate}: their keys are printed alike"),
        )
    } else {
        (codes::KEY_MAY_COLLIDE, format!("some value could give a `{title}` and a `{theirs}` one key in {candidate}"))
    };
    let diagnostic = Diagnostic::new(code, place(other), message)
        .context(place(one), format!("the key of `{title}`"))
        .label(format!("the key of `{theirs}`"))
        .note("two items with one key are one item: the later overwrites the earlier")
        .help("begin the keys of each entity with a word of its own, as in `ORDER#{id}`")
        .of_entity(theirs);
    let diagnostic = if title.is_own() { diagnostic.of_entity(&one.entity.name) } else { diagnostic };
    diagnostic.at(&candidate.address)
}

/// Where the key of an entity is made.
fn place(view: &View<'_>) -> Span {
    view.key().find_map(|key| key.template.map(|value| value.span)).unwrap_or(view.span)
}
