//! Apache Cassandra as the judge of our CQL: it takes every statement, and what it then describes is what was meant.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

#[path = "support/cql_schema.rs"]
mod cql_schema;
mod judges;
#[path = "judges/cassandra/node.rs"]
mod node;

use camino::Utf8Path;
use judges::{files, generated, missing, model};
use libtest_mimic::{Arguments, Failed, Trial};
use node::{CASSANDRA_5_0, NoNode, Node};
use nosql_gen::emit::{Project, Templates, cql::emit};
use nosql_gen::schema::cql::Schema;
use std::collections::BTreeMap;
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
            Err(NoNode::Missing(why)) => {
                if first || judges::required() {
                    missing("Apache Cassandra", why);
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
    let emitted = |schema: &Schema| {
        let project = Project { name: "judged".to_owned(), description: None };
        emit(&project, engine, schema, &Templates::default()).unwrap().remove(0).text
    };
    let random =
        (0..SAMPLE).map(|seed| trial(format!("random_{seed}"), emitted(&cql_schema::schema(&cql_schema::choices(seed)))));
    let generated = generated().into_iter().flat_map(|(case, folder)| {
        let paths = files(&folder, |path| path.file_name() == Some("schema.cql"));
        paths.into_iter().map(move |path| (std::fs::read_to_string(path).unwrap(), format!("generate_{case}")))
    });
    let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
    let published = files(&root.join("models"), |path| path.extension() == Some("yaml"));
    let planned =
        files(&root.join("golden/plan"), |path| path.extension() == Some("yaml") && path.file_name() != Some("gen.yaml"));
    let designed = published.iter().chain(&planned).filter_map(|path| {
        let (_, design) = model(path)?;
        Some((emitted(design.cql.get(&engine)?), path.strip_prefix(root).unwrap().with_extension("").into_string()))
    });
    // Many cases begin alike: a text is judged once.
    let golden: BTreeMap<String, String> = generated.chain(designed).collect();
    assert!(golden.len() > 10, "the golden schemas are not found");
    let golden = golden.into_iter().map(|(text, name)| trial(name, text));
    let fixtures = ["five", "names", "shop"].map(|name| {
        let path = format!("{}/tests/fixtures/cassandra/{name}.5.0.9.original.cql", env!("CARGO_MANIFEST_DIR"));
        trial(format!("fixture_{name}"), std::fs::read_to_string(path).unwrap())
    });
    let trials = golden.chain(fixtures).chain(random).collect();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    // The node ends before the process does.
    drop(judge);
    conclusion.exit();
}
