//! Which models belong together because they share tables: read with those of the run, and checked and designed with them.

use super::neighbours::{Neighbours, Place};
use super::texts::{self, Text};
use crate::cli::Failure;
use crate::cli::workspace::{self, Workspace};
use crate::source::{FileId, normal};
use crate::validate::{self, Draft, Lookup};
use camino::Utf8PathBuf;
use std::collections::{BTreeMap, BTreeSet};

/// Models that share tables with one another, or one that shares none.
pub(in crate::cli) struct Group(pub(in crate::cli) Vec<Member>);

/// A model of a group.
pub(in crate::cli) struct Member {
    pub(in crate::cli) text: Text,
    /// What became of each name that it gives as an `owner`.
    pub(in crate::cli) owners: BTreeMap<String, Lookup>,
    /// Whether the run is about it.
    pub(in crate::cli) is_asked: bool,
}

impl Group {
    /// The members as they are checked.
    pub(in crate::cli) fn members(&self) -> Vec<validate::Member<'_>> {
        self.0.iter().map(Member::checked).collect()
    }

    /// Lets go of the texts as they were read: once they are resolved nobody asks for them, and those of a large model are a sixth
    /// of the memory while it is designed.
    pub(super) fn forget_drafts(&mut self) {
        for member in &mut self.0 {
            member.text.draft = None;
        }
    }
}

impl Member {
    fn checked(&self) -> validate::Member<'_> {
        let Text { file, draft, findings } = &self.text;
        validate::Member { file: *file, draft: draft.as_ref(), said: findings, owners: &self.owners }
    }
}

/// Reads the models at some paths, and all that they share tables with.
pub(in crate::cli) fn read(workspace: &mut Workspace, paths: &[Utf8PathBuf]) -> Result<Vec<Group>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        let text = workspace::read(path)?;
        files.push(workspace.sources.add(path, text));
    }
    Ok(gather(workspace, Place::Here, &files))
}

/// The groups of texts that were read already, in their order.
pub(in crate::cli) fn gather(workspace: &mut Workspace, place: Place<'_>, asked: &[FileId]) -> Vec<Group> {
    let neighbours = Neighbours::find(workspace, place, asked);
    let mut groups: Vec<Vec<FileId>> = Vec::new();
    for file in asked {
        if !groups.iter().any(|group| group.contains(file)) {
            groups.push(neighbours.group(*file));
        }
    }
    let texts = texts::of_files(workspace, groups.concat());
    // What a model names, the policy of a table, is a part of it, wherever it lies.
    let named = |text: &Text| {
        let files = text.draft.iter().flat_map(Draft::named_files).map(|path| normal(path));
        let own = normal(workspace.sources.path(text.file));
        files.filter(|path| *path != own).collect::<Vec<_>>()
    };
    let named: BTreeSet<Utf8PathBuf> = texts.iter().flat_map(named).collect();
    let is_model = |text: &Text| !named.contains(&normal(workspace.sources.path(text.file)));
    let member = |text: Text| Member { owners: neighbours.owners(text.file), is_asked: asked.contains(&text.file), text };
    let mut texts = texts.into_iter();
    let group = |group: Vec<FileId>| Group(texts.by_ref().take(group.len()).filter(is_model).map(member).collect());
    groups.into_iter().map(group).filter(|group| !group.0.is_empty()).collect()
}
