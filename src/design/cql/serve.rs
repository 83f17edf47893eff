//! Whether one table or view serves a read, without ALLOW FILTERING.
//!
//! The rules are those of `StatementRestrictions` in Apache Cassandra 4.0 to 5.0 and of `statement_restrictions.cc` in
//! ScyllaDB. Each SELECT here names one partition, so what they say of IN on a partition key does not arise.

use super::engine::{IndexReads, index_reads};
use super::layout::{KeyColumn, Layout, Relation};
use super::restrict::{self, Form, Query, Reach, Restriction};
use crate::diagnostic::{Code, codes};
use crate::model::{AttributeType, Comparison, Consistency, CqlIndex, TemplatePart};
use crate::schema::cql::identifier;
use crate::schema::{Address, Engine};
use std::collections::{BTreeMap, BTreeSet};

/// A read that is served.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) address: Address,
    pub(super) rank: Rank,
    /// The clustering order is read backwards.
    pub(super) reversed: bool,
    /// The whole statement.
    pub(super) statement: String,
    /// Partitions that one request touches; None: not known, or all of them.
    pub(super) partitions: Option<u64>,
    /// Nothing bounds their number.
    pub(super) endless: bool,
    /// An index is read on every node.
    pub(super) without_partition: bool,
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

/// Why a table or view does not serve a read.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    /// How far it came: the nearest candidate came farthest.
    pub(super) stage: Stage,
    /// What is lacking, as a clause whose subject is the table: "its partition key needs `token`, …".
    pub(super) why: String,
}

/// The steps of the proof, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// It does not hold the entity.
    Entity,
    /// The partition is not known.
    Partition,
    /// The rows are not next to each other.
    Clustering,
    /// Something is compared that the key does not have.
    Condition,
    /// Rows of other entities lie in between.
    Entities,
    /// The rows lie in another order.
    Order,
    /// It does not store what the caller needs.
    Columns,
    /// It lags behind.
    Consistency,
    /// The filter is not one that stays in a partition.
    Filter,
}

impl Stage {
    /// The error when the nearest candidate failed here.
    pub(super) fn code(self) -> Code {
        match self {
            Self::Entities => codes::CANNOT_SEPARATE,
            Self::Filter => codes::FILTER_SCANS,
            _ => codes::PATTERN_UNSERVED,
        }
    }
}

fn refuse<T>(stage: Stage, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { stage, why: why.into() })
}

/// Indexes that one read can use together, by name.
pub(super) type Group<'m> = Vec<(&'m str, &'m CqlIndex)>;

