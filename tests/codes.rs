//! Every code that something emits has its page, and every page a code that something emits.

use nosql_gen::diagnostic::Code;
use nosql_gen::rules::{documented, explain};
use std::collections::BTreeSet;
use std::fs;

/// Files that speak of codes without emitting them: what numbers would make possible, and what cannot be judged here.
const ONLY_SPEAK: &[&str] = &["src/diagnostic/limit.rs", "src/rules/allow.rs", "src/rules/lint/needs_numbers.rs"];

#[test]
fn every_code_that_is_emitted_is_explained() {
    let mut emitted = BTreeSet::new();
    let mut folders = vec![format!("{}/src", env!("CARGO_MANIFEST_DIR"))];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path().to_str().unwrap().to_owned();
            if fs::metadata(&path).unwrap().is_dir() {
                folders.push(path);
            } else if path.contains(".rs") && !path.contains("/tests") {
                let text = fs::read_to_string(&path).unwrap();
                if ONLY_SPEAK.iter().any(|file| path.ends_with(file)) {
                    // What they emit themselves is written as `Diagnostic::new(codes::…`.
                    emitted.extend(
                        text.split("Diagnostic::new(").skip(1).flat_map(|after| codes_in(after.split(',').next().unwrap())),
                    );
                    continue;
                }
                emitted.extend(codes_in(text.split("#[cfg(test)]\nmod tests {").next().unwrap()));
            }
        }
    }
    assert!(emitted.len() > 20, "only {} codes were found", emitted.len());
    let without: Vec<&String> = emitted.iter().filter(|slug| Code::find(slug).and_then(explain).is_none()).collect();
    assert!(without.is_empty(), "no docs/codes page (or no line in src/rules/explain.rs) for {without:?}");
    let unused: Vec<&str> = documented().map(Code::slug).filter(|slug| !emitted.contains(*slug)).collect();
    assert!(unused.is_empty(), "nothing emits {unused:?}");
}

#[test]
fn every_page_is_listed() {
    let listed: BTreeSet<String> = documented().map(|code| format!("{}.md", code.slug())).collect();
    let there: BTreeSet<String> = fs::read_dir(format!("{}/docs/codes", env!("CARGO_MANIFEST_DIR")))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(listed, there);
}

/// The slugs of `codes::SOME_CODE`, as the table spells them.
fn codes_in(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split("codes::").skip(1))
        .map(|after| {
            let end = after.find(|next: char| !(next.is_ascii_uppercase() || next.is_ascii_digit() || next == '_'));
            after[..end.unwrap_or(after.len())].to_lowercase().replace('_', "-")
        })
        .filter(|slug| Code::find(slug).is_some())
        .collect()
}
