//! The models of a run, as far as their own texts go.

use crate::cli::workspace::{self, Workspace};
use crate::diagnostic::{Diagnostic, Sink};
use crate::source::FileId;
use crate::validate::Draft;

/// A model that was read.
pub(in crate::cli) struct Text {
    pub(in crate::cli) file: FileId,
    /// None when its shape is wrong; the findings say why.
    pub(in crate::cli) draft: Option<Draft>,
    pub(in crate::cli) findings: Vec<Diagnostic>,
}

/// Checks the shape of texts, and reads the files that they name. One of those that cannot be read is an error of the text.
pub(in crate::cli) fn of_files(workspace: &mut Workspace, files: Vec<FileId>) -> Vec<Text> {
    let sources = &workspace.sources;
    let texts = workspace.pool.map("reading", files, |file| {
        let mut sink = Sink::default();
        let draft = Draft::read(sources, file, &mut sink);
        Text { file, draft, findings: sink.into_sorted() }
    });
    for path in texts.iter().flat_map(|text| &text.draft).flat_map(Draft::named_files) {
        if let Some(text) = workspace::named(path) {
            workspace.sources.add(path, text);
        }
    }
    texts
}
