//! What came before a schema, and what an engine remembers of it.

use super::{Column, Schema};
use std::collections::BTreeMap;

impl Schema {
    /// Takes over, from what earlier statements led to, the columns that were dropped on the way here: those that these dropped,
    /// and those that they made and that are no longer there. An engine never forgets them while their table lives.
    pub fn remember(&mut self, history: &Self) {
        for (name, keyspace) in &mut self.keyspaces {
            let Some(before) = history.keyspaces.get(name) else { continue };
            for table in keyspace.tables.values_mut() {
                let Some(before) = before.tables.values().find(|before| before.name == table.name) else { continue };
                let known: BTreeMap<String, Column> = before
                    .dropped
                    .iter()
                    .chain(&before.columns)
                    .filter(|(column, _)| !table.columns.contains_key(*column) && !table.dropped.contains_key(*column))
                    .map(|(column, of)| (column.clone(), of.clone()))
                    .collect();
                table.dropped.extend(known);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Sink;
    use crate::read::cql::read;
    use crate::schema::cql::Schema;
    use crate::source::SourceMap;

    fn schema(text: &str) -> Schema {
        let mut sources = SourceMap::default();
        let file = sources.add("a.cql", text);
        read(&sources, &[file], &mut Sink::default()).unwrap()
    }

    #[test]
    fn what_was_dropped_on_the_way_is_remembered() {
        let history = schema(
            "CREATE TABLE k.t (a int PRIMARY KEY, b int, c text, d int); ALTER TABLE k.t DROP b; CREATE TABLE k.u (a int PRIMARY KEY);",
        );
        let mut now = schema("CREATE TABLE k.t (a int PRIMARY KEY, d int); CREATE TABLE k.v (a int PRIMARY KEY);");
        now.remember(&history);
        let dropped: Vec<String> =
            now.keyspaces["k"].tables["t"].dropped.iter().map(|(name, of)| format!("{name} {}", of.kind)).collect();
        assert_eq!(dropped, ["b int", "c text"]);
        assert!(now.keyspaces["k"].tables["v"].dropped.is_empty());
        // Dropped, and there again: nothing keeps it from being there.
        let mut again = schema("CREATE TABLE k.t (a int PRIMARY KEY, b int, c text, d int);");
        again.remember(&history);
        assert!(again.keyspaces["k"].tables["t"].dropped.is_empty());
    }
}
