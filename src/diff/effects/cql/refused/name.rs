//! Names that an engine or a resource does not take, and types that a resource cannot be told.
//!
//! Sources: Cassandra `SchemaConstants.java` (run); ScyllaDB `schema.hh`; for Amazon Keyspaces see `Form`.

use super::{Facts, Part};
use crate::schema::cql::Type;
use crate::schema::cql::engine::{Form, is_name};
use crate::schema::{Backend, Engine, Family, is_computed};

pub(super) fn keyspace(facts: &Facts<'_>) -> Option<Part> {
    let name = facts.keyspace.next?;
    let is_taken = |engine: Engine| match engine.family() {
        Family::Keyspaces => is_name(name, 1),
        Family::Cassandra | Family::Scylla => is_word(name) && name.len() <= 48,
    };
    refused(facts, name, |form| form.is_name(name), is_taken)
}

/// A table or a view.
pub(super) fn table(facts: &Facts<'_>, name: &str) -> Option<Part> {
    let is_taken = |engine: Engine| match engine {
        Engine::Keyspaces => is_name(name, 1),
        Engine::Scylla20251 => is_word(name) && name.len() <= 48,
        Engine::Scylla20261 => is_word(name) && name.len() <= 192,
        // 4.1.10 does not look, ends in an error of the server, and does not start again.
        Engine::Cassandra40 | Engine::Cassandra41 | Engine::Cassandra50 => is_word(name) && name.len() <= 222,
    };
    refused(facts, name, |form| form.is_name(name), is_taken)
}

/// What is wrong with the name of an index (Cassandra: "Illegal index name", run; ScyllaDB `create_index_statement.cc`).
pub(super) fn index_flaw(backend: Backend, name: &str) -> Option<&'static str> {
    let most = match backend.engine()? {
        Engine::Cassandra40 | Engine::Cassandra41 | Engine::Cassandra50 => {
            return (!is_word(name)).then_some("its name has other than letters, digits and underscores");
        }
        Engine::Scylla20251 => 48,
        Engine::Scylla20261 => 192,
        Engine::Keyspaces => return None,
    };
    (name.len() > most).then_some("its name is too long")
}

pub(super) fn column(facts: &Facts<'_>, name: &str) -> Option<Part> {
    let is_taken = |engine: Engine| engine != Engine::Keyspaces || (1..=48).contains(&name.chars().count());
    refused(facts, name, |form| form.is_column(name), is_taken)
}

/// Statements take any; there is no resource of Terraform.
pub(super) fn user_type(facts: &Facts<'_>, name: &str) -> Option<Part> {
    refused(facts, name, |form| form.is_terraform || form.is_name(name), |_| true)
}

fn refused(facts: &Facts<'_>, name: &str, of_form: impl Fn(&Form) -> bool, of_engine: impl Fn(Engine) -> bool) -> Option<Part> {
    // The name of the session's keyspace is not known, nor what an expression comes to.
    if name.is_empty() || is_computed(name) {
        return None;
    }
    let is_taken = match Form::of(facts.backend) {
        Some(form) => of_form(&form),
        None => of_engine(facts.backend.engine()?),
    };
    (!is_taken).then(|| Part::new("def-name", format!("`{name}`:")))
}

/// Whether a name is of ASCII letters, digits and underscores.
pub(super) fn is_word(name: &str) -> bool {
    name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Whether a resource cannot be told a type.
pub(super) fn is_untold(backend: Backend, kind: &Type) -> bool {
    Form::of(backend).is_some_and(|form| !form.is_type(kind))
}
