//! Apache Cassandra as the judge of our CQL: it takes every statement, and what it then describes is what was meant.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

#[path = "support/cql_schema.rs"]
mod cql_schema;
#[path = "judges/cassandra/node.rs"]
mod node;

use libtest_mimic::{Arguments, Failed, Trial};
use node::{CASSANDRA_5_0, NoNode, Node};
use nosql_gen::emit::{Project, Templates, cql::emit};
use std::sync::{Arc, Mutex};

/// How many random schemas are tried.
const SAMPLE: u64 = 20;

/// The node of all trials; started by the first that needs it.
#[derive(Clone, Default)]
struct Judge(Arc<Mutex<Option<Result<Node, NoNode>>>>);

impl Judge {
    fn check(&self, text: &str) -> Result<(), Failed> {
        let mut node = self.0.lock().unwrap();
        let first = node.is_none();
        match node.get_or_insert_with(|| Node::start(CASSANDRA_5_0)) {
            Ok(node) => node.check(text).map_err(Failed::from),
            Err(NoNode::Broken(why)) => Err(Failed::from(why.as_str())),
            Err(NoNode::Missing(why)) if std::env::var("CI").is_ok_and(|ci| ci == "true") => Err(Failed::from(why.as_str())),
            Err(NoNode::Missing(why)) => {
                if first {
                    println!("skipped: Apache Cassandra: {why}");
                }
                Ok(())
            }
        }
    }
}

fn main() {
    let judge = Judge::default();
    let engine = CASSANDRA_5_0.engine;
    let trial = |name: String, text: String| {
        let judge = judge.clone();
        Trial::test(name, move || judge.check(&text))
    };
    let random = (0..SAMPLE).map(|seed| {
        let schema = cql_schema::schema(&cql_schema::choices(seed));
        let project = Project { name: format!("random {seed}"), description: None };
        let text = emit(&project, engine, &schema, &Templates::default()).unwrap().remove(0).text;
        trial(format!("random_{seed}"), text)
    });
    let fixtures = ["five", "names", "shop"].map(|name| {
        let path = format!("{}/tests/fixtures/cassandra/{name}.5.0.9.original.cql", env!("CARGO_MANIFEST_DIR"));
        trial(format!("fixture_{name}"), std::fs::read_to_string(path).unwrap())
    });
    let trials = fixtures.into_iter().chain(random).collect();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    // The node ends before the process does.
    drop(judge);
    conclusion.exit();
}
