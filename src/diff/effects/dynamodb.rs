//! Which row each change of a DynamoDB table falls under, together with the other changes of the same table.

mod anew;
mod attributes;
mod blocks;
mod capacity;
mod carried;
mod checks;
mod gsi;
mod guards;
mod kept;
mod later;
mod lsi;
mod overlooked;
mod refused;
mod replicas;
mod scaling;
mod settings;
mod strong;
mod together;

use super::COMPUTED;
use super::guard::retains;
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Confidence, Deploying, Effect, Loss, Pair, When};
use crate::schema::dynamodb::{GlobalIndex, IN_MODULE, LocalIndex, ReplicaConsistency, Schema, Stream, Table};
use crate::schema::{Backend, Format, Part, Releases, Text, is_computed};
use serde_json::Value as Json;
use together::Together;

/// What a draft is about.
#[derive(Clone, Debug)]
pub(in crate::diff) enum Item<'a> {
    /// A property of a table that both sides have.
    Table,
    /// A table that is new.
    Added,
    /// A table that was kept and is in the model again.
    Returned {
        /// What it was when it left.
        known: bool,
    },
    /// A table that is gone; kept when it left the model, or then to be destroyed.
    Dropped {
        /// It stays in the store.
        kept: bool,
        /// The model says that it is to be destroyed.
        destroy: bool,
    },
    /// A local index or a property of it.
    Local(Pair<Option<&'a LocalIndex>>),
    /// A global index or a property of it.
    Global(Pair<Option<&'a GlobalIndex>>),
}

/// Of a table that an import block takes in, and that an earlier `gen`, or none, let go.
const RETURNS_UNTOLD: &str = "What the table is that exists is not known. An import block takes it as it is, and Terraform then \
                              updates what differs, or replaces the table for another key: `terraform plan` shows which.";

/// Of two tables with one name.
const TWICE: &str = "Two tables of this definition have one name.";

/// Of a table that only one side has.
const UNREAD: &str = "something of the other side that is not read may hold it";

/// How Terraform comes from the previous address of a table to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::diff) enum Way {
    /// It does not: what is at the previous one goes, and the next one is made anew.
    Anew,
    /// `moved` blocks lead there.
    Moved,
    /// They lead there with a part of it, or what may be none.
    MovedInPart,
    /// The address stays that of a module, and a `moved` block leads from one of its resources to another.
    MovedInside,
    /// A `removed` block lets go of the previous one, and an `import` block takes it in under the next.
    Imported,
    /// A `removed` block lets go of the previous one.
    LetGo,
}

/// What stands around the changes of one table on one backend.
#[derive(Clone, Debug)]
pub(in crate::diff) struct Facts<'a> {
    pub(in crate::diff) backend: Backend,
    pub(in crate::diff) tables: Pair<Option<&'a Table>>,
    /// How Terraform comes from its previous address to the next.
    pub(in crate::diff) way: Way,
    /// Deletion protection is on in previous.
    pub(in crate::diff) protected: bool,
    /// Its names differ, whatever the values are that only the tool knows.
    pub(in crate::diff) surely_renamed: bool,
    /// It is one of several new tables with indexes.
    pub(in crate::diff) one_of_several: bool,
    /// Another table of next has its name.
    pub(in crate::diff) name_taken: bool,
    /// It is on one side only, and something that was not read of the other may hold it.
    pub(in crate::diff) may_be_unread: bool,
    /// All of next, with Terraform's blocks for what stands beside tables.
    pub(in crate::diff) next: Option<&'a Schema>,
    /// The releases of Terraform's provider that are allowed, where that is said.
    pub(in crate::diff) releases: Option<Releases>,
}

impl<'a> Facts<'a> {
    /// Nothing known yet.
    pub(in crate::diff) fn new(backend: Backend) -> Self {
        Self {
            backend,
            tables: Pair::default(),
            way: Way::Anew,
            protected: false,
            surely_renamed: false,
            one_of_several: false,
            name_taken: false,
            may_be_unread: false,
            next: None,
            releases: None,
        }
    }

    /// Whether Terraform is told to overlook changes of an argument.
    fn ignores(&self, argument: &str) -> bool {
        self.backend.format() == Format::Terraform && self.tables.next.is_some_and(|table| overlooks(table, argument))
    }

    /// Whether Terraform takes in the table that exists.
    fn takes_in_the_table(&self) -> bool {
        let named = self.next.zip(self.tables.next);
        self.backend.format() == Format::Terraform && named.is_some_and(|(next, table)| next.takes_in(&table.terraform_name))
    }

