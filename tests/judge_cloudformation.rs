//! Judges: cfn-lint takes every template without an error or a warning, and moto makes of each the tables that were meant.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_types,
    reason = "a test"
)]

use nosql_gen::design::design;
use nosql_gen::diagnostic::Sink;
use nosql_gen::emit::cloudformation::emit;
use nosql_gen::emit::{Project, Templates};
use nosql_gen::read;
use nosql_gen::schema::dynamodb::{Billing, Encryption, Projection, Schema, Stream, Table, Throughput};
use nosql_gen::schema::{Format, Parameter, ParameterKind, Scalar, TemplateFormat, Text, Value};
use nosql_gen::source::SourceMap;
use nosql_gen::validate::load;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What moto 5.2 passes over when it makes a table from a template.
const NOT_JUDGED: &[(&str, &str)] = &[
    ("encryption", "moto does not hand `SSESpecification` of a template on: the table has no `SSEDescription`"),
    ("point_in_time_recovery", "moto does not read `PointInTimeRecoverySpecification`: backups stay off"),
    ("ttl", "moto does not read `TimeToLiveSpecification`: TTL stays disabled"),
];

#[test]
fn cfn_lint_takes_every_template() {
    let Some(linter) = program("cfn-lint", "CFN_LINT") else {
        return missing("cfn-lint", "pip install cfn-lint, or its path in CFN_LINT");
    };
    let version = Command::new(&linter).arg("--version").output().unwrap();
    print!("{}", String::from_utf8_lossy(&version.stdout));
    let folder = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    for case in cases() {
        let path = folder.path().join(&case.name);
        std::fs::write(&path, &case.template).unwrap();
        paths.push(path);
    }
    let output = Command::new(&linter).args(["--format", "json"]).args(&paths).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let findings: Vec<Json> = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"));
    let faults: Vec<String> = findings
        .iter()
        .map(|finding| {
            format!("{}: {} {} {}", finding["Filename"], finding["Rule"]["Id"], finding["Message"], finding["Location"]["Path"])
        })
        .collect();
    assert!(faults.is_empty(), "{errors}\n{}", faults.join("\n"));
}

#[test]
fn moto_makes_the_tables_that_were_meant() {
    let Some(python) = program("python3", "PYTHON").filter(|python| imports(python)) else {
        return missing("moto", "pip install 'moto[server,dynamodb,cloudformation]' boto3");
    };
    let cases = cases();
    let stacks: Vec<Json> = cases
        .iter()
        .map(|case| {
            let values = case.schema.parameters.iter().map(|(name, parameter)| (name, value_of(parameter).to_string()));
            json!({ "template": case.template, "parameters": values.collect::<BTreeMap<_, _>>() })
        })
        .collect();
    let answers = judge(&python, &stacks);
    let mut passed_over = BTreeSet::new();
    let mut wrong = Vec::new();
    for (case, answer) in cases.iter().zip(&answers) {
        assert_eq!(answer.get("error"), None, "{}\n{}", case.name, case.template);
        for table in case.schema.tables.values() {
            let meant = meant(table, &case.schema.parameters);
            let made = made(&answer[&table.logical_id]);
            for (property, meant) in meant {
                let made = made[property].clone();
                if meant == made {
                    continue;
                }
                if NOT_JUDGED.iter().any(|(name, _)| *name == property) {
                    passed_over.insert(property);
                } else {
                    wrong.push(format!("{}: {property} of {}: meant {meant}, made {made}", case.name, table.logical_id));
                }
            }
            assert_eq!(answer["outputs"][format!("{}Name", table.logical_id)], answer[&table.logical_id]["table"]["TableName"]);
            assert_eq!(answer["outputs"][format!("{}Arn", table.logical_id)], answer[&table.logical_id]["table"]["TableArn"]);
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let listed: BTreeSet<_> = NOT_JUDGED.iter().map(|(property, _)| *property).collect();
    assert_eq!(passed_over, listed, "moto has learnt something: let it judge that too");
}

/// Where a program is: the path in `variable`, else `name` on the PATH. None when it does not start.
fn program(name: &str, variable: &str) -> Option<String> {
    let program = std::env::var(variable).unwrap_or_else(|_| name.to_owned());
    let works = Command::new(&program).arg("--version").output().is_ok_and(|output| output.status.success());
    works.then_some(program)
}

/// A judge that is missing: skipped on a user's machine, a failure in a pipeline.
fn missing(what: &str, how: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "missing judge: {what} ({how})");
    println!("skipped: {what} is not installed ({how})");
}

fn imports(python: &str) -> bool {
    Command::new(python).args(["-c", "import boto3, moto"]).output().is_ok_and(|output| output.status.success())
}

fn judge(python: &str, stacks: &[Json]) -> Vec<Json> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judges/moto_stack.py");
    let mut child =
        Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(Json::from(stacks).to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A template and the schema it stands for, parameters under the names they have there.
struct Case {
    name: String,
    template: String,
    schema: Schema,
}

/// The golden templates as they lie there; the published models and the schemas below in both formats.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/generate")];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if folder.ends_with("cloudformation") {
                let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().to_str().unwrap().replace('/', "-");
                let template = std::fs::read_to_string(&path).unwrap();
                let mut sources = SourceMap::default();
                let file = sources.add(name.as_str(), template.as_str());
                let schema = read::cloudformation::read(&sources, &[file], &mut Sink::default()).unwrap();
                cases.push(Case { name, template, schema });
            }
        }
    }
    for (name, schema) in models().into_iter().chain(schemas()) {
        for format in [TemplateFormat::Yaml, TemplateFormat::Json] {
            // Longer than CloudFormation takes. cfn-lint guesses that text with the name of a parameter in `${}` lacks a `Sub`.
            let description = NASTY.join(" ").repeat(20).replace("${Environment}", "${Elsewhere}");
            let project = Project { name: name.clone(), description: Some(description) };
            let artifacts = emit(&project, &schema, format, &Templates::default()).unwrap();
            let template = artifacts[0].text.clone();
            cases.push(Case {
                name: format!("{name}.{}", format.name()),
                template,
                schema: schema.project(Format::Cloudformation),
            });
        }
    }
    cases
}

