//! CPU time and peak memory of each step, on models of 1 to 10,000 tables: `cargo bench --bench steps -- [TABLES…]`.
//! `-- --model TABLES [REVISION]` prints the model instead. `benches/run` measures the whole process.

#![expect(clippy::print_stdout, clippy::expect_used, clippy::panic, reason = "a program that measures, not a part of gen")]

mod meter;
mod model;

use meter::{Reading, measure};
use mimalloc::MiMalloc;
use nosql_gen::baseline::{Digest, Lock};
use nosql_gen::design::{Design, Operations, design};
use nosql_gen::diagnostic::{Sink, Thresholds};
use nosql_gen::diff::{self, Context, Pair};
use nosql_gen::emit::{self, Artifact, Project, Templates, Verified};
use nosql_gen::schema::{Backend, Engine, Generation, Schema, TemplateFormat};
use nosql_gen::source::{FileId, SourceMap, parse};
use nosql_gen::{migrate, read, rules, validate};

/// As in the binary.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const ENGINE: Engine = Engine::Cassandra50;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = |text: &String| text.parse::<usize>().unwrap_or_else(|_| panic!("`{text}` is not a number"));
    if let [flag, tables, revision @ ..] = arguments.as_slice()
        && flag == "--model"
    {
        let revision = revision.first().map_or(0, number);
        print!("{}", model::model(number(tables), u32::try_from(revision).unwrap_or(u32::MAX)));
        return;
    }
    let mut sizes: Vec<usize> = arguments.iter().map(number).collect();
    if sizes.is_empty() {
        sizes = vec![1, 100, 1_000, 10_000];
    }
    println!("{:>7}  {:<9} {:>10} {:>10}", "tables", "step", "CPU ms", "peak MiB");
    for tables in sizes {
        for (step, reading) in steps(tables) {
            let peak = reading.peak.map_or_else(|| "?".to_owned(), |kib| format!("{:.1}", f64::from(kib) / 1024.0));
            println!("{tables:>7}  {step:<9} {:>10.2} {peak:>10}", reading.time.as_secs_f64() * 1e3);
        }
    }
}

/// A model that was read, with what it comes to.
struct Designed {
    model: nosql_gen::model::Model,
    design: Design,
}

fn steps(tables: usize) -> Vec<(&'static str, Reading)> {
    let mut readings = Vec::new();
    let mut step = |name: &'static str, reading: Reading| readings.push((name, reading));
    let mut sources = SourceMap::default();
    let (file, _) = measure(|| sources.add("models/bench.yaml", model::model(tables, 0)));
    let (loaded, load) = measure(|| parse(&sources, file, &mut Sink::default()));
    drop(loaded.expect("the model is YAML"));
    let mut sink = Sink::default();
    let (model, mut validated) = measure(|| validate::load(&sources, file, &mut sink).expect("the model is valid"));
    validated.time = validated.time.saturating_sub(load.time);
    step("load", load);
    step("validate", validated);
    let (design, designing) = measure(|| design(&model, Operations::LeftOut, &mut sink));
    step("design", designing);
    let designed = Designed { model, design };
    let ((), linted) =
        measure(|| rules::lint(&designed.model, &designed.design, &Thresholds::default(), rules::Wording::LeftOut, &mut sink));
    step("lint", linted);

    let project = Project { name: "bench".to_owned(), environment: None, description: None };
    let templates = Templates::default();
    let (generation, divided) = measure(|| generation(&project, &designed, &templates));
    step("divide", divided);
    let (artifacts, mut emitted) = measure(|| emit(&project, &generation, &templates));
    let ((), verified) = measure(|| verify(&artifacts));
    emitted.time = emitted.time.saturating_sub(verified.time);
    step("emit", emitted);
    step("verify", verified);

    let files = artifacts.iter().map(|file| (file.path.to_string(), Some(Digest::of(&file.text)))).collect();
    let lock = Lock { model: "bench".to_owned(), generation: generation.clone(), completed: Generation::new(), files };
    let (text, written) = measure(|| lock.to_string());
    step("write lock", written);
    drop((artifacts, lock));
    let lock = sources.add("infra/bench/gen.lock", text);
    let (previous, read) = measure(|| Lock::read(&sources, lock, &mut Sink::default()).expect("the lock is ours"));
    step("read lock", read);

    let changed = sources.add("models/bench.yaml", model::model(tables, 1));
    let next = self::generation(&project, &designed_of(&sources, changed), &templates);
    let pair = Pair { previous: &previous.generation, next: &next };
    let (changes, compared) = measure(|| diff::diff(&Context::default(), pair));
    assert!(changes.len() >= tables, "every table has changed");
    step("diff", compared);
    let pair = Pair { previous: cql(&previous.generation), next: cql(&next) };
    let (migration, migrated) = measure(|| migrate::migrate(&project, ENGINE, pair, 2, &templates));
    drop(migration);
    step("migrate", migrated);
    readings
}

