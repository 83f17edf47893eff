//! The shape check: a tree against a JSON Schema. What is wrong is reported in our own words, at its place, and taken out of
//! the tree, so that the stages behind see only what is right, and know what was there.

mod cut_off;
mod finding;
mod json;
mod tree;

use crate::diagnostic::{Diagnostic, Sink, codes, listed, nearest};
use crate::source::{Entry, Kind, Node, SourceMap, Span, is_cut_off};
use finding::{Finding, Wrong};
pub(super) use json::Tree;
use jsonschema::Validator;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A schema, ready to check with.
pub struct Shape {
    schema: Value,
    validator: Validator<Tree>,
}

/// A place in the tree: keys and indexes from the root.
type Path = Vec<String>;

/// What is special about a key the schema does not know: the diagnostic for it, else None.
pub type UnknownKey = fn(path: &[String], entry: &Entry) -> Option<Diagnostic>;

impl Shape {
    /// Prepares a schema. None when it is no JSON Schema.
    #[must_use]
    pub fn new(schema: Value) -> Option<Self> {
        let validator = jsonschema::options_for::<Tree>().build(&schema).ok()?;
        Some(Self { schema, validator })
    }

    /// Checks a tree. Unknown keys are removed from it; any other wrong value becomes null, in a list the whole list. None
    /// when the tree as a whole is wrong.
    pub fn check(&self, mut node: Node, sources: &SourceMap, unknown_key: UnknownKey, sink: &mut Sink) -> Option<Node> {
        let mut broken = BTreeSet::new();
        // Nearly no tree has any of it.
        if node.any(&|node| node.tag.is_some() || is_cut_off(node)) {
            cut_off::find(&mut node, &mut Vec::new(), sources, &mut broken, sink);
            drop_tags(&mut node, sink);
        }
        let mut findings = Vec::new();
        for error in self.validator.iter_errors(&node.kind) {
            self.collect(&error, &mut findings);
        }
        let mut unknown = Vec::new();
        for finding in &findings {
            if let (Wrong::UnknownKeys(keys), Some(map)) = (&finding.wrong, tree::at(&node, &finding.path)) {
                let entries: BTreeMap<&str, &Entry> = map.entries().iter().map(|entry| (entry.key.as_str(), entry)).collect();
                let found = keys.iter().filter_map(|key| self.unknown_key(&node, &entries, finding, key, unknown_key, sink));
                unknown.extend(found);
            }
        }
        for finding in findings {
            if broken.iter().any(|path| finding.path.starts_with(path)) {
                continue;
            }
            match &finding.wrong {
                Wrong::UnknownKeys(_) => {}
                Wrong::Missing(key) => {
                    let misspelt = |unknown: &Unknown| unknown.map == finding.path && unknown.meant.as_ref() == Some(key);
                    if !unknown.iter().any(misspelt) {
                        let place = place(&node, &finding.path);
                        let message = format!("{} has no `{key}`", place.title);
                        sink.push(Diagnostic::new(codes::WRONG_SHAPE, place.name_span, message).help(format!("add `{key}:`")));
                    }
                }
                Wrong::Value(message) => {
                    sink.push(wrong_value(&node, &finding.path, message, &finding.words, sources));
                    broken.insert(finding.path);
                }
            }
        }
        for path in &broken {
            tree::blank(&mut node, path)?;
        }
        let mut maps: BTreeMap<&Path, BTreeMap<&str, Option<&str>>> = BTreeMap::new();
        for unknown in &unknown {
            maps.entry(&unknown.map).or_default().insert(&unknown.key, unknown.meant.as_deref());
        }
        for (map, keys) in maps {
            tree::rename(&mut node, map, &keys);
        }
        Some(node)
    }

