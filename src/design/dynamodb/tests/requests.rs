//! How much one request reads, and what is advised where nothing serves.

use super::lacks;
use super::reads::{ask, index};

#[test]
fn a_request_reads_a_hundred_keys() {
    let key = "  holds: Order\n  partition_key: customer\n  sort_key: id";
    let of = |condition: &str, size: u64| ask(&format!("find: Order, where: \"{condition}\", batch_size: {size}"), key).errors();
    assert_eq!(of("customer in ? and id in ?", 10), [] as [&str; 0]);
    let most = "batch-too-large: `p` reads 121 items by their keys in one request; at most 100 are possible";
    assert_eq!(of("customer in ? and id in ?", 11), [most]);
    // Each is a request of its own.
    assert_eq!(of("customer in ?", 101), [] as [&str; 0]);
}

#[test]
fn what_is_advised_would_help() {
    let help = |pattern: &str, table: &str| {
        let outcome = ask(pattern, table);
        let unserved = outcome.diagnostics.into_iter().find(|diagnostic| diagnostic.code.slug() == "pattern-unserved");
        unserved.unwrap().help.unwrap()
    };
    let keys_only = index("partition_key: region, projection: keys_only");
    assert!(
        help("find: Order, where: \"region = ?\", select: [price]", &keys_only).starts_with("add `price` to its `projection`")
    );
    let strong = help("find: Order, where: \"region = ?\", consistency: strong", &index("partition_key: region"));
    assert!(strong.starts_with("a table whose partition key is made of `region`"), "{strong}");
    let key = "  holds: Order\n  partition_key: customer\n  sort_key: id";
    let whole = "compare the whole key of a table with `=` or `in`, or read it outside a transaction";
    assert_eq!(help("find: Order, where: \"customer = ?\", consistency: transactional", key), whole);
    let filtered = "transaction: [{ find: Order, where: \"customer = ? and id = ?\", filter: \"number = 3\" }]";
    assert_eq!(help(filtered, key), "leave `filter` to the caller, or read it outside a transaction");
    lacks(&ask(filtered, key), "which takes no `filter`");
    assert!(help("scan: Order, reason: report, consistency: transactional", key).contains("outside transactions"));
}

#[test]
fn a_scan_reads_what_a_when_leaves_in() {
    let table = "  partition_key: pk\n  holds:\n    Order: { pk: { template: \"{id}\", when: \"status = 'OPEN'\" } }";
    lacks(&ask("scan: Order, reason: report", table), "holds only items with `status = 'OPEN'`");
}
