//! Terraform with its AWS provider.

use super::program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A working copy of Terraform: the program, its settings and a provider.
pub(crate) struct Terraform {
    program: String,
    folder: tempfile::TempDir,
}

impl Terraform {
    /// None when the program is missing.
    pub(crate) fn find() -> Option<Self> {
        let program = program("terraform", "TERRAFORM")?;
        let folder = tempfile::tempdir().unwrap();
        let settings = mirror().map_or_else(String::new, |path| {
            format!("provider_installation {{\n  filesystem_mirror {{ path = {:?} }}\n}}\n", path.to_str().unwrap())
        });
        fs::write(folder.path().join("terraform.rc"), settings).unwrap();
        Some(Self { program, folder })
    }

    /// Where configurations may be put.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs it in a folder.
    pub(crate) fn run(&self, folder: &Path, arguments: &[&str]) -> Output {
        Command::new(&self.program)
            .args(arguments)
            .current_dir(folder)
            .env("CHECKPOINT_DISABLE", "1")
            .env("TF_IN_AUTOMATION", "1")
            .env("TF_CLI_CONFIG_FILE", self.folder.path().join("terraform.rc"))
            .output()
            .unwrap()
    }

    /// Runs it and fails with all it said.
    pub(crate) fn expect(&self, folder: &Path, arguments: &[&str]) -> String {
        let output = self.run(folder, arguments);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "terraform {}:\n{text}\n{errors}", arguments.join(" "));
        text
    }

    /// Prepares a folder; false when no provider can be had.
    pub(crate) fn init(&self, folder: &Path) -> Result<(), String> {
        let output = self.run(folder, &["init", "-backend=false", "-input=false", "-no-color"]);
        if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
    }
}

/// A folder of providers on this machine, `<host>/hashicorp/aws/…` in it.
fn mirror() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("TF_PLUGIN_MIRROR") {
        return Some(path.into());
    }
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".terraform.d/plugins"));
    let mut roots: Vec<PathBuf> = home.into_iter().collect();
    for parent in ["/opt", "/usr/local/share", "/usr/share"] {
        roots.extend(fs::read_dir(parent).into_iter().flatten().flatten().map(|entry| entry.path()));
    }
    roots
        .into_iter()
        .find(|root| fs::read_dir(root).into_iter().flatten().flatten().any(|host| host.path().join("hashicorp/aws").is_dir()))
}

/// A provider block that needs no account: for a plan that only creates, or with the port of a local endpoint.
pub(crate) fn provider(port: Option<u16>) -> String {
    let endpoints = port.map_or_else(String::new, |port| {
        let url = format!("http://127.0.0.1:{port}");
        format!("  endpoints {{\n    dynamodb = \"{url}\"\n    sts = \"{url}\"\n    kms = \"{url}\"\n  }}\n")
    });
    format!(
        "provider \"aws\" {{\n  region = \"eu-west-1\"\n  access_key = \"testing\"\n  secret_key = \"testing\"\n  \
         skip_credentials_validation = true\n  skip_requesting_account_id = true\n  skip_metadata_api_check = true\n  \
         skip_region_validation = true\n{endpoints}}}\n"
    )
}
