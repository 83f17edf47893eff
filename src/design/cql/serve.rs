//! Whether one table or view serves a read, without ALLOW FILTERING.
//!
//! The rules are those of `StatementRestrictions` in Apache Cassandra 4.0 to 5.0 and of `statement_restrictions.cc` in
//! ScyllaDB. Each SELECT here names one partition, so what they say of IN on a partition key does not arise.

mod index;
mod order;
mod refusal;
mod select;

pub(super) use index::{Group, index_groups};
pub(super) use refusal::{Refusal, Stage, refuse};

use super::engine::listed;
use super::layout::{Layout, Relation};
use super::restrict::{self, Form, Query, Reach, Restriction};
use crate::design::buckets::Buckets;
use crate::model::{Condition, Consistency};
use crate::schema::cql::identifier;
use crate::schema::{Address, Engine};
use index::indexes_serve;
use order::order;
use select::{columns, filter, selected};
use std::collections::{BTreeMap, BTreeSet};

/// A read that is served.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) address: Address,
    pub(super) rank: Rank,
    /// The clustering order is read backwards.
    pub(super) reversed: bool,
    /// The whole statement, where it is shown.
    pub(super) statement: String,
    /// Partitions that one request touches; unknown also when it is all of them.
    pub(super) partitions: Buckets,
    /// An index is read on every node.
    pub(super) without_partition: bool,
    /// More keys are listed than the engine takes at once.
    pub(super) too_many: Option<u64>,
}

/// How good a read is; the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// The whole primary key of a table.
    WholeKey,
    /// One partition of a table.
    OnePartition,
    /// Several partitions of a table.
    SeveralPartitions,
    /// A view.
    View,
    /// An index.
    Index,
}

/// What the proof collects on its way.
struct Proof {
    /// Relations of the WHERE clause.
    texts: Vec<String>,
    /// Conditions that are expressed.
    expressed: BTreeSet<usize>,
    /// Columns whose comparison the key does not serve.
    outside: Vec<(String, Form)>,
    /// What is known about key columns.
    reach: BTreeMap<String, Reach>,
}

impl Proof {
    fn take(&mut self, column: &str, restriction: &Restriction) {
        self.texts.push(restriction.text.clone());
        self.expressed.extend(restriction.expresses.iter().copied());
        self.reach.insert(column.to_owned(), restriction.reach.clone());
    }

    fn take_outside(&mut self, column: &str, restriction: &Restriction) {
        self.take(column, restriction);
        self.outside.push((column.to_owned(), restriction.form));
    }
}

/// Rows that a statement can name.
pub(super) struct Located<'r, 'm> {
    layouts: Vec<&'r Layout<'m>>,
    by_clustering: Vec<Option<Restriction>>,
    /// Relations of the WHERE clause.
    pub(super) texts: Vec<String>,
    /// Partitions, one statement each; unknown also when it is all of them.
    pub(super) partitions: Buckets,
    whole_partition: bool,
    whole_key: bool,
    /// The index that is used.
    index: Option<String>,
}

impl Located<'_, '_> {
    /// Whether it names rows by their whole clustering keys, and no ranges of them.
    pub(super) fn names_rows(&self) -> bool {
        self.by_clustering.iter().all(|restriction| restriction.as_ref().is_some_and(|found| found.form == Form::Equal))
    }
}

