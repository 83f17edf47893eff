//! Section 6.3 for entities that share a table: lists of entities, and one entity among others.

use super::{Outcome, lacks, model, outcome, serves};

const TWO: &str = "
Customer:
  key: customer
  attributes: { customer: text, name: text, orders: { type: int, count_of: Order, updated_by: place } }
Order:
  key: [customer, number]
  attributes: { customer: text, number: int }
Visit:
  key: [customer, at]
  attributes: { customer: text, at: timestamp }
";

/// One pattern over one table of customers, orders and visits, each with its sort key.
fn shop(pattern: &str, keys: [&str; 3], discriminator: &str) -> Outcome {
    let [customer, order, visit] = keys;
    let table = format!(
        "shop:\n  partition_key: pk\n  sort_key: sk\n{discriminator}  holds:\n    Customer: {{ pk: \"C#{{customer}}\", sk: \"{customer}\" }}\n    \
         Order: {{ pk: \"C#{{customer}}\", sk: \"{order}\" }}\n    Visit: {{ pk: \"C#{{customer}}\", sk: \"{visit}\" }}"
    );
    let place =
        "place:\n  transaction:\n    - { put: Order }\n    - { update: Customer, where: \"customer = ?\", increment: [orders] }";
    outcome(&model(TWO, &format!("p: {{ {pattern} }}\n{place}"), &table))
}

#[test]
fn a_list_is_one_request() {
    let both = "find: [Customer, Order], where: \"customer = ?\"";
    let served = |pattern: &str, keys| {
        let outcome = shop(pattern, keys, "");
        assert_eq!(outcome.errors(), [] as [&str; 0]);
        outcome.served("p").join("; ")
    };
    let query = |rest: &str| format!("dynamodb.shop: Query pk = \"C#{{customer}}\"{rest}");
    // The least condition: nothing, the common prefix, from the lowest to the highest.
    let all = "find: [Customer, Order, Visit], where: \"customer = ?\"";
    assert_eq!(served(all, ["A", "B#{number:010}", "C#{at}"]), query(""));
    assert_eq!(served(both, ["A#", "A#O#{number:010}", "V#{at}"]), query(" and begins_with(sk, \"A#\")"));
    assert_eq!(
        served(both, ["CUSTOMER", "ORDER#{number:010}", "VISIT#{at}"]),
        query(" and sk between \"CUSTOMER\" and \"ORDER#\"")
    );
    assert_eq!(
        served(
            "find: [Customer, Order], where: \"customer = ?\", order: number desc, limit: 5",
            ["Z", "O#{number:010}", "C#{at}"]
        ),
        query(" and sk between \"O#\" and \"Z\", backward, limit 5")
    );
}

#[test]
fn whole_keys_of_several_entities_are_one_batch() {
    let entities = "
User:
  key: name
  attributes: { name: text, about: text }
Profile:
  key: name
  attributes: { name: text, about: text }
";
    let table = "people:\n  partition_key: pk\n  holds: { User: { pk: \"U#{name}\" }, Profile: { pk: \"P#{name}\" } }";
    let of = |rest: &str| outcome(&model(entities, &format!("p: {{ find: [User, Profile], where: \"name = ?\"{rest} }}"), table));
    serves(&of(""), "dynamodb.people: BatchGetItem pk = \"U#{name}\"; pk = \"P#{name}\"");
    assert_eq!(of("").partitions("p"), Some(2));
    serves(&of(", consistency: transactional"), "dynamodb.people: TransactGetItems pk = \"U#{name}\"; pk = \"P#{name}\"");
    // A request that is filtered is a query, and that reads one partition.
    lacks(&of(", filter: \"about exists\", keeps: 90%"), "keeps `User` and `Profile` in different partitions");
}

#[test]
fn others_between_are_filtered_or_refused() {
    // The visit lies between customer and order.
    let both = "find: [Customer, Order], where: \"customer = ?\"";
    let keys = ["A", "C#{number:010}", "B#{at}"];
    let outcome = shop(both, keys, "");
    assert_eq!(outcome.errors(), ["cannot-separate: `p` on table `shop` would also return `Visit`"]);
    let outcome = shop(both, keys, "  discriminator: kind\n");
    assert_eq!(
        outcome.served("p").join("; "),
        "dynamodb.shop: Query pk = \"C#{customer}\" and sk between \"A\" and \"C#\", filter kind in ('Customer', 'Order')"
    );
    assert_eq!(outcome.messages("reads-other-entities"), ["`p` on table `shop` also reads `Visit`, which a filter removes"]);
}

