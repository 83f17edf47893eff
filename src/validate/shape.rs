//! The shape check: a tree against a JSON Schema. What is wrong is reported in our own words, at its place, and taken out of
//! the tree, so that the stages behind see only what is right, and know what was there.

use crate::diagnostic::{Diagnostic, Sink, codes, nearest};
use crate::source::{Entry, Kind, Node, SourceMap, Span, is_cut_off, json_number, unquoted_comma};
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError, Validator};
use serde_json::Value;
use std::collections::BTreeSet;

/// A schema, ready to check with.
pub struct Shape {
    schema: Value,
    validator: Validator,
}

/// A place in the tree: keys and indexes from the root.
type Path = Vec<String>;

/// What is special about a key the schema does not know: the diagnostic for it, else None.
pub type UnknownKey = fn(path: &[String], entry: &Entry) -> Option<Diagnostic>;

impl Shape {
    /// Prepares a schema. None when it is no JSON Schema.
    #[must_use]
    pub fn new(schema: Value) -> Option<Self> {
        let validator = jsonschema::validator_for(&schema).ok()?;
        Some(Self { schema, validator })
    }

    /// Checks a tree. Unknown keys are removed from it; any other wrong value becomes null, in a list the whole list. None
    /// when the tree as a whole is wrong.
    pub fn check(&self, mut node: Node, sources: &SourceMap, unknown_key: UnknownKey, sink: &mut Sink) -> Option<Node> {
        let mut broken = BTreeSet::new();
        find_cut_off(&mut node, &mut Vec::new(), sources, &mut broken, sink);
        drop_tags(&mut node, sink);
        let json = to_json(&node);
        let mut findings = Vec::new();
        for error in self.validator.iter_errors(&json) {
            collect(&error, &mut findings);
        }
        let mut removed = BTreeSet::new();
        for finding in findings {
            if broken.iter().any(|path| finding.path.starts_with(path)) {
                continue;
            }
            match &finding.wrong {
                Wrong::UnknownKeys(keys) => {
                    for key in keys {
                        self.unknown_key(&node, &finding, key, unknown_key, sink);
                        removed.insert([finding.path.as_slice(), std::slice::from_ref(key)].concat());
                    }
                }
                Wrong::Missing(key) => {
                    let place = place(&node, &finding.path);
                    let diagnostic =
                        Diagnostic::new(codes::WRONG_SHAPE, place.name_span, format!("{} has no `{key}`", place.title));
                    sink.push(diagnostic.help(format!("add `{key}:`")));
                }
                Wrong::Value(message) => {
                    sink.push(wrong_value(&node, &finding.path, message, &finding.words, sources));
                    broken.insert(finding.path);
                }
            }
        }
        for path in &broken {
            blank(&mut node, path)?;
        }
        for path in &removed {
            remove(&mut node, path);
        }
        Some(node)
    }

    fn unknown_key(&self, node: &Node, finding: &Finding, key: &str, special: UnknownKey, sink: &mut Sink) {
        let Some(map) = at(node, &finding.path) else { return };
        let Some(entry) = map.entry(key) else { return };
        if let Some(diagnostic) = special(&finding.path, entry) {
            sink.push(diagnostic);
            return;
        }
        let known: Vec<&str> = finding
            .schema
            .rsplit_once('/')
            .and_then(|(parent, _)| self.schema.pointer(parent)?.get("properties")?.as_object())
            .map(|properties| properties.keys().map(String::as_str).collect())
            .unwrap_or_default();
        let title = place(node, &finding.path).title;
        let mut diagnostic = Diagnostic::new(codes::UNKNOWN_KEY, entry.key_span, format!("{title} has no key `{key}`"));
        match nearest(key, known.iter().copied()) {
            Some(near) => diagnostic = diagnostic.suggest(format!("did you mean `{near}`?"), entry.key_span, near),
            None if !known.is_empty() => {
                let list: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
                diagnostic = diagnostic.help(format!("it may have {}", list.join(", ")));
            }
            None => {}
        }
        sink.push(diagnostic);
    }
}

struct Finding {
    path: Path,
    /// Where the schema says so.
    schema: String,
    wrong: Wrong,
    /// The words it might have been.
    words: Vec<String>,
}

enum Wrong {
    UnknownKeys(Vec<String>),
    Missing(String),
    Value(String),
}

/// Turns an error of the validator into findings; of a choice, only those of the alternative that was meant.
fn collect(error: &ValidationError<'_>, findings: &mut Vec<Finding>) {
    let path: Path = error.instance_path().into_iter().map(|segment| segment.to_string()).collect();
    let mut words = Vec::new();
    let wrong = match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => Wrong::UnknownKeys(unexpected.clone()),
        ValidationErrorKind::Required { property } => Wrong::Missing(property.as_str().unwrap_or_default().to_owned()),
        ValidationErrorKind::Type { kind } => Wrong::Value(types(kind).join(" or ")),
        ValidationErrorKind::Enum { options } => {
            let options: Vec<&Value> = options.as_array().into_iter().flatten().collect();
            words = options.iter().map(|option| option.as_str().map_or_else(|| option.to_string(), str::to_owned)).collect();
            Wrong::Value(words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "))
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            return collect_choice(error, context, path, findings);
        }
        ValidationErrorKind::Minimum { limit } => Wrong::Value(format!("{limit} or more")),
        ValidationErrorKind::Maximum { limit } => Wrong::Value(format!("{limit} or less")),
        // The grammars say more about these.
        ValidationErrorKind::Pattern { .. } => return,
        _ => Wrong::Value("something else".to_owned()),
    };
    findings.push(Finding { path, schema: error.schema_path().to_string(), wrong, words });
}

