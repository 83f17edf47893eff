use super::{gives, with};

/// The patterns of the base are replaced by one, on line 19 from column 6.
fn pattern(text: &str) -> String {
    with(
        "  get-order: { find: Order, where: \"id = ? and number = ?\" }\n  put-order: { put: Order }\n",
        &format!("  p: {{ {text} }}\n"),
    )
}

#[test]
fn verbs() {
    gives(&pattern("where: \"id = ?\""), &["no-verb 19:3"]);
    gives(&pattern("find: Order, put: Order"), &["two-verbs 19:26"]);
    gives(&pattern("find: Ordr"), &["unknown-entity 19:14"]);
    gives(&pattern("find: [Order, Order], where: \"id = ?\""), &["duplicate-name 19:22"]);
    gives(&pattern("scan: Order"), &["scan-without-reason 19:14"]);
    gives(&pattern("update: Order, where: \"id = ? and number = ?\""), &["update-sets-nothing 19:16"]);
    gives(&pattern("delete: Order"), &["bad-pattern 19:16"]);
    gives(&pattern("put: Order, limit: 3"), &["bad-pattern 19:27"]);
}

#[test]
fn conditions() {
    gives(&pattern("find: Order, where: \"id = ? and nmber = ?\""), &["unknown-attribute 19:40"]);
    gives(&pattern("find: Order, where: \"id == ?\""), &["bad-condition 19:32"]);
    gives(&pattern("find: Order, where: \"status = 'OPN'\""), &["not-in-enum 19:29"]);
    gives(&pattern("find: Order, where: \"number = 'x'\""), &["literal-type 19:29"]);
    gives(&pattern("find: Order, where: \"number begins_with ?\""), &["bad-condition 19:29"]);
    gives(&pattern("find: Order, where: \"lines contains 3\""), &["literal-type 19:29"]);
    gives(&pattern("find: Order, where: \"lines contains_key ?\""), &["bad-condition 19:29"]);
    gives(&pattern("find: Order, where: \"id = ? and number > 1 and number >= 2\""), &["conflicting-conditions 19:55"]);
    gives(&pattern("find: Order, where: \"id = ? and id in ?\""), &["conflicting-conditions 19:40"]);
    gives(&pattern("find: Order, where: \"number > 1 and number < 5\""), &[]);
    gives(&pattern("find: [Customer, Order], where: \"email = ?\""), &["unknown-attribute 19:41"]);
    gives(&pattern("find: Order, where: \"id = ?\", filter: \"note not exists and number != 3\", keeps: 60%"), &[]);
    gives(&pattern("put: Order, if: not exists"), &[]);
    gives(&pattern("put: Order, if: note exist"), &["bad-condition 19:29"]);
    gives(
        &with("email: text", "email: text, number: text")
            .replace("{ find: Order, where: \"id = ? and number = ?\" }", "{ find: [Order, Customer], where: \"number = ?\" }"),
        &["literal-type 19:49"],
    );
}

#[test]
fn options() {
    gives(&pattern("find: Order, where: \"id = ?\", order: [number desc, palced_at]"), &["unknown-attribute 19:59"]);
    gives(&pattern("find: Order, where: \"id = ?\", order: number down"), &["bad-condition 19:52"]);
    gives(&pattern("find: Order, where: \"id = ?\", select: [id, nte]"), &["unknown-attribute 19:51"]);
    gives(&pattern("find: Order, where: \"id = ?\", limit: 0"), &["bad-value 19:45"]);
    gives(&pattern("find: Order, where: \"id = ?\", rate: 3/m, peak: 2/fortnight"), &["ambiguous-unit 19:46", "bad-value 19:57"]);
    gives(&pattern("find: Order, where: \"id = ?\", rate: 3/s, peak: 2/s"), &["bad-value 19:55"]);
    gives(&pattern("find: Order, where: \"id = ?\", keeps: 20%"), &["bad-pattern 19:45"]);
    gives(&pattern("find: Order, where: \"id = ?\", via: dynamodb.ordrs"), &["unknown-name 19:43"]);
    gives(&pattern("find: Order, where: \"id = ?\", via: dynamodb.orders"), &[]);
    gives(&pattern("find: Order, where: \"id = ?\", backend: cql"), &["unknown-name 19:47"]);
    gives(
        &pattern("update: Order, where: \"id = ?\", set: [nte], increment: [note]"),
        &["unknown-attribute 19:46", "bad-pattern 19:64"],
    );
    gives(
        &with("lines: list<text>", "lines: counter")
            .replace("put-order: { put: Order }", "p: { update: Order, where: \"id = ?\", set: [lines] }"),
        &["counter-written 20:46"],
    );
}

#[test]
fn transactions_and_batches() {
    gives(&pattern("transaction: [{ put: Order }, { find: Order, where: \"id = ? and number = ?\" }]"), &["bad-pattern 19:46"]);
    gives(&pattern("batch: [{ find: Order, where: \"id = ?\" }]"), &["bad-pattern 19:24"]);
    gives(&pattern("transaction: [{ put: Order, batch_size: 101 }]"), &["batch-too-large 19:21"]);
    gives(&pattern("transaction: [{ put: Order, rate: 1/s }]"), &["bad-pattern 19:42"]);
    gives(&pattern("transaction: []"), &["wrong-shape 19:21"]);
    gives(&pattern("transaction: [{ put: Ordr }, { putt: Order }, 3]"), &["unknown-key 19:39", "wrong-shape 19:54"]);
    gives(&pattern("transaction: [{ put: Ordr }, { putt: Order }]"), &["unknown-entity 19:29", "unknown-key 19:39"]);
    gives(&pattern("batch: [{ put: Order, batch_size: 25 }], rate: 3/s"), &[]);
}

#[test]
fn a_write_asks_of_the_item_in_its_if() {
    let row = "id = ? and number = ?";
    gives(&pattern(&format!("update: Order, where: \"{row} and status = 'OPEN'\", set: [placed_at]")), &["bad-pattern 19:57"]);
    gives(&pattern(&format!("delete: Order, where: \"{row} and placed_at > ?\"")), &["bad-pattern 19:57"]);
    gives(&pattern(&format!("batch: [{{ delete: Order, where: \"{row} and note = ?\" }}]")), &["bad-pattern 19:67"]);
    gives(&pattern(&format!("delete: Order, where: \"{row}\", if: status = 'OPEN'")), &[]);
    // What an index is made of says where the item is there; and without its key an item is found by anything.
    let indexed = pattern(&format!("update: Order, where: \"{row} and status = 'OPEN'\", set: [placed_at]"))
        + "      global_secondary_indexes: { gsi: { partition_key: status } }\n";
    gives(&indexed, &[]);
    gives(&pattern("delete: Order, where: \"id = ? and status = 'OPEN'\""), &[]);
}
