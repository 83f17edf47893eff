//! What happens to the files.

use super::SHOWN;
use crate::diff::{FileAction, Plan};
use crate::report::Palette;
use anstyle::Style;
use camino::Utf8Path;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The files one by one; of several models or environments, when that are many, how many in each folder, or how many in all.
pub(super) fn write(text: &mut String, plan: &Plan, palette: Palette) {
    if plan.files.is_empty() {
        return;
    }
    let count = plan.files.len();
    let noun = if count == 1 { "file" } else { "files" };
    let rewritten = plan.files.iter().all(|file| file.action == FileAction::Change);
    let note = if plan.changes.is_empty() && rewritten { " rewritten (no table changes)" } else { "" };
    let _ = write!(text, "\n{count} {noun}{note}");
    if plan.sources.is_empty() || count <= SHOWN {
        text.push_str(":\n");
        for file in &plan.files {
            let (sign, style) = sign(file.action, palette);
            let _ = writeln!(text, "  {style}{sign}{style:#} {}", file.path);
        }
        return;
    }
    let mut folders: BTreeMap<&Utf8Path, BTreeMap<FileAction, usize>> = BTreeMap::new();
    for file in &plan.files {
        *folders.entry(folder(&file.path)).or_default().entry(file.action).or_default() += 1;
    }
    let counts = |actions: &BTreeMap<FileAction, usize>| {
        let told = actions.iter().map(|(action, count)| {
            let (sign, style) = sign(*action, palette);
            format!("{style}{sign}{style:#}{count}")
        });
        told.collect::<Vec<_>>().join(" ")
    };
    if folders.len() <= SHOWN {
        text.push_str(":\n");
        for (folder, actions) in &folders {
            let _ = writeln!(text, "  {folder}  {}", counts(actions));
        }
    } else {
        let mut all: BTreeMap<FileAction, usize> = BTreeMap::new();
        for (action, count) in folders.values().flatten() {
            *all.entry(*action).or_default() += count;
        }
        let _ = writeln!(text, " in {} folders: {}", folders.len(), counts(&all));
    }
}

/// The output folder of a model that a file is in.
fn folder(path: &Utf8Path) -> &Utf8Path {
    let is_ours =
        |folder: &&Utf8Path| folder.file_name().is_some_and(|name| ["terraform", "cloudformation", "cql"].contains(&name));
    path.ancestors().skip(1).find(is_ours).and_then(Utf8Path::parent).unwrap_or(path)
}

fn sign(action: FileAction, palette: Palette) -> (char, Style) {
    match action {
        FileAction::Add => ('+', palette.good),
        FileAction::Change => ('~', palette.caution),
        FileAction::Delete => ('-', palette.danger),
    }
}
