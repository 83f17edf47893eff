//! The pages of `gen explain`, one a code, embedded.

use crate::diagnostic::Code;

macro_rules! pages {
    ($($slug:literal,)*) => {
        const PAGES: &[(&str, &str)] = &[$(($slug, include_str!(concat!("../../docs/codes/", $slug, ".md"))),)*];
    };
}

// Sorted, one line a code.
pages! {
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
