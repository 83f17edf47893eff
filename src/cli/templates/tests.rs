//! What templates are given is what `docs/templates.md` says, no less and no more.

use super::check::{CASES, render};
use crate::cli::workspace::Workspace;
use crate::emit::{CONTEXT, Templates, record};
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = include_str!("../../../docs/templates.md");

/// The section of a template, or the text before all sections.
fn section(name: &str) -> &'static str {
    PAGE.split("\n### ").find(|section| section.starts_with(&format!("`{name}`"))).unwrap_or_default()
}

/// A root template and those it includes.
fn with_parts(root: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::from([root.to_owned()]);
    let mut left = vec![root.to_owned()];
    while let Some(next) = left.pop() {
        for part in Templates::embedded(&next).unwrap().split("{% include \"").skip(1) {
            let name = part.split('"').next().unwrap().to_owned();
            if found.insert(name.clone()) {
                left.push(name);
            }
        }
    }
    found
}

/// The rows of a section's table: the values and what is said of them.
fn rows(section: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    section.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | ")).filter(|(values, _)| values.starts_with('`'))
}

fn codes(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split('`').skip(1).step_by(2)
}

/// Every name that a section speaks of.
fn spoken(section: &'static str) -> BTreeSet<&'static str> {
    rows(section).flat_map(|(values, about)| codes(values).chain(codes(about))).flat_map(|code| code.split('.')).collect()
}

/// The names that a section promises: the last part of each value, and what lists "each with" hold.
fn promised(section: &'static str) -> BTreeSet<&'static str> {
    let last = |code: &'static str| code.rsplit('.').next().unwrap();
    let word = |code: &&str| code.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
    let each = |about: &'static str| codes(about.split_once("each with").map_or("", |(_, each)| each)).filter(word);
    rows(section).flat_map(|(values, about)| codes(values).map(last).chain(each(about))).collect()
}

#[test]
fn what_templates_are_given_is_documented_and_what_is_documented_is_given() {
    let mut workspace = Workspace::bare();
    for case in CASES {
        let problems = render(&mut workspace, case);
        assert!(problems.is_empty(), "{}: {problems:#?}", case.name);
    }
    let given = record::take();
    let general = PAGE.split("\n### ").next().unwrap();
    let mut wrong = Vec::new();
    let mut promises: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut leaves: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (root, paths) in &given {
        let parts = with_parts(root);
        let known: BTreeSet<&str> = parts.iter().flat_map(|part| spoken(section(part))).chain(spoken(general)).collect();
        for path in paths {
            let name = path.rsplit('.').next().unwrap();
            if !known.contains(name) {
                wrong.push(format!("{root} is given `{path}`, which docs/templates.md does not say"));
            }
            for part in &parts {
                leaves.entry(part.clone()).or_default().insert(name);
            }
        }
        for part in parts {
            let names = promised(section(&part));
            assert!(!names.is_empty(), "docs/templates.md has no section of {part}");
            promises.entry(part).or_default().extend(names);
        }
    }
    let roots_of_a_variable = ["table", "index", "keyspace", "type", "view"];
    for (part, names) in promises {
        let given = &leaves[&part];
        let missing = names.into_iter().filter(|name| !given.contains(name) && !roots_of_a_variable.contains(name));
        wrong.extend(missing.map(|name| format!("docs/templates.md promises `{name}` to {part}, which is not given it")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unseen: Vec<&str> =
        Templates::names().filter(|name| !given.keys().any(|root| with_parts(root).contains(*name))).collect();
    assert!(unseen.is_empty(), "no case renders {unseen:?}");
    assert!(PAGE.contains(&format!("`gen.context` | `{CONTEXT}`")), "docs/templates.md names the version of the context");
}
