//! Which table, view or index serves a read: the best of all that do.

use super::engine::LONGEST_LIST;
use super::layout::{Relation, Relations};
use super::propose::proposal;
use super::restrict::Query;
use super::serve::{Rank, Read, Refusal, Stage, index_groups, serve};
use crate::design::buckets::Buckets;
use crate::design::scope::Scope;
use crate::design::{Operations, Service};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{Condition, Entity, Model, Pattern};
use crate::schema::{Address, Engine, Store};

/// What all reads and writes of one engine are proved against.
pub(super) struct Side<'m> {
    pub(super) model: &'m Model,
    pub(super) scope: &'m Scope<'m>,
    pub(super) relations: &'m Relations<'m>,
    /// The keyspace's name.
    pub(super) keyspace: &'m str,
    pub(super) engine: Engine,
    pub(super) operations: Operations,
}

impl<'m> Side<'m> {
    /// Whether some table holds an entity.
    pub(super) fn holds(&self, entity: &str) -> bool {
        self.relations.holding(entity).next().is_some()
    }

    /// Entities by their names; unknown ones are left out, since the text has been refused for them.
    pub(super) fn entities<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Vec<&'m Entity> {
        names.into_iter().filter_map(|name| self.model.entities.get(name)).collect()
    }

    /// Everything that serves a query, and why the other tables and views that hold its first entity do not.
    pub(super) fn candidates(&self, query: &Query<'_>) -> (Vec<Read>, Vec<(&'m Relation<'m>, Refusal)>) {
        let mut reads = Vec::new();
        let mut refusals = Vec::new();
        let first = query.entities.first().map_or("", |entity| entity.name.as_str());
        for relation in self.relations.holding(first) {
            match serve(relation, self.keyspace, query, None, self.engine) {
                Ok(read) => reads.push(read),
                Err(mut refusal) => {
                    for group in &index_groups(relation, self.engine) {
                        match serve(relation, self.keyspace, query, Some(group), self.engine) {
                            Ok(read) => reads.push(read),
                            // It has the rows, which the key has not.
                            Err(other) if other.stage > refusal.stage.max(Stage::Condition) => refusal = other,
                            Err(_) => {}
                        }
                    }
                    refusals.push((relation, refusal));
                }
            }
        }
        (reads, refusals)
    }
}

/// The query of a `find`, or of another pattern's `where`.
pub(super) fn query<'m>(side: &Side<'_>, pattern: &'m Pattern, entities: Vec<&'m Entity>) -> Query<'m> {
    Query {
        pattern,
        entities,
        conditions: conditions(pattern),
        order: &pattern.order,
        select: pattern.select.iter().map(|name| name.value.as_str()).collect(),
        filter: pattern.filter.as_ref(),
        whole_keys: false,
        // What serves a pattern all the same is shown with its statement.
        operations: if pattern.unserved.is_some() { Operations::Written } else { side.operations },
    }
}

/// The conditions of a pattern's `where`.
pub(super) fn conditions(pattern: &Pattern) -> &[Condition] {
    pattern.conditions.as_ref().map_or(&[], |conditions| &conditions.conditions)
}

/// Finds the read that serves a query. None: nothing does, or it is not said which; the sink knows.
pub(super) fn choose(side: &Side<'_>, query: &Query<'_>, sink: &mut Sink) -> Option<Service> {
    let pattern = query.pattern;
    let (mut reads, refusals) = side.candidates(query);
    if let Some(reason) = &pattern.unserved {
        if let Some(read) = reads.first() {
            sink.push(
                Diagnostic::new(
                    codes::UNSERVED_BUT_SERVED,
                    reason.span,
                    format!("`{}` says that nothing serves it, but `{}` does", pattern.name, read.address),
                )
                .note(read.statement.clone())
                .help("remove `unserved`")
                .of_pattern(&pattern.name)
                .at(&read.address),
            );
        }
        return None;
    }
    let best = best(&reads);
    let via: Vec<_> = pattern.via.iter().filter(|address| is_cql(&address.value)).collect();
    for address in &via {
        if reads.iter().any(|read| read.address == address.value) {
            if let [only] = best.as_slice()
                && only.address == address.value
            {
                sink.push(
                    Diagnostic::new(codes::VIA_NEEDLESS, address.span, format!("`{}` would be chosen anyway", address.value))
                        .help("remove `via`")
                        .of_pattern(&pattern.name)
                        .at(&address.value),
                );
            }
        } else {
            let table = address.value.table();
            let refusal = refusals
                .iter()
                .find(|(relation, _)| relation.address == address.value)
                .or_else(|| refusals.iter().find(|(relation, _)| relation.address == table));
            let why = match (refusal, &address.value) {
                (Some((_, refusal)), _) => refusal.why.clone(),
                (None, Address::CqlIndex(..)) => "the table serves it without an index".to_owned(),
                (None, _) => format!("it holds no `{}`", query.entities.first().map_or("", |entity| entity.name.as_str())),
            };
            sink.push(
                Diagnostic::new(
                    codes::VIA_CANNOT_SERVE,
                    address.span,
                    format!("`{}` cannot serve `{}`: {why}", address.value, pattern.name),
                )
                .of_pattern(&pattern.name)
                .at(&address.value),
            );
            return None;
        }
    }
    if !via.is_empty() {
        reads.retain(|read| via.iter().any(|address| address.value == read.address));
    }
    match self::best(&reads).as_slice() {
        [] => {
            sink.push(unserved(query, &refusals, side));
            None
        }
        [read] => {
            if read.without_partition {
                sink.push(without_partition(pattern, read));
            }
            if let Some(keys) = read.too_many {
                let message = format!("`{}` lists {keys} keys in one request; at most {LONGEST_LIST} are possible", pattern.name);
                sink.push(
                    Diagnostic::new(codes::BATCH_TOO_LARGE, pattern.span, message)
                        .help("the caller splits them; give the size of one request")
                        .of_pattern(&pattern.name)
                        .at(&read.address),
                );
            }
            Some(Service {
                address: read.address.clone(),
                operation: read.statement.clone(),
                partitions: read.partitions.count(),
                endless: read.partitions == Buckets::Endless,
            })
        }
        several => {
            sink.push(ambiguous(pattern, several, side));
            None
        }
    }
}

