//! The keys of section `dynamodb`.

use crate::sample::{OWNER, Sample};
use crate::sources::Topic;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const ROLE: &str = "arn:aws:iam::111122223333:role/reports";
const STREAM: &str = "arn:aws:kinesis:eu-west-1:111122223333:stream/orders";
const KEY: &str = "arn:aws:kms:eu-west-1:111122223333:key/11111111-2222-3333-4444-555555555555";
const OTHER_KEY: &str = "arn:aws:kms:eu-west-3:111122223333:key/11111111-2222-3333-4444-666666666666";

/// A patch on the table.
fn table(patch: Value) -> Value {
    json!({ "dynamodb": { "tables": { "orders": patch } } })
}

/// A patch on a global secondary index of the table.
fn global(patch: Value) -> Value {
    table(json!({ "global_secondary_indexes": { "by_status": patch } }))
}

/// A patch on a local secondary index of the table.
fn local(patch: Value) -> Value {
    table(json!({ "local_secondary_indexes": { "by_total": patch } }))
}

/// A patch on a table that the model [`OWNER`] has too.
fn shared(patch: Value) -> Value {
    json!({ "dynamodb": { "tables": { "shared": patch } } })
}

/// A finding that is allowed.
fn allow(code: &str) -> Value {
    json!({ "allow": { (code): { "reason": "It is meant.", "until": "2999-12-31" } } })
}

/// Read and write alike.
fn both(capacity: Value) -> Value {
    json!({ "throughput": { "read": capacity.clone(), "write": capacity } })
}

/// Capacity that is paid for, on the table.
fn provisioned() -> Value {
    table(json!({ "billing": "provisioned", "throughput": { "read": 5, "write": 5 } }))
}

fn scaled() -> Value {
    json!({ "min": 5, "max": 50 })
}

/// What a table with replicas needs; provider 5 cannot protect them.
fn for_replicas() -> Value {
    table(json!({ "stream": "new_and_old_images", "deletion_protection": false }))
}

