//! YAML scalars that every reader takes for the same text.
//!
//! CloudFormation, cfn-lint and `PyYAML` read YAML 1.1; our own reader and most editors read YAML 1.2. A text stands plain
//! only where both see that very text; anywhere else it stands in double quotes, whose escapes are the same in both.

use super::is_invisible;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::fmt::Write as _;

/// Plain words that one of the two versions takes for a bool or a null, in lower case
/// (<https://yaml.org/type/bool.html>, <https://yaml.org/type/null.html>).
const WORDS: [&str; 9] = ["y", "yes", "n", "no", "on", "off", "true", "false", "null"];

/// A text as a YAML scalar on one line, for any place of a block or flow collection: key, value or item.
#[must_use]
pub fn scalar(text: &str) -> Cow<'_, str> {
    if is_plain(text) { text.into() } else { quoted(text).into() }
}

/// Whether a text may stand without quotes. It has to begin with a letter or an underscore, which leaves out all numbers,
/// dates and indicators, and hold nothing that has a meaning somewhere.
fn is_plain(text: &str) -> bool {
    let mut bytes = text.bytes();
    let starts = bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_');
    let goes_on = bytes.all(|next| next.is_ascii_alphanumeric() || b"_-./@+()=;<>$ :".contains(&next));
    let splits = || text.ends_with([':', ' ']) || (text.contains(':') && text.contains(": "));
    starts && goes_on && !splits() && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// A text in double quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for character in text.chars() {
        match character {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            _ if !is_invisible(character) => literal.push(character),
            _ => {
                let code = u32::from(character);
                // Writing to a String cannot fail.
                let _ = match code {
                    0..=0xff => write!(literal, "\\x{code:02x}"),
                    0x100..=0xffff => write!(literal, "\\u{code:04x}"),
                    _ => write!(literal, "\\U{code:08x}"),
                };
            }
        }
    }
    literal.push('"');
    literal
}

/// The lines of a JSON document as a block of YAML.
#[must_use]
pub fn block(value: &Json) -> Vec<String> {
    let nested = |before: String, value: &Json| match value {
        Json::Array(items) if !items.is_empty() => [vec![before], indented(block(value))].concat(),
        Json::Object(fields) if !fields.is_empty() => [vec![before], indented(block(value))].concat(),
        scalar => vec![format!("{before} {}", flat(scalar))],
    };
    match value {
        Json::Object(fields) if !fields.is_empty() => {
            fields.iter().flat_map(|(key, value)| nested(format!("{}:", scalar(key)), value)).collect()
        }
        Json::Array(items) if !items.is_empty() => items
            .iter()
            .flat_map(|item| {
                let mut lines = block(item);
                for (number, line) in lines.iter_mut().enumerate() {
                    line.insert_str(0, if number == 0 { "- " } else { "  " });
                }
                lines
            })
            .collect(),
        scalar => vec![flat(scalar)],
    }
}

/// A value without parts.
fn flat(value: &Json) -> String {
    match value {
        Json::String(text) => scalar(text).into_owned(),
        other => other.to_string(),
    }
}

fn indented(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| format!("  {line}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Sink;
    use crate::source::{Node, SourceMap, parse};
    use proptest::prelude::*;

    #[test]
    fn ordinary_text_is_plain() {
        for text in [
            "orders",
            "by_status",
            "PAY_PER_REQUEST",
            "AWS::DynamoDB::Table",
            "a b",
            "arn:aws:kms:eu-west-1:1:key/2",
            "v1.2",
            "S",
        ] {
            assert_eq!(scalar(text), text);
        }
    }

    #[test]
    fn what_a_reader_takes_for_something_else_is_quoted() {
        let mistaken = [
            "",
            "y",
            "Y",
            "n",
            "N",
            "yes",
            "No",
            "on",
            "OFF",
            "true",
            "False",
            "null",
            "NULL",
            "~",
            "1",
            "-1",
            "+1",
            "0o17",
            "017",
            "0x1F",
            "1_000",
            "1e3",
            ".5",
            ".inf",
            "-.INF",
            ".NaN",
            "12:30:45",
            "2010-09-09",
            "2001-12-14t21:59:43.10-05:00",
            "<<",
            "=",
            "-",
            "- a",
            "? a",
            ":",
            "a: b",
            "a:",
            "a #b",
            "#a",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
            "%a",
            "@a",
            "`a",
            "'a'",
            "a,b",
            "[a]",
            "{a}",
            " a",
            "a ",
            "---",
            "...",
            "a\tb",
        ];
        for text in mistaken {
            assert!(scalar(text).starts_with('"'), "{text}");
        }
    }

    #[test]
    fn escapes_keep_a_text_on_one_line() {
        assert_eq!(scalar("a\"b\\c\n\r\t\u{0}\u{85}\u{2028}\u{feff}é😀"), r#""a\"b\\c\n\r\t\x00\x85\u2028\ufeffé😀""#);
    }

    proptest! {
        #[test]
        fn every_text_is_read_back_wherever_it_stands(text in r#"[a-zA-Z0-9:#'"$\\{}, ~!?\-\[\]\n\r\t.é\u{85}\u{2028}\u{feff}😀]{0,12}|\PC{0,8}|(?s:.{0,6})"#) {
            let scalar = scalar(&text);
            prop_assert!(!scalar.contains('\n'));
            let document = format!("k: {scalar}\n{scalar}: [{scalar}, {{ {scalar}: {scalar} }}]\n");
            prop_assume!(text != "k");
            let mut sources = SourceMap::default();
            let file = sources.add("t.yaml", document.as_str());
            let mut sink = Sink::default();
            let root = parse(&sources, file, &mut sink);
            prop_assert!(root.is_some() && sink.diagnostics().is_empty(), "{}: {:?}", document, sink.diagnostics());
            let root = root.unwrap();
            let expected = Some(text.as_str());
            prop_assert_eq!(root.get("k").and_then(Node::as_str), expected);
            let list = root.get(&text).unwrap().items();
            prop_assert_eq!(list[0].as_str(), expected);
            prop_assert_eq!(list[1].get(&text).and_then(Node::as_str), expected);
        }
    }
}
