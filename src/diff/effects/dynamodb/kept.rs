//! A table that leaves and is kept, and what stands beside it in resources of its own.

use super::Facts;
use crate::diff::rows::{Case, Pick};
use crate::schema::dynamodb::{IN_MODULE, Table, beside};
use crate::schema::{Backend, Format};
use std::collections::BTreeSet;

/// What is not kept with the table goes: Terraform destroys what no `removed` block lets go of, a stack deletes its scaling, which
/// no policy keeps.
pub(super) fn pick(facts: &Facts<'_>) -> Pick {
    let goes = goes(facts);
    Pick::rule("table-kept")
        .case(Case::StreamNotKept, goes.contains(beside::KINESIS))
        .case(Case::ScalingNotKept, goes.contains(beside::SCALING_TARGET) || goes.contains(beside::SCALING_POLICY))
        .case(Case::BesideNotKept, !goes.is_empty())
}

/// The types of the resources that go.
fn goes(facts: &Facts<'_>) -> BTreeSet<&'static str> {
    // A `removed` block of a module takes all of it.
    let own = facts.tables.previous.filter(|table| !table.terraform_name.starts_with(IN_MODULE));
    let beside = own.into_iter().flat_map(Table::beside).map(|beside| beside.kind);
    match facts.backend {
        // In files that are not generated the labels are anybody's: the type has to do.
        backend if backend.format() == Format::Terraform => {
            let let_go = |kind: &str| {
                let mut removed = facts.next.into_iter().flat_map(|next| &next.removed).filter(|(_, destroy)| !**destroy);
                removed.any(|(address, _)| beside::kind_of(address) == Some(kind))
            };
            beside.filter(|kind| !let_go(kind)).collect()
        }
        Backend::CloudformationTable => beside.filter(|kind| *kind == beside::SCALING_TARGET).collect(),
        _ => BTreeSet::new(),
    }
}
