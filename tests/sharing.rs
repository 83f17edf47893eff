//! Tables that models share, and tables that exist elsewhere, over several runs.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::process::{Command, Output};

/// The models of the golden case: `accounts` owns `hub`, `billing` and `support` share it.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Self {
        let repository = Self(tempfile::tempdir().unwrap());
        let golden = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/generate/shared_table/models");
        for model in ["accounts", "billing", "support"] {
            repository.write(&Self::model(model), &fs::read_to_string(golden.join(format!("{model}.yaml"))).unwrap());
        }
        repository
    }

    fn model(name: &str) -> String {
        format!("models/{name}.yaml")
    }

    fn path(&self, name: &str) -> Utf8PathBuf {
        Utf8Path::from_path(self.0.path()).unwrap().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces a part of a file, which has to be there.
    fn edit(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(name)).unwrap();
        assert!(text.contains(from), "{from} in {text}");
        self.write(name, &text.replace(from, to));
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.0.path()).env("NO_COLOR", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "a").env(format!("GIT_{who}_EMAIL"), "a@example.com");
        }
        command.output().unwrap()
    }

    /// Runs `gen`: exit code, what was printed, and what was remarked.
    fn ends(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = self.run(env!("CARGO_BIN_EXE_gen"), arguments);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    #[track_caller]
    fn expect(&self, code: i32, arguments: &[&str]) -> (String, String) {
        let (exit, printed, remarked) = self.ends(arguments);
        assert_eq!(exit, code, "{arguments:?}\n{printed}\n{remarked}");
        (printed, remarked)
    }

    fn commit(&self) {
        for arguments in [&["init", "-q"][..], &["add", "."], &["commit", "-qm", "all"]] {
            assert!(self.run("git", arguments).status.success());
        }
    }
}

#[test]
fn each_model_can_be_planned_and_checked_alone() {
    let repository = Repository::new();
    repository.expect(0, &["apply"]);
    for model in ["accounts", "billing", "support"] {
        let model = Repository::model(model);
        repository.expect(0, &["check", &model]);
        repository.expect(0, &["plan", &model, "--detailed-exitcode"]);
    }
    let owners = |path: &str| fs::read(repository.path(path)).unwrap();
    let lock = owners("infra/accounts/gen.lock");
    // What others hold changes nothing of the owner's, unless it makes a key that nothing else has.
    repository.edit("models/support.yaml", "sk: \"TICKET#{ticket}\"", "sk: \"T#{ticket}\"");
    repository.expect(0, &["apply"]);
    assert_eq!(owners("infra/accounts/gen.lock"), lock);
}

#[test]
fn an_index_that_another_model_needs_cannot_go() {
    let repository = Repository::new();
    repository.expect(0, &["apply"]);
    repository.edit("models/accounts.yaml", "        by_rank:", "        # by_rank:");
    let (_, remarked) = repository.expect(1, &["plan", "models/accounts.yaml"]);
    let message = "error[shared-not-judged]: `hub` cannot be judged: the model `support`, which shares it, has errors";
    assert!(remarked.contains(message), "{remarked}");
    assert!(remarked.contains("no table or index serves `tickets-of-rank`"), "{remarked}");
    // In a run over all it is said where it is wrong, and once.
    let (_, remarked) = repository.expect(1, &["plan"]);
    assert!(!remarked.contains("shared-not-judged"), "{remarked}");
    assert!(remarked.contains("--> models/support.yaml"), "{remarked}");
}

#[test]
fn an_index_is_used_when_another_model_uses_it() {
    let repository = Repository::new();
    let (_, remarked) = repository.expect(0, &["plan", "models/accounts.yaml"]);
    assert!(!remarked.contains("unused-index"), "{remarked}");
    repository.edit("models/support.yaml", "  tickets-of-rank:", "  # tickets-of-rank:");
    let (_, remarked) = repository.expect(0, &["plan", "models/accounts.yaml"]);
    assert!(remarked.contains("warning[unused-index]: no pattern uses `dynamodb.hub.gsi.by_rank`"), "{remarked}");
    assert_eq!(remarked.matches("unused-index").count(), 1, "{remarked}");
}

