//! Copies of a table in other Regions: which, with what of their own, and what a table must have so that there may be any.
//!
//! Sources: the developer guide's pages on global tables
//! (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GlobalTables.html>,
//! <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html>).

use super::settings::{self, pick};
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{DynamodbTable, Settings};
use crate::schema::dynamodb::{Billing, Encryption, Replica, ReplicaConsistency, Stream, TableClass};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, DynamodbDefaults, Map};
use crate::validate::grammar::name::Name;
use crate::validate::resolve::report::Report;
use std::collections::BTreeMap;

/// Reads what a table says, else what `defaults` say, into settings that are read but for these.
pub(super) fn resolve(
    table: &document::DynamodbTable,
    defaults: Option<&DynamodbDefaults>,
    read: &mut Settings,
    report: &mut Report<'_>,
) {
    let consistency = pick(&table.replica_consistency, defaults.map(|defaults| &defaults.replica_consistency));
    let witness = pick(&table.witness, defaults.map(|defaults| &defaults.witness));
    if let Some((written, _)) = pick(&table.replicas, defaults.map(|defaults| &defaults.replicas)) {
        read.replicas = regions(&written.value, read, report);
        read.places.insert("replicas".to_owned(), written.span);
        read.places.extend(places(&written.value));
    }
    let broken = table.replicas.is_broken() || defaults.is_some_and(|defaults| defaults.replicas.is_broken());
    // What `defaults` say of replicas is for the tables that have some.
    let of_this = |own: bool| own || !read.replicas.is_empty();
    if let Some((written, _)) = consistency.filter(|(_, own)| !broken && of_this(*own)) {
        read.replica_consistency = match written.value {
            document::ReplicaConsistency::Eventual => ReplicaConsistency::Eventual,
            document::ReplicaConsistency::Strong => ReplicaConsistency::Strong,
        };
        read.places.insert("replica_consistency".to_owned(), written.span);
    }
    let strong = read.replica_consistency == ReplicaConsistency::Strong;
    if let Some((region, _)) = witness.filter(|(_, own)| !broken && (*own || strong))
        && report.name(Name::Region, region, "a Region")
    {
        read.witness = Some(region.value.clone());
        read.places.insert("witness".to_owned(), region.span);
    }
}

/// The replicas. What holds for the table holds for each of them, unless it says otherwise; keys are of one Region alone.
fn regions(written: &document::Replicas, table: &Settings, report: &mut Report<'_>) -> BTreeMap<String, Replica> {
    let nothing = document::Replica::default();
    let written: Vec<(&Spanned<String>, &document::Replica)> = match written {
        document::Replicas::List(regions) => regions.iter().map(|region| (region, &nothing)).collect(),
        document::Replicas::Map(Map(regions)) => {
            let each = regions.iter().map(|(region, own)| (region, own.get().map_or(&nothing, |own| &own.value)));
            each.collect()
        }
    };
    let mut replicas: BTreeMap<String, Replica> = BTreeMap::new();
    for (region, own) in written {
        if !report.name(Name::Region, region, "a Region") {
            continue;
        }
        let recovery = own.point_in_time_recovery.get().and_then(|written| settings::recovery(written, report));
        let protection = own.deletion_protection.get().and_then(|written| report.bool_value(written));
        let class = own.table_class.get().map(|written| settings::table_class(written.value));
        let of_table = table.table_class.unwrap_or(TableClass::Standard);
        let replica = Replica {
            kms_key: settings::key(&own.kms_key, report),
            point_in_time_recovery: Some(recovery.unwrap_or_else(|| table.point_in_time_recovery.clone())),
            deletion_protection: Some(protection.unwrap_or_else(|| table.deletion_protection.clone())),
            table_class: class.filter(|class| *class != of_table),
            propagate_tags: true,
            extra: BTreeMap::new(),
        };
        if replicas.insert(region.value.clone(), replica).is_some() {
            report.push(Diagnostic::new(codes::DUPLICATE_NAME, region.span, format!("`{}` is listed twice", region.value)));
        }
    }
    replicas
}

/// Where each Region and its key are written.
fn places(written: &document::Replicas) -> Vec<(String, Span)> {
    match written {
        document::Replicas::List(regions) => {
            regions.iter().map(|region| (format!("replicas.{}", region.value), region.span)).collect()
        }
        document::Replicas::Map(regions) => {
            regions.names().map(|region| (format!("replicas.{}", region.value), region.span)).collect()
        }
    }
}

/// Says what a table lacks so that it may have its replicas.
pub(super) fn check(table: &DynamodbTable, report: &mut Report<'_>) {
    let settings = &table.settings;
    let place = |property: &str| settings.places.get(property).copied().unwrap_or(table.span);
    let strong = settings.replica_consistency == ReplicaConsistency::Strong;
    if settings.replicas.is_empty() {
        if strong {
            let message = format!("`{}` has no replicas that could be consistent", table.key);
            let diagnostic = Diagnostic::new(codes::MRSC_NOT_POSSIBLE, place("replica_consistency"), message);
            report.push(diagnostic.help("add `replicas:` with two other Regions, or with one and a `witness`"));
        }
    } else {
        stream(table, strong, report);
        keys(table, report);
        capacity(table, report);
    }
    if let (Some(witness), false) = (&settings.witness, strong) {
        let message = format!("`{witness}` cannot be the witness of writes that are not strongly consistent");
        let diagnostic = Diagnostic::new(codes::MRSC_NOT_POSSIBLE, place("witness"), message);
        report.push(diagnostic.help("set `replica_consistency: strong`, or remove the witness"));
    }
    if strong && !settings.replicas.is_empty() {
        region_set(table, report);
        for (span, what) in table
            .ttl
            .iter()
            .map(|ttl| (ttl.span, "lets items expire"))
            .chain(table.local_indexes.values().map(|index| (index.span, "has a local secondary index")))
        {
            let message = format!("`{}` {what}, so its replicas cannot be strongly consistent", table.key);
            report.push(
                Diagnostic::new(codes::MRSC_NOT_POSSIBLE, span, message)
                    .context(place("replica_consistency"), "strong consistency"),
            );
        }
    }
}

