//! A sample: one key of the language in a small model, beside the same model without it.

use crate::sources::Topic;
use nosql_gen::schema::{Backend, Engine, Family, Store};
use serde_json::{Value, json};

/// One key, or one of its forms, and how to try it. The models are a base with merge patches (RFC 7396) on it: a member that is
/// null goes.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The key's place in the language, with `*` for names: `dynamodb.tables.*.stream`.
    pub(crate) key: &'static str,
    /// Which of several forms of the value is tried, as a row of the page says it.
    pub(crate) form: Option<&'static str>,
    /// Whose documents tell of it.
    pub(crate) topic: Topic,
    /// What it is for, when it is for gen itself and in no output.
    pub(crate) for_gen: Option<&'static str>,
    /// Whether it is tried on the engines of CQL, although nothing here says so.
    of_cql: bool,
    /// What both models have.
    given: Value,
    /// What both models have on ScyllaDB.
    given_on_scylla: Value,
    /// What the model with the key has.
    pub(crate) with: Value,
    /// What the model without the key has in its place.
    without: Value,
}

impl Sample {
    /// A key by its place, and what says it.
    pub(crate) fn new(key: &'static str, topic: Topic, with: Value) -> Self {
        let none = || json!({});
        Self {
            key,
            form: None,
            topic,
            for_gen: None,
            of_cql: with.get("cql").is_some(),
            given: none(),
            given_on_scylla: none(),
            with,
            without: none(),
        }
    }

    pub(crate) fn form(mut self, form: &'static str) -> Self {
        self.form = Some(form);
        self
    }

    pub(crate) fn given(mut self, patch: Value) -> Self {
        merge(&mut self.given, patch);
        self
    }

    pub(crate) fn given_on_scylla(mut self, patch: Value) -> Self {
        merge(&mut self.given_on_scylla, patch);
        self
    }

    /// What the model with the key has beside it.
    pub(crate) fn also(mut self, patch: Value) -> Self {
        merge(&mut self.with, patch);
        self
    }

    pub(crate) fn without(mut self, patch: Value) -> Self {
        self.without = patch;
        self
    }

    pub(crate) fn for_gen(mut self, what: &'static str) -> Self {
        self.for_gen = Some(what);
        self
    }

    pub(crate) fn of_cql(mut self) -> Self {
        self.of_cql = true;
        self
    }

    /// The kind of store it is about.
    pub(crate) fn store(&self) -> Store {
        if self.of_cql { Store::Cql } else { Store::Dynamodb }
    }

    /// The models without and with the key, of one name.
    pub(crate) fn models(&self, name: &str, backend: Backend) -> [Value; 2] {
        let mut given = base(name, backend);
        merge(&mut given, self.given.clone());
        if backend.engine().map(Engine::family) == Some(Family::Scylla) {
            merge(&mut given, self.given_on_scylla.clone());
        }
        [&self.without, &self.with].map(|patch| {
            let mut model = given.clone();
            merge(&mut model, patch.clone());
            model
        })
    }

    /// The same said elsewhere, such as in `defaults` instead of in a table: what the models say at one place moves to another,
    /// as far as that place has the keys.
    pub(crate) fn moved(&self, from: &[&str], to: &[&str], fits: impl Fn(&str) -> bool) -> Self {
        let mut moved = self.clone();
        for patch in [&mut moved.given, &mut moved.with, &mut moved.without] {
            let said = from.iter().try_fold(&mut *patch, |value, key| value.get_mut(*key)).and_then(Value::as_object_mut);
            let Some(said) = said else { continue };
            let (go, stay) = std::mem::take(said).into_iter().partition(|(key, _)| fits(key));
            *said = stay;
            let nest = |inner: Value| to.iter().rev().fold(inner, |inner, key| json!({ (*key): inner }));
            merge(patch, nest(Value::Object(go)));
        }
        moved
    }
}

/// What every model has.
fn base(name: &str, backend: Backend) -> Value {
    let mut model = json!({
        "gen": 1,
        "name": name,
        "entities": {
            "Order": {
                "key": ["customer", "number"],
                "attributes": {
                    "customer": "text", "number": "text", "status": "text", "total": "int", "placed_at": "timestamp",
                    "expires_at": "timestamp",
                },
            },
        },
        "access_patterns": {},
    });
    let of_store = match backend.engine() {
        None => json!({ "dynamodb": { "tables": { "orders": {
            "holds": "Order", "partition_key": "customer", "sort_key": "number",
        } } } }),
        Some(engine) => json!({ "cql": {
            "engines": [engine.name()],
            "keyspace": { "replication": { "dc1": 3 } },
            "tables": { "orders": { "holds": "Order", "partition_key": "customer", "clustering": ["number"] } },
        } }),
    };
    merge(&mut model, of_store);
    model
}

/// The name of a model that stands beside the samples and owns a table.
pub(crate) const OWNER: &str = "owner";

/// That model.
pub(crate) fn owner() -> Value {
    json!({
        "gen": 1,
        "name": OWNER,
        "entities": { "Customer": { "key": "customer", "attributes": { "customer": "text" } } },
        "access_patterns": {},
        "dynamodb": { "tables": { "shared": { "holds": "Customer", "partition_key": "customer", "name": "theirs" } } },
    })
}

/// Lays a merge patch on a value.
pub(crate) fn merge(value: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *value = patch;
        return;
    };
    if !value.is_object() {
        *value = json!({});
    }
    let Some(members) = value.as_object_mut() else { return };
    for (key, patch) in patch {
        if patch.is_null() && !members.contains_key(&key) {
            members.insert(key, Value::Null);
        } else {
            merge(members.entry(key).or_insert(Value::Null), patch);
        }
    }
}

/// A model as it is written: what a patch took away is gone.
pub(crate) fn written(model: &Value) -> Value {
    match model {
        Value::Object(members) => {
            members.iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.clone(), written(value))).collect()
        }
        other => other.clone(),
    }
}

/// The types of attributes, one of each form.
pub(crate) const TYPES: &[&str] = &[
    "text",
    "ascii",
    "inet",
    "uuid",
    "timeuuid",
    "ulid",
    "ksuid",
    "snowflake",
    "int",
    "bigint",
    "smallint",
    "tinyint",
    "varint",
    "decimal",
    "float",
    "double",
    "counter",
    "timestamp",
    "date",
    "time",
    "blob",
    "boolean",
    "duration",
    "list<text>",
    "set<text>",
    "map<text, int>",
    "tuple<text, int>",
    "frozen<list<text>>",
    "vector<float, 3>",
    "address",
];

/// The user type among them.
pub(crate) fn user_type() -> Value {
    json!({ "types": { "address": { "street": "text" } } })
}
