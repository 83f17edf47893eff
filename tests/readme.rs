//! What the documentation has people type: the README's commands run, and every command of a page is one that `gen` takes.
#![expect(clippy::unwrap_used, reason = "a test")]

use clap::Parser;
use nosql_gen::cli::Cli;
use std::fs;
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The commands of the `console` blocks of a page, a list for each block.
fn blocks(page: &str) -> Vec<Vec<&str>> {
    let blocks = page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.map(|block| block.lines().filter_map(|line| line.strip_prefix("$ ")).collect()).collect()
}

/// The words of a command as a shell takes them, without its comment, and without where its output goes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quoted) = (String::new(), false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            _ => word.push(letter),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    let end = words.iter().position(|word| ["#", ">", "|", "||", "&&"].contains(&word.as_str()));
    words.truncate(end.unwrap_or(words.len()));
    words
}

fn run(arguments: &[String], folder: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gen"));
    command.args(arguments).current_dir(folder).env_clear().env("NO_COLOR", "1").output().unwrap()
}

#[test]
fn the_commands_of_the_readme_run() {
    let page = fs::read_to_string(format!("{ROOT}/README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut tried = Vec::new();
    for line in blocks(&page).concat() {
        let words = words(line);
        let names: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = match names.as_slice() {
            // In a clone of the repository.
            ["cargo", "run", "-q", "--", ..] => run(words.get(4..).unwrap(), ROOT),
            ["gen", ..] => run(words.get(1..).unwrap(), folder.path().to_str().unwrap()),
            // This is a part of it; a benchmark takes its time.
            ["cargo", "test" | "bench", ..] => continue,
            _ => unreachable!("the README has people type `{line}`"),
        };
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {told}");
        tried.push(line);
    }
    for expected in ["gen init", "gen plan", "gen apply"] {
        assert!(tried.contains(&expected), "{tried:?}");
    }
}

#[test]
fn the_change_that_the_readme_tells_of_is_blocked() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().to_str().unwrap();
    let gen_command = |line: &str| run(&words(line), at);
    assert!(gen_command("init").status.success() && gen_command("apply").status.success());
    let page = fs::read_to_string(format!("{ROOT}/README.md")).unwrap();
    let change = page.split("```yaml\n").skip(1).find(|block| block.contains("local_secondary_indexes")).unwrap();
    let change = change.split("```").next().unwrap();
    let model = fs::read_dir(folder.path().join("models")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&model).unwrap();
    // The block shows the lines under the keys where they go.
    let pattern = change.lines().find(|line| line.contains("orders-by-total")).unwrap();
    let index: Vec<&str> = change.lines().skip_while(|line| !line.contains("local_secondary_indexes")).collect();
    let text = text.replace("access_patterns:\n", &format!("access_patterns:\n{pattern}\n"));
    let text = text.replace("      ttl: expires_at\n", &format!("      ttl: expires_at\n{}\n", index.join("\n")));
    fs::write(&model, text).unwrap();
    let plan = gen_command("plan");
    let told = String::from_utf8_lossy(&plan.stdout);
    assert_eq!(plan.status.code(), Some(3), "{told}{}", String::from_utf8_lossy(&plan.stderr));
    assert!(told.lines().next().unwrap().starts_with("orders: would be recreated, all items would be lost"), "{told}");
    assert!(told.contains("gen ack lsi-by-total-"), "{told}");
    assert_eq!(gen_command("apply").status.code(), Some(3));
}

#[test]
fn every_command_of_the_documentation_is_one() {
    let mut tried = 0;
    let pages = fs::read_dir(format!("{ROOT}/docs")).unwrap().map(|entry| entry.unwrap().path());
    let codes = fs::read_dir(format!("{ROOT}/docs/codes")).unwrap().map(|entry| entry.unwrap().path());
    for path in pages.chain(codes).filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let page = fs::read_to_string(&path).unwrap();
        for line in blocks(&page).concat().into_iter().filter(|line| line.starts_with("gen ")) {
            if let Err(error) = Cli::try_parse_from(words(line)) {
                unreachable!("{}: `{line}`: {error}", path.display());
            }
            tried += 1;
        }
    }
    assert!(tried > 5, "only {tried} commands");
}
