//! Files at a git ref. `git` is called as a program. What a user gives as a ref is looked up once, with no chance to be taken
//! for an option; from then on only the commit's hash is used.

use super::lock;
use super::tree::{Error, Tree, is_relevant};
use crate::config::is_model;
use crate::source::{FileId, SourceMap};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A folder at a commit, listed once.
#[derive(Debug)]
pub struct Commit {
    /// The ref as it was given.
    reference: String,
    /// The hash of the commit.
    hash: String,
    /// The folder where git is started.
    base: Utf8PathBuf,
    /// The hash of each file, by its path relative to `base`.
    blobs: BTreeMap<Utf8PathBuf, String>,
    /// Where the folders of locks lay at the commit that lie elsewhere by now, by where they lie now; once it was asked.
    moved: Option<BTreeMap<Utf8PathBuf, Utf8PathBuf>>,
    contents: Contents,
}

/// The hash of the commit that a ref names; None when it names none.
pub(super) fn commit(base: &Utf8Path, reference: &str) -> Result<Option<String>, Error> {
    // No ref starts with a hyphen, and a program's argument holds no NUL.
    if reference.starts_with('-') || reference.contains('\0') || reference.is_empty() {
        return Ok(None);
    }
    let verify = ["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{reference}^{{commit}}")];
    let output = git(base, &verify)?;
    let why = String::from_utf8_lossy(&output.stderr);
    // A ref that there is none of is told without words. That git does not trust the repository says nothing about the ref.
    if why.contains("safe.directory") {
        return Err(Error::Git { path: reference.to_owned(), why: why.trim().to_owned() });
    }
    let hash = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let is_hash = !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    Ok((output.status.success() && is_hash).then_some(hash))
}

/// The text of a file at a ref; the path is relative to the current folder.
pub fn show(reference: &str, path: &Utf8Path) -> Result<String, Error> {
    let unknown = || Error::UnknownRef { reference: reference.to_owned() };
    let mut commit = Commit::open(Utf8Path::new(""), reference, path)?.ok_or_else(unknown)?;
    let shown = || Utf8PathBuf::from(format!("{reference}:{path}"));
    let missing = || Error::Git { path: shown().into_string(), why: "there is no such file".to_owned() };
    let hash = commit.blobs.get(path).ok_or_else(missing)?;
    let bytes = commit.contents.read(hash).map_err(|source| Error::Io { path: shown(), source })?;
    String::from_utf8(bytes).map_err(|_| Error::NotText { path: shown() })
}

/// A folder at a ref; None when there is no folder, the path is relative to the current one.
pub fn folder(sources: &mut SourceMap, reference: &str, path: &Utf8Path) -> Result<Option<Tree>, Error> {
    let unknown = || Error::UnknownRef { reference: reference.to_owned() };
    let mut commit = Commit::open(Utf8Path::new(""), reference, path)?.ok_or_else(unknown)?;
    let is_folder = commit.blobs.keys().any(|file| file != path);
    is_folder.then(|| commit.tree(sources, path)).transpose()
}

/// The texts at a ref, below some paths, that may be models; the paths are relative to the current folder. What is no text is
/// left out.
pub fn models(reference: &str, paths: &[Utf8PathBuf]) -> Result<Vec<(Utf8PathBuf, String)>, Error> {
    let mut found = BTreeMap::new();
    for path in paths {
        let unknown = || Error::UnknownRef { reference: reference.to_owned() };
        let mut commit = Commit::open(Utf8Path::new(""), reference, path)?.ok_or_else(unknown)?;
        let blobs = std::mem::take(&mut commit.blobs);
        for (path, hash) in blobs.into_iter().filter(|(path, _)| path.file_name().is_some_and(is_model)) {
            if let Some(text) = commit.contents.read(&hash).ok().and_then(|bytes| String::from_utf8(bytes).ok()) {
                found.insert(path, text);
            }
        }
    }
    Ok(found.into_iter().collect())
}

