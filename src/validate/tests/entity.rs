use super::{gives, with};

#[test]
fn names() {
    gives(&with("name: shop", "name: Shop"), &["bad-name 2:7"]);
    gives(&with("  Customer:", "  customer:"), &["bad-name 6:3"]);
    gives(&with("  put-order:", "  put_order:"), &["bad-name 20:3"]);
    gives(&with("    orders:", "    my-orders:"), &["bad-name 23:5"]);
    gives(&with("lines: list<text>", "\"\": text"), &["bad-name 17:7"]);
    gives(&with("lines: list<text>", "\"my lines\": text"), &[]);
    gives(&with("values: [dev, prod], default: dev", "values: []"), &["wrong-shape 3:30"]);
    gives(&with("types: { address:", "types: { my-address:"), &["bad-name 4:10"]);
    gives(&with("name: shop", &format!("name: {}", "a".repeat(300))), &["name-too-long 2:7"]);
}

#[test]
fn keys() {
    gives(&with("key: id", "key: ident"), &["unknown-attribute 7:10"]);
    gives(&with("key: [id, number]", "key: [id, note]"), &["optional-key 10:15"]);
    gives(&with("key: [id, number]", "key: [id, id]"), &["duplicate-name 10:15"]);
    gives(&with("key: id", "key: []"), &["wrong-shape 7:10"]);
}

#[test]
fn attributes() {
    gives(&with("number: int", "number: integer"), &["unknown-type 13:15"]);
    gives(&with("lines: list<text>", "lines: {}"), &["wrong-shape 17:7"]);
    gives(&with("[OPEN, DONE]", "{ OPEN: 20%, DONE: 70% }"), &["shares-total 15:23"]);
    gives(&with("[OPEN, DONE]", "{ OPEN: 20%, DONE: 80 }"), &["wrong-shape 15:42"]);
    gives(&with("[OPEN, DONE]", "[OPEN, OPEN]"), &["duplicate-name 15:30"]);
    gives(&with("[OPEN, DONE]", "[]"), &["wrong-shape 15:23"]);
    gives(&with("enum: [OPEN, DONE]", "enum: [OPEN, DONE], type: int"), &["bad-value 15:43"]);
    gives(&with("optional: true", "present: 120%"), &["bad-value 16:36"]);
    gives(&with("lines: list<text>", "lines: { type: text, encoding: epoch_millis }"), &["bad-value 17:38"]);
    gives(&with("[OPEN, DONE]", "[yes, no]"), &["yaml-1-1 15:24", "yaml-1-1 15:29"]);
}

#[test]
fn numbers_of_entities() {
    gives(&with("    key: id\n", "    key: id\n    retain: 10m\n"), &["ambiguous-unit 8:15"]);
    gives(&with("    key: id\n", "    key: id\n    items: 10k\n    growth: 5\n"), &["bad-value 8:14", "wrong-shape 9:13"]);
    gives(&with("    key: id\n", "    key: id\n    size: { average: 2KB, max: 1KB }\n"), &["bad-value 8:32"]);
    gives(&with("    key: [id, number]\n", "    key: [id, number]\n    size: 500KB\n"), &["item-too-large 11:11"]);
    gives(
        &with("    key: [id, number]\n", "    key: [id, number]\n    per: { id+numbr: 3, id: 4, number+id: 1, id+number: 2 }\n"),
        &["unknown-attribute 11:15", "duplicate-key 11:46"],
    );
}

#[test]
fn copies_counts_and_sums() {
    let order = |line: &str| with("      lines: list<text>", &format!("      {line}"));
    gives(&order("x: { type: text, copy_of: Customer.email, updated_by: never }"), &[]);
    gives(&order("x: { type: int, copy_of: Customer.email, updated_by: never }"), &["copy-type-differs 17:32"]);
    gives(&order("x: { type: text, copy_of: Customer.email }"), &["wrong-shape 17:7"]);
    gives(&order("x: { type: text, copy_of: Customer.emial, updated_by: never }"), &["unknown-attribute 17:33"]);
    gives(&order("x: { type: text, copy_of: Custmer.email, updated_by: never }"), &["unknown-entity 17:33"]);
    gives(&order("x: { type: text, copy_of: email, updated_by: never }"), &["bad-value 17:33"]);
    gives(&order("x: { type: text, copy_of: Customer.email, updated_by: put-ordr }"), &["unknown-name 17:61"]);
    gives(&order("x: { type: int, count_of: Customer, updated_by: never }"), &["unknown-attribute 17:33"]);
    gives(&order("x: { type: text, updated_by: never }"), &["bad-value 17:36"]);
    gives(&with("email: text", "orders: { type: int, count_of: Order, updated_by: put-order }"), &[]);
    gives(&with("email: text", "orders: { type: text, count_of: Order, updated_by: put-order }"), &["bad-value 8:29"]);
    gives(
        &with("email: text", "orders: { type: int, sum_of: Order.number, updated_by: stream }"),
        &["updated-by-needs-stream 8:84"],
    );
    gives(&with("    key: id\n", "    key: id\n    guards: Order.note\n"), &["bad-value 8:13"]);
}

#[test]
fn user_types() {
    gives(&with("city: text }", "city: txt }"), &["unknown-type 4:41"]);
    gives(&with("{ street: text, city: text }", "{}"), &["wrong-shape 4:19"]);
    gives(&with("{ street: text, city: text }", "{ fields: {} }"), &["wrong-shape 4:29"]);
    gives(&with("{ street: text, city: text }", "{ fields: { description: text }, description: An address. }"), &[]);
    gives(
        &with("{ street: text, city: text }", "{ fields: { street: 3 }, renamed: a }"),
        &["wrong-shape 4:39", "unknown-key 4:44"],
    );
}

#[test]
fn parameters() {
    gives(&with("on: { type: bool }", "version: {}"), &["name-taken 3:59"]);
    gives(&with("default: dev", "default: prd"), &["not-in-enum 3:52"]);
    gives(&with("default: 5", "default: five"), &["bad-value 3:107"]);
    gives(&with("sort_key: number", "sort_key: number\n      name: \"${envv}-orders\""), &["unknown-parameter 27:14"]);
    gives(&with("sort_key: number", "sort_key: number\n      deletion_protection: \"${env}\""), &["bad-value 27:29"]);
    gives(
        &with(
            "sort_key: number",
            "sort_key: number\n      deletion_protection: \"${on}\"\n      point_in_time_recovery: \"${on}\"",
        ),
        &[],
    );
    gives(&with("partition_key: id", "partition_key: \"${env}\""), &["parameter-not-here 25:23"]);
    gives(&with("holds: Order", "holds: { Order: { id: \"${env}#{id}\" } }"), &["parameter-not-here 24:30"]);
    gives(&with("where: \"id = ? and", "where: \"id = ${env} and"), &["parameter-not-here 19:36"]);
}

#[test]
fn allowances_and_renames() {
    gives(
        &with("name: shop", "name: shop\nallow: { hot-partition: \"\", no-recovery: { until: 2027-06-30 } }"),
        &["allow-without-reason 3:10", "allow-without-reason 3:29"],
    );
    gives(&with("name: shop", "name: shop\nallow: { no-recovery: { reason: x, until: 2027-02-30 } }"), &["bad-value 3:43"]);
    gives(&with("    key: id\n", "    key: id\n    renamed_from: Customer\n"), &["duplicate-name 8:19"]);
    gives(&with("dynamodb:\n", "dynamodb:\n  removed: { orders: retain, gone: destroy }\n"), &["name-taken 22:14"]);
}
