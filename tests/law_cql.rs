//! The laws of CQL text: what is written is read back as it was, for any schema and every engine.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

#[path = "support/cql_schema.rs"]
mod cql_schema;

use nosql_gen::diagnostic::Sink;
use nosql_gen::emit::{Project, Templates, cql::emit};
use nosql_gen::read::cql::read;
use nosql_gen::schema::Engine;
use nosql_gen::schema::cql::Schema;
use nosql_gen::source::SourceMap;
use proptest::prelude::*;

fn parse(text: &str) -> Schema {
    let mut sources = SourceMap::default();
    let file = sources.add("schema.cql", text);
    let mut sink = Sink::default();
    let schema = read(&sources, &[file], &mut sink);
    schema.unwrap_or_else(|| panic!("{:#?}\n{text}", sink.diagnostics()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back(choices in proptest::collection::vec(any::<u16>(), 0..400)) {
        let schema = cql_schema::schema(&choices);
        let project = Project { name: "law".to_owned(), environment: None, description: None };
        let templates = Templates::default();
        for engine in Engine::ALL {
            let text = emit(&project, engine, &schema, &templates).unwrap().artifacts.remove(0).text;
            let normal = schema.as_written().normalise(engine);
            prop_assert_eq!(&parse(&text).normalise(engine), &normal);
            prop_assert_eq!(&normal.normalise(engine), &normal);
        }
    }

    #[test]
    fn the_lock_keeps_a_schema(choices in proptest::collection::vec(any::<u16>(), 0..400)) {
        let schema = cql_schema::schema(&choices);
        let json = serde_json::to_string(&schema).unwrap();
        prop_assert_eq!(serde_json::from_str::<Schema>(&json).unwrap(), schema);
    }
}
