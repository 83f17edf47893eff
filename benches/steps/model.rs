//! The model that is measured: what a table of a service usually has.

use std::fmt::Write as _;

/// A model of so many tables in each store: a string partition and sort key, two global indexes, TTL, point-in-time recovery,
/// tags and five access patterns each. `revision` 1 differs from 0 in a type and a projection of every table.
pub(crate) fn model(tables: usize, revision: u32) -> String {
    let (total, projection) = if revision == 0 { ("int", "keys_only") } else { ("bigint", "all") };
    let mut text = String::from("gen: 1\nname: bench\nentities:\n");
    each(&mut text, tables, |text, table| {
        write!(
            text,
            "  Order{table}:
    key: [customer_id, order_id]
    attributes:
      customer_id: text
      order_id: text
      status: text
      created_at: timestamp
      total: {total}
      expires_at: timestamp
"
        )
    });
    text.push_str("access_patterns:\n");
    each(&mut text, tables, |text, table| {
        write!(
            text,
            "  get-order-{table}: {{ find: Order{table}, where: \"customer_id = ? and order_id = ?\" }}
  orders-of-customer-{table}: {{ find: Order{table}, where: \"customer_id = ?\" }}
  orders-by-status-{table}: {{ find: Order{table}, where: \"status = ? and created_at >= ?\", select: [order_id], backend: dynamodb }}
  orders-by-total-{table}: {{ find: Order{table}, where: \"order_id = ? and total >= ?\", backend: dynamodb }}
  place-order-{table}: {{ put: Order{table} }}
"
        )
    });
    text.push_str("dynamodb:\n  defaults: { point_in_time_recovery: true, tags: { team: shop, service: orders } }\n  tables:\n");
    each(&mut text, tables, |text, table| {
        write!(
            text,
            "    orders_{table}:
      holds: Order{table}
      partition_key: customer_id
      sort_key: order_id
      ttl: expires_at
      global_secondary_indexes:
        by_status: {{ partition_key: status, sort_key: created_at, projection: {projection} }}
        by_total: {{ partition_key: order_id, sort_key: total }}
"
        )
    });
    text.push_str("cql:\n  engines: [cassandra-5.0]\n  keyspace: { replication: { dc1: 3 } }\n  tables:\n");
    each(&mut text, tables, |text, table| {
        write!(
            text,
            "    orders_{table}:
      holds: Order{table}
      partition_key: customer_id
      clustering: [order_id]
"
        )
    });
    text
}

fn each(text: &mut String, tables: usize, part: impl Fn(&mut String, usize) -> std::fmt::Result) {
    for table in 0..tables {
        part(text, table).expect("writing to a String does not fail");
    }
}
