//! Pieces in any order, values, blocks, and parts of the files of the repository with edits.

use super::{is_read, modules};
use crate::source::samples::{edited, edits, mostly};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// What means something in some place.
const PIECES: &[&str] = &[
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    "=",
    " = ",
    "==",
    ":",
    " : ",
    "::",
    ",",
    ", ",
    ".",
    "..",
    "...",
    "#",
    "# c\n",
    "//",
    "// c\n",
    "/",
    "/*",
    "*/",
    "/*/",
    "/* c */",
    "/*\n*/",
    "*",
    "[",
    "]",
    "[]",
    "[0]",
    "[*]",
    "{",
    "}",
    "{}",
    "{\n",
    "}\n",
    "(",
    ")",
    "()",
    "\"",
    "\"\"",
    "\"s\"",
    "\"l\" {\n",
    "$",
    "${",
    "$${",
    "%{",
    "%%{",
    "~",
    "\\",
    "\\\"",
    "\\n",
    "\\u0041",
    "\\x",
    "-",
    "- ",
    "-1",
    "+",
    "!",
    "!=",
    "<",
    "<<",
    "<<EOT\n",
    "EOT\n",
    ">",
    "=>",
    "&&",
    "||",
    "?",
    "%",
    "0",
    "1",
    "1.5",
    "1e3",
    "1.",
    "00",
    "18446744073709551616",
    "a",
    "b",
    "a = 1\n",
    "b = [",
    "b {\n",
    "b { c = 1 }\n",
    "k = ",
    "\"k\": ",
    "f(",
    ".x",
    ".0",
    ".*",
    "null",
    "true",
    "for",
    "for ",
    "for x in y : ",
    "if",
    "in ",
    "endif",
    "_",
    "ä",
    "\u{a0}",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\0",
    "'",
    ";",
    "@",
    "|",
    "^",
];

/// What stands behind an equals sign.
fn value() -> impl Strategy<Value = String> + Clone {
    let harmless = [
        "1",
        "-1",
        "1.5",
        "-0",
        "007",
        "null",
        "true",
        "false",
        "a",
        "a-b_1",
        "var.a",
        "a.b.c",
        "a.b[0].c",
        "a[\"b\"]",
        "a[b.c]",
        "\"\"",
        "\"s\"",
        "\"s\\\"\\n\"",
        "\"ü\"",
        "\"$${a}\"",
        "\"$ %\"",
        "\"%%{a}$$\"",
        "\"${a}\"",
        "\"a${b.c}d${ e }\"",
        "\"$$$${a}${b}\"",
        "f()",
        "f(a)",
        "formula",
        "truest",
        "nullable.a",
    ];
    let wrong = [
        "",
        "1 2",
        "a b",
        "-",
        "- 1",
        "1e3",
        "1.",
        "a.0",
        "a.*",
        "a[*]",
        "a .b",
        "a\n.b",
        "a . b",
        "a ? b : c",
        "a == b",
        "1 + 2",
        "!a",
        "-a",
        "(a)",
        "f(a...)",
        "f (a)",
        "f::g()",
        "f()[0]",
        "[1][0]",
        "{}.a",
        "\"a\nb\"",
        "\"${a}\nb\"",
        "\"${~ a ~}\"",
        "\"%{ if a }b%{ endif }\"",
        "\"${a + 1}\"",
        "\"${\"a\"}\"",
        "\"\\u0041\"",
        "\"\\x\"",
        "<<EOT\na\nEOT",
        "ä",
        "for",
        "for.a",
        "true.a",
        "null()",
        "[for a in b : a]",
        "{ for a in b : a => 1 }",
        "[,]",
        "{,}",
        "{ \"${a}\" = 1 }",
        "\"",
        "\"${a",
        "[",
        "18446744073709551616",
        "9999999999999999999999.5",
        "0.0",
        "-0.0",
    ];
    let gap = mostly(&["", " ", "\t"], &["\n", "\n  ", " # c\n", "// c\n", "\n\n    ", "/* c */", "/*\n*/", "\r\n", "\r"]);
    mostly(&harmless, &wrong).prop_map(str::to_owned).prop_recursive(3, 10, 4, move |inner| {
        let key =
            mostly(&["k = ", "k=", "\"k\" = ", "k: ", "\"k\" : "], &["k ", "", "true = ", "for = ", "(k) = ", "k.a = ", "k == "]);
        let item = (gap.clone(), key, inner, gap.clone());
        let lines = any::<bool>();
        let comma = mostly(&["", "", ","], &[",,", ";", " ,", "..."]);
        let brackets = select(vec!["[]", "[]", "()", "{}", "{}", "{}", "\"\""]);
        (prop::collection::vec(item, 0..4), brackets, lines, comma, gap.clone()).prop_map(
            |(items, brackets, lines, comma, gap)| {
                let separator = if lines && brackets == "{}" { "\n" } else { "," };
                let items = items.iter().enumerate().map(|(at, (before, key, value, after))| match brackets {
                    "{}" => format!("{before}{}{value}{after}", key.replace('k', &format!("k{}", at % 3))),
                    "\"\"" => format!("a${{{before}{value}{after}}}"),
                    _ => format!("{before}{value}{after}"),
                });
                let items: Vec<String> = items.collect();
                match brackets {
                    "[]" => format!("[{}{comma}{gap}]", items.join(separator)),
                    "()" => format!("f({}{comma}{gap})", items.join(separator)),
                    "\"\"" => format!("\"{}\"", items.concat()),
                    _ => format!("{{{}{comma}{gap}}}", items.join(separator)),
                }
            },
        )
    })
}

