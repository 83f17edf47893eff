//! What differs between two generations of DynamoDB tables, for one backend.

use super::shown;
use crate::diff::draft::{Changes, Draft};
use crate::diff::effects::dynamodb::{Facts, Item, Way, effects};
use crate::diff::matching::{Moves, global_indexes, local_indexes, tables};
use crate::diff::properties::{
    Difference, Parameters, Path, Properties, differences, in_force, properties, text_in_force, with_value,
};
use crate::diff::{Action, Context, Pair, Side};
use crate::schema::dynamodb::{Autoscaling, IN_MODULE, Kept, REGION_OF_PROVIDER, Resource, Schema, Table, Template};
use crate::schema::{About, Address, Backend, Format, Part, Text, Value};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Compares all tables and takes the changes in.
pub(in crate::diff) fn compare(context: &Context, backend: Backend, pair: Pair<&Schema>, changes: &mut Changes) {
    let moves = Moves::of(pair.next);
    let matches = tables(backend, pair, &moves);
    // Each template is a stack of its own.
    let mut new_and_indexed: BTreeMap<Template, usize> = BTreeMap::new();
    for table in matches.iter().filter(|found| found.items.previous.is_none()).filter_map(|found| found.items.next) {
        *new_and_indexed.entry(table.template).or_default() += usize::from(table.is_indexed());
    }
    for found in matches {
        let several = |table: &Table| new_and_indexed.get(&table.template).is_some_and(|tables| *tables > 1);
        let one_of_several = found.items.next.is_some_and(|table| table.is_indexed() && several(table));
        let backend = of_resource(backend, found.items);
        let mut facts = Facts { tables: found.items, one_of_several, ..Facts::new(backend) };
        let drafts = match (found.items.previous, found.items.next) {
            (Some(previous), Some(next)) => {
                facts.way = way(pair.next, &moves, Pair { previous, next });
                let parameters = Pair { previous: &pair.previous.parameters, next: &pair.next.parameters };
                facts.protected = protected(previous, parameters.previous);
                facts.surely_renamed = surely_renamed(Pair { previous, next }, parameters);
                let address = Address::DynamodbTable(key(context, found.keys).to_owned());
                let same = previous == next && parameters.previous == parameters.next;
                if same { Vec::new() } else { table(context, &address, backend, Pair { previous, next }, parameters) }
            }
            (None, Some(next)) => {
                let address = Address::DynamodbTable(found.keys.next.unwrap_or_default().to_owned());
                let returns = kept_as(pair.previous, found.keys.next.unwrap_or_default(), next).is_some();
                vec![added(address, next, returns)]
            }
            (Some(previous), None) => {
                facts.protected = protected(previous, &pair.previous.parameters);
                let moved = moves.follow(&previous.terraform_name) != previous.terraform_name;
                facts.way = if moved { Way::Moved } else { Way::Anew };
                let key = found.keys.previous.unwrap_or_default();
                vec![dropped(Address::DynamodbTable(key.to_owned()), previous, kept_as(pair.next, key, previous))]
            }
            (None, None) => Vec::new(),
        };
        for (draft, effect) in effects(&facts, drafts) {
            changes.push(context, backend, &draft, effect);
        }
    }
    for (key, kept) in &pair.next.kept {
        let lets_go = pair.previous.kept.get(key).is_some_and(|previous| !previous.destroy);
        if lets_go && kept.destroy {
            let address = Address::DynamodbTable(key.clone());
            let about = Pair { previous: None, next: Some(&kept.about) };
            let draft = Draft::item(Item::Dropped { kept: true, destroy: true }, address, Action::Drop, Pair::default(), about);
            for (draft, effect) in effects(&Facts::new(backend), vec![draft]) {
                changes.push(context, backend, &draft, effect);
            }
        }
    }
}

