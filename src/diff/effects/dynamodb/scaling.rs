//! Scaling of the capacity of a table or of an index: what is modelled of it, and what of its target and policy is carried along.

use super::Item;
use super::carried::split;
use super::checks::is_step;
use crate::diff::Pair;
use crate::diff::draft::Draft;
use crate::diff::rows::Pick;
use crate::schema::dynamodb::Autoscaling;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// What is modelled of the scaling of a side, and what is carried along there.
pub(super) type Scaled<'a> = (Option<&'a Autoscaling>, Option<&'a BTreeMap<String, String>>);

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
pub(super) fn carried(draft: &Draft<Item<'_>>, path: &str, sides: Pair<Scaled<'_>>) -> Pick {
    let (dimension, rest) = split(path);
    // A target without a policy has its limits, and no target value: it is carried along.
    let limits = ["min", "max"].map(|end| format!("autoscaling.{dimension}.{end}"));
    let is_scaled = |(scaling, extra): Scaled<'_>| {
        let range = scaling.and_then(|scaling| if dimension == "read" { scaling.read.as_ref() } else { scaling.write.as_ref() });
        range.is_some() || limits.iter().any(|limit| extra.is_some_and(|extra| extra.contains_key(limit)))
    };
    let is_limit = matches!(rest, "min" | "max");
    if draft.after.as_ref().and_then(Json::as_str).is_some_and(|kind| is_step(draft.key(), kind)) {
        return Pick::rule("autoscaling-policy-type");
    }
    match (is_scaled(sides.previous), is_scaled(sides.next)) {
        _ if rest.starts_with("scheduled_action") => Pick::unknown(),
        (false, true) => Pick::rule("autoscaling-add"),
        (true, false) => Pick::rule("autoscaling-remove"),
        (true, true) if is_limit || is_setting(rest) => Pick::rule("autoscaling-limits"),
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