    /// Whether the table is kept outside its stack, and replicas that a custom resource made beside it are not.
    fn leaves_custom_replicas(&self) -> bool {
        let template = self.backend.format() == Format::Cloudformation;
        self.tables
            .previous
            .is_some_and(|table| template && retains(table.deletion_policy.as_deref()) && carried::has_custom_replicas(table))
    }

    /// The table on both sides.
    pub(super) fn both(&self) -> Option<Pair<&'a Table>> {
        Some(Pair { previous: self.tables.previous?, next: self.tables.next? })
    }
}

/// Whether `ignore_changes` of a table names an argument.
fn overlooks(table: &Table, argument: &str) -> bool {
    let carried = table.extra.get("lifecycle.ignore_changes").map_or("", String::as_str);
    let words = carried.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    table.ignore_changes.iter().map(String::as_str).chain(words).any(|word| word == argument || word == "all")
}

/// Finds the effect of each change of one table.
pub(in crate::diff) fn effects<'a>(facts: &Facts<'_>, drafts: Vec<Draft<Item<'a>>>) -> Vec<(Draft<Item<'a>>, Effect)> {
    let together = Together::of(facts, &drafts);
    // A table whose name is made up, or changes, can be replaced while the previous one still stands.
    let chosen = facts.tables.next.and_then(|table| table.name.as_ref()).is_some_and(may_be_made_up);
    let replaceable = together.renamed || chosen || facts.tables.next.is_some_and(|table| table.name.is_none());
    let free = |table: &Table| table.regions() <= 1 || table.replica_consistency == ReplicaConsistency::Strong;
    let single = facts.tables.next.is_none_or(free);
    let read = |draft: &Draft<Item<'_>>, pick: Pick| {
        let pick = pick.case(Case::ReplaceableName, replaceable).case(Case::SingleReplica, single).of_releases(facts.releases);
        let effect = pick.effect(facts.backend, |_| None);
        let first = effect.deploying == Deploying::Replaces && !replaceable && guards::creates_first(facts);
        let effect = if first { Pick::rule("create-before-destroy").effect(facts.backend, |_| None) } else { effect };
        let effect = if chosen && effect.deploying == Deploying::Replaces { with_name_chosen(effect) } else { effect };
        guards::guard(facts, draft, effect)
    };
    let mut found: Vec<_> = drafts
        .into_iter()
        .map(|draft| {
            let effect = read(&draft, pick(facts, &together, &draft));
            let effect = overlooked::overlook(facts, &draft, effect);
            (draft, effect)
        })
        .collect();
    let replaced =
        found.iter().any(|(_, effect)| effect.danger().0 == Deploying::Replaces && effect.danger().1.contains(&Loss::Items));
    for (draft, effect) in found.iter_mut().filter(|_| replaced) {
        if facts.protected && matches!(draft.item, Item::Table) && draft.head() == "deletion_protection" {
            *effect = read(draft, Pick::rule("protection-off-with-replacement"));
        } else if anew::comes_along(facts, draft, effect) {
            *effect = read(draft, Pick::rule("with-replacement"));
        }
    }
    found
}

fn pick(facts: &Facts<'_>, together: &Together, draft: &Draft<Item<'_>>) -> Pick {
    match &draft.item {
        Item::Added | Item::Dropped { .. } if facts.may_be_unread => Pick::unknown_because(UNREAD),
        Item::Added if facts.tables.next.is_some_and(|table| replicas::before_scaling(facts.backend, table)) => {
            Pick::rule("table-add-replicas-unscaled")
        }
        Item::Added if facts.tables.next.is_some_and(|table| lacks_name(facts.backend, table)) => {
            Pick::rule("name-removed-or-added")
        }
        Item::Added if facts.takes_in_the_table() => Pick::unknown_because(RETURNS_UNTOLD),
        Item::Added if let Some(refused) = refused::whole(facts) => refused,
        Item::Added if facts.name_taken => Pick::rule("table-add").case(Case::NameTaken, true).about(Some(TWICE.to_owned())),
        Item::Added => {
            let no_stream = facts.tables.next.is_some_and(|table| replicas::starts_without_stream(facts, table));
            Pick::rule("table-add").case(Case::NoStream, no_stream).case(Case::SeveralIndexedTables, facts.one_of_several)
        }
        Item::Returned { known: false } if facts.backend.format() == Format::Terraform => Pick::unknown_because(RETURNS_UNTOLD),
        Item::Returned { .. } => Pick::rule("table-returns"),
        // The table is kept where a policy says so; what a custom resource has made beside it is not.
        Item::Dropped { .. } if facts.leaves_custom_replicas() => Pick::rule("custom-replica-drop"),
        // Where it is now, nobody looked.
        Item::Dropped { .. } if facts.way == Way::Moved && facts.backend.format() == Format::Terraform => {
            Pick::rule("address-rename").case(Case::Moved, true)
        }
        // CloudFormation lets go of a kept table whatever the model says of destroying it.
        Item::Dropped { kept: true, destroy } if !destroy || facts.backend.format() == Format::Cloudformation => {
            kept::pick(facts)
        }
        Item::Dropped { .. } => Pick::rule("table-drop")
            .case(Case::Retained, facts.tables.previous.is_some_and(|table| retains(table.deletion_policy.as_deref()))),
        _ if is_untold(together, draft) => Pick::unknown_because(COMPUTED),
        _ if leaves_unused(facts, draft) => Pick::rule("attribute-unused"),
        _ if let Some(refused) = refused::change(facts, draft) => match draft.item {
            Item::Table => replaces_first(facts, &table(facts, together, draft), &refused).unwrap_or(refused),
            _ => refused,
        },
        _ if let Some(pick) = blocks::pick(facts, draft) => pick,
        Item::Local(pair) => lsi::pick(facts, together, draft, *pair),
        Item::Global(pair) => gsi::pick(facts, together, draft, *pair),
        Item::Table => table(facts, together, draft),
    }
}

