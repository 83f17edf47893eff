//! Exit codes, the JSON document of every case, and colour.

use crate::repository::{Answer, MODEL, Repository, Stranger, TABLE};
use serde_json::Value;
use std::sync::OnceLock;

/// The document, which is what `gen schema plan` says.
#[track_caller]
fn valid(answer: &Answer) -> Value {
    static SCHEMA: OnceLock<jsonschema::Validator> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| {
        let printed = Repository::empty().run(["schema", "plan"]);
        jsonschema::validator_for(&printed.document()).unwrap()
    });
    let document = answer.document();
    let errors: Vec<String> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{document:#}");
    document
}

#[test]
fn there_is_one_json_document_in_every_case() {
    type Setting = fn(&Repository);
    let cases: [(Setting, i32, &str); 9] = [
        (|_| {}, 0, "/complete"),
        (Repository::change, 0, "/changes/0/id"),
        (|repository| repository.edit(MODEL, "sort_key: order_id", "sort_key: total"), 1, "/findings/0/code"),
        (|repository| repository.write(MODEL, "gen: ["), 1, "/findings/0/location"),
        (|repository| repository.write("gen.yaml", "gen: 1\nmodel: x\n"), 1, "/findings/0/code"),
        (|repository| repository.replace(MODEL, &Stranger::Pipe), 1, "/failure"),
        (|repository| repository.replace("models", &Stranger::Folder), 1, "/failure"),
        (|repository| repository.replace("gen.yaml", &Stranger::Folder), 1, "/failure"),
        (|repository| repository.edit("gen.yaml", "output: infra", "output: gen.yaml"), 1, "/failure"),
    ];
    for (setting, code, pointer) in cases {
        for command in ["plan", "apply"] {
            let repository = Repository::applied();
            setting(&repository);
            let answer = repository.run([command, "--format", "json"]);
            let document = valid(&answer);
            assert_eq!((answer.code, &document["complete"]), (code, &Value::from(code == 0)), "{answer:#?}");
            assert!(document.pointer(pointer).is_some_and(|found| !found.is_null()), "{pointer}: {document:#}");
        }
    }
    let repository = Repository::applied();
    let answer = repository.run(["diff", "none.tf", "none.cql", "--format", "json"]);
    assert_eq!((answer.code, valid(&answer)["failure"].is_string()), (1, true));
    let answer = repository.run(["diff", TABLE, MODEL, "--format", "json"]);
    valid(&answer);
    repository.write(TABLE, "resource {");
    let answer = repository.run(["apply", "--format", "json"]);
    assert_eq!((answer.code, valid(&answer)["findings"][0]["code"].is_string()), (1, true));
    repository.write("none/gen.lock", "gen-lock 7\n");
    let answer = repository.run(["diff", "none", "none", "--format", "json"]);
    assert_eq!((answer.code, &valid(&answer)["findings"][0]["code"]), (1, &Value::from("lock-too-new")));
}

#[test]
fn a_file_gets_the_report_without_colour() {
    let repository = Repository::applied();
    repository.change();
    let printed = repository.run(["plan", "--format", "json"]);
    let quiet = repository.run(["plan", "--format", "json", "--output", "plan.json"]);
    assert_eq!((quiet.code, quiet.out.as_str()), (0, ""));
    assert_eq!(repository.read("plan.json"), printed.out);
    repository.run(["plan", "--color", "always", "--output", "plan.txt"]).is(0, "");
    assert_eq!(repository.read("plan.txt"), repository.run(["plan"]).out);
    for read in ["gen.yaml", "./models/shop.yaml"] {
        repository.refuses(["plan", "--output", read], 1, "would overwrite");
    }
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let repository = Repository::applied();
    repository.change();
    let colours = |arguments: &[&str], no_color: Option<&str>| {
        let mut command = repository.command(arguments);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env("TERM", "xterm-256color");
        if let Some(value) = no_color {
            command.env("NO_COLOR", value);
        }
        crate::repository::answer(&mut command).out.contains('\u{1b}')
    };
    assert!(!colours(&["plan"], None), "a pipe is no terminal");
    assert!(colours(&["plan", "--color", "always"], None));
    assert!(colours(&["--color=always", "plan"], Some("1")), "what was asked for counts more than NO_COLOR");
    assert!(!colours(&["plan", "--color", "always", "--no-color"], None));
    assert!(!colours(&["plan", "--color", "never"], None));
    assert!(!colours(&["plan", "--format", "json", "--color", "always"], None), "JSON has no colour");
}

#[test]
fn the_graver_exit_code_counts() {
    let repository = Repository::applied();
    let code = |arguments: &[&str]| repository.run(arguments).code;
    assert_eq!([code(&["plan", "--detailed-exitcode"]), code(&["check"])], [0, 0]);
    repository.change();
    assert_eq!([code(&["plan"]), code(&["plan", "--detailed-exitcode"]), code(&["check"])], [0, 2, 2]);
    repository.edit(MODEL, "customer_id: uuid", "customer_id: int");
    let blocked = repository.run(["plan", "--detailed-exitcode"]);
    assert_eq!((blocked.code, code(&["check"])), (3, 2), "check does not judge danger: {blocked:#?}");
    repository.edit(MODEL, "gen: 1", "gen: 1\nnmae: x");
    assert_eq!([code(&["plan", "--detailed-exitcode"]), code(&["check"]), code(&["apply"])], [1, 1, 1]);
    // Of two files nobody can be asked.
    let repository = Repository::applied();
    let of_table = |line: &str| line.trim_start().starts_with("hash_key") && line.contains("customer_id");
    let table = repository.read(TABLE);
    let lines = table.lines().map(|line| if of_table(line) { line.replace("customer_id", "status") } else { line.to_owned() });
    repository.write("next.tf", lines.collect::<Vec<_>>().join("\n"));
    let diff = repository.run(["diff", TABLE, "next.tf", "--detailed-exitcode"]);
    diff.is(2, "1 recreate");
    assert!(!diff.out.contains("gen ack"), "{diff:#?}");
}

#[test]
fn check_prints_what_a_patch_needs() {
    let repository = Repository::applied();
    let before = repository.tree();
    repository.change();
    let check = repository.run(["check"]);
    check.is(2, "stale; `gen apply` writes what the models give");
    for path in ["terraform/table_orders.tf", "cloudformation/template.yaml", "gen.lock"] {
        check.is(2, &format!("--- a/infra/shop/{path}\n+++ b/infra/shop/{path}\n@@ "));
    }
    repository.write("stale.patch", &check.out);
    let patch = std::process::Command::new("git").args(["apply", "stale.patch"]).current_dir(repository.path("")).status();
    assert!(patch.unwrap().success());
    std::fs::remove_file(repository.path("stale.patch")).unwrap();
    repository.is_up_to_date();
    assert_ne!(repository.tree(), before);
}