/// The groups of indexes of a table on an engine: each alone, and the storage-attached ones together where that works.
pub(super) fn index_groups<'m>(relation: &Relation<'m>, engine: Engine) -> Vec<Group<'m>> {
    let indexes = relation.indexes().into_iter().flatten().map(|(name, index)| (name.as_str(), index));
    match index_reads(engine) {
        IndexReads::None => Vec::new(),
        IndexReads::OneColumn => indexes.map(|index| vec![index]).collect(),
        IndexReads::Combined => {
            let (attached, legacy): (Group<'m>, Group<'m>) = indexes.partition(|(_, index)| index.sai);
            let attached = Some(attached).filter(|group| !group.is_empty());
            attached.into_iter().chain(legacy.into_iter().map(|index| vec![index])).collect()
        }
    }
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
    /// Partitions, one statement each; None: not known, or all of them.
    pub(super) partitions: Option<u64>,
    endless: bool,
    whole_partition: bool,
    whole_key: bool,
    /// The index that is used.
    index: Option<String>,
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
    let mut proof = Proof { texts: Vec::new(), expressed: BTreeSet::new(), outside: Vec::new(), reach: BTreeMap::new() };

    let by_partition = partition(relation, &layouts, query)?;
    let whole_partition = by_partition.iter().all(Result::is_ok);
    let mut partitions = Some(1);
    let mut endless = false;
    let mut whole_key = whole_partition;
    for (column, restriction) in lead.partition.iter().zip(by_partition) {
        match restriction {
            Ok(restriction) if whole_partition => {
                partitions = partitions.zip(restriction.values).map(|(all, values)| u64::saturating_mul(all, values));
                whole_key &= !restriction.walks;
                endless |= restriction.endless;
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
        partitions: partitions.filter(|_| whole_partition),
        endless,
        whole_partition,
        index,
    })
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
    let Located { layouts, by_clustering, mut texts, partitions, endless, whole_partition, whole_key, index } =
        locate(relation, query, group, engine)?;
    let order = order(&layouts, &by_clustering, query, index.is_some())?;
    columns(relation, &layouts, query)?;
    if relation.is_view && query.pattern.consistency != Consistency::Eventual {
        return refuse(Stage::Consistency, "it is a view, which lags behind its table");
    }
    let filter = filter(relation, &layouts, query, whole_partition && index.is_none())?;

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
    let rank = match &index {
        Some(_) => Rank::Index,
        None if relation.is_view => Rank::View,
        None if whole_key => Rank::WholeKey,
        None if partitions == Some(1) => Rank::OnePartition,
        None => Rank::SeveralPartitions,
    };
    let address = match index {
        Some(index) => Address::CqlIndex(None, relation.table.key.clone(), index),
        None => relation.address.clone(),
    };
    Ok(Read { address, rank, reversed: order.reversed, statement, partitions, endless, without_partition: !whole_partition })
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

/// The index that a read is named after, when the group serves all that the key does not.
fn indexes_serve(
    relation: &Relation<'_>,
    layout: &Layout<'_>,
    group: &Group<'_>,
    proof: &Proof,
    engine: Engine,
) -> Result<String, Refusal> {
    if index_reads(engine) == IndexReads::OneColumn && proof.outside.len() > 1 {
        return refuse(Stage::Condition, format!("{engine} serves one column by an index, and this read has several"));
    }
    let mut used = None;
    for (column, form) in &proof.outside {
        let kind = layout.kind(column);
        let Some((name, index)) = group.iter().find(|(_, index)| index.column.value == *column) else {
            return refuse(Stage::Condition, format!("neither its key nor this index has `{column}`"));
        };
        if !supports(index, *form, kind) {
            return refuse(Stage::Condition, format!("index `{name}` on `{column}` does not serve that comparison"));
        }
        if index.local && relation.table.partition_key.iter().any(|part| !proof.reach.contains_key(part.value.column())) {
            return refuse(Stage::Partition, format!("index `{name}` is local: the read must name the whole partition"));
        }
        used.get_or_insert_with(|| (*name).to_owned());
    }
    match used {
        Some(name) => Ok(name),
        None => refuse(Stage::Condition, "the read needs no index"),
    }
}

/// What an index serves: `=` always, ranges only a storage-attached one on numbers and times, and parts of collections.
fn supports(index: &CqlIndex, form: Form, kind: Option<&AttributeType>) -> bool {
    let target = index.target.as_ref().map(|target| target.value.as_str());
    match form {
        Form::Equal => matches!(target, None | Some("full")) && !kind.is_some_and(is_collection),
        Form::In => false,
        Form::Contains => matches!(target, None | Some("values")) && kind.is_some_and(is_collection),
        Form::ContainsKey => target == Some("keys"),
        Form::Range => index.sai && kind.is_some_and(has_order),
    }
}

fn is_collection(kind: &AttributeType) -> bool {
    matches!(kind, AttributeType::List(_) | AttributeType::Set(_) | AttributeType::Map(..))
}

/// Types on which a storage-attached index serves ranges.
fn has_order(kind: &AttributeType) -> bool {
    matches!(
        kind,
        AttributeType::Int
            | AttributeType::Bigint
            | AttributeType::Smallint
            | AttributeType::Tinyint
            | AttributeType::Varint
            | AttributeType::Decimal
            | AttributeType::Float
            | AttributeType::Double
            | AttributeType::Snowflake
            | AttributeType::Timestamp
            | AttributeType::Date
            | AttributeType::Time
            | AttributeType::Timeuuid
            | AttributeType::Inet
    )
}

/// The order of a read.
struct ReadOrder {
    texts: Vec<String>,
    reversed: bool,
}

/// The rows must lie in the order that is asked for, or in its reverse.
fn order(
    layouts: &[&Layout<'_>],
    by_clustering: &[Option<Restriction>],
    query: &Query<'_>,
    by_index: bool,
) -> Result<ReadOrder, Refusal> {
    let mut found = ReadOrder { texts: Vec::new(), reversed: false };
    if query.order.is_empty() {
        return Ok(found);
    }
    if by_index {
        return refuse(Stage::Order, "an index read has no order");
    }
    for layout in layouts.iter().filter(|layout| !layout.is_static) {
        let asked: Vec<_> =
            query.order.iter().filter(|order| layout.entity.attributes.contains_key(&order.attribute.value)).collect();
        let mut sequence = sequence(layout, by_clustering, query).into_iter().peekable();
        let mut texts = Vec::new();
        let mut reversed = None;
        for order in asked {
            let name = &order.attribute.value;
            if is_fixed(query, name) {
                continue;
            }
            let Some((column, _)) = sequence.next_if(|(_, attribute)| attribute == name) else {
                let instead = match sequence.peek() {
                    Some((_, attribute)) => format!("by `{attribute}`"),
                    None => "by nothing more".to_owned(),
                };
                return refuse(Stage::Order, format!("its rows do not lie in the order of `{name}` there, but {instead}"));
            };
            let backwards = order.descending != column.descending;
            if reversed.is_some_and(|reversed| reversed != backwards) {
                let why = format!(
                    "its rows can be read in the order of its clustering key or in the reverse, and `{name}` asks for another"
                );
                return refuse(Stage::Order, why);
            }
            reversed = Some(backwards);
            let text = format!("{} {}", identifier(column.name), if order.descending { "DESC" } else { "ASC" });
            if texts.last() != Some(&text) {
                texts.push(text);
            }
        }
        found.reversed |= reversed.unwrap_or(false);
        found.texts = texts;
    }
    Ok(found)
}

/// What the rows of the read are sorted by: the attributes in the clustering key that are not fixed by `=`.
fn sequence<'l>(
    layout: &'l Layout<'_>,
    by_clustering: &[Option<Restriction>],
    query: &Query<'_>,
) -> Vec<(&'l KeyColumn<'l>, String)> {
    let mut sequence = Vec::new();
    for (column, restriction) in layout.clustering.iter().zip(by_clustering) {
        if restriction.as_ref().is_some_and(|restriction| restriction.form == Form::Equal) {
            continue;
        }
        for part in &column.parts {
            match part {
                TemplatePart::Literal(_) => {}
                TemplatePart::Attribute { name, .. } if is_fixed(query, name) => {}
                TemplatePart::Attribute { name, .. }
                    if column.bare().is_some() || restrict::sorts_as_printed(part, layout.kind(name)) =>
                {
                    sequence.push((column, name.clone()));
                }
                _ => return sequence,
            }
        }
    }
    sequence
}

fn is_fixed(query: &Query<'_>, attribute: &str) -> bool {
    let fixes = |comparison: &Comparison| matches!(comparison, Comparison::Equal(_));
    query.conditions.iter().any(|condition| condition.attribute.value == attribute && fixes(&condition.comparison))
}

/// The caller's attributes must be stored.
fn columns(relation: &Relation<'_>, layouts: &[&Layout<'_>], query: &Query<'_>) -> Result<(), Refusal> {
    let mut lacking = Vec::new();
    for layout in layouts {
        let attributes = layout.entity.attributes.keys().map(String::as_str);
        let needed = attributes.filter(|name| query.select.is_empty() || query.select.contains(name));
        lacking.extend(needed.filter(|name| !layout.returns(name)).map(|name| format!("`{name}`")));
    }
    lacking.sort();
    lacking.dedup();
    if lacking.is_empty() {
        return Ok(());
    }
    let what = if relation.is_view { "it does not select" } else { "it does not store" };
    refuse(Stage::Columns, format!("{what} {}", lacking.join(", ")))
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

/// The filter, when it stays inside partitions that the read names.
fn filter(relation: &Relation<'_>, layouts: &[&Layout<'_>], query: &Query<'_>, inside: bool) -> Result<Vec<String>, Refusal> {
    let Some(filter) = query.filter else { return Ok(Vec::new()) };
    if !inside {
        return refuse(Stage::Filter, "the filter would read more than the partitions that the key names");
    }
    let mut texts = Vec::new();
    for condition in &filter.conditions {
        let name = condition.attribute.value.as_str();
        if relation.layouts.iter().all(|layout| !layout.regular.contains(name) && !layout.key().any(|column| column.name == name))
        {
            return refuse(Stage::Columns, format!("it does not store `{name}`, which the filter compares"));
        }
        if matches!(
            condition.comparison,
            Comparison::NotEqual(_) | Comparison::Exists | Comparison::NotExists | Comparison::BeginsWith(_)
        ) {
            return refuse(
                Stage::Filter,
                format!("CQL has no such filter as the one on `{name}`: it knows =, <, <=, >, >=, IN and CONTAINS"),
            );
        }
        let kind = layouts.iter().find_map(|layout| layout.kind(name));
        texts.push(restrict::comparisons(name, kind, &[(0, condition)]));
    }
    Ok(texts)
}

