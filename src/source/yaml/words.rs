//! Errors of syntax in our own words.

use super::DEPTH_LIMIT;
use crate::diagnostic::{Code, codes};
use granit_parser::ErrorKind;

/// Whether a tab stands where it may not.
pub(super) fn is_tab(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabAtBlockScalarStart
            | ErrorKind::TabInPlainScalar
    )
}

/// Our words for what people meet; the parser's own for the rest.
pub(super) fn explain(kind: &ErrorKind) -> (Code, String, Option<&'static str>) {
    let (message, help) = match kind {
        ErrorKind::RecursionLimitExceeded => {
            return (codes::TOO_DEEP, format!("maps and lists are nested more than {DEPTH_LIMIT} deep"), None);
        }
        kind if is_tab(kind) => ("a tab where YAML wants spaces".to_owned(), Some("indent with spaces")),
        ErrorKind::UnclosedQuotedScalar => ("a quote is opened and never closed".to_owned(), None),
        ErrorKind::UnclosedFlowCollection { open } => (format!("`{open}` is opened and never closed"), None),
        ErrorKind::UnexpectedEofFlowMapping | ErrorKind::UnexpectedEofImplicitFlowMapping => {
            ("`{` is opened and never closed".to_owned(), None)
        }
        ErrorKind::UnexpectedEofFlowSequence => ("`[` is opened and never closed".to_owned(), None),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => (format!("`{open}` is closed by `{close}`"), None),
        ErrorKind::ExpectedFlowMappingSeparator => {
            ("expected `,` or `}`".to_owned(), Some("a value with a comma, a brace or a quote in it needs quotes around it"))
        }
        ErrorKind::ExpectedFlowSequenceSeparator => {
            ("expected `,` or `]`".to_owned(), Some("a value with a comma, a bracket or a quote in it needs quotes around it"))
        }
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => {
            ("a `: ` that makes no map here".to_owned(), Some("text with `: ` in it needs quotes"))
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey | ErrorKind::ExpectedBlockMappingKey => {
            ("expected `key: value`".to_owned(), Some("compare its indentation with the line above"))
        }
        ErrorKind::InvalidIndentation | ErrorKind::ExpectedBlockSequenceEntry => {
            ("the indentation fits no line above".to_owned(), None)
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            ("an escape that double quotes do not know".to_owned(), Some("write `\\\\` for a backslash, or use single quotes"))
        }
        ErrorKind::UnexpectedCharacter { character } if !is_printable(*character) => (
            format!("the character U+{:04X} cannot stand in a file", u32::from(*character)),
            Some("write it as an escape, in double quotes"),
        ),
        ErrorKind::UnexpectedCharacter { character } => {
            (format!("text cannot begin with `{}`", character.escape_default()), Some("put it in quotes"))
        }
        ErrorKind::InvalidTrailingDoubleQuotedScalar | ErrorKind::InvalidTrailingSingleQuotedScalar => {
            ("something follows the closing quote".to_owned(), Some("put the whole value in one pair of quotes"))
        }
        other => (other.to_string(), None),
    };
    (codes::BAD_YAML, message, help)
}

/// What YAML lets stand in a text as it is.
fn is_printable(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | '\u{85}' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        _ => !character.is_control(),
    }
}
