//! Rows that are changed after their window: what should be dropped as a whole is spread over windows.

use super::{option_place, requests, windows};
use crate::diagnostic::{Sink, codes};
use crate::model::Verb;
use crate::rules::Facts;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let requests = requests(facts.model);
    for table in windows(facts) {
        let holds = |entity: &str| table.model.holds.iter().any(|holding| holding.entity.value == entity);
        let rewriting = requests.iter().find(|pattern| match &pattern.verb {
            Verb::Update(entity) | Verb::Delete(entity) => holds(&entity.value),
            _ => false,
        });
        let Some(pattern) = rewriting else { continue };
        let message = format!("`{}` is compacted in time windows, and `{}` changes rows later", table.address, pattern.name);
        sink.push(
            option_place(facts, table.engine, table.key, "compaction", codes::TWCS_REWRITES, message)
                .context(pattern.span, "the pattern")
                .note("a window with such a row is not dropped when it has expired, and reads look into several")
                .help("choose another `compaction`, or let rows expire instead")
                .at(&table.address)
                .of_pattern(&pattern.name),
        );
    }
}