/// Whether a template gives a name in one case and leaves it to CloudFormation in another.
fn may_be_made_up(name: &Text) -> bool {
    name.parts().iter().any(|part| matches!(part, Part::Expression(text) if text.contains("AWS::NoValue")))
}

/// The worse of the two is told, with what holds otherwise.
fn with_name_chosen(effect: Effect) -> Effect {
    let otherwise = "This holds where the condition leaves the name out; where it gives one, the update is refused.";
    Effect {
        reason: format!("{} {otherwise}", effect.reason).into(),
        confidence: effect.confidence.max(Confidence::Derived),
        ..effect
    }
}

/// What a change to a definition that the service refuses does where Terraform has deleted the table by then: a replacement deletes
/// first, and what no plan checks is refused when the next one is made.
fn replaces_first(facts: &Facts<'_>, change: &Pick, refused: &Pick) -> Option<Pick> {
    let of = |pick: &Pick| pick.effect(facts.backend, |_| None);
    let late = facts.backend.format() == Format::Terraform && of(refused).when == Some(When::Apply);
    (late && !guards::creates_first(facts) && of(change).deploying == Deploying::Replaces)
        .then(|| Pick::all([change.clone(), refused.clone()]))
        .flatten()
}

/// Whether a key or the name of an index is, or was, an expression: the other side may well have the same.
fn is_untold(together: &Together, draft: &Draft<Item<'_>>) -> bool {
    let is_index = matches!(draft.item, Item::Global(_) | Item::Local(_));
    let computed = |side: &Option<Json>| match side {
        Some(Json::String(name)) => is_computed(name),
        Some(Json::Array(names)) => names.iter().filter_map(Json::as_str).any(is_computed),
        _ => false,
    };
    match draft.head() {
        "partition_key" | "sort_key" => computed(&draft.before) || computed(&draft.after),
        "projection" => gsi::names_are_open(&draft.item),
        "name" if is_index => computed(&draft.before) || computed(&draft.after),
        "" => is_index && together.index_computed,
        _ => false,
    }
}

