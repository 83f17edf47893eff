//! The requests that make a table in DynamoDB.

use crate::judges::tables::{literal, physical_name, resolve};
use nosql_gen::schema::Parameter;
use nosql_gen::schema::dynamodb::{Billing, Encryption, Projection, Stream, Table, Throughput};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// A `CreateTable` request.
pub(crate) fn create(table: &Table, parameters: &BTreeMap<String, Parameter>) -> Json {
    let key = |hash: &[String], range: &[String]| {
        let part = |kind: &'static str| move |name: &String| json!({ "AttributeName": name, "KeyType": kind });
        hash.iter().map(part("HASH")).chain(range.iter().map(part("RANGE"))).collect::<Json>()
    };
    let throughput = |of: &Throughput| json!({ "ReadCapacityUnits": literal(&of.read, parameters), "WriteCapacityUnits": literal(&of.write, parameters) });
    let partition = [table.partition_key.clone()];
    let attributes = table.attributes.iter().map(|(name, kind)| json!({ "AttributeName": name, "AttributeType": kind }));
    let mut request = json!({
        "TableName": physical_name(table, parameters),
        "KeySchema": key(&partition, table.sort_key.as_slice()),
        "AttributeDefinitions": attributes.collect::<Json>(),
        "BillingMode": if table.billing == Some(Billing::OnDemand) { "PAY_PER_REQUEST" } else { "PROVISIONED" },
    });
    let mut add = |property: &str, value: Json| request[property] = value;
    if let Some(of) = &table.throughput {
        add("ProvisionedThroughput", throughput(of));
    }
    if !table.local_indexes.is_empty() {
        let indexes = table.local_indexes.values().map(|index| {
            let key = key(&partition, std::slice::from_ref(&index.sort_key));
            json!({ "IndexName": index.name, "KeySchema": key, "Projection": projection(&index.projection) })
        });
        add("LocalSecondaryIndexes", indexes.collect());
    }
    if !table.global_indexes.is_empty() {
        let indexes = table.global_indexes.values().map(|index| {
            let key = key(&index.partition_key.0, &index.sort_key.0);
            let mut made = json!({ "IndexName": index.name, "KeySchema": key, "Projection": projection(&index.projection) });
            if let Some(of) = &index.throughput {
                made["ProvisionedThroughput"] = throughput(of);
            }
            made
        });
        add("GlobalSecondaryIndexes", indexes.collect());
    }
    if let Some(view) = table.stream.and_then(Stream::view_type) {
        add("StreamSpecification", json!({ "StreamEnabled": true, "StreamViewType": view }));
    }
    match &table.encryption {
        None | Some(Encryption::AwsOwned) => {}
        Some(Encryption::AwsManaged) => add("SSESpecification", json!({ "Enabled": true, "SSEType": "KMS" })),
        Some(Encryption::KmsKey(key)) => {
            let key = resolve(key, parameters);
            add("SSESpecification", json!({ "Enabled": true, "SSEType": "KMS", "KMSMasterKeyId": key }));
        }
    }
    if let Some(protected) = &table.deletion_protection {
        add("DeletionProtectionEnabled", json!(literal(protected, parameters)));
    }
    if !table.tags.is_empty() {
        let tags = table.tags.iter().map(|(key, text)| json!({ "Key": key, "Value": resolve(text, parameters) }));
        add("Tags", tags.collect());
    }
    request
}

/// An `UpdateTimeToLive` request, when items expire.
pub(crate) fn time_to_live(table: &Table, parameters: &BTreeMap<String, Parameter>) -> Option<Json> {
    let ttl = table.ttl.as_ref().filter(|ttl| ttl.enabled)?;
    let specification = json!({ "AttributeName": ttl.attribute, "Enabled": true });
    Some(json!({ "TableName": physical_name(table, parameters), "TimeToLiveSpecification": specification }))
}

fn projection(projection: &Projection) -> Json {
    match projection {
        Projection::All => json!({ "ProjectionType": "ALL" }),
        Projection::KeysOnly => json!({ "ProjectionType": "KEYS_ONLY" }),
        Projection::Include(names) => json!({ "ProjectionType": "INCLUDE", "NonKeyAttributes": names }),
    }
}
