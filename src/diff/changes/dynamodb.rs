//! What differs between two generations of DynamoDB tables, for one backend.

mod extent;
mod followed;
mod indexes;
mod names;
mod sides;

use super::{moves_stack, shown};
use crate::diff::draft::{Changes, Draft};
use crate::diff::effects::dynamodb::{Facts, Item, Way, effects};
use crate::diff::matching::{Moves, global_indexes, local_indexes, tables};
use crate::diff::properties::{Also, Difference, Parameters, Path, Properties, differing, properties};
use crate::diff::{Action, Context, Pair, Shown, Side};
use crate::schema::dynamodb::beside::Readdressed;
use crate::schema::dynamodb::{Kept, Resource, Schema, Table, Template};
use crate::schema::{Address, Backend, Format, NotRead, Part, Value};
use extent::Extent;
use indexes::Indexes;
use names::Names;
use serde_json::json;
use sides::{changed, follows_an_index, holds_values, leave_out_other_formats, values_in_force};
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// The properties in which two items differ.
type Sides = Pair<Properties>;

/// What of the very same two tables differs, beside their indexes: nearly always several backends compare them.
#[derive(Default)]
pub(in crate::diff) struct Differing<'a>(BTreeMap<(*const Table, *const Table, bool), Sides>, PhantomData<&'a Table>);

impl<'a> Differing<'a> {
    /// The sides of two tables; `also` as for [`differing`].
    fn of(&mut self, pair: Pair<&'a Table>, also: Also) -> Sides {
        let tables = (std::ptr::from_ref(pair.previous), std::ptr::from_ref(pair.next), also.is_some());
        let sides = || differing(pair, &["attributes", "replicas", "tags", "extra"], &["lsi", "gsi"], also);
        self.0.entry(tables).or_insert_with(sides).clone()
    }
}

/// Compares all tables and takes the changes in.
pub(in crate::diff) fn compare<'a>(
    context: &Context,
    backend: Backend,
    pair: Pair<&'a Schema>,
    known: &mut Differing<'a>,
    changes: &mut Changes,
) {
    if let Some(previous) = followed::parts(pair) {
        return matched(context, backend, Pair { previous: &previous, next: pair.next }, &mut Differing::default(), changes);
    }
    matched(context, backend, pair, known, changes);
}

