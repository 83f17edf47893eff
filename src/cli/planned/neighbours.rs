//! Where the models lie that a model may share tables with: among those of `gen.yaml`, else in its own folder.

use crate::baseline::git;
use crate::cli::workspace::Workspace;
use crate::config;
use crate::diagnostic::listed;
use crate::source::{self, FileId, SourceMap};
use crate::validate::{self, Lookup, Outline};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// Where texts are read.
#[derive(Clone, Copy)]
pub(in crate::cli) enum Place<'a> {
    /// In the working tree.
    Here,
    /// At a git ref.
    At(&'a str),
    /// Nowhere: the text stands for itself.
    Nowhere,
}

/// The texts among which owners, and those who share with them, are found.
#[derive(Default)]
pub(super) struct Neighbours {
    /// Those of `gen.yaml`.
    models: Vec<FileId>,
    /// Those in a folder.
    folders: BTreeMap<Utf8PathBuf, Vec<FileId>>,
    outlines: BTreeMap<FileId, Outline>,
    paths: BTreeMap<FileId, Utf8PathBuf>,
    /// Each text that names an owner, with what became of the names.
    sharers: BTreeMap<FileId, BTreeMap<String, Lookup>>,
    /// What `gen.yaml` names, as it is shown.
    searched: Vec<String>,
}

impl Neighbours {
    /// Looks for them. In a repository where no table is shared, nothing is parsed for it.
    pub(super) fn find(workspace: &mut Workspace, place: Place<'_>, asked: &[FileId]) -> Self {
        if matches!(place, Place::Nowhere) {
            return Self::default();
        }
        let mut known: BTreeMap<Utf8PathBuf, FileId> =
            asked.iter().map(|file| (place.path(workspace.sources.path(*file)), *file)).collect();
        let roots: Vec<Utf8PathBuf> =
            workspace.config.models.iter().map(|path| source::normal(&workspace.root.join(path))).collect();
        let output = source::normal(&workspace.root.join(&workspace.config.output));
        let models = place.models(&roots, &output, &known);
        let listed: BTreeSet<&Utf8PathBuf> = models.iter().map(|(path, _)| path).collect();
        let strangers = known.keys().filter(|path| !listed.contains(path));
        let folders: BTreeSet<Utf8PathBuf> = strangers.map(|path| folder(path)).collect();
        let beside: Vec<(Utf8PathBuf, Texts)> =
            folders.into_iter().map(|folder| (folder.clone(), place.beside(&folder, &known))).collect();
        let texts = models.iter().chain(beside.iter().flat_map(|(_, texts)| texts)).map(|(_, text)| text.as_str());
        let asked = asked.iter().map(|file| workspace.sources.text(*file));
        if !texts.chain(asked).any(names_an_owner) {
            return Self::default();
        }
        let mut found = Self { searched: roots.iter().map(|root| shown(root)).collect(), ..Self::default() };
        found.paths = known.iter().map(|(path, file)| (*file, path.clone())).collect();
        found.models = found.take(place, models, &mut known, &mut workspace.sources);
        for (folder, texts) in beside {
            let files = found.take(place, texts, &mut known, &mut workspace.sources);
            found.folders.insert(folder, files);
        }
        found.outline(&workspace.sources);
        // An owner that `gen.yaml` does not name may lie beside its sharer.
        let is_homeless = |outline: &Outline| outline.owners.iter().any(|owner| found.named(&found.models, owner).is_empty());
        let homeless = found.outlines.iter().filter(|(_, outline)| is_homeless(outline));
        let folders = homeless.filter_map(|(file, _)| Some(folder(found.paths.get(file)?)));
        for folder in folders.filter(|folder| !found.folders.contains_key(folder)).collect::<BTreeSet<_>>() {
            let texts = place.beside(&folder, &known);
            let files = found.take(place, texts, &mut known, &mut workspace.sources);
            found.folders.insert(folder, files);
        }
        found.outline(&workspace.sources);
        let sharers = found.outlines.iter().filter(|(_, outline)| !outline.owners.is_empty());
        let lookups = |file: FileId, outline: &Outline| {
            outline.owners.iter().map(|owner| (owner.clone(), found.lookup(file, owner))).collect()
        };
        found.sharers = sharers.map(|(file, outline)| (*file, lookups(*file, outline))).collect();
        found
    }

