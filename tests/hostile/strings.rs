//! A hostile text in every place of a model where the language takes free text: the output says just that text again, or the
//! model is refused at its place.

use crate::repository::Repository;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const TEXTS: &[&str] = &[
    "a\"b",
    "a'b",
    "a\\nb\\",
    "${a}",
    "$${a}",
    "%{if true}x%{endif}",
    "{{ x }}",
    "{% raw %}",
    "{# x #}",
    "a\nb\r\nc\td",
    "*/ x /* -- # //",
    "'; DROP TABLE y; --",
    "\u{0}\u{1b}[31m\u{7f}\u{85}\u{9f}",
    "\u{feff}a\u{202e}b\u{2028}c\u{fffe}\u{ffff}",
    "ünï 👩‍👩‍👧 \u{10ffff}",
    " a ",
    "",
    "~",
    "yes",
    "0x1f",
    "2026-01-01",
    "!Ref x",
    "&a *a",
    "| >",
    "a: b, [c] {d}",
    "<<EOT\nx\nEOT",
];

/// Where a text is put; `description` is every description at once.
const PLACES: &[&str] = &[
    "description",
    "parameter value",
    "unserved",
    "tag key",
    "tag value",
    "kms key",
    "physical name",
    "index name",
    "keyspace name",
    "cql name",
    "data centre",
    "key attribute",
    "attribute",
    "index attribute",
    "ttl attribute",
    "template attribute",
    "template",
    "enum value",
    "allowance",
];

/// A model that uses every one of the places, with a text in one of them.
fn model(name: &str, place: &str, text: &str) -> Value {
    let put = |here: &str, usual: &str| if here == place { text.to_owned() } else { usual.to_owned() };
    let quoted = |name: &str| format!("\"{name}\"");
    let (key, label, customer) = (put("key attribute", "id"), put("attribute", "label"), put("index attribute", "customer"));
    let (expires, pk, open) = (put("ttl attribute", "expires"), put("template attribute", "pk"), put("enum value", "OPEN"));
    let environment = put("parameter value", "dev");
    let attributes = json!({
        key.as_str(): "text",
        label.as_str(): { "type": "text", "description": put("description", "d") },
        customer.as_str(): "text",
        "state": { "enum": [open, "CLOSED"] },
        expires.as_str(): "timestamp",
    });
    json!({
        "gen": 1,
        "name": name,
        "description": put("description", "d"),
        "parameters": {
            "env": {
                "description": put("description", "d"), "values": [environment, "prod"], "default": environment,
            },
        },
        "entities": {
            "Thing": { "description": put("description", "d"), "key": [key], "attributes": attributes },
            "Account": { "key": ["a"], "attributes": { "a": "text" } },
        },
        "access_patterns": {
            "put-thing": { "put": "Thing", "description": put("description", "d") },
            "get-thing": { "find": "Thing", "where": format!("{} = ?", quoted(&key)) },
            "by-customer": { "find": "Thing", "where": format!("{} = ?", quoted(&customer)), "select": [key, label] },
            "other": { "find": "Thing", "where": format!("state = '{}'", open.replace('\'', "''")), "unserved": put("unserved", "r") },
            "put-account": { "put": "Account" },
            "get-account": { "find": "Account", "where": "a = ?" },
        },
        "dynamodb": {
            "tables": {
                "things": {
                    "description": put("description", "d"),
                    "holds": "Thing",
                    "partition_key": key,
                    "name": put("physical name", "things"),
                    "ttl": expires,
                    "tags": { put("tag key", "team"): put("tag value", "shop"), "environment": "${env}" },
                    "encryption": { "kms_key": format!("arn:aws:kms:eu-west-1:123456789012:key/{}", put("kms key", "x")) },
                    "global_secondary_indexes": {
                        "by_customer": {
                            "description": put("description", "d"),
                            "partition_key": customer,
                            "name": put("index name", "by_customer"),
                            "projection": [label],
                        },
                    },
                    "allow": { "no-recovery": put("allowance", "r") },
                },
                "accounts": { "partition_key": pk, "holds": { "Account": { pk.as_str(): put("template", "A#") + "{a}" } } },
            },
        },
        "cql": {
            "engines": ["cassandra-5.0"],
            "keyspace": { "name": put("keyspace name", "ks"), "replication": { put("data centre", "dc1"): 3 } },
            "tables": {
                "things": { "description": put("description", "d"), "holds": "Thing", "partition_key": key, "name": put("cql name", "things") },
                "by_customer": { "holds": "Thing", "partition_key": customer, "clustering": [quoted(&key)] },
                "accounts": { "holds": "Account", "partition_key": "a" },
            },
        },
    })
}

/// As JSON in ASCII: what YAML does not let stand as it is would be refused before it is looked at.
fn escaped(model: &Value) -> String {
    let mut units = [0; 2];
    let text = model.to_string();
    text.chars().fold(String::new(), |all, next| match next {
        ' '..='~' => all + next.encode_utf8(&mut [0; 4]),
        _ => next.encode_utf16(&mut units).iter().fold(all, |all, unit| all + &format!("\\u{unit:04x}")),
    })
}

#[test]
fn every_text_comes_out_as_it_went_in_or_is_refused_at_its_place() {
    let repository = Repository::empty();
    repository.write("gen.yaml", "gen: 1\n");
    let mut cases = BTreeMap::new();
    for (number, text) in TEXTS.iter().enumerate() {
        for (other, place) in PLACES.iter().enumerate() {
            let name = format!("m{number}-{other}");
            let path = format!("models/{name}.json");
            repository.write(&path, escaped(&model(&name, place, text)));
            cases.insert(path, (*place, *text));
        }
    }
    repository.write("models/base.json", model("base", "", "").to_string());
    let plan = repository.run(["plan", "--format", "json"]);
    let document = plan.document();
    let mut refused = BTreeMap::new();
    for finding in document["findings"].as_array().unwrap().iter().filter(|finding| finding["kind"] == "error") {
        assert_ne!(finding["code"], "template-loses", "the model was taken and the output was not: {finding:#}");
        let file = finding["location"]["file"].as_str().unwrap_or_else(|| panic!("no place: {finding:#}"));
        refused.insert(file.to_owned(), format!("{}: {}", finding["code"], finding["message"]));
    }
    assert_eq!(plan.code, 1);
    assert!(!refused.contains_key("models/base.json"), "{refused:#?}");
    // Free text is free: only what becomes a name, or may hold a parameter, may be refused.
    for (path, said) in &refused {
        let (place, text) = cases[path];
        assert!(place != "description", "{place} {text:?}: {said}");
        std::fs::remove_file(repository.path(path)).unwrap();
    }
    assert!(refused.len() < cases.len() / 2, "{} of {} are refused: {refused:#?}", refused.len(), cases.len());
    repository.run(["apply"]).is(0, "are written");
    repository.run(["check"]).is(0, "up to date");
    // What is left of a comment or a literal is one line, and no character that turns or hides the text around it.
    for (path, entry) in repository.tree() {
        let crate::repository::Entry::File(bytes) = entry else { continue };
        if path.starts_with("infra") {
            let text = String::from_utf8(bytes).unwrap();
            let odd = text.chars().find(|next| (next.is_control() && *next != '\n') || matches!(next, '\u{2028}'..='\u{202e}'));
            // The lock is JSON; names in CQL stand as they are, and have no escapes.
            let is_exempt = path.file_name() == Some("gen.lock") || path.extension() == Some("cql");
            assert!(is_exempt || odd.is_none(), "{path} holds {odd:?}");
        }
    }
}
