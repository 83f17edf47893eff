//! Puts the models of `golden/generate` into the binary: `gen templates check` renders them.

use std::fmt::Write as _;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = format!("{}/golden/generate", env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    println!("cargo::rerun-if-changed=golden/generate");
    let mut names: Vec<String> = fs::read_dir(&folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let mut code =
        "/// Name, model and `gen.yaml` of each golden case, sorted.\npub(super) const CASES: &[Case] = &[\n".to_owned();
    for name in names {
        let models = ["yaml", "json"].map(|ending| format!("{folder}/{name}/model.{ending}"));
        if let Some(model) = models.iter().find(|model| fs::exists(model).unwrap_or(false)) {
            let config = format!("{folder}/{name}/gen.yaml");
            let config = if fs::exists(&config)? { format!("Some(include_str!({config:?}))") } else { "None".to_owned() };
            // Writing to a String does not fail.
            let _ = writeln!(code, "    Case {{ name: {name:?}, model: include_str!({model:?}), config: {config} }},");
        }
    }
    code.push_str("];\n");
    fs::write(format!("{out}/cases.rs"), code)
}