/// Whether an index goes or lets go of an attribute, and leaves its definition behind.
fn leaves_unused(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> bool {
    let Some(next) = facts.tables.next else { return false };
    let unused = |key: &String| next.attributes.contains_key(key) && !next.uses(key) && !attributes::is_open(next);
    let lets_go = draft.action == Action::Drop && draft.path.is_none() || matches!(draft.head(), "partition_key" | "sort_key");
    lets_go
        && match &draft.item {
            Item::Local(pair) => pair.previous.is_some_and(|index| unused(&index.sort_key)),
            // One that Terraform overlooks keeps its keys.
            Item::Global(_) if facts.ignores("global_secondary_index") => false,
            Item::Global(pair) => pair.previous.is_some_and(|index| index.keys().any(unused)),
            _ => false,
        }
}

/// A property of a table.
fn table(facts: &Facts<'_>, together: &Together, draft: &Draft<Item<'_>>) -> Pick {
    let Some(pair) = facts.both() else { return Pick::unknown() };
    if let Some(reason) = replicas::untold(draft, pair) {
        return Pick::unknown_because(reason);
    }
    match draft.head() {
        "partition_key" | "sort_key" => key(facts, draft, pair),
        "attributes" => attributes::pick(together, draft, pair),
        "name" => name(facts, draft),
        "terraform_name" | "logical_id" => {
            let way = if draft.head() == "terraform_name" { facts.way } else { Way::Anew };
            match way {
                Way::MovedInPart => Pick::unknown_because(
                    "a `moved` block names a part of it, one of several instances or a resource that its module may make: what becomes of the rest is not followed",
                ),
                Way::Imported => Pick::rule("table-returns"),
                Way::LetGo => Pick::rule("table-add").case(Case::NameTaken, true),
                way => Pick::rule("address-rename").case(Case::Moved, way == Way::Moved),
            }
        }
        "beside" => Pick::rule("beside-address-rename"),
        "template" => {
            let stays = pair.previous.name.is_some() && retains(pair.previous.deletion_policy.as_deref());
            Pick::rule("stack-change").case(Case::Retained, stays && !together.renamed)
        }
        "resource" => carried::of_other_type(pair),
        // Provider 5 takes it; later ones may refuse it.
        "extra" if facts.backend == Backend::TerraformAws5 && draft.key() == "stream_view_type" && goes_off(pair) => {
            settings::stream(facts.backend, pair)
        }
        "replicas" | "replica_consistency" | "witness" => replicas::pick(facts, together, draft, pair),
        "autoscaling" | "throughput" if facts.backend == Backend::CloudformationGlobalTable && changes_billing(pair) => {
            settings::billing(facts, together, pair)
        }
        // In a module another resource stands for each: it comes, and the other one goes.
        "ignore_changes" if [pair.previous, pair.next].iter().all(|table| table.terraform_name.starts_with(IN_MODULE)) => {
            Pick::rule("address-rename").case(Case::Moved, facts.way == Way::MovedInside)
        }
        "ignore_changes" if replicas::are_uncovered(pair) => Pick::rule("replica-not-ignored"),
        "prevent_destroy" | "ignore_changes" | "deletion_policy" | "update_replace_policy" => {
            let is_snapshot = draft.after.as_ref().and_then(Json::as_str) == Some("Snapshot");
            Pick::rule("guard-change").case(Case::Snapshot, is_snapshot)
        }
        _ => settings::pick(facts, together, draft, pair),
    }
}

fn goes_off(pair: Pair<&Table>) -> bool {
    let on = |table: &Table| table.stream.is_some_and(|stream| stream != Stream::Off);
    on(pair.previous) && !on(pair.next) && !pair.next.extra.contains_key("stream_enabled")
}

/// Whether capacity comes or goes with the billing mode.
fn changes_billing(pair: Pair<&Table>) -> bool {
    pair.previous.billing != pair.next.billing
}

/// Of a table to which Terraform was told no partition key: it was made from another one, or was given one before.
const KEY_UNTOLD: &str = "what is not written of a partition key stays as it is: which one the table has is not known here";

fn key(facts: &Facts<'_>, draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    let swapped = pair.previous.sort_key.as_ref() == Some(&pair.next.partition_key)
        && pair.next.sort_key.as_ref() == Some(&pair.previous.partition_key);
    let terraform = facts.backend.format() == Format::Terraform;
    match (draft.head(), draft.action) {
        _ if swapped => Pick::rule("hash-range-swap"),
        ("partition_key", _) if terraform && pair.previous.partition_key.is_empty() => Pick::unknown_because(KEY_UNTOLD),
        ("partition_key", _) => {
            let unwritten = terraform && pair.next.partition_key.is_empty();
            Pick::rule("hash-key-change").case(Case::NotWritten, unwritten)
        }
        (_, Action::Add) => Pick::rule("range-key-add"),
        (_, Action::Drop) => Pick::rule("range-key-remove"),
        _ => Pick::rule("range-key-change"),
    }
}

fn name(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Pick {
    match draft.action {
        // No plan without a name was ever carried out: what it was called before is said nowhere.
        Action::Add if facts.backend.format() == Format::Terraform => {
            Pick::unknown_because("Terraform takes no table without a name: which one it has is not known here")
        }
        Action::Add | Action::Drop => Pick::rule("name-removed-or-added"),
        // Two expressions, at least one of which has no value here, may well come to the same name.
        _ if !facts.surely_renamed => Pick::unknown(),
        _ => Pick::rule("table-rename"),
    }
}

/// Whether Terraform is to make a table without a name. The table module passes on what it is given.
fn lacks_name(backend: Backend, table: &Table) -> bool {
    backend.format() == Format::Terraform && table.name.is_none() && !table.terraform_name.is_empty()
}
