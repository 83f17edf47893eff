//! Definitions that a backend never accepts: made anew, or come to by a change.

mod indexes;

use super::all;
use super::native::{module, template, terraform};
use crate::schema::{Backend, Schema};

const TERRAFORM: [Backend; 2] = [Backend::TerraformAws5, Backend::TerraformAws6];
const TABLE: Backend = Backend::CloudformationTable;
const GLOBAL: Backend = Backend::CloudformationGlobalTable;

/// A table of Terraform with no more than its key and what is said.
fn table(body: &str) -> Schema {
    terraform(&format!(
        "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  hash_key = \"id\"\n  attribute {{\n    name = \"id\"\n    \
         type = \"S\"\n  }}\n{body}\n}}\n"
    ))
}

/// A table of a template with no more than its key and what is said.
fn resource(kind: &str, properties: &str) -> Schema {
    template(&format!(
        "Resources:\n  Orders:\n    Type: AWS::DynamoDB::{kind}\n    Properties:\n      TableName: orders\n      \
         AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n{properties}"
    ))
}

/// All that is said of a change, less the addresses.
fn told(previous: &Schema, next: &Schema, backend: Backend) -> Vec<String> {
    let words = |told: String| told.split_once(' ').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    all(previous, next, backend).into_iter().map(words).collect()
}

const CAPACITY: &str = "  read_capacity = 5\n  write_capacity = 5\n";
const ON_DEMAND: &str = "  billing_mode = \"PAY_PER_REQUEST\"\n";
const PROVISIONED: &str = "  billing_mode = \"PROVISIONED\"\n";

#[test]
fn what_terraform_takes_from_another_table_or_makes_later_is_not_missed() {
    let none = terraform("");
    let applies = "- table-add InPlace/Applies/[]";
    for from in
        ["  restore_source_name = \"source\"", "  restore_source_table_arn = \"arn:aws:dynamodb:eu-west-1:111122223333:table/s\""]
    {
        let keyless = format!(
            "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n{from}\n  restore_to_latest_time = true\n}}\n"
        );
        for next in [terraform(&keyless), table(from)] {
            assert_eq!(
                TERRAFORM.map(|backend| told(&none, &next, backend)),
                [(); 2].map(|()| vec![applies.to_owned()]),
                "{from}"
            );
        }
    }
    // A replica that is a resource of its own may well wait for the scaling.
    let scaled = |inline: &str, beside: &str| {
        terraform(&format!(
            "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  hash_key = \"id\"\n  attribute {{\n    name = \"id\"\n    \
             type = \"S\"\n  }}\n{CAPACITY}  stream_enabled = true\n  stream_view_type = \"NEW_AND_OLD_IMAGES\"\n{inline}}}\n{beside}"
        ))
    };
    let beside = "resource \"aws_dynamodb_table_replica\" \"orders\" {\n  provider = aws.other\n  global_table_arn = aws_dynamodb_table.orders.arn\n}\n\
        provider \"aws\" {\n  alias = \"other\"\n  region = \"eu-west-3\"\n}\n";
    let is_refused = |next: Schema| told(&none, &next, Backend::TerraformAws5).concat().contains("table-add-replicas-unscaled");
    assert!(!is_refused(scaled("", beside)));
    assert!(is_refused(scaled("  replica {\n    region_name = \"eu-west-3\"\n  }\n", "")));
}

