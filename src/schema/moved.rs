//! Terraform's `moved` blocks, one behind the other.

use std::collections::BTreeMap;

/// The key of the first of several instances, which is what a resource without `count` is.
pub const FIRST: &str = "0";

/// What blocks of a Terraform module name in parts. All values of this type are equal: it is no part of what a generation is.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The `moved` blocks that do, in their order.
    pub moves: Vec<Move>,
    /// What `removed` blocks name, where that is a part.
    pub removed: Vec<End>,
    /// What `import` blocks name, likewise.
    pub imported: Vec<End>,
}

impl PartialEq for Parts {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A `moved` block that names a part of what has a label, at either end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// What moves.
    pub from: End,
    /// Where to.
    pub to: End,
}

/// What a block of Terraform names: all of what has a label, or a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The label: `orders`, `module.orders`.
    pub label: String,
    /// The key of one instance of a resource or module with `count` or `for_each`, as it is written: `0`, `"a"`.
    pub instance: Option<String>,
    /// The resource inside the module: `this`.
    pub inside: Option<String>,
}

impl End {
    /// Whether it names a part.
    #[must_use]
    pub fn is_part(&self) -> bool {
        self.instance.is_some() || self.inside.is_some()
    }
}

/// A label, and where `moved` blocks lead from it, step by step. A chain is as long as the map at most; one that goes in circles ends
/// there.
pub fn chain<'m>(moved: &'m BTreeMap<String, String>, label: &'m str) -> impl Iterator<Item = &'m str> + Clone {
    std::iter::successors(Some(label), |at| moved.get(*at).map(String::as_str)).take(moved.len() + 1)
}
