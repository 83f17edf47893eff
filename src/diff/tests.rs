//! What changes and effects are found, on whole generations.

mod anew;
mod blocks;
mod cql;
mod dynamodb;
mod expressions;
mod guards;
mod history;
mod indexes;
mod keyspaces;
mod laws;
mod moved;
mod names;
mod native;
mod never_accepted;
mod options;
mod overlooked;
mod refused;
mod regions;
mod releases;
mod replicated;
mod scaling;
mod scylla;
mod stacks;
mod unknown;
mod values;
mod views;
mod worst;

use super::{Change, Context, Deploying, Effect, Loss, Needs, Pair, diff};
use crate::diagnostic::Sink;
use crate::schema::{Backend, Generation, Schema};
use crate::source::{FileId, SourceMap};

const TERRAFORM: Backend = Backend::TerraformAws5;
const CLOUDFORMATION: Backend = Backend::CloudformationTable;

fn context() -> Context {
    Context { model: "shop".into(), ..Context::default() }
}

/// What a reader makes of a text.
fn read<S: Into<Schema>>(path: &str, text: &str, reader: impl FnOnce(&SourceMap, &[FileId], &mut Sink) -> Option<S>) -> Schema {
    let mut sources = SourceMap::default();
    let file = sources.add(path, text);
    let mut sink = Sink::default();
    reader(&sources, &[file], &mut sink).unwrap_or_else(|| panic!("{text}: {:?}", sink.diagnostics())).into()
}

/// One schema on some backends.
fn generation(schema: &Schema, backends: &[Backend]) -> Generation {
    backends.iter().map(|backend| (*backend, schema.clone())).collect()
}

fn changes(previous: &Schema, next: &Schema, backends: &[Backend]) -> Vec<Change> {
    diff(&context(), Pair { previous: &generation(previous, backends), next: &generation(next, backends) })
}

/// A change in few words: `address path rule needs/deploying/loses`.
fn told(change: &Change, backend: Backend) -> String {
    let effect = &change.effects[&backend];
    let path = change.path.as_deref().unwrap_or("-");
    format!("{} {path} {} {}", change.address, effect.rule.unwrap_or("?"), words(effect))
}

fn words(effect: &Effect) -> String {
    let Effect { needs, deploying, loses, .. } = effect;
    format!("{needs:?}/{deploying:?}/{loses:?}")
}

/// All changes on one backend in few words.
fn all(previous: &Schema, next: &Schema, backend: Backend) -> Vec<String> {
    changes(previous, next, &[backend]).iter().map(|change| told(change, backend)).collect()
}

#[test]
fn danger_is_what_the_definitions_of_blocks_and_warns_say() {
    let effect = |needs, deploying, loses: &[Loss]| Effect { needs, deploying, loses: loses.to_vec(), ..Effect::unknown("") };
    let blocks = [
        effect(Needs::InPlace, Deploying::Applies, &[Loss::Values]),
        effect(Needs::InPlace, Deploying::Ignores, &[]),
        effect(Needs::IndexRebuild, Deploying::Applies, &[Loss::IndexOffline]),
        effect(Needs::Nothing, Deploying::Refuses, &[]),
        effect(Needs::Unsupported, Deploying::Nothing, &[]),
        Effect::unknown(""),
    ];
    let warns = [
        effect(Needs::FollowUp, Deploying::Applies, &[]),
        effect(Needs::InPlace, Deploying::Applies, &[Loss::Index]),
        effect(Needs::InPlace, Deploying::Applies, &[Loss::ExpiringItems]),
    ];
    let safe = [
        effect(Needs::InPlace, Deploying::Applies, &[]),
        effect(Needs::IndexBuild, Deploying::Applies, &[]),
        effect(Needs::Nothing, Deploying::Unknown, &[]),
    ];
    assert!(blocks.iter().all(|effect| effect.blocks() && !effect.warns()));
    assert!(warns.iter().all(|effect| !effect.blocks() && effect.warns()));
    assert!(safe.iter().all(|effect| !effect.blocks() && !effect.warns()));
}
