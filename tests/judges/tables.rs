//! A DynamoDB table as it is meant and as a judge describes it, in the same words.

use nosql_gen::schema::dynamodb::{Billing, Encryption, Projection, Stream, Table, Throughput};
use nosql_gen::schema::{Parameter, ParameterKind, Scalar, Text, Value};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// What a judge passes over: property and reason.
pub(crate) type NotJudged = [(&'static str, &'static str)];

/// What became of many tables.
#[derive(Default)]
pub(crate) struct Verdict {
    wrong: Vec<String>,
    passed_over: BTreeSet<&'static str>,
}

impl Verdict {
    /// Compares a table with what `moto_judge.py` says of it.
    pub(crate) fn compare(
        &mut self,
        case: &str,
        (table, parameters): (&Table, &BTreeMap<String, Parameter>),
        answer: &Json,
        not_judged: &NotJudged,
    ) {
        let made = made(answer);
        for (property, meant) in meant(table, parameters) {
            if meant == made[property] {
                continue;
            }
            if not_judged.iter().any(|(name, _)| *name == property) {
                self.passed_over.insert(property);
            } else {
                self.wrong.push(format!("{case}: {property} of {}: meant {meant}, made {}", made["name"], made[property]));
            }
        }
    }

    /// Fails with all that is wrong, and when the judge has learnt something.
    pub(crate) fn pronounce(self, not_judged: &NotJudged) {
        assert!(self.wrong.is_empty(), "\n{}", self.wrong.join("\n"));
        let listed: BTreeSet<_> = not_judged.iter().map(|(property, _)| *property).collect();
        assert_eq!(self.passed_over, listed, "moto has learnt something: let it judge that too");
    }
}

/// The value that tables are made with.
pub(crate) fn value_of(parameter: &Parameter) -> Scalar {
    let any = || match parameter.kind {
        ParameterKind::Text => Scalar::Text("arn:aws:kms:eu-west-1:123456789012:key/11111111-2222-3333-4444-555555555555".into()),
        ParameterKind::Number => Scalar::Number("5".into()),
        ParameterKind::Bool => Scalar::Bool(true),
    };
    parameter.default.clone().or_else(|| parameter.values.first().cloned()).unwrap_or_else(any)
}

/// The name a table has.
pub(crate) fn physical_name(table: &Table, parameters: &BTreeMap<String, Parameter>) -> String {
    resolve(table.name.as_ref().unwrap(), parameters)
}

/// A text with the values of its parameters.
pub(crate) fn resolve(text: &Text, parameters: &BTreeMap<String, Parameter>) -> String {
    text.resolve(|name| Some(value_of(&parameters[name]).to_string())).unwrap()
}

/// A number or a boolean, by its parameter if it is one.
pub(crate) fn literal<T: Clone + std::str::FromStr<Err: std::fmt::Debug>>(
    value: &Value<T>,
    parameters: &BTreeMap<String, Parameter>,
) -> T {
    match value {
        Value::Literal(value) => value.clone(),
        Value::Parameter(name) => value_of(&parameters[name]).to_string().parse().unwrap(),
        Value::Expression(source) => panic!("{source}"),
    }
}

/// The properties of a table as they are meant, parameters replaced by their values.
fn meant(table: &Table, parameters: &BTreeMap<String, Parameter>) -> BTreeMap<&'static str, Json> {
    let resolve = |text: &Text| resolve(text, parameters);
    let number = |value: &Value<u64>| literal(value, parameters);
    let boolean = |value: &Value<bool>| literal(value, parameters);
    let throughput =
        |throughput: Option<&Throughput>| throughput.map_or(json!([0, 0]), |it| json!([number(&it.read), number(&it.write)]));
    let local = table.local_indexes.values().map(|index| {
        let key = json!([[table.partition_key], [index.sort_key]]);
        (index.name.clone(), json!({ "key": key, "projection": projection(&index.projection) }))
    });
    let global = table.global_indexes.values().map(|index| {
        let key = json!([index.partition_key.0, index.sort_key.0]);
        let throughput = throughput(index.throughput.as_ref());
        (index.name.clone(), json!({ "key": key, "projection": projection(&index.projection), "throughput": throughput }))
    });
    BTreeMap::from([
        ("name", json!(table.name.as_ref().map(resolve))),
        ("attributes", json!(table.attributes)),
        ("key", json!([[table.partition_key], table.sort_key.as_slice()])),
        ("local_indexes", json!(local.collect::<BTreeMap<_, _>>())),
        ("global_indexes", json!(global.collect::<BTreeMap<_, _>>())),
        ("stream", json!(table.stream.and_then(Stream::view_type))),
        ("billing", json!(if table.billing == Some(Billing::OnDemand) { "PAY_PER_REQUEST" } else { "PROVISIONED" })),
        ("throughput", throughput(table.throughput.as_ref())),
        (
            "encryption",
            match &table.encryption {
                None | Some(Encryption::AwsOwned) => json!(null),
                Some(Encryption::AwsManaged) => json!("KMS"),
                Some(Encryption::KmsKey(key)) => json!(resolve(key)),
            },
        ),
        ("point_in_time_recovery", json!(table.point_in_time_recovery.as_ref().is_some_and(|it| boolean(&it.enabled)))),
        (
            "recovery_days",
            match &table.point_in_time_recovery {
                Some(it) if boolean(&it.enabled) => json!(it.days.unwrap_or(35)),
                _ => json!(null),
            },
        ),
        ("ttl", json!(table.ttl.as_ref().filter(|ttl| ttl.enabled).map(|ttl| &ttl.attribute))),
        ("deletion_protection", json!(table.deletion_protection.as_ref().is_some_and(boolean))),
        ("tags", json!(table.tags.iter().map(|(key, value)| (key, resolve(value))).collect::<BTreeMap<_, _>>())),
    ])
}

