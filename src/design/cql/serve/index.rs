//! What an index serves.

use super::Proof;
use super::refusal::{Refusal, Stage, refuse};
use crate::design::cql::engine::{IndexReads, index_reads};
use crate::design::cql::layout::{Layout, Relation};
use crate::design::cql::restrict::Form;
use crate::model::{AttributeType, CqlIndex};
use crate::schema::Engine;

/// Indexes that one read can use together, by name.
pub(in crate::design::cql) type Group<'m> = Vec<(&'m str, &'m CqlIndex)>;

/// The groups of indexes of a table on an engine: each alone, and the storage-attached ones together where that works.
pub(in crate::design::cql) fn index_groups<'m>(relation: &Relation<'m>, engine: Engine) -> Vec<Group<'m>> {
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

/// The index that a read is named after, when the group serves all that the key does not.
pub(super) fn indexes_serve(
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
