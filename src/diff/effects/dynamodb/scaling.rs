//! Scaling of the capacity of a table or of an index: what is modelled of it, and what of its target and policy is carried along.

use super::Item;
use super::carried::split;
use crate::diff::Pair;
use crate::diff::draft::Draft;
use crate::diff::rows::Pick;
use crate::schema::dynamodb::{Autoscaling, Range};
use serde_json::Value as Json;

/// Limits alone are a setting, reads or writes that come or go are not.
pub(super) fn scaled(draft: &Draft<Item<'_>>) -> &'static str {
    let Pair { previous, next } = draft.values();
    let scaled = |side: Option<&Json>, field: &str| side.is_some_and(|side| side.get(field).is_some());
    let pairs = ["read", "write"].map(|field| (scaled(previous, field), scaled(next, field)));
    if pairs.contains(&(false, true)) {
        "autoscaling-add"
    } else if pairs.contains(&(true, false)) {
        "autoscaling-remove"
    } else {
        "autoscaling-limits"
    }
}

/// What is carried along of a target or a policy, by its path below `autoscaling`: it comes and goes with them. Of those that
/// stay, only settings are known to be updated where they are.
pub(super) fn carried(path: &str, previous: Option<&Autoscaling>, next: Option<&Autoscaling>) -> Pick {
    let (dimension, rest) = split(path);
    let range = |scaling: Option<&Autoscaling>| -> Option<Range> {
        let scaling = scaling?;
        if dimension == "read" { scaling.read.clone() } else { scaling.write.clone() }
    };
    match (range(previous).is_some(), range(next).is_some()) {
        (false, true) => Pick::rule("autoscaling-add"),
        (true, false) => Pick::rule("autoscaling-remove"),
        (true, true) if is_setting(rest) => Pick::rule("autoscaling-limits"),
        _ => Pick::unknown(),
    }
}

/// Whether a path below a target or a policy is that of a setting that neither tool makes the resource anew for.
fn is_setting(path: &str) -> bool {
    const SETTINGS: [&str; 11] = [
        "role_arn",
        "scale_in_cooldown",
        "scale_out_cooldown",
        "disable_scale_in",
        "suspended_state",
        "tags",
        "RoleARN",
        "ScaleInCooldown",
        "ScaleOutCooldown",
        "DisableScaleIn",
        "SuspendedState",
    ];
    path.split('.').any(|name| SETTINGS.contains(&name))
}
