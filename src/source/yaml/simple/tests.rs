//! What is read here against what the parser reads: the same tree, place by place, or nothing.

use super::read;
use crate::diagnostic::{Sink, codes};
use crate::source::samples::{edited, edits, files, mostly};
use crate::source::yaml::load;
use crate::source::{SourceMap, conflict};
use camino::Utf8PathBuf;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Whether a text is read without the parser. If it is, the parser reads the same and has nothing to say.
fn is_read(text: &str) -> bool {
    let mut sources = SourceMap::default();
    let file = sources.add("m.yaml", text);
    let text = sources.text(file);
    let Some(tree) = read(text, file) else { return false };
    let mut sink = Sink::default();
    assert_eq!(load(text, file, &mut sink).as_ref(), Some(&tree), "{text:?}");
    assert!(sink.into_sorted().is_empty(), "{text:?}");
    assert!(conflict(text, file, codes::BAD_YAML).is_none(), "{text:?}");
    true
}

/// The models, the golden cases and what they are expected to give: all YAML and JSON that is in a folder.
fn texts(folder: &str) -> Vec<(Utf8PathBuf, String)> {
    files(folder, &["yaml", "json"])
}

#[test]
fn models_and_templates_are_read_without_the_parser() {
    let models = texts("models");
    assert!(models.len() > 5);
    for (path, text) in models {
        assert!(is_read(&text), "{path}");
    }
    let left = texts("golden").into_iter().filter(|(_, text)| !is_read(text));
    let left: Vec<String> = left.map(|(path, _)| path.parent().unwrap().file_name().unwrap().to_owned()).collect();
    let rare = ["alias_bomb", "deep_nesting", "duplicate_key", "empty", "json_model", "tabs", "unquoted_comma"];
    assert_eq!(left, rare);
}

#[test]
fn what_is_simple() {
    for text in [
        "a: 1\nb:\n  c: x y\n  d:\ne:\n- 1\n- - 2\n  - x: y\n    z: ~\n",
        "- a\n\n# why\n-   b: c # d\n    'e''f' : \"g\\\"\\n\"\n",
        "a: [x, {y: z, \"q\":1}, [], {},]\nb: {\n  c: d, # e\n\n  f: [\ng\n]}\n",
        "a: !Ref B\nb: !Join [\"\", [!Sub 'x', !Ref AWS::Region]]\n",
        "a: 1\r\n# b\r\nc:\r\n  - d\r\n",
        "# ü\n\n  ü: 'ß' # ☃\n  http://x: a#b:c\n",
        "a: b",
        "{\"a\": [1, true, null],\n\"b\": {}}",
        "[a, -1, b c]",
        "0o7: 1_000\n~: .inf\n",
    ] {
        assert!(is_read(text), "{text:?}");
    }
}

#[test]
fn what_is_left_to_the_parser() {
    for text in [
        "",
        "# a\n",
        "a",
        "a: &b c\n",
        "a: |\n  b\n",
        "a: b\n  c\n",
        "a:\n  b\n",
        "a: 'b\n  c'\n",
        "a: \"\\x41\"\n",
        "a:\tb\n",
        "a: b\rc: d\n",
        "--- \na: b\n",
        "a: b\n...\n",
        "a: b\n---\nc: d\n",
        "%YAML 1.2\n---\na: b\n",
        "a: b\na: c\n",
        "<<: b\n",
        "? a\n: b\n",
        "-\n  a: b\n",
        "a: b: c\n",
        "a: 'b' c\n",
        "a: 'b'#c\n",
        "a: [b]c\n",
        "a: [b: c]\n",
        "a: {b}\n",
        "a: {b:c}\n",
        "a: {b: }\n",
        "a: [b\n",
        "a: !b\n",
        "a: !!str b\n",
        "a: !b\n  c: d\n",
        "a:\n   b: c\n  d: e\n",
        "a: \u{feff}b\n",
        "a: b\u{85}\n",
        "<<<<<<< a\nb: c\n=======\nb: d\n>>>>>>> e\n",
        "<<<<<<< a: b\n>>>>>>> c: d\n",
        "<<<<<<< a: [\n>>>>>>> b\n]\n",
    ] {
        assert!(!is_read(text), "{text:?}");
    }
    let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(is_read(&deep(128)) && !is_read(&deep(129)));
    let key = |length: usize| "k".repeat(length) + ": v\n";
    assert!(is_read(&key(900)) && !is_read(&key(1030)));
}

/// What means something in some place.
const PIECES: &[&str] = &[
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    ":",
    ": ",
    ":\n",
    " :",
    "#",
    " #",
    " # c\n",
    "# c\n",
    "-",
    "- ",
    "- - ",
    "-\n",
    "--",
    "---",
    "---\n",
    "...",
    "?",
    "? ",
    ",",
    ", ",
    "[",
    "]",
    "{",
    "}",
    "[]",
    "{}",
    "'",
    "''",
    "\"",
    "\"\"",
    "\\",
    "\\\"",
    "\\n",
    "\\u0041",
    "&a ",
    "*a",
    "!",
    "!t ",
    "!!str ",
    "|",
    "|\n",
    ">",
    "%",
    "@",
    "`",
    "~",
    "null",
    "true",
    "1",
    "-1",
    "0o7",
    "1_000",
    ".5",
    "a",
    "b: c",
    "a: b\n",
    "k:\n",
    "<<: ",
    "'q'",
    "\"q\"",
    "'q': ",
    "\"q\":",
    "ü",
    "☃",
    "\u{a0}",
    "\u{85}",
    "<<<<<<<",
    "<<<<<<< a\n",
    "\n>>>>>>>",
    "\u{2028}",
    "\u{feff}",
    "\u{7f}",
    "\0",
    "a b",
    "a:b",
    "a#b",
    "a's",
    "=",
    "(x",
    "<y",
];

