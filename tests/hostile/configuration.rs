//! `gen.yaml`, broken in each key.

use crate::repository::{Repository, Stranger};

#[test]
fn each_key_is_checked_at_its_place() {
    for (line, said) in [
        ("gen: 2", "error[unsupported-format]"),
        ("gen: one", "error[wrong-shape]"),
        ("models: models", "gen.yaml:2:9"),
        ("models: []", "no model is named"),
        ("models: [/etc/passwd]", "is not a path relative to gen.yaml"),
        ("models: [none]", "cannot read none: No such file"),
        ("models: ['']", "is not a path relative to gen.yaml"),
        ("models: [../../../../../../../../etc/hostname]", "error["),
        ("output: ../away", "`output` leads out of the folder of gen.yaml"),
        ("output: infra/../../away", "`output` leads out of the folder of gen.yaml"),
        ("output: /tmp", "is not a path relative to gen.yaml"),
        ("output: ''", "is not a path relative to gen.yaml"),
        ("output: [a]", "gen.yaml:2:9"),
        ("templates: none", "there is no folder `none`"),
        ("templates: gen.yaml", "cannot list gen.yaml"),
        ("templates: /etc", "is not a path relative to gen.yaml"),
        ("templates: models", "error[unknown-template]"),
        ("targets: {}", "no target is named"),
        ("targets: [terraform]", "expected a map"),
        ("targets: { terrafrom: {} }", "did you mean `terraform`?"),
        ("targets: { terraform: { provider: aws-7 } }", "`aws-7`"),
        ("environments: {}", "no environment is named"),
        ("environments: dev", "expected a map"),
        ("environments: { Dev: {} }", "`Dev` is no name of an environment"),
        ("environments: { ../dev: {} }", "`../dev` is no name of an environment"),
        ("environments: { '': {} }", "`` is no name of an environment"),
        ("environments: { terraform: {} }", "would be taken for a folder of generated files"),
        ("environments: { dev: { sets: {} } }", "error[unknown-key]"),
        ("environments: { dev: { set: { a: [] } } }", "gen.yaml:2:34"),
        ("fail_on: critical", "`critical` is none of"),
        ("thresholds: { hot-partitions: { reason: r } }", "no finding is called `hot-partitions`"),
        ("vars: 7", "expected a map"),
        ("colour: red", "error[unknown-key]"),
        ("output: a\noutput: b", "error[duplicate-key]"),
        ("output: \u{1}", "error["),
    ] {
        let repository = Repository::applied();
        let first = if line.starts_with("gen:") { "" } else { "gen: 1\n" };
        repository.write("gen.yaml", format!("{first}{line}\n"));
        repository.refuses(["apply"], 1, said);
        let json = repository.run(["plan", "--format", "json"]);
        assert_eq!((json.code, &json.document()["complete"]), (1, &false.into()), "{line}");
    }
}

#[test]
fn a_configuration_that_cannot_be_read_is_not_passed_over() {
    for (stranger, said) in [
        (Stranger::Folder, "cannot read gen.yaml: it is a folder"),
        (Stranger::Pipe, "cannot read gen.yaml: it is not a file"),
        (Stranger::Dangling, "cannot read gen.yaml: No such file"),
    ] {
        let repository = Repository::applied();
        repository.replace("gen.yaml", &stranger);
        repository.refuses(["apply"], 1, said);
    }
    let repository = Repository::applied();
    repository.write("gen.yaml", [0xff]);
    repository.refuses(["plan"], 1, "cannot read gen.yaml: it is not UTF-8");
}

#[test]
fn templates_that_go_wrong_write_nothing() {
    for (name, text, said) in [
        (
            "terraform/table.tf.j2",
            "{% for x in range(100000000) %}{% for y in range(100000000) %}a{% endfor %}{% endfor %}",
            "error[",
        ),
        ("terraform/table.tf.j2", "{{ loop", "error["),
        ("terraform/table.tf.j2", "", "error[template-loses]"),
        ("terraform/table.tf.j2", "{% include 'terraform/table.tf.j2' %}", "error["),
        ("cql/schema.cql.j2", "DROP KEYSPACE shop;", "error["),
        ("cloudformation/template.yaml.j2", "{{ [] | length }}: &a [*a, *a]", "error["),
        ("../terraform/table.tf.j2", "x", ""),
    ] {
        let repository = Repository::applied();
        repository.edit("gen.yaml", "output: infra\n", "output: infra\ntemplates: own\n");
        repository.write("own/keep/.hidden", "");
        repository.write(&format!("own/{name}"), text);
        let before = repository.tree();
        let answer = repository.run(["apply"]);
        if said.is_empty() {
            // Not in the folder of templates, so it is no template.
            assert_eq!(answer.code, 0, "{answer:#?}");
        } else {
            answer.is(1, said);
        }
        assert_eq!(repository.tree(), before);
    }
    let repository = Repository::applied();
    repository.edit("gen.yaml", "output: infra\n", "output: infra\ntemplates: own\n");
    std::fs::create_dir(repository.path("own")).unwrap();
    repository.replace("own/table.tf.j2", &Stranger::Pipe);
    repository.refuses(["plan"], 1, "cannot read own/table.tf.j2: it is not a file");
}

#[test]
fn findings_block_from_the_level_that_was_set() {
    for (level, code) in [("never", 0), ("error", 0), ("warning", 3), ("info", 3)] {
        let repository = Repository::applied();
        repository.edit("gen.yaml", "fail_on: error", &format!("fail_on: {level}"));
        repository.edit(crate::repository::MODEL, "  orders-in-status:", "  # orders-in-status:");
        let plan = repository.run(["plan"]);
        plan.is(code, "unused-index");
        let before = repository.tree();
        let apply = repository.run(["apply"]);
        assert_eq!(apply.code, code, "{apply:#?}");
        if code == 3 {
            apply.is(3, "blocked by");
            assert_eq!(repository.tree(), before);
        }
        let shows_info = plan.err.contains("info[needs-numbers]");
        assert_eq!(shows_info, level == "info", "{plan:#?}");
    }
}
