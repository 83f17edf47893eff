//! Rules: judgements about a design, one static table, one file and one page of documentation each.

mod allow;
mod explain;
mod lint;
mod numbers;

pub use allow::Allowances;
pub use explain::{documented, explain};

use crate::design::Design;
use crate::design::scope::Scope;
use crate::diagnostic::{Code, Sink, Thresholds, codes};
use crate::model::Model;

/// What rules look at.
pub(crate) struct Facts<'a> {
    /// The model.
    pub(crate) model: &'a Model,
    /// What it comes to.
    pub(crate) design: &'a Design,
    /// Which store holds what.
    pub(crate) scope: Scope<'a>,
    /// Limits other than those of the rules.
    pub(crate) thresholds: &'a Thresholds,
    /// Of findings of level info.
    pub(crate) wording: Wording,
}

/// Whether findings of level info are put in words. A large model has thousands, and a text only counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// Each is.
    Written,
    /// Those of which there are many have a place and a subject, and no words.
    LeftOut,
}

/// A rule.
pub struct Rule {
    /// The finding it makes.
    pub code: Code,
    check: fn(&Facts<'_>, &mut Sink),
}

/// All rules over a model and its design, sorted by code.
pub const RULES: &[Rule] = &[
    Rule { code: codes::CONDITIONAL_ON_COPIES, check: lint::conditional_on_copies::check },
    Rule { code: codes::COPY_NEVER_UPDATED, check: lint::copy_never_updated::check },
    Rule { code: codes::FILTER_WASTES_READS, check: lint::filter_wastes_reads::check },
    Rule { code: codes::LARGE_BATCH, check: lint::large_batch::check },
    Rule { code: codes::MISSING_PATTERN, check: lint::missing_pattern::check },
    Rule { code: codes::NEEDS_NUMBERS, check: lint::needs_numbers::check },
    Rule { code: codes::NO_PATTERNS, check: lint::no_patterns::check },
    Rule { code: codes::NO_RECOVERY, check: lint::no_recovery::check },
    Rule { code: codes::REPLICATION_FACTOR, check: lint::replication_factor::check },
    Rule { code: codes::RETENTION_NOT_ENFORCED, check: lint::retention_not_enforced::check },
    Rule { code: codes::SHORT_GC_GRACE, check: lint::short_gc_grace::check },
    Rule { code: codes::TWCS_REWRITES, check: lint::twcs_rewrites::check },
    Rule { code: codes::TWCS_WINDOWS, check: lint::twcs_windows::check },
    Rule { code: codes::TWCS_WITHOUT_TTL, check: lint::twcs_without_ttl::check },
    Rule { code: codes::UNBOUNDED_FAN_OUT, check: lint::unbounded_fan_out::check },
    Rule { code: codes::UNIQUENESS_NOT_GUARDED, check: lint::uniqueness_not_guarded::check },
    Rule { code: codes::UNUSED_INDEX, check: lint::unused_index::check },
    Rule { code: codes::UNUSED_PARAMETER, check: lint::unused_parameter::check },
    Rule { code: codes::UNUSED_TABLE, check: lint::unused_table::check },
    Rule { code: codes::UNUSED_TYPE, check: lint::unused_type::check },
    Rule { code: codes::VIEW_EXPERIMENTAL, check: lint::view_experimental::check },
    Rule { code: codes::WIDE_FAN_OUT, check: lint::wide_fan_out::check },
];

/// Applies every rule, with these limits where others than the rules' own are given.
pub fn lint(model: &Model, design: &Design, thresholds: &Thresholds, wording: Wording, sink: &mut Sink) {
    let facts = Facts { model, design, scope: Scope::of(model), thresholds, wording };
    for rule in RULES {
        (rule.check)(&facts, sink);
    }
}

#[cfg(test)]
mod tests;
