//! Puts the models of `golden/generate` into the binary: `gen templates check` renders them.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let folder = root.join("golden").join("generate");
    println!("cargo::rerun-if-changed=golden/generate");
    let mut cases = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let model = ["model.yaml", "model.json"].map(|name| path.join(name)).into_iter().find(|model| model.is_file());
        if let (Some(name), Some(model)) = (path.file_name().and_then(|name| name.to_str()).map(str::to_owned), model) {
            cases.push((name, model));
        }
    }
    cases.sort();
    let mut code = "/// Name and model of each golden case, sorted.\npub(super) const CASES: &[(&str, &str)] = &[\n".to_owned();
    for (name, model) in &cases {
        // Writing to a String does not fail.
        let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", model.display().to_string());
    }
    code.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("cases.rs"), code)
}
