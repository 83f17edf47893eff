//! Texts that tests of readers take: the files of the repository, and random edits of them.

use camino::{Utf8Path, Utf8PathBuf};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::ops::Range;

/// The files with one of some extensions that are in a folder of the repository, sorted, with their paths below its root.
pub(crate) fn files(folder: &str, extensions: &[&str]) -> Vec<(Utf8PathBuf, String)> {
    let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().unwrap() {
            let path = entry.unwrap().into_path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extensions.contains(&extension)) {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root).unwrap().to_owned(), text));
            }
        }
    }
    found.sort();
    found
}

/// A text with a few changes: each takes some characters out, and puts a piece in.
pub(crate) fn edited(mut text: String, edits: &[(Index, usize, &str)]) -> String {
    for (at, length, piece) in edits {
        let mut places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        places.push(text.len());
        let start = at.index(places.len());
        let end = (start + length).min(places.len() - 1);
        text.replace_range(places[start]..places[end], piece);
    }
    text
}

/// Changes of a text, which put in one of some pieces.
pub(crate) fn edits(
    pieces: &'static [&'static str],
    count: Range<usize>,
) -> impl Strategy<Value = Vec<(Index, usize, &'static str)>> {
    let piece = prop_oneof![1 => Just(""), 3 => select(pieces)];
    prop::collection::vec((any::<Index>(), 0..3_usize, piece), count)
}

/// Mostly one of the first, which are harmless.
pub(crate) fn mostly<T: Clone + std::fmt::Debug + 'static>(
    harmless: &[T],
    others: &[T],
) -> impl Strategy<Value = T> + Clone + use<T> {
    prop_oneof![40 => select(harmless.to_vec()), 1 => select(others.to_vec())]
}
