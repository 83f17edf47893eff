//! Where the previous generation comes from, and what it is.

use super::lock::{self, Lock};
use super::tree::{Error, Tree};
use super::{Digest, align, migrations};
use crate::config;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::read;
use crate::schema::{Backend, Engine, Format, Generation, Schema, Store, cql};
use crate::source::{FileId, SourceMap, Span, parse};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use std::sync::Arc;

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
    /// Its text; None: it was deleted, or it is no text and does not matter.
    pub file: Option<FileId>,
    /// The hash of what is there; None: it was deleted.
    pub found: Option<Digest>,
}

impl Edited {
    /// Finding `edited-by-hand`; `shown` is the path as it is shown.
    #[must_use]
    pub fn finding(&self, shown: &Utf8Path) -> Diagnostic {
        let command = format!("`gen apply --discard-edits {shown}`");
        let (what, help) = match self.found {
            _ if migrations::is_migration(&self.path) => {
                let help = format!("take `{shown}` from version control: a migration that may have been run is never rewritten");
                (if self.found.is_some() { "edited" } else { "deleted" }, help)
            }
            Some(_) => ("edited", format!("move the edit into the model or a template; {command} writes over it")),
            None => ("deleted", format!("take what it holds out of the model too; {command} writes it again")),
        };
        let message = format!("`{shown}` was {what} since it was generated");
        let diagnostic = match self.file {
            Some(file) => Diagnostic::new(codes::EDITED_BY_HAND, Span::new(file, 0, 0), message),
            None => Diagnostic::nowhere(codes::EDITED_BY_HAND, message),
        };
        diagnostic.help(help)
    }
}

impl Previous {
    fn new(kind: Kind, path: Utf8PathBuf) -> Self {
        let generation = Generation::new();
        Self { kind, path, reference: None, generation, lock: None, edited: Vec::new() }
    }

    /// An engine that left for another release of its family was upgraded: what it had is what the other starts from.
    pub fn upgrade(&mut self, backends: &[Backend]) {
        let lock = self.lock.as_mut().map(|lock| [&mut lock.generation, &mut lock.completed]);
        for generation in std::iter::once(&mut self.generation).chain(lock.into_iter().flatten()) {
            let known: Vec<Backend> = generation.keys().copied().collect();
            let is_new = |next: &&Backend| !known.contains(next);
            for left in known.iter().filter(|backend| !backends.contains(backend)) {
                let family = left.engine().map(Engine::family);
                let mut successors = backends.iter().filter(is_new).filter(|next| {
                    family.is_some() && next.engine().map(Engine::family) == family && next.format() == left.format()
                });
                if let (Some(next), None) = (successors.next(), successors.next())
                    && let Some(schema) = generation.remove(left)
                {
                    generation.insert(*next, schema);
                }
            }
        }
    }

    /// There was nothing.
    #[must_use]
    pub fn nothing() -> Self {
        Self::new(Kind::Nothing, Utf8PathBuf::new())
    }

    /// Whether any table of it may be one of a next generation: two of one name are the same to whoever deploys them.
    #[must_use]
    pub fn shares_tables_with(&self, next: &Generation) -> bool {
        let next: BTreeSet<String> = next.values().flat_map(names).collect();
        self.generation.values().flat_map(names).any(|name| next.contains(&name))
    }

    /// The schemas that the files of the lock were compared with when they were written, but for those that templates added to.
    #[must_use]
    pub fn verified(&self) -> Generation {
        let lock = self.lock.iter();
        let own = lock.flat_map(|lock| lock.generation.iter().filter(|(backend, _)| !lock.completed.contains_key(backend)));
        own.map(|(backend, schema)| (*backend, schema.clone())).collect()
    }

