//! An output folder that is not as `gen` left it.

use crate::repository::{Entry, LOCK, MODEL, Repository, Stranger, TABLE};
use camino::Utf8Path;
use std::fs;

#[test]
fn nothing_is_written_through_or_over_what_is_no_plain_file() {
    let cases: [(&str, Stranger, &str); 12] = [
        ("infra", Stranger::File, "infra is not a folder"),
        ("infra", Stranger::Link, "infra leads out of the folder of gen.yaml"),
        ("infra", Stranger::Dangling, "cannot read infra"),
        ("infra/shop", Stranger::File, "infra/shop"),
        ("infra/shop", Stranger::Link, "is behind the link infra/shop"),
        ("infra/shop/terraform", Stranger::Link, "is behind the link infra/shop/terraform"),
        (TABLE, Stranger::Link, "`infra/shop/terraform/table_orders.tf` is a link"),
        (TABLE, Stranger::Folder, "table_orders.tf: it is a folder"),
        (TABLE, Stranger::Pipe, "table_orders.tf: it is not a file"),
        ("infra/shop/cql/cassandra-5.0", Stranger::Link, "is behind the link"),
        ("infra/.gen.apply.lock", Stranger::Dangling, "is a link"),
        ("infra/.gen.apply", Stranger::Dangling, "infra/.gen.apply"),
    ];
    for (path, stranger, said) in cases {
        let repository = Repository::applied();
        repository.change();
        repository.edit(MODEL, "ttl: retain", "ttl: retain\n      description: All orders");
        repository.replace(path, &stranger);
        repository.refuses(["apply"], 1, said);
        repository.refuses(["apply", "--discard-edits", TABLE], 1, "");
    }
}

#[test]
fn a_folder_that_became_a_file_counts_as_deleted_files() {
    let repository = Repository::applied();
    repository.replace("infra/shop/terraform", &Stranger::File);
    repository.refuses(["apply"], 3, "infra/shop/terraform/table_orders.tf was deleted by hand");
}

#[test]
fn files_of_others_are_left_alone() {
    let repository = Repository::empty();
    repository.run(["init"]).is(0, "created");
    repository.write("infra/shop/terraform/mine.tf", "# mine\n");
    repository.write("infra/shop/notes.txt", "mine");
    repository.run(["apply"]).is(0, "are written");
    repository.is_up_to_date();
    assert_eq!(repository.read("infra/shop/terraform/mine.tf"), "# mine\n");

    let repository = Repository::empty();
    repository.run(["init"]).is(0, "created");
    repository.write(TABLE, "# mine\n");
    repository.refuses(["apply"], 1, "was not written by gen");
    repository.run(["apply", "--discard-edits", TABLE]).is(0, "are written");
    repository.is_up_to_date();
}

#[test]
fn the_line_ends_of_a_checkout_are_no_edits() {
    let repository = Repository::applied();
    let tree = repository.tree();
    for (path, entry) in tree.iter().filter(|(path, _)| path.starts_with("infra")) {
        if let Entry::File(bytes) = entry {
            let text = String::from_utf8(bytes.clone()).unwrap();
            repository.write(path.as_str(), text.replace('\n', "\r\n"));
        }
    }
    repository.is_up_to_date();
    repository.change();
    repository.run(["apply"]).is(0, "are written");
    assert!(!repository.read(TABLE).contains('\r'));
    repository.is_up_to_date();
    // An edit is one, whatever the line ends.
    let edited = repository.read(TABLE).replace('\n', "\r\n").replacen("PAY_PER_REQUEST", "PROVISIONED", 1);
    repository.write(TABLE, &edited);
    repository.refuses(["apply"], 3, "was edited by hand");
}

#[test]
fn a_table_that_leaves_takes_its_file_along_and_no_other() {
    let repository = Repository::applied();
    repository.write("infra/shop/terraform/mine.tf", "# mine\n");
    repository.edit(
        MODEL,
        "  tables:\n    orders:\n      holds: Order",
        "  tables:\n    purchases:\n      name: orders\n      holds: Order",
    );
    repository.run(["apply"]).is(0, "are written");
    let tree = repository.tree();
    assert!(!tree.contains_key(Utf8Path::new(TABLE)), "{TABLE} is still there");
    assert_eq!(tree.get(Utf8Path::new("infra/shop/terraform/mine.tf")), Some(&Entry::File(b"# mine\n".to_vec())));
    repository.is_up_to_date();
}

#[test]
fn a_journal_from_somewhere_else_leads_nowhere() {
    let victim = "[\"../../victim\", \"/etc/victim\", \"a/../../victim\"]";
    let paths: Vec<String> = serde_json::from_str(victim).unwrap();
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let mut journals: Vec<String> = paths
        .iter()
        .map(|path| format!("{{\"version\":1,\"files\":[{{\"path\":{path:?},\"previous\":null,\"next\":{empty:?}}}]}}"))
        .collect();
    journals.extend([String::new(), "x".into(), "{}".into(), "{\"version\":9,\"files\":[]}".into(), "[".repeat(100_000)]);
    for journal in journals {
        let repository = Repository::applied();
        repository.write("infra/.gen.apply/journal", &journal);
        repository.write("infra/.gen.apply/next/0", "");
        for command in ["plan", "apply", "check"] {
            repository.refuses([command], 1, "infra/.gen.apply/journal cannot be read");
        }
    }
    // One that was never finished means that nothing had begun.
    let repository = Repository::applied();
    repository.write("infra/.gen.apply/journal.unfinished", "{");
    repository.write("infra/.gen.apply/next/0", "half");
    repository.run(["plan"]).is(0, "an interrupted `gen apply` in infra was undone");
    repository.is_up_to_date();
}

#[test]
fn output_that_cannot_be_written_is_said_and_nothing_is_half() {
    // In /proc and /dev nobody makes files, not even root.
    for folder in ["/proc/self", "/sys/kernel"] {
        let repository = Repository::applied();
        repository.change();
        fs::rename(repository.path("infra"), repository.outside("aside")).unwrap();
        std::os::unix::fs::symlink(folder, repository.path("infra")).unwrap();
        repository.refuses(["apply"], 1, "infra leads out of the folder of gen.yaml");
    }
    let repository = Repository::applied();
    repository.edit("gen.yaml", "output: infra", "output: gen.yaml/below");
    repository.refuses(["apply"], 1, "gen.yaml is not a folder");
    assert!(repository.read(LOCK).starts_with("gen-lock 1\n"));
}
