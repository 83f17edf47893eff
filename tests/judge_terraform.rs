//! Judge: Terraform and its AWS provider. They take every module as it is written; on moto, which imitates AWS, they make the
//! tables that were meant, have nothing to do afterwards, and do with each changed module what our plan foretold.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, reason = "a test")]

mod judges;

use camino::Utf8Path;
use judges::case::{Case, Scratch, all, tree};
use judges::tables::{NotJudged, Verdict, physical_name};
use judges::terraform::{Actions, Files, Root, Terraform};
use judges::{files, generated, missing, moto, overlaid};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

use std::process::Output;

/// What moto 5.2 passes over when Terraform makes a table.
const NOT_JUDGED: &NotJudged = &[];

/// Tables of which moto forgets something, so that Terraform sees a difference after every apply.
const FORGOTTEN: &[(&str, &str)] = &[
    ("generate_on_demand_maximum.orders", "moto has no `OnDemandThroughput`"),
    ("generate_table_class.orders", "moto has no `TableClass`"),
];

/// What moto cannot make.
const NOT_MADE: &[(&str, &str)] = &[
    ("aws_appautoscaling_policy", "its target is not made"),
    ("aws_appautoscaling_target", "moto has no `ListTagsForResource` of Application Auto Scaling"),
    ("aws_dynamodb_contributor_insights", "moto has no `UpdateContributorInsights`"),
    ("aws_dynamodb_kinesis_streaming_destination", "moto has no `EnableKinesisStreamingDestination`"),
];

fn forgotten() -> impl Iterator<Item = (String, String)> {
    FORGOTTEN.iter().map(|(table, _)| ((*table).to_owned(), "update".to_owned()))
}

#[test]
fn terraform_does_what_is_meant() {
    let Some(terraform) = Terraform::find() else {
        return missing("terraform", "terraform on the PATH, or its path in TERRAFORM");
    };
    let mut server = moto::python().map(|python| moto::Server::start(&python));
    let mut root = Root::new(&terraform, server.as_ref().map(|server| server.port));
    let (elsewhere, changes): (Vec<_>, Vec<_>) = changes().into_iter().partition(Change::has_replicas);
    for (name, module) in modules() {
        root.put(&name, &module);
    }
    for change in &changes {
        root.put(&change.name, &change.previous);
    }
    for change in &elsewhere {
        root.put(&format!("{}_previous", change.name), &change.previous);
        root.put(&format!("{}_next", change.name), &change.next);
    }
    if let Err(why) = root.init() {
        return missing("the AWS provider of Terraform", &format!("a mirror in TF_PLUGIN_MIRROR: {why}"));
    }
    root.accept();
    let creations = root.tables().map(|(module, table, _)| (format!("{module}.{}", table.terraform_name), "create".to_owned()));
    agree(&root.plan(), &creations.collect());

    let Some(server) = &mut server else { return missing("moto", moto::GET) };
    // moto makes no replicas: the provider would wait for them. What is written of them is judged above.
    root.take_out(|schema| schema.tables.values().any(|table| !table.replicas.is_empty()));
    root.leave_out(NOT_MADE);
    root.plan();
    root.apply();
    let made = server.tables();
    let mut verdict = Verdict::default();
    for (module, table, parameters) in root.tables() {
        verdict.compare(module, (table, parameters), &made[physical_name(table, parameters)], NOT_JUDGED);
    }
    verdict.pronounce(NOT_JUDGED);
    agree(&root.plan(), &forgotten().collect());

    for change in &changes {
        root.put(&change.name, &change.next);
    }
    root.accept();
    root.leave_out(NOT_MADE);
    let (refusals, actions): (Vec<_>, Vec<_>) = changes.iter().map(Change::foretold).unzip();
    assert_eq!(root.refused(), refusals.into_iter().flatten().collect(), "what prevent_destroy refuses");
    root.unguard();
    agree(&root.plan(), &actions.into_iter().flatten().chain(forgotten()).collect());
}

#[test]
fn terraform_takes_what_overlays_make() {
    let Some(terraform) = Terraform::find() else {
        return missing("terraform", "terraform on the PATH, or its path in TERRAFORM");
    };
    let mut taken = 0;
    for (case, folder) in overlaid() {
        for versions in files(&folder, |path| path.file_name() == Some("versions.tf")) {
            match terraform.takes(versions.parent().unwrap()) {
                Ok(()) => taken += 1,
                Err(why) if why.contains("registry") => println!("skipped: {case}, whose module comes from a registry"),
                Err(why) => return missing("the AWS provider of Terraform", &why),
            }
        }
    }
    assert!(taken >= 2, "only {taken} modules");
}

