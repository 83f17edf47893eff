//! What Terraform is told to overlook.

use super::native::{module, terraform};
use super::{all, read};
use crate::read::terraform::read as read_module;
use crate::schema::{Backend, Schema};

const TERRAFORM: Backend = Backend::TerraformAws5;

#[test]
fn an_argument_in_ignore_changes_stays_as_it_is() {
    let table = |tag: &str, ignored: &str| {
        let lifecycle = format!("  lifecycle {{\n    ignore_changes = {ignored}\n  }}\n");
        let replica = format!("  replica {{\n    region_name = \"eu-west-1\"\n    propagate_tags = {}\n  }}\n", tag == "a");
        module(&format!("  tags = {{ team = \"{tag}\", b = \"{tag}\" }}\n{replica}{lifecycle}"), "")
    };
    let told = |ignored: &str| all(&table("a", ignored), &table("b", ignored), TERRAFORM);
    let paths = ["replicas.eu-west-1", "tags.b", "tags.team"];
    let same = |effects: [&str; 3]| -> Vec<String> {
        paths.iter().zip(effects).map(|(path, effect)| format!("dynamodb.orders {path} {effect}")).collect()
    };
    let (replica, tags) = ("replica-settings InPlace/Applies/[]", "tags InPlace/Applies/[]");
    let ignored = "ignore-changes InPlace/Ignores/[]";
    assert_eq!(told("[]"), same([replica, tags, tags]));
    assert_eq!(told("[replica]"), same([ignored, tags, tags]));
    assert_eq!(told("[replica, tags]"), same([ignored; 3]));
    assert_eq!(told("all"), same([ignored; 3]));
    assert_eq!(told("[tags[\"team\"]]"), same([replica, tags, ignored]));
    assert_eq!(told("[tags.team, replica]"), same([ignored, tags, ignored]));
}

#[test]
fn what_stands_apart_is_not_overlooked_with_the_blocks() {
    let ignored = "  lifecycle {\n    ignore_changes = [replica, global_secondary_index]\n  }\n";
    let replica = |on: &str| {
        let provider = "provider \"aws\" {\n  alias = \"b\"\n  region = \"eu-west-1\"\n}\n";
        let resource = "resource \"aws_dynamodb_table_replica\" \"r\" {\n  provider = aws.b\n  global_table_arn = aws_dynamodb_table.orders.arn";
        module(ignored, &format!("{provider}{resource}\n  point_in_time_recovery = {on}\n}}\n"))
    };
    let told = all(&replica("false"), &replica("true"), TERRAFORM);
    assert_eq!(told.len(), 1);
    assert!(!told[0].contains("ignore-changes"), "{told:?}");
}

#[test]
fn of_capacity_what_is_overlooked_is_judged_by_itself() {
    let table = |read: u8, write: u8, ignored: &str| {
        let lifecycle = format!("  lifecycle {{\n    ignore_changes = [{ignored}]\n  }}\n");
        terraform(&format!(
            "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  hash_key = \"id\"\n  read_capacity = {read}\n  \
             write_capacity = {write}\n  attribute {{\n    name = \"id\"\n    type = \"S\"\n  }}\n{lifecycle}}}\n"
        ))
    };
    let ignored = "dynamodb.orders throughput ignore-changes InPlace/Ignores/[]";
    assert!(all(&table(1, 1, ""), &table(2, 1, "read_capacity"), TERRAFORM).contains(&ignored.to_owned()));
    let told = all(&table(1, 1, ""), &table(2, 2, "read_capacity"), TERRAFORM);
    assert!(told.contains(&"dynamodb.orders throughput ? Unknown/Unknown/[]".to_owned()), "{told:?}");
}

