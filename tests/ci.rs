//! What the repository offers to pipelines runs: the action, the hooks, and the snippets of `docs/ci.md`.
#![expect(clippy::unwrap_used, reason = "a test")]

use camino::{Utf8Path, Utf8PathBuf};
use nosql_gen::diagnostic::Sink;
use nosql_gen::source::{SourceMap, from_node, parse};
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn yaml(name: &str, text: &str) -> Value {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let mut sink = Sink::default();
    let node = parse(&sources, file, &mut sink).unwrap_or_else(|| unreachable!("{name}: {:#?}", sink.diagnostics()));
    from_node(&node).unwrap()
}

fn read(path: &str) -> String {
    fs::read_to_string(format!("{ROOT}/{path}")).unwrap()
}

/// A repository as `gen init` starts it, applied and committed, whose `origin/main` is what it has.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let start = "gen init >/dev/null && gen apply >/dev/null && git init -q . && git add -A && \
                 git -c user.name=t -c user.email=t@example.org commit -qm all && git update-ref refs/remotes/origin/main HEAD";
    let output = shell(&folder, start);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

/// Runs a script as a pipeline does, with our `gen` first on the PATH.
fn shell(folder: &tempfile::TempDir, script: &str) -> Output {
    let gen_folder = Utf8PathBuf::from(env!("CARGO_BIN_EXE_gen")).parent().unwrap().to_owned();
    let path = format!("{gen_folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    command.args(["-eo", "pipefail", "-c", script]).current_dir(folder.path()).env("PATH", path);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("NO_COLOR", "1").env("HOME", folder.path());
    for branch in ["GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "BASE_BRANCH_NAME"] {
        command.env(branch, "main");
    }
    command.env("AGAINST", "origin/main").env("SOURCE", ROOT).env("GITHUB_STEP_SUMMARY", folder.path().join("summary.md"));
    command.output().unwrap()
}

/// Adds a local index, which recreates the table, and applies nothing.
fn break_model(folder: &tempfile::TempDir) {
    let model = fs::read_dir(folder.path().join("models")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&model).unwrap();
    let pattern = "access_patterns:\n  orders-by-total: { find: Order, where: \"customer_id = ?\", order: total desc, backend: dynamodb }\n";
    let index = "      ttl: expires_at\n      local_secondary_indexes: { by_total: { sort_key: total } }\n";
    fs::write(&model, text.replace("access_patterns:\n", pattern).replace("      ttl: expires_at\n", index)).unwrap();
}

#[test]
fn the_action_checks_and_plans() {
    let action = yaml("action.yml", &read("action.yml"));
    assert_eq!(action["runs"]["using"], "composite");
    let steps = action["runs"]["steps"].as_array().unwrap();
    let scripts: Vec<&str> = steps.iter().map(|step| step["run"].as_str().unwrap()).collect();
    assert!(steps.iter().all(|step| step["shell"] == "bash"));
    // What comes from outside comes as a variable, never as a part of a script.
    assert!(scripts.iter().all(|script| !script.contains("${{")), "{scripts:?}");
    let folder = repository();
    for script in &scripts {
        let output = shell(&folder, script);
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(fs::read_to_string(folder.path().join("summary.md")).unwrap(), "```\nno changes\n```\n");
    break_model(&folder);
    let ends: Vec<Option<i32>> = scripts.iter().map(|script| shell(&folder, script).status.code()).collect();
    assert_eq!(ends, [Some(0), Some(2), Some(3)]);
    assert!(fs::read_to_string(folder.path().join("summary.md")).unwrap().contains("would be recreated"));
}

#[test]
fn the_hooks_run() {
    let hooks = yaml(".pre-commit-hooks.yaml", &read(".pre-commit-hooks.yaml"));
    let folder = repository();
    for hook in hooks.as_array().unwrap() {
        assert!(hook["id"].is_string() && hook["name"].is_string() && hook["language"].is_string(), "{hook}");
        assert_eq!(hook["pass_filenames"], false);
        let entry = hook["entry"].as_str().unwrap();
        assert!(shell(&folder, entry).status.success(), "{entry}");
    }
    let config = yaml("pre-commit.yaml", &read("src/cli/init/pre-commit.yaml"));
    let entry = config["repos"][0]["hooks"][0]["entry"].as_str().unwrap();
    assert!(shell(&folder, entry).status.success());
    // pre-commit itself, where it is installed.
    let installed = Command::new("pre-commit").arg("--version").output().is_ok_and(|output| output.status.success());
    if installed {
        let init = shell(&folder, "gen init --pre-commit >/dev/null && git add -A && pre-commit run --all-files");
        assert!(init.status.success(), "{}{}", String::from_utf8_lossy(&init.stdout), String::from_utf8_lossy(&init.stderr));
    }
}

#[test]
fn the_snippets_of_the_documentation_run() {
    let page = read("docs/ci.md");
    let folder = repository();
    let blocks = page.split("```yaml\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    let mut scripts = 0;
    for block in blocks {
        // Some blocks are items of a list.
        let text: String = block.lines().map(|line| line.strip_prefix("      ").unwrap_or(line).to_owned() + "\n").collect();
        let value = if block.starts_with(' ') { yaml("docs/ci.md", &text) } else { yaml("docs/ci.md", &format!("{block}\n")) };
        for script in scripts_in(&value) {
            if script.contains("gen ") {
                let output = shell(&folder, &script);
                assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
                scripts += 1;
            }
        }
    }
    assert!(scripts >= 6, "only {scripts} scripts");
}

/// The commands of a pipeline, whatever its service: `run`, and the items of `script`.
fn scripts_in(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    match value {
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, value)| match key.as_str() {
                "run" => text(value).into_iter().collect(),
                "script" => value.as_array().into_iter().flatten().filter_map(text).collect(),
                _ => scripts_in(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(scripts_in).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn below_the_root_of_a_repository_it_is_said_where_pipelines_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path()).unwrap();
    fs::create_dir_all(path.join(".git")).unwrap();
    fs::create_dir_all(path.join("svc/orders")).unwrap();
    let said = |folder: &str, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gen"));
        let output = command.arg("init").args(arguments).current_dir(path.join(folder)).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(said("svc/orders", &["--ci", "github"]).contains("This folder is svc/orders of a repository"));
    assert!(!said("svc/orders", &[]).contains("This folder is"));
    assert!(!said("", &["--ci", "github", "--pre-commit"]).contains("This folder is"));
}
