use super::*;
use crate::diagnostic::{Code, Limits, Sink, codes};
use crate::schema::{Backend, Engine, TemplateFormat};
use crate::source::SourceMap;
use camino::Utf8Path;
use serde_json::json;
use std::fs;

fn read(text: &str) -> Result<Config, Vec<String>> {
    let mut sources = SourceMap::default();
    let file = sources.add(NAME, text);
    let mut sink = Sink::default();
    let config = load(&sources, file, &mut sink);
    let told = sink.into_sorted();
    config.ok_or_else(|| {
        told.iter()
            .map(|diagnostic| {
                let at = sources.position(diagnostic.primary.as_ref().unwrap().span);
                format!("{} {}:{} {}", diagnostic.code.slug(), at.line, at.column, diagnostic.message)
            })
            .collect()
    })
}

#[test]
fn the_smallest_file_is_the_defaults() {
    let mut default = Config::default();
    default.targets.terraform.as_mut().unwrap().provider = Some(Provider::Aws5);
    assert_eq!(read("gen: 1").unwrap(), default);
    let targets = Config::default().targets;
    assert_eq!(targets.dynamodb(), [Backend::TerraformAws5, Backend::CloudformationTable]);
    assert_eq!(targets.cql(Engine::Keyspaces), Some(Backend::Cql(Engine::Keyspaces)));
}

#[test]
fn everything_that_is_built_is_read() {
    let text = "gen: 1\r\nmodels: [a.yaml, shared/../b]\r\noutput: ./out/x\r\ntemplates: ../platform\r\n\
                targets: { terraform: {}, cloudformation: { format: json } }\r\nfail_on: never\r\n\
                vars: { team: t, owners: [{ name: x }], 7: 1.5, no: null }\r\n";
    let config = read(text).unwrap();
    assert_eq!(config.models, ["a.yaml", "shared/../b"]);
    assert_eq!((config.output.as_str(), config.templates.as_deref()), ("out/x", Some(Utf8Path::new("../platform"))));
    assert_eq!(config.targets.cloudformation.as_ref().unwrap().format, TemplateFormat::Json);
    assert_eq!(config.targets.cql(Engine::Cassandra50), None);
    let alone = read("gen: 1\ntargets: { keyspaces: cql }").unwrap().targets;
    assert_eq!(alone.cql(Engine::Keyspaces), Some(Backend::Cql(Engine::Keyspaces)));
    assert_eq!((alone.cql(Engine::Cassandra50), alone.dynamodb()), (None, vec![]));
    let environments = read("gen: 1\nenvironments:\n  prod: { set: { units: 1.50, on: true, name: p } }\n  dev:\n").unwrap();
    let environments = environments.environments;
    assert_eq!(environments.keys().collect::<Vec<_>>(), ["dev", "prod"]);
    let set: Vec<String> = environments["prod"].set.values().map(|setting| setting.value.to_string()).collect();
    assert_eq!(set, ["p", "true", "1.50"]);
    assert_eq!(
        serde_json::Value::from(config.vars),
        serde_json::json!({"team": "t", "owners": [{"name": "x"}], "7": 1.5, "no": null})
    );
    let config = read("gen: 1\nenvironments:\n  prod: { set: { units: 1.50, on: true, name: p } }\n  dev:\n").unwrap();
    assert_eq!(config.environments.keys().collect::<Vec<_>>(), ["dev", "prod"]);
    let set: Vec<String> = config.environments["prod"].set.values().map(|setting| setting.value.to_string()).collect();
    assert_eq!(set, ["p", "true", "1.50"]);
}

