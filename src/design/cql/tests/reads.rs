//! What a key serves, what it does not, and what is said about it.

use super::{orders, outcome};

const BY_CUSTOMER: &str = "
    by_customer: { holds: Order, partition_key: customer_id, clustering: [placed_at desc, order_id] }";

fn refused(pattern: &str, table: &str, why: &str) {
    let outcome = outcome(&orders(&format!("    p: {pattern}"), table));
    let explained = outcome.explained("pattern-unserved");
    assert!(explained.contains(why), "`{why}` is not in:\n{explained}");
}

fn served(pattern: &str, table: &str, rest: &str) {
    let outcome = outcome(&orders(&format!("    p: {pattern}"), table));
    assert_eq!(outcome.errors(), [] as [&str; 0], "{pattern}: {:#?}", outcome.diagnostics);
    let served = outcome.served("p").join("; ");
    assert!(served.contains(rest), "`{rest}` is not in `{served}`");
}

#[test]
fn the_partition_is_named() {
    refused(
        "{ find: Order, where: \"order_id = ?\" }",
        BY_CUSTOMER,
        "its partition key needs `customer_id`, which the pattern does not give",
    );
    refused("{ find: Order, where: \"customer_id > ?\" }", BY_CUSTOMER, "the pattern gives a range");
    refused("{ find: Order, where: \"order_id = ?\" }", BY_CUSTOMER, "`{ holds: Order, partition_key: [order_id] }`");
    served(
        "{ find: Order, where: \"customer_id in ?\", batch_size: 7 }",
        BY_CUSTOMER,
        "[7] SELECT * FROM shop.by_customer WHERE customer_id = :customer_id",
    );
    served(
        "{ find: Order, where: \"customer_id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'\" }",
        BY_CUSTOMER,
        "customer_id = 3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    );
}

#[test]
fn clustering_columns_are_walked_in_order() {
    served(
        "{ find: Order, where: \"customer_id = ? and placed_at between :a and :b\" }",
        BY_CUSTOMER,
        "WHERE customer_id = :customer_id AND placed_at >= :a AND placed_at <= :b",
    );
    refused(
        "{ find: Order, where: \"customer_id = ? and order_id = ?\" }",
        BY_CUSTOMER,
        "`placed_at` stands before `order_id` in its clustering key",
    );
    refused(
        "{ find: Order, where: \"customer_id = ? and placed_at > ? and order_id = ?\" }",
        BY_CUSTOMER,
        "`order_id` follows a range on `placed_at`",
    );
    refused("{ find: Order, where: \"customer_id = ? and total > ?\" }", BY_CUSTOMER, "its key does not have `total`");
    let by_status = "    t: { holds: Order, partition_key: customer_id, clustering: [status, placed_at, order_id] }";
    served(
        "{ find: Order, where: \"customer_id = ? and status in ('OPEN', 'SHIPPED')\" }",
        by_status,
        "[1] SELECT * FROM shop.t WHERE customer_id = :customer_id AND status IN ('OPEN', 'SHIPPED')",
    );
    served(
        "{ find: Order, where: \"customer_id = ? and status begins_with 'O'\" }",
        by_status,
        "AND status >= 'O' AND status < 'P'",
    );
}

#[test]
fn rows_lie_in_the_order_that_is_asked_for() {
    served("{ find: Order, where: \"customer_id = ?\", order: placed_at }", BY_CUSTOMER, " ORDER BY placed_at ASC");
    served(
        "{ find: Order, where: \"customer_id = ?\", order: [placed_at desc, order_id] }",
        BY_CUSTOMER,
        " ORDER BY placed_at DESC, order_id ASC",
    );
    refused(
        "{ find: Order, where: \"customer_id = ?\", order: [placed_at, order_id] }",
        BY_CUSTOMER,
        "in the order of its clustering key or in the reverse",
    );
    refused(
        "{ find: Order, where: \"customer_id = ?\", order: total }",
        BY_CUSTOMER,
        "do not lie in the order of `total` there, but by `placed_at`",
    );
    // A column that is fixed is skipped; one in a list is not.
    let by_status = "    t: { holds: Order, partition_key: customer_id, clustering: [status, placed_at, order_id] }";
    served(
        "{ find: Order, where: \"customer_id = ? and status = 'OPEN'\", order: placed_at desc }",
        by_status,
        "ORDER BY placed_at DESC",
    );
    refused("{ find: Order, where: \"customer_id = ? and status in ?\", order: placed_at desc }", by_status, "but by `status`");
}

#[test]
fn the_columns_are_stored() {
    let some = "    t: { holds: Order, columns: [status], partition_key: customer_id, clustering: [placed_at desc, order_id] }";
    refused("{ find: Order, where: \"customer_id = ?\" }", some, "it does not store `total`");
    served(
        "{ find: Order, where: \"customer_id = ?\", select: [order_id, status] }",
        some,
        "SELECT order_id, status FROM shop.t",
    );
}

#[test]
fn buckets_and_shards_are_computed() {
    let bucketed = "    t: { holds: Order, partition_key: [customer_id, { bucket: placed_at, by: month }], clustering: [placed_at desc, order_id] }";
    served(
        "{ find: Order, where: \"customer_id = ? and placed_at = ?\" }",
        bucketed,
        "[1] SELECT * FROM shop.t WHERE customer_id = :customer_id AND placed_at_month = :placed_at_month AND placed_at = :placed_at",
    );
    served("{ find: Order, where: \"customer_id = ? and placed_at > ?\", span: 60d }", bucketed, "cql.t [3]");
    // A range with one end goes back as far as rows live, one with two ends as far as nobody says.
    served("{ find: Order, where: \"customer_id = ? and placed_at > ?\" }", bucketed, "cql.t [13]");
    served("{ find: Order, where: \"customer_id = ? and placed_at > ? and placed_at < :until\" }", bucketed, "cql.t [?]");
    served("{ find: Order, where: \"customer_id = ?\", order: placed_at desc, limit: 10 }", bucketed, "cql.t [13]");
    refused("{ find: Order, where: \"customer_id = ?\" }", bucketed, "buckets of `placed_at`");
    // A bucket narrows, it does not compare.
    let only_bucket =
        "    t: { holds: Order, partition_key: [customer_id, { bucket: placed_at, by: month }], clustering: [order_id] }";
    refused("{ find: Order, where: \"customer_id = ? and placed_at > ?\", span: 1mo }", only_bucket, "only narrows `placed_at`");
    let sharded = "    t: { holds: Order, partition_key: [status, { shard: order_id, into: 16 }], clustering: [order_id] }";
    served("{ find: Order, where: \"status = ?\" }", sharded, "cql.t [16]");
    served("{ find: Order, where: \"status = ? and order_id = ?\" }", sharded, "cql.t [1]");
    let newest =
        "    t: { holds: Order, partition_key: { bucket: placed_at, by: hour }, clustering: [placed_at desc, order_id] }";
    // 10K a day are 417 an hour: 1000 lie in 3 hours.
    served(
        "{ find: Order, order: placed_at desc, limit: 1000 }",
        newest,
        "cql.t [3] SELECT * FROM shop.t WHERE placed_at_hour = :placed_at_hour ORDER BY",
    );
    refused(
        "{ find: Order, order: placed_at desc, limit: 10 }",
        BY_CUSTOMER,
        "`{ holds: Order, partition_key: [{ bucket: placed_at, by: day }], clustering: [placed_at desc, order_id] }`",
    );
}

#[test]
fn entities_in_one_table_are_kept_apart() {
    let apart = "
    t:
      holds:
        Order: { pk: \"{customer_id}\", sk: \"ORDER#{order_id}\" }
        Invoice: { pk: \"{customer_id}\", sk: \"INVOICE#{number:08}\" }
      partition_key: pk
      clustering: [sk]";
    served("{ find: Order, where: \"customer_id = ?\" }", apart, "WHERE pk = :customer_id AND sk >= 'ORDER#' AND sk < 'ORDER$'");
    served("{ find: Order, where: \"customer_id = ? and order_id = ?\" }", apart, "WHERE pk = :customer_id AND sk = :sk");
    served("{ find: Invoice, where: \"customer_id = ?\", order: number desc, limit: 3 }", apart, "ORDER BY sk DESC LIMIT 3");
    served("{ find: [Order, Invoice], where: \"customer_id = ?\" }", apart, "FROM shop.t WHERE pk = :customer_id");
    let together = "
    t:
      holds:
        Order: { pk: \"{customer_id}\", sk: \"{order_id}\" }
        Invoice: { pk: \"{customer_id}\", sk: \"I#{number:08}\" }
      partition_key: pk
      key_types: { pk: uuid, sk: text }
      clustering: [sk]";
    let mixed = outcome(&orders(
        "    p: { find: Order, where: \"customer_id = ?\" }",
        &together.replace("I#{number:08}", "{number:08}-i"),
    ));
    assert!(mixed.explained("cannot-separate").contains("rows of `Invoice`"), "{}", mixed.explained("cannot-separate"));
}

#[test]
fn a_constant_is_written_as_its_type() {
    let constant = "
    t:
      holds: { Order: { kind: 7, tag: \"it's\" } }
      partition_key: [kind, tag]
      key_types: { kind: int }
      clustering: [placed_at desc, order_id]";
    served(
        "{ find: Order, order: placed_at desc, limit: 5 }",
        constant,
        "[1] SELECT * FROM shop.t WHERE kind = 7 AND tag = 'it''s' ORDER BY placed_at DESC LIMIT 5",
    );
}

#[test]
fn of_several_that_serve_the_best_is_taken() {
    let two =
        format!("{BY_CUSTOMER}\n    again: {{ holds: Order, partition_key: customer_id, clustering: [placed_at, order_id] }}");
    let text = |via: &str| orders(&format!("    p: {{ find: Order, where: \"customer_id = ?\"{via} }}"), &two);
    // Without an order both are alike; with one, the table that lies that way is taken.
    let alike = outcome(&text(""));
    assert!(alike.explained("ambiguous-pattern").contains("`cql.by_customer` and `cql.again`"));
    assert!(outcome(&text(", order: placed_at desc")).served("p")[0].starts_with("cql.by_customer"));
    assert!(outcome(&text(", order: placed_at")).served("p")[0].starts_with("cql.again"));
    let chosen = outcome(&text(", via: cql.again"));
    assert_eq!(chosen.errors(), [] as [&str; 0]);
    assert!(chosen.served("p")[0].starts_with("cql.again"));
    assert!(outcome(&text(", order: placed_at, via: cql.again")).explained("via-needless").contains("would be chosen anyway"));
    let wrong = outcome(&orders("    p: { find: Order, where: \"order_id = ?\", via: cql.by_customer }", BY_CUSTOMER));
    assert!(wrong.explained("via-cannot-serve").contains("its partition key needs `customer_id`"));
}

#[test]
fn what_is_unserved_is_not_served() {
    let outcome = outcome(&orders("    p: { find: Order, where: \"customer_id = ?\", unserved: \"Search.\" }", BY_CUSTOMER));
    assert!(outcome.explained("unserved-but-served").contains("`cql.by_customer` does"));
    let search = super::outcome(&orders("    p: { find: Order, where: \"total = ?\", unserved: \"Search.\" }", BY_CUSTOMER));
    assert_eq!(search.errors(), [] as [&str; 0]);
    assert_eq!(search.served("p"), [] as [&str; 0]);
}

#[test]
fn a_filter_stays_in_the_partition() {
    served(
        "{ find: Order, where: \"customer_id = ?\", filter: \"total > 100\", keeps: 80% }",
        BY_CUSTOMER,
        "WHERE customer_id = :customer_id AND total > 100 ALLOW FILTERING",
    );
    let wrong = outcome(&orders("    p: { find: Order, where: \"customer_id = ?\", filter: \"total != 100\" }", BY_CUSTOMER));
    assert!(wrong.explained("filter-scans").contains("CQL has no such filter"));
}

#[test]
fn a_when_leaves_rows_out() {
    let table = "
    t:
      holds: { Order: { k: { template: \"C#{customer_id}\", when: \"status = 'OPEN'\" } } }
      partition_key: k
      clustering: [order_id]";
    let find = |condition: &str| outcome(&orders(&format!("    p: {{ find: Order, where: \"{condition}\" }}"), table));
    assert_eq!(find("customer_id = ? and status = 'OPEN'").served("p"), ["cql.t [1] SELECT * FROM shop.t WHERE k = :k"]);
    let lacks = "it holds only rows with `status = 'OPEN'`, which the pattern does not ask for";
    assert!(find("customer_id = ?").explained("pattern-unserved").contains(lacks));
    assert!(find("customer_id = ? and status = 'SHIPPED'").errors()[0].starts_with("pattern-unserved"));
    let scan = outcome(&orders("    p: { scan: Order, reason: report }", table));
    assert!(scan.explained("pattern-unserved").contains(lacks));
    // A delete of rows that are not there does no harm; an update would make them.
    let delete = outcome(&orders("    p: { delete: Order, where: \"customer_id = ?\" }", table));
    assert_eq!(delete.served("p"), ["cql.t [1] DELETE FROM shop.t WHERE k = :k"]);
    let update = |set: &str, given: &str| {
        let pattern = format!("    p: {{ update: Order, where: \"order_id = ? and customer_id = ?{given}\", set: [{set}] }}");
        outcome(&orders(&pattern, table))
    };
    assert!(update("total", "").explained("write-needs-read").contains("must read `status`"));
    assert_eq!(update("total", " and status = 'OPEN'").diagnostics, []);
    assert!(update("status", "").explained("key-attribute-updated").contains("sets `status`, which decides what is in `cql.t`"));
}

#[test]
fn lists_are_as_long_as_an_engine_takes_them() {
    let table = "    t: { holds: Order, partition_key: customer_id, clustering: [placed_at, order_id] }";
    let on = |engine: &str, condition: &str, size: u64| {
        let pattern = format!("    p: {{ find: Order, where: \"{condition}\", batch_size: {size} }}");
        let text = orders(&pattern, table).replace("cassandra-5.0", engine);
        let text = if engine == "keyspaces" { text.replace("{ replication: { dc1: 3 } }", "{}") } else { text };
        outcome(&text).errors()
    };
    let partition = "customer_id in ?";
    let rows = "customer_id = ? and placed_at in ? and order_id in ?";
    assert_eq!(on("cassandra-5.0", partition, 101), [] as [&str; 0]);
    let lists = |keys: u64| format!("batch-too-large: `p` lists {keys} keys in one request; at most 100 are possible");
    for engine in ["scylla-2026.1", "keyspaces"] {
        assert_eq!(on(engine, partition, 100), [] as [&str; 0]);
        assert_eq!(on(engine, partition, 101), [lists(101)]);
    }
    assert_eq!(on("scylla-2026.1", rows, 11), [lists(121)]);
    assert_eq!(on("keyspaces", rows, 11), [] as [&str; 0]);
}

#[test]
fn a_filter_that_is_not_served_is_told_by_its_reason() {
    let table =
        "    t: { holds: Order, partition_key: customer_id, clustering: [order_id], indexes: { by_status: { column: status } } }";
    let said = |pattern: &str| outcome(&orders(&format!("    p: {{ {pattern} }}"), table)).explained("filter-scans");
    let operator = said("find: Order, where: \"customer_id = ?\", filter: \"total != 3\"");
    assert!(operator.starts_with("the filter of `p` is none that CQL has"), "{operator}");
    assert!(operator.contains("CQL has no such filter") && !operator.contains("table would serve it"), "{operator}");
    let scan = said("scan: Order, reason: report, filter: \"total = 3\"");
    assert!(scan.contains("`total` would be filtered over the whole table"), "{scan}");
    let index = said("find: Order, where: \"status = ?\", filter: \"total = 3\"");
    assert!(index.contains("more than the partitions that the key names"), "{index}");
}
