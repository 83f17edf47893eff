//! What templates were given, for the test that holds `docs/templates.md` to it.

use minijinja::Value;
use minijinja::value::ValueKind;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

type Given = BTreeMap<String, BTreeSet<String>>;

thread_local! {
    static GIVEN: RefCell<Given> = RefCell::default();
}

/// Root template → paths of its values (`tables.name`), of all renderings of this thread.
pub(crate) fn take() -> Given {
    GIVEN.take()
}

pub(super) fn add(template: &str, context: &Value) {
    GIVEN.with_borrow_mut(|given| walk("", context, given.entry(template.to_owned()).or_default()));
}

fn walk(path: &str, value: &Value, found: &mut BTreeSet<String>) {
    match value.kind() {
        ValueKind::Map => {
            for key in value.try_iter().unwrap() {
                let below = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
                walk(&below, &value.get_item(&key).unwrap(), found);
                found.insert(below);
            }
        }
        ValueKind::Seq => value.try_iter().unwrap().for_each(|item| walk(path, &item, found)),
        _ => {}
    }
}