fn collect_choice(
    error: &ValidationError<'_>,
    branches: &[Vec<ValidationError<'static>>],
    path: Path,
    findings: &mut Vec<Finding>,
) {
    let is_of_other_type = |inner: &&ValidationError<'static>| {
        matches!(inner.kind(), ValidationErrorKind::Type { .. })
            && inner.instance_path().as_str() == error.instance_path().as_str()
    };
    if let Some(meant) = branches.iter().find(|branch| !branch.iter().any(|inner| is_of_other_type(&inner))) {
        for inner in meant {
            collect(inner, findings);
        }
        return;
    }
    let mut expected: Vec<&str> = Vec::new();
    for inner in branches.iter().flatten().filter(is_of_other_type) {
        if let ValidationErrorKind::Type { kind } = inner.kind() {
            for name in types(kind) {
                if !expected.contains(&name) {
                    expected.push(name);
                }
            }
        }
    }
    let wrong = Wrong::Value(expected.join(" or "));
    findings.push(Finding { path, schema: error.schema_path().to_string(), wrong, words: Vec::new() });
}

fn types(kind: &TypeKind) -> Vec<&'static str> {
    let name = |kind: JsonType| match kind {
        JsonType::Array => "a list",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Null => "nothing",
        JsonType::Number => "a number",
        JsonType::Object => "a map",
        JsonType::String => "text",
    };
    match kind {
        TypeKind::Single(one) => vec![name(*one)],
        TypeKind::Multiple(many) => many.iter().map(name).collect(),
    }
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

fn at<'a>(node: &'a Node, path: &[String]) -> Option<&'a Node> {
    path.iter().try_fold(node, |node, segment| match &node.kind {
        Kind::Sequence(items) => items.get(segment.parse::<usize>().ok()?),
        _ => node.get(segment),
    })
}

fn at_mut<'a>(node: &'a mut Node, path: &[String]) -> Option<&'a mut Node> {
    path.iter().try_fold(node, |node, segment| match &mut node.kind {
        Kind::Sequence(items) => items.get_mut(segment.parse::<usize>().ok()?),
        Kind::Map(entries) => entries.iter_mut().find(|entry| entry.key == *segment).map(|entry| &mut entry.value),
        _ => None,
    })
}

/// Makes the value of the nearest key null; None for the root.
fn blank(node: &mut Node, path: &[String]) -> Option<()> {
    let mut end = path.len();
    while end > 0 {
        let parent = at(node, path.get(..end - 1)?);
        if parent.is_none_or(|parent| matches!(parent.kind, Kind::Map(_))) {
            if let Some(found) = at_mut(node, path.get(..end)?) {
                found.kind = Kind::Null;
            }
            return Some(());
        }
        end -= 1;
    }
    None
}

fn remove(node: &mut Node, path: &[String]) {
    let Some((key, parent)) = path.split_last() else { return };
    if let Some(Node { kind: Kind::Map(entries), .. }) = at_mut(node, parent) {
        entries.retain(|entry| entry.key != *key);
    }
}

/// Finds values that ended at a comma, and what the comma made of their rest.
fn find_cut_off(node: &mut Node, path: &mut Path, sources: &SourceMap, broken: &mut BTreeSet<Path>, sink: &mut Sink) {
    let text = sources.text(node.span.file);
    let comma =
        |from: Span, to: Span| text.get(from.end as usize..to.start as usize).is_some_and(|between| between.contains(','));
    match &mut node.kind {
        Kind::Map(entries) => {
            let mut index = 0;
            while let Some(entry) = entries.get(index) {
                let (span, is_cut) = (entry.value.span, is_cut_off(&entry.value));
                let rest = entries.get(index + 1..).unwrap_or_default();
                let is_rest = |next: &Entry| next.value.kind == Kind::Null && next.value.span.start == next.value.span.end;
                if is_cut && rest.first().is_some_and(|next| is_rest(next) && comma(span, next.key_span)) {
                    sink.push(unquoted_comma(span, text));
                    path.push(entry.key.clone());
                    broken.insert(path.clone());
                    path.pop();
                    let pieces = rest.iter().take_while(|next| is_rest(next)).count();
                    entries.drain(index + 1..=index + pieces);
                }
                index += 1;
            }
            for entry in entries {
                path.push(entry.key.clone());
                find_cut_off(&mut entry.value, path, sources, broken, sink);
                path.pop();
            }
        }
        Kind::Sequence(items) => {
            for pair in items.windows(2) {
                if let [first, second] = pair
                    && is_cut_off(first)
                    && comma(first.span, second.span)
                {
                    sink.push(unquoted_comma(first.span, text));
                    broken.insert(path.clone());
                }
            }
            for (index, item) in items.iter_mut().enumerate() {
                path.push(index.to_string());
                find_cut_off(item, path, sources, broken, sink);
                path.pop();
            }
        }
        _ => {}
    }
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

fn to_json(node: &Node) -> Value {
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Bool(value) => Value::Bool(*value),
        // Infinity is no number to JSON; as text it is refused wherever a number is wanted.
        Kind::Number(text) => json_number(text).map_or_else(|| Value::String(text.clone()), Value::Number),
        Kind::String { value, .. } => Value::String(value.clone()),
        Kind::Sequence(items) => items.iter().map(to_json).collect(),
        Kind::Map(entries) => entries.iter().map(|entry| (entry.key.clone(), to_json(&entry.value))).collect(),
    }
}
