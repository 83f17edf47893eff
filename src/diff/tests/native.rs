//! What people write by hand: parts of a table that stand apart from it, replicas that name every Region, counts, providers.

use super::{all, changes, read, words};
use crate::read::{cloudformation, terraform};
use crate::schema::{Backend, Schema};

const TERRAFORM_5: Backend = Backend::TerraformAws5;
const TERRAFORM_6: Backend = Backend::TerraformAws6;
const GLOBAL: Backend = Backend::CloudformationGlobalTable;

pub(super) fn terraform(text: &str) -> Schema {
    read("main.tf", text, |sources, files, sink| terraform::read(sources, files, sink).map(|module| module.schema))
}

pub(super) fn template(text: &str) -> Schema {
    read("template.yaml", text, cloudformation::read)
}

/// A table with an index, what is added to it, and what stands beside it.
pub(super) fn module(body: &str, beside: &str) -> Schema {
    terraform(&format!(
        "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  hash_key = \"id\"\n  \
         attribute {{\n    name = \"id\"\n    type = \"S\"\n  }}\n{body}}}\n{beside}"
    ))
}

fn index(projection: &str) -> String {
    format!(
        "  attribute {{\n    name = \"a\"\n    type = \"S\"\n  }}\n  global_secondary_index {{\n    name = \"by_a\"\n    \
         hash_key = \"a\"\n    {projection}\n  }}\n"
    )
}

/// A global table whose template names its one Region.
fn global(replica: &str, table: &str) -> Schema {
    template(&format!(
        "Resources:\n  Orders:\n    Type: AWS::DynamoDB::GlobalTable\n    Properties:\n      TableName: orders\n      \
         AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n      \
         {table}\n      Replicas: [{{ Region: eu-west-1, {replica} }}]\n"
    ))
}

#[test]
fn a_replica_that_is_a_resource_of_its_own_belongs_to_its_table() {
    let provider = "provider \"aws\" {\n  alias = \"b\"\n  region = \"eu-west-1\"\n}\n";
    let apart = "  stream_enabled = true\n  stream_view_type = \"NEW_AND_OLD_IMAGES\"\n  lifecycle {\n    ignore_changes = [replica]\n  }\n";
    let replica = |arguments: &str| {
        let table = "provider = aws.b\n  global_table_arn = aws_dynamodb_table.orders.arn";
        module(apart, &format!("{provider}resource \"aws_dynamodb_table_replica\" \"r\" {{\n  {table}\n  {arguments}\n}}\n"))
    };
    let none = module(apart, provider);
    let replica_of = |previous: &Schema, next: &Schema| all(previous, next, TERRAFORM_6);
    assert_eq!(replica_of(&replica(""), &none), ["dynamodb.orders replicas.eu-west-1 replica-remove InPlace/Applies/[Replica]"]);
    assert_eq!(replica_of(&none, &replica("")), ["dynamodb.orders replicas.eu-west-1 replica-add FollowUp/Applies/[]"]);
    let inline = module(&format!("  replica {{\n    region_name = \"eu-west-1\"\n  }}\n{apart}"), provider);
    assert_eq!(
        replica_of(&inline, &replica("")),
        ["dynamodb.orders replicas.eu-west-1 replica-inline-to-resource Unknown/Unknown/[]"]
    );
    assert_eq!(
        replica_of(&replica("point_in_time_recovery = true"), &replica("")),
        ["dynamodb.orders replicas.eu-west-1 replica-settings InPlace/Applies/[History]"]
    );
    assert_eq!(
        replica_of(&replica(""), &replica("table_class_override = \"STANDARD_INFREQUENT_ACCESS\"")),
        ["dynamodb.orders replicas.eu-west-1 replica-settings FollowUp/Applies/[Replica]"]
    );
    // Which Region it is, nothing says: what goes and what comes may be the same.
    let somewhere =
        module("", "resource \"aws_dynamodb_table_replica\" \"r\" {\n  global_table_arn = aws_dynamodb_table.orders.arn\n}\n");
    let inline = module("  replica {\n    region_name = \"eu-west-1\"\n  }\n", provider);
    let rules = replica_of(&inline, &somewhere);
    assert!(rules.iter().all(|told| told.ends_with("replica-inline-to-resource Nothing/Replaces/[Replica]")), "{rules:?}");
}

