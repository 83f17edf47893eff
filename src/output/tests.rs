use super::disk::fault::{Fault, Kind};
use super::*;
use std::collections::BTreeMap;
use std::fs;
use tempfile::TempDir;

type Files = BTreeMap<String, String>;

fn files(list: &[(&str, &str)]) -> Files {
    list.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

fn previous() -> Files {
    files(&[
        ("shop/gen.lock", "lock 1"),
        ("shop/terraform/table_a.tf", "a 1"),
        ("shop/terraform/table_b.tf", "b 1"),
        ("shop/cql/old/schema.cql", "old"),
        ("shop/mine.txt", "not of gen"),
    ])
}

fn next() -> Files {
    files(&[
        ("shop/gen.lock", "lock 2"),
        ("shop/terraform/table_a.tf", "a 2, which is longer"),
        ("shop/terraform/table_b.tf", "b 1"),
        ("shop/cloudformation/template.yaml", "new"),
        ("shop/mine.txt", "not of gen"),
    ])
}

/// A repository whose `infra` holds these files, and these folders: `name/`.
fn repository(files: &Files) -> (TempDir, Utf8PathBuf) {
    // In memory where that is possible: some thousand writes go down to the disk.
    let memory = Utf8Path::new("/dev/shm");
    let folder = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() }.unwrap();
    let base = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
    for (path, text) in files {
        let file = base.join("infra").join(path);
        if path.ends_with('/') {
            fs::create_dir_all(file).unwrap();
        } else {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
    }
    (folder, base)
}

/// All that is in a folder; an empty folder is an entry of its own.
fn found(folder: &Utf8Path) -> Files {
    fn walk(folder: &Utf8Path, prefix: &str, into: &mut Files) {
        for entry in folder.read_dir_utf8().unwrap() {
            let entry = entry.unwrap();
            let path = format!("{prefix}{}", entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                let before = into.len();
                walk(entry.path(), &format!("{path}/"), into);
                if into.len() == before {
                    into.insert(format!("{path}/"), String::new());
                }
            } else {
                into.insert(path, fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    let mut into = Files::new();
    if folder.exists() {
        walk(folder, "", &mut into);
    }
    into
}

/// What leads from one state to the other.
fn changes(from: &Files, to: &Files) -> Vec<Change> {
    let mut paths: Vec<&String> = from.keys().chain(to.keys()).filter(|path| !path.ends_with("mine.txt")).collect();
    paths.sort();
    paths.dedup();
    let expected = |path: &str| from.get(path).map_or(Expected::Nothing, |text| Expected::File(Digest::of(text)));
    let change = |path: &String| Change { path: path.into(), text: to.get(path).cloned(), expected: expected(path) };
    paths.into_iter().map(change).collect()
}

fn output(base: &Utf8Path) -> Output {
    Output::open(base, Utf8Path::new("infra")).unwrap()
}

fn failing(base: &Utf8Path, kind: Kind, at: usize) -> Output {
    let fault = Fault { kind, at, ..Fault::default() };
    Output { disk: Disk { fault }, ..output(base) }
}

#[test]
fn files_are_written_changed_and_deleted_together() {
    let (_folder, base) = repository(&previous());
    output(&base).write(changes(&previous(), &next())).unwrap();
    assert_eq!(found(&base.join("infra")), next());
    output(&base).write(changes(&next(), &Files::new())).unwrap();
    assert_eq!(found(&base), files(&[("infra/shop/mine.txt", "not of gen")]));
}

#[test]
fn files_that_are_as_they_should_be_are_not_touched() {
    let (_folder, base) = repository(&previous());
    let modified = |path: &str| fs::metadata(base.join("infra").join(path)).unwrap().modified().unwrap();
    let before = modified("shop/terraform/table_b.tf");
    output(&base).write(changes(&previous(), &next())).unwrap();
    assert_eq!(modified("shop/terraform/table_b.tf"), before);
}

#[test]
fn the_lock_is_put_in_place_last() {
    let (_folder, base) = repository(&Files::new());
    // The last rename is the lock's: with it failing, and the way back too, all else is there.
    for at in 0.. {
        let output = failing(&base, Kind::Crash, at);
        if output.write(changes(&Files::new(), &next())).is_ok() {
            break;
        }
        let found = found(&base.join("infra"));
        let others = next().keys().filter(|path| !path.ends_with("mine.txt")).all(|path| found.contains_key(path));
        assert_eq!(found.contains_key("shop/gen.lock"), others);
    }
}

/// Stops a write at every operation, and then lets a second run put it in order.
fn stop_everywhere(kind: Kind, from: &Files, to: &Files) {
    let (mut as_before, mut written) = (0, 0);
    for at in 0.. {
        let (_folder, base) = repository(from);
        let stopped = failing(&base, kind, at);
        let result = stopped.write(changes(from, to));
        let left = found(&base.join("infra"));
        if kind != Kind::Crash && matches!(result, Err(Error::Io { .. })) {
            assert_eq!(without_staging(&left), *from, "{kind:?} at {at}: it failed, and something changed");
        }
        output(&base).recover().unwrap();
        let state = found(&base.join("infra"));
        match result {
            Ok(_) => assert_eq!(state, *to, "{kind:?} at {at}: it was said to be written"),
            Err(_) => assert!(state == *from || state == *to, "{kind:?} at {at}: {state:#?}"),
        }
        *if state == *to { &mut written } else { &mut as_before } += 1;
        if kind == Kind::Crash {
            stop_recovery_everywhere(&left, from, to);
        }
        if stopped.disk.fault.count.get() <= at {
            break;
        }
    }
    assert!(written > 1 && as_before > 15, "{kind:?}: {written} written, {as_before} as before");
}

/// Stops the second run at every operation too, and lets a third put it in order.
fn stop_recovery_everywhere(left: &Files, from: &Files, to: &Files) {
    for at in 0.. {
        let (_folder, base) = repository(left);
        let stopped = failing(&base, Kind::Crash, at);
        let _ = stopped.recover();
        output(&base).recover().unwrap();
        let state = found(&base.join("infra"));
        assert!(state == *from || state == *to, "the recovery stopped at {at}: {state:#?}");
        if stopped.disk.fault.count.get() <= at {
            break;
        }
    }
}

/// Without what an unfinished write needs.
fn without_staging(found: &Files) -> Files {
    found.iter().filter(|(path, _)| !path.starts_with(STAGING)).map(|(path, text)| (path.clone(), text.clone())).collect()
}

#[test]
fn a_crash_anywhere_leaves_one_generation_whole() {
    stop_everywhere(Kind::Crash, &previous(), &next());
    stop_everywhere(Kind::Crash, &Files::new(), &of_nothing());
}

#[test]
fn a_failure_anywhere_leaves_one_generation_whole() {
    stop_everywhere(Kind::Once, &previous(), &next());
    stop_everywhere(Kind::Once, &Files::new(), &of_nothing());
}

#[test]
fn a_disk_that_fills_up_leaves_one_generation_whole() {
    stop_everywhere(Kind::Full, &previous(), &next());
}

/// A first generation.
fn of_nothing() -> Files {
    next().into_iter().filter(|(path, _)| !path.ends_with("mine.txt")).collect()
}

#[test]
fn what_is_not_ours_stays() {
    let (_folder, base) = repository(&previous());
    let output = output(&base);
    let change = |path: &str, expected| Change { path: path.into(), text: Some("x".into()), expected };
    let wrong = [
        change("shop/mine.txt", Expected::Nothing),
        change("shop/terraform/table_a.tf", Expected::File(Digest::of("a 0"))),
        change("shop/terraform", Expected::Anything),
        change("shop/mine.txt/below.tf", Expected::Nothing),
    ];
    let mut sink = Sink::default();
    output.check(&wrong, &mut sink).unwrap();
    let told: Vec<String> = sink.diagnostics().iter().map(|one| one.message.replace(base.as_str(), "")).collect();
    assert_eq!(
        told,
        [
            "`/infra/shop/mine.txt` was not written by gen",
            "`/infra/shop/terraform/table_a.tf` was changed since the plan was made",
            "`/infra/shop/terraform` is not a file",
            "`/infra/shop/mine.txt/below.tf` is below /infra/shop/mine.txt, which is not a folder",
        ]
    );
    for change in wrong {
        assert!(matches!(output.write(vec![change]), Err(Error::InTheWay { .. })));
    }
    assert_eq!(found(&base.join("infra")), previous());
    // The very bytes we would write are ours, and so is what its author gave up.
    let same = Change { text: Some("not of gen".into()), ..change("shop/mine.txt", Expected::Nothing) };
    output.write(vec![same, change("shop/terraform/table_a.tf", Expected::Anything)]).unwrap();
    assert_eq!(found(&base.join("infra"))["shop/terraform/table_a.tf"], "x");
}

#[test]
fn paths_do_not_lead_out() {
    let (_folder, base) = repository(&previous());
    for path in ["", "..", "../x", "/etc/x", "shop/../../x", "./x", "a\nb", "a\\..\\b"] {
        let change = Change { path: path.into(), text: Some("x".into()), expected: Expected::Anything };
        assert!(matches!(output(&base).write(vec![change]), Err(Error::Outside { .. })), "{path:?}");
    }
    assert_eq!(found(&base.join("infra")), previous());
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let (_folder, base) = repository(&previous());
    let (_other, outside) = repository(&files(&[("victim.tf", "keep me")]));
    symlink(outside.join("infra"), base.join("infra/linked")).unwrap();
    symlink(outside.join("infra/victim.tf"), base.join("infra/shop/link.tf")).unwrap();
    for path in ["linked/victim.tf", "linked/new.tf", "linked/a/b.tf", "shop/link.tf"] {
        let change = Change { path: path.into(), text: Some("x".into()), expected: Expected::Anything };
        assert!(matches!(output(&base).write(vec![change]), Err(Error::InTheWay { .. })), "{path}");
    }
    // The output folder itself: a link inside the repository is fine, one out of it is not.
    symlink(outside.join("infra"), base.join("out")).unwrap();
    symlink(base.join("infra"), base.join("in")).unwrap();
    for path in ["out", "out/new", "out/new/er"] {
        assert!(matches!(Output::open(&base, Utf8Path::new(path)), Err(Error::Outside { .. })), "{path}");
    }
    assert!(Output::open(&base, Utf8Path::new("in")).is_ok());
    // A journal from somebody else's repository.
    let journal = r#"{"version":1,"files":[{"path":"linked/victim.tf","previous":null,"next":null}]}"#;
    fs::create_dir(base.join("infra/.gen.apply")).unwrap();
    fs::write(base.join("infra/.gen.apply/journal"), journal).unwrap();
    assert!(matches!(output(&base).recover(), Err(Error::InTheWay { .. })));
    fs::remove_dir_all(base.join("infra/.gen.apply")).unwrap();
    symlink(outside.join("infra"), base.join("infra/.gen.apply")).unwrap();
    assert!(matches!(output(&base).recover(), Err(Error::InTheWay { .. })));
    assert_eq!(found(&outside.join("infra")), files(&[("victim.tf", "keep me")]));
}

#[test]
fn a_journal_that_says_nothing_sensible_stops_the_run() {
    for journal in ["", "{}", "{\"version\":2,\"files\":[]}", "{\"version\":1,\"files\":[{\"path\":\"../x\"}]}", "\u{0}"] {
        let (_folder, base) = repository(&previous());
        fs::create_dir(base.join("infra/.gen.apply")).unwrap();
        fs::write(base.join("infra/.gen.apply/journal"), journal).unwrap();
        let error = output(&base).recover().unwrap_err();
        assert!(matches!(error, Error::BadJournal { .. }), "{error}");
        assert!(output(&base).write(changes(&previous(), &next())).is_err());
        assert_eq!(without_staging(&found(&base.join("infra"))), previous());
    }
}

#[test]
fn what_was_written_since_an_interruption_stays() {
    for at in 0.. {
        let (_folder, base) = repository(&previous());
        let stopped = failing(&base, Kind::Crash, at);
        let _ = stopped.write(changes(&previous(), &next()));
        if stopped.disk.fault.count.get() <= at {
            break;
        }
        fs::write(base.join("infra/shop/terraform/table_a.tf"), "a by hand").unwrap();
        let begun = base.join("infra/.gen.apply/journal").exists();
        let recovered = output(&base).recover();
        assert_eq!(matches!(recovered, Err(Error::ChangedSince { .. })), begun, "{at}: {recovered:?}");
        let found = found(&base.join("infra"));
        assert_eq!(found["shop/terraform/table_a.tf"], "a by hand", "{at}");
        // Once it is back, what was interrupted is put in order.
        fs::write(base.join("infra/shop/terraform/table_a.tf"), "a 1").unwrap();
        output(&base).recover().unwrap();
    }
}

#[test]
fn one_run_writes_at_a_time() {
    let (_folder, base) = repository(&previous());
    let (output, root) = (output(&base), base.join("infra"));
    let disk = Disk::default();
    let guard = Exclusive::take(&root, &disk).unwrap();
    assert!(matches!(output.write(changes(&previous(), &next())), Err(Error::Held { .. })));
    assert!(matches!(output.recover(), Err(Error::Held { .. })));
    drop(guard);
    output.write(changes(&previous(), &next())).unwrap();
    // The second of two plans that were made from the same state does not overwrite the first.
    let error = output.write(changes(&previous(), &files(&[("shop/gen.lock", "lock 3")]))).unwrap_err();
    assert!(matches!(error, Error::InTheWay { obstacle: Obstacle::Changed | Obstacle::NotOurs, .. }), "{error}");
    assert_eq!(found(&root), next());
}

#[test]
fn a_folder_that_cannot_be_written_is_said() {
    let output = Output::open(Utf8Path::new("/proc"), Utf8Path::new("infra"));
    if let Ok(output) = output {
        let error = output.write(changes(&Files::new(), &next())).unwrap_err();
        assert!(matches!(error, Error::Io { .. }), "{error}");
        assert!(error.to_string().starts_with("cannot create the folder /proc/infra: "), "{error}");
    }
}