fn projection(projection: &Projection) -> Json {
    match projection {
        Projection::All => json!("ALL"),
        Projection::KeysOnly => json!("KEYS_ONLY"),
        Projection::Include(names) => json!(names),
    }
}

/// The same properties of the table that moto made.
fn made(answer: &Json) -> Json {
    let table = &answer["table"];
    let list = |of: &Json| of.as_array().cloned().unwrap_or_default();
    let pairs = |of: &Json, key: &str, value: &str| -> Json {
        list(of)
            .iter()
            .map(|item| (item[key].as_str().unwrap().to_owned(), item[value].clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let key = |of: &Json| {
        let part = |kind: &str| -> Vec<Json> {
            list(&of["KeySchema"])
                .iter()
                .filter(|part| part["KeyType"] == kind)
                .map(|part| part["AttributeName"].clone())
                .collect()
        };
        json!([part("HASH"), part("RANGE")])
    };
    let projection = |index: &Json| match index["Projection"]["ProjectionType"].as_str() {
        Some("INCLUDE") => {
            json!(list(&index["Projection"]["NonKeyAttributes"]).iter().map(Json::as_str).collect::<BTreeSet<_>>())
        }
        other => json!(other),
    };
    let throughput = |of: &Json| {
        let units = |name: &str| of["ProvisionedThroughput"][name].as_u64().unwrap_or(0);
        json!([units("ReadCapacityUnits"), units("WriteCapacityUnits")])
    };
    let indexes = |kind: &str, describe: &dyn Fn(&Json) -> Json| -> Json {
        list(&table[kind])
            .iter()
            .map(|index| (index["IndexName"].as_str().unwrap().to_owned(), describe(index)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let local = |index: &Json| json!({ "key": key(index), "projection": projection(index) });
    let global = |index: &Json| json!({ "key": key(index), "projection": projection(index), "throughput": throughput(index) });
    let kms_key = &table["SSEDescription"]["KMSMasterKeyArn"];
    let managed = kms_key.is_string() && *kms_key == answer["managed_key"];
    let recovery = &answer["backups"]["PointInTimeRecoveryDescription"];
    let guarded = &table["DeletionProtectionEnabled"];
    json!({
        "name": table["TableName"],
        "attributes": pairs(&table["AttributeDefinitions"], "AttributeName", "AttributeType"),
        "key": key(table),
        "local_indexes": indexes("LocalSecondaryIndexes", &local),
        "global_indexes": indexes("GlobalSecondaryIndexes", &global),
        "stream": table["StreamSpecification"]["StreamViewType"],
        "billing": table["BillingModeSummary"]["BillingMode"].as_str().unwrap_or("PROVISIONED"),
        "throughput": throughput(table),
        "encryption": if managed { json!("KMS") } else { kms_key.clone() },
        "point_in_time_recovery": recovery["PointInTimeRecoveryStatus"] == "ENABLED",
        "recovery_days": recovery["RecoveryPeriodInDays"],
        "ttl": answer["ttl"]["AttributeName"],
        // moto keeps the text of a parameter.
        "deletion_protection": *guarded == json!(true) || *guarded == json!("true"),
        "tags": pairs(&answer["tags"], "Key", "Value"),
    })
}