#[test]
fn an_index_that_is_a_resource_of_its_own_belongs_to_its_table() {
    let beside = "resource \"aws_dynamodb_global_secondary_index\" \"a\" {\n  table_name = aws_dynamodb_table.orders.name\n  \
                  index_name = \"by_a\"\n  projection {\n    projection_type = \"ALL\"\n  }\n  key_schema {\n    attribute_name = \"a\"\n    \
                  attribute_type = \"S\"\n    key_type = \"HASH\"\n  }\n}\n";
    let apart = module("", beside);
    let (none, inline) = (module("", ""), module(&index("projection_type = \"ALL\""), ""));
    assert_eq!(all(&apart, &none, TERRAFORM_6), ["dynamodb.orders.gsi.by_a - gsi-remove InPlace/Applies/[Index]"]);
    assert_eq!(
        all(&inline, &apart, TERRAFORM_6),
        ["dynamodb.orders.gsi.by_a extra.resource gsi-inline-to-resource IndexRebuild/Applies/[IndexOffline]"]
    );
    assert_eq!(all(&none, &apart, TERRAFORM_5), ["dynamodb.orders.gsi.by_a - gsi-inline-to-resource Unsupported/Refuses/[]"]);
    let keys_only = module("", &beside.replace("\"ALL\"", "\"KEYS_ONLY\""));
    let told = changes(&apart, &keys_only, &[TERRAFORM_5, TERRAFORM_6]).remove(0);
    assert_eq!(words(&told.effects[&TERRAFORM_5]), "Unsupported/Refuses/[]");
    assert_eq!(words(&told.effects[&TERRAFORM_6]), "IndexRebuild/Applies/[IndexOffline]");
    assert!(told.effects[&TERRAFORM_6].reason.starts_with("Planned as a replacement of the index"));
}

#[test]
fn a_legacy_global_table_is_not_turned_into_replicas_by_writing_them() {
    let legacy = module(
        "",
        "resource \"aws_dynamodb_global_table\" \"g\" {\n  name = \"orders\"\n  replica {\n    region_name = \"eu-west-1\"\n  }\n}\n",
    );
    let next = module("  replica {\n    region_name = \"eu-west-1\"\n  }\n", "");
    let told = all(&legacy, &next, TERRAFORM_5);
    assert!(told.iter().all(|told| told.ends_with("globaltable-v1-v2 Stages/Unknown/[]")), "{told:?}");
    assert!(!told.is_empty());
}

#[test]
fn as_many_as_are_counted() {
    let counted = |count: &str, more: &str| module(&format!("  count = {count}\n{more}"), "");
    let (none, one) = (module("", ""), counted("1", ""));
    assert_eq!(all(&none, &one, TERRAFORM_5), [""; 0], "Terraform takes the instance over");
    assert_eq!(all(&one, &counted("0", ""), TERRAFORM_5), ["dynamodb.orders extra.count table-drop InPlace/Applies/[Items]"]);
    let guard = "  lifecycle {\n    prevent_destroy = true\n  }\n";
    assert_eq!(
        all(&counted("1", guard), &counted("0", guard), TERRAFORM_5),
        ["dynamodb.orders extra.count table-drop InPlace/Refuses/[]"],
        "the guard still stands"
    );
    let moved = "moved {\n  from = aws_dynamodb_table.orders[0]\n  to = aws_dynamodb_table.sales[0]\n}\n";
    let text = "resource \"aws_dynamodb_table\" \"sales\" {\n  count = 1\n  name = \"orders\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  \
                hash_key = \"id\"\n  attribute {\n    name = \"id\"\n    type = \"S\"\n  }\n}\n";
    assert_eq!(
        all(&one, &terraform(&format!("{text}{moved}")), TERRAFORM_5),
        ["dynamodb.sales terraform_name address-rename Nothing/Applies/[]"]
    );
}

#[test]
fn a_projection_that_contradicts_itself_is_refused() {
    let all_of = |projection: &str| module(&index(projection), "");
    let whole = all_of("projection_type = \"ALL\"");
    for next in ["projection_type = \"INCLUDE\"", "projection_type = \"ALL\"\n    non_key_attributes = [\"x\"]"] {
        let told = all(&whole, &all_of(next), TERRAFORM_5);
        assert_eq!(told.len(), 1);
        assert!(told.iter().all(|told| told.ends_with("gsi-include-without-attrs Unsupported/Refuses/[]")), "{told:?}");
    }
    assert_eq!(all(&whole, &all_of("projection_type = \"ALL\"\n    non_key_attributes = []"), TERRAFORM_5), [""; 0]);
}

