//! Entities and their attributes (section 3).

mod connect;

pub(super) use connect::connect;

use super::allow;
use super::report::Report;
use super::scope::Scope;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::Named;
use crate::model::{Amount, Attribute, AttributeType, Encoding, Entity, Model, UserType};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, Field, Map};
use crate::validate::grammar::Flaw;
use crate::validate::grammar::name::Name;
use crate::validate::grammar::{types, units};

/// User types, then entities with all that needs no other entity.
pub(super) fn define(document: &document::Model, report: &mut Report<'_>, model: &mut Model, scope: &mut Scope) {
    let types = document.types.get().map(|types| &types.value);
    let names: Vec<&str> = types.into_iter().flat_map(Map::names).map(|name| name.value.as_str()).collect();
    for (name, user_type) in types.into_iter().flat_map(Map::good) {
        if report.name(Name::Word, name, "the name of a type") {
            let user_type = define_type(name, user_type, &names, report);
            model.types.insert(name.value.clone(), user_type);
        }
    }
    allow::renames(model.types.iter().map(|(name, user_type)| (name.as_str(), user_type.renamed_from.as_ref())), report);
    let Some(entities) = document.entities.get() else { return };
    model.entities.reserve_exact(entities.0.len());
    for (name, entity) in &entities.0 {
        report.name(Name::Pascal, name, "the name of an entity");
        match entity.get().and_then(|entity| define_entity(name, entity, &names, report, scope)) {
            Some(entity) => _ = model.entities.insert(name.value.clone(), entity),
            None => scope.break_entity(&name.value),
        }
    }
    allow::renames(model.entities.iter().map(|(name, entity)| (name.as_str(), entity.renamed_from.as_ref())), report);
}

fn define_type(
    name: &Spanned<String>,
    document: &Spanned<document::UserType>,
    names: &[&str],
    report: &mut Report<'_>,
) -> UserType {
    let document::UserType { fields: written, .. } = &document.value;
    if !written.is_broken() && written.get().is_none_or(|fields| fields.value.0.is_empty()) {
        let span = written.get().map_or(document.span, |fields| fields.span);
        let diagnostic = Diagnostic::new(codes::WRONG_SHAPE, span, format!("the type `{}` has no fields", name.value));
        report.push(diagnostic.help("name them, each with its type"));
    }
    let mut fields = Named::default();
    for (field, kind) in document.fields.get().into_iter().flat_map(|fields| fields.good()) {
        report.name(Name::Attribute, field, "the name of a field");
        if let Some(read) = report.read(kind, |text| types::attribute_type(text, names)) {
            fields.insert(field.value.clone(), Spanned::new(read, kind.span));
        }
    }
    UserType {
        span: name.span,
        description: text(&document.description),
        fields,
        renamed_from: document.renamed_from.get().cloned(),
        allow: allow::resolve(&document.allow, report),
    }
}

fn define_entity(
    name: &Spanned<String>,
    document: &document::Entity,
    types: &[&str],
    report: &mut Report<'_>,
    scope: &mut Scope,
) -> Option<Entity> {
    let written = &document.attributes.get()?.0;
    let mut attributes = Named::default();
    attributes.reserve_exact(written.len());
    for (attribute, options) in written {
        report.name(Name::Attribute, attribute, "the name of an attribute");
        let good = options.get().and_then(|options| define_attribute(attribute, options, types, report));
        if let Some(good) = good {
            attributes.insert(attribute.value.clone(), good);
        } else {
            scope.break_attribute(&name.value, &attribute.value);
        }
    }
    allow::renames(attributes.iter().map(|(name, attribute)| (name.as_str(), attribute.renamed_from.as_ref())), report);
    let size = amount(&document.size, units::size, report);
    let retain = report.field(&document.retain, units::duration);
    let key = document.key.get().map(|key| key.value.names().to_vec()).unwrap_or_default();
    if document.key.get().is_some() && key.is_empty() {
        let span = document.key.get().map_or(name.span, |key| key.span);
        report.push(
            Diagnostic::new(codes::WRONG_SHAPE, span, format!("the key of `{}` is empty", name.value))
                .help("name what tells its items apart"),
        );
    }
    Some(Entity {
        span: name.span,
        name: name.value.clone(),
        description: text(&document.description),
        key,
        attributes,
        items: report.field(&document.items, units::count).map(|items| items.value),
        size,
        growth: report.field(&document.growth, units::rate).map(|growth| growth.value),
        retain,
        per: Vec::new(),
        guards: None,
        renamed_from: document.renamed_from.get().cloned(),
        allow: allow::resolve(&document.allow, report),
    })
}