/// The DynamoDB side of every published model that is built in full.
fn models() -> Vec<(String, Schema)> {
    let mut found = Vec::new();
    for path in entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("models")) {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let mut sources = SourceMap::default();
        let file = sources.add(name.as_str(), std::fs::read_to_string(&path).unwrap());
        let mut sink = Sink::default();
        let designed = load(&sources, file, &mut sink).map(|model| design(&model, &mut sink)).filter(|_| !sink.has_errors());
        found.extend(designed.and_then(|design| design.dynamodb).map(|schema| (name, schema)));
    }
    found
}

/// What lies in a folder, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

const NASTY: [&str; 8] = [
    "\"q\" 'q'",
    "${Environment} ${!x} $$",
    "a: b # c",
    "line\nfeed\r\n\ttab",
    "yes",
    "012",
    "{{ x }} %{ if }",
    "ünï — 🦀\u{2028}",
];

/// Schemas of many shapes.
fn schemas() -> Vec<(String, Schema)> {
    let smallest = json!({
        "tables": { "orders": {
            "logical_id": "Orders",
            "name": "orders",
            "attributes": { "id": "S" },
            "partition_key": "id",
            "billing": "on_demand",
            "deletion_policy": "Retain",
            "update_replace_policy": "Retain",
        } },
    });
    let everything = json!({
        "parameters": {
            "environment": { "type": "text", "values": ["dev", "no"], "default": "dev" },
            "kms_key": { "type": "text" },
            "protect": { "type": "bool", "default": true },
            "recover": { "type": "bool", "values": [true, false], "default": true },
            "units": { "type": "number", "values": [5, 10], "default": 5 },
        },
        "tables": { "orders": {
            "logical_id": "Orders",
            "name": "${environment}-orders",
            "attributes": { "pk": "S", "sk": "N", "by": "B", "day": "S" },
            "partition_key": "pk",
            "sort_key": "sk",
            "lsi": {
                "local": { "name": "local", "sort_key": "by", "projection": "keys_only" },
                "local_2": { "name": "local-2", "sort_key": "day", "projection": ["note", "yes"] },
            },
            "gsi": {
                "by_day": { "name": "by-day", "partition_key": "day", "sort_key": "sk", "projection": "all", "throughput": { "read": 1, "write": "${units}" } },
                "by_by": { "name": "by.by", "partition_key": "by", "projection": ["note"], "throughput": { "read": 2, "write": 3 } },
            },
            "ttl": { "attribute": "expires", "enabled": true },
            "stream": "new_and_old_images",
            "billing": "provisioned",
            "throughput": { "read": "${units}", "write": 7 },
            "encryption": { "kms_key": "${kms_key}" },
            "point_in_time_recovery": { "enabled": "${recover}" },
            "deletion_protection": "${protect}",
            "tags": { "environment": "${environment}", "mixed": "$$$${x}-${environment}-$${environment}", "dollar": "$$${environment}$$" },
            "deletion_policy": "Retain",
            "update_replace_policy": "Retain",
        } },
    });
    let switched_off = json!({
        "tables": { "orders": {
            "logical_id": "Orders",
            "name": "orders",
            "attributes": { "id": "S" },
            "partition_key": "id",
            "ttl": { "attribute": "expires", "enabled": false },
            "stream": "off",
            "billing": "on_demand",
            "encryption": "aws_owned",
            "point_in_time_recovery": { "enabled": false, "days": 35 },
            "deletion_protection": false,
            "deletion_policy": "Retain",
            "update_replace_policy": "Retain",
        } },
    });
    let many = ["Yes", "N", "Null", "Off", "A1"].map(|name| {
        let table = json!({
            "logical_id": name,
            "name": format!("table_{name}"),
            "attributes": { "yes": "S", "null": "N" },
            "partition_key": "yes",
            "sort_key": "null",
            "gsi": { "one": { "name": "one", "partition_key": ["null", "yes"], "projection": "keys_only" } },
            "billing": "on_demand",
            "encryption": "aws_managed",
            "point_in_time_recovery": { "enabled": true, "days": 7 },
            "stream": "keys_only",
            "deletion_policy": "Retain",
            "update_replace_policy": "Retain",
        });
        (name, table)
    });
    let many = json!({ "tables": BTreeMap::from(many) });
    let mut nasty: Schema = serde_json::from_value(smallest.clone()).unwrap();
    for table in nasty.tables.values_mut() {
        table.about.description = Some(NASTY.concat());
        table.about.serves = NASTY.map(str::to_owned).to_vec();
        table.tags = NASTY.iter().enumerate().map(|(number, text)| (format!("tag-{number}"), Text::literal(*text))).collect();
        for name in NASTY {
            table.attributes.insert(name.to_owned(), nosql_gen::schema::dynamodb::KeyType::S);
        }
        table.global_indexes = NASTY
            .iter()
            .enumerate()
            .map(|(number, attribute)| {
                let index = json!({ "name": format!("index-{number}"), "partition_key": attribute, "projection": ["true", "n", attribute.to_uppercase() + "1"] });
                (format!("i{number}"), serde_json::from_value(index).unwrap())
            })
            .collect();
    }
    let named = [("smallest", smallest), ("everything", everything), ("switched-off", switched_off), ("many", many)];
    let named = named.into_iter().map(|(name, schema)| (name, serde_json::from_value(schema).unwrap()));
    named.chain([("nasty", nasty)]).map(|(name, schema)| (name.to_owned(), schema)).collect()
}

