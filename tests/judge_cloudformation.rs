//! Judges: cfn-lint takes every template without an error or a warning, and moto makes of each the tables that were meant.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, reason = "a test")]

mod judges;

use camino::Utf8Path;
use judges::tables::{NotJudged, Verdict, value_of};
use judges::{files, generated, missing, model, moto, overlaid, program};
use nosql_gen::diagnostic::Sink;
use nosql_gen::emit::Verified;
use nosql_gen::emit::cloudformation::emit;
use nosql_gen::emit::{Project, Templates};
use nosql_gen::read;
use nosql_gen::schema::dynamodb::{Autoscaling, Encryption, Range, Replica, Resource, Schema, Stream, Throughput};
use nosql_gen::schema::{Format, TemplateFormat, Text};
use nosql_gen::source::SourceMap;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

use std::process::Command;

/// What moto 5.2 passes over when it makes a table from a template.
const NOT_JUDGED: &NotJudged = &[
    ("encryption", "moto does not hand `SSESpecification` of a template on: the table has no `SSEDescription`"),
    ("point_in_time_recovery", "moto does not read `PointInTimeRecoverySpecification`: backups stay off"),
    ("recovery_days", "as `point_in_time_recovery`"),
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
        let path = folder.path().join(case.name.replace('/', "-"));
        std::fs::write(&path, &case.template).unwrap();
        paths.push(path);
    }
    for (_, folder) in overlaid() {
        paths.extend(files(&folder, |path| path.file_stem() == Some("template")).into_iter().map(Into::into));
    }
    let output = Command::new(&linter).args(["--format", "json"]).args(&paths).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let findings: Vec<Json> = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"));
    let faults: Vec<String> = findings
        .iter()
        .map(|finding| {
            format!(
                "{}: {} {} {}",
                finding["Filename"], finding["Rule"]["Id"], finding["Message"], finding["Location"]["Utf8Path"]
            )
        })
        .collect();
    assert!(faults.is_empty(), "{errors}\n{}", faults.join("\n"));
}

#[test]
fn moto_makes_the_tables_that_were_meant() {
    let Some(python) = moto::python() else { return missing("moto", moto::GET) };
    // moto 5.2 has no `AWS::DynamoDB::GlobalTable`: those are cfn-lint's alone.
    let regional = |case: &Case| case.schema.tables.values().all(|table| table.resource == Resource::Table);
    let cases: Vec<Case> = cases().into_iter().filter(regional).collect();
    let stacks: Vec<Json> = cases
        .iter()
        .map(|case| {
            let values = case.schema.parameters.iter().map(|(name, parameter)| (name, value_of(parameter).to_string()));
            json!({ "template": case.template, "parameters": values.collect::<BTreeMap<_, _>>() })
        })
        .collect();
    let answers = moto::stacks(&python, &stacks);
    let mut verdict = Verdict::default();
    for (case, answer) in cases.iter().zip(&answers) {
        assert_eq!(answer.get("error"), None, "{}\n{}", case.name, case.template);
        for table in case.schema.tables.values() {
            let made = &answer[&table.logical_id];
            verdict.compare(&case.name, (table, &case.schema.parameters), made, NOT_JUDGED);
            assert_eq!(answer["outputs"][format!("{}Name", table.logical_id)], made["table"]["TableName"]);
            assert_eq!(answer["outputs"][format!("{}Arn", table.logical_id)], made["table"]["TableArn"]);
        }
    }
    verdict.pronounce(NOT_JUDGED);
}

/// A template and the schema it stands for, parameters under the names they have there.
struct Case {
    name: String,
    template: String,
    schema: Schema,
}

/// The golden templates as they lie there; the published models, what golden plans lead to and the schemas below.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, folder) in generated() {
        for path in files(&folder, |path| path.file_stem() == Some("template")) {
            let name = format!("{name}.{}", path.extension().unwrap());
            let template = std::fs::read_to_string(&path).unwrap();
            let mut sources = SourceMap::default();
            let file = sources.add(name.as_str(), template.as_str());
            let schema = read::cloudformation::read(&sources, &[file], &mut Sink::default()).unwrap();
            cases.push(Case { name, template, schema });
        }
    }
    let schemas: Vec<(String, Schema)> = models().into_iter().chain(schemas()).collect();
    let global: Vec<_> = schemas.iter().map(|(name, schema)| (format!("{name}.global"), as_global_tables(schema))).collect();
    for (name, schema) in schemas.into_iter().chain(global) {
        for format in [TemplateFormat::Yaml, TemplateFormat::Json] {
            // Longer than CloudFormation takes. cfn-lint guesses that text with the name of a parameter in `${}` lacks a `Sub`.
            let description = NASTY.join(" ").repeat(20).replace("${Environment}", "${Elsewhere}");
            let project = Project { name: name.clone(), environment: None, description: Some(description) };
            let artifacts = emit(&project, &schema, format, &Templates::default(), Verified::default()).unwrap().artifacts;
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

/// The same tables as global ones, each with one replica; capacity for writes is scaled, since there is no other.
fn as_global_tables(schema: &Schema) -> Schema {
    let mut schema = schema.clone();
    for table in schema.tables.values_mut() {
        table.resource = Resource::GlobalTable;
        table.stream = Some(Stream::NewAndOldImages);
        let key = if let Some(Encryption::KmsKey(key)) = &table.encryption { Some(key.clone()) } else { None };
        if table.replicas.is_empty() {
            let replica = Replica {
                kms_key: key,
                point_in_time_recovery: table.point_in_time_recovery.clone(),
                deletion_protection: table.deletion_protection.clone(),
                propagate_tags: true,
                ..Replica::default()
            };
            table.replicas.insert("eu-west-1".to_owned(), replica);
        }
        scale_writes(table.throughput.as_ref(), &mut table.autoscaling);
        for index in table.global_indexes.values_mut() {
            scale_writes(index.throughput.as_ref(), &mut index.autoscaling);
        }
    }
    schema
}

fn scale_writes(throughput: Option<&Throughput>, autoscaling: &mut Option<Autoscaling>) {
    if let Some(throughput) = throughput {
        let range = || Range { min: throughput.write.clone(), max: 100.into(), target: 70.into() };
        autoscaling.get_or_insert_default().write.get_or_insert_with(range);
    }
}

/// The DynamoDB side of every published model that is built in full, and of what each golden plan leads to.
fn models() -> Vec<(String, Schema)> {
    let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
    let published = files(&root.join("models"), |path| path.extension() == Some("yaml"));
    let planned = files(&root.join("golden/plan"), |path| path.file_name() == Some("next.yaml"));
    let mut found: Vec<(String, Schema)> = Vec::new();
    for path in published.iter().chain(&planned) {
        let Some(schema) = model(path).and_then(|(_, design)| design.dynamodb) else { continue };
        if found.iter().all(|(_, other)| *other != schema) {
            let path = path.strip_prefix(root).unwrap().with_extension("");
            found.push((path.into_string(), schema));
        }
    }
    found
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