#[test]
fn the_kinesis_destination_of_a_table_is_made_anew_with_another_precision() {
    let beside = |arguments: &str| {
        module(
            "",
            &format!(
                "resource \"aws_dynamodb_kinesis_streaming_destination\" \"k\" {{\n  table_name = aws_dynamodb_table.orders.name\n  \
             stream_arn = \"arn:aws:kinesis:eu-west-1:1:stream/x\"\n  {arguments}\n}}\n"
            ),
        )
    };
    let told = all(&beside(""), &beside("approximate_creation_date_time_precision = \"MICROSECOND\""), TERRAFORM_5);
    assert_eq!(told.len(), 1);
    assert!(told.iter().all(|told| told.ends_with("kinesis-change FollowUp/Applies/[Stream]")), "{told:?}");
}

#[test]
fn the_settings_of_a_region_that_is_named_are_those_of_a_table() {
    let recovery = |on: bool| format!("PointInTimeRecoverySpecification: {{ PointInTimeRecoveryEnabled: {on} }}");
    let told = |previous: &str, next: &str| all(&global(previous, ""), &global(next, ""), GLOBAL).remove(0);
    let region = "dynamodb.Orders replicas.eu-west-1";
    let told_of = |rule: &str| format!("{region} {rule}");
    assert_eq!(told(&recovery(true), &recovery(false)), told_of("pitr-disable InPlace/Applies/[History]"));
    assert_eq!(told(&recovery(true), ""), told_of("pitr-block-removed InPlace/Unknown/[]"));
    let stream = |arn: &str| format!("KinesisStreamSpecification: {{ StreamArn: {arn} }}");
    assert_eq!(told("", &stream("a")), told_of("kinesis-add-remove InPlace/Applies/[]"));
    assert_eq!(told(&stream("a"), ""), told_of("kinesis-add-remove InPlace/Applies/[Stream]"));
    assert_eq!(told(&stream("a"), &stream("b")), told_of("kinesis-change InPlace/Applies/[Stream]"));
    let insights = |mode: &str| format!("ContributorInsightsSpecification: {{ Enabled: true, Mode: {mode} }}");
    assert_eq!(
        told(&insights("THROTTLED_KEYS"), &insights("ACCESSED_AND_THROTTLED_KEYS")),
        told_of("contributor-insights-mode InPlace/Applies/[]")
    );
    // Of several things the gravest.
    let both = (format!("{}, TableClass: STANDARD_INFREQUENT_ACCESS", recovery(true)), recovery(false));
    assert_eq!(told(&both.0, &both.1), told_of("pitr-disable InPlace/Applies/[History]"));
    let none = template("Resources:\n  Topic: { Type: AWS::SNS::Topic }\n");
    assert_eq!(
        all(&global("DeletionProtectionEnabled: true", ""), &none, GLOBAL),
        ["dynamodb.Orders - table-drop InPlace/Refuses/[]"]
    );
}

#[test]
fn scaling_of_an_index_goes_with_the_billing_mode() {
    let scaling = "{ WriteCapacityAutoScalingSettings: { MinCapacity: 1, MaxCapacity: 9, \
                   TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 } } }";
    let of = |billing: &str, scaling: &str| {
        template(&format!(
            "Resources:\n  Orders:\n    Type: AWS::DynamoDB::GlobalTable\n    Properties:\n      TableName: orders\n      BillingMode: {billing}\n      \
             AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n      \
             {scaling}\n      GlobalSecondaryIndexes:\n        - IndexName: by_id\n          KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n          \
             Projection: {{ ProjectionType: ALL }}\n          {scaling}\n      Replicas: [{{ Region: eu-west-1 }}]\n"
        ))
    };
    let settings = format!("WriteProvisionedThroughputSettings: {scaling}");
    let told = all(&of("PROVISIONED", &settings), &of("PAY_PER_REQUEST", ""), GLOBAL);
    assert!(told.iter().all(|told| told.ends_with("billing-to-ondemand InPlace/Applies/[]")), "{told:?}");
}

