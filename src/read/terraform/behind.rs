//! What stands behind expressions that are kept as text: local values, variables with their defaults, data sources, and resources
//! of `hashicorp/random`, which are made of their arguments alone. The text says the same whatever these come to, so a table
//! carries them along beside it.

use super::Reader;
use super::scope::Scope;
use crate::schema::behind::{self, Definition, carry};
use crate::schema::{Part, Text, cql, each_text};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

impl Reader<'_> {
    /// Gives each table the definitions that its expressions need. Where all is evaluated, as in generated modules, no table is
    /// looked through.
    pub(super) fn carry_what_stands_behind(&mut self) {
        let scope = &self.scope;
        let left_open = scope.left_open();
        for table in self.module.schema.tables.values_mut().filter(|table| left_open || table.carries_text()) {
            let definitions = definitions(scope, &*table);
            carry(definitions, &mut table.about, &mut table.extra);
        }
        let tables = self.module.keyspaces.keyspaces.values_mut().flat_map(|keyspace| keyspace.tables.values_mut());
        for table in tables.filter(|table: &&mut cql::Table| left_open || !table.extra.is_empty()) {
            let definitions = definitions(scope, &*table);
            carry(definitions, &mut table.about, &mut table.extra);
        }
    }
}

/// What a definition is named by.
const ROOTS: &[&str] = &["local", "var"];

/// The definitions of all that the texts of an item name, by their addresses.
fn definitions(scope: &Scope<'_>, item: &impl Serialize) -> BTreeMap<String, Definition> {
    let mut open = BTreeSet::new();
    each_text(item, |text| open.extend(addresses(scope, text)));
    all(scope, open)
}

fn all(scope: &Scope<'_>, open: BTreeSet<String>) -> BTreeMap<String, Definition> {
    behind::definitions(open, String::clone, |address, open| {
        let definition = scope.definition(address)?;
        open.extend(addresses(scope, &definition.0));
        Some(definition)
    })
}

/// The addresses of definitions in a text: `local.name`, `var.name`, and those of blocks that are there.
fn addresses(scope: &Scope<'_>, text: &str) -> Vec<String> {
    let values = named(ROOTS, text).into_iter().map(|(root, name)| format!("{root}.{name}"));
    values.chain(scope.blocks_in(text).map(str::to_owned)).collect()
}

/// The sources of all that a text comes from: of its expressions, and of the definitions that these name.
pub(super) fn sources(scope: &Scope<'_>, text: &Text) -> Vec<String> {
    let expression = |part: &Part| match part {
        Part::Literal(_) => None,
        Part::Parameter(name) => Some(format!("var.{name}")),
        Part::Expression(source) => Some(source.clone()),
    };
    let mut sources: Vec<String> = text.parts().iter().filter_map(expression).collect();
    let open = sources.iter().flat_map(|source| addresses(scope, source)).collect();
    sources.extend(all(scope, open).into_values().map(|(source, _)| source));
    sources
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '-'
}

/// Whether an address stands in a text by itself, and is not a part of a longer one.
pub(super) fn names(text: &str, address: &str) -> bool {
    text.match_indices(address).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + address.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(|before| is_part(before) || before == '.') && !after.is_some_and(is_part)
    })
}

/// What a text names of some kinds: `local.base` is `base` of `local`.
pub(super) fn named(roots: &'static [&'static str], text: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for &root in roots {
        for (at, _) in text.match_indices(root) {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let rest = text.get(at + root.len()..).and_then(|rest| rest.strip_prefix('.'));
            if before.is_some_and(|before| is_part(before) || before == '.') {
                continue;
            }
            let name: String = rest.unwrap_or_default().chars().take_while(|letter| is_part(*letter)).collect();
            if !name.is_empty() {
                found.push((root, name));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{ROOTS, named};

    #[test]
    fn names_are_found_where_they_stand_by_themselves() {
        let found = named(
            ROOTS,
            "merge(local.base, { a = var.tags[\"x\"], b = each.value.local.no, c = myvar.no }) ${=local.base-2=} local.",
        );
        let expected = [("local", "base"), ("local", "base-2"), ("var", "tags")].map(|(root, name)| (root, name.to_owned()));
        assert_eq!(found, expected);
    }
}
