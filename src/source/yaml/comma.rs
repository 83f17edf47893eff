//! Plain values that a comma cut off.

use crate::diagnostic::{Diagnostic, codes};
use crate::source::{Kind, Node, Span};

/// Whether a plain value has an open bracket: in `{ }` and `[ ]` the comma that followed has ended it.
pub(crate) fn is_cut_off(node: &Node) -> bool {
    matches!(&node.kind, Kind::String { value, plain: true } if is_cut_off_text(value))
}

/// Whether a text has an open bracket.
pub(crate) fn is_cut_off_text(value: &str) -> bool {
    value.bytes().any(|byte| matches!(byte, b'(' | b'<')) && has_open_bracket(value)
}

fn has_open_bracket(value: &str) -> bool {
    ['(', '<'].into_iter().zip([')', '>']).any(|(open, close)| {
        // `a < 5` and `a >= 5` hold no brackets.
        let opened = value.match_indices(open).filter(|(at, _)| open == '(' || bracket(value, *at)).count();
        opened > value.matches(close).count()
    })
}

/// `<` right after a word, as in `map<text`.
fn bracket(value: &str, at: usize) -> bool {
    value.get(..at).and_then(|before| before.chars().next_back()).is_some_and(char::is_alphanumeric)
}

/// A value that ended at a comma it should have held.
pub(crate) fn unquoted_comma(span: Span, text: &str) -> Diagnostic {
    let value = text.get(span.range()).unwrap_or("");
    Diagnostic::new(
        codes::UNQUOTED_COMMA,
        span,
        format!("`{value}` ends at the comma: inside `{{ }}` and `[ ]` a comma ends a plain value"),
    )
    .help("put the whole value in double quotes, or write the map on lines of its own")
}