#[test]
fn a_logical_id_that_changes_under_a_generated_name_replaces_the_table() {
    let of = |id: &str, key: &str| {
        template(&format!(
            "Resources:\n  {id}:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      BillingMode: PAY_PER_REQUEST\n      \
             AttributeDefinitions: [{{ AttributeName: {key}, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: {key}, KeyType: HASH }}]\n"
        ))
    };
    let table = Backend::CloudformationTable;
    assert_eq!(
        all(&of("Orders", "id"), &of("Sales", "id"), table),
        ["dynamodb.Sales logical_id address-rename Nothing/Replaces/[Items]"]
    );
    assert_eq!(
        all(&of("Orders", "id"), &of("Sales", "other"), table),
        ["dynamodb.Orders - table-drop InPlace/Applies/[Items]", "dynamodb.Sales - table-add InPlace/Applies/[]"]
    );
}

#[test]
fn names_that_hold_expressions_differ_where_what_stands_beside_these_does() {
    let of = |name: &str| {
        template(&format!(
            "Parameters: {{ Stage: {{ Type: String, Default: dev }}, Other: {{ Type: String }} }}\nResources:\n  Orders:\n    \
             Type: AWS::DynamoDB::Table\n    Properties:\n      TableName: !Sub \"{name}\"\n      BillingMode: PAY_PER_REQUEST\n      \
             AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n"
        ))
    };
    let told = |previous: &str, next: &str| all(&of(previous), &of(next), Backend::CloudformationTable);
    let renamed = ["dynamodb.Orders name table-rename Recreation/Replaces/[Items]"];
    assert_eq!(told("orders-${Stage}", "sales-${Stage}"), renamed);
    assert_eq!(told("orders-${AWS::AccountId}", "sales-${AWS::AccountId}"), renamed);
    assert_eq!(told("orders-${Other}", "orders-${Other}-v2"), renamed);
    assert_eq!(told("orders-${Stage}", "orders-dev"), [""; 0]);
    assert_eq!(told("orders-${Other}", "orders-${AWS::Region}"), ["dynamodb.Orders name ? Unknown/Unknown/[]"]);
}

#[test]
fn a_parameter_counts_with_its_value_in_force() {
    let of = |recovery: &str| {
        template(&format!(
            "Parameters: {{ Recovery: {{ Type: String, Default: \"true\" }} }}\nResources:\n  Orders:\n    Type: AWS::DynamoDB::Table\n    \
             Properties:\n      AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      \
             KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n      {recovery}\n"
        ))
    };
    let recovery = of("PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: !Ref Recovery }");
    let table = Backend::CloudformationTable;
    assert_eq!(all(&of(""), &recovery, table), ["dynamodb.Orders point_in_time_recovery pitr-enable InPlace/Applies/[]"]);
    let off = of("PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false }");
    assert_eq!(all(&recovery, &off, table), ["dynamodb.Orders point_in_time_recovery pitr-disable InPlace/Applies/[History]"]);
}

#[test]
fn an_index_that_leaves_its_attribute_behind_is_refused() {
    let whole = module(&index("projection_type = \"ALL\""), "");
    let left = module("  attribute {\n    name = \"a\"\n    type = \"S\"\n  }\n", "");
    assert_eq!(all(&whole, &left, TERRAFORM_5), ["dynamodb.orders.gsi.by_a - attribute-unused Unsupported/Refuses/[]"]);
    assert_eq!(all(&whole, &module("", ""), TERRAFORM_5), ["dynamodb.orders.gsi.by_a - gsi-remove InPlace/Applies/[Index]"]);
}

