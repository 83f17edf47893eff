use super::*;
use minijinja::context;

/// Renders a template of the overlay; the text on success, the diagnostic and the text it underlines on failure.
fn render(files: &[(&str, &str)], context: &impl Serialize) -> Result<String, (String, String)> {
    let mut sources = SourceMap::default();
    let overlay = files.iter().map(|(name, text)| ((*name).to_owned(), sources.add(*name, *text))).collect();
    let templates = Templates::new(&overlay, &sources, &mut Sink::default());
    templates.render(files[0].0, context).map_err(|diagnostic| {
        let place = diagnostic.primary.as_ref().map_or("", |label| sources.snippet(label.span));
        (diagnostic.message.clone(), place.to_owned())
    })
}

#[test]
fn values_become_literals_of_the_roots_language() {
    let values = context! { text => "a\"'${b}\n", flag => true, number => 7, nothing => () };
    let template = "{{ text }} {{ flag }} {{ number }} {{ nothing }}\n";
    let hcl = render(&[("a.tf.j2", template)], &values).unwrap();
    assert_eq!(hcl, "\"a\\\"'$${b}\\n\" true 7 null\n");
    let yaml = render(&[("a.yaml.j2", template)], &values).unwrap();
    assert_eq!(yaml, "\"a\\\"'${b}\\n\" true 7 null\n");
    let cql = render(&[("a.cql.j2", template)], &values).unwrap();
    assert_eq!(cql, "'a\"''${b}\n' true 7 null\n");
    let included = [("a.cql.j2", "{% include 'x.tf.j2' %}"), ("x.tf.j2", "{{ text }}")];
    assert_eq!(render(&included, &values).unwrap(), "'a\"''${b}\n'");
}

#[test]
fn macros_and_blocks_print_what_was_quoted_once() {
    let template = "{% macro m(x) %}[{{ x }}]{% endmacro %}{% set y %}<{{ n }}>{% endset %}{{ m(n) }}{{ y }}{{ 'x-' ~ n }}";
    assert_eq!(render(&[("a.tf.j2", template)], &context! { n => "q" }).unwrap(), "[\"q\"]<\"q\">\"x-q\"");
}

#[test]
fn finished_source_is_printed_as_it_is_and_cannot_be_forged() {
    #[derive(Serialize)]
    struct Context {
        source: Literal,
    }
    let context = Context { source: Literal::verbatim("var.x") };
    assert_eq!(render(&[("a.tf.j2", "{{ source }}")], &context).unwrap(), "var.x");
    let (message, place) = render(&[("a.tf.j2", "a {{ 'x-' ~ source }}")], &context).unwrap_err();
    assert!(message.contains("cannot be a part of a longer text"), "{message}");
    assert_eq!(place, "'x-' ~ source");
    for forged in ["{{ 'x' | safe }}", "{{ 'x' | tojson }}", "{% autoescape false %}{{ 'x' }}{% endautoescape %}"] {
        assert!(render(&[("a.tf.j2", forged)], &()).is_err(), "{forged}");
    }
    assert_eq!(render(&[("a.tf.j2", "{{ 'x' | escape }}{{ 'y' | e | e }}")], &()).unwrap(), "\"x\"\"y\"");
}

#[test]
fn mistakes_name_their_place() {
    let cases = [
        ("ok\n{{ nme }}", "undefined", "nme"),
        ("{{ [1, 2] }}", "loop over it", "[1, 2]"),
        ("{{ x. }}", "syntax error", "}}"),
        ("{{ 'a' | nope }}", "nope", "nope"),
        ("{% for i in range(100000) %}{% for j in range(100000) %}{{ j }}{% endfor %}{% endfor %}", "fuel", ""),
        ("{% include 'a.tf.j2' %}", "recursion", ""),
        ("{% include 'b.tf.j2' %}", "non-existing template", "'b.tf.j2'"),
    ];
    for (template, expected, underlined) in cases {
        let (message, place) = render(&[("a.tf.j2", template)], &()).unwrap_err();
        assert!(message.contains(expected), "{template}: {message}");
        assert!(place.contains(underlined), "{template}: {message}: {place}");
    }
    let nested = [("a.tf.j2", "{% include 'b.tf.j2' %}"), ("b.tf.j2", "{{ wrong }}")];
    assert_eq!(render(&nested, &()).unwrap_err().1, "wrong");
}

/// The context and the blocks are a contract: what a template reads and what may be replaced of it stands in `docs/templates.md`, in the section of that template.
#[test]
fn templates_read_only_what_is_documented() {
    let page = include_str!("../../../docs/templates.md");
    let templates = Templates::default();
    let mut missing = Vec::new();
    for name in Templates::names() {
        let section = page.split("\n### ").find(|section| section.starts_with(&format!("`{name}`"))).unwrap_or("");
        let blocks = Templates::blocks(embedded(name).unwrap());
        let undocumented = blocks.filter(|block| !section.contains(&format!("`{block}`")));
        missing.extend(undocumented.map(|block| (name, format!("block {block}"))));
        let language = Language::of(name).unwrap();
        let template = templates.environments[&language].get_template(name).unwrap();
        let mut read: Vec<String> = template.undeclared_variables(true).into_iter().collect();
        read.sort();
        missing.extend(read.into_iter().filter(|value| !section.contains(&format!("`{value}`"))).map(|value| (name, value)));
    }
    assert!(missing.is_empty(), "not in docs/templates.md: {missing:#?}");
}

#[test]
fn a_name_in_a_reference_is_an_identifier() {
    let context = context! { label => "order-items_1", bad => "x\"]; y" };
    assert_eq!(render(&[("a.tf.j2", "module.{{ label | identifier }}.arn")], &context).unwrap(), "module.order-items_1.arn");
    for wrong in ["{{ bad | identifier }}", "{{ '' | identifier }}", "{{ 7 | identifier }}", "{{ '1a' | identifier }}"] {
        assert!(render(&[("a.tf.j2", wrong)], &context).unwrap_err().0.contains("is not an identifier"), "{wrong}");
    }
}

#[test]
fn a_comment_stays_on_its_line() {
    let context = context! { text => "a\r\n  b\u{2028}c\u{0} ${d}" };
    assert_eq!(render(&[("a.tf.j2", "# {{ text | comment }}\n")], &context).unwrap(), "# a b c ${d}\n");
}

#[test]
fn an_overlay_extends_what_it_replaces() {
    let name = "terraform/versions.tf.j2";
    let mut sources = SourceMap::default();
    let mut overlay = BTreeMap::new();
    overlay.insert(name.to_owned(), sources.add(name, "# ours\n{% include \"gen/terraform/versions.tf.j2\" %}"));
    overlay.insert("terraform/part.tf.j2".to_owned(), sources.add("part", ""));
    let mut sink = Sink::default();
    let templates = Templates::new(&overlay, &sources, &mut sink);
    assert_eq!(sink.diagnostics().len(), 1);
    assert!(sink.diagnostics()[0].message.contains("part.tf.j2"));
    let environment = &templates.environments[&Language::Hcl];
    assert!(environment.get_template(name).unwrap().source().starts_with("# ours"));
    assert!(environment.get_template("gen/terraform/versions.tf.j2").unwrap().source().contains("required_version"));
}