/// The columns of the SELECT clause.
fn selected(relation: &Relation<'_>, layouts: &[&Layout<'_>], query: &Query<'_>) -> String {
    let only_static = layouts.iter().all(|layout| layout.is_static);
    if query.select.is_empty() && !only_static {
        return "*".to_owned();
    }
    let mut names: Vec<&str> = Vec::new();
    for layout in layouts {
        for (attribute, _) in &layout.entity.attributes {
            let attribute = attribute.as_str();
            if !query.select.is_empty() && !query.select.contains(&attribute) {
                continue;
            }
            let spells = |column: &&KeyColumn<'_>| column.spelt_out().any(|name| name == attribute);
            match layout.regular.get(attribute) {
                Some(name) => names.push(name),
                None => names.extend(layout.key().filter(spells).map(|column| column.name).take(1)),
            }
        }
    }
    // Columns in the order of the key, then as the entities list them; each once.
    let keys: Vec<&str> = relation.layouts.first().into_iter().flat_map(Layout::key).map(|column| column.name).collect();
    let place = |name: &&str| keys.iter().position(|key| key == name).unwrap_or(keys.len());
    names.sort_by_key(place);
    let mut seen = BTreeSet::new();
    let texts: Vec<String> = names.into_iter().filter(|name| seen.insert(*name)).map(identifier).collect();
    texts.join(", ")
}
