//! Apache Cassandra as the judge of our CQL: it takes every statement, and what it then describes is what was meant.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

#[path = "support/cql_evolve.rs"]
mod cql_evolve;
#[path = "support/cql_schema.rs"]
mod cql_schema;
mod judges;
#[path = "judges/cassandra/node.rs"]
mod node;

use camino::{Utf8Path, Utf8PathBuf};
use judges::{files, generated, missing, model};
use libtest_mimic::{Arguments, Failed, Trial};
use node::{NoNode, Node, RELEASES, Release};
use nosql_gen::diff::Pair;
use nosql_gen::emit::{Project, Templates, Verified, cql::emit};
use nosql_gen::migrate::migrate;
use nosql_gen::schema::Engine;
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

    /// What it describes is what the text says.
    fn check(&self, text: &str) -> Result<(), Failed> {
        self.ask(|node| node.check(text))
    }

    /// It refuses each statement of a case, with the words that stand beside it.
    fn refuses(&self, case: &Utf8Path) -> Result<(), Failed> {
        let read = |name: &str| std::fs::read_to_string(case.join(name)).unwrap_or_default();
        let golden = format!("{}.txt", self.release.engine);
        self.ask(|node| {
            let said = node.refuses(&read("before.cql"), &read("statement.cql"))?.join("\n") + "\n";
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(case.join(&golden), &said).unwrap();
            }
            let expected = read(&golden);
            if said == expected { Ok(()) } else { Err(format!("expected: {expected}came: {said}")) }
        })
    }

    fn ask(&self, question: impl FnOnce(&mut Node) -> Result<(), String>) -> Result<(), Failed> {
        let mut node = self.node.lock().unwrap();
        let first = node.is_none();
        match node.get_or_insert_with(|| Node::start(self.release)) {
            Ok(node) => question(node).map_err(Failed::from),
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
        let project = Project { name: "judged".to_owned(), environment: None, description: None };
        emit(&project, engine, schema, &Templates::default(), Verified::default()).unwrap().artifacts.remove(0).text
    };
    let generated = generated().into_iter().filter_map(|(case, folder)| {
        let path = files(&folder, |path| path.ends_with(format!("cql/{engine}/schema.cql"))).pop()?;
        Some((std::fs::read_to_string(path).unwrap(), format!("generate_{case}")))
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
    assert!(!golden.is_empty(), "the golden schemas of {engine} are not found");
    let mut trials: Vec<Trial> = golden.into_iter().map(|(text, name)| judge.trial(&name, text)).collect();
    for name in ["five", "names", "shop"] {
        let path = root.join(format!("tests/fixtures/cassandra/{name}.{version}.original.cql"));
        // `five` has what came with 5.0.
        if path.exists() {
            trials.push(judge.trial(&format!("fixture_{name}"), std::fs::read_to_string(path).unwrap()));
        }
    }
    // The latest release has most to say; the others are sampled.
    let sample = if version == RELEASES[0].version { SAMPLE } else { SAMPLE / 2 };
    let random = |seed| cql_schema::schema(engine, &cql_schema::choices(seed));
    trials.extend((0..sample).map(|seed| judge.trial(&format!("random_{seed}"), emitted(&random(seed)))));
    let evolved = (0..sample / 2).map(|seed| {
        let changes = cql_schema::choices(seed + SAMPLE);
        let (previous, next) = cql_evolve::pair(engine, &random(seed), &changes);
        let pair = Pair { previous: &previous, next: &next };
        let project = Project { name: "judged".to_owned(), environment: None, description: None };
        let migration = migrate(&project, engine, pair, 2, &Templates::default()).unwrap();
        let texts = migration.files.into_iter().map(|file| file.artifact.text);
        judge.trial(&format!("evolved_{seed}"), std::iter::once(emitted(&previous)).chain(texts).collect())
    });
    trials.extend(evolved);
    // A case says which engines refuse it by the files that hold their words.
    let refused = cases("refused").into_iter().filter(|case| case.join(format!("{engine}.txt")).exists());
    trials.extend(refused.map(|case| {
        let judge = judge.clone();
        Trial::test(format!("{engine}/refused/{}", name(&case)), move || judge.refuses(&case))
    }));
    let migrated = cases("migrate").into_iter().filter_map(|case| Some((name(&case).to_owned(), migrated(&case, engine)?)));
    trials.extend(migrated.map(|(name, text)| judge.trial(&format!("migrate/{name}"), text)));
    trials
}

/// The folders of the golden cases of a kind.
fn cases(kind: &str) -> Vec<Utf8PathBuf> {
    let folder = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(kind);
    let mut found: Vec<Utf8PathBuf> = folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()).collect();
    found.sort();
    assert!(found.len() > 10, "the cases of {folder} are not found");
    found
}

fn name(case: &Utf8Path) -> &str {
    case.file_name().unwrap_or_default()
}

/// The schema before and the statements of the migration, as they are run; None for a case without any on this engine.
fn migrated(case: &Utf8Path, engine: Engine) -> Option<String> {
    let files = files(&case.join("expected").join(engine.name()), |name| name.ends_with(".cql"));
    let migrations = files.iter().map(|path| std::fs::read_to_string(path).unwrap());
    let migrations = migrations.reduce(|all, next| all + &next)?;
    let before = if let Ok(before) = std::fs::read_to_string(case.join("before.cql")) {
        before
    } else {
        let (model, design) = model(&case.join("previous.yaml"))?;
        let project = Project { name: model.name.value, environment: None, description: None };
        let schema = design.cql.get(&engine)?;
        emit(&project, engine, schema, &Templates::default(), Verified::default()).unwrap().artifacts.remove(0).text
    };
    // Keyspaces of other cases are gone; those of this one may be left over.
    Some(format!("DROP KEYSPACE IF EXISTS shop;\n{before}\n{migrations}"))
}
