//! Arguments and surroundings.

use crate::repository::{MODEL, Repository, answer};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

#[test]
fn wrong_arguments_are_usage() {
    let repository = Repository::applied();
    for arguments in [
        &["frobnicate"][..],
        &["plan", "--against"],
        &["plan", "--against", "-x"],
        &["plan", "--against", "--output=/tmp/x"],
        &["plan", "--format", "xml"],
        &["plan", ""],
        &["plan", "--output", ""],
        &["apply", "--discard-edits", ""],
        &["apply", "--against", "HEAD"],
        &["diff", "a"],
        &["diff", "", ""],
        &["ack", "x"],
        &["schema", "plans"],
        &["plan", "--color", "sometimes"],
    ] {
        let before = repository.tree();
        repository.run(arguments).is(64, "try '--help'");
        assert_eq!(repository.tree(), before);
    }
    for bytes in [&b"\xff\xfe"[..], b"models/\xff.yaml"] {
        for before in ["plan", "diff", "explain"] {
            repository.run([OsStr::new(before), OsStr::from_bytes(bytes)]).is(64, "invalid UTF-8");
        }
    }
    repository.run::<[&str; 0]>([]).is(64, "Usage:");
    for (arguments, said) in [(&["--help"][..], "Usage:"), (&["--version"], "gen 0."), (&["help", "plan"], "Usage:")] {
        repository.run(arguments).is(0, said);
    }
}

#[test]
fn a_hostile_ref_is_looked_up_and_not_obeyed() {
    let repository = Repository::applied();
    let refs = [
        "-x",
        "--output=written",
        "--upload-pack=touch written",
        "HEAD:..",
        "HEAD:infra/shop/gen.lock",
        "a b",
        "HEAD",
        "",
        "-",
        ":",
        ":/",
        "@{u}",
        "HEAD..HEAD",
        "^HEAD",
        "HEAD;touch written",
        "$(touch written)",
        "a\nb",
        "ünïcode",
        &"x".repeat(100_000),
    ];
    for is_repository in [false, true] {
        if is_repository {
            git(&repository, &["init", "-q"]);
            git(&repository, &["add", "."]);
            git(&repository, &["commit", "-q", "-m", "one"]);
        }
        for named in refs {
            if is_repository && named == "HEAD" {
                repository.run(["plan", "--against", named]).is(0, "no changes");
                continue;
            }
            repository.refuses(["plan", &format!("--against={named}")], 1, "no commit of a repository here");
            repository.refuses(["diff", "--", &format!("{named}:models/shop.yaml"), MODEL], 1, "error");
        }
    }
    repository.refuses(["plan", "--against", "gen.yaml"], 1, "gen.yaml is no lock");
    repository.refuses(["plan", "--against", "/dev/zero"], 1, "cannot read /dev/zero: it is not a file");
    repository.refuses(["plan", "--against", ".git/hooks"], 1, "holds nothing that could be compared");
}

#[test]
fn a_folder_is_an_operand_wherever_it_is() {
    let repository = Repository::applied();
    git(&repository, &["init", "-q"]);
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "-q", "-m", "one"]);
    fs::write(repository.path(".hidden.yaml"), "a: 1").unwrap();
    repository.change();
    for before in ["HEAD:infra/shop", "HEAD:./infra/shop/", "HEAD:models", "HEAD:models/shop.yaml", "infra/shop"] {
        repository.run(["diff", before, "models", "--detailed-exitcode"]).is(2, "1 update");
    }
    repository.run(["diff", "HEAD:infra/shop/terraform", "infra/shop/terraform"]).is(0, "no changes");
    repository.refuses(["diff", "HEAD:infra/none", MODEL], 1, "there is no such file");
    // The configuration and what is hidden are nothing to compare.
    for folder in [".", "HEAD:."] {
        repository.refuses(["diff", folder, MODEL], 1, "holds no lock and no Terraform");
    }
    fs::copy(repository.path(MODEL), repository.path("models/other.yaml")).unwrap();
    repository.refuses(["diff", "models", MODEL], 1, "models holds several models, `models/other.yaml` and `models/shop.yaml`");
}

#[test]
fn a_backend_of_which_neither_side_knows_is_no_reason_for_no_changes() {
    let repository = Repository::applied();
    for (name, kind) in [("a.cql", "int"), ("b.cql", "text")] {
        fs::write(repository.path(name), format!("CREATE TABLE k.t (a {kind} PRIMARY KEY);")).unwrap();
    }
    repository.run(["diff", "a.cql", "b.cql"]).is(0, "1 recreate");
    let said = "nothing of a.cql or b.cql is for terraform-aws-5; they are for cassandra-5.0";
    repository.refuses(["diff", "a.cql", "b.cql", "--backend", "terraform-aws-5"], 1, said);
}

