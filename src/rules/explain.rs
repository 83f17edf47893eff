//! The pages of `gen explain`, one a code, embedded.

use crate::diagnostic::Code;

macro_rules! pages {
    ($($slug:literal,)*) => {
        const PAGES: &[(&str, &str)] = &[$(($slug, include_str!(concat!("../../docs/codes/", $slug, ".md"))),)*];
    };
}

// Sorted, one line a code.
pages! {
    "ack-expired",
    "ack-unused",
    "adjacent-placeholders",
    "alias-limit",
    "allow-expired",
    "allow-of-error",
    "allow-unused",
    "allow-without-reason",
    "ambiguous-pattern",
    "ambiguous-unit",
    "bad-acknowledgement",
    "bad-cloudformation",
    "bad-collection",
    "bad-condition",
    "bad-config",
    "bad-cql",
    "bad-lock",
    "bad-name",
    "bad-pattern",
    "bad-template",
    "bad-terraform",
    "bad-value",
    "bad-yaml",
    "batch-too-large",
    "cannot-separate",
    "column-type-differs",
    "conditional-on-copies",
    "conflicting-conditions",
    "copy-never-updated",
    "copy-type-differs",
    "counter-mixed",
    "counter-written",
    "duplicate-key",
    "duplicate-name",
    "duration-in-key",
    "edited-by-hand",
    "engine-setting",
    "environment-layout",
    "environment-left",
    "filter-on-key",
    "filter-scans",
    "filter-wastes-reads",
    "index-hides-items",
    "index-key",
    "index-not-possible",
    "index-without-partition",
    "item-too-large",
    "key-attribute-missing",
    "key-attribute-updated",
    "key-collision",
    "key-may-collide",
    "key-not-unique",
    "key-type-differs",
    "large-batch",
    "left-out",
    "literal-type",
    "lock-conflict",
    "lock-too-new",
    "lsi-needs-sort-key",
    "made-twice",
    "merge-key",
    "migration-incomplete",
    "migration-not-possible",
    "migration-number-twice",
    "missing-pattern",
    "model-left",
    "mrsc-not-possible",
    "name-taken",
    "name-too-long",
    "needs-numbers",
    "no-patterns",
    "no-recovery",
    "no-verb",
    "not-a-key-type",
    "not-evaluated",
    "not-in-enum",
    "not-in-format",
    "not-on-engine",
    "not-on-provider",
    "not-on-resource",
    "not-ours",
    "not-read",
    "not-the-owner",
    "option-unknown",
    "optional-in-key",
    "optional-key",
    "parameter-not-here",
    "parameter-unset",
    "pattern-unserved",
    "projected-key",
    "provider-chosen",
    "range-write",
    "reads-other-entities",
    "rename-done",
    "replica-needs-key",
    "replica-needs-stream",
    "replication-factor",
    "retention-not-enforced",
    "scan-without-reason",
    "separator-in-value",
    "shared-not-judged",
    "shares-total",
    "short-gc-grace",
    "sort-key-is-partition-key",
    "stack-too-large",
    "statement-skipped",
    "static-key",
    "static-needs-clustering",
    "table-kept",
    "template-failed",
    "template-loses",
    "template-needs-bucket",
    "throughput-mode",
    "too-deep",
    "too-many-gsi",
    "too-many-lsi",
    "too-many-projected",
    "transaction-not-atomic",
    "ttl-attribute",
    "ttl-encoding",
    "twcs-rewrites",
    "twcs-windows",
    "twcs-without-ttl",
    "two-verbs",
    "type-needs-engine",
    "unbounded-fan-out",
    "uniqueness-not-guarded",
    "unknown-acknowledgement",
    "unknown-attribute",
    "unknown-block",
    "unknown-entity",
    "unknown-key",
    "unknown-name",
    "unknown-owner",
    "unknown-parameter",
    "unknown-template",
    "unknown-type",
    "unpadded-number",
    "unquoted-comma",
    "unserved-but-served",
    "unsupported-format",
    "unused-index",
    "unused-parameter",
    "unused-table",
    "unused-type",
    "update-sets-nothing",
    "updated-by-needs-stream",
    "via-cannot-serve",
    "via-needless",
    "view-base",
    "view-experimental",
    "view-key",
    "wide-fan-out",
    "write-needs-read",
    "wrong-shape",
    "yaml-1-1",
}

/// The page of a code; None for a code that nothing emits yet.
#[must_use]
pub fn explain(code: Code) -> Option<&'static str> {
    let index = PAGES.binary_search_by(|(slug, _)| slug.cmp(&code.slug())).ok()?;
    PAGES.get(index).map(|(_, page)| *page)
}

/// All codes that have a page, sorted.
pub fn documented() -> impl Iterator<Item = Code> {
    PAGES.iter().filter_map(|(slug, _)| Code::find(slug))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_sorted_and_whole() {
        assert!(PAGES.is_sorted_by(|one, next| one.0 < next.0), "the list is not sorted");
        for (slug, page) in PAGES {
            assert!(Code::find(slug).is_some(), "`{slug}` is no code");
            let mut rest = *page;
            for heading in [&format!("# {slug}"), "## What it means", "## Why it matters", "## Example", "## What to do"] {
                let line = format!("{heading}\n");
                let at = if rest.starts_with(&line) { Some(0) } else { rest.find(&format!("\n{line}")) };
                let Some(at) = at else { panic!("docs/codes/{slug}.md lacks `{heading}`, or has it too early") };
                rest = &rest[at + 1..];
            }
            assert!(page.contains("```"), "docs/codes/{slug}.md has no example");
        }
    }
}
