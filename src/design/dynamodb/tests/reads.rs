//! Section 6.3, step by step: where a rule holds and where it does not.

use super::{Outcome, lacks, model, outcome, serves};
use crate::design::Operations;

const ORDER: &str = "
Order:
  key: id
  attributes:
    id: ulid
    customer: text
    email: text
    region: text
    status: { enum: [OPEN, SHIPPED] }
    placed_at: timestamp
    day: date
    number: int
    price: decimal
    seen: timeuuid
    tags: set<text>
    shipped_at: { type: timestamp, optional: true }
";

/// One pattern over one table of orders, which has the keys that are given.
pub(super) fn ask(pattern: &str, table: &str) -> Outcome {
    let table = format!("orders:\n{}", table.trim_matches('\n'));
    outcome(&model(ORDER, &format!("p: {{ {pattern} }}"), &table))
}

/// A table with the key `id` and one index.
pub(super) fn index(keys: &str) -> String {
    format!("  holds: Order\n  partition_key: id\n  global_secondary_indexes:\n    idx: {{ {keys} }}")
}

/// A table whose key is made by templates.
fn templates(pk: &str, sk: &str) -> String {
    format!("  partition_key: pk\n  sort_key: sk\n  holds:\n    Order: {{ pk: \"{pk}\", sk: \"{sk}\" }}")
}

#[test]
fn the_partition_key_needs_equality() {
    let by_region = index("partition_key: region, sort_key: placed_at");
    serves(&ask("find: Order, where: \"region = ?\"", &by_region), "dynamodb.orders.gsi.idx: Query region = :region");
    let outcome = ask("find: Order, where: \"placed_at > ?\"", &by_region);
    lacks(&outcome, "the nearest is gsi `idx` of `orders`, which needs `=` on `region`, which `where` lacks");
    assert_eq!(outcome.underlined("pattern-unserved"), "p");
    let outcome = ask("find: Order, where: \"region begins_with ?\"", &by_region);
    lacks(&outcome, "needs `=` on `region`, where the pattern has `begins_with`");
}

#[test]
fn a_list_of_values_is_one_request_for_each() {
    let by_region = index("partition_key: region, sort_key: placed_at");
    let outcome = ask("find: Order, where: \"region in ('EU', 'US')\", order: placed_at", &by_region);
    serves(&outcome, "dynamodb.orders.gsi.idx: Query region = each of ('EU', 'US')");
    assert_eq!(outcome.partitions("p"), Some(2));
    let outcome = ask("find: Order, where: \"id in ?\", batch_size: 25", "  holds: Order\n  partition_key: id");
    serves(&outcome, "dynamodb.orders: BatchGetItem id = each of :id");
    assert_eq!(outcome.partitions("p"), Some(25));
    // A sort key takes a list only as part of whole keys.
    let table = "  holds: Order\n  partition_key: region\n  sort_key: id";
    serves(
        &ask("find: Order, where: \"region = ? and id in ?\", batch_size: 9", table),
        "dynamodb.orders: BatchGetItem region = :region and id = each of :id",
    );
    lacks(&ask("find: Order, where: \"region = ? and placed_at in ?\", batch_size: 9", &by_region), "a sort key takes no `in`");
    // BatchGetItem keeps no order.
    lacks(&ask("find: Order, where: \"region = ? and id in ?\", order: id, batch_size: 9", table), "a sort key takes no `in`");
}

#[test]
fn buckets_are_walked() {
    let table = templates("{region}#{bucket(placed_at, month)}", "{placed_at}#{id}");
    let closed = "find: Order, where: \"region = ? and placed_at between :a and :b\"";
    serves(
        &ask(closed, &table),
        "dynamodb.orders: Query pk = \"{region}#{bucket(placed_at, month)}\" and sk between \"{:a}\" and \"{:b}\"",
    );
    assert_eq!(ask(closed, &table).partitions("p"), None);
    // ceil(90 days / 30 days) + 1
    assert_eq!(ask(&format!("{closed}, span: 90d"), &table).partitions("p"), Some(4));
    lacks(
        &ask("find: Order, where: \"region = ? and placed_at > ?\"", &table),
        "needs both ends of the range on `placed_at`, or `span`",
    );
    let open = ask("find: Order, where: \"region = ? and placed_at > ?\", span: 30d", &table);
    assert_eq!((open.errors(), open.partitions("p")), (Vec::new(), Some(2)));
    let newest = "find: Order, where: \"region = ?\", order: placed_at desc, limit: 10";
    serves(&ask(newest, &table), "dynamodb.orders: Query pk = \"{region}#{bucket(placed_at, month)}\", backward, limit 10");
    lacks(&ask("find: Order, where: \"region = ?\", order: placed_at desc", &table), "for the buckets of `pk`");
    lacks(&ask("find: Order, where: \"region = ?\", limit: 10", &table), "for the buckets of `pk`");
}

