//! Tables, with their columns, indexes and views.

use super::holders::Holders;
use super::scripts::{Destruction, Phase, Work};
use super::types::Anew;
use super::{name, option};
use crate::diff::{Action, Change, Pair, renamed_keys};
use crate::emit::cql::migration::{Statement, Step};
use crate::emit::cql::qualified;
use crate::schema::cql::{Column, Index, Keyspace, Table, View, identifier};
use crate::schema::{Address, Family, Quoted};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A table that both sides have under one name.
struct Both<'a> {
    keyspace: &'a str,
    keys: Pair<&'a str>,
    written: Pair<&'a Table>,
    /// In the engine's normal form; previous with the columns of its key renamed.
    normal: Pair<Arc<Table>>,
    /// Names of views and indexes that are no longer there when the table's own statements are run.
    gone: BTreeSet<&'a str>,
}

impl Both<'_> {
    fn is_of_it(&self, change: &Change) -> bool {
        name::is_of_table(change, self.keyspace, [Some(self.keys.previous), Some(self.keys.next)])
    }

    /// Whether a change is one of an index or a view.
    fn is_of_item(&self, change: &Change, item: &str) -> bool {
        self.is_of_it(change) && !matches!(change.address, Address::CqlTable(..)) && change.address.name() == item
    }

    /// Whether a change is one of an entry of a map of the table's own properties.
    fn is_of_entry(&self, change: &Change, head: &str, key: &str) -> bool {
        self.is_of_it(change)
            && matches!(change.address, Address::CqlTable(..))
            && change.path.as_deref() == Some(format!("{head}.{}", Quoted(key)).as_str())
    }

    fn alter(&self, clause: &str) -> String {
        format!("ALTER TABLE {} {clause}", qualified(self.keyspace, &identifier(&self.written.next.name)))
    }
}

impl<'a> Work<'a> {
    /// All tables of a keyspace but those that come anew with their types.
    pub(super) fn tables(&mut self, keyspace: &'a str, pair: Pair<&'a Keyspace>, named: &Pair<Holders<'a>>, anew: &Anew<'a>) {
        for (key, table) in &pair.next.tables {
            if named.previous.table(&table.name).is_none() {
                for step in self.whole_table(keyspace, key, table) {
                    self.add(Phase::Tables, step);
                }
            }
        }
        let others = pair.previous.tables.iter().filter(|(_, table)| !anew.tables.contains(table.name.as_str()));
        for (key, table) in others {
            let Some((next_key, next)) = named.next.table(&table.name) else {
                self.drop_whole(keyspace, key, table, &named.next);
                continue;
            };
            let gone = self.make_way(keyspace, table, &named.next);
            let normal = (
                self.normal.previous.keyspaces.get(keyspace).and_then(|of| of.tables.shared(key)),
                self.normal.next.keyspaces.get(keyspace).and_then(|of| of.tables.shared(next_key)),
            );
            let (Some(before), Some(after)) = normal else { continue };
            if !Arc::ptr_eq(before, after) && before != after || !gone.is_empty() {
                let normal = Pair { previous: before.clone(), next: after.clone() };
                let keys = Pair { previous: key.as_str(), next: next_key };
                let written = Pair { previous: table, next };
                self.both(Both { keyspace, keys, written, normal, gone });
            }
        }
    }

    fn drop_whole(&mut self, keyspace: &'a str, key: &'a str, table: &'a Table, next: &Holders<'a>) {
        // A view may take its name: then it goes before the ordinary statements, with all that is on it.
        let taken = next.has_view(&table.name);
        let gone = if taken { BTreeSet::new() } else { self.make_way(keyspace, table, next) };
        let destruction = Destruction {
            name: name::slug(&["drop", key]),
            steps: Self::drop_table(keyspace, table, &gone),
            changes: self.which(|change| {
                name::is_of_table(change, keyspace, [Some(key), None]) || name::is_renamed_from(change, &table.name)
            }),
        };
        if taken { self.before.push(destruction) } else { self.behind.push(destruction) }
    }

