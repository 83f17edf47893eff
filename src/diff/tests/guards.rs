//! Guards: they change what deploying does, not what a change needs or would lose.

use super::dynamodb::{one, orders};
use super::{CLOUDFORMATION, TERRAFORM, changes, words};
use crate::diff::{Change, Deploying, Loss, Plan, When};
use crate::schema::dynamodb::Table;
use crate::schema::{Backend, Schema};

/// The partition key changes while `guard` holds on both sides.
fn rekeyed(guard: impl Fn(&mut Table)) -> (Schema, Schema) {
    let (mut previous, mut next) = (orders(), orders());
    guard(&mut previous);
    guard(&mut next);
    next.sort_key = None;
    next.attributes.remove("at");
    (one(previous), one(next))
}

fn only(guard: impl Fn(&mut Table), backend: Backend) -> Change {
    let (previous, next) = rekeyed(guard);
    let mut found = changes(&previous, &next, &[backend]);
    assert_eq!(found.len(), 1);
    found.remove(0)
}

#[test]
fn of_two_guards_the_one_that_acts_first_is_named() {
    let change = only(
        |table| {
            table.prevent_destroy = true;
            table.deletion_protection = Some(true.into());
        },
        TERRAFORM,
    );
    let effect = &change.effects[&TERRAFORM];
    assert_eq!((words(effect).as_str(), effect.when), ("Recreation/Refuses/[]", Some(When::Plan)));
    let unguarded = effect.unguarded.as_ref().unwrap();
    assert_eq!((unguarded.deploying, unguarded.guard), (Deploying::Replaces, "prevent_destroy"));
    assert_eq!(unguarded.loses, [Loss::Items]);
    assert!(effect.blocks() && effect.recreates());

    let protected = only(|table| table.deletion_protection = Some(true.into()), TERRAFORM);
    let effect = &protected.effects[&TERRAFORM];
    assert_eq!(effect.when, Some(When::Apply));
    assert_eq!(effect.unguarded.as_ref().unwrap().guard, "deletion_protection");
}

#[test]
fn a_policy_keeps_the_table_that_is_replaced() {
    let change = only(
        |table| {
            table.name = None;
            table.update_replace_policy = Some("Retain".into());
        },
        CLOUDFORMATION,
    );
    let effect = &change.effects[&CLOUDFORMATION];
    assert_eq!((words(effect).as_str(), effect.guard), ("Recreation/Replaces/[]", Some("retain")));
    assert_eq!(effect.unguarded.as_ref().unwrap().loses, [Loss::Items]);
    let unguarded = only(|table| table.name = None, CLOUDFORMATION);
    assert_eq!(words(&unguarded.effects[&CLOUDFORMATION]), "Recreation/Replaces/[Items]");
    let named = only(|_| {}, CLOUDFORMATION);
    assert_eq!(words(&named.effects[&CLOUDFORMATION]), "Recreation/Refuses/[]");
    assert!(named.effects[&CLOUDFORMATION].unguarded.is_none());
}

#[test]
fn what_keeps_a_table_that_was_made_is_no_policy_for_one_that_is_replaced() {
    let of = |policy: &'static str| {
        move |table: &mut Table| {
            table.name = None;
            table.deletion_policy = Some(policy.to_owned());
            table.update_replace_policy = Some(policy.to_owned());
        }
    };
    for (policy, keeps) in [("Retain", true), ("RetainExceptOnCreate", false)] {
        let change = only(of(policy), CLOUDFORMATION);
        let effect = &change.effects[&CLOUDFORMATION];
        assert_eq!((effect.guard.is_some(), effect.loses.is_empty()), (keeps, keeps), "{policy}");
    }
}

#[test]
fn prevent_destroy_leaves_with_the_block_that_held_it() {
    let guarded = |table: &mut Table| {
        table.prevent_destroy = true;
        table.deletion_protection = Some(true.into());
    };
    let mut previous = orders();
    guarded(&mut previous);
    let found = changes(&one(previous), &Schema::from(crate::schema::dynamodb::Schema::default()), &[TERRAFORM]);
    let effect = &found[0].effects[&TERRAFORM];
    assert_eq!(effect.unguarded.as_ref().unwrap().guard, "deletion_protection");
    let mut previous = orders();
    previous.prevent_destroy = true;
    let found = changes(&one(previous), &Schema::from(crate::schema::dynamodb::Schema::default()), &[TERRAFORM]);
    assert_eq!(words(&found[0].effects[&TERRAFORM]), "InPlace/Applies/[Items]");
}

#[test]
fn protection_that_is_lifted_with_the_replacement_still_holds() {
    let (mut previous, next) = (orders(), orders());
    previous.deletion_protection = Some(true.into());
    let next =
        Table { sort_key: None, attributes: next.attributes.into_iter().filter(|(name, _)| name != "at").collect(), ..orders() };
    let found = changes(&one(previous), &one(next), &[TERRAFORM]);
    let rules: Vec<_> = found.iter().map(|change| change.effects[&TERRAFORM].rule.unwrap_or("?")).collect();
    assert_eq!(rules, ["protection-off-with-replacement", "range-key-remove"]);
    assert!(found.iter().all(|change| change.effects[&TERRAFORM].deploying == Deploying::Refuses));
}

#[test]
fn a_table_counts_once_by_its_worst_and_an_acknowledgement_lifts_the_block() {
    let (previous, next) = rekeyed(|table| table.prevent_destroy = true);
    let mut plan = Plan::default();
    plan.add(changes(&previous, &next, &[TERRAFORM, CLOUDFORMATION]));
    assert_eq!((plan.summary.recreate, plan.summary.update, plan.summary.blocked), (1, 0, 1));
    assert_eq!(plan.tables.len(), 1);
    assert!(plan.is_blocked());
    let acknowledgement = crate::diff::Acknowledgement { reason: "planned".into(), owner: "ana".into(), until: None };
    let mut found = changes(&previous, &next, &[TERRAFORM, CLOUDFORMATION]);
    found[0].acknowledged = Some(acknowledgement);
    let mut plan = Plan::default();
    plan.add(found);
    assert_eq!((plan.is_blocked(), plan.summary.blocked), (false, 0));
}

#[test]
fn the_order_of_a_replacement_is_no_part_of_the_table() {
    let of = |lifecycle: &str| super::native::module(lifecycle, "");
    let told = super::all(&of(""), &of("  lifecycle {\n    create_before_destroy = true\n  }\n"), TERRAFORM);
    assert_eq!(told, ["dynamodb.orders extra.\"lifecycle.create_before_destroy\" guard-change Nothing/Nothing/[]"]);
}
