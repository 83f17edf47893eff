//! Each error by its code and its exact place, from a small text.

mod cql;
mod dynamodb;
mod entity;
mod hostile;
mod pattern;
mod shape;

use super::*;
use std::collections::BTreeMap;

/// What is said about a text: `code line:column message`.
fn load_text(text: &str) -> (Option<Model>, Vec<(String, String)>) {
    let mut sources = SourceMap::default();
    let file = sources.add("m.yaml", text);
    let mut sink = Sink::default();
    let model = load(&sources, file, &mut sink);
    let shown = sink.into_sorted().into_iter().map(|diagnostic| {
        let place = sources.position(diagnostic.primary.as_ref().unwrap().span);
        (format!("{} {}:{}", diagnostic.code.slug(), place.line, place.column), diagnostic.message)
    });
    (model, shown.collect())
}

/// Asserts which codes a text gives, and where; and that there is a model exactly when there is no error.
#[track_caller]
fn gives(text: &str, expected: &[&str]) {
    let (model, shown) = load_text(text);
    let places: Vec<&str> = shown.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, expected, "\n{text}\n{shown:#?}");
    let findings = ["engine-setting", "left-out", "yaml-1-1"];
    let only_findings = expected.iter().all(|place| findings.iter().any(|code| place.starts_with(code)));
    assert_eq!(model.is_some(), only_findings);
}

/// A model with one table, in which each test replaces one line.
#[track_caller]
fn with(replace: &str, by: &str) -> String {
    let text = "\
gen: 1
name: shop
parameters: { env: { values: [dev, prod], default: dev }, on: { type: bool }, n: { type: number, default: 5 } }
types: { address: { street: text, city: text } }
entities:
  Customer:
    key: id
    attributes: { id: uuid, email: text }
  Order:
    key: [id, number]
    attributes:
      id: uuid
      number: int
      placed_at: timestamp
      status: { enum: [OPEN, DONE] }
      note: { type: text, optional: true }
      lines: list<text>
access_patterns:
  get-order: { find: Order, where: \"id = ? and number = ?\" }
  put-order: { put: Order }
dynamodb:
  tables:
    orders:
      holds: Order
      partition_key: id
      sort_key: number
";
    assert!(text.contains(replace), "{replace}");
    text.replacen(replace, by, 1)
}

#[test]
fn the_examples_load() {
    for name in ["minimal", "shop", "care-pet", "hotel", "killrvideo", "sessions"] {
        let text = std::fs::read_to_string(format!("models/{name}.yaml")).unwrap();
        let (model, shown) = load_text(&text);
        assert_eq!(shown, [], "{name}");
        assert_eq!(model.unwrap().name.value, name);
    }
}

#[test]
fn all_models_meet_nothing_but_what_is_not_built() {
    let mut sources = SourceMap::default();
    let mut file = |name: &str| {
        let path = format!("models/{name}.yaml");
        let text = std::fs::read_to_string(&path).unwrap();
        sources.add(path, text)
    };
    let [billing, hosting, forum] = ["code-hosting-billing", "code-hosting", "forum"].map(&mut file);
    let nobody = BTreeMap::new();
    let hub: BTreeMap<String, Lookup> = [("code-hosting".to_owned(), Lookup::Found(hosting))].into();
    let mut sink = Sink::default();
    let drafts = [billing, hosting, forum].map(|file| (file, Draft::read(&sources, file, &mut sink)));
    let members = drafts.each_ref().map(|(file, draft)| {
        let owners = if *file == billing { &hub } else { &nobody };
        Member { file: *file, draft: draft.as_ref(), said: &[], owners }
    });
    for (_, said) in resolve_all(&sources, &members, &Values::new()).models {
        sink.extend(said.into_sorted());
    }
    let others: Vec<_> = sink.into_sorted();
    assert_eq!(others, []);
}

#[test]
fn the_base_of_these_tests_is_right() {
    gives(&with("name: shop", "name: shop"), &[]);
}