/// A keyspace and a table of Amazon Keyspaces, with what one side says and what is overlooked.
fn keyspaces(side: &str, ignored: &str) -> Schema {
    let is_first = side == "a";
    let (kind, seconds, units) = if is_first { ("int", 1, 1) } else { ("text", 2, 2) };
    let lifecycle = format!("  lifecycle {{\n    ignore_changes = {ignored}\n  }}\n");
    let text = format!(
        "resource \"aws_keyspaces_keyspace\" \"k\" {{\n  name = \"k\"\n  tags = {{ team = \"{side}\" }}\n{lifecycle}}}\n\
         resource \"aws_keyspaces_table\" \"t\" {{\n  keyspace_name = aws_keyspaces_keyspace.k.name\n  table_name = \"t\"\n  \
         default_time_to_live = {seconds}\n  tags = {{ team = \"{side}\", b = \"{side}\" }}\n  schema_definition {{\n    column {{\n      \
         name = \"p\"\n      type = \"int\"\n    }}\n    column {{\n      name = \"v\"\n      type = \"{kind}\"\n    }}\n    partition_key {{\n      \
         name = \"p\"\n    }}\n  }}\n  capacity_specification {{\n    throughput_mode = \"PROVISIONED\"\n    read_capacity_units = {units}\n    \
         write_capacity_units = {units}\n  }}\n  encryption_specification {{\n    type = \"AWS_OWNED_KMS_KEY\"\n  }}\n  \
         point_in_time_recovery {{\n    status = \"{}\"\n  }}\n{lifecycle}}}\n",
        if is_first { "ENABLED" } else { "DISABLED" },
    );
    read("main.tf", &text, |sources, files, sink| read_module(sources, files, sink).map(|module| module.keyspaces))
}

#[test]
fn resources_of_keyspaces_overlook_what_they_are_told_to() {
    let told = |ignored: &str| all(&keyspaces("a", ignored), &keyspaces("b", ignored), Backend::KeyspacesTerraform);
    let not = [
        "cql.keyspace(k) extra.tags opt-tags InPlace/Applies/[]",
        "cql.t columns.v type-narrow Recreation/Refuses/[]",
        "cql.t custom_properties.capacity_mode opt-capacity InPlace/Applies/[]",
        "cql.t custom_properties.point_in_time_recovery opt-pitr InPlace/Applies/[History]",
        "cql.t options.default_time_to_live opt-ttl-set InPlace/Applies/[ExpiringItems]",
        "cql.t options.tags opt-tags InPlace/Applies/[]",
    ];
    let mut expected = not.map(str::to_owned);
    let mut found = told("[]");
    found.sort();
    assert_eq!(found, expected);
    let ignored = |line: &str, needs: &str| {
        let mut words: Vec<&str> = line.split(' ').take(2).collect();
        words.push("ignore-changes");
        format!("{} {needs}/Ignores/[]", words.join(" "))
    };
    let needs = ["InPlace", "Recreation", "InPlace", "InPlace", "InPlace", "InPlace"];
    for (at, needs) in needs.into_iter().enumerate() {
        expected[at] = ignored(not[at], needs);
    }
    let unknown = |at: usize| {
        let place: Vec<&str> = not[at].split(' ').take(2).collect();
        format!("{} ? Unknown/Unknown/[]", place.join(" "))
    };
    let but = |overlooked: &[usize], parts: &[usize]| -> Vec<String> {
        (0..not.len())
            .map(|at| match at {
                at if overlooked.contains(&at) => expected[at].clone(),
                at if parts.contains(&at) => unknown(at),
                at => not[at].to_owned(),
            })
            .collect()
    };
    for (list, overlooked, parts) in [
        ("all", &[0, 1, 2, 3, 4, 5][..], &[][..]),
        ("[tags]", &[0, 5], &[]),
        // Of the keyspace's own tags, and of those of the table, one.
        ("[tags[\"team\"]]", &[], &[0, 5]),
        ("[tags[\"team\"], tags.b, default_time_to_live]", &[4, 5], &[0]),
        ("[schema_definition]", &[1], &[]),
        ("[schema_definition[0].column, point_in_time_recovery]", &[1, 3], &[]),
        ("[schema_definition[0].partition_key, capacity_specification]", &[2], &[]),
        ("[capacity_specification[0].read_capacity_units]", &[], &[2]),
        ("[capacity_specification[0].read_capacity_units, capacity_specification[0].write_capacity_units]", &[2], &[]),
        ("[\"comment\"]", &[], &[]),
    ] {
        let mut found = told(list);
        found.sort();
        assert_eq!(found, but(overlooked, parts), "{list}");
    }
}

