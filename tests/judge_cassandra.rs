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
use node::{CASSANDRA_5_0, NoNode, Node};
use nosql_gen::diff::Pair;
use nosql_gen::emit::{Project, Templates, cql::emit};
use nosql_gen::migrate::migrate;
use nosql_gen::schema::cql::Schema;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// How many random schemas are tried.
const SAMPLE: u64 = 20;

/// The node of all trials; started by the first that needs it.
#[derive(Clone, Default)]
struct Judge(Arc<Mutex<Option<Result<Node, NoNode>>>>);

impl Judge {
    /// What it describes is what the text says.
    fn check(&self, text: &str) -> Result<(), Failed> {
        self.ask(|node| node.check(text))
    }

    /// It refuses the statement of a case, with the words that stand beside it.
    fn refuses(&self, case: &Utf8Path) -> Result<(), Failed> {
        let read = |name: &str| std::fs::read_to_string(case.join(name)).unwrap_or_default();
        self.ask(|node| {
            let said = node.refuses(&read("before.cql"), read("statement.cql").trim().trim_end_matches(';'))? + "\n";
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(case.join("refused.txt"), &said).unwrap();
            }
            let expected = read("refused.txt");
            if said == expected { Ok(()) } else { Err(format!("expected: {expected}came: {said}")) }
        })
    }

    fn ask(&self, question: impl FnOnce(&mut Node) -> Result<(), String>) -> Result<(), Failed> {
        let mut node = self.0.lock().unwrap();
        let first = node.is_none();
        match node.get_or_insert_with(|| Node::start(CASSANDRA_5_0)) {
            Ok(node) => question(node).map_err(Failed::from),
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
    let migrated =
        cases("migrate").into_iter().filter_map(|case| Some(trial(format!("migrate/{}", name(&case)), migrated(&case)?)));
    let evolved = (0..SAMPLE / 2).map(|seed| {
        let changes = cql_schema::choices(seed + SAMPLE);
        let (previous, next) = cql_evolve::pair(&cql_schema::schema(&cql_schema::choices(seed)), &changes);
        let pair = Pair { previous: &previous, next: &next };
        let project = Project { name: "judged".to_owned(), description: None };
        let migration = migrate(&project, engine, pair, 2, &Templates::default()).unwrap();
        let texts = migration.files.into_iter().map(|file| file.artifact.text);
        trial(format!("evolved_{seed}"), std::iter::once(emitted(&previous)).chain(texts).collect())
    });
    let refused = cases("refused").into_iter().map(|case| {
        let judge = judge.clone();
        Trial::test(format!("refused/{}", name(&case)), move || judge.refuses(&case))
    });
    let trials = golden.chain(fixtures).chain(random).chain(migrated).chain(evolved).chain(refused).collect();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    // The node ends before the process does.
    drop(judge);
    conclusion.exit();
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
fn migrated(case: &Utf8Path) -> Option<String> {
    let files = files(&case.join("expected").join(CASSANDRA_5_0.engine.name()), |name| name.ends_with(".cql"));
    let migrations = files.iter().map(|path| std::fs::read_to_string(path).unwrap());
    let migrations = migrations.reduce(|all, next| all + &next)?;
    let before = if let Ok(before) = std::fs::read_to_string(case.join("before.cql")) {
        before
    } else {
        let (model, design) = model(&case.join("previous.yaml"))?;
        let project = Project { name: model.name.value, description: None };
        let schema = design.cql.get(&CASSANDRA_5_0.engine)?;
        emit(&project, CASSANDRA_5_0.engine, schema, &Templates::default()).unwrap().remove(0).text
    };
    // Keyspaces of other cases are gone; those of this one may be left over.
    Some(format!("DROP KEYSPACE IF EXISTS shop;\n{before}\n{migrations}"))
}
