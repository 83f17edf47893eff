//! YAML 1.2 (core schema) and JSON, which is a part of it, into one [`Node`] tree. The only module that names the parser.

mod comma;
mod key;
mod simple;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use comma::{is_cut_off, is_cut_off_text, unquoted_comma};

use super::conflict::conflict;
use super::file::too_large;
use super::node::{Entry, Kind, Node, Tag};
use super::scalar;
use super::{FileId, SourceMap, Span};
use crate::diagnostic::{Diagnostic, Sink, codes, nearest};
use granit_parser::{Event, Parser, ScalarStyle, ScanError, StructureStyle};
use key::{Key, first, take_key};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// Nodes that aliases may add to a tree. A file that means well repeats a few small maps.
const ALIAS_BUDGET: usize = 50_000;
/// Maps and lists inside one another, aliases expanded.
const DEPTH_LIMIT: usize = 128;
/// The parser's own limit: beyond what it looks ahead (1024 characters), so that ours is met first, at the right place.
const PARSER_DEPTH: usize = 2048;

/// Reads a file as YAML or JSON. What can be repaired (a key given twice, a merge key) is reported and left out of the
/// tree; None, after at least one error, when there is no tree to go on with.
pub fn parse(sources: &SourceMap, file: FileId, sink: &mut Sink) -> Option<Node> {
    let text = sources.text(file);
    if let Some(message) = too_large(text.len()) {
        sink.push(Diagnostic::new(codes::BAD_YAML, Span::new(file, 0, 0), format!("the file cannot be read: {message}")));
        return None;
    }
    // A marker is nothing that is simple.
    simple::read(text, file).or_else(|| match conflict(text, file, codes::BAD_YAML) {
        Some(conflict) => {
            sink.push(conflict);
            None
        }
        None => load(text, file, sink),
    })
}

/// The tree that the parser makes of a text.
fn load(text: &str, file: FileId, sink: &mut Sink) -> Option<Node> {
    let options = granit_parser::options! {
        emit_comments: false,
        emit_anchor_events: true,
        emit_unresolved_aliases: true,
        flow_nesting_limit: PARSER_DEPTH,
        block_nesting_limit: PARSER_DEPTH,
    };
    let mut loader = Loader {
        text,
        file,
        sink,
        frames: Vec::new(),
        anchors: BTreeMap::new(),
        budget: ALIAS_BUDGET,
        root: None,
        broken: false,
    };
    for event in Parser::new_from_str_with_options(text, options) {
        match event {
            Ok((event, span)) => {
                if loader.take(event, span).is_break() {
                    return None;
                }
            }
            Err(error) => {
                loader.syntax(&error);
                return None;
            }
        }
    }
    let Loader { root, broken, .. } = loader;
    if root.is_none() && !broken {
        sink.push(
            Diagnostic::new(codes::BAD_YAML, Span::new(file, 0, 0), "the file is empty")
                .help("models and gen.yaml begin with `gen: 1`"),
        );
    }
    root.filter(|_| !broken)
}

/// A map or list that is not closed yet.
struct Frame {
    start: Span,
    flow: bool,
    anchor: usize,
    tag: Option<Box<Tag>>,
    /// Maps and lists inside, at most.
    height: usize,
    size: usize,
    content: Content,
}

enum Content {
    Sequence(Vec<Node>),
    Map { entries: Vec<Entry>, index: HashMap<String, Span>, key: Key },
}

/// A finished value with what aliases of it cost.
#[derive(Clone)]
struct Built {
    node: Node,
    size: usize,
    height: usize,
}

struct Anchor {
    name: String,
    built: Option<Built>,
}

struct Loader<'a> {
    text: &'a str,
    file: FileId,
    sink: &'a mut Sink,
    frames: Vec<Frame>,
    anchors: BTreeMap<usize, Anchor>,
    budget: usize,
    root: Option<Node>,
    /// Something is missing from the tree that nothing can stand for.
    broken: bool,
}