    /// Reports an unknown key, and tells which one was meant.
    fn unknown_key(
        &self,
        node: &Node,
        map: &BTreeMap<&str, &Entry>,
        finding: &Finding,
        key: &str,
        special: UnknownKey,
        sink: &mut Sink,
    ) -> Option<Unknown> {
        let entry = *map.get(key)?;
        let unknown = Unknown { map: finding.path.clone(), key: key.to_owned(), meant: None };
        if let Some(diagnostic) = special(&finding.path, entry) {
            sink.push(diagnostic);
            return Some(unknown);
        }
        let known: Vec<&str> = finding
            .schema
            .rsplit_once('/')
            .and_then(|(parent, _)| self.schema.pointer(parent)?.get("properties")?.as_object())
            .map(|properties| properties.keys().map(String::as_str).collect())
            .unwrap_or_default();
        let title = place(node, &finding.path).title;
        let diagnostic = Diagnostic::new(codes::UNKNOWN_KEY, entry.key_span, format!("{title} has no key `{key}`"));
        let near = nearest(key, known.iter().copied());
        sink.push(match near {
            Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), entry.key_span, near),
            None if known.is_empty() => diagnostic,
            None => diagnostic.help(format!("it may have {}", listed(known))),
        });
        Some(Unknown { meant: near.filter(|near| !map.contains_key(near)).map(str::to_owned), ..unknown })
    }
}

/// A key that the schema does not know.
struct Unknown {
    /// The map it stands in.
    map: Path,
    key: String,
    /// The key that was meant, when that is not there.
    meant: Option<String>,
}

fn wrong_value(node: &Node, path: &[String], expected: &str, words: &[String], sources: &SourceMap) -> Diagnostic {
    let place = place(node, path);
    let span = if place.node.span.start == place.node.span.end { place.name_span } else { place.node.span };
    let written = sources.snippet(place.node.span);
    let found = match &place.node.kind {
        Kind::Null => "nothing".to_owned(),
        Kind::Sequence(_) => "a list".to_owned(),
        Kind::Map(_) => "a map".to_owned(),
        Kind::Number(_) => format!("the number {written}"),
        Kind::Bool(_) => written.to_owned(),
        Kind::String { value, .. } => format!("`{value}`"),
    };
    let one_of = if words.len() > 1 { "one of " } else { "" };
    let message = format!("{} must be {one_of}{expected}, not {found}", place.title);
    let diagnostic = Diagnostic::new(codes::WRONG_SHAPE, span, message);
    match &place.node.kind {
        Kind::String { value, .. } => match nearest(value, words.iter().map(String::as_str)) {
            Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), span, near),
            None => diagnostic,
        },
        Kind::Number(_) | Kind::Bool(_) if expected == "text" => {
            diagnostic.suggest("put it in quotes", span, format!("\"{written}\""))
        }
        _ => diagnostic,
    }
}

struct Place<'a> {
    node: &'a Node,
    /// The key, else the value.
    name_span: Span,
    /// "`key`", "the model".
    title: String,
}

/// The node at a path, or as near as the path leads.
fn place<'a>(root: &'a Node, path: &[String]) -> Place<'a> {
    let mut place = Place { node: root, name_span: root.span.part(0, 0), title: "the file".to_owned() };
    for segment in path {
        match &place.node.kind {
            Kind::Map(_) => {
                let Some(entry) = place.node.entry(segment) else { break };
                place = Place { node: &entry.value, name_span: entry.key_span, title: format!("`{segment}`") };
            }
            Kind::Sequence(items) => {
                let Some(item) = segment.parse().ok().and_then(|index: usize| items.get(index)) else { break };
                place = Place {
                    node: item,
                    name_span: item.span,
                    title: format!("an entry of {}", place.title.trim_start_matches("an entry of ")),
                };
            }
            _ => break,
        }
    }
    place
}

fn drop_tags(node: &mut Node, sink: &mut Sink) {
    if let Some(tag) = node.tag.take() {
        let message = format!("the tag `!{}` means nothing here", tag.name);
        sink.push(Diagnostic::new(codes::WRONG_SHAPE, tag.span, message).suggest("remove it", tag.span, ""));
    }
    match &mut node.kind {
        Kind::Map(entries) => entries.iter_mut().for_each(|entry| drop_tags(&mut entry.value, sink)),
        Kind::Sequence(items) => items.iter_mut().for_each(|item| drop_tags(item, sink)),
        _ => {}
    }
}
