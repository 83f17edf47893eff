//! What stands beside a table in Terraform, or is a part of it in a resource of its own, and leaves or comes by a block: a `removed`
//! block lets go of it, an `import` block takes in what exists.

use super::carried::split;
use super::{Facts, Item};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::Format;
use crate::schema::dynamodb::{APART, IN_MODULE, Replica, Schema, Table, beside};
use std::collections::BTreeMap;

/// Of a part that comes: its key, its projection or what encrypts it may be others than those that exist.
const TAKEN_IN: &str = "An import block takes in what exists, and what that is, is not known here. Terraform then updates what differs, \
                        or makes it anew: `terraform plan` shows which.";

/// The row of a change that a block makes another one; None where none does.
pub(super) fn pick(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Option<Pick> {
    let (next, tables) = (blocks(facts)?, facts.both()?);
    let is_replica = draft.head() == "replicas";
    match draft.action {
        Action::Drop => {
            let gone = addresses(draft, Pair { previous: tables.next, next: tables.previous });
            let is_let_go = !gone.is_empty() && gone.iter().all(|address| next.lets_go_of(address));
            // A table that does not overlook the replica removes it all the same.
            let rule = if is_replica && !facts.ignores("replica") { "replica-not-ignored" } else { "beside-kept" };
            is_let_go.then(|| Pick::rule(rule))
        }
        // A table that does not overlook the replica removes it again.
        Action::Add if is_replica && !facts.ignores("replica") => None,
        Action::Add => {
            let come = addresses(draft, tables);
            let is_taken_in = !come.is_empty() && come.iter().all(|address| next.takes_in(address));
            let is_part = is_replica || draft.path.is_none();
            is_taken_in.then(|| if is_part { Pick::unknown_because(TAKEN_IN) } else { Pick::rule("beside-taken-in") })
        }
        Action::Modify | Action::Rename => None,
    }
}

/// The row of a block of a table that becomes a resource, or the other way round: the address of the resource on its side.
/// `argument` is what the blocks are called.
pub(super) fn apart(facts: &Facts<'_>, rule: &'static str, argument: &str, resource: Pair<Option<&str>>) -> Pick {
    let (blocks, overlooked) = (blocks(facts), facts.ignores(argument));
    let is_carried = match (resource.previous, resource.next) {
        (_, Some(to)) => overlooked && blocks.is_some_and(|next| next.takes_in(to)),
        (Some(from), None) => blocks.is_some_and(|next| next.lets_go_of(from)),
        (None, None) => false,
    };
    Pick::rule(rule).case(Case::CarriedOver, is_carried).case(Case::Overlooked, overlooked && resource.next.is_some())
}

/// The blocks of next, where there are any that let go of something or take something in.
fn blocks<'a>(facts: &Facts<'a>) -> Option<&'a Schema> {
    let has_blocks = |next: &&Schema| !(next.removed.is_empty() && next.imported.is_empty());
    facts.next.filter(has_blocks).filter(|_| facts.backend.format() == Format::Terraform)
}

/// The addresses of the resources that say what one side has and the other one has not: here next and previous.
fn addresses(draft: &Draft<Item<'_>>, tables: Pair<&Table>) -> Vec<String> {
    let of = |extra: &BTreeMap<String, String>| extra.get(APART).cloned().into_iter().collect();
    let index = match (&draft.item, draft.path.is_none()) {
        (Item::Global(pair), whole) => {
            let index = pair.next.or(pair.previous);
            if whole {
                return index.map(|index| of(&index.extra)).unwrap_or_default();
            }
            index.map(|index| index.name.as_str())
        }
        (Item::Table, _) if draft.head() == "replicas" => {
            return tables.next.replicas.get(draft.key()).map(|replica: &Replica| of(&replica.extra)).unwrap_or_default();
        }
        (Item::Table, _) => None,
        _ => return Vec::new(),
    };
    let property = if draft.head() == "extra" { split(draft.key()).0 } else { draft.head() };
    let kinds: &[&str] = match property {
        "autoscaling" => &[beside::SCALING_TARGET, beside::SCALING_POLICY],
        "contributor_insights" => &[beside::INSIGHTS],
        "kinesis_stream" => &[beside::KINESIS],
        "resource_policy" => &[beside::RESOURCE_POLICY],
        _ => return Vec::new(),
    };
    // A module makes its own.
    let of_side = |table: &Table| -> Vec<String> {
        let own = table.beside().filter(|it| kinds.contains(&it.kind) && it.index == index);
        own.filter(|_| !table.terraform_name.starts_with(IN_MODULE)).map(|it| it.address()).collect()
    };
    if of_side(tables.previous).is_empty() { of_side(tables.next) } else { Vec::new() }
}
