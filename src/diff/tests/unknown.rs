//! What an expression stands for is not judged: it may well be what the other side writes out.

use super::native::{module, template, terraform};
use super::{all, read};
use crate::read::terraform::read as read_module;
use crate::schema::{Backend, Schema};

const TERRAFORM_5: Backend = Backend::TerraformAws5;

#[test]
fn keys_and_indexes_named_by_expressions_may_be_the_same() {
    let of = |key: &str, name: &str, attribute: &str, kind: &str| {
        terraform(&format!(
            "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  hash_key = {key}\n  attribute {{\n    name = \"id\"\n    \
             type = {kind}\n  }}\n  attribute {{\n    name = \"a\"\n    type = \"S\"\n  }}\n  global_secondary_index {{\n    name = {name}\n    \
             hash_key = {attribute}\n    projection_type = \"ALL\"\n  }}\n}}\n"
        ))
    };
    let known = of("\"id\"", "\"by_a\"", "\"a\"", "\"S\"");
    for (computed, property) in [
        (of("lower(\"ID\")", "\"by_a\"", "\"a\"", "\"S\""), "dynamodb.orders partition_key"),
        (of("\"id\"", "\"by_a\"", "lower(\"A\")", "\"S\""), "dynamodb.orders.gsi.by_a partition_key"),
        (of("\"id\"", "\"by_a\"", "\"a\"", "upper(\"s\")"), "dynamodb.orders attributes.id"),
    ] {
        assert!(all(&known, &computed, TERRAFORM_5).contains(&format!("{property} ? Unknown/Unknown/[]")));
        for pair in [[&known, &computed], [&computed, &known]] {
            let told = all(pair[0], pair[1], TERRAFORM_5);
            assert!(told.iter().all(|told| told.ends_with(" ? Unknown/Unknown/[]")), "{told:?}");
        }
    }
    // As another index, or as the same one under another name.
    for attribute in ["\"a\"", "\"id\""] {
        let computed = of("\"id\"", "lower(\"BY_A\")", attribute, "\"S\"");
        for pair in [[&known, &computed], [&computed, &known]] {
            let told = all(pair[0], pair[1], TERRAFORM_5);
            let of_index = |told: &&String| told.starts_with("dynamodb.orders.gsi");
            assert!(told.iter().filter(of_index).all(|told| told.ends_with(" ? Unknown/Unknown/[]")), "{told:?}");
        }
    }
    assert_eq!(all(&known, &known, TERRAFORM_5), [""; 0]);
}

#[test]
fn what_an_expression_stands_for_is_not_gone() {
    let blocks = [
        ("ttl", "attribute_name = \"a\"\n    enabled = true"),
        ("point_in_time_recovery", "enabled = true"),
        ("server_side_encryption", "enabled = true"),
        ("on_demand_throughput", "max_read_request_units = 5"),
        ("replica", "region_name = \"eu-west-1\""),
        ("global_secondary_index", "name = \"by_id\"\n    hash_key = \"id\"\n    projection_type = \"ALL\""),
    ];
    for (name, body) in blocks {
        let plain = module(&format!("  {name} {{\n    {body}\n  }}\n"), "");
        let dynamic = format!("  dynamic \"{name}\" {{\n    for_each = var.all\n    content {{\n    {body}\n    }}\n  }}\n");
        let dynamic = module(&dynamic, "");
        for pair in [[&plain, &dynamic], [&dynamic, &plain]] {
            let told = all(pair[0], pair[1], TERRAFORM_5);
            assert!(!told.is_empty() && told.iter().all(|told| told.ends_with(" ? Unknown/Unknown/[]")), "{told:?}");
        }
    }
    let of = |section: &str, value: &str| {
        template(&format!(
            "Conditions: {{ Live: !Equals [!Ref AWS::Region, eu-west-1] }}\nResources:\n  Orders:\n    Type: AWS::DynamoDB::Table\n    \
             Properties:\n      AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      \
             KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n      {section}: {value}\n"
        ))
    };
    for (section, value) in [
        ("StreamSpecification", "{ StreamViewType: KEYS_ONLY }"),
        ("TimeToLiveSpecification", "{ AttributeName: a, Enabled: true }"),
        ("KinesisStreamSpecification", "{ StreamArn: arn }"),
        ("OnDemandThroughput", "{ MaxReadRequestUnits: 5 }"),
        (
            "GlobalSecondaryIndexes",
            "[{ IndexName: by_id, KeySchema: [{ AttributeName: id, KeyType: HASH }], Projection: { ProjectionType: ALL } }]",
        ),
    ] {
        let plain = of(section, value);
        let chosen = of(section, &format!("!If [Live, {value}, !Ref AWS::NoValue]"));
        for pair in [[&plain, &chosen], [&chosen, &plain]] {
            let told = all(pair[0], pair[1], Backend::CloudformationTable);
            assert!(!told.is_empty() && told.iter().all(|told| told.ends_with(" ? Unknown/Unknown/[]")), "{told:?}");
        }
    }
}