impl<'a> Loader<'a> {
    fn take(&mut self, event: Event<'a>, at: granit_parser::Span) -> ControlFlow<()> {
        let span = self.span(&at);
        match event {
            Event::DocumentStart(..) if self.root.is_some() || self.broken => {
                let diagnostic = Diagnostic::new(codes::BAD_YAML, span, "a second document begins here")
                    .help("one file holds one document: put the second into a file of its own");
                self.sink.push(diagnostic);
                return ControlFlow::Break(());
            }
            Event::Scalar(value, style, anchor, tag) => {
                let tag = tag.as_deref().map(|tag| (tag, self.tag_span(&at, span)));
                // Plain scalars and block scalars reach to the end of the line.
                let quoted = matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
                let span = if quoted { span } else { self.trimmed(span) };
                let node = self.scalar(&value, style, tag, span);
                return self.add(Built { node, size: 1, height: 0 }, anchor);
            }
            Event::SequenceStart(style, anchor, tag) => {
                let tag = self.collection_tag(tag.as_deref(), "seq", &at, span);
                return self.open(Content::Sequence(Vec::new()), style, anchor, tag, span);
            }
            Event::MappingStart(style, anchor, tag) => {
                let tag = self.collection_tag(tag.as_deref(), "map", &at, span);
                let content = Content::Map { entries: Vec::new(), index: HashMap::new(), key: Key::Expected };
                return self.open(content, style, anchor, tag, span);
            }
            Event::SequenceEnd | Event::MappingEnd => return self.close(span),
            Event::Anchor(id, name) => {
                self.anchors.entry(id).or_insert_with(|| Anchor { name: String::new(), built: None }).name = name.into_owned();
            }
            Event::Alias(id) => return self.alias(id, span),
            Event::UnresolvedAlias(name) => {
                let known: Vec<&str> = self.anchors.values().map(|anchor| anchor.name.as_str()).collect();
                let mut diagnostic =
                    Diagnostic::new(codes::BAD_YAML, span, format!("no anchor `&{name}` stands before this alias"));
                if let Some(nearest) = nearest(&name, known.iter().copied()) {
                    diagnostic = diagnostic.suggest(format!("did you mean `*{nearest}`?"), span, format!("*{nearest}"));
                } else if span.start as usize > 0 && name.is_empty() {
                    diagnostic = diagnostic.help("text that begins with `*` needs quotes");
                }
                self.sink.push(diagnostic);
                self.broken = true;
                let node = Node { span, tag: None, kind: Kind::Null };
                return self.add(Built { node, size: 1, height: 0 }, 0);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn span(&self, at: &granit_parser::Span) -> Span {
        let start = at.start.byte_offset().unwrap_or(0);
        Span::new(self.file, start, at.end.byte_offset().unwrap_or(start).min(self.text.len()))
    }

    fn tag_span(&self, at: &granit_parser::Span, value: Span) -> Span {
        at.tag_span().map_or(value, |tag| self.span(&tag))
    }

    /// Without white space at its end.
    fn trimmed(&self, span: Span) -> Span {
        let text = self.text.get(span.range()).unwrap_or("");
        span.part(0, text.trim_end().len())
    }

    fn scalar(&mut self, value: &str, style: ScalarStyle, tag: Option<(&granit_parser::Tag, Span)>, span: Span) -> Node {
        let plain = style == ScalarStyle::Plain;
        let text = || Kind::String { value: value.to_owned(), plain };
        let (kind, tag) = match tag {
            None if plain => (scalar::resolve(value), None),
            None => (text(), None),
            Some((tag, place)) => match tag.core_suffix() {
                Some("str") => (text(), None),
                Some(suffix) => {
                    let kind = scalar::resolve(value);
                    let fits = match suffix {
                        "null" => kind == Kind::Null,
                        "bool" => matches!(kind, Kind::Bool(_)),
                        "int" | "float" => matches!(kind, Kind::Number(_)),
                        _ => false,
                    };
                    if !fits {
                        let message = format!("`{value}` is no `!!{suffix}`");
                        self.sink.push(Diagnostic::new(codes::BAD_YAML, span, message).context(place, "the tag"));
                    }
                    (if fits { kind } else { text() }, None)
                }
                None if is_non_specific(tag) => (text(), None),
                None => (text(), Some(Box::new(local_tag(tag, place)))),
            },
        };
        Node { span, tag, kind }
    }

    fn collection_tag(
        &mut self,
        tag: Option<&granit_parser::Tag>,
        own: &str,
        at: &granit_parser::Span,
        span: Span,
    ) -> Option<Box<Tag>> {
        let tag = tag?;
        let place = self.tag_span(at, span);
        match tag.core_suffix() {
            Some(suffix) if suffix == own => None,
            Some(suffix) => {
                self.sink.push(Diagnostic::new(codes::BAD_YAML, place, format!("this is no `!!{suffix}`")));
                None
            }
            None if is_non_specific(tag) => None,
            None => Some(Box::new(local_tag(tag, place))),
        }
    }

    fn open(
        &mut self,
        content: Content,
        style: StructureStyle,
        anchor: usize,
        tag: Option<Box<Tag>>,
        start: Span,
    ) -> ControlFlow<()> {
        if self.frames.len() >= DEPTH_LIMIT {
            return self.too_deep(start);
        }
        let flow = style == StructureStyle::Flow;
        self.frames.push(Frame { start, flow, anchor, tag, height: 1, size: 1, content });
        ControlFlow::Continue(())
    }

    fn close(&mut self, end: Span) -> ControlFlow<()> {
        let Some(frame) = self.frames.pop() else { return ControlFlow::Continue(()) };
        let (kind, last) = match frame.content {
            Content::Sequence(items) => {
                let last = items.iter().map(|item| item.span).max_by_key(|span| span.end);
                (Kind::Sequence(items), last)
            }
            Content::Map { entries, .. } => {
                let last = entries.iter().map(|entry| entry.key_span.to(entry.value.span)).max_by_key(|span| span.end);
                (Kind::Map(entries), last)
            }
        };
        // A block ends where its last value ends; the parser would reach to the next token, comments included. What an alias
        // stands for may lie before the block.
        let span = match last {
            _ if frame.flow => frame.start.to(end),
            Some(last) if last.end >= frame.start.end => Span::new(self.file, frame.start.start as usize, last.end as usize),
            _ => self.trimmed(frame.start.to(end)),
        };
        let node = Node { span, tag: frame.tag, kind };
        self.add(Built { node, size: frame.size, height: frame.height }, frame.anchor)
    }

    fn alias(&mut self, id: usize, span: Span) -> ControlFlow<()> {
        let Some(built) = self.anchors.get(&id).and_then(|anchor| anchor.built.clone()) else {
            self.sink.push(Diagnostic::new(codes::BAD_YAML, span, "an alias inside the very value it stands for"));
            self.broken = true;
            let node = Node { span, tag: None, kind: Kind::Null };
            return self.add(Built { node, size: 1, height: 0 }, 0);
        };
        if self.frames.len() + built.height > DEPTH_LIMIT {
            return self.too_deep(span);
        }
        let Some(left) = self.budget.checked_sub(built.size) else {
            let message = format!("aliases expand to more than {ALIAS_BUDGET} values");
            self.sink.push(Diagnostic::new(codes::ALIAS_LIMIT, span, message).help("write the values out, or fewer of them"));
            return ControlFlow::Break(());
        };
        self.budget = left;
        self.add(built, 0)
    }

    fn too_deep(&mut self, span: Span) -> ControlFlow<()> {
        let message = format!("maps and lists are nested more than {DEPTH_LIMIT} deep");
        self.sink.push(Diagnostic::new(codes::TOO_DEEP, span.part(0, 1), message));
        ControlFlow::Break(())
    }

    fn add(&mut self, built: Built, anchor: usize) -> ControlFlow<()> {
        if anchor != 0 {
            let copy = built.clone();
            self.anchors.entry(anchor).or_insert_with(|| Anchor { name: String::new(), built: None }).built = Some(copy);
        }
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(built.node);
            return ControlFlow::Continue(());
        };
        frame.size = frame.size.saturating_add(built.size);
        frame.height = frame.height.max(built.height + 1);
        match &mut frame.content {
            Content::Sequence(items) => items.push(built.node),
            Content::Map { entries, index, key } => match std::mem::replace(key, Key::Expected) {
                Key::Expected => *key = take_key(built.node, self.text, |key| first(entries, index, key), self.sink),
                Key::Given(key, key_span) => entries.push(Entry { key, key_span, value: built.node }),
                Key::Refused => {}
            },
        }
        ControlFlow::Continue(())
    }

    fn syntax(&mut self, error: &ScanError) {
        let start = error.marker().byte_offset().unwrap_or(self.text.len()).min(self.text.len());
        // Of a tab that indents the parser knows what stands before it.
        let tab = self.text.get(start..).and_then(|rest| rest.find("\n\t")).filter(|_| words::is_tab(error.kind()));
        let start = tab.map_or(start, |at| start + at + 1);
        let width =
            self.text.get(start..).and_then(|rest| rest.chars().next()).filter(|next| *next != '\n').map_or(0, char::len_utf8);
        let span = Span::new(self.file, start, start + width);
        if let Some(cut) = self.cut_off() {
            self.sink.push(unquoted_comma(cut, self.text));
            return;
        }
        let (code, message, help) = words::explain(error.kind());
        let mut diagnostic = Diagnostic::new(code, span, message);
        if let Some(frame) = self.frames.last().filter(|frame| frame.flow) {
            diagnostic = diagnostic.context(frame.start.part(0, 1), "opened here");
        }
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.sink.push(diagnostic);
    }

    /// The plain value before a syntax error in `{ }` or `[ ]`, when a bracket in it is open.
    fn cut_off(&self) -> Option<Span> {
        let frame = self.frames.last().filter(|frame| frame.flow)?;
        let value = match &frame.content {
            Content::Sequence(items) => items.last()?,
            Content::Map { entries, .. } => &entries.last()?.value,
        };
        is_cut_off(value).then_some(value.span)
    }
}

/// A lone `!`, which says "text" of a scalar and nothing of a map or list.
fn is_non_specific(tag: &granit_parser::Tag) -> bool {
    matches!(tag.parts(), ("", "!") | ("!", ""))
}

fn local_tag(tag: &granit_parser::Tag, span: Span) -> Tag {
    let name = if tag.handle() == "!" { tag.suffix().to_owned() } else { format!("{}{}", tag.handle(), tag.suffix()) };
    Tag { name, span }
}
