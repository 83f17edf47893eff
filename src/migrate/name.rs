//! What a file of a migration is called, and what its head says: the changes it carries out.

use crate::diff::{Action, Change, Shown};
use crate::schema::{Address, Backend};

/// The longest name of a file, without its number and ending.
const LONGEST: usize = 80;

/// The name of a script by the worst of its changes: `add-orders-note`.
pub(super) fn of_worst(backend: Backend, changes: &[&Change]) -> Option<String> {
    let mut worst: Option<&Change> = None;
    for change in changes {
        let rank = |change: &Change| change.effects.get(&backend).map(|effect| effect.rank());
        if worst.is_none_or(|known| rank(change) > rank(known)) {
            worst = Some(change);
        }
    }
    worst.map(of_change)
}

/// `add-orders-note`: what is done, the table, and what of it.
fn of_change(change: &Change) -> String {
    let mut parts = vec![verb(change)];
    let table = change.address.table();
    parts.push(table.name());
    if table != change.address {
        parts.push(change.address.name());
    }
    if let Some(path) = change.path.as_ref().filter(|path| *path != "name") {
        // The entry of a map stands for itself: `columns.note`.
        let (head, key) = path.split_once('.').unwrap_or((path, ""));
        parts.push(if key.is_empty() { head } else { key });
    }
    slug(&parts)
}

/// What a statement does: an option that is set for the first time, or set back, is altered.
fn verb(change: &Change) -> &'static str {
    let is_item = |path: &str| path.starts_with("columns.") || path.starts_with("fields.");
    match (change.action, &change.path) {
        (Action::Add, None) => "create",
        (Action::Add, Some(path)) if is_item(path) => "add",
        (Action::Drop, path) if path.as_deref().is_none_or(is_item) => "drop",
        (Action::Rename, _) => "rename",
        // A table goes and comes with a type that it holds.
        (_, Some(path)) if path.starts_with("types.") => "recreate",
        _ => "alter",
    }
}

/// A part of a file name that any file system takes.
pub(super) fn slug(parts: &[&str]) -> String {
    let word = |part: &&str| {
        let mut word = String::new();
        for letter in part.to_lowercase().chars() {
            match letter {
                'a'..='z' | '0'..='9' | '_' => word.push(letter),
                _ if word.ends_with('-') => {}
                _ => word.push('-'),
            }
        }
        word.trim_matches('-').to_owned()
    };
    let words: Vec<String> = parts.iter().map(word).filter(|word| !word.is_empty()).collect();
    let mut name = words.join("-");
    name.truncate(LONGEST);
    name.trim_end_matches('-').to_owned()
}

/// A line of the head: `add cql.orders columns.note`.
pub(super) fn line(change: &Change) -> String {
    let path = change.path.as_ref().map_or_else(String::new, |path| format!(" {path}"));
    let to = match (&change.before, change.action) {
        (Some(before), Action::Rename) => before.as_str().map_or_else(String::new, |before| format!(" (it was {before})")),
        _ => String::new(),
    };
    format!("{} {}{path}{to}", verb(change), change.address)
}

/// Whether a change is one of a table, of its indexes or of its views. A table has one key on each side.
pub(super) fn is_of_table(change: &Change, keyspace: &str, keys: [Option<&str>; 2]) -> bool {
    let Address::CqlTable(of, key) = change.address.table() else { return false };
    of.is_none_or(|of| of == keyspace) && keys.contains(&Some(key.as_str()))
}

/// Whether a change gives another name to what had this one.
pub(super) fn is_renamed_from(change: &Change, name: &str) -> bool {
    is_renamed(change) && change.before.as_ref().and_then(Shown::as_str) == Some(name)
}

/// Whether a change gives a table, keyspace or type another name: what has the next one is made, what had the previous one goes.
pub(super) fn is_renamed(change: &Change) -> bool {
    change.action == Action::Rename && change.path.as_deref() == Some("name")
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn names_of_files_are_plain() {
        assert_eq!(slug(&["add", "orders", "E Mail"]), "add-orders-e-mail");
        assert_eq!(slug(&["add", "数", "../x", "a_b"]), "add-x-a_b");
        assert_eq!(slug(&["add", &"x".repeat(200)]).len(), 80);
        assert_eq!(slug(&["ü"]), "");
    }
}
