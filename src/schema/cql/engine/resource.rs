//! What the resources of Amazon Keyspaces, which are not statements, take for names and types.
//!
//! Sources: AWS provider 5.100.0, `internal/service/keyspaces/table.go` and `keyspace.go` (patterns of names and types);
//! CloudFormation registry schemas of `AWS::Cassandra::*` (2026-10-20); Amazon Keyspaces API reference.

use crate::schema::Backend;
use crate::schema::cql::Type;

/// What one way to make a table of Amazon Keyspaces takes.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The least number of characters of a name.
    pub shortest: usize,
    /// What names are made of.
    pub names: &'static str,
    /// What names of columns are made of.
    pub columns: &'static str,
    /// It is a resource of Terraform.
    pub is_terraform: bool,
}

impl Form {
    /// That of a backend; None for statements.
    #[must_use]
    pub fn of(backend: Backend) -> Option<Self> {
        match backend {
            Backend::KeyspacesTerraform => Some(Self {
                shortest: 1,
                names: "the provider takes 1 to 48 letters, digits and underscores",
                columns: "the provider takes 1 to 48 lower case letters, digits and underscores",
                is_terraform: true,
            }),
            Backend::KeyspacesCloudformation => Some(Self {
                shortest: 2,
                names: "CloudFormation takes 2 to 48 letters, digits and underscores, a letter or digit first",
                columns: "CloudFormation takes 2 to 48 letters, digits and underscores, a letter or digit first",
                is_terraform: false,
            }),
            _ => None,
        }
    }

    /// Whether it takes a name of a keyspace or a table.
    #[must_use]
    pub fn is_name(&self, name: &str) -> bool {
        is_name(name, self.shortest)
    }

    /// Whether it takes a name of a column.
    #[must_use]
    pub fn is_column(&self, name: &str) -> bool {
        if self.is_terraform {
            let takes = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
            (1..=48).contains(&name.len()) && name.chars().all(takes)
        } else {
            is_name(name, self.shortest)
        }
    }

    /// Whether it takes a type: to the provider `^[0-9a-z]+(\<[0-9a-z]+(, *[0-9a-z]+){0,1}\>)?$`. There is no resource for
    /// user types.
    #[must_use]
    pub fn is_type(&self, kind: &Type) -> bool {
        let native = |kind: &Type| matches!(kind, Type::Native(_));
        !self.is_terraform
            || match kind {
                Type::Native(_) => true,
                Type::List(of) | Type::Set(of) => native(of),
                Type::Map(key, value) => native(key) && native(value),
                Type::Tuple(parts) => parts.len() <= 2 && parts.iter().all(native),
                Type::Frozen(_) | Type::Vector(..) | Type::User(_) | Type::Custom(_) => false,
            }
    }
}

/// Whether a name is one to Amazon Keyspaces: `[a-zA-Z0-9][a-zA-Z0-9_]{0,47}`, of at least `shortest` characters.
#[must_use]
pub fn is_name(name: &str, shortest: usize) -> bool {
    (shortest..=48).contains(&name.len())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_provider_takes_flat_types_only() {
        let provider = Form::of(Backend::KeyspacesTerraform).unwrap();
        for (text, takes) in [
            ("text", true),
            ("list<int>", true),
            ("map<text, int>", true),
            ("tuple<int, text>", true),
            ("tuple<int, text, int>", false),
            ("frozen<list<int>>", false),
            ("map<text, frozen<list<int>>>", false),
            ("address", false),
            ("list<frozen<address>>", false),
        ] {
            assert_eq!(provider.is_type(&Type::parse(text).unwrap()), takes, "{text}");
        }
    }

    #[test]
    fn names_are_those_that_the_formats_take() {
        for (name, one, two) in
            [("a", true, false), ("_a", false, false), ("a_1", true, true), ("Ab", true, true), ("ä", false, false)]
        {
            assert_eq!((is_name(name, 1), is_name(name, 2)), (one, two), "{name}");
        }
        assert!(is_name(&"a".repeat(48), 1) && !is_name(&"a".repeat(49), 1) && !is_name("", 1));
        let column = |backend, name| Form::of(backend).unwrap().is_column(name);
        assert!(column(Backend::KeyspacesTerraform, "_a") && !column(Backend::KeyspacesTerraform, "Ab"));
        assert!(!column(Backend::KeyspacesCloudformation, "_a") && column(Backend::KeyspacesCloudformation, "Ab"));
    }
}