/// What follows a key or a dash on its line, or stands in brackets.
fn value() -> impl Strategy<Value = String> {
    let harmless =
        ["a", "b c", "1", "-1", "~", "true", "0o7", "1_000", "a:b", "a#b", "it's", "'q'", "'q''r'", "\"s\"", "\"s\\\"\\n\""];
    let others =
        ["\"\"", "''", "!R a", "!S \"${R}\"", "ü", "☃\u{a0}", "<x", "a ? b", "a - b", "=", "http://h/p", "\\", "a\"b", "x  "];
    let harmless: Vec<&str> = harmless.into_iter().chain(others).collect();
    let wrong = ["a: b", "x, y", "[z", "", "'", "\"", "-", "- a", "&a b", "*a", "? a", ": a", "!!str a", "|", "a #", "#"];
    let gap = mostly(&["", " ", "  "], &["\n", "\n  ", " # c\n", "\n\n    ", "# c\n"]);
    mostly(&harmless, &wrong).prop_map(str::to_owned).prop_recursive(3, 8, 4, move |inner| {
        let key = mostly(&["k: ", "'k': ", "\"k\":"], &["k : ", "'k' : ", "'k':", "k:\n  ", "k:", "", "<<: ", "!R k: "]);
        let item = (gap.clone(), key, inner, gap.clone());
        let comma = select(vec!["", "", "", ",", " ,"]);
        (prop::collection::vec(item, 0..4), any::<bool>(), comma, gap.clone()).prop_map(|(items, is_map, comma, gap)| {
            let items = items.iter().enumerate().map(|(at, (before, key, value, after))| {
                let key = if is_map { key.replace('k', &format!("k{at}")) } else { String::new() };
                format!("{before}{key}{value}{after}")
            });
            let items = items.collect::<Vec<_>>().join(",");
            if is_map { format!("{{{items}{comma}{gap}}}") } else { format!("[{items}{comma}{gap}]") }
        })
    })
}

/// The lines of a block, as far as they are indented in it.
fn block() -> impl Strategy<Value = Vec<String>> {
    let ending = mostly(&["", "", "", " ", " # c"], &["  #", "#", " #c", " x"]);
    let line = (value(), ending.clone()).prop_map(|(value, ending)| vec![format!("{value}{ending}")]);
    line.prop_recursive(5, 24, 4, move |inner| {
        let noise = mostly(&["", "", "", "", "\n", "# c\n", "      # c\n", "  \n"], &["#c\n", "x\n", "-\n", "---\n"]);
        let key = mostly(&["k", "k", "k k", "'k'", "\"k\"", "k:k", "ük", "k ", "k#", "-k", "k'"], &["~", "<<", "?k", "[k", ""]);
        let indent = mostly(&[2, 2, 4, 1], &[0, 3]);
        let entry = (noise, key, inner, indent, ending.clone(), prop::bool::weighted(0.1));
        (prop::collection::vec(entry, 1..4), any::<bool>()).prop_map(|(entries, is_map)| {
            let mut lines: Vec<String> = Vec::new();
            for (at, (noise, key, value, indent, ending, below)) in entries.into_iter().enumerate() {
                lines.extend(noise.lines().map(str::to_owned));
                let head = if is_map { key.replacen('k', &format!("k{at}"), 1) + ":" } else { "-".to_owned() };
                if below || is_map && value.len() > 1 {
                    // A list need not be indented below its key.
                    let indent = if value[0].starts_with("- ") && indent == 1 { 0 } else { indent };
                    lines.push(head + ending);
                    lines.extend(value.iter().map(|line| " ".repeat(indent) + line));
                } else {
                    // What is below the first line stands under it.
                    let head = head + &" ".repeat(indent.max(1));
                    let width = head.chars().count();
                    let value = value.iter().enumerate();
                    lines
                        .extend(value.map(|(at, line)| if at == 0 { format!("{head}{line}") } else { " ".repeat(width) + line }));
                }
            }
            lines
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(2000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_in_any_order(pieces in prop::collection::vec(select(PIECES), 0..30)) {
        is_read(&pieces.concat());
    }

    #[test]
    fn blocks(lines in block(), ends in select(vec!["\n", "\n", "\r\n"]), last in any::<bool>(), edits in edits(PIECES, 0..3)) {
        let text = lines.join(ends) + if last { ends } else { "" };
        is_read(&text);
        is_read(&edited(text, &edits));
    }

    #[test]
    fn parts_of_models_and_templates(
        file in any::<Index>(),
        from in any::<Index>(),
        length in 1..30_usize,
        edits in edits(PIECES, 1..4),
    ) {
        static TEXTS: std::sync::LazyLock<Vec<String>> =
            std::sync::LazyLock::new(|| ["models", "golden"].into_iter().flat_map(texts).map(|(_, text)| text).collect());
        let lines: Vec<&str> = file.get(&TEXTS).split_inclusive('\n').collect();
        let from = if lines.is_empty() { 0 } else { from.index(lines.len()) };
        let part: String = lines.iter().skip(from).take(length).copied().collect();
        is_read(&part);
        is_read(&edited(part, &edits));
    }
}
