use super::{Module, read};
use crate::diagnostic::Sink;
use crate::schema::dynamodb::{
    Billing, Encryption, KeyType, Keys, PointInTimeRecovery, Projection, Replica, ReplicaConsistency, Stream, Table, TableClass,
    Ttl, Units,
};
use crate::schema::{Backend, ParameterKind, Part, Scalar, Text, Value};
use crate::source::SourceMap;
use std::collections::BTreeMap;

/// Reads files; what they say, and what is said about them with the text underlined.
fn try_read(files: &[&str]) -> (Option<Module>, Vec<(&'static str, String, String)>) {
    let mut sources = SourceMap::default();
    let ids: Vec<_> = files.iter().enumerate().map(|(at, text)| sources.add(format!("{at}.tf"), *text)).collect();
    let mut sink = Sink::default();
    let module = read(&sources, &ids, &mut sink);
    let said = sink.into_sorted().into_iter().map(|diagnostic| {
        let place = diagnostic.primary.as_ref().map_or("", |label| sources.snippet(label.span));
        (diagnostic.code.slug(), diagnostic.message.clone(), place.to_owned())
    });
    (module, said.collect())
}

/// Reads a table's body; nothing may be said about it.
fn table(body: &str) -> Table {
    let (module, said) = try_read(&[&format!("resource \"aws_dynamodb_table\" \"t\" {{\n{body}\n}}\n")]);
    assert_eq!(said, []);
    module.unwrap().schema.tables.remove("t").unwrap()
}

#[test]
fn a_table_with_all_that_is_modelled() {
    let table = table(
        r#"
  name                        = "${var.env}-t"
  billing_mode                = "PROVISIONED"
  read_capacity               = 5
  write_capacity              = var.write
  hash_key                    = "pk"
  range_key                   = "sk"
  deletion_protection_enabled = true
  stream_enabled              = true
  stream_view_type            = "NEW_IMAGE"
  attribute {
    name = "pk"
    type = "S"
  }
  attribute {
    name = "sk"
    type = "N"
  }
  local_secondary_index {
    name               = "l"
    range_key          = "at"
    projection_type    = "INCLUDE"
    non_key_attributes = ["b", "a"]
  }
  global_secondary_index {
    name            = "g"
    hash_key        = "sk"
    projection_type = "KEYS_ONLY"
    read_capacity   = 1
    write_capacity  = 2
  }
  ttl {
    attribute_name = "expires"
    enabled        = true
  }
  point_in_time_recovery {
    enabled                 = true
    recovery_period_in_days = 7
  }
  server_side_encryption {
    enabled     = true
    kms_key_arn = aws_kms_key.main.arn
  }
  tags = {
    Team   = "a"
    "b c"  = "$${x}"
    (local.k) : var.env
  }
  lifecycle {
    prevent_destroy = true
  }
}
locals {
  k = "Stage"
"#,
    );
    let text = |parts: &[Part]| Text::from_parts(parts.iter().cloned());
    assert_eq!(table.name, Some(text(&[Part::Parameter("env".into()), Part::Literal("-t".into())])));
    assert_eq!(table.billing, Some(Billing::Provisioned));
    let throughput = table.throughput.unwrap();
    assert_eq!((throughput.read, throughput.write), (Value::Literal(5), Value::Parameter("write".into())));
    assert_eq!((table.partition_key.as_str(), table.sort_key.as_deref()), ("pk", Some("sk")));
    assert_eq!(table.attributes, [("pk".to_owned(), KeyType::S), ("sk".to_owned(), KeyType::N)].into());
    assert_eq!(table.stream, Some(Stream::NewImage));
    assert_eq!(table.local_indexes["l"].projection, Projection::Include(["a".to_owned(), "b".to_owned()].into()));
    assert_eq!(table.global_indexes["g"].partition_key, Keys::one("sk"));
    assert_eq!(table.global_indexes["g"].throughput.as_ref().unwrap().write, Value::Literal(2));
    assert_eq!(table.ttl.unwrap().attribute, "expires");
    assert_eq!(table.point_in_time_recovery.unwrap().days, Some(7));
    assert_eq!(table.encryption, Some(Encryption::KmsKey(text(&[Part::Expression("aws_kms_key.main.arn".into())]))));
    assert_eq!(table.tags["Team"], Text::literal("a"));
    assert_eq!(table.tags["b c"], Text::literal("${x}"));
    assert_eq!(table.tags["Stage"], text(&[Part::Parameter("env".into())]));
    assert!(table.prevent_destroy);
    assert_eq!(table.extra, [].into());
}

#[test]
fn silence_is_kept_apart_from_off() {
    let silent = table("hash_key = \"a\"\nkms_key_arn = null");
    assert_eq!(silent, Table { terraform_name: "t".into(), partition_key: "a".into(), ..Table::default() });
    let off = table(
        "range_key = \"\"\nstream_enabled = false\nttl {\n enabled = false\n}\nserver_side_encryption {\n enabled = false\n}",
    );
    assert_eq!((off.stream, off.encryption, off.sort_key), (Some(Stream::Off), Some(Encryption::AwsOwned), None));
    assert!(!off.ttl.unwrap().enabled);
}

#[test]
fn key_schema_is_read_and_told_from_hash_key() {
    let index = |parts: &str| {
        table(&format!("global_secondary_index {{\n name = \"g\"\n projection_type = \"ALL\"\n {parts}\n}}")).global_indexes["g"]
            .clone()
    };
    let part = |name: &str, kind: &str| format!("key_schema {{\n attribute_name = \"{name}\"\n key_type = \"{kind}\"\n}}\n");
    let compound = index(&format!("{}{}{}", part("a", "HASH"), part("b", "HASH"), part("c", "RANGE")));
    assert_eq!((compound.partition_key.0, compound.sort_key.0), (vec!["a".into(), "b".into()], vec!["c".into()]));
    assert_eq!(compound.extra, [].into());
    let single = index(&format!("{}{}", part("a", "HASH"), part("c", "RANGE")));
    assert_eq!(single.extra, [("key_schema".to_owned(), "HASH a, RANGE c".to_owned())].into());
}

#[test]
fn limits_are_read_and_none_is_minus_one() {
    let table = table(
        "table_class = \"STANDARD_INFREQUENT_ACCESS\"\non_demand_throughput {\n max_read_request_units = -1\n \
         max_write_request_units = var.most\n}\nwarm_throughput {\n read_units_per_second = 12000\n}",
    );
    assert_eq!(table.table_class, Some(TableClass::StandardInfrequentAccess));
    let most = Value::Parameter("most".into());
    assert_eq!(table.on_demand_maximum, Some(Units { read: None, write: Some(most) }));
    assert_eq!(table.warm_throughput, Some(Units { read: Some(Value::Literal(12_000)), write: None }));
    assert_eq!(table.extra, [].into());
}

#[test]
fn what_is_not_modelled_is_carried_along_by_its_path() {
    let table =
        table("region = \"us-east-1\"\nimport_table {}\nlifecycle {\n ignore_changes = [tags[\"a\"]]\n}\nread_capacity = 1");
    let extra: Vec<(&str, &str)> = table.extra.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert_eq!(
        extra,
        [
            ("import_table", "{}"),
            ("lifecycle.ignore_changes", "[tags[\"a\"]]"),
            ("read_capacity", "1"),
            ("region", "\"us-east-1\""),
        ]
    );
}

#[test]
fn timeouts_are_passed_over_and_stand_once() {
    let timeouts = "timeouts {\n create = \"1h\"\n update = var.patience\n}\n";
    assert_eq!(table(timeouts), table(""));
    let twice = format!("resource \"aws_dynamodb_table\" \"t\" {{\n hash_key = \"a\"\n {timeouts}{timeouts}}}\n");
    let (module, said) = try_read(&[&twice]);
    assert!(module.is_none());
    assert_eq!(said.iter().map(|(code, _, place)| (*code, place.as_str())).collect::<Vec<_>>(), [("bad-terraform", "timeouts")]);
}

#[test]
fn locals_and_defaults_are_followed_and_the_rest_is_kept_as_text() {
    let module = r#"
variable "key" { default = "pk" }
variable "many" { type = list(string) }
locals {
  sort = local.word
  word = "s${1 + 1}"
  name = "x-${local.plain}"
  plain = "y"
  loop = local.loop
}
resource "aws_dynamodb_table" "t" {
  count        = 2
  name         = local.name
  hash_key     = var.key
  range_key    = local.sort
  billing_mode = var.unknown ? "PROVISIONED" : "PAY_PER_REQUEST"
  tags         = merge(local.tags, {})
  deletion_protection_enabled = local.loop
  dynamic "attribute" {
    for_each = var.many
    content {}
  }
}
"#;
    let (module, said) = try_read(&[module]);
    let module = module.unwrap();
    let table = &module.schema.tables["t"];
    assert_eq!(table.name, Some(Text::literal("x-y")));
    assert_eq!(table.partition_key, "pk");
    assert_eq!(table.sort_key.as_deref(), Some("${local.sort}"));
    assert_eq!(table.deletion_protection, Some(Value::Expression("local.loop".into())));
    assert_eq!(table.extra["tags"], "merge(local.tags, {})");
    assert_eq!(table.extra["billing_mode"], "var.unknown ? \"PROVISIONED\" : \"PAY_PER_REQUEST\"");
    assert!(table.extra["dynamic.attribute"].starts_with("for_each = var.many"));
    let underlined: Vec<_> = said.iter().map(|(code, _, place)| (*code, place.as_str())).collect();
    assert_eq!(
        underlined,
        [
            ("not-evaluated", "2"),
            ("not-evaluated", "local.sort"),
            ("not-evaluated", "var.unknown ? \"PROVISIONED\" : \"PAY_PER_REQUEST\""),
            ("not-evaluated", "merge(local.tags, {})"),
            ("not-evaluated", "dynamic"),
        ]
    );
    assert!(module.schema.parameters.contains_key("key"));
    assert!(!module.schema.parameters.contains_key("many"));
}

#[test]
fn variables_moves_removals_and_the_provider() {
    let files = [
        "variable \"a\" {\n type = string\n default = \"dev\"\n description = \"d\"\n validation {\n condition = \
         contains([\"dev\", \"prod\"], var.a)\n error_message = \"x\"\n }\n}\nvariable \"n\" { default = -5 }\nvariable \"b\" {\n \
         type = bool\n default = \"true\"\n}\n",
        "moved {\n from = aws_dynamodb_table.x\n to = aws_dynamodb_table.y\n}\nmoved {\n from = module.a\n to = module.b\n}\nremoved {\n \
         from = aws_dynamodb_table.z\n lifecycle {\n destroy = false\n }\n}\nremoved {\n from = aws_dynamodb_table.w\n}\n",
        "terraform {\n required_providers {\n aws = {\n source = \"hashicorp/aws\"\n version = \"~> 5.1\"\n }\n }\n}\n",
    ];
    let (module, said) = try_read(&files);
    assert_eq!(said, []);
    let module = module.unwrap();
    let parameters = &module.schema.parameters;
    assert_eq!(parameters["a"].values, [Scalar::Text("dev".into()), Scalar::Text("prod".into())]);
    assert_eq!(parameters["a"].default, Some(Scalar::Text("dev".into())));
    assert_eq!((parameters["n"].kind, &parameters["n"].default), (ParameterKind::Number, &Some(Scalar::Number("-5".into()))));
    assert_eq!((parameters["b"].kind, &parameters["b"].default), (ParameterKind::Bool, &Some(Scalar::Bool(true))));
    assert_eq!(module.schema.moved, [("x".to_owned(), "y".to_owned())].into());
    assert!(!module.schema.kept["z"].destroy);
    assert!(module.schema.kept["w"].destroy);
    assert_eq!(module.backend, Some(Backend::TerraformAws5));
}

#[test]
fn what_terraform_would_refuse_is_an_error_at_its_place() {
    let table = |body: &str| format!("resource \"aws_dynamodb_table\" \"t\" {{\n{body}\n}}\n");
    let cases = [
        ("a = \n".to_owned(), "bad-terraform", "\n"),
        ("x {\n".to_owned(), "bad-terraform", "\n"),
        (table("name = \"a\nb\""), "bad-terraform", "\"a\nb\""),
        (table("name = \"a${var.x}\nb\""), "bad-terraform", "\nb"),
        (table("billing_mode = \"FREE\""), "bad-terraform", "\"FREE\""),
        (table("attribute {\n name = \"a\"\n type = \"X\"\n}"), "bad-terraform", "\"X\""),
        (table("attribute {\n type = \"S\"\n}"), "bad-terraform", "attribute"),
        (format!("{}{}", table(""), table("")), "duplicate-name", "resource"),
        (
            table("local_secondary_index {\n range_key = \"a\"\n projection_type = \"ALL\"\n}"),
            "bad-terraform",
            "local_secondary_index",
        ),
    ];
    for (text, code, place) in cases {
        let (module, said) = try_read(&[&text]);
        assert!(module.is_none(), "{text}");
        assert_eq!(said.len(), 1, "{text}: {said:?}");
        assert_eq!((said[0].0, said[0].2.as_str()), (code, place), "{text}: {said:?}");
    }
    let (module, said) = try_read(&["a = \n", "b {\n", "c = 1\n"]);
    assert!(module.is_none());
    assert_eq!(said.len(), 2);
}

#[test]
fn line_ends_and_byte_order_marks_make_no_difference() {
    let unix = "resource \"aws_dynamodb_table\" \"t\" {\n  name = \"ü\" # c\n  tags = merge(a, {\n    b = 1\n  })\n}\n";
    let windows = format!("\u{feff}{}", unix.replace('\n', "\r\n"));
    let (expected, _) = try_read(&[unix]);
    let (found, said) = try_read(&[&windows]);
    assert_eq!(found, expected);
    assert_eq!(said[0].2, "merge(a, {\r\n    b = 1\r\n  })");
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let (module, said) = try_read(&[&format!("a = {}{}\n", "[".repeat(50_000), "]".repeat(50_000))]);
    assert!(module.is_none());
    assert_eq!(said[0].0, "bad-terraform");
    let (module, said) = try_read(&["", "\n# only a comment"]);
    assert_eq!((module, said), (Some(Module::default()), Vec::new()));
}

#[test]
fn replicas_are_known_by_their_region() {
    let table = table(
        "replica {\n region_name = \"us-west-2\"\n kms_key_arn = \"k\"\n propagate_tags = true\n arn = \"a\"\n consistency_mode = \"STRONG\"\n}\n\
         replica {\n region_name = \"us-east-2\"\n point_in_time_recovery = true\n deletion_protection_enabled = false\n consistency_mode = \"STRONG\"\n}\n\
         global_table_witness {\n region_name = \"us-east-1\"\n}",
    );
    let on = |enabled| PointInTimeRecovery { enabled: Value::Literal(enabled), days: None };
    let west = Replica {
        kms_key: Some(Text::literal("k")),
        propagate_tags: true,
        extra: [("arn".to_owned(), "\"a\"".to_owned())].into(),
        ..Replica::default()
    };
    let east = Replica {
        point_in_time_recovery: Some(on(true)),
        deletion_protection: Some(Value::Literal(false)),
        ..Replica::default()
    };
    assert_eq!(table.replicas, [("us-east-2".to_owned(), east), ("us-west-2".to_owned(), west)].into());
    assert_eq!((table.replica_consistency, table.witness.as_deref()), (ReplicaConsistency::Strong, Some("us-east-1")));
    assert_eq!((table.regions(), table.extra), (3, BTreeMap::new()));
}

#[test]
fn a_module_is_read_by_its_inputs() {
    let text = r#"
locals {
  keys = [{ name = "id", type = "S" }, { name = "at", type = "N" }]
}
module "orders" {
  source  = "terraform-aws-modules/dynamodb-table/aws"
  version = "~> 5.0"

  name       = "${var.env}-orders"
  hash_key   = "id"
  range_key  = "at"
  attributes = local.keys
  global_secondary_indexes = [{ name = "g", hash_key = "at", projection_type = "INCLUDE", non_key_attributes = ["x"],
    on_demand_throughput = { max_read_request_units = 7 } }]
  local_secondary_indexes = [{ name = "l", range_key = "at", projection_type = "KEYS_ONLY" }]
  ttl_enabled        = true
  ttl_attribute_name = "gone"
  stream_enabled     = true
  stream_view_type   = "NEW_IMAGE"
  point_in_time_recovery_enabled     = true
  server_side_encryption_enabled     = true
  server_side_encryption_kms_key_arn = var.key
  deletion_protection_enabled        = true
  on_demand_throughput = { max_write_request_units = 9 }
  replica_regions      = ["eu-west-1"]
  tags                 = { team = "a" }
}
module "off" {
  source       = "terraform-aws-modules/dynamodb-table/aws"
  create_table = false
}
module "vpc" {
  source = "terraform-aws-modules/vpc/aws"
}
resource "aws_dynamodb_contributor_insights" "x" {
  table_name = module.orders.dynamodb_table_id
}
moved {
  from = aws_dynamodb_table.orders
  to   = module.orders.aws_dynamodb_table.this[0]
}
moved {
  from = module.vpc
  to   = module.network
}
"#;
    let (module, _) = try_read(&[text]);
    let schema = module.unwrap().schema;
    assert_eq!(schema.tables.keys().collect::<Vec<_>>(), ["module.orders"]);
    assert_eq!(schema.moved, BTreeMap::from([("orders".to_owned(), "module.orders".to_owned())]));
    let table = &schema.tables["module.orders"];
    assert_eq!(table.name.as_ref().unwrap().to_string(), "${env}-orders");
    assert_eq!((table.partition_key.as_str(), table.sort_key.as_deref()), ("id", Some("at")));
    assert_eq!(table.attributes, BTreeMap::from([("at".to_owned(), KeyType::N), ("id".to_owned(), KeyType::S)]));
    let global = &table.global_indexes["g"];
    assert_eq!(global.projection, Projection::Include(["x".to_owned()].into()));
    assert_eq!(global.on_demand_maximum.as_ref().unwrap().read, Some(Value::Literal(7)));
    assert_eq!(table.local_indexes["l"].projection, Projection::KeysOnly);
    assert_eq!(table.ttl, Some(Ttl { attribute: "gone".to_owned(), enabled: true }));
    assert_eq!((table.stream, table.billing), (Some(Stream::NewImage), Some(Billing::OnDemand)));
    assert!(matches!(&table.encryption, Some(Encryption::KmsKey(key)) if key.to_string() == "${key}"));
    assert_eq!(table.on_demand_maximum.as_ref().unwrap().write, Some(Value::Literal(9)));
    let tags: Vec<String> = table.tags.iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(tags, ["Name=${env}-orders", "team=a"]);
    assert!(table.contributor_insights.is_some(), "what stands beside it is a part of it");
    assert!(!table.prevent_destroy);
    assert_eq!(table.extra.keys().collect::<Vec<_>>(), ["replica_regions", "version"]);
}

#[test]
fn a_conflict_of_a_merge_is_told_at_its_start() {
    let (module, said) = try_read(&["locals {\n<<<<<<< HEAD\n  a = 1\n=======\n  a = 2\n>>>>>>> theirs\n}\n"]);
    assert!(module.is_none());
    let told: Vec<_> = said.iter().map(|(code, message, place)| (*code, message.as_str(), place.as_str())).collect();
    assert_eq!(told, [("bad-terraform", "the markers of a merge conflict stand here", "<<<<<<< HEAD")]);
}
