//! One writer at a time, by a lock of the operating system: it ends with the process, however that ends.

use super::Error;
use super::disk::Disk;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::thread;
use std::time::Duration;

/// The file that is locked, below the output folder. It is there only while somebody writes.
pub(super) const NAME: &str = ".gen.apply.lock";

/// How long to wait for it. Another run may be about to end; and a program that another thread has just started holds all open
/// files until it is itself. A run that really writes takes longer.
const PATIENCE: Duration = Duration::from_millis(500);
const PAUSE: Duration = Duration::from_millis(10);

/// The right to write, until it is dropped.
#[derive(Debug)]
pub(super) struct Exclusive<'a> {
    root: &'a Utf8Path,
    path: Utf8PathBuf,
    disk: &'a Disk,
    _file: File,
}

impl<'a> Exclusive<'a> {
    /// Takes it, or says that somebody else has it.
    pub(super) fn take(root: &'a Utf8Path, disk: &'a Disk) -> Result<Self, Error> {
        let path = root.join(NAME);
        let mut patience = PATIENCE;
        loop {
            disk.create_folders(root)?;
            if path.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
                return Err(Error::io("lock", &path, io::Error::other("it is a link")));
            }
            let file = match OpenOptions::new().create(true).truncate(false).write(true).open(&path) {
                // The run that was here before has just cleaned up the folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                opened => opened.map_err(|source| Error::io("lock", &path, source))?,
            };
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => return Ok(Self { root, path, disk, _file: file }),
                // The run that had it deleted the file before it let go.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if patience.is_zero() => return Err(Error::Held { path: root.to_owned() }),
                Err(TryLockError::WouldBlock) => {
                    patience = patience.saturating_sub(PAUSE);
                    thread::sleep(PAUSE);
                }
                Err(TryLockError::Error(source)) => return Err(Error::io("lock", &path, source)),
            }
        }
    }
}

impl Drop for Exclusive<'_> {
    fn drop(&mut self) {
        // Elsewhere an open file cannot be deleted; then it stays, and harms nobody.
        if cfg!(unix) && self.disk.remove(&self.path).is_ok() {
            let _ = self.disk.remove_if_empty(self.root);
        }
    }
}

/// Whether a path still leads to an open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Utf8Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |(open, named): (std::fs::Metadata, std::fs::Metadata)| open.ino() == named.ino() && open.dev() == named.dev();
    file.metadata().ok().zip(path.metadata().ok()).is_some_and(same)
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Utf8Path) -> bool {
    true
}
