//! A process that writes is killed, again and again, at any moment: what it leaves is one generation, whole.
#![expect(clippy::unwrap_used, reason = "a test")]

use camino::{Utf8Path, Utf8PathBuf};
use nosql_gen::baseline::Digest;
use nosql_gen::output::{Change, Expected, Output, Recovery};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// Tells the test binary, started by itself, to write until it is killed.
const WRITER: &str = "GEN_TEST_WRITES_TO";

/// All files of a generation; odd ones have files that even ones lack, and the other way round.
fn generation(number: u64) -> Vec<(Utf8PathBuf, String)> {
    let text = |name: &str| format!("{name} of {number}\n").repeat(200);
    let mut names: Vec<String> = (0..12).map(|table| format!("shop/terraform/table_{table}.tf")).collect();
    names.push(format!("shop/only_{}/file.cql", number % 2));
    names.push("shop/gen.lock".to_owned());
    names.into_iter().map(|name| (name.clone().into(), text(&name))).collect()
}

/// The generation that is there: each file must be of the same one, and no file too many.
fn present(base: &Utf8Path) -> u64 {
    let infra = base.join("infra");
    let lock = fs::read_to_string(infra.join("shop/gen.lock")).unwrap();
    let number = lock.lines().next().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    let mut expected = generation(number);
    for (path, text) in &expected {
        assert_eq!(fs::read_to_string(infra.join(path)).unwrap(), *text, "{path}");
    }
    let mut found = Vec::new();
    let mut folders = vec![infra.clone()];
    while let Some(folder) = folders.pop() {
        let entries: Vec<_> = folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()).collect();
        assert!(!entries.is_empty(), "{folder} is empty");
        let (inner, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|path| path.is_dir());
        folders.extend(inner);
        found.extend(files.into_iter().map(|path| path.strip_prefix(&infra).unwrap().to_owned()));
    }
    found.sort();
    expected.sort();
    assert_eq!(found, expected.into_iter().map(|(path, _)| path).collect::<Vec<_>>());
    number
}

fn write(base: &Utf8Path, previous: Option<u64>, next: u64) {
    let before = previous.map(generation).unwrap_or_default();
    let after = generation(next);
    let expected = |path: &Utf8Path| {
        let found = before.iter().find(|(of, _)| of == path);
        found.map_or(Expected::Nothing, |(_, text)| Expected::File(Digest::of(text)))
    };
    let gone = before.iter().filter(|(path, _)| !after.iter().any(|(of, _)| of == path));
    let mut changes: Vec<Change> =
        gone.map(|(path, _)| Change { expected: expected(path), path: path.clone(), text: None }).collect();
    changes.extend(after.iter().map(|(path, text)| Change {
        expected: expected(path),
        path: path.clone(),
        text: Some(text.clone()),
    }));
    Output::open(base, Utf8Path::new("infra")).unwrap().write(changes).unwrap();
}

#[test]
fn writer() {
    let Ok(base) = env::var(WRITER) else { return };
    let base = Utf8Path::new(&base);
    // A safety net for the case that nobody kills it.
    let end = Instant::now() + Duration::from_secs(20);
    let mut number = present(base);
    while Instant::now() < end {
        write(base, Some(number), number + 1);
        number += 1;
    }
}

#[test]
fn a_killed_writer_leaves_one_generation_whole() {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
    write(&base, None, 1);
    let (mut number, mut finished, mut rolled_back) = (present(&base), 0, 0);
    let first = number;
    for round in 0..40 {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "writer", "--nocapture"])
            .env(WRITER, &base)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(5 + round * 3));
        child.kill().unwrap();
        child.wait().unwrap();
        match Output::open(&base, Utf8Path::new("infra")).unwrap().recover() {
            Ok(Recovery::Finished) => finished += 1,
            Ok(Recovery::RolledBack) => rolled_back += 1,
            Ok(Recovery::Nothing) => {}
            Err(error) => panic!("round {round}: {error}"),
        }
        let now = present(&base);
        assert!(now >= number, "a generation that was written is gone");
        number = now;
    }
    assert!(number > first && finished + rolled_back > 0, "{number}: {finished} finished, {rolled_back} rolled back");
}
