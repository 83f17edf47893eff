//! The worst of a table's changes, and what all of them lose.

use super::native::module;
use super::{changes, read, words};
use crate::diff::{Deploying, Effect, Loss, Needs, Plan};
use crate::read::cql;
use crate::schema::{Backend, Engine, Schema};
use std::sync::Arc;

/// What a plan says of the one table that it changes.
fn table(previous: &Schema, next: &Schema, backend: Backend) -> String {
    let mut plan = Plan::default();
    plan.add(changes(previous, next, &[backend]));
    plan.tables.iter().map(|table| words(&table.effects[&backend])).collect()
}

#[test]
fn a_table_loses_what_all_of_its_changes_lose() {
    let replica = "  replica {\n    region_name = \"eu-west-1\"\n  }\n";
    let recovery = |on: &str| format!("  point_in_time_recovery {{\n    enabled = {on}\n  }}\n");
    let index = "  attribute {\n    name = \"a\"\n    type = \"S\"\n  }\n  global_secondary_index {\n    name = \"by_a\"\n    \
                 hash_key = \"a\"\n    projection_type = \"ALL\"\n  }\n";
    let previous = module(&format!("{replica}{}", recovery("true")), "");
    for body in [recovery("false"), format!("{}{index}", recovery("false"))] {
        let told = table(&previous, &module(&body, ""), Backend::TerraformAws5);
        assert_eq!(told, "InPlace/Applies/[Replica, History]", "{body}");
    }
    let cql = |text: &str| read("schema.cql", text, cql::read);
    let previous = cql("CREATE TABLE s.t (id int PRIMARY KEY, a text, b text);");
    let next = cql("CREATE TABLE s.t (id int PRIMARY KEY, a text) WITH compaction = {'class': 'LeveledCompactionStrategy'};");
    assert_eq!(table(&previous, &next, Backend::Cql(Engine::Cassandra50)), "InPlace/Applies/[Values]");
}

#[test]
fn what_blocks_is_worse_than_what_does_not_and_then_it_goes_by_what_deploying_does() {
    let effect = |needs, deploying, loses: &[Loss]| Effect { needs, deploying, loses: loses.to_vec(), ..Effect::unknown("") };
    let from_bad_to_worse = [
        effect(Needs::InPlace, Deploying::Applies, &[]),
        effect(Needs::IndexBuild, Deploying::Applies, &[]),
        effect(Needs::InPlace, Deploying::Applies, &[Loss::ExpiringItems]),
        effect(Needs::FollowUp, Deploying::Applies, &[]),
        effect(Needs::InPlace, Deploying::Applies, &[Loss::Values]),
        effect(Needs::Recreation, Deploying::Loops, &[]),
        effect(Needs::InPlace, Deploying::Ignores, &[]),
        effect(Needs::Stages, Deploying::Refuses, &[]),
        effect(Needs::Recreation, Deploying::Replaces, &[Loss::Items]),
    ]
    .map(Arc::new);
    for (better, worse) in from_bad_to_worse.iter().zip(&from_bad_to_worse[1..]) {
        for pair in [[better, worse], [worse, better]] {
            let together = Effect::together(pair).unwrap();
            assert_eq!((together.needs, together.deploying), (worse.needs, worse.deploying), "{}", words(better));
            let lost = |loss| pair.iter().any(|effect| effect.loses.contains(loss));
            assert!(better.loses.iter().chain(&worse.loses).all(|loss| together.loses.contains(loss)));
            assert!(together.loses.iter().all(lost));
        }
    }
}