/// Proves that the key of a relation, alone or with a group of its indexes, names the rows that the conditions mean, and
/// no others.
pub(super) fn locate<'r, 'm>(
    relation: &'r Relation<'m>,
    query: &Query<'_>,
    group: Option<&Group<'_>>,
    engine: Engine,
) -> Result<Located<'r, 'm>, Refusal> {
    let layouts = layouts(relation, query)?;
    // The entities agree on the partition; the one with rows of its own leads.
    let Some(lead) = layouts.iter().copied().find(|layout| !layout.is_static).or(layouts.first().copied()) else {
        return refuse(Stage::Entity, "it holds none of them");
    };
    let expressed = query.settled(&layouts);
    let mut proof = Proof { texts: Vec::new(), expressed, outside: Vec::new(), reach: BTreeMap::new() };

    let by_partition = partition(relation, &layouts, query)?;
    let whole_partition = by_partition.iter().all(Result::is_ok);
    let mut partitions = if whole_partition { Buckets::AtMost(1) } else { Buckets::Unknown };
    let mut whole_key = whole_partition;
    for (column, restriction) in lead.partition.iter().zip(by_partition) {
        match restriction {
            Ok(restriction) if whole_partition => {
                partitions = partitions.times(restriction.selects);
                whole_key &= !restriction.walks;
                proof.take(column.name, &restriction);
            }
            Ok(restriction) => proof.take_outside(column.name, &restriction),
            Err(why) if group.is_none() => return refuse(Stage::Partition, why),
            Err(_) => {}
        }
    }

    let by_clustering = clustering(relation, &layouts, lead, query);
    let breach = breach(lead, &by_clustering);
    if let Some(why) = breach.as_ref().filter(|_| group.is_none()) {
        return refuse(Stage::Clustering, why);
    }
    for (column, restriction) in lead.clustering.iter().zip(&by_clustering) {
        whole_key &= restriction.as_ref().is_some_and(|restriction| restriction.form == Form::Equal);
        match restriction {
            Some(restriction) if !whole_partition || breach.is_some() => proof.take_outside(column.name, restriction),
            Some(restriction) => proof.take(column.name, restriction),
            None => {}
        }
    }
    for &name in &lead.regular {
        let restriction = restrict::attribute(name, name, lead, query);
        // What the key compares already, by a template, needs no column.
        let outside = |restriction: &Restriction| !restriction.expresses.iter().all(|number| proof.expressed.contains(number));
        if let Some(restriction) = restriction.filter(outside) {
            if group.is_none() {
                return refuse(Stage::Condition, uncompared(lead, name));
            }
            proof.take_outside(name, &restriction);
        }
    }
    left_over(lead, query, &proof)?;
    let index = match group {
        Some(group) => Some(indexes_serve(relation, lead, group, &proof, engine)?),
        None => None,
    };
    others(relation, query, &proof)?;
    Ok(Located {
        whole_key: whole_key && !lead.is_static,
        layouts,
        by_clustering,
        texts: proof.texts,
        partitions,
        whole_partition,
        index,
    })
}

