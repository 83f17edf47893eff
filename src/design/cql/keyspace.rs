//! The keyspace and its user types.

use super::engine;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{AttributeType, Cql, Model};
use crate::schema::cql::{Keyspace, Managed, Table, Type, UserType};
use crate::schema::{About, Engine, Items, Parameter, Part, pascal_case};
use std::collections::BTreeMap;

/// The keyspace's name, with the values of parameters written into it. Error `parameter-unset` when one has none.
pub(super) fn name(model: &Model, cql: &Cql, sink: &mut Sink) -> Option<String> {
    let text = &cql.keyspace.name;
    let value = |name: &str| model.parameters.get(name).and_then(|parameter| parameter.default.as_ref()).map(ToString::to_string);
    let resolved = text.resolve(value);
    if resolved.is_none() {
        let unset = parameter_names(cql).find(|name| value(name).is_none()).unwrap_or_default();
        sink.push(
            Diagnostic::new(codes::PARAMETER_UNSET, text.span, format!("the keyspace's name needs a value of `{unset}`"))
                .note("CQL has no variables: the value itself is written")
                .help(format!("give the parameter `{unset}` a `default`, or set it for the environment in gen.yaml")),
        );
    }
    resolved
}

/// The parameters whose values were written into names.
pub(super) fn parameters(model: &Model, cql: &Cql) -> BTreeMap<String, Parameter> {
    parameter_names(cql).filter_map(|name| Some((name.to_owned(), model.parameters.get(name)?.clone()))).collect()
}

fn parameter_names(cql: &Cql) -> impl Iterator<Item = &str> {
    cql.keyspace.name.parts().iter().filter_map(|part| match part {
        Part::Parameter(name) => Some(name.as_str()),
        _ => None,
    })
}

/// The keyspace with its tables, and the user types that these need.
pub(super) fn keyspace(model: &Model, cql: &Cql, engine: Engine, tables: Items<Table>) -> Keyspace {
    let mut about = About::at(cql.keyspace.span);
    about.description.clone_from(&model.description);
    for (centre, count) in &cql.keyspace.replication {
        about.properties.insert(format!("replication.{centre}"), count.span);
    }
    about.properties.insert("name".to_owned(), cql.keyspace.name.span);
    let mut types = BTreeMap::new();
    for column in tables.values().flat_map(|table| table.columns.values()) {
        collect_types(model, &column.kind, &mut types);
    }
    let mut managed = Managed::default();
    if engine == Engine::Keyspaces {
        managed = names(&model.name.value.replace('-', "_"), &format!("{} keyspace", model.name.value));
        for (name, user) in &mut types {
            user.managed = Managed { logical_id: pascal_case(&format!("{name} type")), ..Managed::default() };
        }
    }
    Keyspace {
        about,
        managed,
        replication: engine::replication(engine, &cql.keyspace),
        durable_writes: engine::durable_writes(engine, &cql.keyspace),
        options: engine::keyspace_options(engine, &cql.keyspace),
        types,
        tables,
        ..Keyspace::default()
    }
}

/// A label and a logical ID, which is in Pascal case.
pub(super) fn names(label: &str, id: &str) -> Managed {
    Managed { terraform_name: label.to_owned(), logical_id: pascal_case(id), ..Managed::default() }
}

/// Adds the user types that a type mentions, and those that these mention. A new type has its fields sorted.
fn collect_types(model: &Model, kind: &Type, types: &mut BTreeMap<String, UserType>) {
    match kind {
        Type::User(name) => {
            let Some(user) = model.types.get(name).filter(|_| !types.contains_key(name)) else { return };
            let mut fields: Vec<(String, Type)> =
                user.fields.iter().map(|(field, kind)| (field.clone(), cql_type(&kind.value))).collect();
            fields.sort();
            let mut about = About::at(user.span);
            about.description.clone_from(&user.description);
            about.properties = user.fields.iter().map(|(field, kind)| (format!("fields.{field}"), kind.span)).collect();
            types.insert(name.clone(), UserType { about, ..UserType::of(fields.clone()) });
            for (_, field) in &fields {
                collect_types(model, field, types);
            }
        }
        Type::List(of) | Type::Set(of) | Type::Frozen(of) | Type::Vector(of, _) => collect_types(model, of, types),
        Type::Map(key, value) => {
            collect_types(model, key, types);
            collect_types(model, value, types);
        }
        Type::Tuple(parts) => parts.iter().for_each(|part| collect_types(model, part, types)),
        Type::Native(_) | Type::Custom(_) => {}
    }
}

/// The CQL type of a model type (model language, section 3).
pub(super) fn cql_type(kind: &AttributeType) -> Type {
    let boxed = |of: &AttributeType| Box::new(cql_type(of));
    match kind {
        AttributeType::Ulid | AttributeType::Ksuid => Type::Native("text"),
        AttributeType::Snowflake => Type::Native("bigint"),
        AttributeType::List(of) => Type::List(boxed(of)),
        AttributeType::Set(of) => Type::Set(boxed(of)),
        AttributeType::Map(key, value) => Type::Map(boxed(key), boxed(value)),
        AttributeType::Tuple(parts) => Type::Tuple(parts.iter().map(cql_type).collect()),
        // A tuple is frozen by itself.
        AttributeType::Frozen(of) => match cql_type(of) {
            tuple @ Type::Tuple(_) => tuple,
            other => Type::Frozen(Box::new(other)),
        },
        AttributeType::Vector(of, size) => Type::Vector(boxed(of), *size),
        AttributeType::User(name) => Type::User(name.clone()),
        scalar => Type::Native(scalar.scalar_name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_become_cql() {
        let list = AttributeType::List(Box::new(AttributeType::Ulid));
        for (kind, text) in [
            (AttributeType::Snowflake, "bigint"),
            (AttributeType::Ksuid, "text"),
            (
                AttributeType::Frozen(Box::new(AttributeType::Tuple(vec![AttributeType::Int, list.clone()]))),
                "tuple<int, list<text>>",
            ),
            (AttributeType::Frozen(Box::new(list)), "frozen<list<text>>"),
            (AttributeType::Vector(Box::new(AttributeType::Float), 384), "vector<float, 384>"),
            (AttributeType::User("Address".into()), "\"Address\""),
        ] {
            assert_eq!(cql_type(&kind).to_string(), text);
        }
    }
}
