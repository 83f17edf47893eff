//! Where writes go, and what they need.

use super::{load, orders, outcome};

const TABLES: &str = "
    by_id: { holds: Order, partition_key: order_id }
    by_customer: { holds: Order, columns: [status], partition_key: customer_id, clustering: [placed_at desc, order_id] }";

#[test]
fn an_update_goes_to_the_tables_that_store_it() {
    let outcome = outcome(&orders("    p: { update: Order, where: \"order_id = ?\", set: [total] }", TABLES));
    assert_eq!(outcome.served("p"), ["cql.by_id [1] UPDATE shop.by_id SET total = :total WHERE order_id = :order_id"]);
    let both = super::outcome(&orders("    p: { update: Order, where: \"order_id = ?\", set: [status] }", TABLES));
    assert_eq!(both.served("p").len(), 2);
    assert!(
        both.explained("write-needs-read").contains("SELECT customer_id, placed_at FROM shop.by_id WHERE order_id = :order_id")
    );
}

#[test]
fn a_key_cannot_be_updated() {
    let outcome = outcome(&orders("    p: { update: Order, where: \"order_id = ?\", set: [placed_at] }", TABLES));
    assert!(outcome.explained("key-attribute-updated").contains("sets `placed_at`, which is in the key of `cql.by_customer`"));
    let operation = &outcome.served("p")[1];
    assert!(
        operation.contains("DELETE FROM shop.by_customer WHERE") && operation.contains("placed_at = :previous_placed_at"),
        "{operation}"
    );
}

#[test]
fn an_update_names_one_row() {
    let outcome = outcome(&orders("    p: { update: Order, where: \"customer_id = ?\", set: [status] }", TABLES));
    assert!(outcome.explained("range-write").contains("it lacks `order_id`"));
    assert_eq!(outcome.served("p"), [] as [&str; 0]);
}

#[test]
fn a_delete_may_name_a_partition_or_a_range() {
    let by_customer = "    t: { holds: Order, partition_key: customer_id, clustering: [placed_at desc, order_id] }";
    let outcome = outcome(&orders("    p: { delete: Order, where: \"customer_id = ? and placed_at < ?\" }", by_customer));
    assert_eq!(
        outcome.served("p"),
        ["cql.t [1] DELETE FROM shop.t WHERE customer_id = :customer_id AND placed_at < :placed_at_to"]
    );
    assert_eq!(outcome.diagnostics, []);
}

#[test]
fn a_write_without_a_table_is_an_error() {
    let outcome = outcome(&orders("    p: { put: Invoice }", TABLES));
    assert!(outcome.explained("pattern-unserved").contains("none holds `Invoice`"));
}

#[test]
fn via_leaves_tables_out() {
    let outcome = outcome(&orders("    p: { put: Order, via: cql.by_id }", TABLES));
    assert_eq!(outcome.served("p").len(), 1);
    let all = super::outcome(&orders("    p: { put: Order, via: [cql.by_id, cql.by_customer] }", TABLES));
    assert_eq!(all.served("p").len(), 2);
    assert!(all.diagnostics.iter().all(|diagnostic| diagnostic.code.slug() == "via-needless"));
}

