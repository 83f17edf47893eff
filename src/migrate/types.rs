//! User types: fields are renamed, altered where the engine can, and appended. A type that cannot be altered is made anew, with
//! the tables that hold it.

use super::holders::Holders;
use super::name;
use super::scripts::{Destruction, Phase, Work, drop_type};
use super::table::{drop_index, drop_view};
use crate::diff::{Action, Change, Pair};
use crate::emit::cql::migration::{Statement, Step};
use crate::emit::cql::{in_order, qualified};
use crate::schema::Address;
use crate::schema::cql::{Keyspace, UserType, identifier, type_identifier};
use std::collections::BTreeSet;

/// Types that are made anew, and the names of the tables that have to go and come with them.
#[derive(Default)]
pub(super) struct Anew<'a> {
    pub(super) types: BTreeSet<&'a str>,
    pub(super) tables: BTreeSet<&'a str>,
}

/// The statements that alter a type, without what stands before it: `RENAME a TO b`. The fields are in the order in which the
/// engine holds them, so new ones stand behind the others.
pub(super) fn alter(previous: &UserType, next: &UserType) -> Vec<String> {
    let has = |of: &UserType, field: &str| of.fields.iter().any(|(name, _)| name == field);
    let mut renames = Vec::new();
    let mut others = Vec::new();
    for ((from, kind), (to, other)) in previous.fields.iter().zip(&next.fields) {
        if from != to && !has(next, from) && !has(previous, to) {
            renames.push(format!("{} TO {}", identifier(from), identifier(to)));
        }
        if kind != other {
            others.push(format!("ALTER {} TYPE {other}", identifier(to)));
        }
    }
    let added = next.fields.iter().skip(previous.fields.len());
    others.extend(added.map(|(field, kind)| format!("ADD {} {kind}", identifier(field))));
    let renames = (!renames.is_empty()).then(|| format!("RENAME {}", renames.join(" AND ")));
    renames.into_iter().chain(others).collect()
}

impl<'a> Work<'a> {
    /// New and altered types; types that have to be made anew take the tables that hold them along.
    pub(super) fn types(&mut self, keyspace: &'a str, pair: Pair<&'a Keyspace>, named: &Pair<Holders<'a>>) -> Anew<'a> {
        let anew = self.made_anew(pair);
        let new = |user: &str| !pair.previous.types.contains_key(user) || anew.types.contains(user);
        let create = || -> Vec<Step<'a>> {
            let types = in_order(&pair.next.types).filter(|(user, _)| new(user));
            types.map(|(user, of)| Self::bare(Statement::Type(keyspace, user, of))).collect()
        };
        if anew.types.is_empty() {
            for step in create() {
                self.add(Phase::Types, step);
            }
        } else {
            let mut steps = self.names_taken(keyspace, pair, &anew);
            for (_, table) in anew.tables.iter().filter_map(|name| named.previous.table(name)) {
                steps.extend(Self::drop_table(keyspace, table, &BTreeSet::new()));
            }
            steps.extend(
                in_order(&pair.previous.types)
                    .rev()
                    .filter(|(user, _)| anew.types.contains(user.as_str()))
                    .map(|(user, _)| drop_type(keyspace, user)),
            );
            steps.extend(create());
            for (key, table) in pair.next.tables.iter().filter(|(_, table)| anew.tables.contains(table.name.as_str())) {
                steps.extend(self.whole_table(keyspace, key, table));
                self.recreated.push((keyspace.to_owned(), key.clone()));
            }
            let keys: Vec<&str> = [pair.previous, pair.next]
                .into_iter()
                .flat_map(|side| side.tables.iter().filter(|(_, table)| anew.tables.contains(table.name.as_str())))
                .map(|(key, _)| key.as_str())
                .collect();
            let changes = self.which(|change| match &change.address {
                Address::UserType(user) => anew.types.contains(user.as_str()) || change.action == Action::Add,
                _ => keys.iter().any(|key| name::is_of_table(change, keyspace, [Some(*key), None])),
            });
            let first = anew.types.iter().next().copied().unwrap_or_default();
            self.anew = Some(Destruction { name: name::slug(&["recreate", first]), steps, changes });
        }
        for user in pair.next.types.keys().filter(|user| !new(user)) {
            let normal = (
                self.normal.previous.keyspaces.get(keyspace).and_then(|of| of.types.get(user)),
                self.normal.next.keyspaces.get(keyspace).and_then(|of| of.types.get(user)),
            );
            let (Some(before), Some(after)) = normal else { continue };
            let altered = qualified(keyspace, &type_identifier(user));
            for clause in alter(before, after) {
                let address = Address::UserType(user.clone());
                let statement = Statement::Text(format!("ALTER TYPE {altered} {clause}"));
                let step = self.step(statement, &self.which(|change| change.address == address));
                self.add(Phase::Types, step);
            }
        }
        anew
    }