#[test]
fn a_bucket_alone_does_not_answer_a_condition() {
    // Items of the whole month lie there, and the sort key does not tell their times apart.
    let table = templates("{region}#{bucket(placed_at, month)}", "{id}");
    lacks(
        &ask("find: Order, where: \"region = ? and placed_at between :a and :b\"", &table),
        "does not answer `placed_at between :a and :b`: the partition key holds only a part of it",
    );
    // A day of a date is the date.
    let table = templates("{bucket(day, day)}", "{id}");
    serves(&ask("find: Order, where: \"day = ?\"", &table), "dynamodb.orders: Query pk = \"{bucket(day, day)}\"");
    // Where the item is named, its time only tells where it lies.
    let table = templates("{region}#{bucket(placed_at, month)}", "{id}");
    serves(
        &ask("find: Order, where: \"region = ? and placed_at = ? and id = ?\"", &table),
        "dynamodb.orders: GetItem pk = \"{region}#{bucket(placed_at, month)}\" and sk = :id",
    );
}

#[test]
fn shards_are_read_and_merged() {
    let table = templates("{region}#{shard(id, 8)}", "{placed_at}#{id}");
    let outcome = ask("find: Order, where: \"region = ?\", order: placed_at", &table);
    serves(&outcome, "dynamodb.orders: Query pk = \"{region}#{shard(id, 8)}\"");
    assert_eq!(outcome.partitions("p"), Some(8));
    let outcome = ask("find: Order, where: \"region = ? and id = ? and placed_at = ?\"", &table);
    assert_eq!((outcome.errors(), outcome.partitions("p")), (Vec::new(), Some(1)));
    // The shard does not tell one id from another.
    lacks(
        &ask("find: Order, where: \"region = ? and customer = ?\"", &table),
        "does not answer `customer = :customer`: it is not in the key",
    );
}

#[test]
fn the_sort_key_is_walked() {
    let table = templates("{customer}", "ORDER#{region}#{number:010}#{id}");
    let query = |rest: &str| format!("dynamodb.orders: Query pk = :customer{rest}");
    let asked = |condition: &str| ask(&format!("find: Order, where: \"customer = ?{condition}\""), &table);
    serves(&asked(""), &query(" and begins_with(sk, \"ORDER#\")"));
    serves(&asked(" and region = ?"), &query(" and begins_with(sk, \"ORDER#{region}#\")"));
    serves(&asked(" and region begins_with ?"), &query(" and begins_with(sk, \"ORDER#{:region}\")"));
    serves(
        &asked(" and region = 'EU' and number >= :from"),
        &query(" and sk between \"ORDER#EU#{:from:010}\" and \"ORDER#EU#\" (its last)"),
    );
    lacks(
        &asked(" and number = ?"),
        "does not answer `number = :number`: what stands before it in the sort key is not given by `=`",
    );
    lacks(&asked(" and region > ? and number = ?"), "does not answer `number = :number`");
    lacks(&asked(" and tags contains ?"), "no key finds what lies inside a value");
}

#[test]
fn a_range_needs_a_type_that_sorts() {
    let unpadded = templates("{customer}", "{number}#{id}");
    lacks(
        &ask("find: Order, where: \"customer = ? and number > ?\"", &unpadded),
        "a number in a text key sorts only when it is padded",
    );
    let seen = index("partition_key: customer, sort_key: seen");
    lacks(
        &ask("find: Order, where: \"customer = ?\", order: seen", &seen),
        "a `timeuuid` printed as text does not sort by its time",
    );
    // A number that is a key of its own sorts as a number.
    let number = index("partition_key: customer, sort_key: number");
    serves(
        &ask("find: Order, where: \"customer = ? and number > 5\", order: number", &number),
        "dynamodb.orders.gsi.idx: Query customer = :customer and number > 5",
    );
}

