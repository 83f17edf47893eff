//! Where "previous" comes from: the lock, the files beside it, git, or a file somebody names.

pub mod acknowledgements;
mod align;
mod basis;
mod carry;
pub mod changed;
pub mod git;
pub mod lock;
pub mod migrations;
mod previous;
mod tree;
mod unified;

pub use acknowledgements::{Acknowledgement, Acknowledgements};
pub use basis::{Basis, Given, Laid, Place};
pub use carry::carry;
pub use changed::Changed;
pub use lock::{Digest, Lock};
pub use previous::{Edited, Kind, Previous, is_model, of_tree, previous};
pub use tree::{Error, FOLDERS, Tree};
pub use unified::unified;

use camino::{Utf8Component, Utf8Path};

/// Whether a path, as it was written, leads to something inside the folder it is relative to: no `..`, no root, nothing
/// that a line of a lock or a journal could not hold.
#[must_use]
pub fn is_inside(path: &str) -> bool {
    let mut components = Utf8Path::new(path).components().peekable();
    components.peek().is_some()
        && !path.chars().any(char::is_control)
        && !path.contains('\\')
        && components.all(|component| matches!(component, Utf8Component::Normal(_)))
}

#[cfg(test)]
mod tests;