#[test]
fn every_index_of_a_table_that_gets_provisioned_needs_its_capacity() {
    let of = |mode: &str, capacity: &str| {
        terraform(&format!(
            "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  {mode}\n  hash_key = \"a\"\n{}}}\n",
            index(&format!("projection_type = \"ALL\"\n    {capacity}"))
        ))
    };
    let on_demand = of("billing_mode = \"PAY_PER_REQUEST\"", "");
    let provisioned = "billing_mode = \"PROVISIONED\"\n  read_capacity = 5\n  write_capacity = 5";
    let told = |next: &Schema| all(&on_demand, next, TERRAFORM_5).remove(0);
    assert_eq!(told(&of(provisioned, "")), "dynamodb.orders billing gsi-capacity-missing Unsupported/Refuses/[]");
    assert_eq!(told(&of("", "")), "dynamodb.orders billing gsi-capacity-missing Unsupported/Refuses/[]");
    let with = "read_capacity = 5\n    write_capacity = 5";
    assert_eq!(told(&of(provisioned, with)), "dynamodb.orders billing billing-to-provisioned InPlace/Applies/[]");
}

#[test]
fn a_view_type_beside_a_stream_that_is_off_says_nothing() {
    let of = |enabled: bool, view: &str| module(&format!("  stream_enabled = {enabled}\n  stream_view_type = \"{view}\"\n"), "");
    let on = of(true, "KEYS_ONLY");
    for view in ["", "KEYS_ONLY"] {
        let told = all(&on, &of(false, view), TERRAFORM_5);
        assert!(told.iter().all(|told| told.ends_with("stream-disable InPlace/Applies/[Stream]")), "{told:?}");
        assert!(!told.is_empty());
    }
}

/// A table that the module of the registry, or of its repository, makes.
fn from_module(source: &str, rest: &str) -> Schema {
    terraform(&format!(
        "module \"orders\" {{\n  source = \"{source}\"\n  name = \"orders\"\n  hash_key = \"id\"\n  \
         attributes = [{{ name = \"id\", type = \"S\" }}]\n{rest}"
    ))
}

const REGISTRY: &str = "terraform-aws-modules/dynamodb-table/aws";

#[test]
fn a_module_that_starts_to_scale_makes_its_table_anew() {
    let (fixed, scaled) = (from_module(REGISTRY, "}\n"), from_module(REGISTRY, "  autoscaling_enabled = true\n}\n"));
    let told = |rest: &str| [format!("dynamodb.\"module.orders\" ignore_changes address-rename {rest}")];
    assert_eq!(all(&fixed, &scaled, TERRAFORM_5), told("Nothing/Replaces/[Items]"));
    let block =
        "moved {\n  from = module.orders.aws_dynamodb_table.this[0]\n  to = module.orders.aws_dynamodb_table.autoscaled[0]\n}\n";
    let moved = from_module(REGISTRY, &format!("  autoscaling_enabled = true\n}}\n{block}"));
    assert_eq!(all(&fixed, &moved, TERRAFORM_5), told("Nothing/Applies/[]"));
}

#[test]
fn the_module_is_known_by_its_repository_too() {
    let tables = |source: &str| match from_module(source, "}\n") {
        Schema::Dynamodb(schema) => schema.tables.len(),
        Schema::Cql(_) => 0,
    };
    for source in [
        "git::https://github.com/terraform-aws-modules/terraform-aws-dynamodb-table.git?ref=v4.0.0",
        "github.com/terraform-aws-modules/terraform-aws-dynamodb-table",
        "app.terraform.io/terraform-aws-modules/dynamodb-table/aws",
    ] {
        assert_eq!(tables(source), 1, "{source}");
    }
    assert_eq!(tables("./modules/other"), 0);
}

#[test]
fn what_a_module_imports_is_what_the_resource_imports() {
    let of = |import: &str| from_module(REGISTRY, &format!("{import}}}\n"));
    let import = |rest: &str| of(&format!("  import_table = {{ input_format = \"CSV\", {rest} }}\n"));
    let one = import("bucket = \"a\"");
    let source = "import-source-change Recreation/Replaces/[Items]";
    let path = "dynamodb.\"module.orders\" extra.\"import_table.s3_bucket_source";
    assert_eq!(all(&one, &import("bucket = \"b\""), TERRAFORM_5), [format!("{path}.bucket\" {source}")]);
    let prefix = all(&one, &import("bucket = \"a\", key_prefix = \"p\""), TERRAFORM_5);
    assert_eq!(prefix, [format!("{path}.key_prefix\" {source}")]);
    assert!(all(&of(""), &one, TERRAFORM_5).contains(&format!("{path}.bucket\" {source}")));
    let zipped = all(&one, &import("bucket = \"a\", input_compression_type = \"GZIP\""), TERRAFORM_5);
    assert!(zipped.iter().all(|told| told.ends_with("import-format-change Recreation/Loops/[]")), "{zipped:?}");
    for untold in [of(""), of("  import_table = {}\n"), of("  import_table = var.from\n")] {
        let told = all(&one, &untold, TERRAFORM_5);
        assert!(!told.is_empty() && told.iter().all(|told| told.ends_with(" ? Unknown/Unknown/[]")), "{told:?}");
    }
    assert_eq!(all(&of(""), &of("  import_table = {}\n"), TERRAFORM_5), [""; 0]);
}

