//! Repositories of many models and several environments: the odd, the broken and the many.

use crate::repository::{MODEL, Repository, Stranger, answer};
use std::fs;
use std::process::Command;

const ENVIRONMENTS: &str = "environments:\n  dev:  { set: { stage: dev } }\n  prod: { set: { stage: prod } }\n";

/// The first model with a parameter, generated for two environments.
fn of_environments() -> Repository {
    let repository = Repository::empty();
    repository.run(["init"]).is(0, "created models/shop.yaml");
    parameter(&repository, "stage: { values: [dev, prod], default: dev }");
    let text = repository.read("gen.yaml");
    repository.write("gen.yaml", format!("{text}{ENVIRONMENTS}"));
    repository.run(["apply"]).is(0, "are written");
    repository
}

/// Gives the model a parameter, in its names and in that of its keyspace.
fn parameter(repository: &Repository, parameter: &str) {
    repository.edit(MODEL, "\nentities:", &format!("\nparameters: {{ {parameter} }}\nentities:"));
    repository.edit(MODEL, "  defaults:\n", "  defaults:\n    table_name: \"${stage}-{table}\"\n");
    repository.edit(MODEL, "  keyspace: { ", "  keyspace: { name: \"${stage}_shop\", ");
}

fn git(repository: &Repository, arguments: &[&str]) {
    let identity = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main"];
    let output = Command::new("git").arg("-C").arg(repository.path("")).args(identity).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_an_environment_sets_is_written_as_text() {
    for value in ["a\"b", "${stage}", "%{ if }", "größe 表", "$$", "'; DROP KEYSPACE x; --", "{{ 7 * 7 }}", "a\\b", " "] {
        let repository = Repository::empty();
        repository.run(["init"]).is(0, "created models/shop.yaml");
        repository.edit(MODEL, "\nentities:", "\nparameters: { stage: {} }\nentities:");
        repository.edit(MODEL, "      ttl: expires_at\n", "      ttl: expires_at\n      tags: { stage: \"${stage}\" }\n");
        let set = serde_json::to_string(value).unwrap();
        let text = repository.read("gen.yaml");
        repository.write("gen.yaml", format!("{text}environments: {{ prod: {{ set: {{ stage: {set} }} }} }}\r\n"));
        repository.run(["apply"]).is(0, "are written");
        repository.is_up_to_date();
        // What was written is what is read back when it is edited.
        let variables = repository.read("infra/shop/prod/terraform/variables.tf");
        repository.write("infra/shop/prod/terraform/variables.tf", format!("{variables}# edited\n"));
        repository.run(["plan"]).is(0, "no changes");
    }
}

/// Git has a switch by which its own tests are somebody else.
#[test]
fn a_repository_of_somebody_else_is_told_as_such() {
    let repository = of_environments();
    git(&repository, &["init", "-q"]);
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "-q", "-m", "one"]);
    for arguments in [["plan", "--against=main"], ["plan", "--changed=main"]] {
        let mut command = repository.command(arguments);
        answer(command.env("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")).is(1, "safe.directory");
    }
    repository.run(["plan", "--against=nope"]).is(1, "`nope` is no file, no folder and no commit");
}

#[test]
fn a_keyspace_is_named_as_the_engine_takes_it() {
    for value in ["a-b", "größe", "a b", "\"x\"", "1", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"] {
        let repository = Repository::empty();
        repository.run(["init"]).is(0, "created models/shop.yaml");
        parameter(&repository, "stage: { default: dev }");
        let text = repository.read("gen.yaml");
        let set = serde_json::to_string(value).unwrap();
        repository.write("gen.yaml", format!("{text}environments: {{ dev: {{}}, prod: {{ set: {{ stage: {set} }} }} }}\n"));
        let answer = repository.run(["plan"]);
        if value == "1" {
            answer.is(0, "cql.keyspace");
        } else {
            answer.is(1, "in the environment `prod`");
        }
    }
}

#[test]
fn one_broken_environment_keeps_all_of_them_from_being_written() {
    let changed = || {
        let repository = of_environments();
        repository.change();
        repository
    };
    let repository = changed();
    repository.write("infra/shop/dev/gen.lock", "gen-lock 1\nnonsense\n");
    repository.refuses(["apply"], 1, "error[bad-lock]");
    repository.run(["apply", "-e", "prod"]).is(0, "are written");
    let repository = changed();
    repository.write("infra/shop/acknowledgements.yaml", "- {\n");
    repository.refuses(["apply"], 1, "error[");
    let repository = changed();
    repository.edit("infra/shop/prod/gen.lock", "gen-lock 1", "gen-lock 99");
    repository.refuses(["apply"], 1, "error[lock-too-new]");
    for stranger in [Stranger::File, Stranger::Link, Stranger::Dangling, Stranger::Pipe] {
        let repository = changed();
        repository.replace("infra/shop/dev", &stranger);
        let before = repository.tree();
        let answer = repository.run(["apply"]);
        assert_eq!(answer.code, 1, "{stranger:?}: {answer:#?}");
        assert_eq!(repository.tree(), before, "{stranger:?}: something was written");
    }
    for stranger in [Stranger::Folder, Stranger::Pipe] {
        let repository = changed();
        repository.replace("infra/shop/dev/gen.lock", &stranger);
        repository.refuses(["apply"], 1, "infra/shop/dev/gen.lock");
    }
}

