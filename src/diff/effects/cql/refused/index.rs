//! Columns that an index cannot have.
//!
//! Sources: Cassandra `CreateIndexStatement.java`, `StorageAttachedIndex.java` (run); ScyllaDB `create_index_statement.cc`.

use super::name::is_word;
use super::{compact, holds_counters, kind, sasi};
use crate::diff::effects::cql::index::indexed;
use crate::diff::effects::cql::is_counter;
use crate::schema::cql::engine::{Kind, sai_options};
use crate::schema::cql::{Index, Keyspace, Table, Type};
use crate::schema::{Backend, Engine, Family};

/// The longest name of a column that a storage-attached index takes.
pub(super) const LONGEST: usize = 48;

/// What is wrong with an index of a table.
pub(super) fn flaw(backend: Backend, table: &Table, index: &Index, space: Option<&Keyspace>) -> Option<&'static str> {
    let engine = backend.engine()?;
    let is_attached = index.using.as_deref() == Some("sai");
    if is_attached && (index.column.is_empty() || !index.further.is_empty()) {
        return Some("it has one column, no more and no less");
    }
    let column = table.columns.get(&index.column)?;
    if let Some(why) = holds_counters(table) {
        return Some(why);
    }
    if compact::is_compact(table) && (table.is_key(&index.column) || !table.clustering.is_empty()) {
        return Some("its table has COMPACT STORAGE, and the column is of its key or behind clustering columns");
    }
    if !index.local.is_empty() {
        if index.local != table.partition_key {
            return Some("it does not list the whole partition key in order");
        }
        if column.is_static || column.kind.is_multi_cell_collection() {
            return Some("a local index takes neither static columns nor collections");
        }
    } else if table.partition_key == [index.column.clone()] {
        return Some("the column is the whole partition key");
    }
    let types = space.map(|space| &space.types);
    if types.is_some_and(|types| kind::contains_duration(&column.kind, types)) {
        return Some("the column holds a duration");
    }
    if let Some(why) = of_kind(&column.kind, index).or_else(|| is_attached.then(|| attached(&column.kind, index)).flatten()) {
        return Some(why);
    }
    if is_attached && !(is_word(&index.column) && index.column.len() <= LONGEST) {
        return Some("the name of the column has other than letters, digits and underscores, or more than 48");
    }
    if index.using.as_deref().is_some_and(|class| class.ends_with("SASIIndex")) {
        return sasi::flaw(engine, table, index, &column.kind);
    }
    // A second index of one kind on one column is refused by the reader already.
    options(index, &column.kind, table.is_key(&index.column))
}

/// What is wrong with how a statement names the class of an index: run on 4.0.19, 4.1.10 and 5.0.9; ScyllaDB `index_prop_defs.cc`.
pub(super) fn class_flaw(backend: Backend, index: &Index) -> Option<&'static str> {
    let engine = backend.engine()?;
    let is_custom = index.about.manner.contains("custom");
    let is_said = index.about.properties.contains_key("using");
    if is_custom && !is_said {
        return Some("a CUSTOM index names its class");
    }
    if engine.family() == Family::Scylla {
        return (is_said && !is_custom).then_some("only a CUSTOM index names a class");
    }
    if is_said && !is_custom && engine != Engine::Cassandra50 {
        return Some("only a CUSTOM index names a class before Cassandra 5.0");
    }
    match index.using.as_deref() {
        None => (is_said && is_custom).then_some("`legacy_local_table` is no class of a CUSTOM index"),
        // A name without a package is one of the engine's own.
        Some(class) => (class != "sai" && !class.contains('.')).then_some("there is no such class"),
    }
}

/// Why no index takes a type, or takes another part of it.
fn of_kind(kind: &Type, index: &Index) -> Option<&'static str> {
    match (kind, index.target.as_deref()) {
        _ if is_counter(kind) => Some("the column is a counter"),
        (Type::Map(..), _) | (Type::List(_) | Type::Set(_), None | Some("values")) => None,
        (Type::List(_) | Type::Set(_), Some(_)) => {
            Some("only a map has keys and entries, only what is frozen is indexed in full")
        }
        (Type::Frozen(of), target) if of.is_multi_cell_collection() => {
            (target != Some("full")).then_some("a frozen collection is indexed in full")
        }
        (Type::User(_), _) => Some("the column is a user type that is not frozen"),
        (_, Some(_)) => Some("the column is no collection"),
        (_, None) => None,
    }
}

/// Why an index does not take its options.
fn options(index: &Index, kind: &Type, is_key: bool) -> Option<&'static str> {
    let is_attached = index.using.as_deref() == Some("sai");
    if index.using.is_none() && !index.options.is_empty() {
        return Some("only an index of a class has options");
    }
    // Of a collection what is in it: texts there are analysed too, pairs and what is indexed in full are not (run).
    let parts = indexed(index, kind);
    let is_text = matches!(parts[..], [Type::Native(name)] if ["ascii", "text"].contains(name));
    let is_vector = matches!(parts[..], [Type::Vector(..)]);
    index.options.iter().filter(|_| is_attached).find_map(|(name, value)| {
        let Some(row) = sai_options().iter().find(|row| row.name == name) else { return Some("an option is not known") };
        let is_of_vectors = matches!(row.kind, Kind::Word(_));
        let value = if is_of_vectors { value.to_uppercase() } else { value.to_lowercase() };
        if row.kind.flaw(&value).is_some() {
            return Some("an option has a value that it does not take");
        }
        let goes = if is_of_vectors { is_vector } else { is_text && !is_key };
        (!goes).then_some("an option does not go with the column")
    })
}

/// Why a storage-attached index does not take a type.
fn attached(kind: &Type, index: &Index) -> Option<&'static str> {
    indexed(index, kind).into_iter().find_map(|kind| match kind {
        Type::Native(name) if *name == "blob" => Some("what it indexes is a blob"),
        Type::Vector(of, _) if !matches!(of.as_ref(), Type::Native(name) if *name == "float") => {
            Some("only vectors of `float` are searched")
        }
        Type::Vector(_, 1) => {
            let function = index.options.get("similarity_function");
            function.is_none_or(|function| function.eq_ignore_ascii_case("cosine")).then_some("one dimension has no cosine")
        }
        _ => None,
    })
}
