//! Secondary indexes of a table: their names, keys and projections.

use super::{Reader, capacity, settings};
use crate::diagnostic::{Diagnostic, codes};
use crate::model::Named;
use crate::model::{GlobalIndex, Holding, LocalIndex, Settings};
use crate::schema::dynamodb::{Billing, Projection};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, Field};
use crate::validate::grammar::name::Name;
use crate::validate::resolve::report::Report;
use crate::validate::resolve::{allow, entity};
use std::collections::{BTreeMap, BTreeSet};

impl Reader<'_> {
    pub(super) fn local_indexes(&self, holds: &[Holding], report: &mut Report<'_>) -> Named<LocalIndex> {
        let Some(written) = self.table.local_secondary_indexes.get() else { return Named::default() };
        if written.value.0.len() > 5 {
            let message =
                format!("`{}` has {} local secondary indexes; at most 5 are possible", self.key.value, written.value.0.len());
            report.push(
                Diagnostic::new(codes::TOO_MANY_LSI, written.span, message).help("make some of them global secondary indexes"),
            );
        }
        if let (Field::Absent, Some(first)) = (&self.table.sort_key, written.value.0.first()) {
            let message = format!("`{}` has a local secondary index and no sort key", self.key.value);
            report.push(
                Diagnostic::new(codes::LSI_NEEDS_SORT_KEY, first.0.span, message)
                    .help("give the table a `sort_key`, or make it a global secondary index"),
            );
        }
        let mut indexes = Named::default();
        for (key, index) in written.value.good() {
            let Some(name) = index_name(key, &index.name, report) else { continue };
            let Some(sort_key) = index.sort_key.get() else { continue };
            report.name(Name::TableAttribute, sort_key, "a key attribute");
            let keys = [self.table.partition_key.get(), self.table.sort_key.get(), Some(sort_key)];
            let projection = self.projection(&index.projection, key.span, &keys, holds, report);
            indexes.insert(
                key.value.clone(),
                LocalIndex {
                    span: key.span,
                    description: entity::text(&index.description),
                    name,
                    sort_key: sort_key.clone(),
                    projection,
                    renamed_from: index.renamed_from.get().cloned(),
                    allow: allow::resolve(&index.allow, report),
                },
            );
        }
        indexes
    }

    pub(super) fn global_indexes(&self, holds: &[Holding], settings: &Settings, report: &mut Report<'_>) -> Named<GlobalIndex> {
        let Some(written) = self.table.global_secondary_indexes.get() else { return Named::default() };
        if written.value.0.len() > 20 {
            let message =
                format!("`{}` has {} global secondary indexes; at most 20 are possible", self.key.value, written.value.0.len());
            report.push(Diagnostic::new(codes::TOO_MANY_GSI, written.span, message));
        }
        let mut indexes = Named::default();
        indexes.reserve_exact(written.value.0.len());
        for (key, index) in written.value.good() {
            let Some(name) = index_name(key, &index.name, report) else { continue };
            let Some(partition_key) = index.partition_key.get() else { continue };
            let sort_key = index.sort_key.get();
            let names =
                |keys: Option<&Spanned<document::OneOrMany>>| keys.map(|keys| keys.value.names().to_vec()).unwrap_or_default();
            for (part, keys) in [("partition", Some(partition_key)), ("sort", sort_key)] {
                let Some(keys) = keys else { continue };
                let number = keys.value.names().len();
                if number == 0 || number > 4 {
                    let message = format!("the {part} key of an index has 1 to 4 attributes, not {number}");
                    report.push(Diagnostic::new(codes::INDEX_KEY, keys.span, message));
                }
            }
            let (partition, sort) = (names(Some(partition_key)), names(sort_key));
            let mut keys: Vec<Option<&Spanned<String>>> = vec![self.table.partition_key.get(), self.table.sort_key.get()];
            for name in partition.iter().chain(&sort) {
                report.name(Name::TableAttribute, name, "a key attribute");
                keys.push(Some(name));
            }
            let capacity = index.throughput.get().and_then(|written| {
                if settings.billing == Billing::OnDemand && !capacity::is_limit(&written.value) {
                    capacity::not_on_demand(written.span, report);
                    return None;
                }
                Some(Box::new(Spanned::new(capacity::read(written, settings.billing, report)?, written.span)))
            });
            let warm_throughput = capacity::warm(&index.warm_throughput, report);
            let projection = self.projection(&index.projection, key.span, &keys, holds, report);
            indexes.insert(
                key.value.clone(),
                GlobalIndex {
                    span: key.span,
                    description: entity::text(&index.description),
                    name,
                    partition_key: partition,
                    sort_key: sort,
                    projection,
                    capacity,
                    warm_throughput,
                    contributor_insights: index
                        .contributor_insights
                        .get()
                        .map(|insights| Spanned::new(settings::insights(&insights.value), insights.span)),
                    renamed_from: index.renamed_from.get().cloned(),
                    allow: allow::resolve(&index.allow, report),
                },
            );
        }
        let projected: usize = self.projected(&indexes);
        if projected > 100 {
            let message =
                format!("the indexes of `{}` project {projected} attributes by name; at most 100 are possible", self.key.value);
            report.push(
                Diagnostic::new(codes::TOO_MANY_PROJECTED, written.span, message)
                    .help("use `projection: all` where an index needs most of them"),
            );
        }
        indexes
    }

    /// Attributes that are projected by name, over all indexes: a limit of the table.
    fn projected(&self, global: &Named<GlobalIndex>) -> usize {
        let listed = |projection: &Projection| if let Projection::Include(names) = projection { names.len() } else { 0 };
        let local = self.table.local_secondary_indexes.get().into_iter().flat_map(|indexes| indexes.good());
        let local = local.map(|(_, index)| match index.projection.get().map(|projection| &projection.value) {
            Some(document::Projection::List(names)) => names.len(),
            _ => 0,
        });
        local.sum::<usize>() + global.values().map(|index| listed(&index.projection.value)).sum::<usize>()
    }

    fn projection(
        &self,
        written: &Field<document::Projection>,
        index: Span,
        keys: &[Option<&Spanned<String>>],
        holds: &[Holding],
        report: &mut Report<'_>,
    ) -> Spanned<Projection> {
        let Some(written) = written.get() else { return Spanned::new(Projection::All, index) };
        let names = match &written.value {
            document::Projection::Text(document::ProjectionWord::All) => return Spanned::new(Projection::All, written.span),
            document::Projection::Text(document::ProjectionWord::KeysOnly) => {
                return Spanned::new(Projection::KeysOnly, written.span);
            }
            document::Projection::List(names) => names,
        };
        let mut included = BTreeSet::new();
        for name in names {
            report.name(Name::TableAttribute, name, "a projected attribute");
            if let Some(key) = keys.iter().flatten().find(|key| key.value == name.value) {
                let diagnostic = Diagnostic::new(
                    codes::PROJECTED_KEY,
                    name.span,
                    format!("`{}` is a key of the table or the index, so it is projected anyway", name.value),
                );
                report.push(diagnostic.context(key.span, "the key").help("remove it from the list"));
            } else if !self.is_stored(&name.value, holds) {
                self.unknown(name, holds, report);
            }
            if !included.insert(name.value.clone()) {
                report.push(Diagnostic::new(codes::DUPLICATE_NAME, name.span, format!("`{}` is listed twice", name.value)));
            }
        }
        if names.is_empty() {
            report.push(Diagnostic::new(codes::WRONG_SHAPE, written.span, "the list is empty").suggest(
                "project the keys alone",
                written.span,
                "keys_only",
            ));
        }
        Spanned::new(Projection::Include(included), written.span)
    }
}

pub(super) fn names(local: &Named<LocalIndex>, global: &Named<GlobalIndex>, report: &mut Report<'_>) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    let names = local.values().map(|index| &index.name).chain(global.values().map(|index| &index.name));
    for name in names {
        if let Some(first) = seen.insert(&name.value, name.span) {
            let diagnostic = Diagnostic::new(
                codes::DUPLICATE_NAME,
                name.span,
                format!("two indexes of the table are called `{}`", name.value),
            );
            report.push(diagnostic.context(first, "the other"));
        }
    }
}

fn index_name(key: &Spanned<String>, name: &Field<String>, report: &mut Report<'_>) -> Option<Spanned<String>> {
    if name.is_broken() {
        return None;
    }
    let name = name.get().unwrap_or(key);
    report.name(Name::Dynamodb, name, "the name of an index").then(|| name.clone())
}
