//! An effect: what a change means on one backend. The words are defined once, here; each variant's text is what reports and
//! the JSON Schema print about it.

use crate::schema::Backend;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a change means on each backend that sees it; what sums changes up shares it with them.
pub type Effects = BTreeMap<Backend, Arc<Effect>>;

/// Sentences, those of a row where nothing is filled in.
pub(super) type Sentences = Cow<'static, [String]>;

/// What it takes for the change to be real.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Needs {
    /// The same thing written differently, or only the tool's own bookkeeping.
    Nothing,
    /// One update, complete when it returns.
    InPlace,
    /// One update, then a background job or an operator's step before it holds everywhere.
    FollowUp,
    /// An index or view is built; not usable until it is active.
    IndexBuild,
    /// An existing index or view is dropped and built again; its queries fail in between.
    IndexRebuild,
    /// Several deployments in a given order, with something to wait for between them.
    Stages,
    /// The table (keyspace, type) is created anew and its rows copied.
    Recreation,
    /// The backend has no such feature, or never accepts such a definition.
    Unsupported,
    /// No source settles it; a person has to look.
    Unknown,
}

/// What the backend does if the change is deployed as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Deploying {
    /// There is nothing to deploy.
    Nothing,
    /// It does what `needs` says, and nothing else.
    Applies,
    /// It plans the same difference again after every apply.
    Loops,
    /// It reports success or no changes, and the live thing stays as it was.
    Ignores,
    /// No source settles it.
    Unknown,
    /// The plan or the deployment fails; nothing was changed.
    Refuses,
    /// It destroys the resource and creates a new one, empty.
    Replaces,
}

/// What is gone afterwards if it goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// Rows, all of them.
    Items,
    /// A column's values.
    Values,
    /// An index's contents, rebuildable.
    Index,
    /// Queries fail meanwhile.
    IndexOffline,
    /// A Region's copy.
    Replica,
    /// Change records, or the stream's identity.
    Stream,
    /// Recovery points.
    History,
    /// Items that the service deletes, or goes on deleting.
    ExpiringItems,
    /// Access to the data.
    Access,
}

impl Loss {
    /// Whether it is more than what can be built again, or was meant to go.
    fn blocks(self) -> bool {
        !matches!(self, Self::Index | Self::ExpiringItems)
    }
}

/// How well an effect is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Read in source, schema or documentation of that backend, or observed in a run.
    Confirmed,
    /// Follows from something that was read, or was read for another version only.
    Derived,
    /// No source found, or sources disagree; a doubt, not a fact.
    Unconfirmed,
}

/// When a deployment is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Before anything happens.
    Plan,
    /// While it is carried out.
    Apply,
}

/// What a change means on one backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Effect {
    /// What it takes.
    pub needs: Needs,
    /// What deploying it does.
    pub deploying: Deploying,
    /// When it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// What is lost, sorted.
    pub loses: Vec<Loss>,
    /// What would happen without the guard that acts first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unguarded: Option<Unguarded>,
    /// `retain`, where a policy keeps what a replacement would delete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<&'static str>,
    /// The row of the table of effects it comes from; None when no row knows the change.
    pub rule: Option<&'static str>,
    /// Why, in words.
    pub reason: Cow<'static, str>,
    /// What to do instead, in order.
    #[schemars(with = "Vec<String>")]
    pub steps: Sentences,
    /// The statement, for CQL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
    /// Sources.
    #[schemars(with = "Vec<String>")]
    pub evidence: Sentences,
    /// How well it is known.
    pub confidence: Confidence,
    /// What is doubted, where it is not confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<&'static str>,
}

impl Effect {
    /// The effect of a change that no row knows: never taken for harmless.
    #[must_use]
    pub fn unknown(reason: impl Into<Cow<'static, str>>) -> Self {
        Self {
            needs: Needs::Unknown,
            deploying: Deploying::Unknown,
            when: None,
            loses: Vec::new(),
            unguarded: None,
            guard: None,
            rule: None,
            reason: reason.into(),
            steps: Sentences::default(),
            statement: None,
            evidence: Sentences::default(),
            confidence: Confidence::Unconfirmed,
            doubt: None,
        }
    }

    /// What deploying does and loses when no guard holds it back: danger and order go by this.
    #[must_use]
    pub fn danger(&self) -> (Deploying, &[Loss]) {
        match &self.unguarded {
            Some(unguarded) => (unguarded.deploying, &unguarded.loses),
            None => (self.deploying, &self.loses),
        }
    }

    /// Whether the table (keyspace, type) is, or would be, made anew.
    #[must_use]
    pub fn recreates(&self) -> bool {
        self.needs == Needs::Recreation || self.danger().0 == Deploying::Replaces
    }

    /// Whether nothing brings it about but making the thing anew: the engine takes no statement for it.
    #[must_use]
    pub fn only_anew(&self) -> bool {
        self.needs == Needs::Recreation && self.deploying == Deploying::Refuses
    }

