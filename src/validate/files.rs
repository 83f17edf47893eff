//! The files that a model names: whoever reads the model reads them too, before it is checked.

use crate::source::{FileId, Node, SourceMap};
use camino::{Utf8Path, Utf8PathBuf};

/// The key of a table whose value may be a path.
const POLICY: &str = "resource_policy";

/// The paths that a model names, as they are looked up among the sources when it is resolved.
pub(super) fn named_files(sources: &SourceMap, model: FileId, root: &Node) -> Vec<Utf8PathBuf> {
    let tables = root.get("dynamodb").and_then(|section| section.get("tables"));
    let tables = tables.into_iter().flat_map(Node::entries);
    let paths = tables.filter_map(|table| table.value.get(POLICY)?.as_str());
    paths.map(|path| beside(sources, model, path)).collect()
}

/// A path that a model names, from where the model lies.
pub(super) fn beside(sources: &SourceMap, model: FileId, path: &str) -> Utf8PathBuf {
    sources.path(model).parent().unwrap_or(Utf8Path::new("")).join(path)
}
