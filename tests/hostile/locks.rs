//! What may have happened to `gen.lock` and `acknowledgements.yaml`.

use crate::repository::{ACKNOWLEDGEMENTS, LOCK, MODEL, Repository, Stranger};
use nosql_gen::diagnostic::Sink;
use nosql_gen::source::{SourceMap, from_node, parse};

const COMMANDS: [&str; 3] = ["plan", "apply", "check"];

#[test]
fn a_lock_that_cannot_be_believed_stops_every_command() {
    let good = Repository::applied().read(LOCK);
    let conflict = format!("<<<<<<< HEAD\n{good}=======\n{good}>>>>>>> theirs\n");
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (Vec::new(), "a lock starts with the line `gen-lock 1`"),
        (b"gen-lock 2\n".to_vec(), "the lock has format 2; this gen reads format 1"),
        (b"gen-lock 99999999999999999999\n".to_vec(), "error[lock-too-new]"),
        (b"{}".to_vec(), "error[bad-lock]"),
        (vec![0, 159, 146, 150], "it is not UTF-8"),
        (vec![0; 4096], "error[bad-lock]"),
        (good.as_bytes()[..good.len() / 3].to_vec(), "error[bad-lock]"),
        (conflict.into_bytes(), "error[lock-conflict]"),
        (good.replacen("= \"S\"", "= \"Q\"", 1).into_bytes(), "error[bad-lock]"),
        (good.replacen("= \"S\"", "= [[[", 1).into_bytes(), "error[bad-lock]"),
        (good.replacen("terraform/outputs.tf", "../../../victim", 1).into_bytes(), "expected a path inside this folder"),
        (good.replacen("terraform/outputs.tf", "/etc/victim", 1).into_bytes(), "expected a path inside this folder"),
        (good.replace("[files]", &format!("dynamodb.x.y = {}\n[files]", "[".repeat(50_000))).into_bytes(), "error[bad-lock]"),
    ];
    for (text, said) in cases {
        let repository = Repository::applied();
        repository.change();
        repository.write(LOCK, text);
        for command in COMMANDS {
            repository.refuses([command], 1, said);
        }
    }
}

#[test]
fn conflicting_hashes_are_no_conflict() {
    let repository = Repository::applied();
    let lock = repository.read(LOCK);
    let (facts, files) = lock.split_once("[files]\n").unwrap();
    repository.write(LOCK, format!("{facts}[files]\n<<<<<<< HEAD\n{files}=======\n{files}>>>>>>> theirs\n"));
    repository.change();
    repository.run(["check"]).is(2, "stale");
    repository.run(["apply"]).is(0, "are written");
    repository.is_up_to_date();
}

#[test]
fn a_lock_is_a_file() {
    for (stranger, said) in [
        (Stranger::Folder, "gen.lock: it is a folder"),
        (Stranger::Pipe, "gen.lock: it is not a file"),
        (Stranger::Link, "`infra/shop/gen.lock` is a link"),
    ] {
        let repository = Repository::applied();
        repository.change();
        repository.replace(LOCK, &stranger);
        repository.refuses(["apply"], 1, said);
    }
}

#[test]
fn without_a_lock_the_very_bytes_are_ours_and_others_are_not() {
    let repository = Repository::applied();
    std::fs::remove_file(repository.path(LOCK)).unwrap();
    repository.run(["apply"]).is(0, "nothing had to be written but the lock");
    repository.is_up_to_date();
    repository.change();
    std::fs::remove_file(repository.path(LOCK)).unwrap();
    repository.refuses(["apply"], 1, "error[not-ours]: `infra/shop/terraform/table_orders.tf` was not written by gen");
}

#[test]
fn hostile_acknowledgements_are_refused() {
    let entry = "- { id: x, address: a, reason: r, owner: o";
    for (text, said) in [
        ("x: 1\n".to_owned(), "expected a list of acknowledgements"),
        ("- a\n".to_owned(), "expected an acknowledgement"),
        (format!("{entry}, until: tomorrow }}\n"), "`tomorrow` is not a day"),
        (format!("{entry}, everything: true }}\n"), "error[bad-acknowledgement]"),
        (format!("{entry}, applied_in: all }}\n"), "error[bad-acknowledgement]"),
        ("- { id: x, address: a, reason: ' ', owner: o }\n".to_owned(), "`reason` is empty"),
        ("[".repeat(100_000), "error["),
        (format!("{}{entry} }}\n", "- &a [*a]\n"), "error["),
    ] {
        let repository = Repository::applied();
        repository.write(ACKNOWLEDGEMENTS, text);
        for command in ["plan", "apply"] {
            repository.refuses([command], 1, said);
        }
    }
    for stranger in [Stranger::Folder, Stranger::Pipe] {
        let repository = Repository::applied();
        repository.replace(ACKNOWLEDGEMENTS, &stranger);
        repository.refuses(["plan"], 1, "acknowledgements.yaml: it is ");
    }
}

#[test]
fn one_acknowledgement_is_for_one_change() {
    let repository = Repository::applied();
    repository.edit(MODEL, "customer_id: uuid", "customer_id: int");
    let plan = repository.run(["plan", "--format", "json"]);
    let blocked: Vec<String> = plan.document()["changes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|change| change["blocks"] == true)
        .map(|change| change["id"].as_str().unwrap().to_owned())
        .collect();
    assert!(plan.code == 3 && !blocked.is_empty(), "{plan:#?}");
    for id in ["", "*", "all", "..", "-", "--all", "table-orders"] {
        let answer = repository.run(["ack", "--reason", "r", "--owner", "o", "--", id]);
        answer.is(1, "no change of the plan has the id");
    }
    repository.refuses(["ack", &blocked[0], "--reason", " ", "--owner", "o"], 1, "--reason is empty");
    repository.refuses(["ack", &blocked[0], "--reason", "r", "--owner", "o", "--until", "2026-02-30"], 1, "is not a day");
    repository.refuses(["ack", &blocked[0], "--reason", "r", "--owner", "o", "--until", "2001-01-31"], 1, "has passed");
    // What people write survives as it was written.
    let reason = "a \"quote\", ${x}, %{y}\n- id: other\n# é \u{1b}[31m";
    repository.run(["ack", &blocked[0], "--reason", reason, "--owner", "o"]).is(0, "is acknowledged");
    let schema = repository.run(["schema", "acknowledgements"]).document();
    let mut sources = SourceMap::default();
    let file = sources.add(ACKNOWLEDGEMENTS, repository.read(ACKNOWLEDGEMENTS));
    let node = parse(&sources, file, &mut Sink::default()).unwrap();
    let document: serde_json::Value = from_node(&node).unwrap();
    assert_eq!(document[0]["reason"], reason);
    jsonschema::validate(&schema, &document).unwrap();
    let plan = repository.run(["plan", "--format", "json"]);
    let is_meant = |change: &serde_json::Value| change["acknowledged"]["reason"] == reason;
    assert_eq!(plan.document()["changes"].as_array().unwrap().iter().filter(|change| is_meant(change)).count(), 1);
    let shown = repository.run(["plan", "--color", "always"]).out;
    let line = shown.lines().find(|line| line.contains("acknowledged by o")).unwrap();
    assert!(line.contains("- id: other # é") && !line.contains('\u{1b}'), "{line:?}");
}
