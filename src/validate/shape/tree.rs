//! Places in a tree, and how what is wrong is taken out of it.

use crate::source::{Kind, Node};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn at<'a>(node: &'a Node, path: &[String]) -> Option<&'a Node> {
    path.iter().try_fold(node, |node, segment| match &node.kind {
        Kind::Sequence(items) => items.get(segment.parse::<usize>().ok()?),
        _ => node.get(segment),
    })
}

fn at_mut<'a>(node: &'a mut Node, path: &[String]) -> Option<&'a mut Node> {
    path.iter().try_fold(node, |node, segment| match &mut node.kind {
        Kind::Sequence(items) => items.get_mut(segment.parse::<usize>().ok()?),
        Kind::Map(entries) => entries.iter_mut().find(|entry| entry.key == *segment).map(|entry| &mut entry.value),
        _ => None,
    })
}

/// Makes the value of the nearest key null; None for the root.
pub(super) fn blank(node: &mut Node, path: &[String]) -> Option<()> {
    let mut end = path.len();
    while end > 0 {
        let parent = at(node, path.get(..end - 1)?);
        if parent.is_none_or(|parent| matches!(parent.kind, Kind::Map(_))) {
            if let Some(found) = at_mut(node, path.get(..end)?) {
                found.kind = Kind::Null;
            }
            return Some(());
        }
        end -= 1;
    }
    None
}

/// Takes unknown keys away; a key that was meant stands in the place of its own, with a value that counts as reported.
pub(super) fn rename(node: &mut Node, map: &[String], keys: &BTreeMap<&str, Option<&str>>) {
    let Some(Node { kind: Kind::Map(entries), .. }) = at_mut(node, map) else { return };
    let mut taken = BTreeSet::new();
    entries.retain_mut(|entry| match keys.get(entry.key.as_str()) {
        None => true,
        Some(Some(meant)) if taken.insert(*meant) => {
            (*meant).clone_into(&mut entry.key);
            entry.value.kind = Kind::Null;
            true
        }
        Some(_) => false,
    });
}
