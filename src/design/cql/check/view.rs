//! Which views a table can have, by the rules that engines enforce when a view is made.
//!
//! Sources: Cassandra `CreateViewStatement.java` (each rule run on 4.0.19, 4.1.10 and 5.0.9); ScyllaDB
//! `create_view_statement.cc`.

use super::super::layout::{Relation, key_columns};
use super::super::table::Columns;
use super::{Engines, not_a_key};
use crate::diagnostic::{Diagnostic, Sink, codes, nearest};
use crate::model::CqlView;
use crate::schema::Address;
use crate::schema::cql::engine::Feature;
use crate::schema::cql::{Column, OptionValue};
use crate::source::{Span, Spanned};
use std::collections::BTreeSet;

pub(super) fn check(relation: &Relation<'_>, columns: &Columns, engines: &Engines<'_>, sink: &mut Sink) {
    for (name, view) in &relation.table.views {
        let address = Address::View(None, relation.table.key.clone(), name.clone());
        let at = |diagnostic: Diagnostic| diagnostic.at(&address);
        key(relation, name, view, columns, &at, sink);
        base(relation, name, view, columns, &at, sink);
        engines.need(&[(Feature::View, true, view.span)], &format!("view `{name}`"), &at, sink);
    }
}

type At<'a> = &'a dyn Fn(Diagnostic) -> Diagnostic;

fn key(relation: &Relation<'_>, name: &str, view: &CqlView, columns: &Columns, at: At<'_>, sink: &mut Sink) {
    let mut refuse = |span: Span, why: String, help: Option<String>| {
        let diagnostic = Diagnostic::new(codes::VIEW_KEY, span, format!("the key of view `{name}`: {why}"));
        sink.push(at(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }));
    };
    let named: Vec<&Spanned<String>> =
        view.partition_key.iter().chain(view.clustering.iter().map(|order| &order.attribute)).collect();
    let base: Vec<&str> = key_columns(relation.table).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut others: Vec<&Spanned<String>> = Vec::new();
    for column in &named {
        let word = column.value.as_str();
        if !seen.insert(word) {
            refuse(column.span, format!("`{word}` is in it twice"), None);
            continue;
        }
        match columns.get(word) {
            None => {
                let near = nearest(word, columns.keys().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
                refuse(column.span, format!("`{}` has no column `{word}`", relation.address), near);
                continue;
            }
            Some(found) if found.is_static => refuse(column.span, format!("`{word}` is static"), None),
            Some(found) => {
                if let Some(why) = not_a_key(&found.kind) {
                    refuse(column.span, format!("`{word}` is `{}`: {why}", found.kind), None);
                }
            }
        }
        if !base.contains(&word) {
            others.push(column);
        }
    }
    if let [_, second, ..] = others.as_slice() {
        let names: Vec<String> = others.iter().map(|column| format!("`{}`", column.value)).collect();
        let why = format!("besides the table's own key it may have one column, and it has {}", names.join(" and "));
        refuse(second.span, why, Some("make a table of its own for this".to_owned()));
    }
    let lacking: Vec<String> = base.iter().filter(|column| !seen.contains(*column)).map(|column| format!("`{column}`")).collect();
    if !lacking.is_empty() {
        let lacking = lacking.join(", ");
        let help = format!("add {lacking} at the end of `clustering`");
        refuse(view.span, format!("it lacks {lacking}, which the table's key has"), Some(help));
    }
    if view.partition_key.is_empty() {
        refuse(view.span, "its partition key is empty".to_owned(), None);
    }
}

fn base(relation: &Relation<'_>, name: &str, view: &CqlView, columns: &Columns, at: At<'_>, sink: &mut Sink) {
    let mut refuse = |span: Span, why: &str| {
        let message = format!("view `{name}` is not possible: {why}");
        sink.push(at(Diagnostic::new(codes::VIEW_BASE, span, message)));
    };
    let counter = |column: &Column| column.kind.to_string() == "counter";
    if columns.values().any(counter) {
        refuse(view.span, "its table holds counters");
    }
    for column in view.columns.iter().flatten() {
        match columns.get(&column.value) {
            None => refuse(column.span, &format!("its table has no column `{}`", column.value)),
            Some(found) if found.is_static => refuse(column.span, &format!("`{}` is static", column.value)),
            Some(_) => {}
        }
    }
    let forgets = |value: &&Spanned<OptionValue>| value.value == OptionValue::Number("0".to_owned());
    let grace = relation.table.options.values().filter_map(|options| options.get("gc_grace_seconds")).find(forgets);
    if let Some(grace) = grace {
        refuse(grace.span, "its table has `gc_grace: 0s`, so that a late deletion would bring rows of the view back");
    }
}
