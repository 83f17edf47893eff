//! What a pattern does, and to which entities.

use super::Reader;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{Pattern, Verb};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, Field};

impl Reader<'_, '_> {
    /// The verb, its place, and whether what it names was wrong. None, reported, when there is not exactly one.
    pub(super) fn verb_name(
        &mut self,
        name: &str,
        span: Span,
        document: &document::Pattern,
    ) -> Option<(&'static str, Span, bool)> {
        let place = |is_there: bool, span: Option<Span>| is_there.then_some(span);
        let verbs = [
            ("find", place(document.find.is_there(), document.find.get().map(|value| value.span))),
            ("count", place(document.count.is_there(), document.count.get().map(|value| value.span))),
            ("scan", place(document.scan.is_there(), document.scan.get().map(|value| value.span))),
            ("put", place(document.put.is_there(), document.put.get().map(|value| value.span))),
            ("update", place(document.update.is_there(), document.update.get().map(|value| value.span))),
            ("delete", place(document.delete.is_there(), document.delete.get().map(|value| value.span))),
            ("transaction", place(document.transaction.is_there(), document.transaction.get().map(|value| value.span))),
            ("batch", place(document.batch.is_there(), document.batch.get().map(|value| value.span))),
        ];
        let given: Vec<(&'static str, Option<Span>)> =
            verbs.into_iter().filter_map(|(verb, place)| Some((verb, place?))).collect();
        match given.as_slice() {
            [(verb, place)] => Some((verb, place.unwrap_or(span), place.is_none())),
            [] => {
                self.report.push(
                    Diagnostic::new(codes::NO_VERB, span, format!("`{name}` does not say what it does"))
                        .help("add one of `find`, `count`, `scan`, `put`, `update`, `delete`, `transaction`, `batch`"),
                );
                None
            }
            [(first, first_place), (second, second_place), ..] => {
                let mut diagnostic = Diagnostic::new(
                    codes::TWO_VERBS,
                    second_place.unwrap_or(span),
                    format!("`{name}` has both `{first}` and `{second}`"),
                );
                if let Some(place) = first_place {
                    diagnostic = diagnostic.context(*place, "the first");
                }
                self.report.push(diagnostic.help("make two patterns, or one `transaction` or `batch` of both"));
                None
            }
        }
    }

    pub(super) fn verb(&mut self, name: &str, verb: &str, document: &document::Pattern) -> Option<Verb> {
        let many = |field: &Field<document::OneOrMany>| field.get().map(|entities| entities.value.names().to_vec());
        let one = |field: &Field<String>| field.get().cloned();
        Some(match verb {
            "find" => Verb::Find(self.distinct(many(&document.find)?, document.find.get()?.span)),
            "scan" => Verb::Scan(self.distinct(many(&document.scan)?, document.scan.get()?.span)),
            "count" => Verb::Count(one(&document.count)?),
            "put" => Verb::Put(one(&document.put)?),
            "update" => Verb::Update(one(&document.update)?),
            "delete" => Verb::Delete(one(&document.delete)?),
            "transaction" => Verb::Transaction(self.entries(name, &document.transaction, true)?),
            _ => Verb::Batch(self.entries(name, &document.batch, false)?),
        })
    }

    fn distinct(&mut self, entities: Vec<Spanned<String>>, span: Span) -> Vec<Spanned<String>> {
        if entities.is_empty() {
            self.report.push(Diagnostic::new(codes::WRONG_SHAPE, span, "the list of entities is empty"));
        }
        for (index, entity) in entities.iter().enumerate() {
            if entities.iter().take(index).any(|earlier| earlier.value == entity.value) {
                self.report.push(Diagnostic::new(
                    codes::DUPLICATE_NAME,
                    entity.span,
                    format!("`{}` is listed twice", entity.value),
                ));
            }
        }
        entities
    }

    fn entries(&mut self, name: &str, list: &Field<Vec<Field<document::Pattern>>>, transaction: bool) -> Option<Vec<Pattern>> {
        let list = list.get()?;
        if list.value.is_empty() {
            self.report.push(Diagnostic::new(codes::WRONG_SHAPE, list.span, format!("`{name}` has no entries")));
        }
        let mut entries = Vec::new();
        for (index, entry) in list.value.iter().enumerate() {
            let Some(entry) = entry.get() else { continue };
            if let Some(entry) = self.pattern(&format!("{name}[{index}]"), entry.span, entry, true) {
                entries.push(entry);
            }
        }
        let reads = |entry: &&Pattern| matches!(entry.verb, Verb::Find(_) | Verb::Count(_) | Verb::Scan(_));
        if let Some(read) = entries.iter().find(reads)
            && let Some(write) = entries.iter().find(|entry| !reads(entry))
        {
            let what = if transaction { "a transaction holds either reads or writes" } else { "a batch holds writes" };
            self.report.push(Diagnostic::new(codes::BAD_PATTERN, read.verb_span, what).context(write.verb_span, "a write"));
        } else if let Some(read) = entries.iter().find(reads).filter(|_| !transaction) {
            let diagnostic = Diagnostic::new(codes::BAD_PATTERN, read.verb_span, "a batch holds writes");
            self.report
                .push(diagnostic.help("several entities in one read are `find: [A, B]`, several keys `in ?` with `batch_size`"));
        }
        let items: u64 = entries.iter().map(|entry| entry.batch_size).fold(0, u64::saturating_add);
        if transaction && items > 100 {
            let message = format!("`{name}` has {items} items; a transaction takes at most 100");
            self.report.push(
                Diagnostic::new(codes::BATCH_TOO_LARGE, list.span, message)
                    .help("split it, or use `batch` where it need not be atomic"),
            );
        }
        Some(entries)
    }
}