pub(crate) fn samples() -> Vec<Sample> {
    use Topic::{Autoscaling, Insights, Kinesis, Policy, Replicas, Table};
    let of_table = |key, patch: Value| Sample::new(key, Table, table(patch));
    let of_global =
        |key, patch: Value| Sample::new(key, Table, global(patch)).given(global(json!({ "partition_key": "status" })));
    let of_local = |key, patch: Value| Sample::new(key, Table, local(patch)).given(local(json!({ "sort_key": "total" })));
    let of_replica = |key, patch: Value| {
        let replica = |options: Value| table(json!({ "replicas": { "eu-west-3": options } }));
        Sample::new(key, Replicas, replica(patch)).given(for_replicas()).given(replica(json!({})))
    };
    let template = |template: Value| table(json!({ "holds": { "Order": { "pk": template } } }));
    vec![
        of_table("dynamodb.tables.*.description", json!({ "description": "Orders of a customer" })),
        Sample::new("dynamodb.tables.*.holds", Table, template(json!("ORDER#{total}")))
            .form("a template in place of a number")
            .given(table(json!({ "partition_key": "pk" })))
            .without(template(json!("{total}"))),
        Sample::new(
            "dynamodb.tables.*.holds.*.*.{template,when,present}",
            Table,
            table(json!({
                "holds": { "Order": { "open": { "template": "{customer}", "when": "status = 'OPEN'", "present": "10%" } } },
            })),
        )
        .given(global(json!({ "partition_key": "open" })))
        .without(table(json!({ "holds": { "Order": { "open": "{customer}" } } })))
        .for_gen("decides which items are in the index, which patterns are served and what is estimated"),
        of_table("dynamodb.tables.*.partition_key", json!({ "partition_key": "status" })),
        of_table("dynamodb.tables.*.sort_key", json!({ "sort_key": "number" })).without(table(json!({ "sort_key": null }))),
        of_table("dynamodb.tables.*.name", json!({ "name": "shop-orders" })),
        Sample::new(
            "dynamodb.defaults.table_name",
            Table,
            json!({ "dynamodb": { "defaults": { "table_name": "shop-{table}" } } }),
        ),
        of_table("dynamodb.tables.*.ttl", json!({ "ttl": "expires_at" })),
        of_table("dynamodb.tables.*.discriminator", json!({ "discriminator": "kind" }))
            .given(json!({ "entities": { "Order": { "attributes": { "kind": "text" } } } }))
            .for_gen("is in the filters of patterns"),
        of_table("dynamodb.tables.*.stream", json!({ "stream": "new_image" })),
        Sample::new("dynamodb.tables.*.billing", Table, provisioned()).form("`provisioned`"),
        of_table("dynamodb.tables.*.throughput.{read,write}", both(json!(10))).given(provisioned()).form("a number"),
        Sample::new("dynamodb.tables.*.throughput.{read,write}.{min,max}", Autoscaling, table(both(scaled())))
            .given(table(json!({ "billing": "on_demand" })))
            .also(table(json!({ "billing": "provisioned" })))
            .form("with `billing: provisioned`"),
        Sample::new("dynamodb.tables.*.throughput.{read,write}.target", Autoscaling, table(both(json!({ "target": "60%" }))))
            .given(table(json!({ "billing": "provisioned" })))
            .given(table(both(scaled()))),
        of_table("dynamodb.tables.*.throughput.{read,write}.max", both(json!({ "max": 100 }))).form("on demand"),
        of_table(
            "dynamodb.tables.*.warm_throughput.{read,write}",
            json!({ "warm_throughput": { "read": 15000, "write": 5000 } }),
        ),
        of_table("dynamodb.tables.*.table_class", json!({ "table_class": "standard_infrequent_access" })),
        of_table("dynamodb.tables.*.encryption", json!({ "encryption": "aws_managed" })).form("`aws_managed`"),
        of_table("dynamodb.tables.*.encryption.kms_key", json!({ "encryption": { "kms_key": KEY } })),
        of_table("dynamodb.tables.*.point_in_time_recovery", json!({ "point_in_time_recovery": true })).form("`true`"),
        of_table("dynamodb.tables.*.point_in_time_recovery", json!({ "point_in_time_recovery": "7d" }))
            .without(table(json!({ "point_in_time_recovery": true })))
            .form("days"),
        of_table("dynamodb.tables.*.deletion_protection", json!({ "deletion_protection": true }))
            .without(table(json!({ "deletion_protection": false }))),
        Sample::new("dynamodb.tables.*.replicas", Replicas, table(json!({ "replicas": ["eu-west-3"] })))
            .given(table(json!({ "stream": "new_and_old_images" })))
            .form("under deletion protection, the default"),
        Sample::new("dynamodb.tables.*.replicas", Replicas, table(json!({ "replicas": ["eu-west-3"] })))
            .given(for_replicas())
            .form("without it"),
        of_replica("dynamodb.tables.*.replicas.*.kms_key", json!({ "kms_key": OTHER_KEY }))
            .without(table(json!({ "replicas": { "eu-west-3": { "kms_key": KEY.replace("west-1", "west-3") } } })))
            .given(table(json!({ "encryption": { "kms_key": KEY } }))),
        of_replica("dynamodb.tables.*.replicas.*.point_in_time_recovery", json!({ "point_in_time_recovery": true })),
        of_replica("dynamodb.tables.*.replicas.*.deletion_protection", json!({ "deletion_protection": true })),
        of_replica("dynamodb.tables.*.replicas.*.table_class", json!({ "table_class": "standard_infrequent_access" })),
        Sample::new("dynamodb.tables.*.replica_consistency", Replicas, table(json!({ "replica_consistency": "strong" })))
            .given(table(json!({ "stream": "new_and_old_images", "replicas": ["us-east-1", "us-west-2"] })))
            .given(table(json!({ "deletion_protection": false }))),
        Sample::new("dynamodb.tables.*.witness", Replicas, table(json!({ "replicas": ["us-west-2"], "witness": "us-east-1" })))
            .given(table(
                json!({ "stream": "new_and_old_images", "replica_consistency": "strong", "deletion_protection": false }),
            ))
            .without(table(json!({ "replicas": ["us-west-2", "us-east-1"] }))),
        Sample::new(
            "dynamodb.tables.*.contributor_insights",
            Insights,
            table(json!({ "contributor_insights": "accessed_and_throttled_keys" })),
        )
        .form("`accessed_and_throttled_keys`"),
        Sample::new(
            "dynamodb.tables.*.contributor_insights",
            Insights,
            table(json!({ "contributor_insights": "throttled_keys" })),
        )
        .form("`throttled_keys`"),
        Sample::new("dynamodb.tables.*.kinesis_stream", Kinesis, table(json!({ "kinesis_stream": STREAM }))),
        Sample::new(
            "dynamodb.tables.*.resource_policy",
            Policy,
            table(json!({ "resource_policy": {
            "Version": "2012-10-17",
            "Statement": [{
                "Effect": "Allow", "Principal": { "AWS": ROLE }, "Action": "dynamodb:Query", "Resource": "*",
            }],
        } })),
        ),
        of_table("dynamodb.tables.*.tags", json!({ "tags": { "team": "orders" } })),
        of_table("dynamodb.tables.*.terraform_name", json!({ "terraform_name": "adopted" })),
        of_table("dynamodb.tables.*.logical_id", json!({ "logical_id": "Adopted" })),
        of_table("dynamodb.tables.*.external", json!({ "external": true })).given(json!({ "dynamodb": { "tables": { "others": {
                "holds": "Order", "partition_key": "customer", "sort_key": "number",
            } } } })),
        Sample::new("dynamodb.tables.*.owner", Table, shared(json!({ "owner": OWNER })))
            .given(json!({ "entities": { "Guest": { "key": "customer", "attributes": { "customer": "text" } } } }))
            .given(shared(json!({ "holds": { "Guest": { "customer": "GUEST#{customer}" } } })))
            .without(shared(json!({ "partition_key": "customer" }))),
        of_table("dynamodb.tables.*.allow.*.{reason,until}", allow("no-recovery")).for_gen("answers a finding"),
        of_local("dynamodb.tables.*.local_secondary_indexes.*.description", json!({ "description": "By what they cost" })),
        of_local("dynamodb.tables.*.local_secondary_indexes.*.name", json!({ "name": "orders-by-total" })),
        Sample::new("dynamodb.tables.*.local_secondary_indexes.*.sort_key", Table, local(json!({ "sort_key": "total" }))),
        of_local("dynamodb.tables.*.local_secondary_indexes.*.projection", json!({ "projection": ["status"] })),
        of_local("dynamodb.tables.*.local_secondary_indexes.*.allow.*.{reason,until}", allow("unused-index"))
            .for_gen("answers a finding"),
        of_global("dynamodb.tables.*.global_secondary_indexes.*.description", json!({ "description": "By what became of them" })),
        of_global("dynamodb.tables.*.global_secondary_indexes.*.name", json!({ "name": "orders-by-status" })),
        Sample::new(
            "dynamodb.tables.*.global_secondary_indexes.*.partition_key",
            Table,
            global(json!({ "partition_key": "status" })),
        )
        .form("an attribute"),
        of_global("dynamodb.tables.*.global_secondary_indexes.*.partition_key", json!({ "partition_key": ["status", "total"] }))
            .form("a list"),
        of_global("dynamodb.tables.*.global_secondary_indexes.*.sort_key", json!({ "sort_key": "placed_at" }))
            .form("an attribute"),
        of_global("dynamodb.tables.*.global_secondary_indexes.*.sort_key", json!({ "sort_key": ["placed_at", "total"] }))
            .form("a list"),
        of_global("dynamodb.tables.*.global_secondary_indexes.*.projection", json!({ "projection": ["total"] })),
        of_global("dynamodb.tables.*.global_secondary_indexes.*.throughput.{read,write}", both(json!(10)))
            .given(provisioned())
            .form("a number"),
        Sample::new(
            "dynamodb.tables.*.global_secondary_indexes.*.throughput.{read,write}.{min,max}",
            Autoscaling,
            global(both(json!({ "min": 10, "max": 100 }))),
        )
        .given(table(json!({ "billing": "provisioned" })))
        .given(table(both(scaled())))
        .given(global(json!({ "partition_key": "status" }))),
        Sample::new(
            "dynamodb.tables.*.global_secondary_indexes.*.throughput.{read,write}.target",
            Autoscaling,
            global(both(json!({ "target": "60%" }))),
        )
        .given(table(json!({ "billing": "provisioned" })))
        .given(table(both(scaled())))
        .given(global(json!({ "partition_key": "status" })))
        .given(global(both(scaled()))),
        of_global("dynamodb.tables.*.global_secondary_indexes.*.throughput.{read,write}.max", both(json!({ "max": 100 })))
            .form("on demand"),
        of_global(
            "dynamodb.tables.*.global_secondary_indexes.*.warm_throughput.{read,write}",
            json!({ "warm_throughput": { "read": 15000, "write": 5000 } }),
        ),
        Sample::new(
            "dynamodb.tables.*.global_secondary_indexes.*.contributor_insights",
            Insights,
            global(json!({ "contributor_insights": "accessed_and_throttled_keys" })),
        )
        .given(global(json!({ "partition_key": "status" }))),
        of_global("dynamodb.tables.*.global_secondary_indexes.*.allow.*.{reason,until}", allow("unused-index"))
            .for_gen("answers a finding"),
    ]
    .into_iter()
    .chain(parameters())
    .chain(types())
    .collect()
}

