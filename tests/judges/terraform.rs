//! Terraform with its AWS provider.

use super::program;
use super::tables::value_of;
use camino::{Utf8Path, Utf8PathBuf};
use nosql_gen::diagnostic::Sink;
use nosql_gen::read;
use nosql_gen::schema::dynamodb::{Schema, Table};
use nosql_gen::schema::{Parameter, Scalar};
use nosql_gen::source::SourceMap;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use std::process::{Command, Output};

/// A module: file name → bytes.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// `module.label` → what happens to the table: `create`, `update`, `replace`, `delete`, `forget`, `move`. Those to which
/// nothing happens are left out.
pub(crate) type Actions = BTreeMap<String, String>;

/// The program and its settings.
pub(crate) struct Terraform {
    program: String,
    folder: tempfile::TempDir,
}

impl Terraform {
    /// None when the program is missing; says the version once.
    pub(crate) fn find() -> Option<Self> {
        let program = program("terraform", "TERRAFORM")?;
        let folder = tempfile::tempdir().unwrap();
        let settings = mirror().map_or_else(String::new, |path| {
            format!("provider_installation {{\n  filesystem_mirror {{ path = {:?} }}\n}}\n", path.as_str())
        });
        let terraform = Self { program, folder };
        fs::write(terraform.folder().join("terraform.rc"), settings).unwrap();
        println!("{}", terraform.expect(terraform.folder(), &["version"]).lines().next().unwrap());
        Some(terraform)
    }

    pub(crate) fn folder(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    /// Whether it takes the module in a folder: its layout and its arguments. Err, with the reason, when a module that it calls or
    /// a provider cannot be had.
    pub(crate) fn takes(&self, module: &Utf8Path) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        for (name, bytes) in super::case::tree(module) {
            fs::write(folder.join(name), bytes).unwrap();
        }
        self.expect(folder, &["fmt", "-check"]);
        let init = self.run(folder, &["init", "-backend=false", "-no-color"]);
        if !init.status.success() {
            return Err(String::from_utf8_lossy(&init.stderr).into_owned());
        }
        self.expect(folder, &["validate"]);
        Ok(())
    }

    /// Runs it in a folder.
    pub(crate) fn run(&self, folder: &Utf8Path, arguments: &[&str]) -> Output {
        Command::new(&self.program)
            .args(arguments)
            .current_dir(folder)
            .env("CHECKPOINT_DISABLE", "1")
            .env("TF_IN_AUTOMATION", "1")
            .env("TF_CLI_CONFIG_FILE", self.folder().join("terraform.rc"))
            .output()
            .unwrap()
    }

    /// Runs it and fails with all it said.
    pub(crate) fn expect(&self, folder: &Utf8Path, arguments: &[&str]) -> String {
        let output = self.run(folder, arguments);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "terraform {}:\n{text}\n{errors}", arguments.join(" "));
        text
    }
}

/// A configuration that calls many modules, so that the provider is started once for all of them.
pub(crate) struct Root<'t> {
    terraform: &'t Terraform,
    folder: Utf8PathBuf,
    port: Option<u16>,
    modules: BTreeMap<String, Schema>,
}

impl<'t> Root<'t> {
    /// An empty one; with the port of an endpoint on this machine, or for plans that only create.
    pub(crate) fn new(terraform: &'t Terraform, port: Option<u16>) -> Self {
        let folder = terraform.folder().join("root");
        fs::create_dir_all(folder.join("modules")).unwrap();
        Self { terraform, folder, port, modules: BTreeMap::new() }
    }

    /// Puts a module in place. Its tables get names of their own: those of different cases are called alike.
    pub(crate) fn put(&mut self, name: &str, files: &Files) {
        let folder = self.folder.join("modules").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let mut sources = SourceMap::default();
        let mut ids = Vec::new();
        for (file, bytes) in files {
            let text = rename(std::str::from_utf8(bytes).unwrap(), name);
            fs::write(folder.join(file), &text).unwrap();
            ids.push(sources.add(format!("{name}/{file}"), text));
        }
        let mut sink = Sink::default();
        let read = read::terraform::read(&sources, &ids, &mut sink).unwrap_or_else(|| panic!("{:?}", sink.diagnostics()));
        self.modules.insert(name.to_owned(), read.schema);
    }

