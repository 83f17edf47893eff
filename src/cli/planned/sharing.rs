//! What models that share tables mean for one another, once each is designed.

use super::design::Designed;
use super::groups::Group;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::source::SourceMap;
use crate::validate::{self, SharedTable};

/// Notes in each owner's design who shares its tables, and what the patterns of others use of them: anything, while one of them
/// is wrong.
pub(super) fn note_uses(tables: &[SharedTable], all: &mut [(Option<Designed>, Sink)]) {
    for table in tables {
        let sharers: Vec<_> = table.sharers.iter().filter_map(|part| all.get(part.member)).collect();
        let good = sharers.iter().map(|(designed, said)| designed.as_ref().filter(|_| !said.has_errors()));
        let used: Option<Vec<_>> = good.map(|sharer| Some(sharer?.design.uses(&table.key).collect::<Vec<_>>())).collect();
        if let Some((Some(owner), _)) = all.get_mut(table.owner.member) {
            let used = used.map_or_else(|| owner.design.addresses(&table.key), |used| used.concat());
            owner.design.used_elsewhere.extend(used);
            owner.sharers.extend(table.sharers.iter().map(|sharer| (table.key.clone(), sharer.name.clone())));
        }
    }
}

/// What is wrong with one model leaves open what is true of a table that it shares. Of its owner a table says so always, of the
/// others when the run does not show their errors anyway.
pub(super) fn spread_errors(sources: &SourceMap, group: &Group, tables: &[SharedTable], all: &mut [(Option<Designed>, Sink)]) {
    let said = all.iter().zip(&group.0);
    let wrong: Vec<Option<Diagnostic>> = said.map(|((_, said), member)| first_error(&member.text.findings, said)).collect();
    for table in tables {
        for part in table.parts() {
            let Some((_, said)) = all.get_mut(part.member) else { continue };
            for fellow in table.parts().filter(|fellow| fellow.member != part.member) {
                let owns = fellow.member == table.owner.member;
                let is_shown = group.0.get(fellow.member).is_some_and(|fellow| fellow.is_asked);
                let at_it = |known: &Diagnostic| known.primary.as_ref().is_some_and(|label| label.span == part.span);
                let mut known = said.diagnostics().iter().filter(|known| known.code == codes::SHARED_NOT_JUDGED);
                if let Some(Some(first)) = wrong.get(fellow.member).filter(|_| owns || !is_shown)
                    && !known.any(at_it)
                {
                    said.push(validate::not_judged(sources, part, table, fellow, first));
                }
            }
        }
    }
}

/// The first error of a model itself, in the order of its text.
fn first_error(of_shape: &[Diagnostic], said: &Sink) -> Option<Diagnostic> {
    let errors = of_shape.iter().chain(said.diagnostics()).filter(|diagnostic| diagnostic.is_error());
    let own = errors.filter(|diagnostic| diagnostic.code != codes::SHARED_NOT_JUDGED);
    own.min_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span)).cloned()
}