#[test]
fn a_transaction_with_a_condition_stays_in_one_partition() {
    let accounts = "    t: { holds: Order, partition_key: customer_id, clustering: [order_id] }";
    let transaction = |first: &str, next: &str| {
        orders(
            &format!(
                "    p:
      transaction:
        - {{ update: Order, where: \"customer_id = {first} and order_id = :a\", set: [status], if: status = 'OPEN' }}
        - {{ update: Order, where: \"customer_id = {next} and order_id = :b\", set: [status] }}"
            ),
            accounts,
        )
    };
    assert_eq!(outcome(&transaction("?", "?")).diagnostics, []);
    assert!(outcome(&transaction(":one", ":other")).explained("transaction-not-atomic").contains("one partition"));
}

#[test]
fn a_ttl_by_attribute_stands_in_the_write() {
    let table = "    t: { holds: Order, partition_key: order_id, ttl: placed_at }";
    let outcome = outcome(&orders("    p: { put: Order }", table));
    assert!(outcome.served("p")[0].ends_with("USING TTL ?"), "{:?}", outcome.served("p"));
    assert_eq!(outcome.table("t").options, [].into());
    let model = load(&orders("    p: { put: Order }", &table.replace("placed_at", "retain")));
    let options = &super::designed(&model).table("t").options.clone();
    assert_eq!(serde_json::to_string(options).unwrap(), "{\"default_time_to_live\":31536000}");
}

#[test]
fn only_a_counter_is_added_to() {
    let table = "    t: { holds: Order, partition_key: order_id, columns: [total] }";
    let pattern = "    p: { update: Order, where: \"order_id = ?\", increment: [total] }";
    let number = outcome(&orders(pattern, table));
    assert!(number.explained("bad-pattern").contains("`total` is decimal, and on CQL only a counter can be added to"));
    let counter = orders(pattern, table).replace("      total: decimal\n", "      total: counter\n");
    assert_eq!(outcome(&counter).errors(), [] as [&str; 0]);
}

#[test]
fn a_batch_counts_or_writes() {
    let tables = "    t: { holds: Order, partition_key: order_id, columns: [total] }\n    u: { holds: Invoice, partition_key: customer_id, clustering: [number] }";
    let add = "{ update: Order, where: \"order_id = ?\", increment: [total] }";
    let of = |entries: &str| {
        let text = orders(&format!("    p: {{ batch: [{entries}] }}"), tables);
        outcome(&text.replace("      total: decimal\n", "      total: counter\n")).errors()
    };
    assert_eq!(of(&format!("{add}, {{ delete: Order, where: \"order_id = ?\" }}")), [] as [&str; 0]);
    assert_eq!(
        of(&format!("{add}, {{ put: Invoice }}")),
        ["counter-mixed: `p` mixes counters with other writes, which no batch does"]
    );
    assert_eq!(of(&format!("{add}, {add}")), [] as [&str; 0]);
}

#[test]
fn an_if_is_on_one_row_and_beside_the_key() {
    let table = "    t: { holds: Order, partition_key: customer_id, clustering: [placed_at, order_id] }";
    let row = "customer_id = ? and placed_at = ? and order_id = ?";
    let said = |pattern: &str| outcome(&orders(&format!("    p: {{ {pattern} }}"), table)).errors();
    for good in ["if: exists", "if: status = 'OPEN'", "if: total not exists"] {
        assert_eq!(said(&format!("delete: Order, where: \"{row}\", {good}")), [] as [&str; 0]);
        assert_eq!(said(&format!("update: Order, where: \"{row}\", set: [total], {good}")), [] as [&str; 0]);
        assert_eq!(said(&format!("put: Order, {good}")), [] as [&str; 0]);
    }
    for (pattern, why) in [
        ("delete: Order, where: \"customer_id = ? and placed_at > ?\", if: exists", "`where` names several rows of `cql.t`"),
        ("delete: Order, where: \"customer_id = ?\", if: status = 'OPEN'", "`where` names several rows of `cql.t`"),
        ("delete: Order, where: \"customer_id in ?\", if: exists", "`where` names several rows of `cql.t`"),
        ("put: Order, if: \"order_id = ?\"", "`order_id` is in the key of `cql.t`"),
    ] {
        let errors = said(pattern);
        assert!(errors[0].starts_with("bad-pattern: the `if` of `p`") && errors[0].ends_with(why), "{pattern}: {errors:?}");
    }
    let narrow = table.replace("holds: Order,", "holds: Order, columns: [status],");
    let pattern = format!("    p: {{ update: Order, where: \"{row}\", set: [status], if: total > 5 }}");
    assert!(outcome(&orders(&pattern, &narrow)).explained("bad-pattern").contains("`cql.t` does not store `total`"));
    let counting = "    t: { holds: Order, partition_key: order_id, columns: [total] }";
    let pattern = "    p: { update: Order, where: \"order_id = ?\", increment: [total], if: exists }";
    let counter = orders(pattern, counting).replace("      total: decimal\n", "      total: counter\n");
    assert!(outcome(&counter).explained("bad-pattern").contains("`cql.t` holds counters"));
}

#[test]
fn an_if_that_one_table_takes_is_possible() {
    let tables = format!("{TABLES}\n    by_status: {{ holds: Order, partition_key: status, clustering: [order_id] }}");
    let said = |pattern: &str| outcome(&orders(&format!("    p: {{ {pattern} }}"), &tables));
    let claimed = said("update: Order, where: \"order_id = ?\", set: [status], if: status = 'OPEN' and total > 5");
    assert_eq!(claimed.errors(), [] as [&str; 0]);
    let [by_id, copies @ ..] = &claimed.served("p")[..] else { panic!() };
    assert!(by_id.ends_with("WHERE order_id = :order_id IF status = 'OPEN' AND total > 5"), "{by_id}");
    assert!(copies.len() == 2 && copies.iter().all(|copy| !copy.contains(" IF ")), "{copies:?}");
    assert_eq!(said("delete: Order, where: \"order_id = ?\", if: total > 5").errors(), [] as [&str; 0]);
    let refused = said("delete: Order, where: \"order_id = ?\", if: status = 'OPEN', via: cql.by_status");
    assert!(refused.explained("bad-pattern").contains("`status` is in the key of `cql.by_status`"));
}

#[test]
fn a_transaction_reads_whole_keys() {
    let table = "    t: { holds: Order, partition_key: customer_id, clustering: [placed_at, order_id] }";
    let of = |find: &str| outcome(&orders(&format!("    p: {{ transaction: [{{ {find} }}] }}"), table));
    assert_eq!(of("find: Order, where: \"customer_id = ? and placed_at = ? and order_id in ?\", batch_size: 3").diagnostics, []);
    let lacks = of("find: Order, where: \"customer_id = ?\"").explained("pattern-unserved");
    assert!(lacks.contains("a transaction reads whole keys") && lacks.contains("outside a transaction"), "{lacks}");
    assert!(of("scan: Order, reason: report").explained("pattern-unserved").contains("a transaction reads whole keys"));
}

#[test]
fn a_batch_of_amazon_keyspaces_has_few_statements() {
    let batch = |kind: &str, size: u64, tables: &str| {
        let pattern = format!("    p: {{ {kind}: [{{ put: Order, batch_size: {size} }}] }}");
        let text = orders(&pattern, tables);
        let keyspaces =
            text.replace("cassandra-5.0", "keyspaces").replace("keyspace: { replication: { dc1: 3 } }", "keyspace: {}");
        assert_eq!(outcome(&text).errors(), [] as [&str; 0]);
        outcome(&keyspaces).errors()
    };
    let one = "    by_id: { holds: Order, partition_key: order_id }";
    assert_eq!(batch("batch", 30, one), [] as [&str; 0]);
    let most = "batch-too-large: `p` has 31 statements, and an unlogged batch takes at most 30";
    assert_eq!(batch("batch", 31, one), [most]);
    assert_eq!(
        batch("transaction", 51, TABLES),
        ["batch-too-large: `p` has 102 statements, and a logged batch takes at most 100"]
    );
}
