//! The pages of `gen explain`, one a code, embedded.

use crate::diagnostic::Code;

macro_rules! pages {
    ($($slug:literal,)*) => {
        const PAGES: &[(&str, &str)] = &[$(($slug, include_str!(concat!("../../docs/codes/", $slug, ".md"))),)*];
    };
}

// Sorted, one line a code.
pages! {
    "allow-expired",
    "allow-of-error",
    "allow-unused",
    "ambiguous-pattern",
    "bad-cloudformation",
    "bad-config",
    "bad-cql",
    "bad-lock",
    "bad-terraform",
    "cannot-separate",
    "column-type-differs",
    "conditional-on-copies",
    "copy-never-updated",
    "counter-mixed",
    "counter-written",
    "edited-by-hand",
    "filter-on-key",
    "filter-scans",
    "filter-wastes-reads",
    "index-hides-items",
    "index-without-partition",
    "key-attribute-missing",
    "key-attribute-updated",
    "key-collision",
    "key-may-collide",
    "key-not-unique",
    "key-type-differs",
    "large-batch",
    "lock-conflict",
    "lock-too-new",
    "missing-pattern",
    "needs-numbers",
    "no-patterns",
    "no-recovery",
    "not-evaluated",
    "not-on-provider",
    "not-ours",
    "optional-in-key",
    "parameter-unset",
    "pattern-unserved",
    "range-write",
    "reads-other-entities",
    "rename-done",
    "replication-factor",
    "retention-not-enforced",
    "separator-in-value",
    "statement-skipped",
    "table-kept",
    "template-failed",
    "template-loses",
    "transaction-not-atomic",
    "uniqueness-not-guarded",
    "unknown-template",
    "unpadded-number",
    "unserved-but-served",
    "unused-index",
    "unused-parameter",
    "unused-table",
    "unused-type",
    "via-cannot-serve",
    "via-needless",
    "write-needs-read",
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
