//! The tables that a model comes to.

use super::outcome;
use crate::schema::dynamodb::{Billing, KeyType, Keys, Projection, Throughput};
use crate::schema::{Text, Value};

const MODEL: &str = r#"
gen: 1
name: shop
parameters:
  environment: { values: [dev, prod], default: dev }
  protect: { type: bool, default: true }
entities:
  Order:
    key: id
    attributes: { id: ulid, customer: text, number: int, placed_at: timestamp, expires_at: timestamp, raw: blob }
access_patterns:
  get: { find: Order, where: "id = ?" }
  newest: { find: Order, where: "customer = ?", order: number desc, select: [id, customer, number, raw] }
  put: { put: Order }
dynamodb:
  defaults: { billing: provisioned, throughput: { read: 5, write: 6 }, tags: { team: shop } }
  tables:
    order_items:
      name: "${environment}-orders"
      partition_key: id
      holds: { Order: { zero: 0, gsk: "N#{number:010}", bare: "{number}" } }
      ttl: expires_at
      deletion_protection: ${protect}
      tags: { stage: "${environment}" }
      global_secondary_indexes:
        by_customer: { partition_key: customer, sort_key: number, projection: [raw] }
        by_zero: { partition_key: zero, sort_key: expires_at, throughput: { read: 1, write: 2 } }
        by_text: { partition_key: raw, sort_key: gsk, projection: keys_only }
        by_bare: { partition_key: placed_at, sort_key: bare }
"#;

#[test]
fn a_table_has_all_that_the_model_says() {
    let outcome = outcome(MODEL);
    let schema = outcome.design.dynamodb.as_ref().unwrap();
    let table = &schema.tables["order_items"];
    assert_eq!((table.terraform_name.as_str(), table.logical_id.as_str()), ("order_items", "OrderItems"));
    assert_eq!(table.name, Some(Text::decode("${environment}-orders")));
    let types: Vec<(&str, KeyType)> = table.attributes.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
    assert_eq!(
        types,
        [
            ("bare", KeyType::N),
            ("customer", KeyType::S),
            ("expires_at", KeyType::N),
            ("gsk", KeyType::S),
            ("id", KeyType::S),
            ("number", KeyType::N),
            ("placed_at", KeyType::S),
            ("raw", KeyType::B),
            ("zero", KeyType::N),
        ]
    );
    assert_eq!(table.billing, Some(Billing::Provisioned));
    let capacity = |read, write| Some(Throughput { read: Value::Literal(read), write: Value::Literal(write) });
    assert_eq!(table.throughput, capacity(5, 6));
    assert_eq!(table.global_indexes["by_customer"].throughput, capacity(5, 6));
    assert_eq!(table.global_indexes["by_zero"].throughput, capacity(1, 2));
    assert_eq!(table.global_indexes["by_customer"].projection, Projection::Include(["raw".to_owned()].into()));
    assert_eq!(table.global_indexes["by_text"].sort_key, Keys::one("gsk"));
    assert_eq!(table.ttl.as_ref().map(|ttl| (ttl.attribute.as_str(), ttl.enabled)), Some(("expires_at", true)));
    assert_eq!(table.point_in_time_recovery.as_ref().unwrap().enabled, Value::Literal(false));
    assert_eq!(table.deletion_protection, Some(Value::Parameter("protect".to_owned())));
    // Terraform allows no variable there.
    assert!(!table.prevent_destroy);
    assert_eq!(table.deletion_policy.as_deref(), Some("Retain"));
    assert_eq!(table.tags.keys().collect::<Vec<_>>(), ["stage", "team"]);
    assert_eq!(schema.parameters.keys().collect::<Vec<_>>(), ["environment", "protect"]);
    assert_eq!(table.about.serves, ["get"]);
    assert_eq!(table.global_indexes["by_customer"].about.serves, ["newest"]);
    let place = |property: &str| outcome.sources.snippet(table.about.properties[property]);
    assert_eq!((place("ttl"), place("partition_key")), ("expires_at", "id"));
    let index = &table.global_indexes["by_customer"].about;
    assert_eq!(outcome.sources.snippet(index.properties["projection"]), "[raw]");
    assert_eq!(outcome.sources.snippet(index.properties["sort_key"]), "number");
}

#[test]
fn the_order_of_keys_means_nothing() {
    let (get, newest) =
        ("  get: { find: Order, where: \"id = ?\" }\n", "  more: { find: Order, where: \"id = ?\", select: [id] }\n");
    let turned = outcome(&MODEL.replace(get, &format!("{newest}{get}"))).design.dynamodb;
    let straight = outcome(&MODEL.replace(get, &format!("{get}{newest}"))).design.dynamodb;
    assert_eq!(straight, turned);
    assert_eq!(straight.unwrap().tables["order_items"].about.serves, ["get", "more"]);
    assert_eq!(turned.unwrap().tables["order_items"].about.serves, ["get", "more"]);
}

#[test]
fn protection_written_out_is_also_terraforms() {
    let text =
        MODEL.replace("      deletion_protection: ${protect}\n", "").replace("  protect: { type: bool, default: true }\n", "");
    let design = outcome(&text).design;
    let table = &design.dynamodb.as_ref().unwrap().tables["order_items"];
    assert!(table.prevent_destroy);
    assert_eq!(table.deletion_protection, Some(Value::Literal(true)));
}