#[test]
fn environments_are_named_as_they_are() {
    let repository = of_environments();
    repository.refuses(["plan", "-e", "prd"], 1, "did you mean `prod`?");
    repository.refuses(["plan", "-e", ""], 1, "no environment is called ``");
    repository.refuses(["apply", "-e", "../prod"], 1, "no environment is called `../prod`");
    repository.run(["plan", "-e", "dev", "-e", "dev"]).is(0, "no changes");
    let without = Repository::applied();
    without.refuses(["check", "--environment", "dev"], 1, "gen.yaml has no `environments`");
    without.refuses(["diff", MODEL, MODEL, "-e", "dev"], 1, "gen.yaml has no `environments`");
}

#[test]
fn an_environment_that_is_no_folder_of_ours_is_left_alone() {
    let repository = of_environments();
    repository.write("infra/shop/notes/README.md", "mine");
    repository.write("infra/shop/staging/gen.lock", [0xff, 0xfe]);
    let plan = repository.run(["plan"]);
    plan.is(0, "warning[environment-left]: `staging` is no environment of gen.yaml");
    assert!(!plan.err.contains("infra/shop/notes"), "{plan:#?}");
    repository.run(["apply"]).is(0, "no changes");
    assert_eq!(fs::read(repository.path("infra/shop/staging/gen.lock")).unwrap(), [0xff, 0xfe]);
}

#[test]
fn the_number_of_threads_is_a_number() {
    let repository = Repository::applied();
    for threads in ["0", "many", "-1", "1.5", "99999999999999999999999"] {
        let mut command = repository.command(["plan"]);
        answer(command.env("GEN_THREADS", threads)).is(64, "it is not a number from 1 on");
    }
    // A pipeline sets a variable that it has no value for.
    let mut command = repository.command(["plan"]);
    answer(command.env("GEN_THREADS", "")).is(0, "no changes");
    for threads in ["1", "1000000"] {
        repository.run(["plan", "--threads", threads]).is(0, "no changes");
    }
}

#[test]
fn hundreds_of_models_are_a_page() {
    let repository = of_environments();
    let text = repository.read(MODEL);
    for number in 0..30 {
        repository.write(&format!("models/deep/down/m{number}.yaml"), text.replace("name: shop", &format!("name: m-{number}")));
    }
    let runs: Vec<_> = ["1", "3", "16"]
        .iter()
        .map(|threads| {
            let text = repository.run(["plan", "--threads", threads]);
            let json = repository.run(["plan", "--threads", threads, "--format", "json"]);
            (text.out, text.err, json.out)
        })
        .collect();
    assert!(runs.windows(2).all(|pair| pair[0] == pair[1]), "the number of threads shows");
    let (text, ..) = &runs[0];
    assert!(text.lines().count() < 100, "{text}");
    assert!(text.contains("more changes, of which none blocks or warns") && text.contains("1 model does not change"), "{text}");
    repository.run(["apply"]).is(0, "files and the locks are written");
    repository.run(["check"]).is(0, "31 models in dev, prod: the output is up to date");
    repository.edit("models/deep/down/m7.yaml", "      ttl: expires_at\n", "      ttl: expires_at\n      tags: { team: shop }\n");
    let plan = repository.run(["plan"]);
    plan.is(0, "m-7: orders in dev, prod: updated in place");
    plan.is(0, "30 models do not change");
    // One that is wrong is said with all that is wrong, and nothing is written.
    repository.write("models/deep/broken.yaml", "gen: 1\nname: m-7\n");
    repository.refuses(["apply"], 1, "models/deep/broken.yaml");
}

#[test]
fn what_changed_is_found_from_every_folder_and_through_links() {
    let repository = of_environments();
    let text = repository.read(MODEL);
    let odd = "models/sub dir/größe \"2\".yaml";
    repository.write(odd, text.replace("name: shop", "name: odd"));
    // A model that lies behind a link, whose text git has elsewhere.
    repository.write("elsewhere/linked.yaml", text.replace("name: shop", "name: linked"));
    std::os::unix::fs::symlink("../elsewhere/linked.yaml", repository.path("models/linked.yaml")).unwrap();
    repository.run(["apply"]).is(0, "are written");
    git(&repository, &["init", "-q"]);
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "-q", "-m", "one"]);
    let from = |folder: &str, arguments: &[&str]| answer(repository.command(arguments).current_dir(repository.path(folder)));
    from("models", &["check", "--changed"]).is(0, "0 of 3 models changed since HEAD; 3 are left out");
    repository
        .write(odd, repository.read(odd).replace("      ttl: expires_at\n", "      ttl: expires_at\n      tags: { a: b }\n"));
    from("models/sub dir", &["check", "--changed"]).is(2, "1 of 3 models changed since HEAD; 2 are left out");
    from("", &["check", "--changed"]).is(2, "infra/odd/");
    repository.write("elsewhere/linked.yaml", repository.read("elsewhere/linked.yaml") + "# edited\n");
    from("infra", &["plan", "--changed"]).is(0, "2 of 3 models changed since HEAD; 1 is left out");
    repository.write("infra/shop/prod/terraform/mine.txt", "");
    from("", &["plan", "--changed"]).is(0, "all 3 models changed since HEAD");
    for hostile in ["--output=written", "-h", "HEAD;touch written", "HEAD\nmain", "nowhere", "^HEAD"] {
        let answer = repository.run([format!("--changed={hostile}").as_str(), "plan"].into_iter().rev());
        assert_eq!(answer.code, 1, "{hostile}: {answer:#?}");
        assert!(!repository.path("written").exists(), "{hostile}");
    }
}