fn define_attribute(
    name: &Spanned<String>,
    document: &document::Attribute,
    types: &[&str],
    report: &mut Report<'_>,
) -> Option<Attribute> {
    let options = match document {
        document::Attribute::Text(kind) => {
            let read = report.read(kind, |text| types::attribute_type(text, types))?;
            return Some(plain(name.span, read, kind.span));
        }
        document::Attribute::Map(options) => options,
    };
    let values = values(&options.values, report);
    let kind = match (options.kind.get(), &options.values) {
        (Some(kind), _) => report.read(kind, |text| types::attribute_type(text, types)),
        (None, Field::Given(_)) => Some(AttributeType::Text),
        (None, Field::Broken) => None,
        (None, Field::Absent) => {
            if !options.kind.is_there() {
                let diagnostic = Diagnostic::new(codes::WRONG_SHAPE, name.span, format!("`{}` has no `type`", name.value));
                report.push(diagnostic.help("add `type:`, or `enum:` for a closed set of values"));
            }
            None
        }
    };
    if let (Some(written), Some(kind), Field::Given(values)) = (options.kind.get(), &kind, &options.values)
        && *kind != AttributeType::Text
    {
        let diagnostic = Diagnostic::new(codes::BAD_VALUE, written.span, "the values of an `enum` are text");
        report.push(diagnostic.context(values.span, "the enum").help("leave `type` out"));
    }
    let present = report.field(&options.present, units::share);
    let encoding = match options.encoding.get().map(|encoding| encoding.value) {
        None | Some(document::Encoding::Iso) => Encoding::Iso,
        Some(document::Encoding::EpochSeconds) => Encoding::EpochSeconds,
        Some(document::Encoding::EpochMillis) => Encoding::EpochMillis,
    };
    if let (Some(written), Some(kind)) = (options.encoding.get(), &kind)
        && *kind != AttributeType::Timestamp
    {
        report.push(Diagnostic::new(
            codes::BAD_VALUE,
            written.span,
            format!("`{}` is {kind}; only a timestamp has an encoding", name.value),
        ));
    }
    let top_share = report.field(&options.top_share, units::share).map(|share| share.value);
    let largest = values.as_ref().and_then(|values| values.values().flatten().copied().reduce(f64::max));
    let attribute = Attribute {
        description: text(&options.description),
        optional: options.optional.get().is_some_and(|optional| optional.value)
            || present.as_ref().is_some_and(|present| present.value < 1.0),
        present: present.map_or(1.0, |present| present.value),
        distinct: report.field(&options.distinct, units::count).map(|distinct| distinct.value),
        top_share: top_share.or(largest),
        unique: options.unique.get().is_some_and(|unique| unique.value),
        encoding,
        renamed_from: options.renamed_from.get().cloned(),
        allow: allow::resolve(&options.allow, report),
        values,
        ..plain(name.span, kind?, options.kind.get().map_or(name.span, |kind| kind.span))
    };
    Some(attribute)
}

/// An attribute of which only the type is known.
fn plain(span: Span, kind: AttributeType, kind_span: Span) -> Attribute {
    Attribute {
        span,
        description: None,
        kind,
        kind_span,
        values: None,
        optional: false,
        present: 1.0,
        distinct: None,
        top_share: None,
        unique: false,
        derivation: None,
        encoding: Encoding::Iso,
        renamed_from: None,
        allow: Vec::new(),
    }
}

fn values(document: &Field<document::Enum>, report: &mut Report<'_>) -> Option<Named<Option<f64>>> {
    let written = document.get()?;
    let mut values = Named::default();
    match &written.value {
        document::Enum::List(list) => {
            for value in list {
                if values.insert(value.value.0.clone(), None).is_some() {
                    report.push(Diagnostic::new(
                        codes::DUPLICATE_NAME,
                        value.span,
                        format!("`{}` is listed twice", value.value.0),
                    ));
                }
            }
        }
        document::Enum::Map(map) => {
            for (value, share) in map.good() {
                let share = report.read(share, units::share);
                values.insert(value.value.clone(), share);
            }
            let total: f64 = values.values().flatten().sum();
            let all_read = values.len() == map.0.len() && values.values().all(Option::is_some);
            if all_read && (total - 1.0).abs() > 0.000_1 {
                let total = (total * 1e6).round() / 1e4;
                report.push(Diagnostic::new(
                    codes::SHARES_TOTAL,
                    written.span,
                    format!("the shares add up to {total}%, not to 100%"),
                ));
            }
        }
    }
    if values.is_empty() {
        report.push(Diagnostic::new(codes::WRONG_SHAPE, written.span, "an `enum` without values"));
    }
    Some(values)
}

/// An average, or average and maximum, as it was written: the place is that of the larger.
pub(super) fn amount<T: super::report::Written>(
    document: &Field<document::Amount<T>>,
    grammar: fn(&str) -> Result<f64, Flaw>,
    report: &mut Report<'_>,
) -> Option<Amount> {
    let written = document.get()?;
    match &written.value {
        document::Amount::One(average) => Some(Amount { average: report.read(average, grammar)?, max: None }),
        document::Amount::Both(bounds) => {
            let average = report.field(&bounds.average, grammar);
            let max = report.field(&bounds.max, grammar);
            let amount = Amount { average: average?.value, max: max.as_ref().map(|max| max.value) };
            if let Some(max) = max
                && max.value < amount.average
            {
                report.push(Diagnostic::new(codes::BAD_VALUE, max.span, "the maximum is below the average"));
            }
            Some(amount)
        }
    }
}

pub(super) fn text(field: &Field<String>) -> Option<String> {
    field.get().map(|text| text.value.clone())
}
