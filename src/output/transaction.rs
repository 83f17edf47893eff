//! One write: stage, journal, put in place; and the way back.

use super::disk::{Disk, exists};
use super::journal::{Entry, Journal};
use super::{Change, Error, Recovery, STAGING, above};
use crate::baseline::Digest;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// A write that has not begun.
pub(super) struct Transaction<'a> {
    places: Places<'a>,
    journal: Journal,
    /// The text of each file of the journal that is written.
    texts: Vec<Option<String>>,
}

impl<'a> Transaction<'a> {
    /// Of the changes that change something.
    pub(super) fn new(root: &'a Utf8Path, disk: &'a Disk, changes: Vec<Change>) -> Result<Self, Error> {
        let places = Places { root, disk };
        let (mut files, mut texts) = (Vec::new(), Vec::new());
        for Change { path, text, .. } in changes {
            let previous = disk.digest(&root.join(&path))?;
            let next = text.as_ref().map(Digest::of);
            if previous != next {
                files.push(Entry { path, previous, next });
                texts.push(text);
            }
        }
        Ok(Self { places, journal: Journal::new(files), texts })
    }

    /// Whether there was anything to do.
    pub(super) fn run(self) -> Result<bool, Error> {
        if self.journal.files.is_empty() {
            return Ok(false);
        }
        let Self { places, journal, texts } = self;
        if let Err(cause) = places.stage(&journal, &texts) {
            // Nothing was put in place; what cannot be deleted now, the next run deletes.
            let _ = places.clean();
            return Err(cause);
        }
        if let Err(cause) = places.finish(&journal) {
            return Err(match places.undo(&journal) {
                Ok(()) => cause,
                Err(undo) => Error::Interrupted { cause: Box::new(cause), undo: Box::new(undo) },
            });
        }
        // All files are in place. If the journal cannot be deleted now, the next run finds that nothing is left to do.
        let _ = places.clean();
        Ok(true)
    }
}

/// Looks for what an interrupted run left, and puts it in order.
pub(super) fn recover(root: &Utf8Path, disk: &Disk) -> Result<Recovery, Error> {
    let places = Places { root, disk };
    if !exists(&places.staging()) {
        return Ok(Recovery::Nothing);
    }
    for path in [format!("{STAGING}/journal"), format!("{STAGING}/next/0"), format!("{STAGING}/previous/0")] {
        places.refuse_links(Utf8Path::new(&path))?;
    }
    let Some(text) = disk.read(&places.journal())? else {
        places.clean()?;
        return Ok(Recovery::RolledBack);
    };
    let journal = Journal::parse(&text, &places.journal())?;
    // The journal may come from somebody else's repository: it gets no further than a write would.
    journal.files.iter().try_for_each(|entry| places.refuse_links(&entry.path))?;
    places.refuse_others(&journal)?;
    let finished = if places.can_finish(&journal)? { places.finish(&journal) } else { Err(places.unfinishable()) };
    match finished {
        Ok(()) => places.clean().map(|()| Recovery::Finished),
        Err(cause) => match places.undo(&journal) {
            Ok(()) => Ok(Recovery::RolledBack),
            Err(undo) => Err(Error::Interrupted { cause: Box::new(cause), undo: Box::new(undo) }),
        },
    }
}

/// Where the parts of a write are.
struct Places<'a> {
    root: &'a Utf8Path,
    disk: &'a Disk,
}