fn git(repository: &Repository, arguments: &[&str]) {
    let identity = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"];
    let status = Command::new("git").args(identity).args(arguments).current_dir(repository.path("")).status();
    assert!(status.unwrap().success());
}

#[test]
fn neither_git_nor_a_home_is_needed() {
    let repository = Repository::applied();
    let mut bare = repository.command(["plan"]);
    answer(bare.env_clear()).is(0, "no changes");
    let mut without_git = repository.command(["plan", "--against", "HEAD"]);
    answer(without_git.env_clear().env("PATH", "/nonexistent")).is(1, "cannot start git");
}

#[test]
fn every_folder_below_is_as_good_as_the_first() {
    let repository = Repository::applied();
    repository.change();
    fs::create_dir_all(repository.path("a/b")).unwrap();
    let below = |arguments: &[&str]| answer(repository.command(arguments).current_dir(repository.path("a/b")));
    below(&["plan", "--detailed-exitcode"]).is(2, "infra/shop/terraform/table_orders.tf");
    below(&["plan", "../../models/shop.yaml"]).is(0, "1 update");
    below(&["apply"]).is(0, "are written");
    below(&["check"]).is(0, "up to date");
    repository.is_up_to_date();
}

#[test]
fn folders_that_cannot_be_named_or_are_gone_are_said() {
    let repository = Repository::empty();
    let odd = repository.path("").into_std_path_buf().join(OsStr::from_bytes(b"\xff"));
    fs::create_dir(&odd).unwrap();
    for command in ["init", "plan"] {
        answer(repository.command([command]).current_dir(&odd)).is(1, "is not UTF-8");
    }
    assert_eq!(fs::read_dir(&odd).unwrap().count(), 0);
    let script = format!("mkdir gone && cd gone && rmdir ../gone && {} plan", env!("CARGO_BIN_EXE_gen"));
    answer(Command::new("sh").args(["-c", &script]).current_dir(repository.path(""))).is(1, "cannot read .:");
}

#[test]
fn init_overwrites_nothing() {
    let repository = Repository::applied();
    repository.write("gen.yaml", "mine");
    let before = repository.tree();
    repository.run(["init"]).is(0, "exists, left as it is: gen.yaml");
    assert_eq!(repository.tree(), before);
    let repository = Repository::empty();
    repository.write("models", "mine");
    repository.run(["init"]).is(1, "models");
    assert_eq!(repository.read("models"), "mine");
    let repository = Repository::empty();
    std::os::unix::fs::symlink(repository.outside("away"), repository.path("gen.yaml")).unwrap();
    repository.run(["init", "--ci", "gitlab", "--pre-commit"]).is(0, "exists, left as it is: gen.yaml");
    assert!(!repository.outside("away").exists());
}

#[test]
fn a_reader_that_goes_away_is_no_failure_and_a_full_disk_is_one() {
    let repository = Repository::applied();
    repository.change();
    let script =
        format!("{0} plan | true; {0} schema model | head -c 10; {0} explain lsi-add | head -1", env!("CARGO_BIN_EXE_gen"));
    let piped = answer(Command::new("sh").args(["-c", &script]).current_dir(repository.path("")));
    piped.is(0, "# lsi-add");
    assert!(!piped.err.contains("error"), "{piped:#?}");
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    for arguments in [&["plan"][..], &["plan", "--format", "json"], &["schema", "model"], &["explain", "lsi-add"], &["--help"]] {
        let child = repository.command(arguments).stdout(full()).stderr(Stdio::piped()).spawn().unwrap();
        assert_eq!(crate::repository::finish(child).code, 1, "{arguments:?}");
    }
    let child = repository.command(["plan"]).stdout(Stdio::null()).stderr(full()).spawn().unwrap();
    assert_eq!(crate::repository::finish(child).code, 0);
    repository.refuses(["plan", "--output", "/dev/full"], 1, "cannot write the report to /dev/full: No space left");
    repository.refuses(["plan", "--output", "infra"], 1, "cannot write the report to infra: Is a directory");
    repository.refuses(["plan", "--output", "none/plan.txt"], 1, "cannot write the report to none/plan.txt");
}