    /// The hash of a file of the lock that stands in the folder as it was written, and is to be so again.
    #[must_use]
    pub fn standing(&self, sources: &SourceMap, tree: &Tree, path: &Utf8Path, text: &str) -> Option<&Digest> {
        let written = self.lock.as_ref()?.files.get(path.as_str())?.as_ref()?;
        let is_edited = self.edited.iter().any(|edited| edited.path == path);
        let stands = !is_edited && tree.is(sources, path, text).is_ok_and(|is| is == Some(true));
        stands.then_some(written)
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

/// The names under which the tables and keyspaces of a schema are deployed, with the values in force. Without a value it is the
/// text with its parameters.
fn names(schema: &Schema) -> Vec<String> {
    match schema {
        Schema::Dynamodb(schema) => {
            let names = schema.tables.values().filter_map(|table| table.name.as_ref());
            names.map(|name| name.in_force(&schema.parameters).unwrap_or_else(|| name.to_string())).collect()
        }
        Schema::Cql(schema) => schema.keyspaces.keys().cloned().collect(),
    }
}

/// What is in a model's output folder: its lock with the files that were edited, else its files, else nothing. Edits that are
/// `discarded`, by their path below the folder, need not be readable: the lock counts then. None when a text is wrong; the sink
/// says why.
pub fn previous(
    sources: &SourceMap,
    tree: &Tree,
    backends: &[Backend],
    discarded: &dyn Fn(&Utf8Path) -> bool,
    sink: &mut Sink,
) -> Result<Option<Previous>, Error> {
    let Some(mut previous) = of_tree(sources, tree, backends, sink)? else { return Ok(None) };
    let Some(lock) = &previous.lock else { return Ok(Some(previous)) };
    let mut edited = Vec::new();
    for (path, generated) in lock.files.iter().filter_map(|(path, digest)| Some((Utf8Path::new(path), digest.as_ref()?))) {
        if tree.stands(sources, path, generated)? {
            continue;
        }
        let found = tree.digest(sources, path)?;
        let file = match tree.text(path) {
            Err(Error::NotText { .. }) if discarded(path) => None,
            file => file?,
        };
        edited.push(Edited { path: path.to_owned(), file, found });
    }
    edited.sort_by(|one, other| one.path.cmp(&other.path));
    let mut problems = Vec::new();
    for (backend, schema) in &mut previous.generation {
        let of_backend: Vec<&Edited> = edited.iter().filter(|edited| belongs(&edited.path, *backend)).collect();
        if of_backend.is_empty() {
            continue;
        }
        let mut files = Vec::new();
        for path in lock.files.keys().map(Utf8Path::new).filter(|path| belongs(path, *backend)) {
            match of_backend.iter().find(|edited| edited.path == path) {
                Some(edited) => files.extend(edited.file),
                None => files.extend(tree.text(path)?),
            }
        }
        let mut own = Sink::default();
        let is_text = of_backend.iter().all(|edited| edited.file.is_some() || edited.found.is_none());
        match native_beside(sources, *backend, &files, schema, &mut own).filter(|_| is_text) {
            Some(read) => *schema = aligned(read, schema, *backend),
            None if of_backend.iter().all(|edited| discarded(&edited.path)) => continue,
            None => problems.extend(of_backend.iter().map(|edited| edited.finding(&tree.shown(&edited.path)))),
        }
        problems.extend(own.into_sorted());
    }
    let good = !problems.iter().any(Diagnostic::is_error);
    sink.extend(problems);
    previous.edited = edited;
    Ok(good.then_some(previous))
}

/// What somebody named to compare with: the lock of a tree, else its files; or a single file. None when a text is wrong; the
/// sink says why.
pub fn of_tree(sources: &SourceMap, tree: &Tree, backends: &[Backend], sink: &mut Sink) -> Result<Option<Previous>, Error> {
    let reference = tree.reference().map(str::to_owned);
    let previous = match tree.only_file() {
        Some(path) => of_file(sources, tree, path, backends, sink)?,
        None => of_folder(sources, tree, backends, sink)?,
    };
    Ok(previous.map(|previous| Previous { reference, ..previous }))
}

/// The lock of a folder, else its files.
fn of_folder(sources: &SourceMap, tree: &Tree, backends: &[Backend], sink: &mut Sink) -> Result<Option<Previous>, Error> {
    let at = Utf8Path::new(lock::NAME);
    if let Some(file) = tree.text(at)? {
        return Ok(Lock::read(sources, file, sink).map(|lock| of_lock(lock, tree.shown(at))));
    }
    let mut previous = Previous::new(Kind::Directory, tree.shown(Utf8Path::new("")));
    let mut foreign: BTreeSet<Format> = BTreeSet::new();
    for backend in backends {
        let mut chosen: Vec<&Utf8Path> = tree.paths().filter(|path| belongs(path, *backend)).collect();
        if chosen.is_empty() && !tree.paths().any(|path| backends.iter().any(|backend| belongs(path, *backend))) {
            // Not laid out by gen: a module, a stack or a schema by itself.
            chosen = tree.native(sources, backend.format()).collect();
            foreign.extend(Some(backend.format()).filter(|_| !chosen.is_empty()));
        }
        let mut chosen: Vec<Utf8PathBuf> = chosen.into_iter().map(Utf8Path::to_owned).collect();
        // Statements are one history: the order of the files is theirs.
        migrations::in_order(&mut chosen);
        let mut ids = Vec::new();
        for path in &chosen {
            ids.extend(tree.text(path)?);
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
        previous = Previous::nothing();
    }
    Ok(Some(previous))
}

fn of_lock(lock: Lock, path: Utf8PathBuf) -> Previous {
    let generation = lock.in_force();
    Previous { generation, lock: Some(lock), ..Previous::new(Kind::Lock, path) }
}

/// A lock or a native file that was named.
fn of_file(
    sources: &SourceMap,
    tree: &Tree,
    path: &Utf8Path,
    backends: &[Backend],
    sink: &mut Sink,
) -> Result<Option<Previous>, Error> {
    let Some(file) = tree.text(path)? else { return Ok(Some(Previous::nothing())) };
    let shown = tree.shown(path);
    if lock::is_lock(path, sources.text(file)) {
        return Ok(Lock::read(sources, file, sink).map(|lock| of_lock(lock, shown)));
    }
    let format = Format::of(path)
        .filter(|_| path.file_name() != Some(config::NAME))
        .ok_or_else(|| Error::UnknownKind { path: shown.clone() })?;
    if is_model(sources, file) {
        return Err(Error::Model { path: shown });
    }
    let mut previous = Previous::new(Kind::File(format), shown);
    for backend in backends.iter().filter(|backend| backend.format() == format) {
        let Some(schema) = native(sources, *backend, &[file], sink) else { return Ok(None) };
        previous.generation.insert(*backend, schema);
    }
    Ok(Some(previous))
}

/// Whether a text, which is YAML or JSON by its name, is a model rather than a template. One that cannot be read is no model.
#[must_use]
pub fn is_model(sources: &SourceMap, file: FileId) -> bool {
    let could_be = Format::of(sources.path(file)) == Some(Format::Cloudformation);
    could_be
        && sources.path(file).file_name() != Some(config::NAME)
        && parse(sources, file, &mut Sink::default()).is_some_and(|node| node.get("gen").is_some())
}

/// Whether a generated file is one of a backend's, by the layout of the output. Migrations are steps, not a state.
fn belongs(path: &Utf8Path, backend: Backend) -> bool {
    let folder = match (backend, backend.format()) {
        (Backend::Cql(engine), _) => format!("cql/{engine}"),
        (_, Format::Terraform) => "terraform".to_owned(),
        (_, Format::Cloudformation) => "cloudformation".to_owned(),
        (_, Format::Cql) => "cql".to_owned(),
    };
    path.parent() == Some(Utf8Path::new(&folder)) && Format::of(path) == Some(backend.format())
}

/// Reads the files of one backend.
fn native(sources: &SourceMap, backend: Backend, files: &[FileId], sink: &mut Sink) -> Option<Schema> {
    let (tables, keyspaces) = match backend.format() {
        Format::Terraform => read::terraform::read(sources, files, sink).map(|module| (module.schema, module.keyspaces))?,
        Format::Cloudformation => {
            read::cloudformation::read_all(sources, files, sink).map(|template| (template.schema, template.keyspaces))?
        }
        Format::Cql => {
            let read = read::cql::apply(sources, files, backend.engine(), cql::Schema::default(), sink);
            return read.map(Schema::from);
        }
    };
    Some(match backend.store() {
        Store::Dynamodb => tables.into(),
        Store::Cql => keyspaces.into(),
    })
}

/// The same, beside what was generated, which tells in which Region a stack is whose template names it by now.
fn native_beside(sources: &SourceMap, backend: Backend, files: &[FileId], beside: &Schema, sink: &mut Sink) -> Option<Schema> {
    let found = native(sources, backend, files, sink)?;
    let again = match (&found, beside) {
        (Schema::Dynamodb(found), Schema::Dynamodb(beside)) if backend.format() == Format::Cloudformation => {
            read::cloudformation::read_beside(sources, files, found, beside)
        }
        _ => None,
    };
    Some(again.map_or(found, |template| template.schema.into()))
}

fn aligned(read: Schema, lock: &Schema, backend: Backend) -> Schema {
    match (read, lock) {
        (Schema::Dynamodb(read), Schema::Dynamodb(lock)) => {
            align::dynamodb(Arc::unwrap_or_clone(read), lock, backend.format()).into()
        }
        (Schema::Cql(read), Schema::Cql(lock)) => align::cql(Arc::unwrap_or_clone(read), lock, backend).into(),
        (read, _) => read,
    }
}
