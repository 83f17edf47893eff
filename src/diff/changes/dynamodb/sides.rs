//! What of two tables can be compared with one another, and how a difference of theirs is said.

use crate::diff::Pair;
use crate::diff::draft::Draft;
use crate::diff::properties::{Difference, Parameters, Path, Properties, as_far_as_in_force, differences, in_force, with_value};
use crate::schema::dynamodb::{
    Autoscaling, IN_MODULE, OWN_REGION, REGION_OF_PROVIDER, SETTINGS_OF_PROVIDER, Table, terraform_region,
};
use crate::schema::{Backend, Format};
use serde_json::{Value as Json, json};

/// Removes what another format than the backend's says, and what only one side has because the other was read from another
/// format.
pub(super) fn leave_out_other_formats(backend: Backend, pair: Pair<&Table>, sides: &mut Pair<Properties>) {
    let both = |label: fn(&Table) -> &str| !label(pair.previous).is_empty() && !label(pair.next).is_empty();
    let terraform = backend.format() == Format::Terraform && both(|table| &table.terraform_name);
    let cloudformation = backend.format() == Format::Cloudformation && both(|table| &table.logical_id);
    let carried = |path: &str| {
        let starts = |key: &str| key.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
        let [previous, next] =
            [pair.previous, pair.next].map(|table| table.extra.iter().filter(move |(key, _)| starts(key.as_str())));
        !previous.eq(next)
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
        property => {
            let whole = |path: &&str| pair.previous.extra.get(*path) != pair.next.extra.get(*path);
            !WHOLE.iter().any(|(of, paths)| *of == property && paths.iter().any(whole))
        }
    };
    sides.previous.retain(|path, _| own(path));
    sides.next.retain(|path, _| own(path));
    // What a side says by an expression is carried along as text; it cannot be compared with a value. Where both sides carry the
    // same, what is beside it can, and else what both say all the same.
    let streams = [pair.previous, pair.next].iter().all(|table| table.stream.is_some());
    for (property, paths) in CARRIED {
        // A view type beside a stream that is off says nothing.
        let says_nothing = *property == "stream" && streams;
        if !says_nothing && paths.iter().any(|path| carried(path)) {
            leave_what_both_say(property, sides);
        }
    }
    leave_out_what_is_scaled(backend, pair, sides);
    leave_out_the_same_region(backend, pair, sides);
    say_by_default(pair, sides);
    say_own_region(pair, sides);
    if cloudformation && pair.previous.resource != pair.next.resource {
        // What only a global table has comes and goes with the type of the resource.
        for side in [&mut sides.previous, &mut sides.next] {
            side.retain(|path, _| !matches!(path.head.as_str(), "replicas" | "replica_consistency" | "witness"));
        }
    }
}

/// Leaves of a property what both sides say: its entries, and of one with fields those that both have.
fn leave_what_both_say(property: &str, sides: &mut Pair<Properties>) {
    let Pair { previous, next } = sides;
    previous.retain(|path, value| path.head != property || leave_fields(value, next.get(path)));
    next.retain(|path, value| path.head != property || leave_fields(value, previous.get(path)));
}

