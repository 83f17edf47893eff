//! Physical names that more than one table of a schema is given: but one of them can be made.

use crate::schema::dynamodb::{REGION_OF_PROVIDER, Schema, Table, Template};
use std::collections::BTreeMap;

/// A name, in words or as an expression, and what says where it is.
type Named<'a> = (String, Template, [Option<&'a String>; 4]);

/// How many tables have each name in one place.
#[derive(Default)]
pub(super) struct Names<'a>(BTreeMap<Named<'a>, usize>);

impl<'a> Names<'a> {
    /// The names of the tables of a schema.
    pub(super) fn of(schema: &'a Schema) -> Self {
        let mut names = BTreeMap::new();
        for named in schema.tables.values().filter_map(named) {
            *names.entry(named).or_default() += 1;
        }
        Self(names)
    }

    /// Whether another table has the name too.
    pub(super) fn has_another(&self, table: &Table) -> bool {
        named(table).and_then(|named| self.0.get(&named)).is_some_and(|tables| *tables > 1)
    }
}

/// The name of a table that is surely made, once: of two with conditions it may be but one.
fn named(table: &Table) -> Option<Named<'_>> {
    let may_be_none = table.is_repeated() || ["Condition", "create_table"].iter().any(|path| table.extra.contains_key(*path));
    let name = table.name.as_ref().filter(|_| !may_be_none)?;
    let [provider, region, default] = ["provider", "region", REGION_OF_PROVIDER].map(|path| table.extra.get(path));
    // Another template is another stack, which may be anywhere.
    let place = [provider, region, default, table.about.template.as_ref()];
    Some((name.to_string(), table.template, place))
}