    /// Each table: module, itself, the parameters it may use.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (&str, &Table, &BTreeMap<String, Parameter>)> {
        self.modules
            .iter()
            .flat_map(|(name, schema)| schema.tables.values().map(move |table| (name.as_str(), table, &schema.parameters)))
    }

    /// Takes the modules that call for something out of the configuration.
    pub(crate) fn take_out(&mut self, is_out: impl Fn(&Schema) -> bool) {
        self.modules.retain(|_, schema| !is_out(schema));
        self.write();
    }

    /// Writes the configuration and gets the provider; an error when it cannot be had.
    pub(crate) fn init(&self) -> Result<(), String> {
        self.write();
        let output = self.terraform.run(&self.folder, &["init", "-backend=false", "-input=false", "-no-color"]);
        if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
    }

    fn write(&self) {
        let mut main = provider(self.port);
        for (name, schema) in &self.modules {
            write!(main, "\nmodule \"{name}\" {{\n  source = \"./modules/{name}\"\n").unwrap();
            for (name, parameter) in schema.parameters.iter().filter(|(_, parameter)| parameter.default.is_none()) {
                match value_of(parameter) {
                    Scalar::Text(text) => writeln!(main, "  {name} = {text:?}").unwrap(),
                    other => writeln!(main, "  {name} = {other}").unwrap(),
                }
            }
            main.push_str("}\n");
        }
        fs::write(self.folder.join("main.tf"), main).unwrap();
    }

    /// Fails when `fmt` would change a module, or `validate` refuses one.
    pub(crate) fn accept(&self) {
        self.terraform.expect(&self.folder, &["fmt", "-check", "-diff", "-recursive", "-no-color", "modules"]);
        self.terraform.expect(&self.folder, &["validate", "-no-color"]);
    }

    /// Plans, and says what the plan does.
    pub(crate) fn plan(&self) -> Actions {
        self.terraform.expect(&self.folder, &["plan", "-input=false", "-no-color", "-out=plan"]);
        let shown: Json = serde_json::from_str(&self.terraform.expect(&self.folder, &["show", "-json", "plan"])).unwrap();
        let changes = shown["resource_changes"].as_array().into_iter().flatten();
        let tables = changes.filter(|change| change["type"] == "aws_dynamodb_table");
        tables.filter_map(|change| Some((table(change["address"].as_str()?), action(change)?.to_owned()))).collect()
    }

    /// Does what was planned.
    pub(crate) fn apply(&self) {
        self.terraform.expect(&self.folder, &["apply", "-input=false", "-no-color", "plan"]);
    }

    /// Plans, and says which tables `prevent_destroy` keeps from being destroyed. Fails on any other error.
    pub(crate) fn refused(&self) -> BTreeSet<String> {
        let output = self.terraform.run(&self.folder, &["plan", "-input=false", "-json"]);
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = lines.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
        let errors = said.filter(|said| said["diagnostic"]["severity"] == "error");
        let refused = |error: Json| {
            assert_eq!(error["diagnostic"]["summary"], "Instance cannot be destroyed", "{error}");
            let detail = error["diagnostic"]["detail"].as_str().unwrap().to_owned();
            table(detail.split_whitespace().nth(1).unwrap())
        };
        errors.map(refused).collect()
    }

    /// Takes resources of some types away.
    pub(crate) fn leave_out(&self, kinds: &[(&str, &str)]) {
        for path in super::files(&self.folder.join("modules"), |path| path.extension() == Some("tf")) {
            let text = fs::read_to_string(&path).unwrap();
            let mut inside = false;
            let mut kept = String::new();
            for line in text.lines() {
                inside |= kinds.iter().any(|(kind, _)| line.starts_with(&format!("resource \"{kind}\"")));
                if !inside {
                    kept.push_str(line);
                    kept.push('\n');
                }
                inside &= line != "}";
            }
            fs::write(path, kept).unwrap();
        }
    }

    /// Takes `prevent_destroy` away.
    pub(crate) fn unguard(&self) {
        for path in super::files(&self.folder.join("modules"), |path| path.extension() == Some("tf")) {
            let text = fs::read_to_string(&path).unwrap();
            fs::write(path, text.replace("prevent_destroy = true", "prevent_destroy = false")).unwrap();
        }
    }
}

/// `module.NAME.aws_dynamodb_table.LABEL` → `NAME.LABEL`
fn table(address: &str) -> String {
    address.trim_start_matches("module.").replace(".aws_dynamodb_table.", ".")
}

/// What happens to a resource of a plan; None: nothing.
fn action(change: &Json) -> Option<&'static str> {
    let actions: Vec<&str> = change["change"]["actions"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    match actions.as_slice() {
        ["no-op"] => change.get("previous_address").map(|_| "move"),
        ["create"] => Some("create"),
        ["update"] => Some("update"),
        ["delete"] => Some("delete"),
        ["forget"] => Some("forget"),
        ["delete", "create"] => Some("replace"),
        other => panic!("what is {other:?}? {change}"),
    }
}

/// The module with `name` before the physical name of each table.
fn rename(text: &str, name: &str) -> String {
    let line = |line: &str| match line.split_once("= \"") {
        Some((before, after)) if before.trim_end() == "  name" => format!("{before}= \"{name}-{after}"),
        _ => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// A folder of providers on this machine, `<host>/hashicorp/aws/…` in it.
fn mirror() -> Option<Utf8PathBuf> {
    if let Ok(path) = std::env::var("TF_PLUGIN_MIRROR") {
        return Some(path.into());
    }
    let home = std::env::var("HOME").map(|home| Utf8Path::new(&home).join(".terraform.d/plugins"));
    let shared = ["/opt", "/usr/local/share", "/usr/share"].into_iter().flat_map(|parent| folders(parent.into()));
    let holds_aws = |root: &Utf8PathBuf| folders(root).any(|host| host.join("hashicorp/aws").is_dir());
    home.into_iter().chain(shared).find(holds_aws)
}

fn folders(parent: &Utf8Path) -> impl Iterator<Item = Utf8PathBuf> {
    parent.read_dir_utf8().into_iter().flatten().flatten().map(camino::Utf8DirEntry::into_path)
}

/// A module without `prevent_destroy`.
pub(crate) fn unguarded(files: &Files) -> Files {
    let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).replace("prevent_destroy = true", "prevent_destroy = false");
    files.iter().map(|(name, bytes)| (name.clone(), text(bytes).into_bytes())).collect()
}

/// A provider block that needs no account.
pub(crate) fn provider(port: Option<u16>) -> String {
    let endpoints = port.map_or_else(String::new, |port| {
        let url = format!("http://127.0.0.1:{port}");
        format!("  endpoints {{\n    dynamodb = \"{url}\"\n    sts = \"{url}\"\n    appautoscaling = \"{url}\"\n    kms = \"{url}\"\n  }}\n")
    });
    format!(
        "provider \"aws\" {{\n  region = \"eu-west-1\"\n  access_key = \"testing\"\n  secret_key = \"testing\"\n  \
         skip_credentials_validation = true\n  skip_requesting_account_id = true\n  skip_metadata_api_check = true\n  \
         skip_region_validation = true\n{endpoints}}}\n"
    )
}