#[test]
fn terraform_takes_capacity_with_provisioned_tables_and_with_no_other() {
    let none = terraform("");
    let of = |previous: &Schema, next: &str| TERRAFORM.map(|backend| told(previous, &table(next), backend).join(", "));
    let missing = "capacity-missing Unsupported/Refuses/[]";
    for next in ["", PROVISIONED, "  read_capacity = 5\n", "  read_capacity = 0\n  write_capacity = 5\n"] {
        assert_eq!(of(&none, next), [(); 2].map(|()| format!("- {missing}")), "{next}");
    }
    let left = format!("{ON_DEMAND}{CAPACITY}");
    assert_eq!(of(&none, &left), [(); 2].map(|()| "- capacity-on-demand Unsupported/Refuses/[]".to_owned()));
    let on_demand = table(ON_DEMAND);
    assert_eq!(of(&on_demand, &left), [(); 2].map(|()| "throughput capacity-on-demand Unsupported/Refuses/[]".to_owned()));
    let one = format!("{ON_DEMAND}  read_capacity = 5\n");
    assert_eq!(
        of(&on_demand, &one),
        [(); 2].map(|()| "extra.read_capacity capacity-on-demand Unsupported/Refuses/[]".to_owned())
    );
    // The plan that switches the mode lets both pass.
    let provisioned = table(CAPACITY);
    assert_eq!(of(&provisioned, &left), [(); 2].map(|()| "billing billing-to-ondemand FollowUp/Applies/[]".to_owned()));
    assert_eq!(
        of(&provisioned, ON_DEMAND)[0],
        "billing billing-to-ondemand InPlace/Applies/[], throughput billing-to-ondemand InPlace/Applies/[]"
    );
    assert_eq!(of(&on_demand, PROVISIONED), [(); 2].map(|()| "billing billing-to-provisioned InPlace/Applies/[]".to_owned()));
    let zero = "  read_capacity = 0\n  write_capacity = 0\n";
    // What is not written stays as it is.
    assert_eq!(of(&provisioned, "  read_capacity = 5\n")[0], "extra.read_capacity capacity-removed Nothing/Ignores/[]");
    assert_eq!(of(&provisioned, zero), [(); 2].map(|()| format!("throughput {missing}")));
    // What is overlooked does not count, nor does what is not known here.
    let ignored = format!("{ON_DEMAND}{CAPACITY}  lifecycle {{\n    ignore_changes = [read_capacity, write_capacity]\n  }}\n");
    assert_eq!(
        of(&provisioned, &ignored)[0],
        "billing billing-to-ondemand InPlace/Applies/[], ignore_changes guard-change Nothing/Nothing/[]"
    );
    assert_eq!(of(&none, "  billing_mode = var.mode\n")[0], "- table-add InPlace/Applies/[]");
}

#[test]
fn cloudformation_takes_capacity_with_provisioned_tables_and_with_no_other() {
    let none = template("Resources:\n  Topic: { Type: AWS::SNS::Topic }\n");
    let of = |previous: &Schema, next: &str| told(previous, &resource("Table", next), TABLE);
    let (on_demand, provisioned) = ("      BillingMode: PAY_PER_REQUEST\n", "      BillingMode: PROVISIONED\n");
    let capacity = "      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }\n";
    let zero = "      ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 5 }\n";
    for next in ["", provisioned, zero] {
        assert_eq!(of(&none, next), ["- capacity-missing Unsupported/Refuses/[]"], "{next}");
    }
    let left = format!("{on_demand}{capacity}");
    assert_eq!(of(&none, &left), ["- capacity-on-demand Unsupported/Refuses/[]"]);
    assert_eq!(of(&resource("Table", capacity), &left), ["billing capacity-on-demand Unsupported/Refuses/[]"]);
    assert_eq!(of(&resource("Table", on_demand), provisioned), ["billing capacity-missing Unsupported/Refuses/[]"]);
    assert_eq!(of(&resource("Table", on_demand), ""), ["billing capacity-missing Unsupported/Refuses/[]"]);
    assert_eq!(of(&none, "      BillingMode: !Ref Mode\n"), ["- table-add InPlace/Applies/[]"]);
    let global =
        |properties: &str| resource("GlobalTable", &format!("      Replicas: [{{ Region: !Ref AWS::Region }}]\n{properties}"));
    let refused = "capacity-missing Unsupported/Refuses/[]";
    assert_eq!(told(&none, &global(provisioned), GLOBAL), [format!("- {refused}")]);
    let of_a_table = format!("{provisioned}{capacity}");
    let changes = told(&global(on_demand), &global(&of_a_table), GLOBAL);
    assert_eq!(changes, ["billing", "throughput"].map(|path| format!("{path} {refused}")));
}