impl Places<'_> {
    fn staging(&self) -> Utf8PathBuf {
        self.root.join(STAGING)
    }

    fn journal(&self) -> Utf8PathBuf {
        self.staging().join("journal")
    }

    /// The new file of a number.
    fn next(&self, number: usize) -> Utf8PathBuf {
        self.staging().join(format!("next/{number}"))
    }

    /// The replaced file of a number.
    fn previous(&self, number: usize) -> Utf8PathBuf {
        self.staging().join(format!("previous/{number}"))
    }

    /// Writes everything beside, and the journal last: it appears whole, by a rename.
    fn stage(&self, journal: &Journal, texts: &[Option<String>]) -> Result<(), Error> {
        for folder in ["next", "previous"] {
            self.disk.create_folders(&self.staging().join(folder))?;
        }
        let mut staged = vec![self.staging().join("journal.unfinished")];
        for (number, (entry, text)) in journal.files.iter().zip(texts).enumerate() {
            if entry.previous.is_some() {
                self.disk.keep(&self.root.join(&entry.path), &self.previous(number))?;
            }
            if let Some(text) = text {
                self.disk.create(&self.next(number), text)?;
                staged.push(self.next(number));
            }
        }
        self.disk.create(&self.staging().join("journal.unfinished"), &journal.text())?;
        self.disk.sync_files(&staged)?;
        for folder in ["next", "previous"] {
            self.disk.sync_folder(&self.staging().join(folder))?;
        }
        self.disk.rename(&self.staging().join("journal.unfinished"), &self.journal())?;
        self.disk.sync_folder(&self.staging())?;
        self.disk.sync_folder(self.root)
    }

    /// Whether every new file is still staged, or in place already.
    fn can_finish(&self, journal: &Journal) -> Result<bool, Error> {
        for (number, entry) in journal.files.iter().enumerate() {
            if let Some(next) = &entry.next
                && !exists(&self.next(number))
                && self.disk.digest(&self.root.join(&entry.path))?.as_ref() != Some(next)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn refuse_links(&self, path: &Utf8Path) -> Result<(), Error> {
        match above(self.root, path)? {
            Some(obstacle) => Err(Error::InTheWay { path: self.root.join(path), obstacle }),
            None => Ok(()),
        }
    }

    /// Neither finishing nor undoing may lose what somebody wrote since, or put files of one commit among those of another.
    fn refuse_others(&self, journal: &Journal) -> Result<(), Error> {
        for entry in &journal.files {
            let path = self.root.join(&entry.path);
            let found = self.disk.digest(&path)?;
            if found.is_some() && found != entry.previous && found != entry.next {
                return Err(Error::ChangedSince { path, staging: self.staging() });
            }
        }
        Ok(())
    }

    fn unfinishable(&self) -> Error {
        Error::BadJournal { path: self.staging(), reason: "new files are missing".to_owned() }
    }

    /// Puts every file in its place. Can be repeated.
    fn finish(&self, journal: &Journal) -> Result<(), Error> {
        let mut folders = BTreeSet::new();
        for (number, entry) in journal.files.iter().enumerate() {
            let target = self.root.join(&entry.path);
            let staged = self.next(number);
            if entry.next.is_none() {
                self.disk.remove(&target)?;
            } else if exists(&staged) {
                if let Some(folder) = target.parent() {
                    self.disk.create_folders(folder)?;
                }
                self.disk.rename(&staged, &target)?;
            }
            // With their own names, which may be new too.
            folders.extend(entry.path.ancestors().skip(1).map(|folder| self.root.join(folder)));
        }
        folders.extend(self.root.parent().map(Utf8Path::to_owned));
        folders.iter().try_for_each(|folder| self.disk.sync_folder(folder))?;
        self.prune(journal.files.iter().filter(|entry| entry.next.is_none()))
    }

    /// Puts back what was there. Can be repeated, until the journal is gone.
    fn undo(&self, journal: &Journal) -> Result<(), Error> {
        for (number, entry) in journal.files.iter().enumerate().rev() {
            let target = self.root.join(&entry.path);
            let kept = self.previous(number);
            if exists(&kept) {
                if let Some(folder) = target.parent() {
                    self.disk.create_folders(folder)?;
                }
                self.disk.rename(&kept, &target)?;
            } else if entry.previous.is_none() && self.disk.digest(&target)? == entry.next {
                self.disk.remove(&target)?;
            }
            if let Some(folder) = target.parent() {
                self.disk.sync_folder(folder)?;
            }
            if entry.previous.is_some() && self.disk.digest(&target)? != entry.previous {
                return Err(Error::BadJournal { path: self.staging(), reason: format!("what {target} was is lost") });
            }
        }
        self.prune(journal.files.iter().filter(|entry| entry.previous.is_none()))?;
        self.clean()
    }

    /// Deletes the journal, and then what it is about.
    fn clean(&self) -> Result<(), Error> {
        self.disk.remove(&self.journal())?;
        self.disk.sync_folder(&self.staging())?;
        self.disk.remove_all(&self.staging())?;
        self.disk.sync_folder(self.root)
    }

    /// Deletes folders that have become empty.
    fn prune<'e>(&self, gone: impl Iterator<Item = &'e Entry>) -> Result<(), Error> {
        for entry in gone {
            for folder in entry.path.ancestors().skip(1).filter(|folder| !folder.as_str().is_empty()) {
                if !self.disk.remove_if_empty(&self.root.join(folder))? {
                    break;
                }
            }
        }
        Ok(())
    }
}