/// Compares all tables, whose parts are where next has them.
fn matched<'a>(context: &Context, backend: Backend, pair: Pair<&'a Schema>, known: &mut Differing<'a>, changes: &mut Changes) {
    let moves = Moves::of(pair.next);
    let matches = tables(backend, pair, &moves);
    // Each template is a stack of its own.
    let mut new_and_indexed: BTreeMap<Template, usize> = BTreeMap::new();
    for table in matches.iter().filter(|found| found.items.previous.is_none()).filter_map(|found| found.items.next) {
        *new_and_indexed.entry(table.template).or_default() += usize::from(table.is_indexed());
    }
    // One that the constraint rules out was asked for all the same.
    let releases = context.releases.zip(backend.releases()).map(|(allowed, own)| allowed.and(own)).filter(|both| !both.is_none());
    let names = if new_and_indexed.is_empty() { Names::default() } else { Names::of(pair.next) };
    for found in matches {
        let several = |table: &Table| new_and_indexed.get(&table.template).is_some_and(|tables| *tables > 1);
        let one_of_several = found.items.next.is_some_and(|table| table.is_indexed() && several(table));
        let backend = of_resource(backend, found.items);
        let mut facts = Facts { tables: found.items, one_of_several, next: Some(pair.next), releases, ..Facts::new(backend) };
        let drafts = match (found.items.previous, found.items.next) {
            (Some(previous), Some(next)) => {
                let parameters = Pair { previous: &pair.previous.parameters, next: &pair.next.parameters };
                let is_labelled_alike = previous.labels_beside.are(&next.labels_beside);
                let about = Pair { previous: &previous.about, next: &next.about };
                let is_there_still = moves_stack(context, backend, about).is_none();
                let is_same = previous == next && parameters.previous == parameters.next;
                if is_same && is_labelled_alike && is_there_still {
                    continue;
                }
                facts.way = way(pair.next, &moves, Pair { previous, next });
                facts.protected = protected(previous, parameters.previous);
                facts.surely_renamed = surely_renamed(Pair { previous, next }, parameters);
                let address = Address::DynamodbTable(key(context, found.keys).to_owned());
                let mut drafts = table(context, &address, backend, Pair { previous, next }, parameters, known);
                // Where the table itself is made anew, so is all that stands beside it.
                if previous.terraform_name == next.terraform_name || facts.way == Way::Moved {
                    drafts.extend(beside(&address, backend, pair.next, &moves, Pair { previous, next }));
                }
                drafts
            }
            (None, Some(next)) => {
                facts.may_be_unread = may_hold(&context.not_read.previous, backend, next);
                facts.name_taken = names.has_another(next);
                let address = Address::DynamodbTable(found.keys.next.unwrap_or_default().to_owned());
                let kept = kept_as(pair.previous, found.keys.next.unwrap_or_default(), next);
                if let Some(made) = kept.and_then(|kept| kept.made.as_deref()) {
                    let parameters = Pair { previous: &made.parameters, next: &pair.next.parameters };
                    taken_over(context, &address, &facts, Pair { previous: &made.table, next }, parameters, changes);
                }
                vec![added(address, next, kept, pair.next)]
            }
            (Some(previous), None) => {
                facts.may_be_unread = may_hold(&context.not_read.next, backend, previous);
                facts.protected = protected(previous, &pair.previous.parameters);
                let moved = moves.follow(&previous.terraform_name) != previous.terraform_name;
                facts.way = if moved { Way::Moved } else { Way::Anew };
                let key = found.keys.previous.unwrap_or_default();
                let kept = kept_as(pair.next, key, previous);
                vec![dropped(Address::DynamodbTable(key.to_owned()), previous, kept, pair.previous)]
            }
            (None, None) => Vec::new(),
        };
        for (draft, effect) in effects(&facts, drafts) {
            changes.push(context, backend, draft, effect);
        }
    }
    for (key, kept) in &pair.next.kept {
        let lets_go = pair.previous.kept.get(key).is_some_and(|previous| !previous.destroy);
        if lets_go && kept.destroy {
            let address = Address::DynamodbTable(key.clone());
            let about = Pair { previous: None, next: Some(&kept.about) };
            let draft = Draft::item(Item::Dropped { kept: true, destroy: true }, address, Action::Drop, Pair::default(), about);
            for (draft, effect) in effects(&Facts::new(backend), vec![draft]) {
                changes.push(context, backend, draft, effect);
            }
        }
    }
}

/// What is updated of a table that another model made, beside its being taken over. How a format knows and treats it is said anew.
fn taken_over(
    context: &Context,
    address: &Address,
    facts: &Facts<'_>,
    pair: Pair<&Table>,
    parameters: Pair<&Parameters>,
    changes: &mut Changes,
) {
    let next = pair.next;
    let previous = Table {
        terraform_name: next.terraform_name.clone(),
        logical_id: next.logical_id.clone(),
        template: next.template,
        resource: next.resource,
        prevent_destroy: next.prevent_destroy,
        ignore_changes: next.ignore_changes.clone(),
        deletion_policy: next.deletion_policy.clone(),
        update_replace_policy: next.update_replace_policy.clone(),
        ..pair.previous.clone()
    };
    let pair = Pair { previous: &previous, next };
    let facts = Facts {
        tables: Pair { previous: Some(&previous), next: Some(next) },
        protected: protected(&previous, parameters.previous),
        surely_renamed: surely_renamed(pair, parameters),
        ..facts.clone()
    };
    for (draft, effect) in effects(&facts, table(context, address, facts.backend, pair, parameters, &mut Differing::default())) {
        changes.push(context, facts.backend, draft, effect);
    }
}

/// Whether a table may be in something of the other side that was not read.
fn may_hold(not_read: &[NotRead], backend: Backend, table: &Table) -> bool {
    let label = if backend.format() == Format::Terraform { &table.terraform_name } else { &table.logical_id };
    not_read.iter().any(|unread| unread.may_hold(label))
}

