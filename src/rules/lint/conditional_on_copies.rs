//! A conditional write to an entity that lies in several CQL tables: the condition holds for one of them only.

use super::{cql_tables, requests};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::rules::Facts;
use crate::schema::{Address, Store};
use crate::source::Spanned;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let holding = cql_tables(facts.model);
    for pattern in requests(facts.model) {
        let Some(guard) = pattern.guard.as_ref().filter(|_| facts.scope.stores(pattern).contains(&Store::Cql)) else { continue };
        let is_of_cql = |address: &&Spanned<Address>| address.value.store() == Some(Store::Cql);
        if pattern.via.iter().filter(is_of_cql).count() == 1 {
            continue;
        }
        for entity in pattern.verb.entities() {
            let tables = holding.get(entity).map(Vec::as_slice).unwrap_or_default();
            if tables.len() < 2 {
                continue;
            }
            let mut finding = Diagnostic::new(
                codes::CONDITIONAL_ON_COPIES,
                guard.span,
                format!(
                    "`{}` has an `if`, and `{entity}` lies in {} tables: the others are written whatever it says",
                    pattern.name,
                    tables.len()
                ),
            )
            .note("a lightweight transaction decides about one partition of one table")
            .help("write the table with the `if` first, and the others only when it was applied")
            .of_pattern(&pattern.name)
            .of_entity(entity);
            for table in tables {
                finding = finding.at(Address::CqlTable(None, (*table).to_owned()));
            }
            sink.push(finding);
        }
    }
}