impl Commit {
    /// What is in a folder, or what a file is, at a ref; the path is relative to `base`, where git is started. None when the
    /// ref names no commit.
    pub fn open(base: &Utf8Path, reference: &str, path: &Utf8Path) -> Result<Option<Self>, Error> {
        let Some(hash) = commit(base, reference)? else { return Ok(None) };
        // With a path git lists what is there; an empty one is the folder git was started in.
        let path = if path.as_str().is_empty() { "." } else { path.as_str() };
        let shown = || format!("{reference}:{path}");
        let output = git(base, &["ls-tree", "-r", "-z", &hash, "--", path])?;
        if !output.status.success() {
            return Err(Error::Git { path: shown(), why: String::from_utf8_lossy(&output.stderr).trim().to_owned() });
        }
        let text = String::from_utf8(output.stdout).map_err(|_| Error::NotText { path: shown().into() })?;
        // `100644 blob 1f2e…<tab>infra/shop/gen.lock`
        let blob = |line: &str| {
            let (facts, path) = line.split_once('\t')?;
            Some((Utf8PathBuf::from(path), facts.split(' ').nth(2)?.to_owned()))
        };
        let blobs = text.split_terminator('\0').filter_map(blob).collect();
        let (reference, base, contents) = (reference.to_owned(), base.to_owned(), Contents::start(base)?);
        Ok(Some(Self { reference, hash, base, blobs, moved: None, contents }))
    }

    /// Whether a folder has a lock.
    #[must_use]
    pub fn has_lock(&self, folder: &Utf8Path) -> bool {
        self.blobs.contains_key(&folder.join(lock::NAME))
    }

    /// The folders that have a lock, below one of them and relative to it.
    pub fn locks(&self, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
        let locks = self.blobs.keys().filter(|path| path.file_name() == Some(lock::NAME)).filter_map(|path| path.parent());
        locks.filter_map(|path| path.strip_prefix(folder).ok()).map(Utf8Path::to_owned).collect()
    }

    /// Where the folders of locks lay that lie elsewhere by now, by where they lie now: what git takes for renamed since the commit,
    /// below the folder where it is started.
    pub fn moved(&mut self) -> Result<&BTreeMap<Utf8PathBuf, Utf8PathBuf>, Error> {
        let moved = match self.moved.take() {
            Some(moved) => moved,
            None => renamed(&self.base, &self.hash)?,
        };
        Ok(self.moved.insert(moved))
    }

    /// The ref as it was given.
    #[must_use]
    pub fn reference(&self) -> &str {
        &self.reference
    }

    /// A folder that has a lock and may lie outside of what was listed.
    pub fn locked(&mut self, sources: &mut SourceMap, folder: &Utf8Path) -> Result<Tree, Error> {
        let lock = folder.join(lock::NAME);
        let bytes = self.bytes(&format!("{}:./{lock}", self.hash), &lock)?;
        Ok(Tree::at_commit(sources, &self.reference, folder, [(lock::NAME.into(), bytes)]))
    }

    /// The text of a file that was listed; None when it is none, or is not there.
    pub fn text(&mut self, sources: &mut SourceMap, path: &Utf8Path) -> Result<Option<FileId>, Error> {
        let Some(hash) = self.blobs.get(path).cloned() else { return Ok(None) };
        let text = String::from_utf8(self.bytes(&hash, path)?).ok();
        Ok(text.map(|text| sources.add(self.shown(path), text)))
    }

    /// The bytes of a file by its name for git; `path` is how it is shown.
    fn bytes(&mut self, name: &str, path: &Utf8Path) -> Result<Vec<u8>, Error> {
        self.contents.read(name).map_err(|source| Error::Io { path: self.shown(path), source })
    }

    fn shown(&self, path: &Utf8Path) -> Utf8PathBuf {
        format!("{}:{path}", self.reference).into()
    }