#[test]
fn an_index_that_is_overlooked_needs_what_it_would_need() {
    let index = |arguments: &str| {
        let lifecycle = "  lifecycle {\n    ignore_changes = [global_secondary_index]\n  }\n";
        let attributes =
            ["a", "b"].map(|name| format!("  attribute {{\n    name = \"{name}\"\n    type = \"S\"\n  }}\n")).concat();
        let block = |arguments: &str| format!("  global_secondary_index {{\n    name = \"by_a\"\n    {arguments}\n  }}\n");
        let block = if arguments.is_empty() { String::new() } else { block(arguments) };
        module(&format!("{attributes}{block}{lifecycle}"), "")
    };
    let before = index("hash_key = \"a\"\n    projection_type = \"ALL\"\n    read_capacity = 5\n    write_capacity = 5");
    let told = |arguments: &str| {
        let told = all(&before, &index(arguments), TERRAFORM);
        let ignored = |line: &String| line.split_once(" gsi-ignore-changes ").map(|(_, words)| words.to_owned());
        told.iter().map(|line| ignored(line).unwrap_or_else(|| panic!("{line}"))).collect::<Vec<_>>()
    };
    let units = "read_capacity = 5\n    write_capacity = 5";
    assert_eq!(told(&format!("hash_key = \"a\"\n    projection_type = \"KEYS_ONLY\"\n    {units}")), ["IndexRebuild/Ignores/[]"]);
    assert_eq!(told(&format!("hash_key = \"b\"\n    projection_type = \"ALL\"\n    {units}")), ["IndexRebuild/Ignores/[]"]);
    assert_eq!(told(""), ["InPlace/Ignores/[]"]);
    // Its attribute comes with it, and the index that stays does not use that.
    let with = |lifecycle: &str, block: &str| module(&format!("{block}{lifecycle}"), "");
    let block = "  attribute {\n    name = \"a\"\n    type = \"S\"\n  }\n  global_secondary_index {\n    name = \"by_a\"\n    \
                 hash_key = \"a\"\n    projection_type = \"ALL\"\n  }\n";
    let added = |ignored: &str| {
        let lifecycle = format!("  lifecycle {{\n    ignore_changes = [{ignored}]\n  }}\n");
        all(&with(&lifecycle, ""), &with(&lifecycle, block), TERRAFORM)
    };
    assert_eq!(added("global_secondary_index"), ["dynamodb.orders.gsi.by_a - gsi-ignore-changes IndexBuild/Refuses/[]"]);
    assert_eq!(
        added("global_secondary_index, attribute"),
        ["dynamodb.orders.gsi.by_a - gsi-ignore-changes IndexBuild/Ignores/[]"]
    );
}

#[test]
fn items_go_on_expiring_by_what_is_overlooked() {
    let ttl = |block: &str| module(&format!("{block}  lifecycle {{\n    ignore_changes = [ttl]\n  }}\n"), "");
    let on = "  ttl {\n    attribute_name = \"e\"\n    enabled = true\n  }\n";
    let off = "  ttl {\n    attribute_name = \"e\"\n    enabled = false\n  }\n";
    for next in ["", off] {
        let told = all(&ttl(on), &ttl(next), TERRAFORM);
        assert_eq!(told, ["dynamodb.orders ttl ignore-changes InPlace/Ignores/[ExpiringItems]"]);
    }
    assert_eq!(all(&ttl(""), &ttl(on), TERRAFORM), ["dynamodb.orders ttl ignore-changes InPlace/Ignores/[]"]);
}

#[test]
fn keys_need_the_definitions_that_are_overlooked() {
    let of = |attributes: &[&str], indexes: &[&str]| {
        let attribute = |name: &&str| format!("  attribute {{\n    name = \"{name}\"\n    type = \"S\"\n  }}\n");
        let index = |name: &&str| {
            format!(
                "  global_secondary_index {{\n    name = \"by_{name}\"\n    hash_key = \"{name}\"\n    projection_type = \"ALL\"\n  }}\n"
            )
        };
        let body = [attributes.iter().map(attribute).collect::<Vec<_>>(), indexes.iter().map(index).collect()].concat().concat();
        terraform(&format!(
            "resource \"aws_dynamodb_table\" \"t\" {{\n  name = \"orders\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  hash_key = \"id\"\n\
             {body}  lifecycle {{\n    ignore_changes = [attribute]\n  }}\n}}\n"
        ))
    };
    let (without, with) = (of(&["id"], &[]), of(&["id", "a"], &["a"]));
    let ends = |previous: &Schema, next: &Schema| {
        let told = all(previous, next, Backend::TerraformAws5);
        told.into_iter().find(|told| told.contains("gsi")).unwrap_or_default()
    };
    assert!(ends(&without, &with).ends_with("attribute-missing IndexBuild/Refuses/[]"), "{}", ends(&without, &with));
    assert!(ends(&with, &without).ends_with("attribute-unused InPlace/Refuses/[]"), "{}", ends(&with, &without));
    let other = of(&["id", "a"], &["a", "id"]);
    assert!(ends(&with, &other).ends_with("gsi-add IndexBuild/Applies/[]"), "{}", ends(&with, &other));
}