/// The value that a stack is made with.
fn value_of(parameter: &Parameter) -> Scalar {
    let any = || match parameter.kind {
        ParameterKind::Text => Scalar::Text("arn:aws:kms:eu-west-1:123456789012:key/11111111-2222-3333-4444-555555555555".into()),
        ParameterKind::Number => Scalar::Number("5".into()),
        ParameterKind::Bool => Scalar::Bool(true),
    };
    parameter.default.clone().or_else(|| parameter.values.first().cloned()).unwrap_or_else(any)
}

/// The properties of a table as they are meant, parameters replaced by their values.
fn meant(table: &Table, parameters: &BTreeMap<String, Parameter>) -> BTreeMap<&'static str, Json> {
    let resolve = |text: &Text| text.resolve(|name| Some(value_of(&parameters[name]).to_string())).unwrap();
    let number = |value: &Value<u64>| match value {
        Value::Literal(number) => *number,
        Value::Parameter(name) => value_of(&parameters[name]).to_string().parse().unwrap(),
        Value::Expression(source) => panic!("{source}"),
    };
    let boolean = |value: &Value<bool>| match value {
        Value::Literal(value) => *value,
        Value::Parameter(name) => value_of(&parameters[name]) == Scalar::Bool(true),
        Value::Expression(source) => panic!("{source}"),
    };
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
        "encryption": table["SSEDescription"]["KMSMasterKeyArn"].as_str().or(table["SSEDescription"]["SSEType"].as_str()),
        "point_in_time_recovery": answer["backups"]["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED",
        "ttl": answer["ttl"]["AttributeName"],
        // moto keeps the text of a parameter.
        "deletion_protection": *guarded == json!(true) || *guarded == json!("true"),
        "tags": pairs(&answer["tags"], "Key", "Value"),
    })
}