fn stream(table: &DynamodbTable, strong: bool, report: &mut Report<'_>) {
    let settings = &table.settings;
    if strong || settings.stream == Stream::NewAndOldImages {
        return;
    }
    let replicas = settings.places.get("replicas").copied().unwrap_or(table.span);
    let span = settings.places.get("stream").copied().unwrap_or(replicas);
    let message = format!("`{}` has replicas, so it needs a stream with both images", table.key);
    let diagnostic = Diagnostic::new(codes::REPLICA_NEEDS_STREAM, span, message).help("set `stream: new_and_old_images`");
    report.push(if span == replicas { diagnostic } else { diagnostic.context(replicas, "its replicas") });
}

/// Keys are of one Region: all have a customer's key, or none has.
fn keys(table: &DynamodbTable, report: &mut Report<'_>) {
    let settings = &table.settings;
    let customers = matches!(settings.encryption, Encryption::KmsKey(_));
    for (region, replica) in &settings.replicas {
        let (message, help) = match (customers, &replica.kms_key) {
            (true, None) => (
                format!("`{}` has a customer's key, and its replica in {region} has none", table.key),
                format!("a key is of one Region: write `{region}: {{ kms_key: … }}`"),
            ),
            (false, Some(_)) => (
                format!("the replica of `{}` in {region} has a customer's key, and the table has none", table.key),
                "set `encryption: { kms_key: … }`, or remove the key of the replica".to_owned(),
            ),
            _ => continue,
        };
        let place = |property: &str| settings.places.get(property).copied();
        let span = place(&format!("replicas.{region}")).or_else(|| place("replicas")).unwrap_or(table.span);
        let diagnostic = Diagnostic::new(codes::REPLICA_NEEDS_KEY, span, message).help(help);
        report.push(
            place("encryption").into_iter().fold(diagnostic, |diagnostic, span| diagnostic.context(span, "its encryption")),
        );
    }
}

/// A replica takes writes at any time: the service wants them to be paid for by the request, or their capacity to be scaled.
fn capacity(table: &DynamodbTable, report: &mut Report<'_>) {
    if table.settings.billing != Billing::Provisioned {
        return;
    }
    let own = table.settings.places.get("throughput").copied().unwrap_or(table.span);
    let own = (own, format!("`{}`", table.key), &table.settings.capacity);
    let indexes = table.global_indexes.iter();
    let indexes = indexes.filter_map(|(key, index)| {
        let capacity = index.capacity.as_ref()?;
        Some((capacity.span, format!("the index `{key}` of `{}`", table.key), &capacity.value))
    });
    for (span, what, capacity) in std::iter::once(own).chain(indexes) {
        let scaled = capacity.autoscaling.as_ref().is_some_and(|autoscaling| autoscaling.write.is_some());
        if capacity.throughput.is_some() && !scaled {
            let message = format!("the table has replicas, so the write capacity of {what} has to be scaled");
            let diagnostic = Diagnostic::new(codes::THROUGHPUT_MODE, span, message);
            report.push(diagnostic.help("give `write: { min: …, max: … }`, or set `billing: on_demand`"));
        }
    }
}

/// Three Regions out of one set, of which the table's own is not known here.
fn region_set(table: &DynamodbTable, report: &mut Report<'_>) {
    let settings = &table.settings;
    let place = |property: &str| settings.places.get(property).copied();
    let whole = place("replicas").unwrap_or(table.span);
    if let Some(witness) = settings.witness.as_ref().filter(|witness| settings.replicas.contains_key(*witness)) {
        let message = format!("`{witness}` cannot be the witness: the table has a replica there");
        report.push(Diagnostic::new(codes::MRSC_NOT_POSSIBLE, place("witness").unwrap_or(whole), message));
    }
    let others = settings.replicas.keys().map(|region| (region, place(&format!("replicas.{region}")).unwrap_or(whole)));
    let witness = settings.witness.iter().map(|region| (region, place("witness").unwrap_or(whole)));
    let others: Vec<(&String, Span)> = others.chain(witness).collect();
    if others.len() != 2 {
        let message = format!(
            "strong consistency takes three Regions, the table's own and two others; `{}` names {}",
            table.key,
            others.len()
        );
        let help = "name two other Regions in `replicas`, or one there and one as `witness`";
        report.push(Diagnostic::new(codes::MRSC_NOT_POSSIBLE, whole, message).help(help));
    }
    let set_of = |region: &str| ReplicaConsistency::REGION_SETS.iter().position(|set| set.contains(&region));
    let first = others.first().and_then(|(region, _)| set_of(region));
    for (region, span) in &others {
        let set = set_of(region);
        if set.is_some() && set == first {
            continue;
        }
        let message =
            format!("{region} is in no set of Regions with the others of `{}` that can be strongly consistent", table.key);
        let sets: Vec<String> = ReplicaConsistency::REGION_SETS.iter().map(|set| set.join(", ")).collect();
        report.push(Diagnostic::new(codes::MRSC_NOT_POSSIBLE, *span, message).help(format!("the sets are {}", sets.join("; "))));
    }
}