/// What stands beside a table in Terraform and has another address there, to which no `moved`, `removed` or `import` block leads.
fn beside<'a>(
    address: &Address,
    backend: Backend,
    schema: &Schema,
    moves: &Moves<'_>,
    pair: Pair<&Table>,
) -> Vec<Draft<Item<'a>>> {
    if backend.format() != Format::Terraform {
        return Vec::new();
    }
    let is_followed = |moved: &Readdressed| {
        moves.follow(&moved.from) == moved.to || schema.lets_go_of(&moved.from) || schema.takes_in(&moved.to)
    };
    let about = Pair { previous: &pair.previous.about, next: &pair.next.about };
    let draft = |moved: Readdressed| {
        let path = Path::entry("beside", &moved.name);
        let difference = Difference { path, before: Some(json!(moved.from)), after: Some(json!(moved.to)) };
        Draft { action: Action::Rename, ..Draft::property(Item::Table, address.clone(), difference, about) }
    };
    pair.next.moves_beside(pair.previous).filter(|moved| !is_followed(moved)).map(draft).collect()
}

/// How Terraform comes to the next address of a table.
fn way(schema: &Schema, moves: &Moves<'_>, tables: Pair<&Table>) -> Way {
    let (from, to) = (tables.previous.terraform_name.as_str(), tables.next.terraform_name.as_str());
    let moved = extent::moved(&schema.parts.moves, tables);
    if from == to {
        return if moved == Some(Extent::Whole) { Way::MovedInside } else { Way::Moved };
    }
    let lets_go = schema.kept.values().any(|kept| kept.terraform_name == from && !kept.destroy)
        && extent::by(&schema.parts.removed, tables.previous) != Extent::Nothing;
    let takes_in = schema.imported.contains_key(to) && extent::by(&schema.parts.imported, tables.next) != Extent::Nothing;
    match (moves.follow(from) == to, moved.unwrap_or(Extent::Whole)) {
        (true, Extent::Whole) => Way::Moved,
        (true, Extent::Part) => Way::MovedInPart,
        _ if lets_go => {
            if takes_in {
                Way::Imported
            } else {
                Way::LetGo
            }
        }
        _ => Way::Anew,
    }
}

/// The backend of a table: a template holds tables of both types of resources, and what happens to one depends on its own.
fn of_resource(backend: Backend, tables: Pair<Option<&Table>>) -> Backend {
    let global = tables.next.or(tables.previous).is_some_and(|table| table.resource == Resource::GlobalTable);
    if backend == Backend::CloudformationTable && global { Backend::CloudformationGlobalTable } else { backend }
}

/// The key that addresses an item: that of the side the context says.
fn key<'a>(context: &Context, keys: Pair<Option<&'a str>>) -> &'a str {
    match context.addresses {
        Side::Previous => keys.previous.or(keys.next),
        Side::Next => keys.next.or(keys.previous),
    }
    .unwrap_or_default()
}

/// Whether a table was kept when it left the model: under its key, else under one of its names.
fn kept_as<'a>(schema: &'a Schema, key: &str, table: &Table) -> Option<&'a Kept> {
    if extent::by(&schema.parts.removed, table) == Extent::Nothing {
        return None;
    }
    schema.kept.get(key).or_else(|| {
        schema.kept.values().find(|kept| {
            (!table.terraform_name.is_empty() && kept.terraform_name == table.terraform_name)
                || (!table.logical_id.is_empty() && kept.logical_id == table.logical_id)
        })
    })
}

/// Whether the names of a table differ whatever the values are that are not known here: what stands beside these differs.
fn surely_renamed(pair: Pair<&Table>, parameters: Pair<&Parameters>) -> bool {
    let parts =
        |table: &Table, parameters: &Parameters| table.name.as_ref().map(|name| name.with_values(parameters)).unwrap_or_default();
    let (previous, next) = (parts(pair.previous, parameters.previous), parts(pair.next, parameters.next));
    let (mut previous, mut next) = (previous.parts(), next.parts());
    while let (Some((last, before)), Some((same, after))) = (previous.split_last(), next.split_last())
        && last == same
    {
        (previous, next) = (before, after);
    }
    while let (Some((first, before)), Some((same, after))) = (previous.split_first(), next.split_first())
        && first == same
    {
        (previous, next) = (before, after);
    }
    let known = previous.iter().chain(next).all(|part| matches!(part, Part::Literal(_)));
    known && previous != next
}

