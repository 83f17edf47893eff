//! Migrations that were written: the files `NNNN-what.cql` in the folder of an engine, and those that the lock knows of.

use super::tree::{Error, Tree};
use super::{Digest, Lock};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::emit::cql::migration::folder;
use crate::schema::Engine;
use crate::source::{FileId, SourceMap};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// The migrations of one engine, by their numbers.
#[derive(Debug, Default)]
pub struct History {
    /// Those in the folder: path below the model's output folder.
    present: BTreeMap<u32, Utf8PathBuf>,
    /// All numbers, of the folder and of the lock.
    numbers: BTreeSet<u32>,
}

impl History {
    /// Looks into the output folder and the lock. Error `migration-number-twice`.
    #[must_use]
    pub fn find(tree: &Tree, engine: Engine, lock: Option<&Lock>, sink: &mut Sink) -> Self {
        let folder = folder(engine);
        let mut all: BTreeMap<u32, BTreeSet<Utf8PathBuf>> = BTreeMap::new();
        let mut present = BTreeMap::new();
        let is_here = |path: &&Utf8Path| path.parent() == Some(&folder);
        for path in tree.paths().filter(is_here) {
            if let Some(number) = number(path) {
                present.insert(number, path.to_owned());
                all.entry(number).or_default().insert(path.to_owned());
            }
        }
        for path in lock.into_iter().flat_map(|lock| lock.files.keys()).map(Utf8Path::new).filter(is_here) {
            if let Some(number) = number(path) {
                all.entry(number).or_default().insert(path.to_owned());
            }
        }
        for (number, paths) in all.iter().filter(|(_, paths)| paths.len() > 1) {
            let names: Vec<String> = paths.iter().map(|path| format!("`{}`", tree.shown(path))).collect();
            let message = format!("{} have one number, {number}: nobody can tell which is run first", names.join(" and "));
            sink.push(
                Diagnostic::nowhere(codes::MIGRATION_NUMBER_TWICE, message).help(
                    "give the one that no cluster has run yet the next free number, in its name and in [files] of gen.lock",
                ),
            );
        }
        Self { present, numbers: all.into_keys().collect() }
    }

    /// Whether there is none, in the folder or in the lock.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The number of the next one.
    #[must_use]
    pub fn next(&self) -> u32 {
        self.numbers.last().map_or(1, |last| last.saturating_add(1))
    }

    /// Those that are in the folder, in their order: paths below the model's output folder.
    pub fn present(&self) -> impl Iterator<Item = &Utf8PathBuf> {
        self.present.values()
    }

    /// The texts of those that are in the folder, in their order.
    pub fn texts(&self, tree: &Tree) -> Result<Vec<FileId>, Error> {
        self.present.values().filter_map(|path| tree.text(path).transpose()).collect()
    }

    /// The hashes of those that are in the folder, without those whose hash is `known`.
    pub fn digests(
        &self,
        tree: &Tree,
        sources: &SourceMap,
        known: impl Fn(&Utf8Path) -> bool,
    ) -> Result<BTreeMap<Utf8PathBuf, Digest>, Error> {
        let digest = |path: &Utf8PathBuf| Some(tree.digest(sources, path).transpose()?.map(|digest| (path.clone(), digest)));
        self.present.values().filter(|path| !known(path)).filter_map(digest).collect()
    }
}

/// Whether a file, by its path below a model's output folder, is a migration.
#[must_use]
pub fn is_migration(path: &Utf8Path) -> bool {
    number(path).is_some() && Engine::ALL.iter().any(|engine| path.parent() == Some(&folder(*engine)))
}

/// Puts the files of one history in their order: by the number that their names start with, then by name. So `10-a.cql` comes
/// behind `9-b.cql`, as people mean it.
pub fn in_order(paths: &mut [Utf8PathBuf]) {
    paths.sort_by_cached_key(|path| (leading_number(path), path.clone()));
}

