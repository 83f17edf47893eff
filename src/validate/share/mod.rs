//! Models that share tables: one owns a table, and others hold entities in it (model language, section 6).
//!
//! Each text is read by itself first, so that the others can know what it has; then each is checked among them.

mod keys;
mod neighbours;
mod outline;

pub(super) use keys::check;
pub(super) use neighbours::{Alone, Neighbours};
pub use outline::{Outline, outline};

use super::{Draft, Values};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Model;
use crate::source::{FileId, SourceMap, Span};
use std::collections::BTreeMap;

/// A text among those that it shares tables with.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// The text.
    pub file: FileId,
    /// What it says, as far as its shape goes.
    pub draft: Option<&'a Draft>,
    /// What there is to say about its shape.
    pub said: &'a [Diagnostic],
    /// What became of each name that it gives as an `owner`.
    pub owners: &'a BTreeMap<String, Lookup>,
}

/// Which model has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// One.
    Found(FileId),
    /// Several, whose names stand here.
    Several(Vec<Span>),
    /// None of those that were looked at.
    Missing {
        /// The names they have.
        known: Vec<String>,
        /// Where they lie, as it is shown: "models".
        searched: String,
    },
}

/// Models that were checked together.
#[derive(Debug)]
pub struct Together {
    /// Each model, in the order of the members, with what there is to say about it beside its shape. None exactly when there is
    /// an error, here or in the shape.
    pub models: Vec<(Option<Model>, Sink)>,
    /// The tables they share.
    pub tables: Vec<SharedTable>,
}

/// A table that several models hold entities in.
#[derive(Clone, Debug)]
pub struct SharedTable {
    /// Its key.
    pub key: String,
    /// The member that owns it.
    pub owner: Part,
    /// The members that share it, by their models' names.
    pub sharers: Vec<Part>,
}

/// A member's part in a table.
#[derive(Clone, Debug)]
pub struct Part {
    /// Which of the members.
    pub member: usize,
    /// Its name.
    pub name: String,
    /// Where the table stands in its text.
    pub span: Span,
}

impl SharedTable {
    /// All parts, the owner's first.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.owner).chain(&self.sharers)
    }
}

/// Follows every reference of models that share tables, as [`Draft::resolve`] does.
#[must_use]
pub fn resolve_all(sources: &SourceMap, members: &[Member<'_>], values: &Values) -> Together {
    let alone: Vec<Alone> =
        if members.len() > 1 { members.iter().map(|member| Alone::read(sources, member, values)).collect() } else { Vec::new() };
    let models = members.iter().enumerate().map(|(this, member)| {
        let mut sink = Sink::default();
        let neighbours = Neighbours::new(sources, members, &alone, this);
        let model = member.draft.and_then(|draft| draft.resolve_among(sources, values, &neighbours, &mut sink));
        (model, sink)
    });
    Together { models: models.collect(), tables: neighbours::tables(members, &alone) }
}

/// What is to be said of a table in the text of one model when another that shares it is wrong; `first` is the first error
/// there.
#[must_use]
pub fn not_judged(sources: &SourceMap, part: &Part, table: &SharedTable, fellow: &Part, first: &Diagnostic) -> Diagnostic {
    let role = if fellow.member == table.owner.member { "owns" } else { "shares" };
    unjudged(sources, part.span, &table.key, &format!("`{}`, which {role} it,", fellow.name), first)
}

fn unjudged(sources: &SourceMap, span: Span, table: &str, fellow: &str, first: &Diagnostic) -> Diagnostic {
    let place = first.primary.as_ref().map(|label| {
        let position = sources.position(label.span);
        format!("{}:{}:{}: ", sources.path(label.span.file), position.line, position.column)
    });
    Diagnostic::new(codes::SHARED_NOT_JUDGED, span, format!("`{table}` cannot be judged: the model {fellow} has errors"))
        .note(format!("the first is {}{} [{}]", place.unwrap_or_default(), first.message, first.code.slug()))
        .help("mend that model first")
        .at(format!("dynamodb.{table}"))
}
