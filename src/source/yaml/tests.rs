use super::*;

/// The tree in a short notation, and `code line:column` of each diagnostic.
fn read(text: &str) -> (String, Vec<String>) {
    let mut sources = SourceMap::default();
    let file = sources.add("m.yaml", text);
    let mut sink = Sink::default();
    let node = parse(&sources, file, &mut sink);
    let errors = sink.into_sorted().into_iter().map(|diagnostic| {
        let place = sources.position(diagnostic.primary.unwrap().span);
        format!("{} {}:{}", diagnostic.code.slug(), place.line, place.column)
    });
    (node.map_or_else(String::new, |node| show(&node)), errors.collect())
}

fn show(node: &Node) -> String {
    let tag = node.tag.as_ref().map_or(String::new(), |tag| format!("!{} ", tag.name));
    tag + &match &node.kind {
        Kind::Null => "null".to_owned(),
        Kind::Bool(value) => value.to_string(),
        Kind::Number(text) => text.clone(),
        Kind::String { value, plain: true } => value.clone(),
        Kind::String { value, plain: false } => format!("{value:?}"),
        Kind::Sequence(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", ")),
        Kind::Map(entries) => {
            let entries: Vec<String> = entries.iter().map(|entry| format!("{}: {}", entry.key, show(&entry.value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

fn tree(text: &str) -> String {
    let (tree, errors) = read(text);
    assert_eq!(errors, Vec::<String>::new(), "{text}");
    tree
}

fn errors(text: &str) -> Vec<String> {
    read(text).1
}

#[test]
fn yaml_and_json_are_one_tree() {
    assert_eq!(tree("a: 1\nb: [x, 'y', \"z\"]\nc:\n  d: ~\n"), r#"{a: 1, b: [x, "y", "z"], c: {d: null}}"#);
    assert_eq!(
        tree("{\n\t\"a\": 1,\n\t\"b\": [\"\\ud83d\\ude00\", \"\\/\", 1.5e3, true, null]\n}\n"),
        r#"{a: 1, b: ["😀", "/", 1.5e3, true, null]}"#
    );
    assert_eq!(tree("---\na: b\n...\n"), "{a: b}");
    assert_eq!(tree("a: |\n  x\n  y\nb: >-\n  x\n  y\n"), r#"{a: "x\ny\n", b: "x y"}"#);
    assert_eq!(tree("a: 1\r\nb: x\r\n"), "{a: 1, b: x}");
    assert_eq!(tree("\u{feff}a: 1\n"), "{a: 1}");
    assert_eq!(tree("1: a\ntrue: b\non: c\n"), "{1: a, true: b, on: c}");
}

#[test]
fn tags_are_kept_or_resolved() {
    assert_eq!(
        tree("a: !Sub '${x}'\nb: !GetAtt T.Arn\nc: !Join ['', [x]]\nd: !If {x: 1}\n"),
        r#"{a: !Sub "${x}", b: !GetAtt T.Arn, c: !Join ["", [x]], d: !If {x: 1}}"#
    );
    assert_eq!(tree("a: !!str 1\nb: !!int '2'\nc: ! 3\nd: !Ref 4\n"), r"{a: 1, b: 2, c: 3, d: !Ref 4}");
    assert_eq!(errors("a: !!int x\nb: !!map [1]\n"), ["bad-yaml 1:10", "bad-yaml 2:4"]);
}

#[test]
fn spans_are_bytes_of_the_value_alone() {
    let text = "é: 'ü'   # why\nb:\n  - x y  # c\n  - {k: v}\n\n# end\nc:\nd: !Sub t\n";
    let mut sources = SourceMap::default();
    let file = sources.add("m.yaml", text);
    let node = parse(&sources, file, &mut Sink::default()).unwrap();
    let snippet = |node: &Node| sources.snippet(node.span).to_owned();
    assert_eq!(snippet(node.get("é").unwrap()), "'ü'");
    let list = node.get("b").unwrap();
    assert_eq!(snippet(list), "- x y  # c\n  - {k: v}");
    assert_eq!(list.items().iter().map(snippet).collect::<Vec<_>>(), ["x y", "{k: v}"]);
    assert_eq!(sources.snippet(node.entry("c").unwrap().key_span), "c");
    assert_eq!(snippet(node.get("c").unwrap()), "");
    let tagged = node.get("d").unwrap();
    assert_eq!((snippet(tagged).as_str(), sources.snippet(tagged.tag.as_ref().unwrap().span)), ("t", "!Sub"));
    assert_eq!(snippet(&node), text.trim_end());
}

#[test]
fn keys_must_be_text_and_given_once() {
    assert_eq!(
        read("a: 1\nb: 2\na: 3\n\"b\": 4\n"),
        ("{a: 1, b: 2}".into(), vec!["duplicate-key 3:1".into(), "duplicate-key 4:1".into()])
    );
    assert_eq!(read("a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n"), ("{a: {b: 1}, c: {d: 2}}".into(), vec!["merge-key 3:3".into()]));
    assert_eq!(tree("\"<<\": 1\n"), "{<<: 1}");
    assert_eq!(read("? [a, b]\n: 1\nc: 2\n"), ("{c: 2}".into(), vec!["bad-yaml 1:3".into()]));
    assert_eq!(errors("{ : 1 }"), ["bad-yaml 1:3"]);
}

#[test]
fn aliases_repeat_a_value_within_limits() {
    assert_eq!(tree("a: &x [1, {b: c}]\nd: *x\n"), "{a: [1, {b: c}], d: [1, {b: c}]}");
    assert_eq!(errors("a: *missing\nb: *other\n"), ["bad-yaml 1:4", "bad-yaml 2:4"]);
    assert_eq!(errors("a: &x [*x]\n"), ["bad-yaml 1:8"]);
    let bomb: String = (1..9).fold("a0: &a0 [1,1,1,1,1,1,1,1,1]\n".into(), |text, level| {
        let below = vec![format!("*a{}", level - 1); 9].join(",");
        format!("{text}a{level}: &a{level} [{below}]\n")
    });
    assert_eq!(errors(&bomb), ["alias-limit 5:30"]);
    let tower: String =
        (1..200).fold("a0: &a0 [1]\n".into(), |text, level| format!("{text}a{level}: &a{level} [*a{}]\n", level - 1));
    assert_eq!(errors(&tower), ["too-deep 128:14"]);
}

#[test]
fn deep_nesting_ends_the_reading() {
    assert_eq!(errors(&"[".repeat(100_000)), ["too-deep 1:129"]);
    assert_eq!(errors(&format!("{}{}", "{a: ".repeat(129), "}".repeat(129))), ["too-deep 1:513"]);
    let stairs: Vec<String> = (0..200).map(|depth| " ".repeat(depth) + "a:\n").collect();
    assert_eq!(errors(&stairs.concat()), ["too-deep 129:129"]);
    assert_eq!(errors(&format!("{}{}", "[".repeat(128), "]".repeat(128))), [""; 0]);
}

#[test]
fn bad_syntax_has_its_place() {
    assert_eq!(errors(""), ["bad-yaml 1:1"]);
    assert_eq!(errors("# only a comment\n"), ["bad-yaml 1:1"]);
    assert_eq!(errors("a: 1\n---\nb: 2\n"), ["bad-yaml 2:1"]);
    assert_eq!(errors("a:\n\tb: 1\n"), ["bad-yaml 2:2"]);
    assert_eq!(errors("a: 'open\nb: 1\n"), ["bad-yaml 1:4"]);
    assert_eq!(errors("a: b: c\n"), ["bad-yaml 1:5"]);
    assert_eq!(errors("a: {b: 1\n"), ["bad-yaml 1:4"]);
    assert_eq!(errors("a: @x\n"), ["bad-yaml 1:4"]);
    assert_eq!(errors("a: 1\u{0}\n"), ["bad-yaml 1:5"]);
}

#[test]
fn a_tab_is_shown_where_it_stands() {
    assert_eq!(errors("gen: 1\nname: a\n\tentities: {}\n"), ["bad-yaml 3:1"]);
    assert_eq!(errors("gen: 1\nentities:\n\tA: {}\n"), ["bad-yaml 3:2"]);
}

#[test]
fn a_conflict_of_a_merge_is_told_at_its_start() {
    assert_eq!(errors("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> other\n"), ["bad-yaml 2:1"]);
    assert_eq!(tree("a: |\n  <<<<<<< HEAD\n  >>>>>>> other\n"), r#"{a: "<<<<<<< HEAD\n>>>>>>> other\n"}"#);
}

#[test]
fn a_value_cut_off_at_a_comma_is_told() {
    assert_eq!(errors("p: { where: a in ('x', 'y') }\n"), ["unquoted-comma 1:13"]);
    assert_eq!(errors("p: { where: a < 5, limit: 1 }\n"), [""; 0]);
}
