//! Files at a git ref. `git` is called as a program. What a user gives as a ref is looked up once, with no chance to be taken
//! for an option; from then on only the commit's hash is used.

use super::tree::{Error, Tree, join};
use crate::config::is_model;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A folder at a commit.
#[derive(Debug)]
pub(super) struct Commit<'a> {
    /// Where git is started: the folder of `gen.yaml`.
    base: &'a Utf8Path,
    /// The ref as it was given.
    reference: String,
    /// The commit's hash.
    hash: String,
    /// The folder, relative to `base`.
    folder: Utf8PathBuf,
}

/// The hash of the commit that a ref names; None when it names none.
pub(super) fn commit(base: &Utf8Path, reference: &str) -> Result<Option<String>, Error> {
    // No ref starts with a hyphen, and a program's argument holds no NUL.
    if reference.starts_with('-') || reference.contains('\0') || reference.is_empty() {
        return Ok(None);
    }
    let verify = ["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{reference}^{{commit}}")];
    let output = git(base, &verify)?;
    let hash = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let is_hash = !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    Ok((output.status.success() && is_hash).then_some(hash))
}

/// The text of a file at a ref; the path is relative to the current folder.
pub fn show(reference: &str, path: &Utf8Path) -> Result<String, Error> {
    let base = Utf8Path::new(".");
    let unknown = || Error::UnknownRef { reference: reference.to_owned() };
    let tree = Commit::new(base, reference, Utf8PathBuf::new())?.ok_or_else(unknown)?;
    let missing = || Error::Git { path: tree.shown(path).into_string(), why: "there is no such file".to_owned() };
    tree.text(path)?.ok_or_else(missing)
}

/// The texts at a ref, below some paths, that may be models; the paths are relative to the current folder. What is no text is
/// left out.
pub fn models(reference: &str, paths: &[Utf8PathBuf]) -> Result<Vec<(Utf8PathBuf, String)>, Error> {
    let unknown = || Error::UnknownRef { reference: reference.to_owned() };
    let tree = Commit::new(Utf8Path::new("."), reference, Utf8PathBuf::new())?.ok_or_else(unknown)?;
    let mut found = BTreeSet::new();
    for path in paths {
        found.extend(tree.list(path)?.into_iter().filter(|path| path.file_name().is_some_and(is_model)));
    }
    // A line of its own asks for each.
    found.retain(|path| !path.as_str().contains('\n'));
    tree.texts(found.into_iter().collect())
}

impl<'a> Commit<'a> {
    /// A folder, relative to `base`, at a ref; None when the ref names no commit.
    pub(super) fn new(base: &'a Utf8Path, reference: &str, folder: Utf8PathBuf) -> Result<Option<Self>, Error> {
        let base = if base.as_str().is_empty() { Utf8Path::new(".") } else { base };
        let hash = commit(base, reference)?;
        Ok(hash.map(|hash| Self { base, reference: reference.to_owned(), hash, folder }))
    }

    fn list(&self, path: &Utf8Path) -> Result<Vec<Utf8PathBuf>, Error> {
        // With a path git lists what is there; an empty one is the folder git was started in.
        let path = if path.as_str().is_empty() { "." } else { path.as_str() };
        let output = git(self.base, &["ls-tree", "-r", "-z", "--name-only", &self.hash, "--", path])?;
        if !output.status.success() {
            return Err(self.failed(path, &output.stderr));
        }
        let text = String::from_utf8(output.stdout).map_err(|_| Error::NotText { path: self.shown(Utf8Path::new(path)) })?;
        Ok(text.split_terminator('\0').map(Utf8PathBuf::from).collect())
    }

    /// Reads many files with one git.
    fn texts(&self, paths: Vec<Utf8PathBuf>) -> Result<Vec<(Utf8PathBuf, String)>, Error> {
        let mut git = Command::new("git");
        git.arg("-C").arg(self.base).args(["cat-file", "--batch"]);
        git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut git = git.spawn().map_err(Error::NoGit)?;
        let asked: String = paths.iter().map(|path| format!("{}:./{path}\n", self.hash)).collect();
        // Written beside the reading, as git answers before it has heard everything.
        let writing = git.stdin.take().map(|mut to| std::thread::spawn(move || to.write_all(asked.as_bytes())));
        let output = git.wait_with_output().map_err(Error::NoGit)?;
        if let Some(writing) = writing {
            let _ = writing.join();
        }
        let mut rest = output.stdout.as_slice();
        let mut texts = Vec::new();
        for path in paths {
            let Some(end) = rest.iter().position(|byte| *byte == b'\n') else { break };
            let (head, tail) = rest.split_at(end);
            let head = String::from_utf8_lossy(head);
            rest = tail.get(1..).unwrap_or_default();
            // `<hash> blob <size>`, else `<name> missing`.
            let Some(size) = head.split(" blob ").nth(1).and_then(|size| size.parse::<usize>().ok()) else { continue };
            let bytes = rest.get(..size).unwrap_or_default();
            if let Ok(text) = std::str::from_utf8(bytes) {
                texts.push((path, text.to_owned()));
            }
            rest = rest.get(size + 1..).unwrap_or_default();
        }
        Ok(texts)
    }

    fn failed(&self, path: &str, stderr: &[u8]) -> Error {
        Error::Git { path: format!("{}:{path}", self.reference), why: String::from_utf8_lossy(stderr).trim().to_owned() }
    }
}

impl Tree for Commit<'_> {
    fn read(&self, path: &Utf8Path) -> Result<Option<Vec<u8>>, Error> {
        let path = self.folder.join(path);
        if !self.list(&path)?.contains(&path) {
            return Ok(None);
        }
        let output = git(self.base, &["cat-file", "blob", &format!("{}:./{path}", self.hash)])?;
        if output.status.success() { Ok(Some(output.stdout)) } else { Err(self.failed(path.as_str(), &output.stderr)) }
    }

    fn files(&self) -> Result<Vec<Utf8PathBuf>, Error> {
        let below = |path: Utf8PathBuf| path.strip_prefix(&self.folder).ok().map(Utf8Path::to_owned);
        let shown = |path: &Utf8PathBuf| !path.components().any(|part| part.as_str().starts_with('.'));
        Ok(self.list(&self.folder)?.into_iter().filter_map(below).filter(shown).collect())
    }

    fn shown(&self, path: &Utf8Path) -> Utf8PathBuf {
        format!("{}:{}", self.reference, join(&self.folder, path)).into()
    }
}

fn git(base: &Utf8Path, arguments: &[&str]) -> Result<std::process::Output, Error> {
    Command::new("git").arg("-C").arg(base).args(arguments).output().map_err(Error::NoGit)
}
