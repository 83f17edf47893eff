//! The few operations on files that a write consists of, each of which a test can make fail.

use super::Error;
use crate::baseline::Digest;
use crate::source::{read_bytes, read_text};
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::thread;

/// Files that are made durable at a time.
const SYNC_THREADS: usize = 32;

/// What an operation needs of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Space,
    Nothing,
}

/// Access to files.
#[derive(Debug, Default)]
pub(super) struct Disk {
    #[cfg(test)]
    pub(super) fault: fault::Fault,
}

/// Whether something is there; a link counts as itself.
pub(super) fn exists(path: &Utf8Path) -> bool {
    path.symlink_metadata().is_ok()
}

impl Disk {
    /// Before each operation: a test may make it fail.
    #[cfg(test)]
    fn step(&self, takes: Takes) -> io::Result<()> {
        self.fault.step(takes)
    }

    #[cfg(not(test))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "only a test's disk fails at will")]
    fn step(&self, _: Takes) -> io::Result<()> {
        Ok(())
    }

    /// The hash of a file; None when there is none.
    pub(super) fn digest(&self, path: &Utf8Path) -> Result<Option<Digest>, Error> {
        match self.step(Takes::Nothing).and_then(|()| read_bytes(path)) {
            Ok(bytes) => Ok(Some(Digest::of(bytes))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Error::io("read", path, source)),
        }
    }

    /// The text of a file; None when there is none.
    pub(super) fn read(&self, path: &Utf8Path) -> Result<Option<String>, Error> {
        match self.step(Takes::Nothing).and_then(|()| read_text(path)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Error::io("read", path, source)),
        }
    }

    /// Makes a folder and those above it.
    pub(super) fn create_folders(&self, path: &Utf8Path) -> Result<(), Error> {
        self.step(Takes::Space)
            .and_then(|()| fs::create_dir_all(path))
            .map_err(|source| Error::io("create the folder", path, source))
    }

    /// Writes a new file; [`Disk::sync_files`] makes it durable.
    pub(super) fn create(&self, path: &Utf8Path, text: &str) -> Result<(), Error> {
        let write = || {
            self.step(Takes::Space)?;
            let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
            if let Err(error) = self.step(Takes::Space) {
                // A crash in the middle leaves a part.
                file.write_all(text.as_bytes().get(..text.len() / 2).unwrap_or_default())?;
                return Err(error);
            }
            file.write_all(text.as_bytes())
        };
        write().map_err(|source| Error::io("write", path, source))
    }

    /// Makes the contents of files durable. A file system that is asked many times at once answers with few writes: for
    /// thousands of files that is seconds instead of half a minute.
    pub(super) fn sync_files(&self, paths: &[Utf8PathBuf]) -> Result<(), Error> {
        let sync = |path: &Utf8PathBuf| {
            OpenOptions::new()
                .write(true)
                .open(path)
                .and_then(|file| file.sync_all())
                .map_err(|source| Error::io("write", path, source))
        };
        self.step(Takes::Space).map_err(|source| Error::io("write", paths.first().map_or("".into(), |path| path), source))?;
        thread::scope(|scope| {
            let share = paths.len().div_ceil(SYNC_THREADS).max(1);
            let threads: Vec<_> = paths.chunks(share).map(|part| scope.spawn(move || part.iter().try_for_each(sync))).collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    /// Keeps a file under a second name; a copy where the file system has no links.
    pub(super) fn keep(&self, from: &Utf8Path, to: &Utf8Path) -> Result<(), Error> {
        let keep = || {
            self.step(Takes::Space)?;
            fs::hard_link(from, to).or_else(|_| {
                fs::copy(from, to)?;
                File::open(to)?.sync_all()
            })
        };
        keep().map_err(|source| Error::io("keep", from, source))
    }

    /// Puts a file in the place of another.
    pub(super) fn rename(&self, from: &Utf8Path, to: &Utf8Path) -> Result<(), Error> {
        self.step(Takes::Nothing).and_then(|()| fs::rename(from, to)).map_err(|source| Error::io("write", to, source))
    }

    /// Deletes a file; it need not exist.
    pub(super) fn remove(&self, path: &Utf8Path) -> Result<(), Error> {
        match self.step(Takes::Nothing).and_then(|()| fs::remove_file(path)) {
            Err(source) if source.kind() != ErrorKind::NotFound => Err(Error::io("delete", path, source)),
            _ => Ok(()),
        }
    }

    /// Deletes a folder with all that is in it; it need not exist.
    pub(super) fn remove_all(&self, path: &Utf8Path) -> Result<(), Error> {
        match self.step(Takes::Nothing).and_then(|()| fs::remove_dir_all(path)) {
            Err(source) if source.kind() != ErrorKind::NotFound => Err(Error::io("delete", path, source)),
            _ => Ok(()),
        }
    }

    /// Deletes a folder if nothing is in it; it need not exist. False when something is in it.
    pub(super) fn remove_if_empty(&self, path: &Utf8Path) -> Result<bool, Error> {
        match self.step(Takes::Nothing).and_then(|()| fs::remove_dir(path)) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => Ok(false),
            Err(source) if source.kind() != ErrorKind::NotFound => Err(Error::io("delete", path, source)),
            _ => Ok(true),
        }
    }

    /// Makes the names in a folder durable; it need not exist. Only Unix can.
    pub(super) fn sync_folder(&self, path: &Utf8Path) -> Result<(), Error> {
        // The folder above a relative path of one part.
        let path = if path.as_str().is_empty() { Utf8Path::new(".") } else { path };
        let sync = || {
            self.step(Takes::Nothing)?;
            if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
        };
        match sync() {
            Err(source) if source.kind() != ErrorKind::NotFound => Err(Error::io("write", path, source)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
pub(super) mod fault {
    //! Makes the n-th operation fail.

    use super::Takes;
    use std::cell::Cell;
    use std::io;

    /// How a disk fails.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(crate) enum Kind {
        /// Not at all.
        #[default]
        Never,
        /// This operation fails, later ones work: a lost network, a file in use.
        Once,
        /// This operation and all later ones that take space fail: a full disk.
        Full,
        /// This operation and all later ones fail: the process was killed.
        Crash,
    }

    /// A disk's fault.
    #[derive(Debug, Default)]
    pub(crate) struct Fault {
        pub(crate) kind: Kind,
        pub(crate) at: usize,
        pub(crate) count: Cell<usize>,
    }

    impl Fault {
        pub(super) fn step(&self, takes: Takes) -> io::Result<()> {
            let number = self.count.get();
            self.count.set(number + 1);
            let fails = match self.kind {
                Kind::Never => false,
                Kind::Once => number == self.at,
                Kind::Full => number >= self.at && takes == Takes::Space,
                Kind::Crash => number >= self.at,
            };
            if fails { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
    }
}
