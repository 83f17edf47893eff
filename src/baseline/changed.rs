//! Which files differ from a commit, as git has it: committed since, changed since, or new.

use super::git::{commit, git};
use super::tree::Error;
use crate::source::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// The files that changed.
#[derive(Debug)]
pub struct Changed {
    /// Where the repository begins, without links.
    top: Utf8PathBuf,
    /// The current folder, from there.
    prefix: Utf8PathBuf,
    /// The files, from there. None: all, since nothing was ever committed.
    files: Option<BTreeSet<Utf8PathBuf>>,
}

impl Changed {
    /// Asks git in the current folder. With a ref that is a branch, a file that changed there alone does not count: what
    /// counts is what changed since both were one. Without a common commit, as in a shallow clone, it is all that differs.
    pub fn since(reference: &str) -> Result<Self, Error> {
        let here = Utf8Path::new("");
        let top = line(here, &["rev-parse", "--show-toplevel"])?;
        let prefix = line(here, &["rev-parse", "--show-prefix"])?;
        let top = Utf8PathBuf::from(top);
        let top = top.canonicalize_utf8().map_err(|source| Error::Io { path: top, source })?;
        let files = match commit(here, reference)? {
            Some(hash) => {
                let base = git(here, &["merge-base", &hash, "HEAD"])?;
                let base = String::from_utf8_lossy(&base.stdout).trim().to_owned();
                let base = if base.is_empty() { hash } else { base };
                let diff =
                    ["-c", "diff.relative=false", "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", &base, "--"];
                let others = ["ls-files", "--others", "--exclude-standard", "-z", "--full-name", "--", ":/"];
                Some(listed(here, &diff)?.chain(listed(here, &others)?).collect())
            }
            None if reference == HEAD => None,
            None => return Err(Error::UnknownRef { reference: reference.to_owned() }),
        };
        Ok(Self { top, prefix: prefix.into(), files })
    }

    /// Whether a file, or anything in a folder, changed. The path is relative to the current folder. What lies outside the
    /// repository, or leads there by a link, is nothing git knows of: it counts as changed.
    #[must_use]
    pub fn holds(&self, path: &Utf8Path) -> bool {
        let Some(files) = &self.files else { return true };
        let changed = |path: &Utf8Path| files.range(path.to_owned()..).next().is_some_and(|file| file.starts_with(path));
        let written = normal(&self.prefix.join(path));
        let leads_out = path.has_root() || written.starts_with("..");
        let written = leads_out || changed(&written);
        // What a link leads to; nothing of a file that is gone.
        let real = path.canonicalize_utf8().is_ok_and(|real| real.strip_prefix(&self.top).map_or(true, changed));
        written || real
    }
}

/// What is compared with when no ref is named.
pub const HEAD: &str = "HEAD";

/// One line that git prints, about the repository it is started in.
fn line(base: &Utf8Path, arguments: &[&str]) -> Result<String, Error> {
    let output = git(base, arguments)?;
    if !output.status.success() {
        return Err(Error::NoRepository { why: String::from_utf8_lossy(&output.stderr).trim().to_owned() });
    }
    let text = String::from_utf8(output.stdout).map_err(|_| Error::NotText { path: ".".into() })?;
    Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
}

/// Paths that git lists. One that is no UTF-8 is none of ours.
fn listed(base: &Utf8Path, arguments: &[&str]) -> Result<impl Iterator<Item = Utf8PathBuf> + use<>, Error> {
    let output = git(base, arguments)?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Error::Git { path: ".".to_owned(), why });
    }
    let paths: Vec<Utf8PathBuf> =
        output.stdout.split(|byte| *byte == 0).filter_map(|path| std::str::from_utf8(path).ok()).map(Utf8PathBuf::from).collect();
    Ok(paths.into_iter().filter(|path| !path.as_str().is_empty()))
}