/// The same keys in `defaults`, as far as they may stand there: each with the place of the one it must equal.
pub(crate) fn in_defaults(samples: &[Sample], keys: &BTreeSet<String>) -> Vec<(usize, Sample)> {
    let fits = |key: &str| keys.contains(&format!("dynamodb.defaults.{key}"));
    let moved = |sample: &Sample| {
        let of_table = sample.key.strip_prefix("dynamodb.tables.*.").and_then(|key| key.split('.').next());
        of_table.filter(|key| fits(key))?;
        Some(sample.moved(&["dynamodb", "tables", "orders"], &["dynamodb", "defaults"], fits))
    };
    samples.iter().enumerate().filter_map(|(number, sample)| Some((number, moved(sample)?))).collect()
}

fn parameters() -> Vec<Sample> {
    let given = || {
        let mut given = table(json!({ "tags": { "stage": "${stage}" } }));
        crate::sample::merge(&mut given, json!({ "parameters": { "stage": {} } }));
        given
    };
    let of = |key, patch: Value| Sample::new(key, Topic::Parameters, json!({ "parameters": { "stage": patch } })).given(given());
    vec![
        of("parameters.*.type", json!({ "type": "number" })),
        of("parameters.*.values", json!({ "values": ["dev", "prod"] })),
        of("parameters.*.default", json!({ "default": "dev" })),
        of("parameters.*.allow.*.{reason,until}", allow("unused-parameter")).for_gen("answers a finding"),
        of("parameters.*.description", json!({ "description": "Where it runs" })),
    ]
}

/// Types, as the key of an index: only there does DynamoDB know the type of an attribute.
fn types() -> Vec<Sample> {
    crate::sample::TYPES
        .iter()
        .map(|kind| {
            let attribute = |kind: &str| json!({ "entities": { "Order": { "attributes": { "tried": kind } } } });
            let other = if *kind == "blob" { "text" } else { "blob" };
            let mut sample = Sample::new("entities.*.attributes.*.type", Topic::Types, attribute(kind));
            sample.form = Some(kind);
            sample.given(global(json!({ "partition_key": "tried" }))).given(crate::sample::user_type()).without(attribute(other))
        })
        .collect()
}
