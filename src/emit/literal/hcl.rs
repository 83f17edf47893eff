//! Literals of HCL.

use std::fmt::Write as _;

/// Text in double quotes. Nothing in it is interpolated: `${` and `%{` are escaped as HCL wants it.
#[must_use]
pub fn string(text: &str) -> String {
    format!("\"{}\"", quoted(text))
}

/// What stands between the quotes of [`string`].
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '$' | '%' if characters.peek() == Some(&'{') => out.extend([character, character]),
            // C0, C1, the line and paragraph separators, and the byte order mark: nobody sees them in a review.
            control if control.is_control() || matches!(control, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out
}

/// Whether a name can stand as an HCL identifier: a label, a block type, the key of a map without quotes.
#[must_use]
pub fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|next| next.is_ascii_alphanumeric() || next == '_' || next == '-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use hcl::edit::expr::Expression;

    #[test]
    fn what_is_written_is_read_back_and_never_computed() {
        for text in [
            "plain",
            "",
            "\"; resource",
            "back\\slash \\n",
            "line\nfeed\r\n\ttab",
            "${var.x} %{if a} $${y} $$$ %%{ ${",
            "$",
            "{",
            "\u{0}\u{7f}\u{85}\u{2028}\u{feff}",
            "ünï — 🦀",
        ] {
            let source = string(text);
            let read: Expression = source.parse().unwrap_or_else(|error| panic!("{source}: {error}"));
            assert_eq!(read.as_str(), Some(text), "{source}");
            assert!(!source.contains('\n'), "{source}");
        }
    }
}
