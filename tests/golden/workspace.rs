//! `golden/workspace`: a repository of several models or environments, and what a day of work in it says.

use super::case::{Case, Scratch, tree};
use super::kinds::exit;
use camino::Utf8Path;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

/// A case is `repository/`, and `commands`, one a line: `gen …`, `git …`, `put FOLDER` (a folder of the case, laid over the
/// repository), `mv A B`, `rm A`, `show FILE`, `list FOLDER`. What they say is `console.txt`, whatever the number of threads.
pub(super) fn workspace(case: &Case) -> Result<(), String> {
    let console = run(case, "1")?;
    for threads in ["2", "7"] {
        let other = run(case, threads)?;
        if other != console {
            return Err(format!("with {threads} threads something else is said:\n{other}\nwith 1:\n{console}"));
        }
    }
    let mut inputs = vec!["commands".to_owned(), "README.md".to_owned()];
    inputs.extend(
        fs::read_dir(&case.path)
            .unwrap()
            .map(|entry| entry.unwrap())
            .filter_map(|entry| entry.file_type().unwrap().is_dir().then(|| entry.file_name().into_string().unwrap())),
    );
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    case.compare(&inputs, &BTreeMap::from([("console.txt".to_owned(), console.into_bytes())]))
}

fn run(case: &Case, threads: &str) -> Result<String, String> {
    let scratch = Scratch::new();
    scratch.put_all(&case.path.join("repository"), "");
    let commands = fs::read_to_string(case.path.join("commands")).map_err(|error| format!("commands: {error}"))?;
    let mut console = String::new();
    for line in commands.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        writeln!(console, "$ {line}").unwrap();
        match words.as_slice() {
            ["gen", arguments @ ..] => console.push_str(&of_gen(&scratch, arguments, threads)?),
            ["git", arguments @ ..] => git(&scratch, arguments)?,
            ["put", folder] => scratch.put_all(&case.path.join(folder), ""),
            ["mv", from, to] => {
                let to = scratch.path().join(to);
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                fs::rename(scratch.path().join(from), to).map_err(|error| format!("{line}: {error}"))?;
            }
            ["rm", path] => remove(&scratch.path().join(path)).map_err(|error| format!("{line}: {error}"))?,
            ["show", path] => {
                let text = fs::read_to_string(scratch.path().join(path)).map_err(|error| format!("{line}: {error}"))?;
                console.push_str(&text);
            }
            ["list", folder] => {
                for path in tree(&scratch.path().join(folder)).keys() {
                    writeln!(console, "{path}").unwrap();
                }
            }
            _ => return Err(format!("`{line}` is no command of a case")),
        }
        console.push('\n');
    }
    Ok(console)
}

/// What `gen` says, standard error first, and how it ends.
fn of_gen(scratch: &Scratch, arguments: &[&str], threads: &str) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_gen"))
        .args(arguments)
        .current_dir(scratch.path())
        .env_clear()
        .envs([("NO_COLOR", "1"), ("GEN_THREADS", threads), ("PATH", &std::env::var("PATH").unwrap())])
        .output()
        .unwrap();
    let mut said = String::from_utf8(output.stderr).unwrap();
    said.push_str(&String::from_utf8(output.stdout).unwrap());
    let code = String::from_utf8(exit(output.status.code())?).unwrap();
    writeln!(said, "exit {}", code.trim()).unwrap();
    Ok(said)
}

fn git(scratch: &Scratch, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("git")
        .args(["-c", "init.defaultBranch=main", "-c", "core.autocrlf=false"])
        .args(arguments)
        .current_dir(scratch.path())
        .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")])
        .envs([("GIT_AUTHOR_NAME", "n"), ("GIT_AUTHOR_EMAIL", "e@example.org")])
        .envs([("GIT_COMMITTER_NAME", "n"), ("GIT_COMMITTER_EMAIL", "e@example.org")])
        .output()
        .unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn remove(path: &Utf8Path) -> std::io::Result<()> {
    if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

/// Words apart, with `"` around those that hold a space.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in line.split('"').enumerate() {
        if place % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
