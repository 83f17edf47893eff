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
use node::{NoNode, Node, RELEASES, Release};
use nosql_gen::emit::{Project, Templates, cql::emit};
use nosql_gen::schema::cql::Schema;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// How many random schemas are tried.
const SAMPLE: u64 = 20;

/// A release and the node of its trials, started by the first that needs it.
#[derive(Clone)]
struct Judge {
    release: Release,
    node: Arc<Mutex<Option<Result<Node, NoNode>>>>,
}

impl Judge {
    fn of(release: Release) -> Self {
        Self { release, node: Arc::default() }
    }

    fn check(&self, text: &str) -> Result<(), Failed> {
        let mut node = self.node.lock().unwrap();
        let first = node.is_none();
        match node.get_or_insert_with(|| Node::start(self.release)) {
            Ok(node) => node.check(text).map_err(Failed::from),
            Err(NoNode::Broken(why)) => Err(Failed::from(why.as_str())),
            Err(NoNode::Missing(why)) => {
                if first || judges::required() {
                    missing(&format!("Apache Cassandra {}", self.release.version), why);
                }
                Ok(())
            }
        }
    }

    fn trial(&self, name: &str, text: String) -> Trial {
        let judge = self.clone();
        Trial::test(format!("{}/{name}", self.release.engine), move || judge.check(&text))
    }
}

fn main() {
    let judges = RELEASES.map(Judge::of);
    let trials = judges.iter().flat_map(trials).collect();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    // The nodes end before the process does.
    drop(judges);
    conclusion.exit();
}

/// All that a release judges.
fn trials(judge: &Judge) -> Vec<Trial> {
    let Release { engine, version, .. } = judge.release;
    let emitted = |schema: &Schema| {
        let project = Project { name: "judged".to_owned(), description: None };
        emit(&project, engine, schema, &Templates::default()).unwrap().remove(0).text
    };
    let generated = generated().into_iter().filter_map(|(case, folder)| {
        let path = files(&folder, |path| path.ends_with(format!("cql/{engine}/schema.cql"))).pop()?;
        Some((std::fs::read_to_string(path).unwrap(), format!("generate_{case}")))
    });
    let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
    let published = files(&root.join("models"), |path| path.extension() == Some("yaml"));
    let planned = files(&root.join("golden/plan"), |path| path.extension() == Some("yaml") && path.file_name() != Some("gen.yaml"));
    let designed = published.iter().chain(&planned).filter_map(|path| {
        let (_, design) = model(path)?;
        Some((emitted(design.cql.get(&engine)?), path.strip_prefix(root).unwrap().with_extension("").into_string()))
    });
    // Many cases begin alike: a text is judged once.
    let golden: BTreeMap<String, String> = generated.chain(designed).collect();
    assert!(!golden.is_empty(), "the golden schemas of {engine} are not found");
    let mut trials: Vec<Trial> = golden.into_iter().map(|(text, name)| judge.trial(&name, text)).collect();
    for name in ["five", "names", "shop"] {
        let path = root.join(format!("tests/fixtures/cassandra/{name}.{version}.original.cql"));
        // `five` has what came with 5.0.
        if path.exists() {
            trials.push(judge.trial(&format!("fixture_{name}"), std::fs::read_to_string(path).unwrap()));
        }
    }
    // Random schemas use what only the latest release has.
    if version == RELEASES[0].version {
        let random = (0..SAMPLE).map(|seed| (format!("random_{seed}"), cql_schema::schema(&cql_schema::choices(seed))));
        trials.extend(random.map(|(name, schema)| judge.trial(&name, emitted(&schema))));
    }
    trials
}