#[test]
fn provider_5_refuses_what_only_a_later_one_knows() {
    let keys = "  attribute {\n    name = \"a\"\n    type = \"S\"\n  }\n";
    let index = format!(
        "{keys}  global_secondary_index {{\n    name = \"by_a\"\n    projection_type = \"ALL\"\n    key_schema {{\n      \
         attribute_name = \"a\"\n      key_type = \"HASH\"\n    }}\n  }}\n"
    );
    let replica = |arguments: &str| format!("  replica {{\n    region_name = \"eu-west-1\"\n    {arguments}\n  }}\n");
    let (none, plain) = (terraform(""), module("", ""));
    let (strong, protected) = (replica("consistency_mode = \"STRONG\""), replica("deletion_protection_enabled = true"));
    let cases = [
        ("  warm_throughput {\n    read_units_per_second = 12000\n  }\n", "warm-increase", "warm_throughput"),
        ("  region = \"eu-west-1\"\n", "region-change", "extra.region"),
        ("  restore_backup_arn = \"arn\"\n", "restore-source-set", "extra.restore_backup_arn"),
        (&index, "gsi-syntax-key-schema", "-"),
        (&strong, "table-to-mrsc", "replica_consistency"),
        (&protected, "replica-settings", "replicas.eu-west-1"),
    ];
    for (arguments, rule, path) in cases {
        let refused = format!("{rule} Unsupported/Refuses/[]");
        let next = module(arguments, "");
        assert_eq!(told(&none, &next, Backend::TerraformAws5), [format!("- {refused}")]);
        let changes = told(&plain, &next, Backend::TerraformAws5);
        assert!(changes.contains(&format!("{path} {refused}")), "{changes:?}");
        let later = told(&plain, &next, Backend::TerraformAws6);
        assert!(rule == "table-to-mrsc" || !later.iter().any(|told| told.ends_with("Unsupported/Refuses/[]")), "{later:?}");
    }
}

#[test]
fn terraform_checks_settings_at_plan() {
    let none = terraform("");
    let both = |arguments: &str| TERRAFORM.map(|backend| told(&none, &module(arguments, ""), backend).join(", "));
    let refused = |rule: &str| [(); 2].map(|()| format!("- {rule} Unsupported/Refuses/[]"));
    for (arguments, rule) in [
        ("  ttl {\n    enabled = true\n  }\n", "ttl-attribute-missing"),
        ("  point_in_time_recovery {\n    enabled = true\n    recovery_period_in_days = 36\n  }\n", "pitr-period-refused"),
        ("  stream_enabled = true\n", "stream-without-view"),
    ] {
        assert_eq!(both(arguments), refused(rule), "{arguments}");
    }
    let maximum = "  on_demand_throughput {\n    max_read_request_units = 9\n  }\n";
    let changes = told(&table(CAPACITY), &table(&format!("{CAPACITY}{maximum}")), Backend::TerraformAws6);
    assert_eq!(changes, ["on_demand_maximum ondemand-max-on-provisioned Unsupported/Refuses/[]"]);
    let (plain, warm) = (module("", ""), module("  warm_throughput {\n    read_units_per_second = 100\n  }\n", ""));
    assert_eq!(told(&plain, &warm, Backend::TerraformAws6), ["warm_throughput warm-below-minimum Unsupported/Refuses/[]"]);
    // A view type alone: provider 5 takes note of it, later ones refuse it.
    let view = module("  stream_view_type = \"KEYS_ONLY\"\n", "");
    let of = |effect: &str| [format!("extra.stream_view_type stream-view-without-stream {effect}/[]")];
    assert_eq!(told(&plain, &view, Backend::TerraformAws5), of("Nothing/Applies"));
    assert_eq!(told(&plain, &view, Backend::TerraformAws6), of("Unsupported/Refuses"));
}

#[test]
fn the_service_takes_only_so_much() {
    let attributes = "  attribute {\n    name = \"a\"\n    type = \"S\"\n  }\n";
    let index = |name: &str, key: &str, names: usize| {
        let names: Vec<String> = (0..names).map(|at| format!("\"n{at}\"")).collect();
        let projection = if names.is_empty() { "ALL" } else { "INCLUDE" };
        let names = if names.is_empty() { String::new() } else { format!("    non_key_attributes = [{}]\n", names.join(", ")) };
        format!(
            "  global_secondary_index {{\n    name = \"{name}\"\n    projection_type = \"{projection}\"\n{names}    {key}\n  }}\n"
        )
    };
    let schema = |kinds: &[&str]| -> String {
        let part =
            |kind: &&str| format!("key_schema {{\n      attribute_name = \"a\"\n      key_type = \"{kind}\"\n    }}\n    ");
        kinds.iter().map(part).collect()
    };
    let (none, plain) = (module("", ""), "hash_key = \"a\"");
    for (index, rule) in [
        (index("ab", plain, 0), "name-refused"),
        (index("by_a", "hash_key = \"a\"\n    range_key = \"a\"", 0), "key-attribute-twice"),
        (index("by_a", plain, 60) + &index("by_b", plain, 41), "projected-over-limit"),
        (index("by_a", &schema(&["RANGE", "HASH"]), 0), "gsi-key-refused"),
        (index("by_a", &schema(&["HASH"; 5]), 0), "gsi-key-refused"),
    ] {
        let changes = told(&none, &module(&format!("{attributes}{index}"), ""), Backend::TerraformAws6);
        assert!(
            !changes.is_empty() && changes.iter().all(|told| *told == format!("- {rule} Unsupported/Refuses/[]")),
            "{rule}: {changes:?}"
        );
    }
    let fits = index("by_a", plain, 60) + &index("by_b", plain, 40);
    let changes = told(&none, &module(&format!("{attributes}{fits}"), ""), Backend::TerraformAws6);
    assert!(changes.iter().all(|told| told.contains("gsi-add")), "{changes:?}");
    let tags = |count: usize| {
        let tags: Vec<String> = (0..count).map(|at| format!("t{at} = \"x\"")).collect();
        module(&format!("  tags = {{ {} }}\n", tags.join(", ")), "")
    };
    let told_of = |count: usize| told(&terraform(""), &tags(count), Backend::TerraformAws5);
    assert_eq!(
        (told_of(50), told_of(51)),
        (vec!["- table-add InPlace/Applies/[]".into()], vec!["- tags-over-limit Unsupported/Refuses/[]".into()])
    );
}

