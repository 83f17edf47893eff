//! Keyspaces and user types.

use super::super::ast::{KeyspaceStatement, Name, Property, QualifiedName, TypeChange, TypeStatement};
use super::{Applied, Session, check_type, exists, fail, holds, place, tag, unknown};
use crate::schema::cql::{Keyspace, OptionValue, Type, UserType};
use crate::schema::{Engine, Family};
use crate::source::{Span, Spanned};

impl Session {
    pub(super) fn keyspace_statement(&mut self, span: Span, statement: KeyspaceStatement) -> Applied {
        match statement {
            KeyspaceStatement::Create { name, if_not_exists, options } => {
                let space = self.space(Some(&name));
                match &space.keyspace {
                    known if known.replication.is_empty() => {}
                    _ if if_not_exists => return Ok(()),
                    known => return exists("keyspace", &name, &known.about),
                }
                set_options(&mut space.keyspace, &options)?;
                space.keyspace.about.span = Some(Span { end: name.span.end, ..span });
                if space.keyspace.replication.is_empty() {
                    return fail(name.span, format!("the keyspace `{name}` has no replication"));
                }
                Ok(())
            }
            KeyspaceStatement::Alter { name, if_exists, options } => match self.spaces.get_mut(&name.value) {
                Some(space) => {
                    // ScyllaDB reads an option that is left out as true, whatever it was (alter_keyspace_statement.cc).
                    if self.engine.is_some_and(|engine| engine.family() == Family::Scylla) {
                        space.keyspace.durable_writes = None;
                    }
                    let stay = keeps_centres(self.engine, &space.keyspace, &options);
                    let options = options.into_iter().filter(|option| !(stay && option.name.value == "replication"));
                    set_options(&mut space.keyspace, &options.collect::<Vec<_>>())
                }
                None if if_exists => Ok(()),
                None => unknown("keyspace", &name, self.spaces.keys()),
            },
            KeyspaceStatement::Tag { name, change } => match self.spaces.get_mut(&name.value) {
                Some(space) => {
                    tag(&mut space.keyspace.options, change);
                    Ok(())
                }
                None => unknown("keyspace", &name, self.spaces.keys()),
            },
            KeyspaceStatement::Drop { name, if_exists } => {
                if self.spaces.remove(&name.value).is_none() && !if_exists {
                    return unknown("keyspace", &name, self.spaces.keys());
                }
                Ok(())
            }
        }
    }

    pub(super) fn type_statement(&mut self, span: Span, statement: TypeStatement) -> Applied {
        match statement {
            TypeStatement::Create { name, if_not_exists, fields } => {
                let keyspace = &mut self.space(name.keyspace.as_ref()).keyspace;
                match keyspace.types.get(&name.name.value) {
                    Some(_) if if_not_exists => return Ok(()),
                    Some(known) => return exists("type", &name.name, &known.about),
                    None => {}
                }
                let mut created = UserType { about: place(span, &name), ..UserType::default() };
                for (field, kind) in fields {
                    check_type(keyspace, &kind)?;
                    check_circle(keyspace, &name.name, &kind)?;
                    new_field(&created, &field)?;
                    created.about.properties.insert(format!("fields.{field}"), field.span);
                    created.fields.push((field.value, kind.value));
                }
                keyspace.types.insert(name.name.value, created);
                Ok(())
            }
            TypeStatement::Alter { name, if_exists, change } => self.alter_type(&name, if_exists, change),
            TypeStatement::Drop { name, if_exists } => {
                let keyspace = &mut self.space(name.keyspace.as_ref()).keyspace;
                let user = &name.name.value;
                if !keyspace.types.contains_key(user) {
                    return if if_exists { Ok(()) } else { unknown("type", &name.name, keyspace.types.keys()) };
                }
                let table = keyspace.tables.values().find(|table| table.columns.values().any(|column| holds(&column.kind, user)));
                let other = keyspace.types.iter().find(|(_, other)| other.fields.iter().any(|(_, kind)| holds(kind, user)));
                if let Some(table) = table {
                    return fail(name.name.span, format!("the type `{user}` is in use by the table `{}`", table.name));
                }
                if let Some((other, _)) = other {
                    return fail(name.name.span, format!("the type `{user}` is in use by the type `{other}`"));
                }
                if let Some(by) = keyspace.carried_with(user) {
                    return fail(name.name.span, format!("the type `{user}` is in use by the {by}"));
                }
                keyspace.types.remove(user);
                Ok(())
            }
        }
    }

