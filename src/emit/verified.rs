//! What an earlier run has read back and compared. Where neither a file's part of the schema nor its bytes are others since, reading
//! it gives what it gave then, whatever the templates are now, so it is not read again.

use super::Artifact;
use crate::schema::{Backend, Generation, Schema, cql, dynamodb};

/// The generation that an earlier run verified, and whether a file has the bytes it had then.
#[derive(Clone, Copy, Default)]
pub struct Verified<'a> {
    given: Option<(&'a Generation, &'a dyn Fn(&Artifact) -> bool)>,
}

impl<'a> Verified<'a> {
    /// `stands` tells whether a file is as that run wrote it.
    pub fn new(generation: &'a Generation, stands: &'a dyn Fn(&Artifact) -> bool) -> Self {
        Self { given: Some((generation, stands)) }
    }

    /// The tables whose files of a format need not be read again, as long as the files stand.
    pub(super) fn tables(&self, backend: Backend, schema: &'a dynamodb::Schema) -> Tables<'a> {
        let (known, stands) = self.given.unzip();
        let known = match known.and_then(|generation| generation.get(&backend)) {
            // What a name stands for is in another file or section.
            Some(Schema::Dynamodb(known)) if known.parameters == schema.parameters => Some((known.as_ref(), schema)),
            _ => None,
        };
        Tables { given: known.zip(stands) }
    }

    /// Whether the file of a whole schema of CQL need not be read again.
    pub(super) fn keyspaces(&self, backend: Backend, schema: &cql::Schema, file: &Artifact) -> bool {
        let Some((generation, stands)) = self.given else { return false };
        matches!(generation.get(&backend), Some(Schema::Cql(known)) if **known == *schema) && stands(file)
    }
}

/// Two schemas of DynamoDB with the same parameters.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    given: Option<((&'a dynamodb::Schema, &'a dynamodb::Schema), &'a dyn Fn(&Artifact) -> bool)>,
}

impl Tables<'_> {
    /// Whether a file that holds just these tables need not be read again.
    pub(super) fn stand<'k>(&self, keys: impl IntoIterator<Item = &'k str>, file: &Artifact) -> bool {
        let Some(((known, next), stands)) = self.given else { return false };
        let is_same = |key: &str| next.tables.get(key).is_some_and(|table| known.tables.get(key) == Some(table));
        keys.into_iter().all(is_same) && stands(file)
    }
}
