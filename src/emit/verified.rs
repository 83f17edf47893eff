//! What an earlier run has read back and compared. Where neither a file's part of the schema nor its bytes are others since, reading
//! it gives what it gave then, whatever the templates are now, so it is not read again.

use super::Artifact;
use crate::schema::{Backend, Generation, Schema, cql, dynamodb};

/// Tells whether a file is as an earlier run wrote it.
type Stands<'a> = &'a dyn Fn(&Artifact) -> bool;

/// The generation that an earlier run verified, and whether a file has the bytes it had then.
#[derive(Clone, Copy, Default)]
pub struct Verified<'a> {
    generation: Option<&'a Generation>,
    stands: Option<Stands<'a>>,
}

impl<'a> Verified<'a> {
    /// `stands` tells whether a file is as that run wrote it.
    pub fn new(generation: &'a Generation, stands: &'a dyn Fn(&Artifact) -> bool) -> Self {
        Self { generation: Some(generation), stands: Some(stands) }
    }

    /// The tables whose files of a format need not be read again, as long as the files stand.
    pub(super) fn tables(&self, backend: Backend, next: &'a dynamodb::Schema) -> Tables<'a> {
        let known = match self.generation.and_then(|generation| generation.get(&backend)) {
            // What a name stands for is in another file or section.
            Some(Schema::Dynamodb(known)) if known.parameters == next.parameters => Some(known.as_ref()),
            _ => None,
        };
        Tables { known, next, stands: self.stands }
    }

    /// Whether the file of a whole schema of CQL need not be read again.
    pub(super) fn keyspaces(&self, backend: Backend, schema: &cql::Schema, file: &Artifact) -> bool {
        let known = self.generation.and_then(|generation| generation.get(&backend));
        matches!(known, Some(Schema::Cql(known)) if **known == *schema) && self.stands.is_some_and(|stands| stands(file))
    }
}

/// Two schemas of DynamoDB with the same parameters.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    known: Option<&'a dynamodb::Schema>,
    next: &'a dynamodb::Schema,
    stands: Option<Stands<'a>>,
}

impl Tables<'_> {
    /// Whether a file that holds just these tables need not be read again.
    pub(super) fn stand<'k>(&self, keys: impl IntoIterator<Item = &'k str>, file: &Artifact) -> bool {
        let (Some(known), Some(stands)) = (self.known, self.stands) else { return false };
        let is_same = |key: &str| self.next.tables.get(key).is_some_and(|table| known.tables.get(key) == Some(table));
        keys.into_iter().all(is_same) && stands(file)
    }

    /// Whether none of the files of a whole module need be read again.
    pub(super) fn all_stand(&self, files: &[Artifact]) -> bool {
        let (Some(known), Some(stands)) = (self.known, self.stands) else { return false };
        known == self.next && files.iter().all(stands)
    }
}