/// How Terraform comes to the next address of a table.
fn way(schema: &Schema, moves: &Moves<'_>, tables: Pair<&Table>) -> Way {
    let (from, to) = (tables.previous.terraform_name.as_str(), tables.next.terraform_name.as_str());
    let inside = format!("{to}.");
    if from == to {
        let moved = schema.moved.keys().any(|label| label.starts_with(&inside));
        return if moved { Way::MovedInside } else { Way::Moved };
    }
    let lets_go = schema.kept.values().any(|kept| kept.terraform_name == from && !kept.destroy);
    match (moves.follow(from) == to, lets_go, schema.imported.contains_key(to)) {
        (true, ..) => Way::Moved,
        (_, true, true) => Way::Imported,
        (_, true, false) => Way::LetGo,
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
    schema.kept.get(key).or_else(|| {
        schema.kept.values().find(|kept| {
            (!table.terraform_name.is_empty() && kept.terraform_name == table.terraform_name)
                || (!table.logical_id.is_empty() && kept.logical_id == table.logical_id)
        })
    })
}

/// Whether the names of a table differ whatever the values are that are not known here: what stands beside these differs.
fn surely_renamed(pair: Pair<&Table>, parameters: Pair<&Parameters>) -> bool {
    let parts = |table: &Table, parameters: &Parameters| {
        let parts = table.name.iter().flat_map(Text::parts).map(|part| {
            let value = text_in_force(&Text::from_parts([part.clone()]), parameters);
            value.map_or_else(|| part.clone(), Part::Literal)
        });
        Text::from_parts(parts)
    };
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

fn added(address: Address, next: &Table, returns: bool) -> Draft<Item<'_>> {
    let about = Pair { previous: None, next: Some(&next.about) };
    if returns {
        let difference = Difference { path: Path::of("kept"), before: Some(json!(true)), after: None };
        let mut draft = Draft::property(Item::Returned, address, difference, Pair { previous: &next.about, next: &next.about });
        draft.action = Action::Modify;
        draft.about.previous = None;
        return draft;
    }
    let after = Some(shown(properties(next, &[], &[]), OF_THE_FORMAT));
    Draft::item(Item::Added, address, Action::Add, Pair { previous: None, next: after }, about)
}

fn dropped<'a>(address: Address, previous: &Table, kept: Option<&Kept>) -> Draft<Item<'a>> {
    let before = Some(shown(properties(previous, &[], &[]), OF_THE_FORMAT));
    let about = Pair { previous: Some(&previous.about), next: kept.map(|kept| &kept.about) };
    let item = Item::Dropped { kept: kept.is_some(), destroy: kept.is_some_and(|kept| kept.destroy) };
    Draft::item(item, address, Action::Drop, Pair { previous: before, next: None }, about)
}

/// All that differs between two tables that are one.
fn table<'a>(
    context: &Context,
    address: &Address,
    backend: Backend,
    pair: Pair<&'a Table>,
    parameters: Pair<&Parameters>,
) -> Vec<Draft<Item<'a>>> {
    let take = |table: &Table| properties(table, &["attributes", "replicas", "tags", "extra"], &["lsi", "gsi"]);
    let mut sides = Pair { previous: take(pair.previous), next: take(pair.next) };
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
    let name = address.name().to_owned();
    for found in local_indexes(pair) {
        let address = Address::LocalIndex(name.clone(), key(context, found.keys).to_owned());
        let items = found.items;
        let sides = Pair {
            previous: items.previous.map(|index| properties(index, &["extra"], &[])),
            next: items.next.map(|index| properties(index, &["extra"], &[])),
        };
        let about = Pair { previous: items.previous.map(|index| &index.about), next: items.next.map(|index| &index.about) };
        index(&mut drafts, Item::Local(items), &address, sides, about, (&pair.next.about, "lsi"), parameters);
    }
    for found in global_indexes(pair) {
        let address = Address::GlobalIndex(name.clone(), key(context, found.keys).to_owned());
        let items = found.items;
        let sides = Pair {
            previous: items.previous.map(|index| properties(index, &["extra"], &[])),
            next: items.next.map(|index| properties(index, &["extra"], &[])),
        };
        let about = Pair { previous: items.previous.map(|index| &index.about), next: items.next.map(|index| &index.about) };
        index(&mut drafts, Item::Global(items), &address, sides, about, (&pair.next.about, "gsi"), parameters);
    }
    drafts
}

