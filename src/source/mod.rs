//! Text in, byte spans out. The only stage that knows the syntax of YAML and JSON.

mod conflict;
mod de;
mod file;
mod inside;
mod node;
#[cfg(test)]
pub(crate) mod samples;
mod scalar;
pub(crate) mod search;
mod yaml;

pub use conflict::conflict;
pub use de::{Error as ShapeError, from_node};
pub use file::{normal, read_bytes, read_text};
pub use inside::Inside;
pub use node::{Entry, Kind, Node, Tag};
pub use scalar::{json_number, yaml_1_1};
pub use yaml::parse;
pub(crate) use yaml::{is_cut_off, is_cut_off_text, unquoted_comma};

use camino::{Utf8Path, Utf8PathBuf};
use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

/// The byte order mark.
pub const MARK: char = '\u{feff}';

/// A file in a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// A range of bytes in one file; `end` is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from byte offsets; offsets beyond 4 GiB are cut off (larger files are refused when they are read).
    #[must_use]
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { file, start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The smallest span that holds both. Both must lie in one file; otherwise `self` is returned.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.file == other.file {
            Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
        } else {
            self
        }
    }

    /// A part of this span, in bytes from its start; never reaches beyond its end.
    #[must_use]
    pub fn part(self, start: usize, end: usize) -> Self {
        let base = self.start as usize;
        let limit = self.end as usize;
        Self::new(self.file, (base + start).min(limit), (base + end).min(limit))
    }

    /// The byte range.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Joins a value and its place.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }

    /// Another value at the same place.
    pub fn map<U>(self, with: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: with(self.value), span: self.span }
    }
}

impl<T> std::ops::Deref for Spanned<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: fmt::Display> fmt::Display for Spanned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// Line and column, both from 1; the column counts characters, as editors do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One text that was read.
#[derive(Debug)]
pub struct SourceFile {
    /// The path as it is shown to the user.
    pub path: Utf8PathBuf,
    /// The text, without a byte order mark.
    pub text: String,
    /// Whether it had a byte order mark.
    pub has_mark: bool,
    /// Found when they are first asked for: most files of a run are never pointed at.
    line_starts: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// The line, from 1, that a byte is in.
    #[must_use]
    pub fn line_of(&self, offset: usize) -> usize {
        self.line_starts().partition_point(|&start| start as usize <= offset).max(1)
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let ends = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(ends.map(|(offset, _)| u32::try_from(offset + 1).unwrap_or(u32::MAX))).collect()
        })
    }
}

/// All texts of one run.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    by_path: HashMap<Utf8PathBuf, FileId>,
}

impl SourceMap {
    /// The file with a path, the last one that was taken in.
    #[must_use]
    pub fn find(&self, path: &Utf8Path) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    /// Takes a text in; a leading byte order mark is dropped.
    pub fn add(&mut self, path: impl Into<Utf8PathBuf>, text: impl Into<String>) -> FileId {
        let (path, mut text) = (path.into(), text.into());
        let has_mark = text.starts_with(MARK);
        if has_mark {
            text.drain(..MARK.len_utf8());
        }
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.by_path.insert(path.clone(), id);
        self.files.push(SourceFile { path, text, has_mark, line_starts: OnceLock::new() });
        id
    }

    /// A file by its id. Ids only come from [`SourceMap::add`], so the lookup always succeeds for ids of this map.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The text of a file, empty for an unknown id.
    #[must_use]
    pub fn text(&self, id: FileId) -> &str {
        self.get(id).map_or("", |file| file.text.as_str())
    }

    /// The path of a file, empty for an unknown id.
    #[must_use]
    pub fn path(&self, id: FileId) -> &Utf8Path {
        self.get(id).map_or(Utf8Path::new(""), |file| file.path.as_path())
    }

    /// The text under a span.
    #[must_use]
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.file).get(span.range()).unwrap_or("")
    }

    /// Line and column of the start of a span.
    #[must_use]
    pub fn position(&self, span: Span) -> Position {
        let Some(file) = self.get(span.file) else { return Position { line: 1, column: 1 } };
        let line = file.line_of(span.start as usize);
        let start = file.line_starts().get(line - 1).copied().unwrap_or(0) as usize;
        let before = file.text.get(start..span.start as usize).unwrap_or("");
        Position { line, column: before.chars().count() + 1 }
    }
}
