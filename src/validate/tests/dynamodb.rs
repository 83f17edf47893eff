use super::{gives, with};

/// More lines of the table, from line 27 on, column 7.
fn table(lines: &str) -> String {
    with("      sort_key: number\n", &format!("      sort_key: number\n      {}\n", lines.replace('\n', "\n      ")))
}

#[test]
fn keys() {
    gives(&with("sort_key: number", "sort_key: id"), &["sort-key-is-partition-key 26:17"]);
    gives(&with("sort_key: number", "sort_key: numbr"), &["key-attribute-missing 24:14"]);
    gives(&with("sort_key: number", "sort_key: lines"), &["not-a-key-type 26:17"]);
    gives(&with("      partition_key: id\n", ""), &["wrong-shape 23:5"]);
    gives(&with("holds: Order", "holds: [Order, Customer]"), &["key-attribute-missing 24:22"]);
    gives(&with("holds: Order", "holds: { Order: {}, Customer: { number: \"C#{email}\" } }"), &["key-type-differs 24:47"]);
    gives(&with("holds: Order", "holds: { Order: {}, Customer: { number: 0 } }"), &[]);
    gives(&with("holds: Order", "holds: []"), &["wrong-shape 24:14"]);
    gives(&with("holds: Order", "holds: [Order, Order]"), &["duplicate-name 24:22"]);
    gives(&with("holds: Order", "holds: Odrer"), &["unknown-entity 24:14"]);
}

#[test]
fn templates() {
    let holds = |template: &str| with("holds: Order", &format!("holds: {{ Order: {{ id: {template} }} }}"));
    gives(&holds("\"O#{id}\""), &[]);
    gives(&holds("\"{id}{note}\""), &["adjacent-placeholders 24:30"]);
    gives(&holds("\"O#{idd}\""), &["unknown-attribute 24:33"]);
    gives(&holds("\"O#{lines}\""), &["not-a-key-type 24:33"]);
    gives(&holds("\"{lines}\""), &["name-taken 24:25", "not-a-key-type 24:29"]);
    gives(&holds("\"O#{status:010}\""), &["bad-template 24:33"]);
    gives(&holds("\"O#{upper(number)}\""), &["bad-template 24:39"]);
    gives(&holds("\"O#{bucket(number, month)}\""), &["bad-template 24:40"]);
    gives(&holds("\"O#{bucket(placed_at, mnth)}\""), &["bad-value 24:51"]);
    gives(&holds("\"O#{id\""), &["bad-template 24:32"]);
    gives(&holds("{ template: \"O#{id}\", when: \"status = 'OPN'\" }"), &["not-in-enum 24:58"]);
    gives(&holds("{ template: \"O#{id}\", when: \"number > ?\" }"), &["bad-condition 24:67"]);
    gives(
        &with("sort_key: number", "sort_key: sk").replace("holds: Order", "holds: { Order: { sk: \"{id}{note}\" } }"),
        &["adjacent-placeholders 24:30"],
    );
    gives(&with("holds: Order", "holds: { Order: { idd: \"O#{id}\" } }"), &["unknown-attribute 24:25"]);
}

#[test]
fn a_key_takes_no_name_of_an_attribute_that_it_hides() {
    let made = |template: &str| with("holds: Order", &format!("holds: {{ Order: {{ number: {template} }} }}"));
    gives(&made("5"), &["name-taken 24:25"]);
    gives(&made("\"{placed_at}\""), &["name-taken 24:25"]);
    gives(&made("\"{number}\""), &[]);
    gives(&made("\"N#{number:010}\""), &[]);
}

