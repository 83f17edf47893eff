//! Where the previous generation comes from, and what it is.

use super::git::{self, Commit};
use super::lock::{self, Lock};
use super::tree::{Error, Folder, Tree, join};
use super::{Digest, align, migrations};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::read;
use crate::schema::{Backend, Engine, Format, Generation, Schema};
use crate::source::{FileId, SourceMap, Span};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// The previous generation.
#[derive(Debug)]
pub struct Previous {
    /// What it was read from.
    pub kind: Kind,
    /// What it was read from, as it is shown; empty for [`Kind::Nothing`].
    pub path: Utf8PathBuf,
    /// The git ref it was read at.
    pub reference: Option<String>,
    /// The schema of each backend that had one.
    pub generation: Generation,
    /// The lock, when there was one.
    pub lock: Option<Lock>,
    /// Files of the lock that have other bytes by now.
    pub edited: Vec<Edited>,
}

/// What a previous generation was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A lock; edited files count instead of what it says.
    Lock,
    /// A folder of generated or foreign files.
    Directory,
    /// One file, or a folder of files, of one format: nothing is known of the others.
    File(Format),
    /// There is none.
    Nothing,
}

/// A generated file that somebody edited or deleted.
#[derive(Debug)]
pub struct Edited {
    /// Its path below the model's output folder.
    pub path: Utf8PathBuf,
    /// Its text; None: it was deleted.
    pub file: Option<FileId>,
    /// The hash of what was generated.
    pub generated: Digest,
}

impl Previous {
    fn new(kind: Kind, path: Utf8PathBuf) -> Self {
        Self { kind, path, reference: None, generation: Generation::new(), lock: None, edited: Vec::new() }
    }

    /// Whether it says anything of a backend, be it that there was nothing.
    #[must_use]
    pub fn knows(&self, backend: Backend) -> bool {
        match self.kind {
            Kind::File(format) => backend.format() == format,
            Kind::Lock | Kind::Directory | Kind::Nothing => true,
        }
    }
}

/// What is in a model's output folder: its lock with the files that were edited, else its files, else nothing.
/// None when a text is wrong; the sink says why.
pub fn previous(
    sources: &mut SourceMap,
    folder: &Utf8Path,
    backends: &[Backend],
    sink: &mut Sink,
) -> Result<Option<Previous>, Error> {
    let tree = Folder(folder);
    let Some(mut previous) = of_tree(sources, &tree, backends, sink)? else { return Ok(None) };
    let Some(lock) = &previous.lock else { return Ok(Some(previous)) };
    let mut edited = Vec::new();
    for (path, generated) in lock.files.iter().filter_map(|(path, digest)| Some((path, digest.clone()?))) {
        let bytes = tree.read(path)?;
        if bytes.as_ref().map(Digest::of).as_ref() == Some(&generated) {
            continue;
        }
        let shown = tree.shown(path);
        let text = bytes.map(String::from_utf8).transpose().map_err(|_| Error::NotText { path: shown.clone() })?;
        let file = text.map(|text| sources.add(&shown, text));
        sink.push(finding(&shown, file, migrations::is_migration(path)));
        edited.push(Edited { path: path.clone(), file, generated });
    }
    let mut good = true;
    for (backend, schema) in &mut previous.generation {
        if !edited.iter().any(|edited| belongs(&edited.path, *backend)) {
            continue;
        }
        let mut files = Vec::new();
        for path in lock.files.keys().filter(|path| belongs(path, *backend)) {
            match edited.iter().find(|edited| edited.path == *path) {
                Some(edited) => files.extend(edited.file),
                None => files.extend(tree.text(path)?.map(|text| sources.add(tree.shown(path), text))),
            }
        }
        match native(sources, *backend, &files, sink) {
            Some(read) => *schema = aligned(read, schema, *backend),
            None => good = false,
        }
    }
    previous.edited = edited;
    Ok(good.then_some(previous))
}