#[test]
fn strongly_consistent_regions_are_three_of_one_set() {
    let none = template("Resources:\n  Topic: { Type: AWS::SNS::Topic }\n");
    let of = |regions: &[&str], more: &str| {
        let replicas: Vec<String> = regions.iter().map(|region| format!("{{ Region: {region} }}")).collect();
        let strong = "      BillingMode: PAY_PER_REQUEST\n      MultiRegionConsistency: STRONG\n";
        resource("GlobalTable", &format!("{strong}      Replicas: [{}]\n{more}", replicas.join(", ")))
    };
    let three = of(&["us-east-1", "us-east-2", "us-west-2"], "");
    let witness = of(&["us-east-1", "us-east-2"], "      GlobalTableWitnesses: [{ Region: us-west-2 }]\n");
    for taken in [&three, &witness] {
        assert_eq!(told(&none, taken, GLOBAL), ["- table-add InPlace/Applies/[]"]);
    }
    let expires =
        of(&["us-east-1", "us-east-2", "us-west-2"], "      TimeToLiveSpecification: { Enabled: true, AttributeName: x }\n");
    let two = of(&["us-east-1", "us-east-2"], "");
    for refused in [&two, &of(&["us-east-1", "us-east-2", "eu-west-1"], ""), &expires] {
        assert_eq!(told(&none, refused, GLOBAL), ["- mrsc-refused Unsupported/Refuses/[]"]);
    }
    assert_eq!(told(&three, &two, GLOBAL), ["replicas.us-west-2 mrsc-refused Unsupported/Refuses/[]"]);
    assert_eq!(told(&three, &expires, GLOBAL), ["ttl mrsc-refused Unsupported/Refuses/[]"]);
}

#[test]
fn the_keys_of_a_global_table_are_of_one_kind() {
    let of = |first: &str, second: &str| {
        resource(
            "GlobalTable",
            &format!(
                "      BillingMode: PAY_PER_REQUEST\n      StreamSpecification: {{ StreamViewType: NEW_AND_OLD_IMAGES }}\n      \
                 SSESpecification: {{ SSEEnabled: true, SSEType: KMS }}\n      \
                 Replicas: [{{ Region: eu-west-1 {first} }}, {{ Region: eu-west-2 {second} }}]\n"
            ),
        )
    };
    let key = ", SSESpecification: { KMSMasterKeyId: k }";
    assert_eq!(told(&of("", ""), &of(key, ""), GLOBAL), ["replicas.eu-west-1 sse-key-mixed Unsupported/Refuses/[]"]);
    assert!(told(&of("", ""), &of(key, key), GLOBAL).iter().all(|told| told.contains("replica-kms-change")));
}

#[test]
fn terraform_takes_the_arn_of_a_key() {
    let of = |key: &str| table(&format!("{ON_DEMAND}  server_side_encryption {{\n    enabled = true\n{key}  }}\n"));
    let managed = of("");
    for (key, effect) in [
        ("alias/aws/dynamodb", "sse-key-no-arn Unsupported/Refuses/[]"),
        ("1234abcd-12ab-34cd-56ef-1234567890ab", "sse-key-no-arn Unsupported/Refuses/[]"),
        ("arn:aws:kms:eu-west-1:111122223333:key/a", "sse-cmk InPlace/Applies/[]"),
        ("${aws_kms_key.main.arn}", "sse-cmk InPlace/Applies/[]"),
    ] {
        let next = of(&format!("    kms_key_arn = \"{key}\"\n"));
        for backend in TERRAFORM {
            assert_eq!(told(&managed, &next, backend), [format!("encryption {effect}")], "{key}");
        }
    }
    let key = |id: &str| {
        resource("Table", &format!("      BillingMode: PAY_PER_REQUEST\n      SSESpecification: {{ SSEEnabled: true{id} }}\n"))
    };
    let told = told(&key(""), &key(", KMSMasterKeyId: alias/mine"), TABLE);
    assert_eq!(told, ["encryption sse-cmk InPlace/Applies/[]"], "a template takes all three");
}