#[test]
fn one_entity_is_told_from_the_others() {
    let visits = "find: Visit, where: \"customer = ?\"";
    let served = |keys, discriminator| shop(visits, keys, discriminator).served("p").join("; ");
    assert_eq!(
        served(["A", "B#{number:010}", "C#{at}"], ""),
        "dynamodb.shop: Query pk = \"C#{customer}\" and begins_with(sk, \"C#\")"
    );
    // A bare key has no prefix, so the partition comes with it.
    let outcome = shop(visits, ["A", "B#{number:010}", "{at}"], "");
    assert_eq!(outcome.errors(), ["cannot-separate: `p` on table `shop` would also return `Customer` and `Order`"]);
    // A range of times begins with a digit: letters are not in it, unless it is open above.
    let outcome = shop("find: Visit, where: \"customer = ? and at between :a and :b\"", ["A", "B#{number:010}", "{at}"], "");
    assert_eq!(outcome.served("p").join("; "), "dynamodb.shop: Query pk = \"C#{customer}\" and sk between :a and :b");
    let outcome = shop("find: Visit, where: \"customer = ? and at > ?\"", ["A", "B#{number:010}", "{at}"], "");
    assert_eq!(outcome.errors(), ["cannot-separate: `p` on table `shop` would also return `Customer` and `Order`"]);
}

#[test]
fn a_discriminator_is_told_apart_only_where_it_is_carried() {
    let table = |projection: &str| {
        format!(
            "shop:\n  partition_key: pk\n  sort_key: sk\n  discriminator: kind\n  holds:\n    \
             Customer: {{ pk: \"C#{{customer}}\", sk: A, gpk: \"{{customer}}\", gsk: Z }}\n    \
             Visit: {{ pk: \"C#{{customer}}\", sk: \"V#{{at}}\", gpk: \"{{customer}}\", gsk: \"{{at}}\" }}\n  \
             global_secondary_indexes:\n    idx: {{ partition_key: gpk, sort_key: gsk, projection: {projection} }}"
        )
    };
    let entities = TWO.replace(", orders: { type: int, count_of: Order, updated_by: place }", "");
    let of = |pattern: &str, projection: &str| outcome(&model(&entities, &format!("p: {{ {pattern} }}"), &table(projection)));
    let visits = "find: Visit, where: \"customer = ?\", via: dynamodb.shop.gsi.idx";
    assert_eq!(of(visits, "[kind]").messages("reads-other-entities").len(), 1);
    assert_eq!(of(visits, "keys_only").errors(), ["via-cannot-serve: dynamodb.shop.gsi.idx cannot serve `p`"]);
}

#[test]
fn a_list_has_one_range() {
    let visits = "find: [Customer, Visit], where: \"customer = ? and at > ?\"";
    let entities = "
Customer:
  key: [customer, at]
  attributes: { customer: text, at: timestamp }
Visit:
  key: [customer, at]
  attributes: { customer: text, at: timestamp, page: text }
";
    let of = |customer: &str, visit: &str| {
        let table = format!(
            "shop:\n  partition_key: pk\n  sort_key: sk\n  holds:\n    Customer: {{ pk: \"{{customer}}\", sk: \"{customer}\" }}\n    \
             Visit: {{ pk: \"{{customer}}\", sk: \"{visit}\" }}"
        );
        outcome(&model(entities, &format!("p: {{ {visits} }}"), &table))
    };
    let same = of("{at}#C", "{at}#V");
    serves(&same, "dynamodb.shop: Query pk = :customer and sk > \"{:at_from}\"");
    lacks(&of("C#{at}", "V#{at}"), "has no one condition on its sort key for `Customer` and `Visit`");
}

#[test]
fn a_list_has_to_share_a_partition_and_a_condition() {
    let table = "shop:\n  partition_key: pk\n  sort_key: sk\n  holds:\n    Customer: { pk: \"C#{customer}\", sk: A }\n    \
                 Order: { pk: \"O#{customer}\", sk: \"B#{number:010}\" }\n    Visit: { pk: \"C#{customer}\", sk: \"V#{at}\" }";
    let place = "place: { put: Order }";
    let entities = TWO.replace(", orders: { type: int, count_of: Order, updated_by: place }", "");
    let of = |pattern: &str, table: &str| outcome(&model(&entities, &format!("p: {{ {pattern} }}\n{place}"), table));
    lacks(&of("find: [Customer, Order], where: \"customer = ?\"", table), "keeps `Customer` and `Order` in different partitions");
    let absent = of(
        "find: [Customer, Order], where: \"customer = ?\"",
        "customers: { holds: Customer, partition_key: customer }\norders: { holds: Order, partition_key: customer, sort_key: number }",
    );
    lacks(&absent, "no DynamoDB table holds `Customer` and `Order` together");
}

#[test]
fn a_count_is_read_from_where_it_is_kept() {
    let outcome = shop("count: Order, where: \"customer = ?\"", ["A", "B#{number:010}", "C#{at}"], "");
    assert_eq!(outcome.served("p").join("; "), "dynamodb.shop: GetItem pk = \"C#{customer}\" and sk = \"A\"");
}
