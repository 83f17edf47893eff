//! Rows that are changed after their window: what should be dropped as a whole is spread over windows.

use super::{option_place, requests, windows};
use crate::diagnostic::{Sink, codes};
use crate::model::{Pattern, Verb};
use crate::rules::Facts;
use std::collections::BTreeMap;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    // The first pattern that changes each entity, with its place among all.
    let mut rewriting: BTreeMap<&str, (usize, &Pattern)> = BTreeMap::new();
    for (at, pattern) in requests(facts.model).into_iter().enumerate() {
        if let Verb::Update(entity) | Verb::Delete(entity) = &pattern.verb {
            rewriting.entry(&entity.value).or_insert((at, pattern));
        }
    }
    for table in windows(facts) {
        let held = table.model.holds.iter().filter_map(|holding| rewriting.get(holding.entity.value.as_str()));
        let Some((_, pattern)) = held.min_by_key(|(at, _)| *at) else { continue };
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
