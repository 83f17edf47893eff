//! Texts at a git ref. `git` is called as a program.

use camino::Utf8Path;
use std::process::Command;

/// Why git gave no text.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path} at {reference}: {why}")]
pub struct Error {
    reference: String,
    path: String,
    why: String,
}

/// The text of a file at a ref; the path is relative to the current folder.
pub fn show(reference: &str, path: &Utf8Path) -> Result<String, Error> {
    let failed = |why: String| Error { reference: reference.to_owned(), path: path.to_string(), why };
    let output = Command::new("git")
        .args(["show", "--end-of-options", &format!("{reference}:./{path}")])
        .output()
        .map_err(|error| failed(format!("git does not start: {error}")))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    String::from_utf8(output.stdout).map_err(|_| failed("it is not UTF-8".to_owned()))
}