#[test]
fn a_range_that_leaves_out_an_end_needs_neighbours() {
    let asked = |attribute: &str| {
        let pattern = format!("find: Order, where: \"customer = ? and {attribute} >= :a and {attribute} < :b\"");
        ask(&pattern, &index(&format!("partition_key: customer, sort_key: {attribute}")))
    };
    serves(&asked("number"), "dynamodb.orders.gsi.idx: Query customer = :customer and number >= :a and number < :b");
    lacks(&asked("price"), "takes a range on `price` only with both ends included (`between`)");
}

#[test]
fn sparse_indexes_take_over_their_condition() {
    let table = "
  partition_key: id
  holds:
    Order: { gpk: { template: \"OPEN#{region}\", when: \"status = 'OPEN'\", present: 5% } }
  global_secondary_indexes:
    open: { partition_key: gpk, sort_key: placed_at }
";
    serves(
        &ask("find: Order, where: \"region = ? and status = 'OPEN'\"", table),
        "dynamodb.orders.gsi.open: Query gpk = \"OPEN#{region}\"",
    );
    lacks(
        &ask("find: Order, where: \"region = ?\"", table),
        "holds only items with `status = 'OPEN'`, which `where` does not ask for",
    );
    lacks(&ask("find: Order, where: \"region = ? and status = 'SHIPPED'\"", table), "holds only items with `status = 'OPEN'`");
    lacks(&ask("find: Order, where: \"region = ? and status = ?\"", table), "holds only items with `status = 'OPEN'`");
}

#[test]
fn optional_key_attributes_hide_items() {
    let shipped = index("partition_key: customer, sort_key: shipped_at");
    let outcome = ask("find: Order, where: \"customer = ?\"", &shipped);
    serves(&outcome, "dynamodb.orders.gsi.idx: Query customer = :customer");
    assert_eq!(
        outcome.messages("index-hides-items"),
        ["`p` on gsi `idx` of `orders` does not find items of `Order` without `shipped_at`"]
    );
    let outcome = ask("find: Order, where: \"customer = ? and shipped_at > ?\"", &shipped);
    assert_eq!(outcome.messages("index-hides-items"), [] as [&str; 0]);
}

#[test]
fn the_order_follows_the_prefix() {
    let table = templates("{customer}", "{region}#{placed_at}#{id}");
    let asked = |rest: &str| ask(&format!("find: Order, {rest}"), &table);
    let backward = asked("where: \"customer = ? and region = ?\", order: placed_at desc");
    serves(&backward, "dynamodb.orders: Query pk = :customer and begins_with(sk, \"{region}#\"), backward");
    let both = asked("where: \"customer = ?\", order: [region, placed_at]");
    serves(&both, "dynamodb.orders: Query pk = :customer");
    // What `=` fixes may stand anywhere in the order.
    let fixed = asked("where: \"customer = ? and region = ?\", order: [customer, region desc, placed_at]");
    assert_eq!(fixed.errors(), [] as [&str; 0]);
    lacks(&asked("where: \"customer = ?\", order: placed_at"), "does not sort by `placed_at`: another attribute comes first");
    lacks(&asked("where: \"customer = ?\", order: [region, placed_at desc]"), "a read goes in one direction");
    lacks(&asked("where: \"customer = ?\", order: price"), "does not sort by `price`");
    // One item is in any order.
    let one = ask("find: Order, where: \"id = ?\", order: price", "  holds: Order\n  partition_key: id");
    serves(&one, "dynamodb.orders: GetItem id = :id");
}

#[test]
fn an_index_carries_what_is_selected() {
    let by = |projection: &str| index(&format!("partition_key: customer, sort_key: placed_at, projection: {projection}"));
    let asked = |select: &str, projection: &str| {
        ask(&format!("find: Order, where: \"customer = ?\", select: [{select}]"), &by(projection))
    };
    // Keys of index and table are always there.
    serves(&asked("customer, placed_at, id", "keys_only"), "dynamodb.orders.gsi.idx: Query customer = :customer");
    serves(&asked("customer, status", "[status]"), "dynamodb.orders.gsi.idx: Query customer = :customer");
    lacks(&asked("customer, status, region", "[region]"), "does not carry `status`");
    lacks(&ask("find: Order, where: \"customer = ?\"", &by("[region]")), "does not carry `email`, `status`, `day`");
    lacks(
        &ask("find: Order, where: \"customer = ?\", select: [id], filter: \"region = 'EU'\", keeps: 60%", &by("keys_only")),
        "does not carry `region`",
    );
    // What a key spells out, bare or padded, can be read from it; in one case it cannot.
    let spelt = |template: &str| {
        let table = format!(
            "  partition_key: id\n  holds:\n    Order: {{ gpk: \"{template}\" }}\n  global_secondary_indexes:\n    idx: {{ partition_key: gpk, projection: keys_only }}"
        );
        ask("find: Order, where: \"customer = ?\", select: [customer]", &table)
    };
    serves(&spelt("C#{customer}"), "dynamodb.orders.gsi.idx: Query gpk = \"C#{customer}\"");
    lacks(&spelt("C#{lower(customer)}"), "does not carry `customer`");
}

#[test]
fn a_consistent_read_needs_a_table_or_a_local_index() {
    let by = index("partition_key: customer");
    lacks(&ask("find: Order, where: \"customer = ?\", consistency: strong", &by), "is eventually consistent");
    let local = "  holds: Order\n  partition_key: customer\n  sort_key: id\n  local_secondary_indexes:\n    placed: { sort_key: placed_at }";
    serves(
        &ask("find: Order, where: \"customer = ?\", order: placed_at, consistency: strong", local),
        "dynamodb.orders.lsi.placed: Query customer = :customer, consistent",
    );
    serves(
        &ask("find: Order, where: \"customer = ? and id = ?\", consistency: transactional", local),
        "dynamodb.orders: TransactGetItems customer = :customer and id = :id",
    );
    lacks(
        &ask("find: Order, where: \"customer = ?\", consistency: transactional", local),
        "is read by a whole key in a transaction",
    );
}

#[test]
fn without_where_only_constants_buckets_and_shards_will_do() {
    let table = templates("ALL#{bucket(placed_at, day)}", "{placed_at}#{id}");
    serves(
        &ask("find: Order, order: placed_at desc, limit: 5", &table),
        "dynamodb.orders: Query pk = \"ALL#{bucket(placed_at, day)}\", backward, limit 5",
    );
    lacks(&ask("find: Order, limit: 5", "  holds: Order\n  partition_key: id"), "needs `=` on `id`");
}

#[test]
fn a_filter_makes_a_query_and_names_no_key() {
    let table = "  holds: Order\n  partition_key: customer\n  sort_key: id";
    serves(
        &ask("find: Order, where: \"customer = ?\", filter: \"status = 'OPEN'\", keeps: 60%", table),
        "dynamodb.orders: Query customer = :customer, filter status = 'OPEN'",
    );
    let outcome = ask("find: Order, where: \"customer = ?\", filter: \"id > ?\", keeps: 60%", table);
    assert_eq!(outcome.messages("filter-on-key"), ["`p` filters `id`, a key attribute of table `orders`"]);
}

#[test]
fn a_whole_key_wins_and_a_table_before_an_index() {
    let table = "
  holds: Order
  partition_key: customer
  sort_key: id
  local_secondary_indexes:
    placed: { sort_key: placed_at }
  global_secondary_indexes:
    idx: { partition_key: id }
    also: { partition_key: id }
";
    let served = |pattern: &str| ask(pattern, table).served("p").join("; ");
    assert_eq!(
        served("find: Order, where: \"customer = ? and id = ?\""),
        "dynamodb.orders: GetItem customer = :customer and id = :id"
    );
    assert_eq!(served("find: Order, where: \"customer = ?\""), "dynamodb.orders: Query customer = :customer");
    let outcome = ask("find: Order, where: \"id = ?\"", table);
    let both = "`p` could be served by `dynamodb.orders.gsi.also` and `dynamodb.orders.gsi.idx`";
    assert_eq!(outcome.messages("ambiguous-pattern"), [both]);
    serves(
        &ask("find: Order, where: \"id = ?\", via: dynamodb.orders.gsi.idx", table),
        "dynamodb.orders.gsi.idx: Query id = :id",
    );
    let outcome = ask("find: Order, where: \"customer = ?\", via: dynamodb.orders", table);
    assert_eq!(outcome.messages("via-needless"), ["`p` would be served by table `orders` without `via`"]);
    let outcome = ask("find: Order, where: \"customer = ?\", via: dynamodb.orders.gsi.idx", table);
    assert_eq!(outcome.errors(), ["via-cannot-serve: dynamodb.orders.gsi.idx cannot serve `p`"]);
    assert_eq!(outcome.underlined("via-cannot-serve"), "dynamodb.orders.gsi.idx");
}

#[test]
fn several_attributes_are_walked_one_by_one() {
    // Multi-attribute keys are not generated yet; the proof already knows them, so it is asked directly.
    use super::super::candidate::Candidates;
    use super::super::{request::Request, serve::serve};
    let text = model(
        ORDER,
        "p: { find: Order, where: \"customer = ? and region = ? and placed_at > ?\", order: placed_at }",
        "
orders:
  holds: Order
  partition_key: id
  global_secondary_indexes:
    idx: { partition_key: customer, sort_key: placed_at }
",
    );
    let mut sources = crate::source::SourceMap::default();
    let file = sources.add("test.yaml", text);
    let mut loaded = crate::validate::load(&sources, file, &mut crate::diagnostic::Sink::default()).unwrap();
    let sort = |model: &mut crate::model::Model, names: &[&str]| {
        let index = &mut model.dynamodb.as_mut().unwrap().tables["orders"].global_indexes["idx"];
        let span = index.span;
        index.sort_key = names.iter().map(|name| crate::source::Spanned::new((*name).to_owned(), span)).collect();
    };
    let result = |model: &crate::model::Model| -> Result<String, Vec<String>> {
        let request = Request::new(&model.patterns["p"], vec![&model.entities["Order"]]);
        let all = Candidates::of(model, Operations::Written);
        let index = all.all.iter().find(|candidate| candidate.address.to_string() == "dynamodb.orders.gsi.idx").unwrap();
        let lacks = |lacks: Vec<super::super::lack::Lack>| lacks.iter().map(ToString::to_string).collect();
        serve(index, &request).map(|read| super::super::operation::read(&read)).map_err(lacks)
    };
    sort(&mut loaded, &["region", "placed_at"]);
    assert_eq!(result(&loaded), Ok("Query customer = :customer and region = :region and placed_at > :placed_at_from".to_owned()));
    sort(&mut loaded, &["placed_at", "region"]);
    let lacking = result(&loaded).unwrap_err();
    assert_eq!(lacking, ["does not answer `region = :region`: what stands before it in the sort key is not given by `=`"]);
}

#[test]
fn unserved_is_checked() {
    let table = "  holds: Order\n  partition_key: id";
    let outcome = ask("find: Order, where: \"email = ?\", unserved: \"The warehouse answers.\"", table);
    serves(&outcome, "");
    let outcome = ask("find: Order, where: \"id = ?\", unserved: \"The warehouse answers.\"", table);
    assert_eq!(outcome.errors(), ["unserved-but-served: `p` is said to be unserved, but table `orders` serves it"]);
}

#[test]
fn a_scan_reads_a_table() {
    let table = "  holds: Order\n  partition_key: id";
    serves(
        &ask("scan: Order, reason: \"Nightly export.\", segments: 4, consistency: strong", table),
        "dynamodb.orders: Scan orders, 4 segments, consistent",
    );
    let ambiguous = outcome(&model(
        ORDER,
        "p: { scan: Order, reason: \"Nightly export.\" }",
        "one: { holds: Order, partition_key: id }\ntwo: { holds: Order, partition_key: id }",
    ));
    assert_eq!(ambiguous.messages("ambiguous-pattern"), ["`p` could be served by `dynamodb.one` and `dynamodb.two`"]);
}

#[test]
fn a_count_that_nobody_keeps_is_not_read() {
    let outcome = ask("count: Order, where: \"customer = ?\"", "  holds: Order\n  partition_key: id");
    assert_eq!(outcome.messages("pattern-unserved"), ["no entity keeps the count of `Order` that `p` asks for"]);
}