/// Fails with each table with which a plan does something else than was foretold.
fn agree(planned: &Actions, foretold: &Actions) {
    let tables: BTreeSet<&String> = planned.keys().chain(foretold.keys()).collect();
    let said = |of: &Actions, table: &str| of.get(table).cloned().unwrap_or_else(|| "no-op".to_owned());
    let wrong: Vec<String> = tables
        .into_iter()
        .map(|table| (table, said(planned, table), said(foretold, table)))
        .filter(|(_, planned, foretold)| planned != foretold)
        .map(|(table, planned, foretold)| format!("{table}: Terraform plans {planned}, foretold was {foretold}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The modules of golden cases, as they lie there, and those of the published models that are built in full.
fn modules() -> BTreeMap<String, Files> {
    let mut modules = BTreeMap::new();
    for (case, folder) in generated() {
        modules.extend(module(&folder).map(|module| (format!("generate_{case}"), module)));
    }
    for path in files(&Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("models"), |path| path.extension() == Some("yaml")) {
        let scratch = Scratch::new();
        scratch.put(&path, "models/model.yaml");
        if scratch.run(&["apply", "models/model.yaml"]).status.success() {
            let name = path.file_stem().unwrap().replace('-', "_");
            modules.extend(module(scratch.path()).map(|module| (format!("models_{name}"), module)));
        }
    }
    modules
}

/// The Terraform module below a folder, when it is for provider 5, which is the one that can be had. Amazon Keyspaces has a judge
/// of its own: moto does not know it.
fn module(folder: &Utf8Path) -> Option<Files> {
    let versions = files(folder, |path| path.file_name() == Some("versions.tf"));
    let mut module = tree(versions.first()?.parent().unwrap());
    module.retain(|file, _| !file.starts_with("keyspaces_"));
    (module.len() > 1 && String::from_utf8_lossy(&module["versions.tf"]).contains("\"~> 5.")).then_some(module)
}

/// Of a module for another provider the layout alone is judged; its golden names the sources of the rest.
#[test]
fn every_module_is_formatted() {
    let Some(terraform) = Terraform::find() else {
        return missing("terraform", "terraform on the PATH, or its path in TERRAFORM");
    };
    let folder = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/generate");
    terraform.expect(&folder, &["fmt", "-check", "-recursive", "-diff", "-no-color"]);
}

/// A golden plan: what lies there before and after, and what it foretells.
struct Change {
    name: String,
    previous: Files,
    next: Files,
    plan: Json,
}

fn changes() -> Vec<Change> {
    all("plan").iter().filter_map(change).collect()
}

fn change(case: &Case) -> Option<Change> {
    let scratch = Scratch::new();
    let expect = |output: Output| assert!(output.status.success(), "{}: {output:?}", case.name);
    case.settings(&scratch);
    let model = case.put(&scratch, "previous").unwrap();
    let model = model.as_str();
    expect(scratch.run(&["apply", model]));
    let previous = module(scratch.path())?;
    case.put(&scratch, "next").unwrap();
    let plan: Json = serde_json::from_slice(&std::fs::read(case.path.join("plan.json")).unwrap()).unwrap();
    for change in plan["changes"].as_array().unwrap().iter().filter(|change| change["blocks"] == true) {
        expect(scratch.run(&["ack", change["id"].as_str().unwrap(), model, "--reason", "judged", "--owner", "judges"]));
    }
    expect(scratch.run(&["apply", model]));
    let next = module(scratch.path())?;
    Some(Change { name: format!("plan_{}", case.name), previous, next, plan })
}

impl Change {
    /// Whether a table is in several Regions, before or after.
    fn has_replicas(&self) -> bool {
        let files = self.previous.values().chain(self.next.values());
        files.into_iter().any(|bytes| String::from_utf8_lossy(bytes).contains("\n  replica {"))
    }

    /// The tables that `prevent_destroy` guards, and what happens to each table without it.
    fn foretold(&self) -> (Vec<String>, Actions) {
        let (mut refused, mut actions) = (Vec::new(), Actions::new());
        for change in self.plan["changes"].as_array().unwrap() {
            let address: Vec<&str> = change["address"].as_str().unwrap().split('.').collect();
            let effect = &change["effects"]["terraform-aws-5"];
            let whole = address.len() == 2 && (change["path"].is_null() || change["path"] == "terraform_name");
            if address[0] != "dynamodb" || effect.is_null() {
                continue;
            }
            let table = format!("{}.{}", self.name, address[1]);
            if effect["deploying"] == "refuses" && effect["when"] == "plan" {
                refused.push(table.clone());
            }
            let action = happens(effect, whole.then(|| change["action"].as_str().unwrap()));
            let sofar = actions.get(&table).map_or("no-op", String::as_str);
            if rank(action) > rank(sofar) {
                actions.insert(table, action.to_owned());
            }
        }
        refused.dedup();
        (refused, actions)
    }
}

/// What Terraform is to do by an effect; `whole` is what happens to the table as a whole.
fn happens(effect: &Json, whole: Option<&str>) -> &'static str {
    let deploying = effect["unguarded"]["deploying"].as_str().unwrap_or_else(|| effect["deploying"].as_str().unwrap());
    match (deploying, whole, effect["needs"] == "nothing") {
        ("replaces", ..) => "replace",
        ("ignores", ..) => "no-op",
        (_, Some("add"), _) => "create",
        (_, Some("drop"), true) => "forget",
        (_, Some("drop"), false) => "delete",
        (_, Some("rename"), true) => "move",
        (_, _, true) => "no-op",
        (_, _, false) => "update",
    }
}

/// Of several actions on one table the highest is taken.
fn rank(action: &str) -> Option<usize> {
    ["no-op", "move", "update", "create", "forget", "delete", "replace"].iter().position(|other| *other == action)
}
