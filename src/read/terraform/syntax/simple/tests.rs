//! What is read here against what the parser reads: the same tree, place by place, or nothing.

mod drawn;

use super::super::{Source, parse_in_full};
use super::{DEPTH_LIMIT, FEW, read};
use crate::source::SourceMap;
use crate::source::samples::files;
use camino::Utf8PathBuf;

/// Whether a text is read without the parser. If it is, the parser reads the same and has nothing to say.
fn is_read(text: &str) -> bool {
    let mut sources = SourceMap::default();
    let file = sources.add("main.tf", text);
    let source = Source { file, text: sources.text(file) };
    let Some(tree) = read(source.text) else { return false };
    assert_eq!(parse_in_full(source).as_ref(), Ok(&tree), "{text:?}");
    true
}

/// All modules and values of the repository.
fn modules() -> Vec<(Utf8PathBuf, String)> {
    let folders = ["docs", "golden", "models", "templates", "tests"];
    folders.iter().flat_map(|folder| files(folder, &["tf", "tfvars"])).collect()
}

#[test]
fn modules_are_read_without_the_parser() {
    let files = modules();
    assert!(files.len() > 100);
    let left: Vec<Utf8PathBuf> = files.into_iter().filter(|(_, text)| !is_read(text)).map(|(path, _)| path).collect();
    assert_eq!(left, [""; 0]);
}

#[test]
fn what_is_simple() {
    for text in [
        "",
        "\n\n  # a\n// b\n/* c\nd */\n",
        "a = 1",
        "a=1 # b",
        "a = -1.5 // b\r\n\r\nb = 18446744073709551616\r\n",
        "a = \"b\" /* c\n */ \n",
        "a {}\nb {\n}\nc { }\nd{e=1}\nf { g = [1] }\n",
        "a \"b\" c \"d\\n$${\" { # e\n\n\tf = null # g\n  h {\n  }\n\n}\n",
        "a = \"ü $ % $a $$ %% $${x} %%{y} \\\"\\\\\\t\\r\"\n",
        "a = \"${b}\"\nc = \"d${e.f}g${\n h[\"i\"] # j\n}\"\nk = \"$$$${l}${m}\"\n",
        "a = []\nb = [1, [true], \"c\", d.e,]\nf = [ # g\n 1 /* h */\n , # i\n\n 2 # j\n]\n",
        "a = {}\nb = { c = 1, \"d\": 2, e:3 }\nf = {\n  g = [\n    1\n  ] # h\n\n  # i\n  j = k // l\n  m = n, o = p\n}\n",
        "a = b\nc-d_1 = e-f.g[0].h[\"i\"][j.k]\nl = for-m.for\n",
        "a = b()\nc = d(1, [e], { f = g }, h(\"i\"))\nj = k(\n  1,\n  2,\n)\n",
        "a = [b\n]\nc = d(\n)\n\n",
        "for = 1\ntrue = 2\nnull {\n}\n",
    ] {
        assert!(is_read(text), "{text:?}");
    }
}

#[test]
fn what_is_left_to_the_parser() {
    for text in [
        "a",
        "a b\n",
        "a = \n",
        "a == 1\n",
        "a = 1 b = 2\n",
        "a = 1\na = 2\n",
        "a {\n  b = 1 }\n",
        "a { b = 1\n}\n",
        "a { b {} }\n",
        "a { b = 1, c = 2 }\n",
        "a { # b\n",
        "a { # b }\n",
        "a 1 {}\n",
        "a \"${b}\" {}\n",
        "a \"b\nc\" {}\n",
        "a = \"b\nc\"\n",
        "a = \"${b}\nc\"\n",
        "a = \"b\n",
        "a = \"\\u00e4\"\n",
        "a = \"\\x\"\n",
        "a = \"${~ b }\"\n",
        "a = \"${b ~}\"\n",
        "a = \"%{ if b }c%{ endif }\"\n",
        "a = \"${b + 1}\"\n",
        "a = <<EOT\nb\nEOT\n",
        "a = b ? c : d\n",
        "a = 1 + 2\n",
        "a = !b\n",
        "a = - 1\n",
        "a = -b\n",
        "a = (b)\n",
        "a = 1e3\n",
        "a = 1.\n",
        "a = [1]\n.b\n",
        "a = [,]\n",
        "a = [1 2]\n",
        "a = [1\n",
        "a = [for b in c : b]\n",
        "a = [for\n]\n",
        "a = { for b in c : b => 1 }\n",
        "a = { b = 1, b = 2 }\n",
        "a = { b = 1, \"b\" = 2 }\n",
        "a = { b = 1 c = 2 }\n",
        "a = { b = 1\n, c = 2 }\n",
        "a = { b }\n",
        "a = { true = 1 }\n",
        "a = { (b) = 1 }\n",
        "a = { \"${b}\" = 1 }\n",
        "a = { b.c = 1 }\n",
        "a = { b =\n1 }\n",
        "a = { b = 1 # c",
        "a = b.*\n",
        "a = b[*]\n",
        "a = b.0\n",
        "a = b .c\n",
        "a = b::c()\n",
        "a = b (1)\n",
        "a = b(c...)\n",
        "a = b(,)\n",
        "a = b()[0]\n",
        "a = true.b\n",
        "a = ä\n",
        "ä = 1\n",
        "aä = 1\n",
        "a = b\rc = d\n",
        "# a\rb\n",
        "/* a",
        "a = 1 /*/\n",
        "}\n",
        "a = 1\0\n",
    ] {
        assert!(!is_read(text), "{text:?}");
    }
}

#[test]
fn limits() {
    let lists = |depth: usize| format!("a = {}1{}\n", "[".repeat(depth), "]".repeat(depth));
    let blocks = |depth: usize| "a {\n".repeat(depth) + &"}\n".repeat(depth);
    for text in [lists, blocks] {
        assert!(is_read(&text(DEPTH_LIMIT)) && !is_read(&text(DEPTH_LIMIT + 1)));
        let mut sources = SourceMap::default();
        let file = sources.add("main.tf", text(DEPTH_LIMIT + 1));
        assert!(parse_in_full(Source { file, text: sources.text(file) }).is_err());
    }
    let attributes = |count: usize| (0..count).map(|at| format!("a{at} = {{ b = 1 }}\n")).collect::<Vec<_>>().concat();
    assert!(is_read(&attributes(5 * FEW)) && !is_read(&(attributes(5 * FEW) + "a0 = 1\n")));
    let number = |digits: usize| format!("a = {}\n", "9".repeat(digits));
    assert!(is_read(&number(300)) && !is_read(&number(310)));
    let object = |entries: &str| format!("a = {{\n{}{entries}}}\n", attributes(5 * FEW));
    assert!(is_read(&object("")) && !is_read(&object("a0 = 1\n")));
}