/// Whether deletion protection is on, as far as that can be told. Where the table's own Region is one of those that are named,
/// it may be any of them.
fn protected(table: &Table, parameters: &Parameters) -> bool {
    let own = table.replicas.values().filter(|_| table.own_region_named).map(|replica| &replica.deletion_protection);
    own.chain([&table.deletion_protection]).any(|protection| is_on(protection.as_ref(), parameters))
}

fn is_on(protection: Option<&Value<bool>>, parameters: &Parameters) -> bool {
    match protection {
        Some(Value::Literal(on)) => *on,
        Some(Value::Parameter(name)) => {
            parameters.get(name).and_then(|parameter| parameter.default.as_ref()).is_some_and(|value| value.to_string() == "true")
        }
        Some(Value::Expression(_)) | None => false,
    }
}

/// What only a format knows a table by, and what only says how the format treats it.
pub(super) const OF_THE_FORMAT: &[&str] = &[
    "terraform_name",
    "logical_id",
    "template",
    "resource",
    "own_region_named",
    "prevent_destroy",
    "ignore_changes",
    "deletion_policy",
    "update_replace_policy",
    "extra",
];

/// A whole table as a change shows it.
pub(in crate::diff) fn whole_table(table: &Table) -> serde_json::Value {
    shown(properties(table, &[], &[]), OF_THE_FORMAT)
}

fn added<'a>(address: Address, next: &'a Table, kept: Option<&Kept>, schema: &Schema) -> Draft<Item<'a>> {
    let about = Pair { previous: None, next: Some(&next.about) };
    if let Some(kept) = kept {
        let difference = Difference { path: Path::of("kept"), before: Some(json!(true)), after: None };
        let item = Item::Returned { known: kept.made.is_some() };
        let mut draft = Draft::property(item, address, difference, Pair { previous: &next.about, next: &next.about });
        draft.action = Action::Modify;
        draft.about.previous = None;
        return draft;
    }
    let table = schema.tables.shared(address.name()).cloned().map(Shown::DynamodbTable);
    Draft::table(Item::Added, address, Action::Add, table, about)
}

fn dropped<'a>(address: Address, previous: &Table, kept: Option<&Kept>, schema: &Schema) -> Draft<Item<'a>> {
    let table = schema.tables.shared(address.name()).cloned().map(Shown::DynamodbTable);
    let about = Pair { previous: Some(&previous.about), next: kept.map(|kept| &kept.about) };
    let item = Item::Dropped { kept: kept.is_some(), destroy: kept.is_some_and(|kept| kept.destroy) };
    Draft::table(item, address, Action::Drop, table, about)
}

/// All that differs between two tables that are one.
fn table<'a>(
    context: &Context,
    address: &Address,
    backend: Backend,
    pair: Pair<&'a Table>,
    parameters: Pair<&Parameters>,
    known: &mut Differing<'a>,
) -> Vec<Draft<Item<'a>>> {
    // Where parameters differ, the same expression may have another value.
    let differ = parameters.previous != parameters.next;
    let also: Also = differ.then_some(holds_values);
    let mut sides = known.of(pair, also);
    leave_out_other_formats(backend, pair, &mut sides);
    let about = Pair { previous: &pair.previous.about, next: &pair.next.about };
    let mut drafts = Vec::new();
    for difference in changed(&sides, parameters, &["name", "tags", "encryption", "kinesis_stream"]) {
        if follows_an_index(&difference, pair) {
            continue;
        }
        let names = difference.path == Path::of("name") && difference.before.is_some() && difference.after.is_some();
        let mut draft = Draft::property(Item::Table, address.clone(), difference, about);
        draft.in_force = values_in_force(&draft, parameters);
        if names || draft.head() == "terraform_name" || draft.head() == "logical_id" {
            draft.action = Action::Rename;
        }
        drafts.push(draft);
    }
    drafts.extend(moves_stack(context, backend, about).map(|moved| Draft::property(Item::Table, address.clone(), moved, about)));
    let indexes = Indexes { context, table: address.name(), about: &pair.next.about, parameters, also };
    for found in local_indexes(pair) {
        indexes.compare(&found, ("lsi", Address::LocalIndex, Item::Local, |index| &index.about), &mut drafts);
    }
    for found in global_indexes(pair) {
        indexes.compare(&found, ("gsi", Address::GlobalIndex, Item::Global, |index| &index.about), &mut drafts);
    }
    drafts
}