#[test]
fn the_names_of_keys_and_projections_are_short() {
    let (most, more) = ("a".repeat(255), "a".repeat(256));
    let projected = |name: &str| {
        let table = table(&format!("global_secondary_indexes: {{ gsi: {{ partition_key: status, projection: [{name}] }} }}"));
        table.replace("lines: list<text>", &format!("{name}: text"))
    };
    gives(&projected(&most), &[]);
    gives(&projected(&more), &["name-too-long 27:78"]);
    let keyed = |name: &str| {
        with("sort_key: number", &format!("sort_key: {name}")).replace("number: int", &format!("{name}: text\n      number: int"))
    };
    gives(&keyed(&most), &[]);
    gives(&keyed(&more), &["name-too-long 27:17"]);
}

#[test]
fn indexes() {
    gives(
        &with("      sort_key: number\n", "      local_secondary_indexes: { by_date: { sort_key: placed_at } }\n"),
        &["lsi-needs-sort-key 26:34"],
    );
    gives(&table("local_secondary_indexes: { by_date: { sort_key: id } }"), &["sort-key-is-partition-key 27:55"]);
    gives(&table("local_secondary_indexes: { by_date: { sort_key: placedat } }"), &["unknown-attribute 27:55"]);
    gives(&table("local_secondary_indexes: { by_date: { sort_key: lines } }"), &["not-a-key-type 27:55"]);
    let many =
        |number: usize| (0..number).map(|index| format!("ix{index}: {{ sort_key: placed_at }}")).collect::<Vec<_>>().join(", ");
    gives(&table(&format!("local_secondary_indexes: {{ {} }}", many(5))), &[]);
    gives(&table(&format!("local_secondary_indexes: {{ {} }}", many(6))), &["too-many-lsi 27:32"]);
    let many = (0..21).map(|index| format!("ix{index}: {{ partition_key: status }}")).collect::<Vec<_>>().join(", ");
    gives(&table(&format!("global_secondary_indexes: {{ {many} }}")), &["too-many-gsi 27:33"]);
    gives(&table("global_secondary_indexes: { gsi: { partition_key: [] } }"), &["index-key 27:57"]);
    gives(&table("global_secondary_indexes: { gsi: { partition_key: status, sort_key: status } }"), &["index-key 27:75"]);
    gives(
        &table("global_secondary_indexes: { gsi: { partition_key: status, projection: [id, lines, nte] } }"),
        &["projected-key 27:78", "unknown-attribute 27:89"],
    );
    gives(
        &table("global_secondary_indexes: { gsi: { partition_key: status, projection: [lines, lines] } }"),
        &["duplicate-name 27:85"],
    );
    gives(&table("global_secondary_indexes: { ab: { partition_key: status } }"), &["bad-name 27:35"]);
    gives(
        &table(
            "global_secondary_indexes: { gsi: { partition_key: status } }\nlocal_secondary_indexes: { lsi: { sort_key: placed_at, name: gsi } }",
        ),
        &["duplicate-name 27:35"],
    );
    let attributes = (0..101).map(|index| format!("      a{index}: text\n")).collect::<Vec<_>>().concat();
    let names = (0..101).map(|index| format!("a{index}")).collect::<Vec<_>>().join(", ");
    let text = table(&format!("global_secondary_indexes: {{ gsi: {{ partition_key: status, projection: [{names}] }} }}"));
    gives(&text.replace("      lines: list<text>\n", &attributes), &["too-many-projected 127:33"]);
}

#[test]
fn expiry() {
    gives(&table("ttl: placed_at"), &[]);
    gives(&table("ttl: number").replace("sort_key: number", "sort_key: placed_at"), &[]);
    gives(&table("ttl: status"), &["ttl-attribute 27:12"]);
    gives(&table("ttl: placed"), &["unknown-attribute 27:12"]);
    gives(&table("ttl: \"${env}\""), &["parameter-not-here 27:13"]);
    gives(
        &table("ttl: placed_at").replace("placed_at: timestamp", "placed_at: { type: timestamp, encoding: epoch_millis }"),
        &["ttl-encoding 14:47"],
    );
    gives(
        &table("ttl: placed_at").replace("placed_at: timestamp", "placed_at: { type: timestamp, encoding: iso }"),
        &["ttl-encoding 14:47"],
    );
    gives(
        &table("ttl: placed_at").replace("placed_at: timestamp", "placed_at: { type: timestamp, encoding: epoch_seconds }"),
        &[],
    );
}