/// Leaves the fields that another value has too. Whether the two can be compared.
fn leave_fields(value: &mut Json, other: Option<&Json>) -> bool {
    match (value, other) {
        (Json::Object(fields), Some(Json::Object(others))) => {
            fields.retain(|field, _| others.contains_key(field));
            true
        }
        (_, other) => other.is_some_and(|other| !other.is_object()),
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

/// Removes what only says in other words in which Region a table is: the alias of a provider of the same Region and the same settings,
/// and where the resource can say its Region, that one.
fn leave_out_the_same_region(backend: Backend, pair: Pair<&Table>, sides: &mut Pair<Properties>) {
    let can_say_one = backend != Backend::TerraformAws5;
    let place = |table: &Table| terraform_region(table, can_say_one).map(str::to_owned);
    let settings = |table: &Table| table.extra.get(SETTINGS_OF_PROVIDER).cloned();
    let same = |previous: Option<String>, next: Option<String>| previous.is_some() && previous == next;
    if !same(place(pair.previous), place(pair.next)) {
        return;
    }
    let same_settings = same(settings(pair.previous), settings(pair.next));
    for side in [&mut sides.previous, &mut sides.next] {
        side.retain(|path, _| match path.key.as_deref().filter(|_| path.head == "extra") {
            Some("region") => !can_say_one,
            Some("provider") => !same_settings,
            Some(REGION_OF_PROVIDER) => false,
            _ => true,
        });
    }
}

/// Puts the stack's own Region among the replicas of the side that leaves it open, when the other side has no Region that could be it:
/// each stands in the list once, so that none of those that the first side names is the stack's.
fn say_own_region(pair: Pair<&Table>, sides: &mut Pair<Properties>) {
    let (named, open, side) = match (pair.previous.own_region_named, pair.next.own_region_named) {
        (false, true) => (pair.next, pair.previous, &mut sides.previous),
        (true, false) => (pair.previous, pair.next, &mut sides.next),
        _ => return,
    };
    let is_computed = |table: &Table| table.extra.keys().any(|path| path.starts_with("Replicas"));
    let is_known = !is_computed(named) && !is_computed(open);
    if is_known && named.replicas.keys().all(|region| open.replicas.contains_key(region)) {
        side.insert(Path::entry("replicas", OWN_REGION), json!({}));
    }
}

/// Of capacity that is scaled, Terraform overlooks what is written, and for a global table it only says where a capacity that is new
/// starts.
fn leave_out_what_is_scaled(backend: Backend, pair: Pair<&Table>, sides: &mut Pair<Properties>) {
    let global = backend == Backend::CloudformationGlobalTable;
    let scaled = |table: &Table| {
        let scaling = table.autoscaling.as_ref();
        let said = [scaling.is_some_and(|it| it.read.is_some()), scaling.is_some_and(|it| it.write.is_some())];
        if global {
            return said;
        }
        // A module that overlooks a capacity scales it.
        let module = table.terraform_name.starts_with(IN_MODULE);
        let terraform = backend.format() == Format::Terraform;
        let [read, write] = said.map(|said| terraform && (module || said));
        [read && table.ignore_changes.contains("read_capacity"), write && table.ignore_changes.contains("write_capacity")]
    };
    let both = scaled(pair.previous).into_iter().zip(scaled(pair.next)).map(|(previous, next)| next && (previous || !global));
    for field in ["read", "write"].into_iter().zip(both).filter(|(_, both)| *both).map(|(field, _)| field) {
        for side in [&mut sides.previous, &mut sides.next] {
            if let Some(Json::Object(throughput)) = side.get_mut(&Path::of("throughput")) {
                throughput.remove(field);
            }
        }
    }
    let nothing =
        |path: &Path, value: &Json| path.head == "throughput" && value.as_object().is_some_and(serde_json::Map::is_empty);
    for side in [&mut sides.previous, &mut sides.next] {
        side.retain(|path, value| !nothing(path, value));
    }
}

fn overlooks_what_is_scaled(table: &Table) -> bool {
    table.ignore_changes == table.autoscaling.as_ref().map(Autoscaling::overlooked).unwrap_or_default()
}

/// The paths under which a format's own expression for a property is carried along.
const CARRIED: &[(&str, &[&str])] = &[
    ("attributes", &["dynamic.attribute", "AttributeDefinitions", "attributes"]),
    ("billing", &["billing_mode", "BillingMode"]),
    ("encryption", &["server_side_encryption", "SSESpecification"]),
    ("point_in_time_recovery", &["point_in_time_recovery", "PointInTimeRecoverySpecification"]),
    ("stream", &["stream_enabled", "stream_view_type", "StreamSpecification"]),
    ("table_class", &["table_class", "TableClass"]),
    ("tags", &["tags", "Tags"]),
    ("throughput", &["read_capacity", "write_capacity", "ProvisionedThroughput"]),
    ("ttl", &["ttl", "TimeToLiveSpecification"]),
];

/// The paths of expressions that stand for the whole of a property, of which parts are carried along too.
const WHOLE: &[(&str, &[&str])] = &[
    ("contributor_insights", &["ContributorInsightsSpecification"]),
    ("encryption", &["dynamic.server_side_encryption"]),
    ("kinesis_stream", &["KinesisStreamSpecification"]),
    ("on_demand_maximum", &["dynamic.on_demand_throughput", "OnDemandThroughput"]),
    ("point_in_time_recovery", &["dynamic.point_in_time_recovery"]),
    ("replicas", &["dynamic.replica", "Replicas"]),
    ("ttl", &["dynamic.ttl"]),
    ("warm_throughput", &["dynamic.warm_throughput", "WarmThroughput"]),
];

/// Whether a difference is only that an attribute's definition follows the keys: each side defines what its keys use.
pub(super) fn follows_an_index(difference: &Difference, pair: Pair<&Table>) -> bool {
    let Some(attribute) = difference.path.key.as_deref().filter(|_| difference.path.head == "attributes") else { return false };
    match (&difference.before, &difference.after) {
        (None, Some(_)) => pair.next.uses(attribute),
        (Some(_), None) => pair.previous.uses(attribute) && !pair.next.uses(attribute),
        _ => false,
    }
}

/// The differences of properties, less those that mean nothing; with the values in force of parameters.
pub(super) fn changed(sides: &Pair<Properties>, parameters: Pair<&Parameters>, textual: &[&str]) -> Vec<Difference> {
    let mut found = Vec::new();
    for difference in differences(&sides.previous, &sides.next) {
        let textual = textual.contains(&difference.path.head.as_str());
        let value = |side: &Option<Json>, parameters| side.as_ref().and_then(|value| in_force(value, parameters, textual));
        let (before, after) = (value(&difference.before, parameters.previous), value(&difference.after, parameters.next));
        let is_same = before.zip(after).is_some_and(|(before, after)| is_same(&before, &after));
        let written_differently = holds_values(&difference.path) && is_same;
        if !written_differently && !means_nothing(&difference) {
            found.push(difference);
        }
    }
    // The same expression, and yet another value: a parameter's default has changed.
    for (path, expression) in sides.next.iter().filter(|(path, _)| holds_values(path)) {
        let textual = textual.contains(&path.head.as_str());
        if sides.previous.get(path) != Some(expression) {
            continue;
        }
        let before = as_far_as_in_force(expression, parameters.previous, textual);
        let after = as_far_as_in_force(expression, parameters.next, textual);
        if before != after {
            // What has no value is the expression itself.
            let shown = |value: Json| if value == *expression { value } else { with_value(expression.clone(), value) };
            found.push(Difference { path: path.clone(), before: Some(shown(before)), after: Some(shown(after)) });
        }
    }
    found
}

/// Whether two values are one to the service. CloudFormation has parameters of text for what is a bool or a number.
fn is_same(before: &Json, after: &Json) -> bool {
    match (before, after) {
        (Json::Object(before), Json::Object(after)) => {
            let is_there = |(name, value): (&String, &Json)| after.get(name).is_some_and(|other| is_same(value, other));
            before.len() == after.len() && before.iter().all(is_there)
        }
        (Json::String(text), value @ (Json::Bool(_) | Json::Number(_)))
        | (value @ (Json::Bool(_) | Json::Number(_)), Json::String(text)) => {
            serde_json::from_str(text).is_ok_and(|text: Json| text == *value)
        }
        _ => before == after,
    }
}

/// The values in force of a property that is not shown with them already.
pub(super) fn values_in_force<I>(draft: &Draft<I>, parameters: Pair<&Parameters>) -> Pair<Option<Json>> {
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
pub(super) fn holds_values(path: &Path) -> bool {
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

/// Recovery without the period that the service has by itself.
fn in_days(recovery: &Json) -> Json {
    let mut recovery = recovery.clone();
    if let Json::Object(fields) = &mut recovery {
        fields.retain(|name, value| name != "days" || *value != json!(35));
    }
    recovery
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
        "extra" => {
            let of_provider = [REGION_OF_PROVIDER, SETTINGS_OF_PROVIDER].map(Some).contains(&path.key.as_deref());
            of_provider && (before.is_none() || after.is_none())
        }
        // Nothing said leaves a live table as it was: off stays off.
        "ttl" => off(before) && after.is_none(),
        "point_in_time_recovery" => {
            off(before) && after.is_none() || before.as_ref().zip(after.as_ref()).is_some_and(|(a, b)| in_days(a) == in_days(b))
        }
        "encryption" => *before == Some(json!("aws_owned")) && after.is_none(),
        _ => false,
    }
}