/// An index that is new, gone, or has properties that differ.
fn index<'a>(
    drafts: &mut Vec<Draft<Item<'a>>>,
    item: Item<'a>,
    address: &Address,
    sides: Pair<Option<Properties>>,
    about: Pair<Option<&About>>,
    holder: (&About, &'static str),
    parameters: Pair<&Parameters>,
) {
    // The name is shown where it is not what the index is addressed by.
    let whole = |properties: Properties| {
        let named = properties.get(&Path::of("name")).is_some_and(|name| *name == json!(address.name()));
        shown(properties, if named { &["name", "extra"] } else { &["extra"] })
    };
    match (sides.previous, sides.next) {
        (Some(previous), Some(next)) => {
            let (Some(before), Some(after)) = (about.previous, about.next) else { return };
            for difference in changed(&Pair { previous, next }, parameters, &[]) {
                let about = Pair { previous: before, next: after };
                let mut draft = Draft::property(item.clone(), address.clone(), difference, about);
                draft.in_force = values_in_force(&draft, parameters);
                if draft.head() == "name" {
                    draft.action = Action::Rename;
                }
                drafts.push(draft);
            }
        }
        (None, Some(next)) => {
            let pair = Pair { previous: None, next: Some(whole(next)) };
            drafts.push(Draft::item(item, address.clone(), Action::Add, pair, about));
        }
        (Some(previous), None) => {
            let pair = Pair { previous: Some(whole(previous)), next: None };
            let draft = Draft::item(item, address.clone(), Action::Drop, pair, about);
            drafts.push(draft.held_in(holder.0, holder.1));
        }
        (None, None) => {}
    }
}

/// Removes what another format than the backend's says, and what only one side has because the other was read from another
/// format.
fn leave_out_other_formats(backend: Backend, pair: Pair<&Table>, sides: &mut Pair<Properties>) {
    let both = |label: fn(&Table) -> &str| !label(pair.previous).is_empty() && !label(pair.next).is_empty();
    let terraform = backend.format() == Format::Terraform && both(|table| &table.terraform_name);
    let cloudformation = backend.format() == Format::Cloudformation && both(|table| &table.logical_id);
    let carried = |path: &str| {
        let starts = |key: &String| key.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
        [pair.previous, pair.next].into_iter().any(|table| table.extra.keys().any(starts))
    };
    let own = |path: &Path| match path.head.as_str() {
        // What is overlooked follows what is scaled, and is no change of its own then.
        "ignore_changes" => {
            terraform
                && [pair.previous, pair.next]
                    .iter()
                    .any(|table| table.terraform_name.starts_with(IN_MODULE) || !overlooks_what_is_scaled(table))
        }
        "terraform_name" | "prevent_destroy" => terraform,
        "logical_id" | "deletion_policy" | "update_replace_policy" | "resource" => cloudformation,
        "template" => cloudformation && pair.previous.template.is_known() && pair.next.template.is_known(),
        "own_region_named" => false,
        // What a side says by an expression is carried along as text; it cannot be compared with a value.
        // A view type beside a stream that is off says nothing.
        "stream" if [pair.previous, pair.next].iter().all(|table| table.stream.is_some() || !carried("stream_view_type")) => true,
        property => !CARRIED.iter().any(|(of, paths)| *of == property && paths.iter().any(|path| carried(path))),
    };
    sides.previous.retain(|path, _| own(path));
    sides.next.retain(|path, _| own(path));
    leave_out_what_is_scaled(backend, pair, sides);
    say_by_default(pair, sides);
    if cloudformation && pair.previous.resource != pair.next.resource {
        // What only a global table has comes and goes with the type of the resource.
        for side in [&mut sides.previous, &mut sides.next] {
            side.retain(|path, _| !matches!(path.head.as_str(), "replicas" | "replica_consistency" | "witness"));
        }
    }
}