#[test]
fn all_errors_are_said_in_one_run() {
    let text = "\
gen: 2
model: [models]
models: models
output: ../infra
templates: /etc/templates
targets:
  terraform: { provider: aws-7 }
  cloudformation: { resource: globaltable }
  cql: { engine: x }
  keyspaces: pulumi
  terrafrom: {}
environments: { dev: { sets: {} }, Prod: { set: [a] }, cql: { set: { a: [1], b: 1.50, c: } } }
fail_on: critical
thresholds: { hot-partitions: { reason: r }, tombstones: { warn: 1K } }
vars: 7
";
    assert_eq!(
        read(text).unwrap_err(),
        [
            "unsupported-format 1:6 this gen reads format 1 of gen.yaml",
            "unknown-key 2:1 unknown key `model`",
            "wrong-shape 3:9 expected a list, found the text `models`",
            "bad-config 4:9 `output` leads out of the folder of gen.yaml",
            "bad-config 5:12 `/etc/templates` is not a path relative to gen.yaml",
            "wrong-shape 7:26 `aws-7` is none of `aws-5`, `aws-6`",
            "wrong-shape 8:31 `globaltable` is none of `table`, `global_table`",
            "unknown-key 9:10 unknown key `engine`",
            "wrong-shape 10:14 `pulumi` is none of `cql`, `terraform`, `cloudformation`",
            "unknown-key 11:3 unknown key `terrafrom`",
            "unknown-key 12:24 unknown key `sets`",
            "bad-config 12:36 `Prod` is no name of an environment, which is a folder",
            "wrong-shape 12:49 expected a map, found a list",
            "bad-config 12:56 an environment `cql` would be taken for a folder of generated files",
            "wrong-shape 12:73 expected text, found a list",
            "wrong-shape 12:88 expected text, found nothing",
            "wrong-shape 13:10 `critical` is none of `error`, `warning`, `info`, `never`",
            "unknown-key 14:15 no finding is called `hot-partitions`",
            "wrong-shape 14:58 `reason` is missing",
            "wrong-shape 15:7 expected a map, found a number",
        ]
    );
}

#[test]
fn thresholds_change_limits() {
    let thresholds = |text: &str| read(&format!("gen: 1\nthresholds: {{ {text} }}")).map(|config| config.thresholds);
    let given = thresholds("wide-fan-out: { warn: 100, reason: r }, large-batch: { warn: 10KB, error: 1MB, reason: r }").unwrap();
    let limits = |code| given.limits(code);
    assert_eq!(limits(codes::WIDE_FAN_OUT), Limits { warn: Some(100.0), error: None });
    assert_eq!(limits(codes::LARGE_BATCH), Limits { warn: Some(10_240.0), error: Some(1_048_576.0) });
    assert_eq!(limits(codes::TWCS_WINDOWS), Limits { warn: Some(30.0), error: Some(50.0) });
    // Of a rule that is not built.
    assert_eq!(
        thresholds("hot-partition: { warn: 60%, reason: r }").unwrap().limits(codes::HOT_PARTITION),
        Limits { warn: Some(0.6), error: Some(1.0) }
    );
    for (text, told) in [
        ("unused-index: { warn: 3, reason: r }", "bad-config 2:15 `unused-index` is made from no number, so it has no limits"),
        ("wide-fan-out: { reason: r }", "bad-config 2:15 no limit is given"),
        ("wide-fan-out: { warn: 3 }", "wrong-shape 2:29 `reason` is missing"),
        ("wide-fan-out: { warn: 3, reason: ' ' }", "bad-config 2:48 the reason is empty"),
        ("wide-fan-out: { warn: 3KB, reason: r }", "bad-value 2:38 `KB` is no unit here"),
        ("hot-partition: { warn: 101%, reason: r }", "bad-value 2:38 101% is more than 100%"),
        ("hot-partition: { warn: 60, reason: r }", "bad-value 2:38 `60` has no unit"),
        ("twcs-windows: { warn: 60, reason: r }", "bad-config 2:15 the limits of `twcs-windows` are in the wrong order"),
        (
            "short-gc-grace: { warn: 3d, error: 4d, reason: r }",
            "bad-config 2:15 the limits of `short-gc-grace` are in the wrong order",
        ),
        ("key-collision: { warn: 1, reason: r }", "unknown-key 2:15 no finding is called `key-collision`"),
    ] {
        assert_eq!(thresholds(text).unwrap_err(), [told], "{text}");
    }
}

#[test]
fn models_are_not_where_the_output_is_written() {
    for text in [
        "gen: 1\nmodels: [infra]",
        "gen: 1\noutput: m/n\nmodels: [a, m/./n/]",
        "gen: 1\noutput: .\nmodels: [.]",
        "gen: 1\noutput: ./models",
    ] {
        let told = read(text).unwrap_err();
        assert!(told.iter().all(|told| told.ends_with("the models are in the folder that is written to, `output`")), "{told:?}");
        assert_eq!(told.len(), 1, "{text}");
    }
    for text in ["gen: 1\nmodels: [.]", "gen: 1\noutput: .", "gen: 1\nmodels: [m]\noutput: m/n"] {
        read(text).unwrap();
    }
}

