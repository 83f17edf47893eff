//! `golden/migrate`: what brings a cluster from one generation to the next.

use super::case::{Case, Scratch, tree};
use super::kinds::{INPUTS, exit, expect};
use nosql_gen::diagnostic::Sink;
use nosql_gen::diff::Pair;
use nosql_gen::emit::{Project, Templates};
use nosql_gen::read;
use nosql_gen::schema::{Engine, cql};
use nosql_gen::source::SourceMap;
use std::collections::BTreeMap;

/// A case is two models, `previous.yaml` and `next.yaml`, with the changes that are meant in `ack`, one beginning of an id a
/// line; or two schemas, `before.cql` and `after.cql`, with the engines in `engines`.
pub(super) fn migrate(case: &Case) -> Result<(), String> {
    if case.has("before.cql") { of_schemas(case) } else { of_models(case) }
}

fn of_models(case: &Case) -> Result<(), String> {
    let scratch = Scratch::new();
    case.settings(&scratch);
    let name = "models/model.yaml";
    scratch.put(&case.model("previous")?.0, name);
    expect(&scratch.run(&["apply", name]), 0)?;
    let infra = scratch.path().join("infra");
    let is_migration = |path: &String| path.contains("/migrations/");
    let before = tree(&infra);
    scratch.put(&case.model("next")?.0, name);
    for id in meant(case, &scratch, name)? {
        expect(&scratch.run(&["ack", &id, "--reason", "The case means it", "--owner", "tests"]), 0)?;
    }
    let applied = scratch.run(&["apply", name]);
    let after = tree(&infra);
    let mut found = BTreeMap::new();
    for (path, bytes) in after.iter().filter(|(path, _)| is_migration(path)) {
        match before.get(path) {
            None => _ = found.insert(format!("expected/{}", shown(path)), bytes.clone()),
            Some(known) if known == bytes => {}
            Some(_) => return Err(format!("{path} was rewritten")),
        }
    }
    if let Some(gone) = before.keys().find(|path| is_migration(path) && !after.contains_key(*path)) {
        return Err(format!("{gone} is gone"));
    }
    found.insert("exit".to_owned(), exit(applied.status.code())?);
    if applied.status.success() {
        expect(&scratch.run(&["check", name]), 0)?;
        expect(&scratch.run(&["plan", name, "--detailed-exitcode"]), 0)?;
        adds_up(&scratch, after.keys().filter(|path| is_migration(path)))?;
    } else if after != before {
        return Err("`gen apply` failed and wrote something".to_owned());
    }
    case.compare(&[INPUTS, &["ack"]].concat(), &found)
}

/// `shop/cql/cassandra-5.0/migrations/0002-x.cql` without what is the same in every case.
fn shown(path: &str) -> String {
    path.split('/').filter(|part| !["shop", "cql", "migrations"].contains(part)).collect::<Vec<_>>().join("/")
}

/// The ids of the plan that begin as the case says.
fn meant(case: &Case, scratch: &Scratch, name: &str) -> Result<Vec<String>, String> {
    let Ok(text) = std::fs::read_to_string(case.path.join("ack")) else { return Ok(Vec::new()) };
    let output = scratch.run(&["plan", name, "--format", "json"]);
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let ids: Vec<&str> = plan["changes"].as_array().unwrap().iter().map(|change| change["id"].as_str().unwrap()).collect();
    let find = |line: &str| {
        let found = ids.iter().find(|id| id.starts_with(line));
        found.map(|id| (*id).to_owned()).ok_or_else(|| format!("no change begins with {line}: {ids:?}"))
    };
    text.lines().map(find).collect()
}

/// The folder of migrations, as an operand, is the schema beside it.
fn adds_up<'p>(scratch: &Scratch, migrations: impl Iterator<Item = &'p String>) -> Result<(), String> {
    let folders: std::collections::BTreeSet<&str> =
        migrations.filter_map(|path| path.rsplit_once('/')).map(|(folder, _)| folder).collect();
    for folder in folders {
        let engine = folder.split('/').nth_back(1).unwrap();
        let (folder, schema) = (format!("infra/{folder}"), format!("infra/shop/cql/{engine}/schema.cql"));
        expect(&scratch.run(&["diff", &folder, &schema, "--backend", engine, "--detailed-exitcode"]), 0)?;
    }
    Ok(())
}

fn of_schemas(case: &Case) -> Result<(), String> {
    let schema = |name: &str| -> Result<cql::Schema, String> {
        let mut sources = SourceMap::default();
        let text = std::fs::read_to_string(case.path.join(name)).map_err(|error| format!("{name}: {error}"))?;
        let file = sources.add(name, text);
        let mut sink = Sink::default();
        read::cql::read(&sources, &[file], &mut sink).ok_or_else(|| format!("{:#?}", sink.diagnostics()))
    };
    let (previous, next) = (schema("before.cql")?, schema("after.cql")?);
    let engines = std::fs::read_to_string(case.path.join("engines")).unwrap_or_else(|_| "cassandra-5.0\n".to_owned());
    let project = Project { name: "shop".to_owned(), environment: None, description: None };
    let mut found = BTreeMap::new();
    for engine in engines.lines() {
        let engine = Engine::find(engine).ok_or_else(|| format!("no engine is called {engine}"))?;
        let pair = Pair { previous: &previous, next: &next };
        match nosql_gen::migrate::migrate(&project, engine, pair, 2, &Templates::default()) {
            Ok(migration) => found.extend(migration.files.into_iter().map(|file| {
                let name = file.artifact.path.file_name().unwrap();
                (format!("expected/{engine}/{name}"), file.artifact.text.into_bytes())
            })),
            Err(problems) => {
                let lines: Vec<String> =
                    problems.iter().map(|problem| format!("{}: {}\n", problem.code.slug(), problem.message)).collect();
                found.insert(format!("expected/{engine}/refused.txt"), lines.concat().into_bytes());
            }
        }
    }
    case.compare(&["before.cql", "after.cql", "engines", "README.md"], &found)
}
