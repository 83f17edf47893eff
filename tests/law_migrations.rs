//! The law of migrations: applied to the schema before, they give the next one, for any two schemas and every engine.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

#[path = "support/cql_evolve.rs"]
mod cql_evolve;
#[path = "support/cql_schema.rs"]
mod cql_schema;

use nosql_gen::diagnostic::Sink;
use nosql_gen::diff::{Action, Context, Pair, diff};
use nosql_gen::emit::{Project, Templates};
use nosql_gen::migrate::{Migration, migrate};
use nosql_gen::read::cql::{apply, statements};
use nosql_gen::schema::cql::{Schema, identifier};
use nosql_gen::schema::{Address, Backend, Engine, Family, Generation};
use nosql_gen::source::SourceMap;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The migration; None where the engine has no statement for a change of the pair.
fn migration(engine: Engine, pair: Pair<&Schema>) -> Option<Migration> {
    let project = Project { name: "law".to_owned(), environment: None, description: None };
    match migrate(&project, engine, pair, 1, &Templates::default()) {
        Ok(migration) => Some(migration),
        Err(problems) if problems.iter().all(|problem| problem.code.slug() == "migration-not-possible") => None,
        Err(problems) => panic!("{engine}: {problems:#?}"),
    }
}

/// Applies the files in their order to a schema, and looks at what each holds.
fn run(engine: Engine, previous: &Schema, migration: &Migration) -> Schema {
    let mut sources = SourceMap::default();
    let mut schema = previous.clone();
    for file in &migration.files {
        let id = sources.add(file.artifact.path.clone(), file.artifact.text.clone());
        let destructive = file.artifact.path.as_str().ends_with(".destructive.cql");
        assert_eq!(destructive, !file.destroys.is_empty(), "{}", file.artifact.text);
        for span in statements(&sources, id, &mut Sink::default()) {
            let statement = sources.snippet(span);
            let destroys = statement.starts_with("DROP TABLE") || statement.starts_with("DROP KEYSPACE");
            assert!(destructive || !destroys, "{statement}");
        }
        let mut sink = Sink::default();
        schema = apply(&sources, &[id], Some(engine), schema, &mut sink).unwrap_or_else(|| panic!("{:#?}", sink.diagnostics()));
    }
    schema
}

/// A file drops no table, keyspace or column without a change that says so and has to be meant.
fn destroys_what_is_shown(engine: Engine, pair: Pair<&Schema>, migration: &Migration) -> Result<(), TestCaseError> {
    let generation = |schema: &Schema| Generation::from([(Backend::Cql(engine), schema.clone().into())]);
    let context = Context { model: "law".to_owned(), ..Context::default() };
    let changes = diff(&context, Pair { previous: &generation(pair.previous), next: &generation(pair.next) });
    let several = pair.previous.keyspaces.len() > 1 || pair.next.keyspaces.len() > 1;
    for file in &migration.files {
        let meant = changes.iter().filter(|change| file.destroys.iter().any(|id| id == change.id()));
        let mut shown: BTreeSet<String> = BTreeSet::new();
        for change in meant {
            prop_assert!(change.blocks());
            shown.insert(change.address.table().to_string());
            shown.extend((change.action == Action::Rename).then(|| change.before.as_ref().unwrap().as_str().unwrap().to_owned()));
        }
        for (name, keyspace) in &pair.previous.keyspaces {
            for (key, table) in &keyspace.tables {
                let dropped = format!("DROP TABLE {}.{};\n", identifier(name), identifier(&table.name));
                // The model of next may call it otherwise.
                let next = pair.next.keyspaces.get(name).into_iter().flat_map(|keyspace| &keyspace.tables);
                let next = next.filter(|(_, other)| other.name == table.name).map(|(key, _)| key);
                let mut addresses = std::iter::once(key)
                    .chain(next)
                    .map(|key| Address::CqlTable(several.then(|| name.clone()), key.clone()).to_string());
                let is_shown = addresses.any(|address| shown.contains(&address)) || shown.contains(&table.name);
                prop_assert!(!file.artifact.text.contains(&dropped) || is_shown, "{shown:#?}\n{}", file.artifact.text);
            }
            let dropped = format!("DROP KEYSPACE {};\n", identifier(name));
            let is_shown = shown.contains(&Address::Keyspace(name.clone()).to_string()) || shown.contains(name);
            prop_assert!(!file.artifact.text.contains(&dropped) || is_shown, "{shown:#?}\n{}", file.artifact.text);
        }
    }
    Ok(())
}

/// Every change falls under a row of the table of effects, with its sources.
fn is_known(engine: Engine, pair: Pair<&Schema>) -> Result<(), TestCaseError> {
    let generation = |schema: &Schema| Generation::from([(Backend::Cql(engine), schema.clone().into())]);
    let pair = Pair { previous: &generation(pair.previous), next: &generation(pair.next) };
    for change in diff(&Context { model: "law".to_owned(), ..Context::default() }, pair) {
        // Several settings of Amazon Keyspaces at once are several changes in one property: no row speaks of all.
        let several = change.path.as_deref() == Some("options.custom_properties");
        // Which memtables there are, the configuration of the nodes says.
        let of_nodes = change.path.as_deref() == Some("options.memtable");
        for effect in change.effects.values().filter(|_| !several && !of_nodes) {
            prop_assert!(effect.rule.is_some(), "{engine}: {} {:?}: {}", change.address, change.path, effect.reason);
            prop_assert!(!effect.evidence.is_empty() && !effect.reason.is_empty());
        }
    }
    Ok(())
}

fn holds(engine: Engine, previous: &Schema, next: &Schema) -> Result<(), TestCaseError> {
    is_known(engine, Pair { previous, next })?;
    let Some(found) = migration(engine, Pair { previous, next }) else {
        prop_assert_ne!(engine.family(), Family::Cassandra, "it has a way for everything");
        return Ok(());
    };
    destroys_what_is_shown(engine, Pair { previous, next }, &found)?;
    let normal = |schema: &Schema| schema.as_written().normalise(engine);
    let reached = run(engine, previous, &found);
    prop_assert_eq!(normal(&reached), normal(next));
    let again = migration(engine, Pair { previous: &reached, next }).unwrap();
    prop_assert!(again.files.is_empty(), "a second migration has something to do: {:#?}", again.files);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_migration_leads_to_the_next_schema(
        choices in proptest::collection::vec(any::<u16>(), 0..400),
        changes in proptest::collection::vec(any::<u16>(), 0..200),
    ) {
        for engine in Engine::ALL {
            let (previous, next) = cql_evolve::pair(engine, &cql_schema::schema(engine, &choices), &changes);
            holds(engine, &previous, &next)?;
            holds(engine, &Schema::default(), &next)?;
        }
    }

    #[test]
    fn it_leads_from_any_schema_to_any_other(
        one in proptest::collection::vec(any::<u16>(), 0..400),
        other in proptest::collection::vec(any::<u16>(), 0..400),
    ) {
        for engine in Engine::ALL {
            let (previous, _) = cql_evolve::pair(engine, &cql_schema::schema(engine, &one), &[]);
            let (next, _) = cql_evolve::pair(engine, &cql_schema::schema(engine, &other), &[]);
            holds(engine, &previous, &next)?;
        }
    }
}