/// Puts the words for what goes without saying where the other side says something else, so that both can be shown.
fn say_by_default(pair: Pair<&Table>, sides: &mut Pair<Properties>) {
    let differs = [
        ("template", json!(1), pair.previous.template != pair.next.template),
        ("resource", json!("table"), pair.previous.resource != pair.next.resource),
        ("replica_consistency", json!("eventual"), pair.previous.replica_consistency != pair.next.replica_consistency),
    ];
    for (property, word, _) in differs.into_iter().filter(|(.., differs)| *differs) {
        let path = Path::of(property);
        if sides.previous.contains_key(&path) || sides.next.contains_key(&path) {
            for side in [&mut sides.previous, &mut sides.next] {
                side.entry(path.clone()).or_insert_with(|| word.clone());
            }
        }
    }
}

/// Of capacity that is scaled before and after, Terraform overlooks what is written, and for a global table it only says where a
/// capacity that is new starts.
fn leave_out_what_is_scaled(backend: Backend, pair: Pair<&Table>, sides: &mut Pair<Properties>) {
    let scaled = |table: &Table| {
        if backend == Backend::CloudformationGlobalTable {
            let scaling = table.autoscaling.as_ref();
            return [scaling.is_some_and(|it| it.read.is_some()), scaling.is_some_and(|it| it.write.is_some())];
        }
        let terraform = backend.format() == Format::Terraform;
        ["read_capacity", "write_capacity"].map(|argument| terraform && table.ignore_changes.contains(argument))
    };
    let both = scaled(pair.previous).into_iter().zip(scaled(pair.next)).map(|(previous, next)| previous && next);
    for field in ["read", "write"].into_iter().zip(both).filter(|(_, both)| *both).map(|(field, _)| field) {
        for side in [&mut sides.previous, &mut sides.next] {
            if let Some(Json::Object(throughput)) = side.get_mut(&Path::of("throughput")) {
                throughput.remove(field);
            }
        }
    }
}

fn overlooks_what_is_scaled(table: &Table) -> bool {
    table.ignore_changes == table.autoscaling.as_ref().map(Autoscaling::overlooked).unwrap_or_default()
}

/// The paths under which a format's own expression for a property is carried along.
const CARRIED: &[(&str, &[&str])] = &[
    ("attributes", &["dynamic.attribute", "AttributeDefinitions"]),
    ("billing", &["billing_mode", "BillingMode"]),
    ("encryption", &["server_side_encryption", "SSESpecification"]),
    ("point_in_time_recovery", &["point_in_time_recovery", "PointInTimeRecoverySpecification"]),
    ("stream", &["stream_enabled", "stream_view_type", "StreamSpecification"]),
    ("table_class", &["table_class", "TableClass"]),
    ("tags", &["tags", "Tags"]),
    ("throughput", &["read_capacity", "write_capacity", "ProvisionedThroughput"]),
    ("ttl", &["ttl", "TimeToLiveSpecification"]),
];

/// Whether a difference is only that an attribute's definition follows the keys: each side defines what its keys use.
fn follows_an_index(difference: &Difference, pair: Pair<&Table>) -> bool {
    let Some(attribute) = difference.path.key.as_deref().filter(|_| difference.path.head == "attributes") else { return false };
    match (&difference.before, &difference.after) {
        (None, Some(_)) => pair.next.uses(attribute),
        (Some(_), None) => pair.previous.uses(attribute) && !pair.next.uses(attribute),
        _ => false,
    }
}

