//! What a guard makes of an effect: it changes what deploying does, neither what the change needs nor what it would lose.

use crate::diff::{Deploying, Effect, Unguarded, When};

/// Whether a `DeletionPolicy` of CloudFormation keeps the resource.
pub(super) fn retains(policy: Option<&str>) -> bool {
    policy.is_some_and(|policy| policy.starts_with("Retain"))
}

/// Whether an `UpdateReplacePolicy` keeps the resource that is replaced: `RetainExceptOnCreate` is no value of that
/// (<https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatereplacepolicy.html>).
pub(super) fn retains_replaced(policy: Option<&str>) -> bool {
    policy == Some("Retain")
}

/// The tool or the service refuses to delete.
pub(super) fn refused(effect: Effect, when: When, guard: &'static str) -> Effect {
    Effect {
        deploying: Deploying::Refuses,
        when: Some(when),
        loses: Vec::new(),
        unguarded: Some(Unguarded { deploying: effect.deploying, loses: effect.loses, guard }),
        ..effect
    }
}

/// The resource that is there stays, outside the stack; the new one is empty.
pub(super) fn retained(effect: Effect) -> Effect {
    let unguarded = Unguarded { deploying: effect.deploying, loses: effect.loses, guard: "retain" };
    Effect { loses: Vec::new(), unguarded: Some(unguarded), guard: Some("retain"), ..effect }
}