#[test]
fn the_owner_is_looked_for_in_gen_yaml_and_then_beside_the_model() {
    let repository = Repository::new();
    // Nothing in accounts is for billing alone, which moves.
    repository.edit("models/accounts.yaml", "        by_day:", "        # by_day:");
    repository.edit("models/billing.yaml", "  invoices-of-day:", "  # invoices-of-day:");
    repository.edit("models/billing.yaml", ", gsi1pk: \"DAY#{issued_on}\"", "");
    fs::create_dir(repository.path("drafts")).unwrap();
    fs::rename(repository.path("models/billing.yaml"), repository.path("drafts/billing.yaml")).unwrap();
    repository.write("gen.yaml", "gen: 1\nmodels: [models]\n");
    repository.expect(0, &["plan", "drafts/billing.yaml"]);
    // None is named, but one lies beside it.
    repository.write("gen.yaml", "gen: 1\nmodels: [drafts]\n");
    repository.expect(0, &["plan", "models/support.yaml"]);
    let (_, remarked) = repository.expect(1, &["plan", "drafts/billing.yaml"]);
    assert!(remarked.contains("error[unknown-owner]: no model is called `accounts`"), "{remarked}");
    assert!(remarked.contains("models were looked for in `drafts`"), "{remarked}");
}

#[test]
fn models_at_a_ref_are_judged_with_their_neighbours_there() {
    let repository = Repository::new();
    repository.commit();
    // What is committed needs the owner that is committed.
    repository.edit("models/accounts.yaml", "name: accounts", "name: people");
    repository.edit("models/support.yaml", "owner: accounts", "owner: people");
    repository.edit("models/billing.yaml", "owner: accounts", "owner: people");
    repository.edit("models/support.yaml", "sort_key: account", "sort_key: rank");
    let (printed, _) = repository.expect(3, &["diff", "HEAD:models/support.yaml", "models/support.yaml"]);
    assert!(printed.contains("attachments") && !printed.contains("hub"), "{printed}");
    // So does what would come of it here: the index is there for what others hold.
    let (printed, _) = repository.expect(0, &["diff", "HEAD:models/accounts.yaml", "models/accounts.yaml"]);
    assert!(printed.contains("no changes"), "{printed}");
    repository.edit("models/billing.yaml", "owner: people", "owner: peple");
    let (_, remarked) = repository.expect(1, &["diff", "HEAD:models/billing.yaml", "models/billing.yaml"]);
    assert!(remarked.contains("error[unknown-owner]: no model is called `peple`"), "{remarked}");
    assert!(!remarked.contains("HEAD:"), "{remarked}");
}

#[test]
fn a_table_made_elsewhere_is_kept_and_comes_back() {
    let repository = Repository::new();
    repository.expect(0, &["apply"]);
    let own = "    attachments:\n";
    let external = "    attachments:\n      external: true\n";
    repository.edit("models/support.yaml", own, external);
    let (printed, _) = repository.expect(0, &["plan", "models/support.yaml"]);
    assert!(printed.contains("1 kept; 0 blocked"), "{printed}");
    repository.expect(0, &["apply"]);
    let removed = fs::read_to_string(repository.path("infra/support/terraform/removed.tf")).unwrap();
    assert!(removed.contains("destroy = false"), "{removed}");
    // That it is external says that it is meant: there is no reminder.
    let (_, remarked) = repository.expect(0, &["plan", "models/support.yaml", "--detailed-exitcode"]);
    assert!(!remarked.contains("table-kept"), "{remarked}");
    repository.edit("models/support.yaml", external, own);
    let (printed, _) = repository.expect(3, &["plan", "models/support.yaml", "--format", "json"]);
    let plan: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let id = plan["changes"][0]["id"].as_str().unwrap();
    assert_eq!(plan["changes"][0]["effects"]["terraform-aws-5"]["needs"], "nothing");
    repository.expect(0, &["ack", id, "--reason", "it is ours again", "--owner", "support"]);
    repository.expect(0, &["apply"]);
    let imports = fs::read_to_string(repository.path("infra/support/terraform/imports.tf")).unwrap();
    assert!(imports.contains("to = aws_dynamodb_table.attachments"), "{imports}");
}

/// Hands `attachments` from `support` over to `accounts`.
fn hand_over(repository: &Repository) {
    let accounts = "dynamodb:\n  defaults: { point_in_time_recovery: true }\n  tables:\n";
    repository.edit(
        "models/accounts.yaml",
        accounts,
        &format!("{accounts}    attachments: {{ partition_key: ticket, sort_key: account, holds: Upload }}\n"),
    );
    repository.edit("models/accounts.yaml", "access_patterns:\n", "  Upload: { key: [ticket, account], attributes: { ticket: ulid, account: uuid } }\naccess_patterns:\n  upload: { find: Upload, where: \"ticket = ? and account = ?\" }\n");
    let own = "      partition_key: ticket\n      sort_key: account\n      point_in_time_recovery: true\n      holds: Ticket\n";
    repository.edit("models/support.yaml", own, "      owner: accounts\n      holds: { Ticket: { account: \"T#{account}\" } }\n");
}

