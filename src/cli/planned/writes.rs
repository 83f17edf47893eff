//! What a plan writes, and what of the files that are there forbids it.

use super::{Planned, Request};
use crate::baseline::migrations::is_migration;
use crate::baseline::{Digest, Edited, Place, lock};
use crate::diff::{Change, Plan};
use crate::emit::Artifact;
use crate::output::{self, Expected};
use crate::source::SourceMap;
use camino::{Utf8Path, Utf8PathBuf};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Whether a file, edited since it was generated, is what would be generated now: then nothing of it gets lost.
pub(super) fn is_as_generated(edited: &Edited, artifacts: &[Artifact]) -> bool {
    let next = artifacts.iter().find(|artifact| artifact.path == edited.path);
    next.map(|artifact| Digest::of(&artifact.text)) == edited.found
}

impl Planned {
    /// All that `gen apply` writes and deletes, the lock included, by their paths below the output folder of all models.
    pub(in crate::cli) fn writes(&self, sources: &SourceMap, request: Request<'_>) -> Vec<output::Change> {
        let expected = |path: &Utf8Path| {
            if request.discards(&self.folder.join(path)) {
                return Expected::Anything;
            }
            match self.locked.lock.as_ref().and_then(|lock| lock.files.get(path.as_str())) {
                Some(Some(digest)) => {
                    Expected::File(self.tree.checked_out(sources, path, digest).unwrap_or_else(|| digest.clone()))
                }
                Some(None) => Expected::Anything,
                None => Expected::Nothing,
            }
        };
        let change = |path: &Utf8Path, text: Option<&str>, expected| output::Change {
            path: self.place.folder().join(path),
            text: text.map(str::to_owned),
            expected,
        };
        // One that could not be read let no plan be made.
        let lock = self.tree.digest(sources, lock::NAME.into()).ok().flatten();
        let lock = lock.map_or(Expected::Nothing, Expected::File);
        let artifacts = self.artifacts.iter();
        let mut changes: Vec<output::Change> =
            artifacts.map(|artifact| change(&artifact.path, Some(&artifact.text), expected(&artifact.path))).collect();
        changes.extend(self.leftovers().into_iter().map(|path| change(path, None, expected(path))));
        changes.push(change(lock::NAME.into(), Some(&self.lock(sources).to_string()), lock));
        changes
    }

    /// The files as they should be, the lock last: path below the model's folder and text.
    pub(in crate::cli) fn texts(&self, sources: &SourceMap) -> impl Iterator<Item = (&Utf8Path, Cow<'_, str>)> {
        let files = self.artifacts.iter().map(|artifact| (artifact.path.as_path(), Cow::from(&artifact.text)));
        files.chain(std::iter::once((Utf8Path::new(lock::NAME), Cow::from(self.lock(sources).to_string()))))
    }

    /// Files of the previous lock that are no longer generated. Migrations that were written are no leftovers, even of an engine
    /// that has left: when it comes back, they tell where its clusters stand.
    pub(in crate::cli) fn leftovers(&self) -> Vec<&Utf8Path> {
        let artifacts = self.artifacts.iter().map(|artifact| &artifact.path);
        let generated: BTreeSet<&str> = artifacts.chain(self.written.keys()).map(|path| path.as_str()).collect();
        let known = self.locked.lock.iter().flat_map(|lock| lock.files.keys());
        let left = known.filter(|path| !generated.contains(path.as_str())).map(Utf8Path::new);
        let mut left: Vec<&Utf8Path> = left.filter(|path| !is_migration(path)).collect();
        left.sort_unstable();
        left
    }

    /// What is to be said of files that were edited or deleted by hand and that nobody gave up.
    pub(in crate::cli) fn kept_edits(&self, request: Request<'_>) -> Vec<String> {
        let files = self.locked.edited.iter().filter(|edited| !self.written.contains_key(&edited.path));
        let lost = files.filter(|edited| !is_as_generated(edited, &self.artifacts));
        let kept = lost.map(|edited| (self.folder.join(&edited.path), edited)).filter(|(path, _)| !request.discards(path));
        kept.map(|(path, edited)| match edited.found {
            Some(_) => format!("{path} was edited by hand; `--discard-edits {path}` overwrites it"),
            None => format!("{path} was deleted by hand; `--discard-edits {path}` writes it again"),
        })
        .collect()
    }

    /// Migrations that have other bytes than those that were written, or are gone. Nobody can give these up: they may have
    /// been run, and their text is nowhere else.
    pub(in crate::cli) fn edited_migrations(&self) -> Vec<Utf8PathBuf> {
        let edited = self.locked.edited.iter().filter(|edited| self.written.contains_key(&edited.path));
        edited.map(|edited| self.folder.join(&edited.path)).collect()
    }

    /// New migrations that would destroy something that the plan does not show, or that nobody meant: the plan was made from
    /// a file that was edited by hand, and the migration from the lock.
    pub(in crate::cli) fn unmeant(&self, plan: &Plan) -> Vec<Utf8PathBuf> {
        let is_meant = |id: &String| self.of(plan).any(|change| change.acknowledged.is_some() && change.id() == id);
        let unmeant = self.destroying.iter().filter(|(_, ids)| !ids.iter().all(is_meant));
        unmeant.map(|(path, _)| self.folder.join(path)).collect()
    }

    /// Its own changes in the plan of the run.
    pub(in crate::cli) fn of<'p>(&self, plan: &'p Plan) -> impl Iterator<Item = &'p Change> {
        let Place { model, environment, .. } = &self.place;
        plan.changes.iter().filter(move |change| change.model == *model && change.environment == *environment)
    }
}
