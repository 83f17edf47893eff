//! Judge: Terraform and its AWS provider accept every golden module, unformatted by nothing.
#![expect(clippy::unwrap_used, reason = "a test")]

mod judges;

use judges::terraform::{Terraform, provider};
use judges::{files, generated, missing};
use nosql_gen::diagnostic::Sink;
use nosql_gen::read;
use nosql_gen::schema::{Parameter, ParameterKind};
use nosql_gen::source::SourceMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_module_is_formatted_valid_and_planned() {
    let Some(terraform) = Terraform::find() else {
        return missing("terraform", "terraform on the PATH, or its path in TERRAFORM");
    };
    println!("{}", terraform.expect(terraform.folder(), &["version"]).lines().next().unwrap());
    let modules: Vec<(String, PathBuf)> = generated()
        .into_iter()
        .flat_map(|(case, folder)| {
            let versions = files(&folder, |name| name == "versions.tf");
            versions.into_iter().map(move |file| (case.clone(), file.parent().unwrap().to_owned()))
        })
        .collect();
    assert!(!modules.is_empty(), "no golden has a Terraform module");

    // One configuration calls every module, so that the provider is started once.
    let root = terraform.folder().join("all");
    fs::create_dir(&root).unwrap();
    let mut main = provider(None);
    for (number, (case, module)) in modules.iter().enumerate() {
        let check = terraform.run(module, &["fmt", "-check", "-diff", "-no-color"]);
        let text = String::from_utf8_lossy(&check.stdout) + String::from_utf8_lossy(&check.stderr);
        assert!(check.status.success(), "{case}: terraform fmt would change\n{text}");
        let name = format!("m{number}");
        copy(module, &root.join(&name));
        writeln!(main, "# {case}\nmodule \"{name}\" {{\n  source = \"./{name}\"\n{}}}", arguments(module)).unwrap();
    }
    fs::write(root.join("main.tf"), main).unwrap();
    if let Err(why) = terraform.init(&root) {
        return missing("the AWS provider of Terraform", &format!("a mirror in TF_PLUGIN_MIRROR: {why}"));
    }
    terraform.expect(&root, &["validate", "-no-color"]);
    let plan = terraform.expect(&root, &["plan", "-input=false", "-no-color", "-out=plan"]);
    let shown = terraform.expect(&root, &["show", "-json", "plan"]);
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    for change in shown["resource_changes"].as_array().unwrap() {
        assert_eq!(change["change"]["actions"], serde_json::json!(["create"]), "{plan}");
    }
}

/// A value for each variable that has no default.
fn arguments(module: &Path) -> String {
    let mut sources = SourceMap::default();
    let texts = files(module, |name| name.ends_with(".tf"));
    let ids: Vec<_> = texts.iter().map(|path| sources.add(path.to_str().unwrap(), fs::read_to_string(path).unwrap())).collect();
    let schema = read::terraform::read(&sources, &ids, &mut Sink::default()).unwrap().schema;
    let mut text = String::new();
    for (name, parameter) in schema.parameters.iter().filter(|(_, parameter)| parameter.default.is_none()) {
        writeln!(text, "  {name} = {}", any_value(parameter)).unwrap();
    }
    text
}

fn any_value(parameter: &Parameter) -> String {
    match (parameter.values.first(), parameter.kind) {
        (Some(value), ParameterKind::Text) => format!("{:?}", value.to_string()),
        (Some(value), _) => value.to_string(),
        (None, ParameterKind::Text) => {
            "\"arn:aws:kms:eu-west-1:123456789012:key/11111111-2222-3333-4444-555555555555\"".to_owned()
        }
        (None, ParameterKind::Number) => "5".to_owned(),
        (None, ParameterKind::Bool) => "true".to_owned(),
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for path in files(from, |_| true) {
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}
