//! Which types columns may have, by the rules that engines enforce when a table is created (facts: Cassandra's
//! `CQL3Type.java` and `TableMetadata.java`, tried on 4.0, 4.1 and 5.0).

use crate::diagnostic::{Diagnostic, codes, in_words};
use crate::model::{Attribute, AttributeType, Model};
use crate::schema::Engine;
use crate::schema::cql::engine::Feature;
use crate::source::Spanned;
use crate::validate::resolve::report::Report;
use std::collections::BTreeSet;

pub(super) fn check(
    name: &str,
    attribute: &Attribute,
    in_key: bool,
    engines: &[Spanned<Engine>],
    model: &Model,
    report: &mut Report<'_>,
) {
    if let Some(Breach { rule, help }) = nesting(&attribute.kind, model, false, &mut BTreeSet::new()) {
        report.push(Diagnostic::new(codes::BAD_COLLECTION, attribute.kind_span, format!("`{name}`: {rule}")).help(help));
    }
    let has_vector = holds(&attribute.kind, model, |kind| matches!(kind, AttributeType::Vector(..)));
    let has_duration = holds(&attribute.kind, model, |kind| *kind == AttributeType::Duration);
    if in_key && has_duration {
        let diagnostic = Diagnostic::new(
            codes::DURATION_IN_KEY,
            attribute.kind_span,
            format!("`{name}` is in a key, and a duration cannot be ordered"),
        );
        report.push(diagnostic.help("store the number of seconds as `bigint`"));
    }
    for (feature, needed) in [(Feature::Vector, has_vector), (Feature::Duration, has_duration)] {
        let lacking: Vec<_> =
            engines.iter().filter_map(|engine| Some((engine, feature.lacking_on(engine.value)?))).filter(|_| needed).collect();
        let Some((_, why)) = lacking.first() else { continue };
        let names = in_words(lacking.iter().map(|(engine, _)| format!("`{}`", engine.value)));
        let verb = if lacking.len() == 1 { "does" } else { "do" };
        let message = format!("`{name}` is {}, which {names} {verb} not have", attribute.kind);
        let diagnostic = Diagnostic::new(codes::TYPE_NEEDS_ENGINE, attribute.kind_span, message).note(*why);
        let place = |diagnostic: Diagnostic, (engine, _): &(&Spanned<Engine>, &str)| diagnostic.context(engine.span, "not here");
        report.push(lacking.iter().fold(diagnostic, place));
    }
}

/// The user types that tables hold, each by itself: none holds another one that is not frozen (`CreateTypeStatement.java`), nor itself.
pub(super) fn user_types<'m>(held: impl Iterator<Item = &'m AttributeType>, model: &'m Model, report: &mut Report<'_>) {
    if model.types.is_empty() {
        return;
    }
    let mut types = BTreeSet::new();
    held.for_each(|kind| follow(kind, model, &mut types));
    for name in types {
        let Some(user_type) = model.types.get(name) else { continue };
        let mut inside = BTreeSet::new();
        for (field, kind) in &user_type.fields {
            follow(&kind.value, model, &mut inside);
            if let AttributeType::User(of) = &kind.value {
                let message = format!("`{field}`: a user type in a user type must be frozen");
                let diagnostic = Diagnostic::new(codes::BAD_COLLECTION, kind.span, message);
                report.push(diagnostic.help(format!("wrap it: `frozen<{of}>`")));
            }
        }
        if inside.contains(name) {
            let diagnostic = Diagnostic::new(codes::BAD_COLLECTION, user_type.span, format!("user type `{name}` holds itself"));
            report.push(diagnostic.help("store the key of the other one, or keep what repeats in a table of its own"));
        }
    }
}

/// The user types of a type, and those that they hold.
fn follow<'m>(kind: &'m AttributeType, model: &'m Model, found: &mut BTreeSet<&'m str>) {
    if let AttributeType::User(name) = kind
        && found.insert(name)
    {
        let fields = model.types.get(name).into_iter().flat_map(|of| of.fields.values());
        fields.for_each(|field| follow(&field.value, model, found));
    }
    for of in kind.inner() {
        follow(of, model, found);
    }
}

/// Whether a type is such a one, or holds one, also in the fields of a user type.
fn holds(kind: &AttributeType, model: &Model, is: fn(&AttributeType) -> bool) -> bool {
    fn contains(kind: &AttributeType, is: fn(&AttributeType) -> bool) -> bool {
        is(kind) || kind.inner().into_iter().any(|of| contains(of, is))
    }
    let mut types = BTreeSet::new();
    follow(kind, model, &mut types);
    let mut fields = types.into_iter().filter_map(|name| model.types.get(name)).flat_map(|of| of.fields.values());
    contains(kind, is) || fields.any(|field| contains(&field.value, is))
}

/// What is wrong with a type inside another, and what to do.
struct Breach {
    rule: &'static str,
    help: &'static str,
}

/// `seen`: the user types that were followed, and whether frozen.
fn nesting<'m>(kind: &'m AttributeType, model: &'m Model, frozen: bool, seen: &mut BTreeSet<(&'m str, bool)>) -> Option<Breach> {
    use AttributeType as T;
    let breach = |rule, help| Some(Breach { rule, help });
    let not_frozen = |rule| breach(rule, "wrap it: `frozen<…>`");
    let counter = |rule| breach(rule, "a counter is a column of its own; store another number here");
    let duration = |rule| breach(rule, "store the number of seconds as `bigint`");
    let mut inner = |of: &'m AttributeType| {
        if *of == T::Counter {
            return counter("a counter cannot be in a collection");
        }
        let is_collection = matches!(of, T::List(_) | T::Set(_) | T::Map(..));
        if !frozen && is_collection {
            return not_frozen("a collection in a collection must be frozen");
        }
        if !frozen && matches!(of, T::User(_)) {
            return not_frozen("a user type in a collection must be frozen");
        }
        nesting(of, model, frozen, seen)
    };
    match kind {
        T::Set(of) if **of == T::Duration => duration("a duration cannot be in a set"),
        T::List(of) | T::Set(of) => inner(of),
        T::Map(key, _) if **key == T::Duration => duration("a duration cannot be the key of a map"),
        T::Map(key, value) => inner(key).or_else(|| inner(value)),
        T::Frozen(of) => match **of {
            T::List(_) | T::Set(_) | T::Map(..) | T::Tuple(_) | T::User(_) | T::Vector(..) => nesting(of, model, true, seen),
            _ => breach("`frozen` is for collections, tuples and user types", "leave `frozen` out"),
        },
        T::Tuple(types) => types.iter().find_map(|of| {
            if *of == T::Counter { counter("a counter cannot be in a tuple") } else { nesting(of, model, true, seen) }
        }),
        T::User(name) if seen.insert((name, frozen)) => {
            let fields = &model.types.get(name)?.fields;
            fields.values().find_map(|field| match &field.value {
                T::Counter => counter("a counter cannot be in a user type"),
                T::List(_) | T::Set(_) | T::Map(..) if !frozen => {
                    not_frozen("the fields of a user type that is not frozen cannot be collections")
                }
                // That is said of the type.
                T::User(_) if !frozen => None,
                field => nesting(field, model, frozen, seen),
            })
        }
        _ => None,
    }
}