    /// Drops the views and indexes of other tables whose names are taken by what comes anew with its type.
    fn names_taken(&mut self, keyspace: &'a str, pair: Pair<&'a Keyspace>, anew: &Anew<'a>) -> Vec<Step<'a>> {
        let next = || pair.next.tables.values().filter(|table| anew.tables.contains(table.name.as_str()));
        let others = pair.previous.tables.values().filter(|table| !anew.tables.contains(table.name.as_str()));
        let mut steps = Vec::new();
        for table in others {
            for view in table.views.keys().filter(|view| next().any(|other| other.views.contains_key(view))) {
                steps.push(Self::text(drop_view(keyspace, view)));
                self.gone_early.insert(view);
            }
            for index in table.indexes.keys().filter(|index| next().any(|other| other.indexes.contains_key(index))) {
                steps.push(Self::text(drop_index(keyspace, index)));
                self.gone_early.insert(index);
            }
        }
        steps
    }

    /// The types that have to be made anew, those that hold them, and the tables that hold any of these.
    fn made_anew(&self, pair: Pair<&'a Keyspace>) -> Anew<'a> {
        let refused: BTreeSet<&str> = self
            .changes
            .iter()
            .filter(|change| self.recreates(change))
            .filter_map(|change| if let Address::UserType(user) = &change.address { Some(user.as_str()) } else { None })
            .collect();
        let both = pair.previous.types.keys().filter(|user| pair.next.types.contains_key(*user)).map(String::as_str);
        let of_refused: BTreeSet<&'a str> = both.clone().filter(|user| refused.contains(user)).collect();
        if of_refused.is_empty() {
            return Anew::default();
        }
        let holds = |user: &str| {
            let mut fields = pair.previous.types.get(user).into_iter().flat_map(|of| &of.fields);
            of_refused.contains(user) || fields.any(|(_, kind)| !pair.previous.held_in(kind).is_disjoint(&of_refused))
        };
        let types: BTreeSet<&'a str> = pair.previous.types.keys().map(String::as_str).filter(|user| holds(user)).collect();
        let tables = pair.previous.tables.values();
        let held = tables.filter(|table| !pair.previous.held_by(table).is_disjoint(&of_refused));
        Anew { tables: held.map(|table| table.name.as_str()).collect(), types }
    }

    /// Types that are gone: at the end of the ordinary migration, or behind the destruction of what still uses them.
    pub(super) fn unused_types(
        &mut self,
        keyspace: &'a str,
        pair: Pair<&'a Keyspace>,
        named: &Pair<Holders<'a>>,
        anew: &Anew<'a>,
    ) {
        let mut late: BTreeSet<&str> = BTreeSet::new();
        let recreated: BTreeSet<&str> =
            self.recreated.iter().filter(|(of, _)| of == keyspace).map(|(_, key)| key.as_str()).collect();
        for table in pair.previous.tables.values().filter(|table| !anew.tables.contains(table.name.as_str())) {
            let next = named.next.table(&table.name);
            // What a view takes the name of goes before the ordinary migration.
            if next.is_none() && named.next.has_view(&table.name) {
                continue;
            }
            let after = next.filter(|(key, _)| !recreated.contains(key)).map(|(_, after)| after);
            for (name, column) in &table.columns {
                if !after.is_some_and(|after| after.columns.contains_key(name)) {
                    late.extend(pair.previous.held_in(&column.kind));
                }
            }
        }
        let gone = in_order(&pair.previous.types)
            .rev()
            .filter(|(user, _)| !pair.next.types.contains_key(*user) && !anew.types.contains(user.as_str()));
        let (late, unused): (Vec<_>, Vec<_>) = gone.map(|(user, _)| user).partition(|user| late.contains(user.as_str()));
        for user in unused {
            self.add(Phase::Unused, drop_type(keyspace, user));
        }
        let is_late = |change: &Change| matches!(&change.address, Address::UserType(user) if late.contains(&user));
        let changes = self.which(|change| is_late(change) && change.action == Action::Drop);
        if let Some(last) = self.behind.last_mut() {
            last.changes.extend(changes);
            last.steps.extend(late.iter().map(|user| drop_type(keyspace, user)));
        }
    }
}