/// Acknowledges the one change that blocks a model, which is that its table exists outside its stack.
fn take_over(repository: &Repository) {
    let (printed, _) = repository.expect(3, &["plan", "models/accounts.yaml", "--format", "json"]);
    let plan: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let [change] = plan["changes"].as_array().unwrap().as_slice() else { panic!("{printed}") };
    assert_eq!((&change["address"], &change["path"]), (&"dynamodb.attachments".into(), &"kept".into()));
    assert_eq!(change["effects"]["terraform-aws-5"]["rule"], "table-returns");
    assert_eq!(change["effects"]["cloudformation-table"]["deploying"], "refuses");
    repository.expect(0, &["ack", change["id"].as_str().unwrap(), "--reason", "it is ours now", "--owner", "accounts"]);
}

fn imports(repository: &Repository) -> String {
    fs::read_to_string(repository.path("infra/accounts/terraform/imports.tf")).unwrap()
}

#[test]
fn a_table_handed_to_another_model_is_kept_here_and_taken_over_there() {
    let repository = Repository::new();
    repository.expect(0, &["apply"]);
    hand_over(&repository);
    let (printed, _) = repository.expect(0, &["plan", "models/support.yaml"]);
    assert!(printed.contains("attachments: leaves the model and is kept"), "{printed}");
    take_over(&repository);
    repository.expect(0, &["apply"]);
    let imported = "to = aws_dynamodb_table.attachments\n  id = \"attachments\"";
    assert!(imports(&repository).contains(imported), "{}", imports(&repository));
    let (_, remarked) = repository.expect(0, &["plan", "--detailed-exitcode"]);
    assert!(!remarked.contains("table-kept"), "{remarked}");
    // Who takes it over stays so: the lock of the other is asked no more.
    fs::remove_file(repository.path("infra/support/gen.lock")).unwrap();
    repository.expect(0, &["plan", "models/accounts.yaml", "--detailed-exitcode"]);
}

#[test]
fn a_table_is_taken_over_whoever_is_applied_first_and_not_when_it_is_gone() {
    let repository = Repository::new();
    repository.expect(0, &["apply"]);
    hand_over(&repository);
    repository.expect(0, &["apply", "models/support.yaml"]);
    take_over(&repository);
    repository.expect(0, &["apply", "models/accounts.yaml"]);
    assert!(imports(&repository).contains("to = aws_dynamodb_table.attachments"));
    // One of another name is another table.
    let other = Repository::new();
    other.expect(0, &["apply"]);
    hand_over(&other);
    other.edit("models/accounts.yaml", "attachments: { partition_key", "attachments: { name: uploads, partition_key");
    let (printed, _) = other.expect(0, &["plan", "models/accounts.yaml"]);
    assert!(printed.contains("attachments: created"), "{printed}");
}

#[test]
fn what_differs_in_a_table_that_is_taken_over_is_told() {
    let repository = Repository::new();
    repository.expect(0, &["apply"]);
    hand_over(&repository);
    repository.edit(
        "models/accounts.yaml",
        "attachments: { partition_key",
        "attachments: { stream: new_image, tags: { team: a }, partition_key",
    );
    let told = |repository: &Repository| -> Vec<String> {
        let (printed, _) = repository.expect(3, &["plan", "models/accounts.yaml", "--format", "json"]);
        let plan: serde_json::Value = serde_json::from_str(&printed).unwrap();
        let effect = |change: &serde_json::Value| {
            assert_eq!(change["address"], "dynamodb.attachments", "{printed}");
            let effect = &change["effects"]["terraform-aws-5"];
            format!(
                "{} {} {}",
                change["path"].as_str().unwrap(),
                effect["needs"].as_str().unwrap(),
                effect["deploying"].as_str().unwrap()
            )
        };
        plan["changes"].as_array().unwrap().iter().map(effect).collect()
    };
    assert_eq!(told(&repository), ["kept nothing applies", "stream in_place applies", "tags.team in_place applies"]);
    // Another key would make the table anew, once it is taken over.
    let other = Repository::new();
    other.expect(0, &["apply"]);
    hand_over(&other);
    other.edit("models/accounts.yaml", "partition_key: ticket, sort_key: account", "partition_key: account, sort_key: ticket");
    other.edit(
        "models/support.yaml",
        "holds: { Ticket: { account: \"T#{account}\" } }",
        "holds: { Ticket: { ticket: \"T#{ticket}\", account: \"T#{account}\" } }",
    );
    other.edit("models/support.yaml", "where: \"ticket = ?\"", "where: \"account = ? and ticket = ?\"");
    other.edit("models/support.yaml", "order: ticket desc, limit: 20", "order: ticket desc, limit: 20, via: dynamodb.hub");
    let told = told(&other);
    assert!(told.contains(&"partition_key recreation refuses".to_owned()), "{told:?}");
}