    /// Takes texts in; gives their files in the same order.
    fn take(
        &mut self,
        place: Place<'_>,
        texts: Texts,
        known: &mut BTreeMap<Utf8PathBuf, FileId>,
        sources: &mut SourceMap,
    ) -> Vec<FileId> {
        let mut files = Vec::new();
        for (path, text) in texts {
            let file = *known.entry(path.clone()).or_insert_with(|| sources.add(place.shown(&path), text));
            self.paths.insert(file, path);
            files.push(file);
        }
        files
    }

    /// Outlines the texts that name an owner, and those that may be one. When one is missing all are, to tell the near names.
    fn outline(&mut self, sources: &SourceMap) {
        let files: Vec<FileId> = self.paths.keys().copied().collect();
        for file in files.iter().filter(|file| names_an_owner(sources.text(**file))) {
            self.outlines.entry(*file).or_insert_with(|| validate::outline(sources, *file));
        }
        let owners: BTreeSet<String> = self.outlines.values().flat_map(|outline| &outline.owners).cloned().collect();
        for file in &files {
            let text = sources.text(*file);
            if owners.iter().any(|owner| text.contains(owner.as_str())) {
                self.outlines.entry(*file).or_insert_with(|| validate::outline(sources, *file));
            }
        }
        let is_missing = |owner: &String| self.named(&files, owner).is_empty();
        if owners.iter().any(is_missing) {
            for file in &files {
                self.outlines.entry(*file).or_insert_with(|| validate::outline(sources, *file));
            }
        }
    }

    /// Which of some texts are models of a name.
    fn named(&self, files: &[FileId], name: &str) -> Vec<FileId> {
        let is_called = |file: &&FileId| self.name(**file).is_some_and(|own| own == name);
        files.iter().filter(is_called).copied().collect()
    }

    fn name(&self, file: FileId) -> Option<&str> {
        self.outlines.get(&file)?.name.as_ref().map(|name| name.value.as_str())
    }

    /// Which model a text means by the name of an owner.
    fn lookup(&self, file: FileId, owner: &str) -> Lookup {
        let own = self.paths.get(&file).map(|path| folder(path)).unwrap_or_default();
        let beside = self.folders.get(&own).map(Vec::as_slice).unwrap_or_default();
        let mut named = self.named(&self.models, owner);
        if named.is_empty() {
            named = self.named(beside, owner);
        }
        match named.as_slice() {
            [] => {
                let others = self.models.iter().chain(beside).filter(|other| **other != file);
                let known: BTreeSet<String> = others.filter_map(|file| self.name(*file)).map(str::to_owned).collect();
                let folder = shown(&own);
                let mut searched = self.searched.clone();
                if !searched.contains(&folder) {
                    searched.push(folder);
                }
                Lookup::Missing { known: known.into_iter().collect(), searched: listed(searched) }
            }
            [one] => Lookup::Found(*one),
            several => {
                let names = several.iter().filter_map(|file| self.outlines.get(file)?.name.as_ref());
                Lookup::Several(names.map(|name| name.span).collect())
            }
        }
    }

    /// A text with all that it shares tables with, and these with others.
    pub(super) fn group(&self, file: FileId) -> Vec<FileId> {
        let mut group = BTreeSet::from([file]);
        let mut open = vec![file];
        while let Some(next) = open.pop() {
            let owners = self.sharers.get(&next).into_iter().flat_map(BTreeMap::values).filter_map(found);
            let shares =
                |(_, owners): &(&FileId, &BTreeMap<String, Lookup>)| owners.values().any(|owner| found(owner) == Some(next));
            let sharers = self.sharers.iter().filter(shares).map(|(file, _)| *file);
            open.extend(owners.chain(sharers).filter(|file| group.insert(*file)).collect::<Vec<_>>());
        }
        group.into_iter().collect()
    }