/// The differences of properties, less those that mean nothing; with the values in force of parameters.
fn changed(sides: &Pair<Properties>, parameters: Pair<&Parameters>, textual: &[&str]) -> Vec<Difference> {
    let mut found = Vec::new();
    for difference in differences(&sides.previous, &sides.next) {
        let textual = textual.contains(&difference.path.head.as_str());
        let value = |side: &Option<Json>, parameters| side.as_ref().and_then(|value| in_force(value, parameters, textual));
        let (before, after) = (value(&difference.before, parameters.previous), value(&difference.after, parameters.next));
        let written_differently = holds_values(&difference.path) && before.is_some() && before == after;
        if !written_differently && !means_nothing(&difference) {
            found.push(difference);
        }
    }
    // The same expression, and yet another value: a parameter's default has changed.
    for (path, expression) in sides.next.iter().filter(|(path, _)| holds_values(path)) {
        let textual = textual.contains(&path.head.as_str());
        if sides.previous.get(path) == Some(expression)
            && let Some(before) = in_force(expression, parameters.previous, textual)
            && let Some(after) = in_force(expression, parameters.next, textual)
            && before != after
        {
            let before = Some(with_value(expression.clone(), before));
            let after = Some(with_value(expression.clone(), after));
            found.push(Difference { path: path.clone(), before, after });
        }
    }
    found
}

/// The values in force of a property that is not shown with them already.
fn values_in_force<I>(draft: &Draft<I>, parameters: Pair<&Parameters>) -> Pair<Option<Json>> {
    let of = |side: &Option<Json>, parameters| {
        let side = side.as_ref().filter(|side| side.get("value").is_none())?;
        in_force(side, parameters, false)
    };
    if !draft.path.as_ref().is_some_and(holds_values) {
        return Pair::default();
    }
    Pair { previous: of(&draft.before, parameters.previous), next: of(&draft.after, parameters.next) }
}

/// Properties that may hold parameters.
fn holds_values(path: &Path) -> bool {
    matches!(
        path.head.as_str(),
        "name"
            | "tags"
            | "encryption"
            | "throughput"
            | "autoscaling"
            | "kinesis_stream"
            | "on_demand_maximum"
            | "warm_throughput"
            | "point_in_time_recovery"
            | "deletion_protection"
            | "replicas"
    )
}

/// A replica without what goes without saying: recovery and protection that are off, the standard class.
fn said(replica: &Json) -> Json {
    let mut replica = replica.clone();
    if let Json::Object(fields) = &mut replica {
        fields.retain(|name, value| match name.as_str() {
            "point_in_time_recovery" => value.get("enabled") != Some(&json!(false)),
            "deletion_protection" => *value != json!(false),
            "table_class" => *value != json!("standard"),
            _ => true,
        });
    }
    replica
}

/// Whether a difference is only another way of saying the same: what nothing said means is in [`Table`]'s documentation.
fn means_nothing(difference: &Difference) -> bool {
    let Difference { path, before, after } = difference;
    let zero = |side: &Option<Json>| side.as_ref().is_none_or(|json| *json == json!({"read": 0, "write": 0}));
    let default = |default: Json| [before, after].into_iter().all(|side| side.as_ref().is_none_or(|value| *value == default));
    let off = |side: &Option<Json>| side.as_ref().is_some_and(|json| json.get("enabled") == Some(&json!(false)));
    match path.head.as_str() {
        "billing" => default(json!("provisioned")),
        "table_class" => default(json!("standard")),
        "stream" | "contributor_insights" => default(json!("off")),
        // The service raises it by itself, and both tools leave it where nothing is said.
        "warm_throughput" => *before == Some(json!({})) && after.is_none(),
        "deletion_protection" => default(json!(false)),
        "replicas" => before.as_ref().zip(after.as_ref()).is_some_and(|(before, after)| said(before) == said(after)),
        "throughput" => zero(before) && zero(after),
        // Blocks of providers may stand in other files than those compared.
        "extra" => path.key.as_deref() == Some(REGION_OF_PROVIDER) && (before.is_none() || after.is_none()),
        // Nothing said leaves a live table as it was: off stays off.
        "ttl" | "point_in_time_recovery" => off(before) && after.is_none(),
        "encryption" => *before == Some(json!("aws_owned")) && after.is_none(),
        _ => false,
    }
}
