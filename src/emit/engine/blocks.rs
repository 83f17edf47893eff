//! The blocks of templates, by their tags: which there are, and which nobody prints.

use super::{EMBEDDED_PREFIX, Overlay, embedded};
use crate::diagnostic::{Diagnostic, Sink, codes, listed, nearest};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A tag, `{% … %}`.
struct Tag<'t> {
    /// Its first word.
    word: &'t str,
    /// What follows.
    rest: &'t str,
    /// Where what follows stands in the text.
    range: Range<usize>,
    /// Where all of it stands.
    whole: Range<usize>,
}

/// A block.
struct Block<'t> {
    name: &'t str,
    range: Range<usize>,
    /// Whether it is printed where something prints what it stands in: in a block, or in a macro.
    nested: bool,
}

/// What the tags of a template say.
#[derive(Default)]
struct Outline<'t> {
    blocks: Vec<Block<'t>>,
    /// The template that it extends, in any case and by a written name.
    extends: Option<&'t str>,
}

/// The blocks of a template's text, in their order.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    Outline::of(text).blocks.into_iter().map(|block| block.name)
}

/// A text in which the tags of its blocks are comments: as long as nothing replaces a block, it prints the same from the same
/// lines, and no table pays for entering its blocks.
pub(super) fn dissolved(text: &str) -> String {
    let mut dissolved = text.to_owned();
    for Tag { whole, .. } in tags(text).into_iter().filter(|tag| ["block", "endblock"].contains(&tag.word)) {
        dissolved.replace_range(whole.start..whole.start + 2, "{#");
        dissolved.replace_range(whole.end - 2..whole.end, "#}");
    }
    dissolved
}

/// Whether a template extends another one, by whatever name: it may replace blocks of any.
pub(super) fn extends(text: &str) -> bool {
    tags(text).iter().any(|tag| tag.word == "extends")
}

/// Error `unknown-block` for each block of a template that extends another one, where none of those it extends prints it.
pub(super) fn check(overlay: &BTreeMap<String, Overlay>, sink: &mut Sink) {
    for (name, file) in overlay {
        let outline = Outline::of(&file.text);
        let Some(known) = outline.extends.and_then(|parent| extended(name, parent, overlay)) else { continue };
        for block in outline.blocks.iter().filter(|block| !block.nested && !known.contains(block.name)) {
            let place = Span::new(file.file, block.range.start, block.range.end);
            let message = format!("nothing prints the block `{}`: no template that this one extends has it", block.name);
            let diagnostic = Diagnostic::new(codes::UNKNOWN_BLOCK, place, message);
            sink.push(match nearest(block.name, known.iter().copied()) {
                Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), place, near),
                None if known.is_empty() => diagnostic.help("what it extends has no blocks"),
                None => diagnostic.help(format!("the blocks are {}", listed(&known))),
            });
        }
    }
}

/// The blocks of all templates that one extends; None when not all of them are known, which is told when they are rendered.
fn extended<'t>(name: &'t str, parent: &'t str, overlay: &'t BTreeMap<String, Overlay>) -> Option<BTreeSet<&'t str>> {
    let mut blocks = BTreeSet::new();
    let mut seen = BTreeSet::from([name]);
    let mut next = Some(parent);
    while let Some(parent) = next {
        if !seen.insert(parent) {
            return None;
        }
        let text = match parent.strip_prefix(EMBEDDED_PREFIX) {
            Some(name) => embedded(name)?,
            None => overlay.get(parent).map(|file| file.text.as_str()).or_else(|| embedded(parent))?,
        };
        let outline = Outline::of(text);
        blocks.extend(outline.blocks.iter().map(|block| block.name));
        next = outline.extends;
    }
    Some(blocks)
}