    /// What became of each name that a text gives as an `owner`.
    pub(super) fn owners(&self, file: FileId) -> BTreeMap<String, Lookup> {
        self.sharers.get(&file).cloned().unwrap_or_default()
    }
}

fn found(lookup: &Lookup) -> Option<FileId> {
    if let Lookup::Found(file) = lookup { Some(*file) } else { None }
}

/// Texts with their paths.
type Texts = Vec<(Utf8PathBuf, String)>;

impl Place<'_> {
    /// A source's path in this place.
    fn path(self, path: &Utf8Path) -> Utf8PathBuf {
        match self {
            Self::Here | Self::Nowhere => source::normal(path),
            Self::At(reference) => {
                let prefix = format!("{reference}:");
                source::normal(Utf8Path::new(path.as_str().strip_prefix(&prefix).unwrap_or(path.as_str())))
            }
        }
    }

    /// A path in this place, as the user is shown it.
    fn shown(self, path: &Utf8Path) -> Utf8PathBuf {
        match self {
            Self::Here | Self::Nowhere => path.to_owned(),
            Self::At(reference) => format!("{reference}:{path}").into(),
        }
    }

    /// The texts of all models of `gen.yaml`.
    fn models(self, roots: &[Utf8PathBuf], output: &Utf8Path, known: &BTreeMap<Utf8PathBuf, FileId>) -> Texts {
        match self {
            Self::Here => {
                read(roots.iter().flat_map(|root| config::models_at([root.clone()], output).unwrap_or_default()), known)
            }
            Self::At(reference) => {
                let mut texts = git::models(reference, roots).unwrap_or_default();
                texts.retain(|(path, _)| output.as_str().is_empty() || !path.starts_with(output));
                texts
            }
            Self::Nowhere => Texts::new(),
        }
    }

    /// The texts in a folder that may be models.
    fn beside(self, folder: &Utf8Path, known: &BTreeMap<Utf8PathBuf, FileId>) -> Texts {
        match self {
            Self::Here => read(config::models_beside(folder).into_iter(), known),
            Self::At(reference) => {
                let mut texts = git::models(reference, &[folder.to_owned()]).unwrap_or_default();
                texts.retain(|(path, _)| path.parent() == Some(folder));
                texts
            }
            Self::Nowhere => Texts::new(),
        }
    }
}

/// Reads texts, except those that were read already. One that cannot be read is nobody's neighbour.
fn read(paths: impl Iterator<Item = Utf8PathBuf>, known: &BTreeMap<Utf8PathBuf, FileId>) -> Texts {
    let paths: BTreeSet<Utf8PathBuf> = paths.map(|path| source::normal(&path)).collect();
    let text = |path: &Utf8PathBuf| if known.contains_key(path) { Some(String::new()) } else { source::read_text(path).ok() };
    paths.into_iter().filter_map(|path| Some((path.clone(), text(&path)?))).collect()
}

fn folder(path: &Utf8Path) -> Utf8PathBuf {
    path.parent().unwrap_or(Utf8Path::new("")).to_owned()
}

fn shown(path: &Utf8Path) -> String {
    if path.as_str().is_empty() { ".".to_owned() } else { path.to_string() }
}

/// Whether a key of a text is `owner`, as far as can be told without parsing it.
fn names_an_owner(text: &str) -> bool {
    text.match_indices("owner").any(|(at, word)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + word.len()..).unwrap_or_default();
        let behind = behind.strip_prefix(['"', '\'']).unwrap_or(behind).trim_start();
        behind.starts_with(':') && before.is_none_or(|before| !before.is_alphanumeric() && !"_-.".contains(before))
    })
}