#[test]
fn what_stands_beside_an_expression_that_stays_is_compared() {
    let of = |block: &str| module(block, "");
    for (previous, next, told) in [
        (
            "  point_in_time_recovery {\n    enabled = true\n    recovery_period_in_days = max(var.all...)\n  }\n",
            "  point_in_time_recovery {\n    enabled = false\n    recovery_period_in_days = max(var.all...)\n  }\n",
            "dynamodb.orders point_in_time_recovery pitr-disable InPlace/Applies/[History]",
        ),
        (
            "  read_capacity = max(var.all...)\n  write_capacity = 1\n",
            "  read_capacity = max(var.all...)\n  write_capacity = 0\n",
            "dynamodb.orders throughput capacity-decrease InPlace/Applies/[]",
        ),
    ] {
        assert_eq!(all(&of(previous), &of(next), TERRAFORM_5), [told]);
    }
    // What is beside an expression that comes, too.
    let next = "  point_in_time_recovery {\n    enabled = false\n    recovery_period_in_days = max(var.all...)\n  }\n";
    let told = all(
        &of("  point_in_time_recovery {\n    enabled = true\n    recovery_period_in_days = 7\n  }\n"),
        &of(next),
        TERRAFORM_5,
    );
    assert!(
        told.contains(&"dynamodb.orders point_in_time_recovery pitr-disable InPlace/Applies/[History]".to_owned()),
        "{told:?}"
    );
}

#[test]
fn what_the_table_module_is_given_by_expressions_may_fit_together() {
    let of = |attributes: &str, more: &str| {
        terraform(&format!(
            "module \"t\" {{\n  source = \"terraform-aws-modules/dynamodb-table/aws\"\n  name = \"orders\"\n  hash_key = \"id\"\n  \
             attributes = {attributes}\n{more}}}\n"
        ))
    };
    let id = "{ name = \"id\", type = \"S\" }";
    let (one, two) = (format!("[{id}]"), format!("[{id}, {{ name = \"a\", type = \"S\" }}]"));
    let index = "{ name = \"by_a\", hash_key = \"a\", projection_type = \"ALL\" }";
    let concat = format!("concat([{id}], var.more)");
    for new in [
        of(&two, "  global_secondary_indexes = var.indexes\n"),
        of(&two, "  local_secondary_indexes = [for x in [\"a\"] : { name = x, range_key = x, projection_type = \"ALL\" }]\n"),
        of("[for x in [\"id\"] : { name = x, type = \"S\" }]", ""),
        of(&concat, &format!("  global_secondary_indexes = [{index}]\n")),
    ] {
        assert_eq!(all(&terraform(""), &new, TERRAFORM_5), ["dynamodb.\"module.t\" - table-add InPlace/Applies/[]"]);
    }
    let by = |maps: &str| of(&two, &format!("  global_secondary_indexes = {{ {maps} }}\n"));
    for (previous, next) in [
        (of(&one, "  global_secondary_indexes = {}\n"), by("by_a = { hash_key = \"a\", projection_type = \"ALL\" }")),
        (of(&one, ""), of(&two, "  global_secondary_indexes = var.indexes\n")),
        (of(&concat, ""), of(&one, "")),
    ] {
        let told = all(&previous, &next, TERRAFORM_5);
        assert!(!told.is_empty() && told.iter().all(|told| told.ends_with(" ? Unknown/Unknown/[]")), "{told:?}");
    }
}