/// The pattern must not ask for rows that a `when` leaves out.
fn everything(layouts: &[&Layout<'_>], query: &Query<'_>) -> Result<(), Refusal> {
    let mut conditions = layouts.iter().flat_map(|layout| &layout.when);
    match conditions.find(|condition| !query.conditions.contains(condition)) {
        Some(condition) => refuse(Stage::Condition, leaves_out(condition)),
        None => Ok(()),
    }
}

/// What a table lacks that holds only the rows of a `when`.
pub(super) fn leaves_out(condition: &Condition) -> String {
    format!("it holds only rows with `{condition}`, which the pattern does not ask for")
}

/// Why the comparisons do not name rows that lie next to each other in a partition.
fn breach(layout: &Layout<'_>, by_clustering: &[Option<Restriction>]) -> Option<String> {
    let mut next = 0;
    let mut ranged = false;
    for (position, (column, restriction)) in layout.clustering.iter().zip(by_clustering).enumerate() {
        let Some(restriction) = restriction else { continue };
        let before = layout.clustering.get(next).map_or("", |column| column.name);
        if ranged {
            return Some(format!("`{}` follows a range on `{before}` in its clustering key", column.name));
        }
        if position != next {
            return Some(format!(
                "`{before}` stands before `{}` in its clustering key, and the pattern does not say `=` on it",
                column.name
            ));
        }
        match restriction.form {
            Form::Contains | Form::ContainsKey => {
                return Some(format!("`{}` in its clustering key is compared as a whole", column.name));
            }
            Form::Range => ranged = true,
            Form::Equal | Form::In => next = position + 1,
        }
    }
    None
}

/// Proves that a relation serves a read, by its key alone or with a group of its indexes.
pub(super) fn serve(
    relation: &Relation<'_>,
    keyspace: &str,
    query: &Query<'_>,
    group: Option<&Group<'_>>,
    engine: Engine,
) -> Result<Read, Refusal> {
    let Located { layouts, by_clustering, mut texts, partitions, whole_partition, whole_key, index } =
        locate(relation, query, group, engine)?;
    everything(&layouts, query)?;
    if query.whole_keys && !layouts.iter().all(|layout| query.names_keys(layout)) {
        return refuse(Stage::WholeKey, "a transaction reads whole keys, and the pattern does not name one");
    }
    let order = order(&layouts, &by_clustering, query, index.is_some())?;
    columns(relation, &layouts, query)?;
    if relation.is_view && query.pattern.consistency != Consistency::Eventual {
        return refuse(Stage::Consistency, "it is a view, which lags behind its table");
    }
    let filter = filter(relation, &layouts, query, whole_partition && index.is_none())?;

    let statement = query.operations.text(|| {
        let mut statement =
            format!("SELECT {} FROM {}.{}", selected(relation, &layouts, query), identifier(keyspace), identifier(relation.name));
        let filters = !filter.is_empty();
        texts.extend(filter);
        // Where there are only static columns, every row would repeat them.
        let only_static = layouts.iter().all(|layout| layout.is_static);
        let limit = query.pattern.limit.or(only_static.then_some(1));
        let clause = |word: &str, texts: &[String], between: &str| match texts {
            [] => String::new(),
            texts => format!(" {word} {}", texts.join(between)),
        };
        statement += &clause("WHERE", &texts, " AND ");
        statement += &clause("ORDER BY", &order.texts, ", ");
        statement += &limit.map(|limit| format!(" LIMIT {limit}")).unwrap_or_default();
        statement += if filters { " ALLOW FILTERING" } else { "" };
        statement
    });
    let rank = match &index {
        Some(_) => Rank::Index,
        None if relation.is_view => Rank::View,
        None if whole_key => Rank::WholeKey,
        None if partitions == Buckets::AtMost(1) => Rank::OnePartition,
        None => Rank::SeveralPartitions,
    };
    let address = match index {
        Some(index) => Address::CqlIndex(None, relation.table.key.clone(), index),
        None => relation.address.clone(),
    };
    let too_many = layouts.iter().find_map(|layout| {
        let parts = [&layout.partition, &layout.clustering];
        parts.into_iter().find_map(|columns| listed(engine, query.lists(columns)))
    });
    Ok(Read { address, rank, reversed: order.reversed, statement, partitions, without_partition: !whole_partition, too_many })
}

fn layouts<'r, 'm>(relation: &'r Relation<'m>, query: &Query<'_>) -> Result<Vec<&'r Layout<'m>>, Refusal> {
    let find = |name: &str| match relation.layout(name) {
        Some(layout) => Ok(layout),
        None => refuse(Stage::Entity, format!("it does not hold `{name}`")),
    };
    query.entities.iter().map(|entity| find(&entity.name)).collect()
}

/// The partition key columns, which must be the same for all entities of one read.
fn partition(
    relation: &Relation<'_>,
    layouts: &[&Layout<'_>],
    query: &Query<'_>,
) -> Result<Vec<Result<Restriction, String>>, Refusal> {
    let restrict = |layout: &Layout<'_>| -> Vec<_> {
        layout.partition.iter().map(|column| restrict::partition(relation, layout, column, query)).collect()
    };
    let mut all = layouts.iter().map(|layout| (layout, restrict(layout)));
    let Some((first, restrictions)) = all.next() else { return Ok(Vec::new()) };
    for (layout, others) in all {
        for ((column, one), (other_column, other)) in
            first.partition.iter().zip(&restrictions).zip(layout.partition.iter().zip(&others))
        {
            if let (Ok(one), Ok(other)) = (one, other)
                && (one.text != other.text || column.parts != other_column.parts)
            {
                let why = format!("`{}` and `{}` lie in different partitions of it", first.entity.name, layout.entity.name);
                return refuse(Stage::Partition, why);
            }
        }
    }
    Ok(restrictions)
}

/// The clustering columns. Where entities differ, everything from the lowest to the highest of their prefixes is read, and
/// nothing can be said about the columns behind.
fn clustering(
    relation: &Relation<'_>,
    layouts: &[&Layout<'_>],
    lead: &Layout<'_>,
    query: &Query<'_>,
) -> Vec<Option<Restriction>> {
    let with_rows = || layouts.iter().filter(|layout| !layout.is_static);
    let alone = relation.layouts.iter().all(|layout| layouts.iter().any(|asked| asked.entity.name == layout.entity.name));
    let mut restrictions = Vec::new();
    let mut differ = false;
    for (position, column) in lead.clustering.iter().enumerate() {
        let of = |layout: &Layout<'_>| {
            let column = layout.clustering.get(position)?;
            restrict::clustering(relation, layout, column, query)
        };
        let found: Vec<Option<Restriction>> = with_rows().map(|layout| of(layout)).collect();
        let text = |restriction: &Option<Restriction>| restriction.as_ref().map(|restriction| restriction.text.clone());
        let first = found.first().cloned().flatten();
        if differ {
            restrictions.push(None);
        } else if found.iter().all(|other| text(other) == text(&first)) {
            restrictions.push(first);
        } else {
            differ = true;
            let reaches: Option<Vec<&Reach>> = found.iter().map(|found| found.as_ref().map(|found| &found.reach)).collect();
            let ends = reaches.filter(|_| !alone).and_then(|reaches| {
                let low = reaches.iter().map(|reach| reach.ends().0).min()?;
                let high = reaches.iter().map(|reach| reach.ends().1).max()?;
                Some(restrict::prefixes(column.name, low, high)).filter(|_| !high.is_empty())
            });
            restrictions.push(ends);
        }
    }
    restrictions
}

/// Every condition must be expressed by some column.
fn left_over(layout: &Layout<'_>, query: &Query<'_>, proof: &Proof) -> Result<(), Refusal> {
    let condition = query.conditions.iter().enumerate().find(|(number, _)| !proof.expressed.contains(number));
    let Some((_, condition)) = condition else { return Ok(()) };
    refuse(Stage::Condition, uncompared(layout, &condition.attribute.value))
}

/// Why the key does not compare an attribute.
fn uncompared(layout: &Layout<'_>, name: &str) -> String {
    if layout.keyed_by(name) {
        format!("its key only narrows `{name}` down: `{name}` itself must be a clustering column, behind those compared with `=`")
    } else if layout.returns(name) {
        format!("its key does not have `{name}`")
    } else {
        format!("it does not store `{name}`")
    }
}

/// Rows of entities that the pattern does not name must not be among those that are read.
fn others(relation: &Relation<'_>, query: &Query<'_>, proof: &Proof) -> Result<(), Refusal> {
    let asked = |layout: &Layout<'_>| query.entities.iter().any(|entity| entity.name == layout.entity.name);
    let only_static = query.entities.iter().all(|entity| relation.layout(&entity.name).is_some_and(|layout| layout.is_static));
    if only_static {
        return Ok(());
    }
    for layout in relation.layouts.iter().filter(|layout| !layout.is_static && !asked(layout)) {
        let apart =
            layout.key().any(|column| proof.reach.get(column.name).is_some_and(|reach| !reach.meets(&restrict::reach(column))));
        if !apart {
            return refuse(Stage::Entities, format!("the same read would return rows of `{}`", layout.entity.name));
        }
    }
    Ok(())
}