    /// Whether a table leaves the model and is kept, whatever becomes of what stands beside it.
    #[must_use]
    pub fn keeps_table(&self) -> bool {
        self.rule == Some("table-kept")
    }

    /// Whether it must not go through without an acknowledgement.
    #[must_use]
    pub fn blocks(&self) -> bool {
        if self.needs == Needs::Nothing {
            return matches!(self.deploying, Deploying::Replaces | Deploying::Refuses);
        }
        let (_, loses) = self.danger();
        loses.iter().any(|loss| loss.blocks())
            || !matches!(self.deploying, Deploying::Nothing | Deploying::Applies)
            || matches!(self.needs, Needs::Recreation | Needs::Stages | Needs::Unsupported | Needs::Unknown)
    }

    /// Whether it may go through and yet deserves a look.
    #[must_use]
    pub fn warns(&self) -> bool {
        !self.blocks() && (matches!(self.needs, Needs::FollowUp | Needs::IndexRebuild) || !self.danger().1.is_empty())
    }

    /// How grave it is.
    #[must_use]
    pub fn rank(&self) -> Rank {
        let (deploying, loses) = self.danger();
        Rank {
            blocks: self.blocks(),
            items: loses.contains(&Loss::Items),
            deploying,
            loses: loses.iter().any(|loss| loss.blocks()),
            refused: self.deploying == Deploying::Refuses,
            warns: self.warns(),
            needs: self.needs,
            losses: loses.len(),
        }
    }

    /// The worst of several effects that one deployment has, the first of equals, with what all of them lose. What a guard holds
    /// back, it holds back of all; with the items all else is gone.
    #[must_use]
    pub fn together<'e>(effects: impl IntoIterator<Item = &'e Arc<Self>>) -> Option<Arc<Self>> {
        let effects: Vec<&Arc<Self>> = effects.into_iter().collect();
        let worst = effects.iter().copied().reduce(|known, other| if other.rank() > known.rank() { other } else { known })?;
        let all = |lost: fn(&Self) -> &[Loss]| -> Vec<Loss> {
            let losses: BTreeSet<Loss> = effects.iter().flat_map(|effect| lost(effect)).copied().collect();
            losses.into_iter().collect()
        };
        let mut together = Arc::clone(worst);
        if worst.danger().1.contains(&Loss::Items) {
            return Some(together);
        }
        let loses = if worst.unguarded.is_some() { all(|effect| effect.danger().1) } else { all(|effect| &effect.loses) };
        if loses != worst.danger().1 {
            let effect = Arc::make_mut(&mut together);
            *effect.unguarded.as_mut().map_or(&mut effect.loses, |unguarded| &mut unguarded.loses) = loses;
        }
        Some(together)
    }

    /// The effect of a change that does several things: that of the worst, with what all lose, and what is to be said of the others
    /// where they block or warn.
    pub(super) fn joined(effects: &[Arc<Self>]) -> Option<Self> {
        let mut joined = Arc::unwrap_or_clone(Self::together(effects)?);
        for other in effects.iter().filter(|other| other.blocks() || other.warns()) {
            if joined.reason.contains(&*other.reason) {
                continue;
            }
            joined.reason = format!("{} {}", joined.reason, other.reason).into();
            joined.confidence = joined.confidence.max(other.confidence);
            joined.doubt = joined.doubt.or(other.doubt);
            for (own, more) in [(&mut joined.steps, &other.steps), (&mut joined.evidence, &other.evidence)] {
                let new: Vec<String> = more.iter().filter(|line| !own.contains(line)).cloned().collect();
                if !new.is_empty() {
                    own.to_mut().extend(new);
                }
            }
        }
        Some(joined)
    }

    /// Whether it comes with the table, which is made anew for another change.
    #[must_use]
    pub fn comes_anew(&self) -> bool {
        self.rule == Some("with-replacement")
    }
}

/// Orders effects by danger, the worst last: what blocks comes behind what does not, however much that takes; then by whether the
/// items are lost, by what deploying does, and by what else is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    blocks: bool,
    items: bool,
    deploying: Deploying,
    loses: bool,
    refused: bool,
    warns: bool,
    needs: Needs,
    losses: usize,
}

impl Rank {
    /// Whether it must not go through without an acknowledgement.
    #[must_use]
    pub fn blocks(self) -> bool {
        self.blocks
    }

    /// Whether it may go through and yet deserves a look.
    #[must_use]
    pub fn warns(self) -> bool {
        self.warns
    }
}

/// What a guard holds back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unguarded {
    /// What deploying would do.
    pub deploying: Deploying,
    /// What would be lost.
    pub loses: Vec<Loss>,
    /// `prevent_destroy`, `deletion_protection` or `retain`.
    pub guard: &'static str,
}