#[test]
fn the_partition_attribute_of_a_table_comes_first() {
    let of = |key: &str| {
        template(&format!(
            "Resources:\n  Orders:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      BillingMode: PAY_PER_REQUEST\n      \
             AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}, {{ AttributeName: at, AttributeType: S }}]\n      \
             KeySchema: [{key}]\n"
        ))
    };
    let (hash, range) = ("{ AttributeName: id, KeyType: HASH }", "{ AttributeName: at, KeyType: RANGE }");
    let (sorted, unsorted) = (of(&format!("{hash}, {range}")), of(&format!("{range}, {hash}")));
    let none = template("Resources: {}");
    let refused = "key-unsorted Unsupported/Refuses/[]";
    assert_eq!(told(&sorted, &unsorted, TABLE), [format!("extra.KeySchema {refused}")]);
    assert_eq!(told(&none, &unsorted, TABLE), [format!("- {refused}")]);
}

#[test]
fn regions_hear_of_one_another_by_a_stream_from_the_start() {
    let none = template("Resources:\n  Topic: { Type: AWS::SNS::Topic }\n");
    let of = |more: &str, stream: &str| {
        let replicas = format!("      Replicas: [{{ Region: eu-west-1 }}{more}]\n");
        told(&none, &resource("GlobalTable", &format!("      BillingMode: PAY_PER_REQUEST\n{replicas}{stream}")), GLOBAL)
    };
    let stream = "      StreamSpecification: { StreamViewType: NEW_AND_OLD_IMAGES }\n";
    let (two, taken) = (", { Region: eu-west-2 }", ["- table-add InPlace/Applies/[]"]);
    assert_eq!(of(two, ""), ["- table-add Unsupported/Refuses/[]"]);
    assert_eq!(of(two, stream), taken);
    assert_eq!(of("", ""), taken);
}

#[test]
fn replicas_are_of_one_consistency() {
    let stream = "  stream_enabled = true\n  stream_view_type = \"NEW_AND_OLD_IMAGES\"\n";
    let replica = |region: &str, mode: &str| format!("  replica {{\n    region_name = \"{region}\"\n{mode}  }}\n");
    let strong = "    consistency_mode = \"STRONG\"\n";
    let of = |modes: [&str; 2]| {
        let [one, other] = modes;
        table(&format!("{ON_DEMAND}{stream}{}{}", replica("eu-west-2", one), replica("eu-west-3", other)))
    };
    let plain = table(&format!("{ON_DEMAND}{stream}"));
    let [five, six] = TERRAFORM.map(|backend| told(&plain, &of([strong, ""]), backend));
    assert!(five.iter().all(|told| told.ends_with("table-to-mrsc Unsupported/Refuses/[]")), "{five:?}");
    assert!(six.iter().all(|told| told.ends_with("mrsc-refused Unsupported/Refuses/[]")), "{six:?}");
    assert!(told(&plain, &of(["", ""]), TERRAFORM[1]).iter().all(|told| told.ends_with("FollowUp/Applies/[]")));
}

#[test]
fn what_is_refused_behind_a_replacement_has_lost_the_items() {
    let of = |name: &str, more: &str| {
        let hash = "hash_key = \"id\"\n  attribute {\n    name = \"id\"\n    type = \"S\"\n  }\n";
        terraform(&format!("resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"{name}\"\n  {hash}{ON_DEMAND}{more}}}\n"))
    };
    let plain = of("orders", "");
    assert_eq!(told(&plain, &of("a!", ""), TERRAFORM[0]), ["name table-rename Recreation/Replaces/[Items]"]);
    let first = "  lifecycle {\n    create_before_destroy = true\n  }\n";
    let told = told(&of("orders", first), &of("a!", first), TERRAFORM[0]);
    assert_eq!(told, ["name name-refused Unsupported/Refuses/[]"]);
}