impl<'t> Outline<'t> {
    fn of(text: &'t str) -> Self {
        let mut outline = Self::default();
        let mut open: Vec<&str> = Vec::new();
        for Tag { word, rest, range, .. } in tags(text) {
            let length = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(rest.len());
            match word {
                "extends" if open.is_empty() => outline.extends = outline.extends.or(quoted(rest)),
                "block" => {
                    let name = rest.get(..length).unwrap_or_default();
                    let nested = open.iter().any(|word| ["block", "macro", "call"].contains(word));
                    outline.blocks.push(Block { name, range: range.start..range.start + length, nested });
                }
                _ => {}
            }
            if ["block", "macro", "call", "if", "for", "with", "filter"].contains(&word) {
                open.push(word);
            } else if word.strip_prefix("end").is_some_and(|ended| open.last() == Some(&ended)) {
                open.pop();
            }
        }
        outline
    }
}

/// The text in quotes that is all there is.
fn quoted(text: &str) -> Option<&str> {
    let mark = text.chars().next().filter(|mark| ['"', '\''].contains(mark))?;
    let inside = text.strip_prefix(mark)?.strip_suffix(mark)?;
    (!inside.contains(mark)).then_some(inside)
}

/// The tags of a text. What stands in comments, in expressions and between `raw` and `endraw` are none.
fn tags(text: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    let mut at = 0;
    let mut raw = false;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('{')) {
        let start = at + found;
        let begun = text.get(start..).unwrap_or_default();
        let end = match begun.get(1..2) {
            Some("%") => "%}",
            Some("#") if !raw => "#}",
            Some("{") if !raw => "}}",
            _ => {
                at = start + 1;
                continue;
            }
        };
        let Some(length) = begun.get(2..).and_then(|rest| rest.find(end)) else { break };
        at = start + 2 + length + 2;
        if end != "%}" {
            continue;
        }
        let inside = begun.get(2..2 + length).unwrap_or_default();
        let inside = inside.strip_suffix(['-', '+']).unwrap_or(inside).trim_end();
        let words = inside.strip_prefix(['-', '+']).unwrap_or(inside).trim_start();
        let (word, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        let rest = rest.trim_start();
        raw = if raw { word != "endraw" } else { word == "raw" };
        if !raw {
            let stop = start + 2 + inside.len();
            tags.push(Tag { word, rest, range: stop - rest.len()..stop, whole: start..at });
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_from_what_looks_like_them() {
        let text = "{# {% block a %} #}{%- block b -%}{{ '{% block c %}' }}{% raw %}{% block d %}{% endraw %}{%block e%}{ % {%";
        assert_eq!(names(text).collect::<Vec<_>>(), ["b", "e"]);
    }

    #[test]
    fn what_is_extended_is_told_where_it_always_is() {
        for (text, extends) in [
            ("{% extends \"gen/a\" %}", Some("gen/a")),
            ("{# x #}\n{%- extends 'a' -%}", Some("a")),
            ("{% if x %}{% extends 'a' %}{% endif %}", None),
            ("{% extends 'a' ~ x %}", None),
            ("{% extends 'a' ~ 'b' %}", None),
        ] {
            assert_eq!(Outline::of(text).extends, extends, "{text}");
        }
    }

    #[test]
    fn dissolved_blocks_leave_what_is_in_them() {
        let text =
            "a\n{% block b %}\n{%- if x -%} {%- block c -%} d {% endblock c %}{% endif %}\n{% endblock %}\n{# {% block e %} #}";
        let dissolved = dissolved(text);
        assert_eq!(names(&dissolved).count(), 0);
        assert_eq!(dissolved.replace("{#", "{%").replace("#}", "%}"), text.replace("{#", "{%").replace("#}", "%}"));
        assert!(dissolved.contains("{%- if x -%} {#- block c -#} d {# endblock c #}{% endif %}"), "{dissolved}");
    }

    #[test]
    fn blocks_in_blocks_and_in_macros_are_nested() {
        let text = "{% block a %}{% if x %}{% block b %}{% endblock %}{% endif %}{% endblock a %}\
                    {% if x %}{% block c %}{% endblock %}{% endif %}{% macro m() %}{% block d %}{% endblock %}{% endmacro %}";
        let told: Vec<_> = Outline::of(text).blocks.iter().map(|block| (block.name, block.nested)).collect();
        assert_eq!(told, [("a", false), ("b", true), ("c", false), ("d", true)]);
        assert!(Outline::of(text).blocks.iter().all(|block| text.get(block.range.clone()) == Some(block.name)));
    }
}