/// A file of blocks and attributes.
fn structures() -> impl Strategy<Value = String> {
    let end =
        mostly(&["\n", "\n", "\n\n", " # c\n", "// c\n", " /* c */ \n", "\r\n"], &["", " ", "\r", " x\n", "; \n", "/*\n*/\n"]);
    let equals = mostly(&[" = ", "=", "\t=  ", " /* c */= "], &[" ", " == ", " : ", " =\n", " => "]);
    let key = mostly(&["k", "k-a", "_k", "kfor"], &["for", "ük", "k\u{a0}", "1k", "k.a", "\"k\""]);
    let attribute = (key.clone(), equals, value()).prop_map(|(key, equals, value)| format!("{key}{equals}{value}"));
    let line = (attribute.clone(), end.clone()).prop_map(|(attribute, end)| attribute + end);
    line.prop_recursive(4, 16, 4, move |inner| {
        let labels = mostly(
            &["", " ", " \"l\" ", " l ", " \"a\" \"b\" ", "\"a\"b ", " \"$${a}\\n\" "],
            &[" \"${a}\" ", " 1 ", " \"a\nb\" "],
        );
        let open = mostly(&["{\n", "{ # c\n", "{\n\n", "{ // c\r\n"], &["{", "{ ", "{ /*\n*/", "{ # c"]);
        let close = mostly(&["}", "  }", "# c\n}", "\n}"], &["", "}}", "]"]);
        let lines = prop::collection::vec(inner, 0..4).prop_map(|lines| {
            // Keys are mostly others.
            lines.iter().enumerate().map(|(at, line)| line.replacen('k', &format!("k{}", at % 5), 1)).collect::<String>()
        });
        let block = (key.clone(), labels.clone(), open, lines.clone(), close, end.clone());
        let block = block.prop_map(|(key, labels, open, lines, close, end)| format!("{key}{labels}{open}{lines}{close}{end}"));
        let blank = mostly(&["", " ", "/* c */"], &["\n", "# c\n"]);
        let short = (key.clone(), labels, blank.clone(), prop::option::of(attribute.clone()), blank, end.clone());
        let short = short.prop_map(|(key, labels, before, attribute, after, end)| {
            format!("{key}{labels}{{{before}{}{after}}}{end}", attribute.unwrap_or_default())
        });
        prop_oneof![3 => block, 1 => short, 2 => lines]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(2000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_in_any_order(pieces in prop::collection::vec(select(PIECES), 0..20)) {
        is_read(&pieces.concat());
        is_read(&format!("a = {}\n", pieces.concat()));
    }

    #[test]
    fn blocks_and_attributes(text in structures(), edits in edits(PIECES, 0..3)) {
        is_read(&text);
        is_read(&edited(text, &edits));
    }

    #[test]
    fn values(value in value(), edits in edits(PIECES, 0..3)) {
        let text = format!("a = {value}\n");
        is_read(&text);
        is_read(&edited(text, &edits));
    }

    #[test]
    fn parts_of_modules(file in any::<Index>(), from in any::<Index>(), length in 1..30_usize, edits in edits(PIECES, 1..4)) {
        static TEXTS: std::sync::LazyLock<Vec<String>> =
            std::sync::LazyLock::new(|| modules().into_iter().map(|(_, text)| text).collect());
        let lines: Vec<&str> = file.get(&TEXTS).split_inclusive('\n').collect();
        let from = if lines.is_empty() { 0 } else { from.index(lines.len()) };
        let part: String = lines.iter().skip(from).take(length).copied().collect();
        is_read(&part);
        is_read(&edited(part, &edits));
    }
}
