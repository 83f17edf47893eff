//! Guards: what keeps a table that a change would delete.

use super::{Facts, Item};
use crate::diff::draft::Draft;
use crate::diff::effects::guard::{refused, retained, retains, retains_replaced};
use crate::diff::{Deploying, Effect, Loss, When};
use crate::schema::{Format, Value};

/// Whether Terraform makes the new table before it deletes the one that is there.
pub(super) fn creates_first(facts: &Facts<'_>) -> bool {
    let asked = facts.tables.next.and_then(|table| table.extra.get("lifecycle.create_before_destroy"));
    facts.backend.format() == Format::Terraform && asked.is_some_and(|asked| asked == "true")
}

/// Puts the guard that acts first before what the row says. A guard changes what deploying does, neither what the change
/// needs nor what it would lose.
pub(super) fn guard(facts: &Facts<'_>, draft: &Draft<Item<'_>>, effect: Effect) -> Effect {
    let deletes = matches!(effect.deploying, Deploying::Applies | Deploying::Replaces);
    if deletes && effect.loses.contains(&Loss::Replica) && is_protected_there(facts, draft) {
        return refused(effect, When::Apply, "deletion_protection");
    }
    if !effect.loses.contains(&Loss::Items) {
        return effect;
    }
    // A table that leaves its address is deleted there, not replaced: prevent_destroy has left with the text, and it is the
    // policy of the deployed template that counts.
    let leaves = matches!(draft.item, Item::Dropped { .. })
        || matches!(draft.head(), "terraform_name" | "logical_id" | "template")
        || effect.rule == Some("address-rename");
    let terraform = facts.backend.format() == Format::Terraform;
    let stays = if leaves {
        retains(facts.tables.previous.and_then(|table| table.deletion_policy.as_deref()))
    } else {
        retains_replaced(facts.tables.next.and_then(|table| table.update_replace_policy.as_deref()))
    };
    if !terraform && stays {
        return retained(effect);
    }
    if terraform && deletes && !leaves && facts.tables.next.is_some_and(|table| table.prevent_destroy) {
        return refused(effect, When::Plan, "prevent_destroy");
    }
    if deletes && facts.protected {
        return refused(effect, When::Apply, "deletion_protection");
    }
    effect
}

/// Whether a replica that goes is protected where it is.
fn is_protected_there(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> bool {
    let replica = facts.tables.previous.and_then(|table| table.replicas.get(draft.key()));
    draft.head() == "replicas" && replica.is_some_and(|replica| replica.deletion_protection == Some(Value::Literal(true)))
}