    fn alter_type(&mut self, name: &QualifiedName, if_exists: bool, change: TypeChange) -> Applied {
        let keyspace = &mut self.space(name.keyspace.as_ref()).keyspace;
        if let TypeChange::Add { kind, .. } | TypeChange::Retype(_, kind) = &change {
            check_type(keyspace, kind)?;
            check_circle(keyspace, &name.name, kind)?;
        }
        let Some(altered) = keyspace.types.get_mut(&name.name.value) else {
            return if if_exists { Ok(()) } else { unknown("type", &name.name, keyspace.types.keys()) };
        };
        match change {
            TypeChange::Add { field, kind, if_not_exists } => {
                if if_not_exists && altered.fields.iter().any(|(known, _)| *known == field.value) {
                    return Ok(());
                }
                new_field(altered, &field)?;
                altered.about.properties.insert(format!("fields.{field}"), field.span);
                altered.fields.push((field.value, kind.value));
            }
            TypeChange::Rename(renames) => {
                for (previous, next) in renames {
                    new_field(altered, &next)?;
                    let Some((field, _)) = altered.fields.iter_mut().find(|(known, _)| *known == previous.value) else {
                        return unknown("field", &previous, altered.fields.iter().map(|(known, _)| known));
                    };
                    altered.about.properties.insert(format!("fields.{next}"), next.span);
                    *field = next.value;
                }
            }
            TypeChange::Retype(field, kind) => {
                let Some((_, known)) = altered.fields.iter_mut().find(|(known, _)| *known == field.value) else {
                    return unknown("field", &field, altered.fields.iter().map(|(known, _)| known));
                };
                *known = kind.value;
            }
        }
        Ok(())
    }
}

/// No type holds itself, directly or through others (Cassandra `AlterTypeStatement.java`, run; ScyllaDB `alter_type_statement.cc`).
fn check_circle(keyspace: &Keyspace, name: &Name, kind: &Spanned<Type>) -> Applied {
    if keyspace.held_in(&kind.value).contains(name.value.as_str()) {
        return fail(kind.span, format!("the type `{name}` would hold itself"));
    }
    Ok(())
}

fn new_field(of: &UserType, field: &Name) -> Applied {
    if of.fields.iter().any(|(known, _)| *known == field.value) {
        return fail(field.span, format!("the field `{field}` is there twice"));
    }
    Ok(())
}

/// Whether a statement names the strategy of a keyspace and no data centre, which from Cassandra 4.1 on leaves those that are there
/// as they are (`NetworkTopologyStrategy.prepareOptions`; run).
fn keeps_centres(engine: Option<Engine>, keyspace: &Keyspace, options: &[Property]) -> bool {
    const CLASS: &str = "NetworkTopologyStrategy";
    let is_bare = |property: &Property| {
        let OptionValue::Map(map) = &property.value else { return false };
        property.name.value == "replication" && map.len() == 1 && map.get("class").is_some_and(|class| class == CLASS)
    };
    matches!(engine, Some(Engine::Cassandra41 | Engine::Cassandra50))
        && keyspace.replication.get("class").is_some_and(|class| class == CLASS)
        && options.iter().any(is_bare)
}

fn set_options(keyspace: &mut Keyspace, options: &[Property]) -> Applied {
    for Property { name, value } in options {
        match (name.value.as_str(), value) {
            ("replication", OptionValue::Map(map)) => {
                keyspace.about.properties.insert("replication".to_owned(), name.span);
                keyspace.replication.clone_from(map);
            }
            ("replication", _) => return fail(name.span, "replication is a map: {'class': …}"),
            ("durable_writes", value) => {
                keyspace.about.properties.insert("durable_writes".to_owned(), name.span);
                keyspace.durable_writes = match value.scalar().map(|text| text.to_lowercase()).as_deref() {
                    Some("true" | "1" | "yes") => Some(true),
                    Some("false" | "0" | "no") => Some(false),
                    _ => return fail(name.span, "durable_writes is true or false"),
                };
            }
            (_, value) => {
                keyspace.about.properties.insert(format!("options.{name}"), name.span);
                keyspace.options.insert(name.value.clone(), value.clone());
            }
        }
    }
    Ok(())
}