fn finding(path: &Utf8Path, file: Option<FileId>, is_migration: bool) -> Diagnostic {
    let help = if is_migration {
        format!("take `{path}` from version control: a migration that may have been run is never rewritten")
    } else {
        format!("move the edit into the model or a template; `gen apply --discard-edits {path}` writes over it")
    };
    match file {
        Some(file) => {
            Diagnostic::new(codes::EDITED_BY_HAND, Span::new(file, 0, 0), format!("`{path}` was edited since it was generated"))
        }
        None => Diagnostic::nowhere(codes::EDITED_BY_HAND, format!("`{path}` was deleted since it was generated")),
    }
    .help(help)
}

/// What a user names: a git ref, a folder, a lock or a native file. `base` is the folder of `gen.yaml`, and `folder` the model's
/// output folder, relative to it.
pub fn against(
    sources: &mut SourceMap,
    base: &Utf8Path,
    folder: &Utf8Path,
    named: &str,
    backends: &[Backend],
    sink: &mut Sink,
) -> Result<Option<Previous>, Error> {
    let path = Utf8Path::new(named);
    let exists = path.symlink_metadata().is_ok();
    let is_plain = !named.starts_with(['.', '/']);
    let git_base = if base.as_str().is_empty() { Utf8Path::new(".") } else { base };
    match (exists, is_plain) {
        (true, true) if git::commit(git_base, named).ok().flatten().is_some() => {
            return Err(Error::Ambiguous { name: named.to_owned() });
        }
        (true, _) if path.is_dir() => {
            // The folder of this model, of all models, or of a whole repository.
            let within = [Some(Utf8Path::new("")), folder.file_name().map(Utf8Path::new), Some(folder)];
            let mut candidates = within.into_iter().flatten().map(|below| join(path, below));
            let found = candidates.find(|folder| folder.join(lock::NAME).is_file()).unwrap_or_else(|| path.to_owned());
            return of_tree(sources, &Folder(&found), backends, sink);
        }
        (true, _) => return of_file(sources, path, backends, sink),
        (false, _) => {}
    }
    let Some(commit) = Commit::new(git_base, named, folder.to_owned())? else {
        return Err(Error::UnknownRef { reference: named.to_owned() });
    };
    let previous = of_tree(sources, &commit, backends, sink)?;
    Ok(previous.map(|previous| Previous { reference: Some(named.to_owned()), ..previous }))
}

/// The lock of a folder, else its files.
fn of_tree(sources: &mut SourceMap, tree: &dyn Tree, backends: &[Backend], sink: &mut Sink) -> Result<Option<Previous>, Error> {
    let at = Utf8Path::new(lock::NAME);
    if let Some(text) = tree.text(at)? {
        let path = tree.shown(at);
        let file = sources.add(&path, text);
        return Ok(Lock::read(sources, file, sink).map(|lock| of_lock(lock, path)));
    }
    let files = tree.files()?;
    let mut previous = Previous::new(Kind::Directory, tree.shown(Utf8Path::new("")));
    let mut foreign: BTreeSet<Format> = BTreeSet::new();
    for backend in backends {
        let mut chosen: Vec<&Utf8PathBuf> = files.iter().filter(|path| belongs(path, *backend)).collect();
        if chosen.is_empty() && !files.iter().any(|path| backends.iter().any(|backend| belongs(path, *backend))) {
            // Not laid out by gen: a module, a stack or a schema by itself.
            let format = Some(backend.format());
            chosen = files.iter().filter(|path| path.components().count() == 1 && format_of(path) == format).collect();
            foreign.extend(format.filter(|_| !chosen.is_empty()));
        }
        let mut chosen: Vec<Utf8PathBuf> = chosen.into_iter().cloned().collect();
        // Statements are one history: the order of the files is theirs.
        migrations::in_order(&mut chosen);
        let mut ids = Vec::new();
        for path in &chosen {
            ids.extend(tree.text(path)?.map(|text| sources.add(tree.shown(path), text)));
        }
        if ids.is_empty() {
            continue;
        }
        let Some(schema) = native(sources, *backend, &ids, sink) else { return Ok(None) };
        previous.generation.insert(*backend, schema);
    }
    if let (Some(format), 1) = (foreign.first(), foreign.len()) {
        // A folder of one language says nothing of the others.
        previous.kind = Kind::File(*format);
    }
    if previous.generation.is_empty() {
        previous = Previous::new(Kind::Nothing, Utf8PathBuf::new());
    }
    Ok(Some(previous))
}

