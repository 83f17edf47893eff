//! Which columns can be indexed, by the rules that engines enforce when an index is made.
//!
//! Sources: Cassandra `CreateIndexStatement.java`, `index/sai/StorageAttachedIndex.java` (each rule run on 5.0.9, those of the
//! legacy index on 4.0.19 and 4.1.10 too); ScyllaDB `create_index_statement.cc`.

use super::super::layout::Relation;
use super::super::table::Columns;
use super::Engines;
use crate::diagnostic::{Diagnostic, Sink, codes, nearest};
use crate::model::CqlIndex;
use crate::schema::Address;
use crate::schema::cql::Type;
use crate::schema::cql::engine::{Feature, sai_options};
use crate::source::Span;

/// The longest name of a column that a storage-attached index takes.
const LONGEST: usize = 48;

pub(super) fn check(relation: &Relation<'_>, columns: &Columns, engines: &Engines<'_>, sink: &mut Sink) {
    let table = relation.table;
    let counters = columns.values().any(|column| column.kind == Type::Native("counter"));
    for (position, (name, index)) in table.indexes.iter().enumerate() {
        let at = |diagnostic: Diagnostic| diagnostic.at(Address::CqlIndex(None, table.key.clone(), name.clone()));
        let mut refuse = |span: Span, why: String| {
            let message = format!("`{}` cannot be indexed by `{name}`: {why}", index.column.value);
            sink.push(at(Diagnostic::new(codes::INDEX_NOT_POSSIBLE, span, message)));
        };
        let Some(column) = columns.get(&index.column.value) else {
            refuse(index.column.span, format!("`{}` does not store it", relation.address));
            continue;
        };
        let in_partition = table.partition_key.iter().any(|part| part.value.column() == index.column.value);
        if counters {
            refuse(index.span, "the table holds counters".to_owned());
        }
        if in_partition && table.partition_key.len() == 1 {
            refuse(index.column.span, "it is the whole partition key, by which rows are found anyway".to_owned());
        }
        if index.local && (column.is_static || column.kind.is_multi_cell_collection()) {
            refuse(index.column.span, "a local index takes neither static columns nor collections".to_owned());
        }
        if let Some(why) = kind(&column.kind, index) {
            refuse(index.column.span, why);
        }
        if index.sai {
            let odd = |name: &str| !name.chars().all(|next| next.is_ascii_alphanumeric() || next == '_');
            if odd(&index.column.value) || index.column.value.len() > LONGEST {
                refuse(
                    index.column.span,
                    format!("its name has other than letters, digits and underscores, or more than {LONGEST}"),
                );
            }
        }
        let target = |index: &CqlIndex| index.target.as_ref().map(|target| target.value.clone());
        let mut earlier = table.indexes.values().take(position);
        let alike = |other: &&CqlIndex| {
            other.column.value == index.column.value && other.sai == index.sai && target(other) == target(index)
        };
        if let Some(other) = earlier.find(alike) {
            let diagnostic = Diagnostic::new(
                codes::INDEX_NOT_POSSIBLE,
                index.span,
                format!("`{}` has an index of that kind already", index.column.value),
            );
            sink.push(at(diagnostic.context(other.span, "the other")));
        }
        options(index, &column.kind, table.key.as_str(), name, in_partition || is_clustering(relation, index), sink);
        let needed = [
            (Feature::SecondaryIndex, true, index.span),
            (Feature::AttachedIndex, index.sai, index.span),
            (Feature::LocalIndex, index.local, index.span),
        ];
        // The first that is lacking says enough.
        engines.need(&needed, &format!("index `{name}`"), &at, sink);
    }
}

fn is_clustering(relation: &Relation<'_>, index: &CqlIndex) -> bool {
    relation.table.clustering.iter().any(|order| order.attribute.value == index.column.value)
}

/// Why an index does not take a type, or takes another part of it.
fn kind(kind: &Type, index: &CqlIndex) -> Option<String> {
    let target = index.target.as_ref().map(|target| target.value.as_str());
    if holds(kind, &|kind| *kind == Type::Native("duration")) {
        return Some("it holds a duration".to_owned());
    }
    if index.sai && *kind == Type::Native("blob") {
        return Some("a storage-attached index takes no `blob`".to_owned());
    }
    match (kind, target) {
        (Type::Map(..), None | Some("keys" | "values" | "entries")) | (Type::List(_) | Type::Set(_), None | Some("values")) => {
            None
        }
        (Type::Map(..) | Type::List(_) | Type::Set(_), Some(_)) => {
            Some("only a map has keys and entries, only what is frozen is indexed `full`".to_owned())
        }
        (Type::Frozen(of), Some("full")) if of.is_multi_cell_collection() => None,
        (Type::Frozen(of), _) if of.is_multi_cell_collection() => {
            Some("it is frozen, so only as a whole: `target: full`".to_owned())
        }
        (Type::User(_), _) => Some("it is a user type that is not frozen".to_owned()),
        (Type::Vector(of, dimensions), None) if index.sai => {
            if **of != Type::Native("float") {
                return Some("only vectors of `float` are searched".to_owned());
            }
            let cosine = index.options.get("similarity_function").is_none_or(|function| function == "COSINE");
            (*dimensions == 1 && cosine).then(|| "a vector of one dimension has no cosine".to_owned())
        }
        (_, Some(target)) => Some(format!("`target: {target}` is for collections")),
        (_, None) => None,
    }
}

fn holds(kind: &Type, wanted: &dyn Fn(&Type) -> bool) -> bool {
    wanted(kind) || kind.inner().into_iter().any(|inner| holds(inner, wanted))
}

/// The index's own options.
fn options(index: &CqlIndex, kind: &Type, table: &str, name: &str, in_key: bool, sink: &mut Sink) {
    let address = Address::CqlIndex(None, table.to_owned(), name.to_owned());
    let mut push = |code, message: String, help: Option<String>| {
        let diagnostic = Diagnostic::new(code, index.span, message).at(&address);
        sink.push(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
    };
    for (option, value) in &index.options {
        if !index.sai {
            let help = "only a storage-attached index has any: `using: sai`".to_owned();
            push(codes::OPTION_UNKNOWN, format!("a secondary index has no option `{option}`"), Some(help));
            continue;
        }
        let rows = sai_options();
        let Some(row) = rows.iter().find(|row| row.name == option) else {
            let help = match nearest(option, rows.iter().map(|row| row.name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has {}", rows.iter().map(|row| row.name).collect::<Vec<_>>().join(", ")),
            };
            push(codes::OPTION_UNKNOWN, format!("a storage-attached index has no option `{option}`"), Some(help));
            continue;
        };
        if let Some(must) = row.kind.flaw(value) {
            push(codes::BAD_VALUE, format!("`{option}` is {must}, not `{value}`"), None);
        }
        let of_vectors = ["optimize_for", "similarity_function"].contains(&row.name);
        let is_vector = matches!(kind, Type::Vector(..));
        let is_text = [Type::Native("text"), Type::Native("ascii")].contains(kind);
        if of_vectors != is_vector || (!of_vectors && !is_text) {
            push(codes::INDEX_NOT_POSSIBLE, format!("`{option}` does not go with `{kind}`"), None);
        } else if !of_vectors && in_key {
            push(codes::INDEX_NOT_POSSIBLE, format!("`{option}` does not go with a column of the key"), None);
        }
    }
}
