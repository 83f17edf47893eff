//! Judges of Amazon Keyspaces as infrastructure code: cfn-lint takes every template, Terraform every module; and its provider
//! plans for each changed module what our own plan foretold. No engine runs: the state that a plan starts from is made of what
//! the provider plans to create.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout, reason = "a test")]

mod judges;

use camino::Utf8Path;
use judges::case::{Case, Scratch, all, tree};
use judges::terraform::{Files, Terraform, provider, unguarded};
use judges::{files, generated, missing, program};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Output};

/// A case whose output is infrastructure code: its name, and the module or templates before and after.
struct Change {
    name: String,
    previous: Files,
    next: Files,
    plan: Json,
}

/// The golden plans that `wanted` names, applied.
fn changes(wanted: &str) -> Vec<Change> {
    all("plan").iter().filter(|case| case.name.starts_with(wanted)).map(change).collect()
}

fn change(case: &Case) -> Change {
    let scratch = Scratch::new();
    let expect = |output: Output| assert!(output.status.success(), "{}: {output:?}", case.name);
    let model = "models/model.yaml";
    case.settings(&scratch);
    scratch.put(&case.model("previous").unwrap().0, model);
    expect(scratch.run(&["apply", model]));
    let previous = infrastructure(scratch.path());
    scratch.put(&case.model("next").unwrap().0, model);
    let plan: Json = serde_json::from_slice(&fs::read(case.path.join("plan.json")).unwrap()).unwrap();
    for change in plan["changes"].as_array().unwrap().iter().filter(|change| change["blocks"] == true) {
        expect(scratch.run(&["ack", change["id"].as_str().unwrap(), model, "--reason", "judged", "--owner", "judges"]));
    }
    expect(scratch.run(&["apply", model]));
    Change { name: case.name.clone(), previous, next: infrastructure(scratch.path()), plan }
}

/// The Terraform files or the templates below a folder.
fn infrastructure(folder: &Utf8Path) -> Files {
    let is_ours = |path: &Utf8Path| {
        path.parent().is_some_and(|parent| ["terraform", "cloudformation"].contains(&parent.file_name().unwrap()))
    };
    let paths = files(folder, is_ours);
    paths.iter().map(|path| (path.file_name().unwrap().to_owned(), fs::read(path).unwrap())).collect()
}

#[test]
fn cfn_lint_takes_every_template() {
    let Some(linter) = program("cfn-lint", "CFN_LINT") else {
        return missing("cfn-lint", "pip install cfn-lint, or its path in CFN_LINT");
    };
    let folder = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    let mut put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        paths.push(path);
    };
    for (name, folder) in generated() {
        for path in files(&folder, |path| path.file_stem() == Some("keyspaces")) {
            put(&format!("{name}.{}", path.extension().unwrap()), &fs::read(path).unwrap());
        }
    }
    for change in changes("keyspaces_cloudformation") {
        for (side, files) in [("previous", &change.previous), ("next", &change.next)] {
            put(&format!("{}.{side}.yaml", change.name), &files["keyspaces.yaml"]);
        }
    }
    assert!(paths.len() > 10, "only {} templates", paths.len());
    let output = Command::new(&linter).args(["--format", "json"]).args(&paths).output().unwrap();
    let findings: Vec<Json> = serde_json::from_slice(&output.stdout).unwrap();
    let faults: Vec<String> = findings
        .iter()
        .map(|finding| format!("{}: {} {}", finding["Filename"], finding["Rule"]["Id"], finding["Message"]))
        .collect();
    assert!(faults.is_empty(), "{}\n{}", String::from_utf8_lossy(&output.stderr), faults.join("\n"));
}