fn designed_of(sources: &SourceMap, file: FileId) -> Designed {
    let mut sink = Sink::default();
    let model = validate::load(sources, file, &mut sink).expect("the model is valid");
    let design = design(&model, Operations::LeftOut, &mut sink);
    Designed { model, design }
}

/// The schema of each backend, its tables divided into CloudFormation templates.
fn generation(project: &Project, designed: &Designed, templates: &Templates) -> Generation {
    let mut dynamodb = designed.design.dynamodb.clone().expect("the model has tables of DynamoDB");
    emit::cloudformation::divide(project, &mut dynamodb, TemplateFormat::Yaml, templates);
    let dynamodb = Schema::from(dynamodb);
    let cql = designed.design.cql.get(&ENGINE).cloned().expect("the model has tables of CQL");
    [
        (Backend::TerraformAws5, dynamodb.clone()),
        (Backend::CloudformationTable, dynamodb),
        (Backend::Cql(ENGINE), Schema::from(cql)),
    ]
    .into()
}

fn cql(generation: &Generation) -> &nosql_gen::schema::cql::Schema {
    match generation.get(&Backend::Cql(ENGINE)) {
        Some(Schema::Cql(schema)) => schema,
        _ => panic!("the generation has CQL"),
    }
}

/// All three outputs, read back and compared.
fn emit(project: &Project, generation: &Generation, templates: &Templates) -> Vec<Artifact> {
    let rendered = generation.iter().map(|(backend, schema)| match schema {
        Schema::Dynamodb(schema) if *backend == Backend::TerraformAws5 => {
            emit::terraform::emit(project, schema, *backend, templates, Verified::default()).map(|rendered| rendered.artifacts)
        }
        Schema::Dynamodb(schema) => {
            emit::cloudformation::emit(project, schema, TemplateFormat::Yaml, templates, Verified::default())
                .map(|rendered| rendered.artifacts)
        }
        Schema::Cql(schema) => {
            emit::cql::emit(project, ENGINE, schema, templates, Verified::default()).map(|rendered| rendered.artifacts)
        }
    });
    rendered.flat_map(|files| files.expect("the templates lose nothing")).collect()
}

/// What of emitting is the reading back.
fn verify(artifacts: &[Artifact]) {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let mut of = |backend: Backend| -> Vec<FileId> {
        let files = artifacts.iter().filter(|file| file.backend == backend);
        files.map(|file| sources.add(file.path.clone(), file.text.clone())).collect()
    };
    let (terraform, template) = (of(Backend::TerraformAws5), of(Backend::CloudformationTable));
    let statements = of(Backend::Cql(ENGINE));
    read::terraform::read(&sources, &terraform, &mut sink).expect("what was printed can be read");
    read::cloudformation::read(&sources, &template, &mut sink).expect("what was printed can be read");
    read::cql::read(&sources, &statements, &mut sink).expect("what was printed can be read");
}
