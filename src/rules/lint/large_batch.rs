//! A batch or transaction on CQL that a coordinator warns about, or refuses.
//!
//! Sources: `batch_size_warn_threshold` and `batch_size_fail_threshold` in cassandra.yaml (5 KiB, 50 KiB) and `scylla.yaml`
//! (128 KB, 1024 KB).

use super::cql_tables;
use crate::diagnostic::{Diagnostic, Limits, Sink, codes, level};
use crate::model::{Model, Pattern, Verb};
use crate::rules::Facts;
use crate::schema::{Engine, Store};
use std::collections::BTreeMap;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let Some(cql) = &facts.model.cql else { return };
    // The engine that takes the least decides.
    let limits = cql.engines.iter().filter_map(|engine| limits(engine.value));
    let least = limits.min_by(|one, next| one.0.total_cmp(&next.0));
    let own = least.map_or_else(Limits::default, |(warn, error)| Limits { warn: Some(warn), error: Some(error) });
    let limits = facts.thresholds.over(codes::LARGE_BATCH, own);
    let holding = cql_tables(facts.model);
    for pattern in facts.model.patterns.values() {
        let (Verb::Transaction(entries) | Verb::Batch(entries)) = &pattern.verb else { continue };
        if !facts.scope.stores(pattern).contains(&Store::Cql) {
            continue;
        }
        let Some(bytes) = entries
            .iter()
            .filter(|entry| entry.verb.writes())
            .map(|entry| size(facts.model, &holding, entry))
            .sum::<Option<f64>>()
        else {
            continue;
        };
        let Some((level, limit)) = level(codes::LARGE_BATCH, bytes, limits) else { continue };
        sink.push(
            Diagnostic::new(
                codes::LARGE_BATCH,
                pattern.span,
                format!(
                    "one request of `{}` writes about {:.0} KB; the limit is {:.0} KB",
                    pattern.name,
                    bytes / 1024.0,
                    limit / 1024.0
                ),
            )
            .level(level)
            .help("send fewer items at once, or one by one and in parallel")
            .of_pattern(&pattern.name),
        );
    }
}

/// Bytes at which a coordinator warns, and at which it refuses.
fn limits(engine: Engine) -> Option<(f64, f64)> {
    const KB: f64 = 1024.0;
    match engine {
        Engine::Cassandra40 | Engine::Cassandra41 | Engine::Cassandra50 => Some((5.0 * KB, 50.0 * KB)),
        Engine::Scylla20251 | Engine::Scylla20261 => Some((128.0 * KB, 1024.0 * KB)),
        // Its limit is a number of statements.
        Engine::Keyspaces => None,
    }
}

/// Bytes that an entry writes, all its tables together; unknown when its entity has no size.
fn size(model: &Model, holding: &BTreeMap<&str, Vec<&str>>, entry: &Pattern) -> Option<f64> {
    let bytes = |name: &str| {
        let tables = holding.get(name).map_or(0, Vec::len);
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let rows = entry.batch_size as f64 * tables as f64;
        Some(rows * model.entities.get(name)?.size?.average)
    };
    entry.verb.entities().into_iter().map(bytes).sum()
}
