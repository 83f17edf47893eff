//! A table that another model owns: what this model holds in it, checked against the owner's description.

use super::{Reader, is_time, keys};
use crate::diagnostic::{Diagnostic, codes};
use crate::model::Named;
use crate::model::{DynamodbTable, Holding, Owner, Shared};
use crate::source::Spanned;
use crate::validate::resolve::report::Report;
use crate::validate::resolve::{allow, entity, holding};

impl Reader<'_> {
    /// The owner's table with what this model holds in it, which is also noted in `shared`.
    pub(super) fn shared(&self, shared: &mut Named<Shared>, report: &mut Report<'_>) -> Option<DynamodbTable> {
        let document = self.table;
        let owner = document.owner.get()?;
        let borrowed = self.neighbours.and_then(|neighbours| neighbours.borrow(&self.key.value, &owner.value));
        if let Some(neighbours) = self.neighbours.filter(|_| borrowed.is_none()) {
            report.push(neighbours.why_not(self.key, owner));
        }
        let names = borrowed.as_ref().map(|borrowed| key_names(borrowed.table));
        let holds = holding::resolve(&document.holds, names.as_deref(), self.model, self.scope, report);
        let noted = Shared { span: self.key.span, owner: owner.clone(), holds: holds.clone() };
        shared.insert(self.key.value.clone(), noted);
        let (borrowed, names) = borrowed.zip(names)?;
        if let Some(name) = document.discriminator.get() {
            self.discriminator(name, &names, &holds, report);
        }
        let mut table = DynamodbTable {
            span: self.key.span,
            key: self.key.value.clone(),
            description: entity::text(&document.description),
            owner: Owner::Model(owner.clone()),
            holds,
            others: borrowed.others,
            discriminator: document.discriminator.get().or(borrowed.table.discriminator.as_ref()).cloned(),
            renamed_from: None,
            allow: allow::resolve(&document.allow, report),
            ..borrowed.table.clone()
        };
        // What the owner allows is allowed to the owner.
        table.local_indexes.values_mut().for_each(|index| index.allow.clear());
        table.global_indexes.values_mut().for_each(|index| index.allow.clear());
        self.expiring(&table, report);
        told_apart(&table, report);
        if !document.holds.is_broken() {
            keys::check(&table, &document.holds, self.model, self.scope, true, report);
        }
        Some(table)
    }

    /// Items expire by the attribute that the owner names, so it is a time wherever it is.
    fn expiring(&self, table: &DynamodbTable, report: &mut Report<'_>) {
        let Some(ttl) = &table.ttl else { return };
        for holding in &table.holds {
            let Some(attribute) =
                self.model.entities.get(&holding.entity.value).and_then(|entity| entity.attributes.get(&ttl.value))
            else {
                continue;
            };
            if !is_time(&attribute.kind) {
                let message = format!(
                    "items of `{}` expire by `{}`, which is {} in `{}`",
                    table.key, ttl.value, attribute.kind, holding.entity.value
                );
                report.push(
                    Diagnostic::new(codes::TTL_ATTRIBUTE, attribute.span, message)
                        .context(ttl.span, "the time of expiry")
                        .help("make it a timestamp, or an integer holding epoch seconds, or give it another name"),
                );
            }
        }
    }
}

/// A discriminator holds the names of entities, so these differ over all models.
fn told_apart(table: &DynamodbTable, report: &mut Report<'_>) {
    let Some(discriminator) = &table.discriminator else { return };
    let same = |holding: &Holding| {
        table.others.iter().find(|other| other.precedes && other.entity.name == holding.entity.value).cloned()
    };
    for (holding, other) in table.holds.iter().filter_map(|holding| Some((holding, same(holding)?))) {
        let name = &holding.entity.value;
        let message = format!("`{}` holds a `{name}` in `{}` too", other.model, table.key);
        report.push(
            Diagnostic::new(codes::DUPLICATE_NAME, holding.entity.span, message)
                .context(other.entity.span, "the other entity")
                .note(format!("the discriminator `{}` would not tell one from the other", discriminator.value))
                .help("give this entity a name of its own; an entity belongs to one model"),
        );
    }
}

/// All key attributes of a table and its indexes.
fn key_names(table: &DynamodbTable) -> Vec<&str> {
    let own = std::iter::once(&table.partition_key).chain(&table.sort_key);
    let local = table.local_indexes.values().map(|index| &index.sort_key);
    let global = table.global_indexes.values().flat_map(|index| index.partition_key.iter().chain(&index.sort_key));
    own.chain(local).chain(global).map(|name: &Spanned<String>| name.value.as_str()).collect()
}