#[test]
fn what_terraform_lets_go_of_is_neither_moved_nor_lost() {
    let removed = "removed {\n  from = aws_dynamodb_table.orders\n  lifecycle {\n    destroy = false\n  }\n}\n";
    let import = "import {\n  to = aws_dynamodb_table.sales\n  id = \"orders\"\n}\n";
    let sales = "resource \"aws_dynamodb_table\" \"sales\" {\n  name = \"orders\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  \
                 hash_key = \"id\"\n  attribute {\n    name = \"id\"\n    type = \"S\"\n  }\n}\n";
    let told = |blocks: &str| all(&module("", ""), &terraform(&format!("{sales}{blocks}")), TERRAFORM_5);
    assert_eq!(told(""), ["dynamodb.sales terraform_name address-rename Nothing/Replaces/[Items]"]);
    assert_eq!(told(removed), ["dynamodb.sales terraform_name table-add InPlace/Refuses/[]"]);
    assert_eq!(told(&format!("{removed}{import}")), ["dynamodb.sales terraform_name table-returns Nothing/Applies/[]"]);
    let elsewhere = "moved {\n  from = aws_dynamodb_table.orders\n  to = module.db[\"a\"].aws_dynamodb_table.orders\n}\n";
    assert_eq!(all(&module("", ""), &terraform(elsewhere), TERRAFORM_5), ["dynamodb.orders - address-rename Nothing/Applies/[]"]);
}

#[test]
fn a_second_region_of_a_global_table_needs_a_stream() {
    let of = |stream: &str, more: &str| global(&format!("TableClass: STANDARD {more}"), stream);
    let stream = "StreamSpecification: { StreamViewType: NEW_AND_OLD_IMAGES }";
    let second = "}, { Region: eu-central-1";
    assert_eq!(
        all(&of("", ""), &of("", second), GLOBAL),
        ["dynamodb.Orders replicas.eu-central-1 replica-add Stages/Refuses/[]"]
    );
    assert_eq!(
        all(&of(stream, ""), &of(stream, second), GLOBAL),
        ["dynamodb.Orders replicas.eu-central-1 replica-add FollowUp/Applies/[]"]
    );
}

#[test]
fn a_name_that_is_taken_out_is_refused_by_terraform_and_replaces_in_a_template() {
    let named = module("", "");
    let nameless = terraform(
        "resource \"aws_dynamodb_table\" \"orders\" {\n  name = null\n  billing_mode = \"PAY_PER_REQUEST\"\n  hash_key = \"id\"\n  \
         attribute {\n    name = \"id\"\n    type = \"S\"\n  }\n}\n",
    );
    let refused = "name-removed-or-added Unsupported/Refuses/[]";
    for backend in [TERRAFORM_5, TERRAFORM_6] {
        assert_eq!(all(&named, &nameless, backend), [format!("dynamodb.orders name {refused}")]);
        assert_eq!(all(&nameless, &named, backend), ["dynamodb.orders name ? Unknown/Unknown/[]"]);
        assert_eq!(all(&terraform(""), &nameless, backend), [format!("dynamodb.orders - {refused}")]);
    }
    let table = |name: &str| {
        template(&format!(
            "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n    Properties: {{ {name} AttributeDefinitions: [{{ AttributeName: id, \
             AttributeType: S }}], KeySchema: [{{ AttributeName: id, KeyType: HASH }}] }}\n"
        ))
    };
    let replaced = ["dynamodb.T name name-removed-or-added Recreation/Replaces/[Items]"];
    assert_eq!(all(&table("TableName: orders,"), &table(""), Backend::CloudformationTable), replaced);
    assert_eq!(all(&table(""), &table("TableName: orders,"), Backend::CloudformationTable), replaced);
}