#[test]
fn a_partition_key_that_is_no_longer_written_stays() {
    let of = |key: &str| {
        terraform(&format!(
            "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  billing_mode = \"PAY_PER_REQUEST\"\n{key}  \
             attribute {{\n    name = \"id\"\n    type = \"S\"\n  }}\n}}\n"
        ))
    };
    let written = of("  hash_key = \"id\"\n");
    for unwritten in [of(""), of("  hash_key = null\n")] {
        for backend in [TERRAFORM_5, Backend::TerraformAws6] {
            let told = all(&written, &unwritten, backend);
            assert_eq!(told, ["dynamodb.orders partition_key hash-key-change Nothing/Nothing/[]"]);
            // What it was before, nothing says.
            assert_eq!(all(&unwritten, &written, backend), ["dynamodb.orders partition_key ? Unknown/Unknown/[]"]);
        }
    }
}

/// A table of Amazon Keyspaces.
fn keyspaces(name: &str, column: &str, settings: &str) -> Schema {
    let text = format!(
        "resource \"aws_keyspaces_table\" \"t\" {{\n  keyspace_name = \"k\"\n  table_name = {name}\n  schema_definition {{\n    column {{\n      \
         name = \"a\"\n      type = \"text\"\n    }}\n    column {{\n      {column}\n    }}\n    partition_key {{\n      name = \"a\"\n    \
         }}\n  }}\n{settings}}}\n"
    );
    read("main.tf", &text, |sources, files, sink| read_module(sources, files, sink).map(|module| module.keyspaces))
}

#[test]
fn nor_is_it_in_keyspaces() {
    let column = "name = \"b\"\n      type = \"int\"";
    let recovery = "  point_in_time_recovery {\n    status = \"ENABLED\"\n  }\n";
    let known = keyspaces("\"t\"", column, recovery);
    let of = |settings: &str| keyspaces("\"t\"", column, settings);
    for computed in [
        keyspaces("lower(\"T\")", column, recovery),
        keyspaces("\"t\"", "name = lower(\"B\")\n      type = \"int\"", recovery),
        keyspaces("\"t\"", "name = \"b\"\n      type = lower(\"INT\")", recovery),
        of("  point_in_time_recovery {\n    status = upper(\"enabled\")\n  }\n"),
        of(
            "  dynamic \"point_in_time_recovery\" {\n    for_each = var.all\n    content {\n      status = \"ENABLED\"\n    }\n  }\n",
        ),
    ] {
        for pair in [[&known, &computed], [&computed, &known]] {
            let told = all(pair[0], pair[1], Backend::KeyspacesTerraform);
            assert!(!told.is_empty() && told.iter().all(|told| told.ends_with(" ? Unknown/Unknown/[]")), "{told:?}");
        }
    }
    assert_eq!(all(&known, &known, Backend::KeyspacesTerraform), [""; 0]);
}

#[test]
fn the_provider_refuses_words_that_are_not_its_own() {
    let column = |kind: &str| format!("name = \"b\"\n      type = \"{kind}\"");
    let status = |block: &str, argument: &str, word: &str| format!("  {block} {{\n    {argument} = \"{word}\"\n  }}\n");
    let plain = keyspaces("\"t\"", &column("int"), "");
    let none = read("main.tf", "", |sources, files, sink| read_module(sources, files, sink).map(|module| module.keyspaces));
    for (kind, settings, path) in [
        ("INT", String::new(), "column.b.type"),
        ("int", status("ttl", "status", "DISABLED"), "ttl.status"),
        ("int", status("client_side_timestamps", "status", "DISABLED"), "client_side_timestamps.status"),
        ("int", status("point_in_time_recovery", "status", "ON"), "point_in_time_recovery.status"),
        ("int", status("capacity_specification", "throughput_mode", "ON_DEMAND"), "capacity_specification.throughput_mode"),
    ] {
        let written = keyspaces("\"t\"", &column(kind), &settings);
        let told = all(&plain, &written, Backend::KeyspacesTerraform);
        let refused = format!("cql.t refused.\"{path}\" def-resource-value Unsupported/Refuses/[]");
        assert!(told.contains(&refused), "{path}: {told:?}");
        let back = all(&written, &plain, Backend::KeyspacesTerraform);
        assert!(back.iter().any(|told| told.ends_with("def-resource-value Nothing/Nothing/[]")), "{path}: {back:?}");
        let made = all(&none, &written, Backend::KeyspacesTerraform);
        assert!(made.iter().any(|told| told.contains("def-resource-value Unsupported/Refuses")), "{path}: {made:?}");
    }
}
