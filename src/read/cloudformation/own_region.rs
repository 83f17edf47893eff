//! Which Region a stack is in, where one template says so by comparison with another.

use super::{Contents, read_in};
use crate::diagnostic::Sink;
use crate::schema::dynamodb::{Schema, Table};
use crate::schema::is_computed;
use crate::source::{FileId, SourceMap};
use std::collections::BTreeSet;

/// Reads templates again as those of the Region that another schema tells beside what was found in them. None when it tells none.
#[must_use]
pub fn read_beside(sources: &SourceMap, files: &[FileId], found: &Schema, other: &Schema) -> Option<Contents> {
    let region = own_region(found, other)?;
    // What there is to say about the texts was said when they were read first.
    read_in(sources, files, Some(&region), &mut Sink::default())
}

/// The Region of the stack, when tables that name all of their Regions can be nothing else than those of another schema that leaves
/// their own to the stack. It is always among the replicas of a table
/// (<https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html>, `Replicas`), so
/// it is one of the Regions that the other schema does not name.
#[must_use]
pub fn own_region(named: &Schema, other: &Schema) -> Option<String> {
    let mut found: Option<BTreeSet<&String>> = None;
    for table in named.tables.values().filter(|table| table.own_region_named) {
        let is_it = |one: &&Table| {
            let is_known = |known: &str, name: &str| !name.is_empty() && known == name;
            is_known(&one.logical_id, &table.logical_id) || (one.name.is_some() && one.name == table.name)
        };
        let Some(counterpart) = other.tables.values().find(is_it).filter(|one| !one.own_region_named) else { continue };
        let possible: BTreeSet<&String> =
            table.replicas.keys().filter(|region| !counterpart.replicas.contains_key(*region)).collect();
        found = Some(match found {
            Some(known) => known.intersection(&possible).copied().collect(),
            None => possible,
        });
    }
    let mut found = found?.into_iter();
    let region = found.next().filter(|region| !is_computed(region))?;
    found.next().is_none().then(|| region.clone())
}