fn is_cql(address: &Address) -> bool {
    address.store() == Some(Store::Cql)
}

/// The best reads: by rank, and among tables by whether the clustering order is read as it is.
fn best(reads: &[Read]) -> Vec<&Read> {
    let key = |read: &Read| (read.rank, read.reversed && read.rank < Rank::View);
    let first = reads.iter().map(key).min();
    reads.iter().filter(|read| Some(key(read)) == first).collect()
}

fn unserved(query: &Query<'_>, refusals: &[(&Relation<'_>, Refusal)], side: &Side<'_>) -> Diagnostic {
    let pattern = query.pattern;
    let holding: Vec<_> = refusals.iter().filter(|(_, refusal)| refusal.stage > Stage::Entity).collect();
    let candidates = if holding.is_empty() { refusals.iter().collect() } else { holding };
    // The first of those that came farthest.
    let nearest = candidates.iter().rev().max_by_key(|(_, refusal)| refusal.stage);
    let stage = nearest.map(|(_, refusal)| refusal.stage);
    let code = stage.map_or(codes::PATTERN_UNSERVED, Stage::code);
    let message = match stage {
        Some(Stage::Filter) => format!("the filter of `{}` needs a scan on CQL", pattern.name),
        Some(Stage::Operator) => format!("the filter of `{}` is none that CQL has", pattern.name),
        Some(Stage::Entities) => format!("`{}` would return rows of other entities on CQL", pattern.name),
        _ => format!("no table, view or index serves `{}` on CQL", pattern.name),
    };
    let mut diagnostic = Diagnostic::new(code, pattern.span, message).of_pattern(&pattern.name);
    if nearest.is_none() {
        let names: Vec<String> = query.entities.iter().map(|entity| format!("`{}`", entity.name)).collect();
        diagnostic = diagnostic.note(format!("no CQL table holds {}", names.join(", ")));
    }
    if let Some((relation, refusal)) = nearest {
        diagnostic = diagnostic
            .context(relation.span, format!("nearest: {}", refusal.why))
            .note(format!("`{}` is nearest, but {}", relation.address, refusal.why))
            .at(&relation.address);
        for (other, refusal) in candidates.iter().filter(|(other, _)| other.address != relation.address) {
            diagnostic = diagnostic.note(format!("`{}` does not serve it: {}", other.address, refusal.why));
        }
    }
    let help = match stage {
        Some(Stage::Operator) => Some("filter with what CQL has, or let the caller drop what it does not need".to_owned()),
        Some(Stage::WholeKey) => Some("compare the whole key with `=` or `in`, or read it outside a transaction".to_owned()),
        Some(Stage::Columns) => Some("store it in the table or view, or say with `select` what the caller needs".to_owned()),
        _ => proposal(query, side),
    };
    help.into_iter().fold(diagnostic, Diagnostic::help)
}

fn ambiguous(pattern: &Pattern, reads: &[&Read], side: &Side<'_>) -> Diagnostic {
    let names: Vec<String> = reads.iter().map(|read| format!("`{}`", read.address)).collect();
    let mut diagnostic = Diagnostic::new(
        codes::AMBIGUOUS_PATTERN,
        pattern.span,
        format!("{} serve `{}` equally well", names.join(" and "), pattern.name),
    )
    .of_pattern(&pattern.name);
    for read in reads {
        let mut places = side
            .relations
            .all
            .iter()
            .filter(|relation| relation.address == read.address || relation.address == read.address.table());
        if let Some(relation) = places.next_back() {
            diagnostic = diagnostic.context(relation.span, "serves it");
        }
        diagnostic = diagnostic.at(&read.address);
    }
    match reads.first() {
        Some(first) => diagnostic.help(format!("say which: `via: {}`", first.address)),
        None => diagnostic,
    }
}

fn without_partition(pattern: &Pattern, read: &Read) -> Diagnostic {
    Diagnostic::new(
        codes::INDEX_WITHOUT_PARTITION,
        pattern.span,
        format!("`{}` reads `{}` on every node, because it names no partition", pattern.name, read.address),
    )
    .help("give the pattern its own table, or allow the finding when it is rare")
    .of_pattern(&pattern.name)
    .at(&read.address)
}