    /// Drops the views and indexes of a table whose names something on another table takes, and names them.
    fn make_way(&mut self, keyspace: &'a str, table: &'a Table, next: &Holders<'a>) -> BTreeSet<&'a str> {
        let mut gone = BTreeSet::new();
        for view in table.views.keys() {
            if self.gone_early.contains(view.as_str()) {
                gone.insert(view.as_str());
            } else if next.takes_view(view, &table.name) {
                self.add(Phase::Removals, Self::text(drop_view(keyspace, view)));
                gone.insert(view.as_str());
            }
        }
        for index in table.indexes.keys() {
            if self.gone_early.contains(index.as_str()) {
                gone.insert(index.as_str());
            } else if next.takes_index(index, &table.name) {
                self.add(Phase::Removals, Self::text(drop_index(keyspace, index)));
                gone.insert(index.as_str());
            }
        }
        gone
    }

    fn both(&mut self, mut both: Both<'a>) {
        let own = |change: &Change| both.is_of_it(change) && matches!(change.address, Address::CqlTable(..));
        if self.which_of(both.keys, |change| own(change) && self.recreates(change)).is_empty() {
            let (renamed, columns) = renamed_keys(Pair { previous: &both.normal.previous, next: &both.normal.next });
            if !columns.is_empty() {
                both.normal.previous = Arc::new(renamed.into_owned());
                let pairs = columns.iter().map(|(from, to)| format!("{} TO {}", identifier(from), identifier(to)));
                let text = both.alter(&format!("RENAME {}", pairs.collect::<Vec<_>>().join(" AND ")));
                let carried =
                    self.which_of(both.keys, |change| columns.values().any(|to| both.is_of_entry(change, "columns", to)));
                let step = self.step(Statement::Text(text), &carried);
                self.add(Phase::Alterations, step);
            }
            self.columns(&both);
            self.options(&both);
            self.indexes(&both);
            self.views(&both);
        } else {
            let mut steps = Self::drop_table(both.keyspace, both.written.previous, &both.gone);
            steps.extend(self.whole_table(both.keyspace, both.keys.next, both.written.next));
            let changes = self.which_of(both.keys, |change| both.is_of_it(change));
            self.behind.push(Destruction { name: name::slug(&["recreate", both.keys.next]), steps, changes });
            self.recreated.push((both.keyspace.to_owned(), both.keys.next.to_owned()));
        }
    }

    /// New columns, and what changes of those that stay. Those that go are dropped with the views.
    fn columns(&mut self, both: &Both<'a>) {
        let (previous, next) = (&both.normal.previous.columns, &both.normal.next.columns);
        let added: Vec<&String> = next.keys().filter(|name| !previous.contains_key(*name)).collect();
        // Amazon documents no brackets around several columns.
        let together = if self.engine.family() == Family::Keyspaces { 1 } else { added.len().max(1) };
        for names in added.chunks(together) {
            let written = |name: &&String| both.written.next.columns.get(*name).map(|column| definition(name, column));
            let definitions: Vec<String> = names.iter().filter_map(written).collect();
            let text = both.alter(&format!("ADD {}", several(&definitions)));
            let carries = |change: &Change| names.iter().any(|name| both.is_of_entry(change, "columns", name));
            let step = self.step(Statement::Text(text), &self.which_of(both.keys, carries));
            self.add(Phase::Alterations, step);
        }
        for (name, after) in next {
            let Some(before) = previous.get(name) else { continue };
            let mut clauses = Vec::new();
            if before.kind != after.kind {
                clauses.push(format!("ALTER {} TYPE {}", identifier(name), after.kind));
            }
            if before.extra != after.extra {
                let mask = after.extra.as_deref().unwrap_or("DROP MASKED");
                clauses.push(format!("ALTER {} {mask}", identifier(name)));
            }
            for clause in clauses {
                let carried = self.which_of(both.keys, |change| both.is_of_entry(change, "columns", name));
                let step = self.step(Statement::Text(both.alter(&clause)), &carried);
                self.add(Phase::Alterations, step);
            }
        }
    }

    fn options(&mut self, both: &Both<'a>) {
        let (previous, next) = (&both.normal.previous.options, &both.normal.next.options);
        if previous.contains_key("compact_storage") && !next.contains_key("compact_storage") {
            let carries = |change: &Change| both.is_of_entry(change, "options", "compact_storage");
            let step = self.step(Statement::Text(both.alter("DROP COMPACT STORAGE")), &self.which_of(both.keys, carries));
            self.add(Phase::Alterations, step);
        }
        match option::clauses(self.engine, previous, next, &both.written.next.options) {
            Ok(clauses) => {
                let last = clauses.len().saturating_sub(1);
                for (at, clause) in clauses.iter().enumerate() {
                    let is_option = |change: &Change| {
                        at == last
                            && both.is_of_it(change)
                            && matches!(change.address, Address::CqlTable(..))
                            && change.path.as_ref().is_some_and(|path| path.starts_with("options."))
                    };
                    let step = self.step(Statement::Text(both.alter(clause)), &self.which_of(both.keys, is_option));
                    self.add(Phase::Alterations, step);
                }
            }
            Err(lost) => self.cannot_set_back(Address::CqlTable(None, both.keys.next.to_owned()), &lost),
        }
    }

    fn indexes(&mut self, both: &Both<'a>) {
        let (previous, next) = (&both.normal.previous.indexes, &both.normal.next.indexes);
        for (name, index) in previous {
            if next.get(name) == Some(index) || both.gone.contains(name.as_str()) {
                continue;
            }
            // An index of another class can stand beside it until that one is built: then no query goes without.
            let taken_over = !next.contains_key(name)
                && is_legacy(index)
                && next.iter().any(|(other, after)| {
                    !previous.contains_key(other) && after.using.as_deref() == Some("sai") && after.column == index.column
                });
            let mut step = Self::text(drop_index(both.keyspace, name));
            if taken_over {
                step.comments.push(
                    "Only when the index that takes over is built (is_queryable in system_views.sai_column_indexes).".to_owned(),
                );
            }
            self.add(if taken_over { Phase::Replaced } else { Phase::Removals }, step);
        }
        for (name, index) in &both.written.next.indexes {
            if previous.get(name) != next.get(name) {
                let statement = Statement::Index(both.keyspace, both.written.next, name, index);
                let step = self.step(statement, &self.of_item(both, name));
                self.add(Phase::Builds, step);
            }
        }
    }

    /// Views, and the columns that go: a view may have to make way for them.
    fn views(&mut self, both: &Both<'a>) {
        let (previous, next) = (&both.normal.previous.views, &both.normal.next.views);
        let dropped: Vec<&String> =
            both.normal.previous.columns.keys().filter(|name| !both.normal.next.columns.contains_key(*name)).collect();
        let family = self.engine.family();
        // A view that selects everything holds what is about to go.
        let in_the_way = |view: &View| match family {
            Family::Cassandra => !dropped.is_empty(),
            Family::Scylla => {
                dropped.iter().any(|column| holds(view, column) || view.needs_unselected(&both.normal.previous, column))
            }
            Family::Keyspaces => false,
        };
        let mut steps: Vec<Step<'a>> = Vec::new();
        let mut rebuilt: BTreeSet<&'a str> = BTreeSet::new();
        for (name, before) in previous {
            let Some((name, view)) = both.written.next.views.get_key_value(name) else {
                if !both.gone.contains(name.as_str()) {
                    self.add(Phase::Removals, Self::text(drop_view(both.keyspace, name)));
                }
                continue;
            };
            let Some(after) = next.get(name) else { continue };
            let same = View { options: after.options.clone(), ..before.clone() } == *after;
            if in_the_way(before) || in_the_way(after) {
                steps.push(Self::text(drop_view(both.keyspace, name)));
                rebuilt.insert(name);
            } else if !same {
                self.add(Phase::Removals, Self::text(drop_view(both.keyspace, name)));
                let statement = Statement::View(both.keyspace, both.written.next, name, view);
                let step = self.step(statement, &self.of_item(both, name));
                self.add(Phase::Builds, step);
            } else {
                self.view_options(both, name, before, after);
            }
        }
        for (name, view) in &both.written.next.views {
            if previous.contains_key(name) {
                continue;
            }
            if in_the_way(view) {
                rebuilt.insert(name);
            } else {
                let statement = Statement::View(both.keyspace, both.written.next, name, view);
                let step = self.step(statement, &self.of_item(both, name));
                self.add(Phase::Builds, step);
            }
        }
        if dropped.is_empty() {
            return;
        }
        let kept = self.indexes_in_the_way(both, &dropped);
        steps.extend(kept.iter().map(|(name, _)| Self::text(drop_index(both.keyspace, name))));
        let names: Vec<String> = dropped.iter().map(|name| identifier(name)).collect();
        let lost = if names.len() == 1 { "Its values are lost." } else { "Their values are lost." };
        steps.push(Step { comments: vec![lost.to_owned()], ..Self::text(both.alter(&format!("DROP {}", several(&names)))) });
        for (name, view) in both.written.next.views.iter().filter(|(name, _)| rebuilt.contains(name.as_str())) {
            let statement = Statement::View(both.keyspace, both.written.next, name, view);
            steps.push(self.step(statement, &self.of_item(both, name)));
        }
        for (name, index) in kept {
            steps.push(self.step(Statement::Index(both.keyspace, both.written.next, name, index), &self.of_item(both, name)));
        }
        let changes = self.which_of(both.keys, |change| {
            dropped.iter().any(|name| both.is_of_entry(change, "columns", name) && change.action == Action::Drop)
                || rebuilt.iter().any(|name| both.is_of_item(change, name))
        });
        let what = if let [only] = dropped.as_slice() { only } else { "columns" };
        self.behind.push(Destruction { name: name::slug(&["drop", both.keys.next, what]), steps, changes });
    }

    /// The indexes that stay as they are and need what is about to go: to ScyllaDB one on a key column is a view with all others.
    fn indexes_in_the_way(&self, both: &Both<'a>, dropped: &[&String]) -> Vec<(&'a str, &'a Index)> {
        let (previous, next) = (&both.normal.previous, &both.normal.next);
        let is_static = |name: &String| previous.columns.get(name).is_some_and(|column| column.is_static);
        if self.engine.family() != Family::Scylla || dropped.iter().all(|name| is_static(name)) {
            return Vec::new();
        }
        let indexes = both
            .written
            .next
            .indexes
            .iter()
            .filter(|(name, index)| previous.is_key(&index.column) && previous.indexes.get(name) == next.indexes.get(name));
        indexes.map(|(name, index)| (name.as_str(), index)).collect()
    }

    /// The places of the changes of an index or a view.
    fn of_item(&self, both: &Both<'a>, item: &str) -> BTreeSet<usize> {
        self.which_of(both.keys, |change| both.is_of_item(change, item))
    }

    fn view_options(&mut self, both: &Both<'a>, name: &str, before: &View, after: &View) {
        let Some(written) = both.written.next.views.get(name) else { return };
        match option::assignments(self.engine, &before.options, &after.options, &written.options) {
            Ok(assignments) if assignments.is_empty() => {}
            Ok(assignments) => {
                let view = qualified(both.keyspace, &identifier(name));
                let text = format!("ALTER MATERIALIZED VIEW {view} WITH {}", assignments.join("\n    AND "));
                let step = self.step(Statement::Text(text), &self.of_item(both, name));
                self.add(Phase::Builds, step);
            }
            Err(lost) => self.cannot_set_back(Address::View(None, both.keys.next.to_owned(), name.to_owned()), &lost),
        }
    }
}

pub(super) fn drop_view(keyspace: &str, view: &str) -> String {
    format!("DROP MATERIALIZED VIEW {}", qualified(keyspace, &identifier(view)))
}

pub(super) fn drop_index(keyspace: &str, index: &str) -> String {
    format!("DROP INDEX {}", qualified(keyspace, &identifier(index)))
}

fn is_legacy(index: &Index) -> bool {
    index.using.is_none() && index.local.is_empty()
}

/// Whether a view has a column, in its key, its selection or its filter.
fn holds(view: &View, column: &str) -> bool {
    view.is_key(column)
        || view.restricts(column)
        || view.columns.as_ref().is_none_or(|columns| columns.iter().any(|held| held == column))
}

/// A column as ADD takes it.
fn definition(name: &str, column: &Column) -> String {
    let is_static = if column.is_static { " STATIC" } else { "" };
    let mask = column.extra.as_ref().map_or_else(String::new, |mask| format!(" {mask}"));
    format!("{} {}{is_static}{mask}", identifier(name), column.kind)
}

/// Several are put in brackets, one is not.
fn several(items: &[String]) -> String {
    if let [only] = items { only.clone() } else { format!("({})", items.join(", ")) }
}