    /// The files of a folder: its lock alone where it has one, which says all that there is to say.
    pub fn tree(&mut self, sources: &mut SourceMap, folder: &Utf8Path) -> Result<Tree, Error> {
        let below = |path: &Utf8Path| path.strip_prefix(folder).ok().map(Utf8Path::to_owned);
        let mut wanted: Vec<(Utf8PathBuf, String)> = self
            .blobs
            .range(folder.to_owned()..)
            .take_while(|(path, _)| path.starts_with(folder))
            .filter_map(|(path, hash)| Some((below(path).filter(|path| is_relevant(path))?, hash.clone())))
            .collect();
        if wanted.iter().any(|(path, _)| path == lock::NAME) {
            wanted.retain(|(path, _)| path == lock::NAME);
        }
        let mut found = Vec::new();
        for (path, hash) in wanted {
            let bytes = self.bytes(&hash, &path)?;
            found.push((path, bytes));
        }
        Ok(Tree::at_commit(sources, &self.reference, folder, found))
    }
}

/// The folders whose lock was renamed since a commit: now → then.
fn renamed(base: &Utf8Path, hash: &str) -> Result<BTreeMap<Utf8PathBuf, Utf8PathBuf>, Error> {
    let named = format!(":(glob)**/{}", lock::NAME);
    let diff =
        ["diff", "--name-status", "-z", "--find-renames", "--diff-filter=R", "--relative", "--no-ext-diff", hash, "--", &named];
    let output = git(base, &diff)?;
    // `R096<nul>infra/shop/prod/gen.lock<nul>infra/shop/live/gen.lock<nul>`; nothing where there is no working tree.
    let text = String::from_utf8_lossy(&output.stdout);
    let mut words = text.split_terminator('\0');
    let mut moved = BTreeMap::new();
    while let (Some(_), Some(then), Some(now)) = (words.next(), words.next(), words.next()) {
        let folder = |path: &str| Utf8Path::new(path).parent().map(Utf8Path::to_owned);
        moved.extend(folder(now).zip(folder(then)));
    }
    Ok(moved)
}

/// One git that hands out what is in files, however many are asked for.
#[derive(Debug)]
struct Contents {
    git: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Contents {
    fn start(base: &Utf8Path) -> Result<Self, Error> {
        let mut command = command(base, &["cat-file", "--batch"]);
        let mut git = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(Error::NoGit)?;
        let gone = || Error::NoGit(io::ErrorKind::BrokenPipe.into());
        let requests = git.stdin.take();
        let answers = BufReader::new(git.stdout.take().ok_or_else(gone)?);
        Ok(Self { git, requests, answers })
    }

    /// The bytes of a blob, by its hash.
    fn read(&mut self, hash: &str) -> io::Result<Vec<u8>> {
        let gone = || io::Error::other("git ended");
        let requests = self.requests.as_mut().ok_or_else(gone)?;
        writeln!(requests, "{hash}")?;
        requests.flush()?;
        // `1f2e… blob 1234`, and behind the bytes a line end.
        let mut header = String::new();
        self.answers.read_line(&mut header)?;
        let size = header.trim_end().split(' ').nth(2).and_then(|size| size.parse::<usize>().ok());
        let size = size.ok_or_else(|| io::Error::other(format!("git says `{}`", header.trim_end())))?;
        let mut bytes = Vec::new();
        self.answers.by_ref().take(size as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.pop() != Some(b'\n') || bytes.len() != size {
            return Err(gone());
        }
        Ok(bytes)
    }
}

impl Drop for Contents {
    fn drop(&mut self) {
        // Without requests git ends.
        self.requests = None;
        let _ = self.git.wait();
    }
}

pub(super) fn git(base: &Utf8Path, arguments: &[&str]) -> Result<std::process::Output, Error> {
    command(base, arguments).output().map_err(Error::NoGit)
}

fn command(base: &Utf8Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(if base.as_str().is_empty() { "." } else { base.as_str() }).args(arguments);
    command
}