#[test]
fn terraform_plans_what_was_foretold() {
    let Some(terraform) = Terraform::find() else {
        return missing("terraform", "terraform on the PATH, or its path in TERRAFORM");
    };
    let changes = changes("keyspaces_terraform");
    let root = terraform.folder().join("keyspaces");
    let mut main = provider(None);
    let made = generated().into_iter().map(|(name, folder)| (name, module(&folder))).filter(|(_, module)| is_for_5(module));
    let modules: BTreeMap<String, Files> =
        made.chain(changes.iter().map(|change| (change.name.clone(), change.previous.clone()))).collect();
    for (name, files) in &modules {
        put(&root, name, files);
        write!(main, "\nmodule \"{name}\" {{\n  source = \"./modules/{name}\"\n}}\n").unwrap();
    }
    fs::write(root.join("main.tf"), main).unwrap();
    let output = terraform.run(&root, &["init", "-backend=false", "-input=false", "-no-color"]);
    if !output.status.success() {
        return missing("the AWS provider of Terraform", &String::from_utf8_lossy(&output.stderr));
    }
    accept(&terraform, &root);
    let created = plan(&terraform, &root);
    let schema: Json = serde_json::from_str(&terraform.expect(&root, &["providers", "schema", "-json"])).unwrap();
    fs::write(root.join("terraform.tfstate"), state(&created, &schema).to_string()).unwrap();

    for change in &changes {
        put(&root, &change.name, &change.next);
    }
    accept(&terraform, &root);
    let refused = refusals(&terraform, &root);
    for (name, files) in &modules {
        let next = changes.iter().find(|change| change.name == *name).map_or(files, |change| &change.next);
        put(&root, name, &unguarded(next));
    }
    let planned = plan(&terraform, &root);
    let mut wrong = Vec::new();
    for change in &changes {
        let (foretold, guarded) = change.foretold();
        let said = happened(&planned, &change.name, &foretold);
        if said != foretold {
            wrong.push(format!("{}: Terraform plans {said:?}, foretold was {foretold:?}", change.name));
        }
        if guarded != refused.contains(&change.name) {
            wrong.push(format!("{}: prevent_destroy refuses: {}, foretold: {guarded}", change.name, !guarded));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    println!("{} changes of modules, as the provider plans them", changes.len());
}

/// The module below a folder.
fn module(folder: &Utf8Path) -> Files {
    let paths = files(folder, |path| path.file_name() == Some("versions.tf"));
    paths.first().map(|path| tree(path.parent().unwrap())).unwrap_or_default()
}

/// Whether a module has Amazon Keyspaces, and is for the provider that can be had.
fn is_for_5(module: &Files) -> bool {
    let versions = module.get("versions.tf").map(|bytes| String::from_utf8_lossy(bytes).contains("\"~> 5."));
    versions == Some(true) && module.keys().any(|file| file.starts_with("keyspaces_"))
}

fn put(root: &Utf8Path, name: &str, files: &Files) {
    let folder = root.join("modules").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (file, bytes) in files {
        // Terraform takes import blocks in a root module only.
        if !file.ends_with("imports.tf") {
            fs::write(folder.join(file), bytes).unwrap();
        }
    }
}

fn accept(terraform: &Terraform, root: &Utf8Path) {
    terraform.expect(root, &["fmt", "-check", "-diff", "-recursive", "-no-color", "modules"]);
    terraform.expect(root, &["validate", "-no-color"]);
}

fn plan(terraform: &Terraform, root: &Utf8Path) -> Json {
    terraform.expect(root, &["plan", "-refresh=false", "-input=false", "-no-color", "-out=plan"]);
    serde_json::from_str(&terraform.expect(root, &["show", "-json", "plan"])).unwrap()
}

/// The modules in which `prevent_destroy` refuses something.
fn refusals(terraform: &Terraform, root: &Utf8Path) -> Vec<String> {
    let output = terraform.run(root, &["plan", "-refresh=false", "-input=false", "-json"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let errors = said.filter(|said| said["diagnostic"]["severity"] == "error");
    let refused = errors.map(|error| {
        assert_eq!(error["diagnostic"]["summary"], "Instance cannot be destroyed", "{error}");
        let detail = error["diagnostic"]["detail"].as_str().unwrap().to_owned();
        detail.split("module.").nth(1).unwrap().split('.').next().unwrap().to_owned()
    });
    refused.collect()
}

/// A state of what a plan creates: its values, and nothing where it does not know one.
fn state(plan: &Json, schema: &Json) -> Json {
    let schemas = schema["provider_schemas"].as_object().unwrap().values().next().unwrap();
    let mut resources = Vec::new();
    for module in plan["planned_values"]["root_module"]["child_modules"].as_array().unwrap() {
        for resource in module["resources"].as_array().into_iter().flatten() {
            let kind = resource["type"].as_str().unwrap();
            let block = &schemas["resource_schemas"][kind]["block"];
            let mut attributes = Map::new();
            for name in block["attributes"].as_object().unwrap().keys() {
                attributes.insert(name.clone(), Json::Null);
            }
            for (name, of) in block["block_types"].as_object().into_iter().flatten() {
                attributes.insert(name.clone(), if of["nesting_mode"] == "single" { Json::Null } else { json!([]) });
            }
            let known = resource["values"].as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
            attributes.extend(known.map(|(name, value)| (name.clone(), value.clone())));
            let address = resource["address"].as_str().unwrap();
            for name in ["id", "arn"] {
                attributes.insert(name.to_owned(), json!(address));
            }
            if let Some(tags) = attributes.get("tags").cloned() {
                attributes.insert("tags_all".to_owned(), if tags.is_null() { json!({}) } else { tags });
            }
            resources.push(json!({
                "module": module["address"],
                "mode": "managed",
                "type": kind,
                "name": resource["name"],
                "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
                "instances": [{ "schema_version": resource["schema_version"], "attributes": attributes, "sensitive_attributes": [] }],
            }));
        }
    }
    json!({ "version": 4, "terraform_version": plan["terraform_version"], "serial": 1, "lineage": "judged", "outputs": {}, "resources": resources })
}

/// What happens to the tables and keyspaces of a module, sorted; nothing is left out where it is nothing.
fn happened(plan: &Json, module: &str, foretold: &[String]) -> Vec<String> {
    let changes = plan["resource_changes"].as_array().into_iter().flatten();
    let own = changes.filter(|change| change["module_address"] == format!("module.{module}"));
    let renamed = foretold.iter().any(|action| action == "keyspace renamed");
    let mut said: Vec<String> = own
        .filter_map(|change| {
            let kind = match change["type"].as_str()? {
                "aws_keyspaces_table" => "table",
                "aws_keyspaces_keyspace" => "keyspace",
                _ => return None,
            };
            let actions: Vec<&str> = change["change"]["actions"].as_array()?.iter().filter_map(Json::as_str).collect();
            let action = match actions.as_slice() {
                ["no-op"] => change.get("previous_address").map(|_| "move")?,
                ["delete", "create"] if renamed && kind == "keyspace" => "renamed",
                // With its keyspace a table is made anew.
                ["delete", "create"] if renamed => return None,
                ["delete", "create"] => "replace",
                [one] => one,
                other => panic!("what is {other:?}?"),
            };
            Some(format!("{kind} {action}"))
        })
        .collect();
    said.sort();
    said
}

impl Change {
    /// What our plan foretells, sorted, and whether a guard refuses.
    fn foretold(&self) -> (Vec<String>, bool) {
        let mut actions: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
        let mut guarded = false;
        for change in self.plan["changes"].as_array().unwrap() {
            let effect = &change["effects"]["keyspaces-terraform"];
            guarded |= effect["unguarded"]["guard"] == "prevent_destroy";
            let address = change["address"].as_str().unwrap();
            let kind = if address.starts_with("cql.keyspace(") { "keyspace" } else { "table" };
            let whole = change["path"].is_null() || change["path"] == "terraform_name";
            let renamed = kind == "keyspace" && change["path"] == "name";
            // What scales a table are resources of their own.
            let beside = change["path"] == "options.autoscaling_settings";
            let action =
                if renamed { "renamed" } else { happens(effect, whole.then(|| change["action"].as_str().unwrap()), beside) };
            let sofar = actions.entry(address).or_insert((kind, "no-op"));
            if rank(action) > rank(sofar.1) {
                sofar.1 = action;
            }
        }
        let mut foretold: Vec<String> = actions
            .into_values()
            .filter(|(_, action)| *action != "no-op")
            .map(|(kind, action)| format!("{kind} {action}"))
            .collect();
        foretold.sort();
        (foretold, guarded)
    }
}

/// What Terraform is to do by an effect; `whole` is what happens to the table as a whole.
fn happens(effect: &Json, whole: Option<&str>, beside: bool) -> &'static str {
    let deploying = effect["unguarded"]["deploying"].as_str().unwrap_or_else(|| effect["deploying"].as_str().unwrap());
    match (deploying, whole, effect["needs"] == "nothing") {
        _ if beside => "no-op",
        ("replaces", ..) => "replace",
        ("ignores", ..) => "no-op",
        (_, Some("add"), _) => "create",
        (_, Some("drop"), true) => "forget",
        (_, Some("drop"), false) => "delete",
        (_, Some("modify"), true) => "move",
        (_, _, true) => "no-op",
        (_, _, false) => "update",
    }
}

/// Of several actions on one thing the highest is taken.
fn rank(action: &str) -> Option<usize> {
    ["no-op", "move", "update", "create", "forget", "delete", "replace", "renamed"].iter().position(|other| *other == action)
}
