//! Amazon Keyspaces as Terraform and CloudFormation make it: the names they know things by, and what guards these.

use super::{Facts, Item};
use crate::diff::draft::Draft;
use crate::diff::effects::guard::{refused, retained, retains, retains_replaced};
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Deploying, Effect, Loss, Pair, When};
use crate::schema::cql::{KEYSPACE, Managed, Table};
use crate::schema::{Backend, Format, is_computed, moved};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The row of a property that only the tool has; None for any other.
pub(super) fn pick(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Option<Pick> {
    match draft.head() {
        "terraform_name" | "logical_id" => Some(Pick::rule("address-rename").case(Case::Moved, is_moved(facts, draft))),
        "template" => Some(Pick::rule("stack-change").case(Case::Retained, is_left_in_place(facts, draft))),
        "prevent_destroy" | "ignore_changes" | "deletion_policy" | "update_replace_policy" => Some(Pick::rule("guard-change")),
        "refused" => Some(Pick::rule("def-resource-value").case(Case::Removed, draft.action == Action::Drop)),
        _ => None,
    }
}

/// Whether an expression of the tool, which is not evaluated here, stands for what changes, or for what may be the same.
pub(super) fn is_untold(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> bool {
    // Tags are in place whatever they are. A table to which a template gives no name has an expression for one.
    let is_plain = matches!(draft.head(), "extra" | "") || draft.key() == "tags";
    let made_up = draft.head() == "name" && facts.backend.format() == Format::Cloudformation;
    if matches!(facts.backend, Backend::Cql(_)) || is_plain || made_up {
        return false;
    }
    if [&draft.before, &draft.after].into_iter().flatten().any(holds_expression) {
        return true;
    }
    let Some(pair) = facts.both() else { return false };
    let is_column = matches!(draft.head(), "columns" | "partition_key" | "clustering");
    if is_column && [pair.previous, pair.next].iter().any(|table| table.columns.keys().any(|name| is_computed(name))) {
        return true;
    }
    // What one side says by an expression is carried along there, and lacks among its properties.
    let carries = |table: &Table, other: &Table| {
        table.extra.keys().any(|path| !path.starts_with("timeouts") && path != "tags" && !other.extra.contains_key(path))
    };
    (draft.after.is_none() && carries(pair.next, pair.previous)) || (draft.before.is_none() && carries(pair.previous, pair.next))
}

/// Whether a value is an expression, or holds one.
fn holds_expression(value: &Json) -> bool {
    match value {
        Json::String(text) => is_computed(text),
        Json::Array(items) => items.iter().any(holds_expression),
        Json::Object(entries) => entries.values().any(holds_expression),
        _ => false,
    }
}

/// Whether what leaves a stack stays outside it, under a name that the next stack gives too.
fn is_left_in_place(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> bool {
    let [from, to] = match draft.item {
        Item::Keyspace => [facts.keyspace.previous, facts.keyspace.next],
        _ => [facts.tables.previous, facts.tables.next].map(|table| table.map(|table| table.name.as_str())),
    };
    let is_named = from == to && from.is_some_and(|name| !is_computed(name));
    is_named && retains(managed(facts, draft).previous.and_then(|managed| managed.deletion_policy.as_deref()))
}

fn is_moved(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> bool {
    let label = |side: &Option<serde_json::Value>| side.as_ref().and_then(|side| side.as_str().map(str::to_owned));
    let (Some(from), Some(to)) = (label(&draft.before), label(&draft.after)) else { return false };
    let address = |label: String| address(draft, &label);
    draft.head() == "terraform_name" && leads(&facts.schemas.next.moved, &address(from), &address(to))
}

/// What blocks call a resource of a label: a table by that, a keyspace by its address.
fn address(draft: &Draft<Item<'_>>, label: &str) -> String {
    if matches!(draft.item, Item::Keyspace) { format!("{KEYSPACE}.{label}") } else { label.to_owned() }
}

/// Whether the tool lets go of what leaves: a `removed` block says so, or the policy of the deployed template.
pub(super) fn stays(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> bool {
    let Some(previous) = managed(facts, draft).previous else { return false };
    match facts.backend {
        Backend::KeyspacesTerraform => facts.schemas.next.removed.get(&address(draft, &previous.terraform_name)) == Some(&false),
        Backend::KeyspacesCloudformation => retains(previous.deletion_policy.as_deref()),
        _ => false,
    }
}

/// Whether an `import` block takes in what comes.
pub(super) fn is_taken_in(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> bool {
    let imported = &facts.schemas.next.imported;
    if facts.backend != Backend::KeyspacesTerraform || imported.is_empty() {
        return false;
    }
    let kind = if matches!(draft.item, Item::Keyspace) { KEYSPACE } else { "aws_keyspaces_table" };
    managed(facts, draft).next.is_some_and(|next| imported.contains_key(&format!("{kind}.{}", next.terraform_name)))
}

/// Whether blocks carry one label to another.
fn leads(moved: &BTreeMap<String, String>, from: &str, to: &str) -> bool {
    moved::chain(moved, from).skip(1).any(|at| at == to)
}

/// Whether a new resource may stand beside the one that is there: its name is made up, or changes too.
pub(super) fn is_replaceable(facts: &Facts<'_>) -> bool {
    let Pair { previous: Some(previous), next: Some(next) } = facts.tables else { return false };
    next.name.starts_with("${=") || previous.name != next.name
}

/// Puts the guard before what the row says.
pub(super) fn guard(facts: &Facts<'_>, draft: &Draft<Item<'_>>, effect: Effect) -> Effect {
    if matches!(facts.backend, Backend::Cql(_)) || !effect.loses.contains(&Loss::Items) {
        return effect;
    }
    // What leaves its address is deleted there, not replaced: prevent_destroy has left with the text, and it is the policy of
    // the deployed template that counts.
    let leaves = draft.action == Action::Drop && draft.path.is_none() || matches!(draft.head(), "terraform_name" | "logical_id");
    let managed = managed(facts, draft);
    if facts.backend.format() == Format::Terraform {
        let deletes = matches!(effect.deploying, Deploying::Applies | Deploying::Replaces);
        let is_guarded = !leaves && managed.next.is_some_and(|next| next.prevent_destroy);
        return if deletes && is_guarded { refused(effect, When::Plan, "prevent_destroy") } else { effect };
    }
    let stays = if leaves {
        retains(managed.previous.and_then(|managed| managed.deletion_policy.as_deref()))
    } else {
        retains_replaced(managed.next.and_then(|managed| managed.update_replace_policy.as_deref()))
    };
    if stays { retained(effect) } else { effect }
}

/// How the tool knows what a draft is about, on each side.
pub(super) fn managed<'a>(facts: &Facts<'a>, draft: &Draft<Item<'_>>) -> Pair<Option<&'a Managed>> {
    if matches!(draft.item, Item::Keyspace) {
        let of = |schema: &'a crate::schema::cql::Schema, name: Option<&str>| schema.keyspaces.get(name?).map(|of| &of.managed);
        return Pair {
            previous: of(facts.schemas.previous, facts.keyspace.previous),
            next: of(facts.schemas.next, facts.keyspace.next),
        };
    }
    Pair { previous: facts.tables.previous.map(|table| &table.managed), next: facts.tables.next.map(|table| &table.managed) }
}
