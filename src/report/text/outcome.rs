//! What happens to a table on a backend, in a few words.

use crate::diff::{Action, Change, Deploying, Effect, Effects, Loss, Needs, Plan, Rank, When};
use crate::schema::{Address, Backend};
use std::borrow::Cow;

/// What happens on one backend, and how grave it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) gravity: Rank,
    words: Cow<'static, str>,
    /// What holds it back for now: `if unguarded`.
    guarded: bool,
}

impl Outcome {
    /// The words with the backends they hold for.
    pub(super) fn with(&self, plan: &Plan, backends: &[Backend]) -> String {
        let names: Vec<&str> = backends.iter().map(|backend| plan.name_of(*backend)).collect();
        let guard = if self.guarded { ", if unguarded" } else { "" };
        format!("{} [{}{guard}]", self.words, names.join(", "))
    }
}

/// The outcome of a table's or keyspace's changes on each backend; `worst` are its effects as the plan sums them up.
pub(super) fn of(changes: &[&Change], worst: Option<&Effects>, address: &Address) -> Vec<(Backend, Outcome)> {
    let mut backends: Vec<Backend> = changes.iter().flat_map(|change| change.effects.keys().copied()).collect();
    backends.sort_unstable();
    backends.dedup();
    // It may be new on one backend and leave another.
    let whole = |backend: &Backend| {
        let is_whole =
            |change: &&&Change| change.path.is_none() && change.address == *address && change.effects.contains_key(backend);
        changes.iter().find(is_whole).map(|change| change.action)
    };
    backends
        .into_iter()
        .filter_map(|backend| {
            let own = || Effect::together(changes.iter().filter_map(|change| change.effects.get(&backend)));
            let effect = worst.and_then(|effects| effects.get(&backend)).cloned().or_else(own)?;
            Some((backend, outcome(&effect, whole(&backend))))
        })
        .collect()
}

fn outcome(effect: &Effect, whole: Option<Action>) -> Outcome {
    let (deploying, loses) = effect.danger();
    // A policy that keeps the table does not keep it in place: the queries meet another one, or none.
    let kept_outside = effect.guard.is_some() && matches!(deploying, Deploying::Replaces | Deploying::Applies);
    let mut words: Cow<'static, str> = match (deploying, effect.needs, whole) {
        (Deploying::Replaces, ..) if kept_outside => "would be recreated empty, the previous table outside the stack".into(),
        (_, _, Some(Action::Drop)) if kept_outside => "would leave the stack and be kept".into(),
        (Deploying::Replaces, ..) => "would be recreated".into(),
        (Deploying::Refuses, Needs::Recreation, _) => format!("would have to be recreated; refused{}", at(effect)).into(),
        (Deploying::Refuses, Needs::Stages, _) => format!("takes several deployments; refused{} in one", at(effect)).into(),
        (Deploying::Refuses, ..) => format!("refused{}", at(effect)).into(),
        (Deploying::Ignores, ..) => "silently ignored".into(),
        (Deploying::Loops, ..) => "planned again after every apply, without effect".into(),
        (Deploying::Unknown, ..) => "not known what happens".into(),
        (_, Needs::FollowUp, Some(Action::Drop)) if effect.keeps_table() => {
            "leaves the model and is kept, with work to follow".into()
        }
        (_, needs, Some(Action::Drop)) if effect.keeps_table() || needs == Needs::Nothing => {
            "leaves the model and is kept".into()
        }
        (_, _, Some(Action::Drop)) => "would be dropped".into(),
        (_, _, Some(Action::Add)) => "created".into(),
        (_, needs, _) => in_words(needs).into(),
    };
    for loss in loses.iter().filter(|_| !kept_outside) {
        words.to_mut().extend([", ", lost(*loss)]);
    }
    Outcome { gravity: effect.rank(), words, guarded: effect.unguarded.is_some() && !kept_outside }
}

fn at(effect: &Effect) -> &'static str {
    match effect.when {
        Some(When::Plan) => " at plan",
        Some(When::Apply) => " at apply",
        None => "",
    }
}

/// What a change takes, in words.
pub(super) fn in_words(needs: Needs) -> &'static str {
    match needs {
        Needs::Nothing => "nothing to deploy",
        Needs::InPlace => "updated in place",
        Needs::FollowUp => "updated in place, with work to follow",
        Needs::IndexBuild => "an index is built",
        Needs::IndexRebuild => "an index is dropped and built again",
        Needs::Stages => "takes several deployments",
        Needs::Recreation => "has to be recreated",
        Needs::Unsupported => "not possible",
        Needs::Unknown => "not known what it takes",
    }
}

/// What is lost, in words.
pub(super) fn lost(loss: Loss) -> &'static str {
    match loss {
        Loss::Items => "all items would be lost",
        Loss::Values => "the column's values would be lost",
        Loss::Index => "the index would be gone",
        Loss::IndexOffline => "its queries fail meanwhile",
        Loss::Replica => "a Region's copy would be lost",
        Loss::Stream => "change records would be lost",
        Loss::History => "recovery points would be lost",
        Loss::ExpiringItems => "expired items are deleted",
        Loss::Access => "access could be lost",
    }
}
