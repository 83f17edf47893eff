//! Terraform's `moved` blocks, one behind the other.

use std::collections::BTreeMap;

/// A label, and where `moved` blocks lead from it, step by step. A chain is as long as the map at most; one that goes in circles ends
/// there.
pub fn chain<'m>(moved: &'m BTreeMap<String, String>, label: &'m str) -> impl Iterator<Item = &'m str> + Clone {
    std::iter::successors(Some(label), |at| moved.get(*at).map(String::as_str)).take(moved.len() + 1)
}