fn of_lock(lock: Lock, path: Utf8PathBuf) -> Previous {
    Previous { generation: lock.generation.clone(), lock: Some(lock), ..Previous::new(Kind::Lock, path) }
}

/// A lock or a native file that was named.
fn of_file(sources: &mut SourceMap, path: &Utf8Path, backends: &[Backend], sink: &mut Sink) -> Result<Option<Previous>, Error> {
    let (folder, name) = (path.parent().unwrap_or(Utf8Path::new("")), Utf8Path::new(path.file_name().unwrap_or_default()));
    let text = Folder(folder).text(name)?.unwrap_or_default();
    let is_lock = name == lock::NAME || text.starts_with("gen-lock ");
    let file = sources.add(path, text);
    if is_lock {
        return Ok(Lock::read(sources, file, sink).map(|lock| of_lock(lock, path.to_owned())));
    }
    let format = format_of(path).ok_or_else(|| Error::UnknownKind { path: path.to_owned() })?;
    let mut previous = Previous::new(Kind::File(format), path.to_owned());
    for backend in backends.iter().filter(|backend| backend.format() == format) {
        let Some(schema) = native(sources, *backend, &[file], sink) else { return Ok(None) };
        previous.generation.insert(*backend, schema);
    }
    Ok(Some(previous))
}

/// Whether a generated file is one of a backend's, by the layout of the output. Migrations are steps, not a state.
fn belongs(path: &Utf8Path, backend: Backend) -> bool {
    let folder = match (backend, backend.format()) {
        (Backend::Cql(engine), _) => format!("cql/{engine}"),
        (_, Format::Terraform) => "terraform".to_owned(),
        (_, Format::Cloudformation) => "cloudformation".to_owned(),
        (_, Format::Cql) => "cql".to_owned(),
    };
    path.parent() == Some(Utf8Path::new(&folder)) && format_of(path) == Some(backend.format())
}

fn format_of(path: &Utf8Path) -> Option<Format> {
    match path.extension()? {
        "tf" => Some(Format::Terraform),
        "yaml" | "yml" | "json" | "template" => Some(Format::Cloudformation),
        "cql" => Some(Format::Cql),
        _ => None,
    }
}

/// Reads the files of one backend.
fn native(sources: &SourceMap, backend: Backend, files: &[FileId], sink: &mut Sink) -> Option<Schema> {
    match backend.format() {
        Format::Terraform => read::terraform::read(sources, files, sink).map(|module| Schema::Dynamodb(module.schema)),
        Format::Cloudformation => read::cloudformation::read(sources, files, sink).map(Schema::Dynamodb),
        Format::Cql => read::cql::read(sources, files, sink).map(Schema::Cql),
    }
}

fn aligned(read: Schema, lock: &Schema, backend: Backend) -> Schema {
    let engine = if let Backend::Cql(engine) = backend { engine } else { Engine::Keyspaces };
    match (read, lock) {
        (Schema::Dynamodb(read), Schema::Dynamodb(lock)) => Schema::Dynamodb(align::dynamodb(read, lock, backend.format())),
        (Schema::Cql(read), Schema::Cql(lock)) => Schema::Cql(align::cql(read, lock, engine)),
        (read, _) => read,
    }
}
