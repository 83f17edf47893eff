//! Finding `gen.yaml` and the models.

use super::{Config, NAME};
use crate::source::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use std::{fs, io};

/// A folder or file that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}: {source}")]
pub struct Error {
    path: Utf8PathBuf,
    source: io::Error,
}

impl Error {
    /// Whether there is no such file or folder.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.source.kind() == io::ErrorKind::NotFound
    }
}

/// The nearest `gen.yaml`, in a folder or one above it, whatever it is: one that cannot be read must not be passed over.
/// `from` is absolute.
#[must_use]
pub fn find(from: &Utf8Path) -> Option<Utf8PathBuf> {
    from.ancestors().map(|folder| folder.join(NAME)).find(|path| path.symlink_metadata().is_ok())
}

/// The model files that a configuration names, sorted, each once. `root` is the folder of `gen.yaml`.
pub fn models_in(root: &Utf8Path, config: &Config) -> Result<Vec<Utf8PathBuf>, Error> {
    let paths = config.models.iter().map(|path| if root.as_str().is_empty() { path.clone() } else { root.join(path) });
    models_at(paths, &root.join(&config.output))
}

/// The model files that are named by themselves or by a folder they are in, sorted, each once. What is in the folder of the
/// output is no model.
pub fn models_at(paths: impl IntoIterator<Item = Utf8PathBuf>, output: &Utf8Path) -> Result<Vec<Utf8PathBuf>, Error> {
    let output = normal(output);
    let mut found = Vec::new();
    let mut named = 0;
    for path in paths {
        named += 1;
        collect(&path, &output, &mut found).map_err(|source| Error { path, source })?;
    }
    let mut found: Vec<Utf8PathBuf> = found.iter().map(|path| normal(path)).collect();
    found.sort_unstable();
    if named > 1 {
        // One file may be called in many ways: `models/a.yaml`, `../here/models/a.yaml`.
        let mut known = BTreeSet::new();
        found.retain(|path| path.canonicalize_utf8().map_or(true, |real| known.insert(real)));
    }
    Ok(found)
}

/// A file as it is; of a folder what may be a model, in it and below it. Links to folders are not followed, so that the walk ends.
fn collect(path: &Utf8Path, output: &Utf8Path, found: &mut Vec<Utf8PathBuf>) -> io::Result<()> {
    if !fs::metadata(path)?.is_dir() {
        found.push(path.to_owned());
        return Ok(());
    }
    for entry in path.read_dir_utf8()? {
        let entry = entry?;
        let (name, path) = (entry.file_name(), entry.path());
        if name.starts_with('.') {
            continue;
        }
        if entry.file_type()?.is_dir() {
            if normal(path) != output {
                collect(path, output, found)?;
            }
        } else if is_model(name) {
            found.push(path.to_owned());
        }
    }
    Ok(())
}

/// The files that may be models in a folder itself; none when it cannot be listed.
#[must_use]
pub fn models_beside(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let folder = if folder.as_str().is_empty() { Utf8Path::new(".") } else { folder };
    let entries = folder.read_dir_utf8().into_iter().flatten().filter_map(Result::ok);
    entries.filter(|entry| is_model(entry.file_name())).map(|entry| entry.path().to_owned()).collect()
}

/// Whether a file of that name may be a model.
#[must_use]
pub fn is_model(name: &str) -> bool {
    let ending = Utf8Path::new(name).extension();
    name != NAME && !name.starts_with('.') && matches!(ending, Some("yaml" | "yml" | "json")) && !name.ends_with(".schema.json")
}
