//! Each command's help has examples, and every example runs as it is printed.
#![expect(clippy::unwrap_used, reason = "a test")]

use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::process::{Command, Output};

const MODEL: &str = include_str!("../models/shop.yaml");
const TABLE: &str = "resource \"aws_dynamodb_table\" \"a\" {\n  name     = \"a\"\n  hash_key = \"id\"\n  attribute {\n    name = \"id\"\n    type = \"S\"\n  }\n}\n";
const STATEMENT: &str = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': '1'};\nCREATE TABLE k.t (a int PRIMARY KEY);\n";

const CONFIG: &str = "gen: 1\ntemplates: templates\n";

/// A repository in which all that examples speak of is there.
struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    fn new() -> Self {
        let repository = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in [
            ("models/shop.yaml", MODEL),
            ("before.tf", TABLE),
            ("after.tf", TABLE),
            ("before.cql", STATEMENT),
            ("after.cql", STATEMENT),
            ("migrations/0001-create.cql", STATEMENT),
            ("platform/templates/cql/table.cql.j2", "{% extends \"gen/cql/table.cql.j2\" %}\n"),
            ("gen.yaml", CONFIG),
        ] {
            repository.put(path, text);
        }
        for folder in ["templates", ".zfunc", ".config/fish/completions", ".local/share/bash-completion/completions"] {
            fs::create_dir_all(repository.path().join(folder)).unwrap();
        }
        repository
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs a line as a shell does, with our `gen` first on the PATH.
    fn run(&self, line: &str) -> Output {
        let gen_folder = Utf8PathBuf::from(env!("CARGO_BIN_EXE_gen")).parent().unwrap().to_owned();
        let path = format!("{gen_folder}:{}", std::env::var("PATH").unwrap_or_default());
        let home = self.path().as_str();
        let mut command = Command::new("sh");
        command.args(["-ec", line]).current_dir(self.path()).env("PATH", path).env("HOME", home).env("NO_COLOR", "1");
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap()
    }

    /// Makes it what `origin/main` has.
    fn commit(&self) {
        let git = "git init -q . && git add -A && git -c user.name=t -c user.email=t@example.org commit -qm all \
                   && git update-ref refs/remotes/origin/main HEAD";
        let output = self.run(git);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The help of a command.
fn help(command: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_gen")).args(command).arg("--help").env("NO_COLOR", "1").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands below one, by its help.
fn below(command: &[String], help: &str) -> Vec<Vec<String>> {
    let section = help.split("\nCommands:\n").nth(1).map_or("", |rest| rest.split("\n\n").next().unwrap());
    let names = section.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(|name| [command, &[name.to_owned()]].concat()).collect()
}

/// Every command with its help, the root first.
fn commands() -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let mut left = vec![Vec::new()];
    while let Some(command) = left.pop() {
        let help = help(&command);
        left.extend(below(&command, &help));
        found.push((command, help));
    }
    found
}

fn examples(help: &str) -> Vec<String> {
    let section = help.split("\nExamples:\n").nth(1).unwrap_or_default();
    section.lines().take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn every_example_runs() {
    let commands = commands();
    assert!(commands.len() > 14, "only {} commands", commands.len());
    let mut tried = 0;
    for (command, help) in &commands {
        let examples = examples(help);
        assert!(!examples.is_empty(), "`gen {} --help` has no examples", command.join(" "));
        for example in examples {
            let repository = Repository::new();
            if example.contains("--environment") {
                repository.put("gen.yaml", &format!("{CONFIG}environments: {{ dev: {{}}, prod: {{}} }}\n"));
            }
            let prepared = repository.run("gen apply");
            assert!(prepared.status.success(), "{}", String::from_utf8_lossy(&prepared.stderr));
            repository.commit();
            // A reader of man pages is not everywhere.
            let line = example.split(" | man ").next().unwrap();
            let output = repository.run(line);
            let told = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0) => {}
                // No change has the id of the example.
                Some(1) if line.starts_with("gen ack ") => assert!(told.contains("unknown-acknowledgement"), "{line}: {told}"),
                code => unreachable!("`{line}` ends with {code:?}: {told}{}", String::from_utf8_lossy(&output.stdout)),
            }
            tried += 1;
        }
    }
    assert!(tried > 25, "only {tried} examples");
}

#[test]
fn there_is_a_man_page_of_each_command() {
    let repository = Repository::new();
    assert!(repository.run("gen man --to pages").status.success());
    for (command, _) in commands() {
        let name = [&["gen".to_owned()], command.as_slice()].concat().join("-");
        let page = fs::read_to_string(repository.path().join(format!("pages/{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH {name} 1")), "{name}: {page}");
        let printed = repository.run(&format!("gen man {}", command.join(" "))).stdout;
        assert_eq!(String::from_utf8(printed).unwrap(), page);
        assert!(page.contains("Examples:"), "{name}");
    }
    let unknown = repository.run("gen man templates chek");
    assert_eq!(unknown.status.code(), Some(1));
}

#[test]
fn each_shell_gets_a_completion() {
    let repository = Repository::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = repository.run(&format!("gen completions {shell}"));
        assert!(output.status.success());
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(["templates", "detailed-exitcode"].iter().all(|word| script.contains(word)), "{shell}");
    }
    let bash = repository.run("gen completions bash > gen.bash && bash -n gen.bash");
    assert!(bash.status.success(), "{}", String::from_utf8_lossy(&bash.stderr));
}
