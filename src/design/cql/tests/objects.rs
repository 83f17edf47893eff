//! Indexes, views, static columns and counters: put into the loaded model, since its text does not take them yet.

use super::{designed, load, orders};
use crate::model::{AttributeType, CqlIndex, CqlView, Model, Order};
use crate::schema::Engine;
use crate::source::Spanned;

fn index(model: &Model, column: &str, sai: bool) -> CqlIndex {
    let span = model.name.span;
    CqlIndex {
        span,
        description: None,
        column: Spanned::new(column.into(), span),
        sai,
        target: None,
        local: false,
        options: [].into(),
        renamed_from: None,
        allow: Vec::new(),
    }
}

fn with_indexes(pattern: &str, indexes: &[(&str, bool)], engine: Engine) -> Model {
    let mut model = load(&orders(&format!("    p: {pattern}"), "    t: { holds: Order, partition_key: order_id }"));
    let made: Vec<_> = indexes.iter().map(|(column, sai)| (format!("{column}_idx"), index(&model, column, *sai))).collect();
    let cql = model.cql.as_mut().unwrap();
    cql.tables["t"].indexes.extend(made);
    cql.engines[0].value = engine;
    model
}

#[test]
fn an_index_serves_what_its_engine_serves() {
    let both = "{ find: Order, where: \"customer_id = ? and total > ?\" }";
    let indexes = [("customer_id", true), ("total", true)];
    let combined = designed(&with_indexes(both, &indexes, Engine::Cassandra50));
    assert_eq!(combined.errors(), [] as [&str; 0]);
    assert!(combined.served("p")[0].starts_with("cql.t.index.customer_id_idx [?] SELECT * FROM shop.t WHERE"));
    assert!(combined.explained("index-without-partition").contains("on every node"));
    for engine in [Engine::Cassandra41, Engine::Scylla20261, Engine::Keyspaces] {
        let refused = designed(&with_indexes(both, &indexes, engine));
        assert!(refused.explained("pattern-unserved").contains("its partition key needs `order_id`"), "{engine}");
    }
    let one = "{ find: Order, where: \"customer_id = ?\" }";
    assert_eq!(designed(&with_indexes(one, &[("customer_id", false)], Engine::Cassandra40)).errors(), [] as [&str; 0]);
    // A legacy index knows no range, none has an order, and inside a partition it goes to no other node.
    let range = with_indexes("{ find: Order, where: \"total > ?\" }", &[("total", false)], Engine::Cassandra50);
    designed(&range).one("pattern-unserved");
    let ordered = with_indexes("{ find: Order, where: \"customer_id = ?\", order: placed_at }", &indexes, Engine::Cassandra50);
    designed(&ordered).one("pattern-unserved");
    let inside = with_indexes("{ find: Order, where: \"order_id = ? and customer_id = ?\" }", &indexes, Engine::Cassandra50);
    let inside = designed(&inside);
    assert_eq!(inside.diagnostics, []);
    assert!(inside.served("p")[0].starts_with("cql.t.index.customer_id_idx [1]"));
}

#[test]
fn engines_that_differ_are_named() {
    let mut model = with_indexes("{ find: Order, where: \"customer_id = ?\" }", &[("customer_id", true)], Engine::Cassandra50);
    let engines = &mut model.cql.as_mut().unwrap().engines;
    engines.push(Spanned::new(Engine::Keyspaces, engines[0].span));
    let outcome = designed(&model);
    assert!(outcome.explained("pattern-unserved").contains("on keyspaces"));
    assert!(outcome.explained("index-without-partition").contains("on cassandra-5.0"));
    assert_eq!(outcome.design.cql.len(), 2);
    assert_eq!(outcome.design.coverage.len(), 1);
}

#[test]
fn a_view_comes_after_tables_and_lags() {
    let model = |consistency: &str| {
        let pattern = format!("    p: {{ find: Order, where: \"customer_id = ?\"{consistency} }}");
        let mut model = load(&orders(&pattern, "    t: { holds: Order, partition_key: order_id }"));
        let span = model.name.span;
        let view = CqlView {
            span,
            description: None,
            partition_key: vec![Spanned::new("customer_id".into(), span)],
            clustering: vec![Order { attribute: Spanned::new("order_id".into(), span), descending: false }],
            columns: None,
            options: [].into(),
            renamed_from: None,
            allow: Vec::new(),
        };
        model.cql.as_mut().unwrap().tables["t"].views.insert("v".into(), view);
        model
    };
    let outcome = designed(&model(""));
    assert_eq!(outcome.served("p"), ["cql.t.view.v [1] SELECT * FROM shop.v WHERE customer_id = :customer_id"]);
    assert_eq!(outcome.table("t").views["v"].about.serves, ["p"]);
    assert!(designed(&model(", consistency: strong")).explained("pattern-unserved").contains("lags behind its table"));
}

#[test]
fn a_static_entity_has_one_row_a_partition() {
    let table = "    t: { holds: Invoice, partition_key: customer_id, clustering: [number] }";
    let mut model = load(&orders("    p: { find: Customer, where: \"customer_id = ?\" }\n    q: { find: Invoice, where: \"customer_id = ?\" }\n    w: { put: Customer }", table)
        .replace("access_patterns:", "  Customer: { key: customer_id, attributes: { customer_id: uuid, name: text } }\naccess_patterns:"));
    let span = model.name.span;
    model.cql.as_mut().unwrap().tables["t"].static_entity = Some(Spanned::new("Customer".into(), span));
    let outcome = designed(&model);
    assert_eq!(outcome.errors(), [] as [&str; 0]);
    assert_eq!(outcome.served("p"), ["cql.t [1] SELECT customer_id, name FROM shop.t WHERE customer_id = :customer_id LIMIT 1"]);
    assert_eq!(outcome.served("w"), ["cql.t [1] INSERT INTO shop.t (customer_id, name) VALUES (:customer_id, :name)"]);
    assert!(outcome.table("t").columns["name"].is_static);
    assert!(!outcome.table("t").columns["total"].is_static);
}

#[test]
fn counters_stand_alone_and_are_added_to() {
    let counting = |pattern: &str, table: &str| {
        let mut model = load(&orders(&format!("    p: {pattern}"), table));
        model.entities["Invoice"].attributes["total"].kind = AttributeType::Counter;
        model
    };
    let alone = "    t: { holds: Invoice, partition_key: customer_id, clustering: [number] }";
    let added = designed(&counting("{ update: Invoice, where: \"customer_id = ? and number = ?\", increment: [total] }", alone));
    assert_eq!(added.errors(), [] as [&str; 0]);
    assert!(added.served("p")[0].contains("SET total = total + :total WHERE"));
    designed(&counting("{ put: Invoice }", alone)).one("counter-written");
    let mixed = "    t: { holds: [Invoice, Order], partition_key: customer_id, clustering: [number] }";
    let mut model = counting("{ put: Order }", mixed);
    let number = model.entities["Invoice"].attributes["number"].clone();
    model.entities["Order"].attributes.insert("number".into(), number);
    assert!(designed(&model).errors().iter().any(|error| error.starts_with("counter-mixed")));
}
