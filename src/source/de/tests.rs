use super::*;
use crate::diagnostic::Sink;
use crate::source::{SourceMap, parse};
use indexmap::IndexMap;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Doc {
    name: Option<Spanned<String>>,
    count: Option<u64>,
    share: Option<f64>,
    mode: Option<Mode>,
    holds: Option<Spanned<Holds>>,
    version: Option<Version>,
    items: IndexMap<String, Option<bool>>,
    keyed: Vec<Keyed>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Mode {
    OnDemand,
    Fixed { units: u32 },
    Key(Spanned<String>),
}

#[derive(Debug, Deserialize)]
#[serde(rename = "$kind", rename_all = "snake_case")]
enum Holds {
    Text(#[expect(dead_code, reason = "only that it was taken matters")] Spanned<String>),
    List(Vec<Spanned<String>>),
}

#[derive(Debug, Deserialize)]
#[serde(rename = "$scalar")]
struct Version(Spanned<String>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keyed {
    id: i32,
}

fn read<T>(text: &str, show: impl Fn(&Doc, &SourceMap) -> T) -> Result<T, String> {
    let mut sources = SourceMap::default();
    let file = sources.add("m.yaml", text);
    let mut sink = Sink::default();
    let node = parse(&sources, file, &mut sink).unwrap();
    from_node::<Doc>(&node).map(|doc| show(&doc, &sources)).map_err(|error| {
        let diagnostic = error.into_diagnostic(node.span);
        let place = sources.position(diagnostic.primary.unwrap().span);
        format!("{} {}:{} {}", diagnostic.code.slug(), place.line, place.column, diagnostic.message)
    })
}

#[test]
fn values_come_with_their_places() {
    let text = "name: 'shop'\nholds: [A, B]\nversion: 1.10\nmode: { key: k }\nitems: { x: true, y: ~ }\ncount: 0x10\nshare: 2\nkeyed: [{ id: -1 }]\n";
    let shown = read(text, |doc, sources| {
        let Some(holds) = &doc.holds else { panic!() };
        let Holds::List(names) = &holds.value else { panic!() };
        assert_eq!((doc.count, doc.share), (Some(16), Some(2.0)));
        assert_eq!(doc.items.get("y"), Some(&None));
        assert_eq!(doc.keyed.first().map(|keyed| keyed.id), Some(-1));
        assert!(matches!(&doc.mode, Some(Mode::Key(key)) if key.value == "k"));
        let name = doc.name.as_ref().unwrap();
        [name.span, holds.span, names[1].span, doc.version.as_ref().unwrap().0.span].map(|span| sources.snippet(span).to_owned())
    });
    assert_eq!(shown.unwrap(), ["'shop'", "[A, B]", "B", "1.10"]);
    read("version: 1.10\nmode: on_demand\n", |doc, _| assert_eq!(doc.version.as_ref().unwrap().0.value, "1.10")).unwrap();
    read("count: 1e3", |doc, _| assert_eq!(doc.count, Some(1000))).unwrap();
    read("mode: { fixed: { units: 3 } }", |doc, _| assert_eq!(doc.mode, Some(Mode::Fixed { units: 3 }))).unwrap();
}

#[test]
fn errors_have_places_and_our_words() {
    let error = |text| read(text, |_, _| ()).unwrap_err();
    assert_eq!(error("a: 1\n"), "unknown-key 1:1 unknown key `a`");
    assert_eq!(error("count: x\n"), "wrong-shape 1:8 expected a whole number, found the text `x`");
    assert_eq!(error("name: shop\nitems: { x: 3 }\n"), "wrong-shape 2:13 expected true or false, found the number 3");
    assert_eq!(
        error("mode: { fixed: { units: 5000000000 } }\n"),
        "wrong-shape 1:25 expected a whole number, found the number 5000000000"
    );
    assert_eq!(error("count: 1.5\n"), "wrong-shape 1:8 expected a whole number, found the number 1.5");
    assert_eq!(error("holds: 3\n"), "wrong-shape 1:8 expected text or a list, found a number");
    assert_eq!(error("mode: on_demnd\n"), "wrong-shape 1:7 `on_demnd` is none of `on_demand`, `fixed`, `key`");
    assert_eq!(error("mode: key\n"), "wrong-shape 1:7 `key` needs a value");
    assert_eq!(error("keyed: [{}]\n"), "wrong-shape 1:9 `id` is missing");
    assert_eq!(error("share: .inf\n"), "wrong-shape 1:8 `.inf` is no finite number");
}
