//! Literals of HCL.

use super::is_invisible;
use crate::schema::{Part, Scalar, Text};
use serde_json::Value as Json;
use std::fmt::Write as _;

/// Text in double quotes. Nothing in it is interpolated: `${` and `%{` are escaped as HCL wants it.
#[must_use]
pub fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    quote(text, &mut out);
    out.push('"');
    out
}

/// What stands between the quotes of [`string`].
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    quote(text, &mut out);
    out
}

fn quote(text: &str, out: &mut String) {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\' | b'$' | b'%')) {
        out.push_str(text);
        return;
    }
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '$' | '%' if characters.peek() == Some(&'{') => out.extend([character, character]),
            // All of them are below U+10000.
            unseen if is_invisible(unseen) => {
                let _ = write!(out, "\\u{:04x}", u32::from(unseen));
            }
            other => out.push(other),
        }
    }
}

/// Text that may hold parameters: `"${var.environment}-orders"`; a parameter or an expression alone needs no quotes.
#[must_use]
pub fn text(text: &Text) -> String {
    match text.parts() {
        [Part::Parameter(name)] => variable(name),
        [Part::Expression(source)] => source.clone(),
        parts => {
            let mut out = String::from("\"");
            for part in parts {
                let source = match part {
                    Part::Literal(text) => {
                        out.push_str(&quoted(text));
                        continue;
                    }
                    Part::Parameter(name) => &variable(name),
                    Part::Expression(source) => source,
                };
                // `$${` would be an escaped `${`.
                if out.ends_with('$') {
                    out.pop();
                    out.push_str("\\u0024");
                }
                let _ = write!(out, "${{{source}}}");
            }
            out.push('"');
            out
        }
    }
}

/// The literal of a parameter's value.
#[must_use]
pub fn scalar(value: &Scalar) -> String {
    match value {
        Scalar::Text(text) => string(text),
        Scalar::Number(number) => number.clone(),
        Scalar::Bool(value) => value.to_string(),
    }
}

/// A JSON document as the HCL value that `jsonencode` makes it of.
#[must_use]
pub fn json(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => number.to_string(),
        Json::String(text) => string(text),
        Json::Array(items) if items.is_empty() => "[]".to_owned(),
        Json::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Json::Array(items) if items.iter().all(|item| !item.is_array() && !item.is_object()) => {
            format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(", "))
        }
        Json::Array(items) => {
            let items = items.iter().map(json).collect::<Vec<_>>().join(",\n") + ",\n";
            format!("[\n{items}]")
        }
        Json::Object(fields) => {
            let field = |(name, value): (&String, &Json)| format!("{} = {}", key(name), json(value));
            let fields = fields.iter().map(field).collect::<Vec<_>>().join("\n") + "\n";
            format!("{{\n{fields}}}")
        }
    }
}

/// A reference to a variable.
#[must_use]
pub fn variable(name: &str) -> String {
    format!("var.{name}")
}

/// A key of a map: bare where HCL takes it for nothing else.
#[must_use]
pub fn key(name: &str) -> String {
    if is_identifier(name) && !matches!(name, "for" | "null" | "true" | "false") { name.to_owned() } else { string(name) }
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
    use hcl::edit::template::Element;

    #[test]
    fn a_dollar_sign_before_a_parameter_is_no_escape() {
        let parts = [Part::Literal("a$$".into()), Part::Parameter("x".into()), Part::Literal("%".into())];
        let source = text(&Text::from_parts(parts));
        assert_eq!(source, "\"a$\\u0024${var.x}%\"");
        let read: Expression = source.parse().unwrap();
        let elements: Vec<_> = read.as_template().unwrap().iter().collect();
        assert_eq!(elements[0].as_literal().unwrap().value(), "a$$");
        assert!(matches!(elements[1], Element::Interpolation(_)));
    }

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
