//! The tables that a model comes to, and what must hold of them.

use super::{designed, load, orders, outcome};

const PUT: &str = "    p: { put: Order }";

#[test]
fn a_table_has_its_columns_and_key() {
    let outcome = outcome(&orders(
        PUT,
        "
    t:
      description: Orders, \"by\" customer's name
      holds: Order
      columns: [status]
      partition_key: [customer_id, { bucket: placed_at, by: 10d, type: int }, { shard: order_id, into: 4 }]
      clustering: [placed_at desc, order_id]",
    ));
    let expected = "{\"name\":\"t\",\"columns\":{\"customer_id\":{\"type\":\"uuid\"},\"order_id\":{\"type\":\"uuid\"},\
        \"order_id_shard\":{\"type\":\"int\"},\"placed_at\":{\"type\":\"timestamp\"},\"placed_at_10d\":{\"type\":\"int\"},\
        \"status\":{\"type\":\"text\"}},\"partition_key\":[\"customer_id\",\"placed_at_10d\",\"order_id_shard\"],\
        \"clustering\":[{\"column\":\"placed_at\",\"descending\":true},{\"column\":\"order_id\"}],\
        \"options\":{\"comment\":\"Orders, \\\"by\\\" customer's name\"}}";
    assert_eq!(serde_json::to_string(outcome.table("t")).unwrap(), expected);
    let about = &outcome.table("t").about;
    assert!(about.span.is_some());
    for place in ["name", "partition_key", "clustering", "columns.status", "columns.order_id_shard"] {
        assert!(about.properties.contains_key(place), "{place}");
    }
}

#[test]
fn the_keyspace_is_named_and_replicated() {
    let text = orders(PUT, "    t: { holds: Order, partition_key: order_id }")
        .replace("keyspace: {", "keyspace: { name: \"shop_${stage}\",")
        .replace("entities:", "parameters: { stage: { values: [dev, prod], default: dev } }\nentities:");
    let mut model = load(&text);
    // The text does not take it yet.
    model.cql.as_mut().unwrap().keyspace.durable_writes = Some(false);
    let outcome = designed(&model);
    let schema = outcome.design.cql.values().next().unwrap();
    let (name, keyspace) = schema.keyspaces.first_key_value().unwrap();
    assert_eq!(name, "shop_dev");
    assert_eq!(schema.parameters.keys().collect::<Vec<_>>(), ["stage"]);
    assert_eq!(keyspace.durable_writes, Some(false));
    let replication: Vec<_> = keyspace.replication.iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(replication, ["class=NetworkTopologyStrategy", "dc1=3"]);
    let unset = super::outcome(&text.replace(", default: dev", ""));
    assert!(unset.explained("parameter-unset").contains("`stage`"));
}

#[test]
fn the_key_tells_rows_apart() {
    let outcome = outcome(&orders(PUT, "    t: { holds: Order, partition_key: customer_id, clustering: [placed_at] }"));
    assert!(outcome.explained("key-not-unique").contains("the key of `cql.t` lacks `order_id`"));
    // A shard of it is not it.
    let sharded = "    t: { holds: Order, partition_key: [customer_id, { shard: order_id, into: 4 }], clustering: [placed_at] }";
    assert!(super::outcome(&orders(PUT, sharded)).explained("key-not-unique").contains("`order_id`"));
}

#[test]
fn columns_have_one_type() {
    let both = "
    t:
      holds: { Order: { id: \"{order_id}\" }, Invoice: { id: \"{number}\" } }
      partition_key: customer_id
      clustering: [id]";
    assert!(outcome(&orders(PUT, both)).explained("key-type-differs").contains("`uuid` for `Order` and `int` for `Invoice`"));
    let differs = orders(PUT, "    t: { holds: { Order: { id: \"O#{order_id}\" }, Invoice: { id: \"I#{number}\" } }, partition_key: customer_id, clustering: [id] }")
        .replace("number: int, total: decimal", "number: int, total: int");
    assert!(outcome(&differs).explained("column-type-differs").contains("`decimal` for `Order` and `int` for `Invoice`"));
}

#[test]
fn a_key_column_is_made_from_something() {
    let missing = outcome(&orders(PUT, "    t: { holds: [Order, Invoice], partition_key: order_id, clustering: [customer_id] }"));
    assert!(missing.explained("key-attribute-missing").contains("`Invoice` has no attribute `order_id`"));
    let optional = orders(PUT, "    t: { holds: Order, partition_key: customer_id, clustering: [order_id] }")
        .replace("customer_id: uuid\n      placed_at", "customer_id: { type: uuid, optional: true }\n      placed_at");
    assert!(outcome(&optional).explained("optional-in-key").contains("`Order.customer_id` may be absent"));
}

#[test]
fn key_types_are_for_templates_and_constants() {
    let table = |made: &str, kind: &str| {
        let table = format!(
            "
    t:
      holds: {{ Order: {{ {made} }} }}
      partition_key: customer_id
      clustering: [k, order_id]
      key_types: {{ {kind} }}"
        );
        outcome(&orders("    p: { find: Order, where: \"customer_id = ?\" }", &table))
    };
    for (made, kind) in [
        ("k: 5", "k: smallint"),
        ("k: \"2026-11-30\"", "k: date"),
        ("k: \"O#{status}\"", "k: ascii"),
        ("k: \"{bucket(placed_at, day)}\"", "k: date"),
        ("k: \"{bucket(placed_at, year)}\"", "k: smallint"),
        ("k: \"{shard(order_id, 128)}\"", "k: tinyint"),
        ("k: O", "k: text, order_id: uuid"),
    ] {
        assert_eq!(table(made, kind).errors(), [] as [&str; 0], "{made} {kind}");
    }
    for (made, kind) in [
        ("k: \"{placed_at}\"", "k: text"),
        ("k: \"O#{status}\"", "k: int"),
        ("k: \"{shard(order_id, 4)}\"", "k: date"),
        ("k: \"{shard(order_id, 129)}\"", "k: tinyint"),
        ("k: \"{bucket(placed_at, hour)}\"", "k: date"),
        ("k: \"{bucket(placed_at, month)}\"", "k: smallint"),
        ("k: O", "order_id: text"),
    ] {
        assert!(table(made, kind).errors()[0].starts_with("key-type-differs"), "{made} {kind}");
    }
}

#[test]
fn a_constant_is_written_in_the_form_of_its_type() {
    for (kind, made, text) in [
        ("date", "\"2026-11-30\"", "'2026-11-30'"),
        ("int", "5", "5"),
        ("uuid", "\"123e4567-e89b-12d3-a456-426614174000\"", "123e4567-e89b-12d3-a456-426614174000"),
    ] {
        let table = format!(
            "
    t:
      holds: {{ Order: {{ k: {made} }} }}
      partition_key: k
      clustering: [order_id]
      key_types: {{ k: {kind} }}"
        );
        let patterns = "    p: { find: Order }\n    d: { delete: Order, where: \"order_id = ?\" }";
        let outcome = outcome(&orders(patterns, &table));
        assert_eq!(outcome.served("p"), [format!("cql.t [1] SELECT * FROM shop.t WHERE k = {text}")]);
        let delete = format!("cql.t [1] DELETE FROM shop.t WHERE k = {text} AND order_id = :order_id");
        assert_eq!(outcome.served("d"), [delete]);
    }
}
