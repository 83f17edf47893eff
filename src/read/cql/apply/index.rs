//! Secondary indexes.

use super::super::ast::{CreateIndex, IndexStatement, Name};
use super::space::Space;
use super::table::unknown_table;
use super::{Applied, Session, exists, fail, unknown};
use crate::schema::About;
use crate::schema::cql::{Index, index_class};
use crate::source::{Span, Spanned};

impl Session {
    pub(super) fn index_statement(&mut self, span: Span, statement: IndexStatement) -> Applied {
        match statement {
            IndexStatement::Create(create) => self.create_index(span, *create),
            IndexStatement::Drop { name, if_exists } => {
                let space = self.space(name.keyspace.as_ref());
                if space.remove_index(&name.name) || if_exists {
                    return Ok(());
                }
                unknown("index", &name.name, space.indexes())
            }
        }
    }

    fn create_index(&mut self, span: Span, create: CreateIndex) -> Applied {
        let space = self.space(create.table.keyspace.as_ref());
        let Some(table) = space.table(&create.table.name) else { return unknown_table(space, &create.table.name) };
        for column in create.local.iter().chain(&create.column).chain(&create.further) {
            if !table.columns.contains_key(&column.value) {
                return unknown("column", column, table.columns.keys());
            }
        }
        let name = create.name.unwrap_or_else(|| Spanned::new(default_name(space, &table.name, create.column.as_ref()), span));
        if let Some(known) = space.index(&name) {
            return if create.if_not_exists { Ok(()) } else { exists("index", &name, &known.about) };
        }
        let mut about = About::at(Span { end: create.table.name.span.end, ..span });
        about.properties.extend(create.column.as_ref().map(|column| ("column".to_owned(), column.span)));
        if let Some(using) = &create.using {
            about.properties.insert("using".to_owned(), using.span);
        }
        about.manner.extend(create.is_custom.then(|| "custom".to_owned()));
        let index = Index {
            about,
            column: create.column.map(|column| column.value).unwrap_or_default(),
            further: create.further.into_iter().map(|name| name.value).collect(),
            target: create.target,
            local: create.local.into_iter().map(|name| name.value).collect(),
            using: create.using.and_then(|using| index_class(&using)),
            options: create.options,
        };
        let alike = |other: &Index| {
            (other.targets(), &other.using) == (index.targets(), &index.using)
                // A column has one attached index, and of another class one for each way to make it (run).
                && (index.using.as_deref() == Some("sai") || other.options == index.options)
        };
        if let Some((other, _)) = table.indexes.iter().find(|(_, other)| alike(other)) {
            // Engines say nothing, and do nothing, when the same index exists under another name.
            let message = format!("the index `{other}` is the same");
            return if create.if_not_exists { Ok(()) } else { fail(name.span, message) };
        }
        space.insert_index(&create.table.name, name.value, index);
        Ok(())
    }
}

/// The name that engines give: `table_column_idx` without odd characters, then `_1`, `_2` when it is taken.
fn default_name(space: &Space, table: &str, column: Option<&Name>) -> String {
    let base: String = column
        .map_or_else(|| format!("{table}_idx"), |column| format!("{table}_{column}_idx"))
        .chars()
        .filter(|character| character.is_ascii_alphanumeric() || *character == '_')
        .collect();
    let mut name = base.clone();
    let mut number = 0_u32;
    while space.index(&name).is_some() {
        number += 1;
        name = format!("{base}_{number}");
    }
    name
}