/// Leaves out what takes a migration back: of `0001_a.up.cql` and `0001_a.down.cql` the one goes forward.
pub fn forward(paths: &mut Vec<Utf8PathBuf>) {
    let back: Vec<Utf8PathBuf> = paths
        .iter()
        .filter_map(|path| path.as_str().strip_suffix(".up.cql").map(|stem| format!("{stem}.down.cql").into()))
        .collect();
    paths.retain(|path| !back.contains(path));
}

/// The number of a migration: `0012-add-orders-note.cql` is 12.
fn number(path: &Utf8Path) -> Option<u32> {
    let behind = path.file_name()?.trim_start_matches(|letter: char| letter.is_ascii_digit());
    (behind.starts_with('-') && path.extension() == Some("cql")).then(|| leading_number(path)?.try_into().ok())?
}

/// A time as a number too: `20240131120000_add.cql`.
fn leading_number(path: &Utf8Path) -> Option<u64> {
    let name = path.file_name()?.trim_start_matches(['V', 'v']);
    name.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Generation;
    use std::fs;

    fn history(files: &[&str], locked: &[&str]) -> (History, Vec<String>) {
        let root = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(root.path()).unwrap();
        let folder = root.join("cql/cassandra-5.0/migrations");
        fs::create_dir_all(&folder).unwrap();
        for name in files {
            fs::write(folder.join(name), "").unwrap();
        }
        let path = |name: &&str| (format!("cql/cassandra-5.0/migrations/{name}"), Some(Digest::of("")));
        let lock = Lock {
            model: "shop".into(),
            generation: Generation::new(),
            completed: Generation::new(),
            files: locked.iter().map(path).collect(),
        };
        let mut sink = Sink::default();
        let tree = Tree::read(&mut SourceMap::default(), root).unwrap();
        let found = History::find(&tree, Engine::Cassandra50, Some(&lock), &mut sink);
        (found, sink.into_sorted().into_iter().map(|problem| problem.message).collect())
    }

    #[test]
    fn the_next_number_is_above_all_of_folder_and_lock() {
        let (found, problems) = history(&["0001-create-shop.cql", "README.md", "0009-by-hand.cql.txt"], &["0004-gone.cql"]);
        assert_eq!((found.next(), found.present().count(), problems.len()), (5, 1, 0));
        let (found, _) = history(&[], &[]);
        assert_eq!((found.next(), found.is_empty()), (1, true));
        assert_eq!(history(&["12-a.cql", "9-b.cql"], &[]).0.next(), 13);
        assert_eq!(history(&["99999999999-a.cql"], &[]).0.next(), 1);
    }

    #[test]
    fn a_number_stands_for_one_migration() {
        let (_, problems) = history(&["0002-a.cql", "2-b.cql"], &["0002-a.cql", "0003-c.cql"]);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("0002-a.cql` and `") && problems[0].contains("have one number, 2"), "{problems:?}");
        assert_eq!(history(&["0003-a.cql"], &["0003-b.cql"]).1.len(), 1);
    }

    #[test]
    fn a_history_is_run_by_its_numbers() {
        let mut paths: Vec<Utf8PathBuf> = ["10-c.cql", "9-b.cql", "V2__a.cql", "x.cql"].map(Utf8PathBuf::from).into();
        in_order(&mut paths);
        assert_eq!(paths, ["x.cql", "V2__a.cql", "9-b.cql", "10-c.cql"]);
        // A time has more digits than a number of ours.
        let mut paths: Vec<Utf8PathBuf> = ["20240131120000_b.cql", "1_a.cql", "schema.cql"].map(Utf8PathBuf::from).into();
        in_order(&mut paths);
        assert_eq!(paths, ["schema.cql", "1_a.cql", "20240131120000_b.cql"]);
        let mut paths: Vec<Utf8PathBuf> = ["1_a.down.cql", "1_a.up.cql", "2_b.cql", "3_c.down.cql"].map(Utf8PathBuf::from).into();
        forward(&mut paths);
        assert_eq!(paths, ["1_a.up.cql", "2_b.cql", "3_c.down.cql"]);
        assert!(is_migration("cql/keyspaces/migrations/0001-x.cql".into()));
        assert!(!is_migration("cql/keyspaces/schema.cql".into()) && !is_migration("migrations/0001-x.cql".into()));
    }
}