#[test]
fn what_is_no_configuration_is_refused() {
    for text in ["", "[]", "gen", "models: [m]", "gen: one", "gen: 1\ngen: 1", "gen: 1\nmodels: []", "gen: 1\noutput: ''", "\t"] {
        assert!(read(text).is_err(), "{text:?}");
    }
    assert!(Code::find("bad-config").is_some());
}

#[test]
fn the_nearest_file_counts_and_models_are_found_below_folders() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap();
    fs::create_dir_all(root.join("a/models/b")).unwrap();
    for file in ["gen.yaml", "a/gen.yaml", "a/models/x.yaml", "a/models/b/y.json", "a/models/.z.yaml", "a/models/m.schema.json"] {
        fs::write(root.join(file), "").unwrap();
    }
    assert_eq!(find(&root.join("a/models/b")), Some(root.join("a/gen.yaml")));
    assert_eq!(find(root), Some(root.join("gen.yaml")));
    let mut config = Config { models: vec!["models".into(), "models/x.yaml".into()], ..Config::default() };
    assert_eq!(models_in(&root.join("a"), &config).unwrap(), [root.join("a/models/b/y.json"), root.join("a/models/x.yaml")]);
    // The configuration and what is written are no models, though they are YAML.
    config.models = vec![".".into()];
    config.output = "models/b".into();
    assert_eq!(models_in(&root.join("a"), &config).unwrap(), [root.join("a/models/x.yaml")]);
    // A file is one file, however it is called.
    config.models = vec!["./models/x.yaml".into(), "../a/models/x.yaml".into(), "models/x.yaml".into()];
    assert_eq!(models_in(&root.join("a"), &config).unwrap().len(), 1);
    config.models = vec!["none".into()];
    assert!(models_in(root, &config).unwrap_err().to_string().starts_with("cannot read "));
}

#[test]
fn the_schema_for_editors_knows_what_the_reader_knows() {
    let schema = schema();
    let keys = |pointer: &str| -> Vec<String> {
        let mut keys: Vec<String> = schema.pointer(pointer).unwrap().as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    let sorted = |known: &[&str]| {
        let mut known: Vec<String> = known.iter().map(|key| (*key).to_owned()).collect();
        known.sort();
        known
    };
    assert_eq!(keys("/properties"), sorted(read::KEYS));
    assert_eq!(keys("/properties/targets/properties"), sorted(read::TARGETS));
    let validator = jsonschema::validator_for(&schema).unwrap();
    let good = [
        json!({"gen": 1}),
        json!({"gen": 1, "targets": {"terraform": {"provider": "aws-6"}, "cloudformation": {"format": "json"}, "cql": {}}}),
        json!({"gen": 1, "environments": {"dev": null, "prod": {"set": {"n": 3}}}, "vars": {"a": [{}]}, "fail_on": "never"}),
        json!({"gen": 1, "models": ["a.yaml"], "output": "out", "templates": "../t"}),
    ];
    for config in good {
        assert!(validator.is_valid(&config), "{config}");
        assert!(read(&config.to_string()).is_ok(), "{config}");
    }
    let bad = [
        json!({}),
        json!({"gen": 2}),
        json!({"gen": 1, "model": ["m"]}),
        json!({"gen": 1, "models": []}),
        json!({"gen": 1, "targets": {}}),
        json!({"gen": 1, "targets": {"terraform": {"provider": "aws-7"}}}),
        json!({"gen": 1, "targets": {"cql": {"engine": "x"}}}),
        json!({"gen": 1, "environments": {"dev": {"sets": {}}}}),
        json!({"gen": 1, "fail_on": "critical"}),
        json!({"gen": 1, "vars": 7}),
    ];
    for config in bad {
        assert!(!validator.is_valid(&config), "{config}");
        assert!(read(&config.to_string()).is_err(), "{config}");
    }
}
