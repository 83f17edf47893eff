//! The keys of maps: text, each once.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::source::Span;
use crate::source::node::{Entry, Kind, Node};
use std::collections::{HashMap, HashSet};

/// The key whose value comes next.
pub(super) enum Key {
    Expected,
    Given(String, Span),
    /// The key was wrong; the value is dropped.
    Refused,
}

/// The key that a node is, or why it is none. `first` tells where the map has it already.
pub(super) fn take_key(node: Node, text: &str, first: impl FnOnce(&str) -> Option<Span>, sink: &mut Sink) -> Key {
    let key = match node.kind {
        Kind::String { ref value, plain: true } if value == "<<" => {
            let diagnostic = Diagnostic::new(codes::MERGE_KEY, node.span, "merge keys (`<<`) are not part of YAML 1.2")
                .help("an alias stands for a whole value; in a model, tables share settings by `defaults`");
            sink.push(diagnostic);
            return Key::Refused;
        }
        Kind::String { value, .. } => value,
        // Keys are text: a number or `true` counts as it is written.
        Kind::Number(_) | Kind::Bool(_) => text.get(node.span.range()).unwrap_or("").to_owned(),
        Kind::Null if node.span.start < node.span.end => text.get(node.span.range()).unwrap_or("").to_owned(),
        kind @ (Kind::Null | Kind::Sequence(_) | Kind::Map(_)) => {
            let what = match kind {
                Kind::Null => "is missing",
                Kind::Sequence(_) => "is a list",
                _ => "is a map",
            };
            sink.push(Diagnostic::new(codes::BAD_YAML, node.span, format!("a key {what}; keys are text")));
            return Key::Refused;
        }
    };
    if let Some(first) = first(&key) {
        let diagnostic = Diagnostic::new(codes::DUPLICATE_KEY, node.span, format!("`{key}` is given twice in one map"))
            .context(first, "first given here");
        sink.push(diagnostic);
        return Key::Refused;
    }
    Key::Given(key, node.span)
}

/// How many entries a map has at most that is looked through for a key.
const FEW: usize = 16;

/// Where a map that is being read has a key already. `index` holds the entries of a large one, as far as they were looked at.
pub(super) fn first(entries: &[Entry], index: &mut HashMap<String, Span>, key: &str) -> Option<Span> {
    if entries.len() <= FEW {
        return entries.iter().find(|entry| entry.key == key).map(|entry| entry.key_span);
    }
    let new = entries.get(index.len()..).unwrap_or_default();
    index.extend(new.iter().map(|entry| (entry.key.clone(), entry.key_span)));
    index.get(key).copied()
}

/// Whether no key of a map is given twice.
pub(super) fn each_once(entries: &[Entry]) -> bool {
    if entries.len() <= FEW {
        return entries.iter().enumerate().all(|(at, entry)| entries.iter().take(at).all(|before| before.key != entry.key));
    }
    let mut keys = HashSet::with_capacity(entries.len());
    entries.iter().all(|entry| keys.insert(entry.key.as_str()))
}
