//! Several runs at once, and runs that are killed.

use crate::repository::{ACKNOWLEDGEMENTS, MODEL, Repository, Tree, finish};
use std::fmt::Write as _;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const TABLES: usize = 60;

/// A model of many tables, whose every file holds its number.
fn generation(number: usize) -> String {
    let mut model = format!("gen: 1\nname: shop\ndescription: Number {number}\nentities:\n");
    for table in 0..TABLES {
        writeln!(model, "  E{table}: {{ key: id, attributes: {{ id: uuid }} }}").unwrap();
    }
    model.push_str("access_patterns:\n");
    for table in 0..TABLES {
        writeln!(model, "  get-{table}: {{ find: E{table}, where: \"id = ?\" }}\n  put-{table}: {{ put: E{table} }}").unwrap();
    }
    writeln!(model, "dynamodb:\n  defaults: {{ point_in_time_recovery: true, tags: {{ number: \"{number}\" }} }}\n  tables:")
        .unwrap();
    for table in 0..TABLES {
        writeln!(model, "    table{table}: {{ holds: E{table}, partition_key: id }}").unwrap();
    }
    model
}

/// The output alone, without what an interrupted run leaves.
fn output(repository: &Repository) -> Tree {
    let is_output = |path: &str| path.starts_with("infra") && !path.contains(".gen.apply");
    repository.tree().into_iter().filter(|(path, _)| is_output(path.as_str())).collect()
}

/// What a model gives, in a repository of its own.
fn expected(model: &str) -> Tree {
    let repository = Repository::empty();
    repository.write("gen.yaml", "gen: 1\n");
    repository.write(MODEL, model);
    repository.run(["apply"]).is(0, "are written");
    output(&repository)
}

fn start(repository: &Repository, arguments: &[&str]) -> Child {
    repository.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_killed_apply_leaves_one_generation_whole() {
    let generations: Vec<(String, Tree)> = (0..2).map(|number| (generation(number), expected(&generation(number)))).collect();
    let repository = Repository::empty();
    repository.write("gen.yaml", "gen: 1\n");
    repository.write(MODEL, &generations[0].0);
    repository.run(["apply"]).is(0, "are written");
    let start_of_one = Instant::now();
    repository.write(MODEL, &generations[1].0);
    repository.run(["apply"]).is(0, "are written");
    let whole = start_of_one.elapsed();
    let mut interrupted = 0;
    for round in 0..20_u32 {
        let next = round as usize % 2;
        repository.write(MODEL, &generations[next].0);
        let mut child = start(&repository, &["apply"]);
        // Most of the time is spent before anything is written; the kills go where it is.
        thread::sleep(whole * (round % 10 + 4) / 13);
        child.kill().unwrap();
        child.wait().unwrap();
        // Any command puts it in order, even one that only looks.
        let plan = repository.run(["plan"]);
        assert_eq!(plan.code, 0, "{plan:#?}");
        interrupted += usize::from(plan.err.contains("an interrupted `gen apply`"));
        let found = output(&repository);
        assert!(generations.iter().any(|(_, files)| *files == found), "round {round}: neither generation");
        repository.run(["apply"]).is(0, "");
        assert_eq!(output(&repository), generations[next].1);
        repository.run(["check"]).is(0, "up to date");
    }
    repository.is_up_to_date();
    println!("{interrupted} of 20 were caught in the middle");
}

#[test]
fn of_two_applies_both_end_well_or_one_says_why() {
    for round in 0..12 {
        let repository = Repository::empty();
        repository.write("gen.yaml", "gen: 1\n");
        repository.write(MODEL, generation(round));
        let mut children: Vec<Child> = (0..4).map(|_| start(&repository, &["apply"])).collect();
        let answers: Vec<_> = children.drain(..).map(finish).collect();
        assert!(answers.iter().any(|answer| answer.code == 0), "{answers:#?}");
        for answer in &answers {
            let fair = answer.code == 0
                || ["another gen is writing below infra", "was changed since the plan was made", "an interrupted"]
                    .iter()
                    .any(|said| answer.err.contains(said));
            assert!(fair, "{answer:#?}");
        }
        repository.run(["apply"]).is(0, "");
        repository.is_up_to_date();
    }
}

#[test]
fn of_two_models_one_wins_whole() {
    let repository = Repository::empty();
    repository.write("gen.yaml", "gen: 1\n");
    let models: Vec<String> = (0..2).map(generation).collect();
    let expected: Vec<Tree> = models.iter().map(|model| expected(model)).collect();
    for (name, model) in ["one.yaml", "other.yaml"].iter().zip(&models) {
        repository.write(name, model);
    }
    for round in 0..12_u64 {
        let one = start(&repository, &["apply", "one.yaml"]);
        thread::sleep(Duration::from_millis(round * 3));
        let other = start(&repository, &["apply", "other.yaml"]);
        let answers = [finish(one), finish(other)];
        assert!(answers.iter().any(|answer| answer.code == 0), "{answers:#?}");
        let found = output(&repository);
        assert!(expected.contains(&found), "a mixture: {answers:#?}");
    }
}

#[test]
fn two_acknowledgements_at_once_are_both_kept_or_one_is_refused() {
    for _ in 0..8 {
        let repository = Repository::applied();
        repository.edit(MODEL, "      ttl: expires_at\n", "      stream: keys_only\n");
        repository.edit(MODEL, "{ partition_key: status, sort_key: placed_at }", "{ partition_key: status, sort_key: total }");
        let plan = repository.run(["plan", "--format", "json"]).document();
        let blocks = |change: &&serde_json::Value| change["blocks"] == true;
        let ids: Vec<&str> =
            plan["changes"].as_array().unwrap().iter().filter(blocks).map(|change| change["id"].as_str().unwrap()).collect();
        let children: Vec<Child> =
            ids.iter().map(|id| start(&repository, &["ack", id, "--reason", "r", "--owner", "o"])).collect();
        let answers: Vec<_> = children.into_iter().map(finish).collect();
        let kept = answers.iter().filter(|answer| answer.code == 0).count();
        let text = if kept == 0 { String::new() } else { repository.read(ACKNOWLEDGEMENTS) };
        assert_eq!(text.matches("- id:").count(), kept, "{answers:#?}\n{text}");
        for answer in answers.iter().filter(|answer| answer.code != 0) {
            let said = ["another gen is writing", "was changed since", "was not written by gen"];
            assert!(answer.code == 1 && said.iter().any(|said| answer.err.contains(said)), "{answer:#?}");
        }
    }
}