#[test]
fn settings() {
    gives(&table("billing: provisioned"), &["throughput-mode 27:16"]);
    gives(&table("billing: provisioned\nthroughput: { read: 5 }"), &["throughput-mode 28:19"]);
    gives(&table("billing: provisioned\nthroughput: { read: 5, write: 0 }"), &["bad-value 28:37"]);
    gives(&table("billing: provisioned\nthroughput: { read: 5, write: \"${n}\" }"), &[]);
    gives(&table("billing: provisioned\nthroughput: { read: 5, write: \"${env}\" }"), &["bad-value 28:38"]);
    gives(&table("throughput: { read: 5, write: 5 }"), &["throughput-mode 27:19"]);
    gives(&with("dynamodb:\n", "dynamodb:\n  defaults: { billing: provisioned, throughput: { read: 5, write: 5 } }\n"), &[]);
    gives(&with("dynamodb:\n", "dynamodb:\n  defaults: { throughput: { read: 5, write: 5 } }\n"), &[]);
    gives(&table("point_in_time_recovery: 36d"), &["bad-value 27:31"]);
    gives(&table("point_in_time_recovery: 14d"), &[]);
    gives(&table("tags: { \"aws:x\": z }"), &["bad-name 27:16"]);
    gives(&table("encryption: { kms_key: \"${key}\" }"), &["unknown-parameter 27:31"]);
    gives(&table("encryption: { kms_key: \"\" }"), &["bad-value 27:30"]);
    gives(&table("kinesis_stream: orders"), &["bad-value 27:23"]);
    gives(&table("kinesis_stream: \"${env}\""), &["bad-value 27:23"]);
    gives(&table("kinesis_stream: \"arn:aws:kinesis:eu-west-1:111122223333:stream/${env}\""), &[]);
    gives(&table("deletion_protection: maybe"), &["bad-value 27:28"]);
}

#[test]
fn names_of_tables() {
    let two = |first: &str, second: &str| {
        with("    orders:\n", &format!("    customers: {{ holds: Customer, partition_key: id{first} }}\n    orders:\n"))
            + &format!("      {second}\n")
    };
    gives(&two("", "description: x"), &[]);
    gives(&two(", name: all", "name: all"), &["duplicate-name 28:13"]);
    gives(&two(", name: \"${env}-all\"", "name: dev-all"), &["duplicate-name 28:13"]);
    gives(&two(", name: \"${env}-all\"", "name: prod-all"), &[]);
    gives(&two(", name: \"${env}-all\"", "name: dev-all").replace("default: dev", "default: prod"), &[]);
    gives(&two("", "terraform_name: Customers"), &["name-taken 28:23"]);
    gives(&two("", "logical_id: Customers"), &["name-taken 28:19"]);
    gives(&two("", "logical_id: Env"), &["name-taken 28:19"]);
    gives(&two("", "logical_id: my_orders"), &["bad-name 28:19"]);
    gives(&two("", "name: \"a b\""), &["bad-name 28:13"]);
    gives(&two("", "name: ab"), &["bad-name 28:13"]);
    gives(&with("dynamodb:\n", "dynamodb:\n  defaults: { table_name: \"${env}-shop\" }\n"), &["bad-value 22:27"]);
    gives(&table("discriminator: id"), &["name-taken 27:22"]);
    gives(&table("discriminator: number").replace("sort_key: number", "sort_key: placed_at"), &["name-taken 27:22"]);
}

#[test]
fn only_the_owner_describes_a_table() {
    gives(
        &with("      holds: Order\n", "      holds: Order\n      owner: other\n"),
        &["unknown-owner 25:14", "not-the-owner 26:7", "not-the-owner 27:7"],
    );
    gives(&with("sort_key: number", "sort_key: number\n      external: true"), &[]);
}
