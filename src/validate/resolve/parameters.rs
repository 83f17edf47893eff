//! Parameters (section 9).

use super::report::Report;
use crate::diagnostic::{Diagnostic, codes, listed, nearest};
use crate::model::Model;
use crate::schema::{About, Notes, Parameter, ParameterKind, Scalar, pascal_case};
use crate::source::Spanned;
use crate::validate::grammar::name::Name;
use crate::validate::{Values, document};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Terraform takes no variable of these names. `provider` is not among those that its documentation lists; 1.11 refuses it too.
const TAKEN: [&str; 9] = ["version", "count", "source", "provider", "providers", "for_each", "lifecycle", "depends_on", "locals"];

/// The most bytes of a value that CloudFormation takes:
/// <https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html>.
const LARGEST_VALUE: usize = 4_096;

pub(super) fn kind(kind: document::ParameterType) -> ParameterKind {
    match kind {
        document::ParameterType::Text => ParameterKind::Text,
        document::ParameterType::Number => ParameterKind::Number,
        document::ParameterType::Bool => ParameterKind::Bool,
    }
}

/// Reads the parameters. A value that is set replaces the default; it has to fit as that does.
pub(super) fn resolve(document: &document::Model, values: &Values, report: &mut Report<'_>, model: &mut Model) {
    let Some(parameters) = document.parameters.get() else { return };
    let mut ids: BTreeMap<String, &Spanned<String>> = BTreeMap::new();
    for (name, parameter) in &parameters.0 {
        told_apart(name, &mut ids, report);
        let mut good = parameter.get().and_then(|parameter| one(name, parameter, report));
        let default = parameter.get().and_then(|parameter| parameter.default.get()).map(|default| default.span);
        let value = values.get(&name.value).map(|value| value.span).or(default);
        report.values.extend(value.map(|span| (name.value.clone(), span)));
        if let (Some(parameter), Some(value)) = (&mut good, values.get(&name.value)) {
            let raw = value.clone().map(document::Value);
            match of_parameter(name, &raw, parameter.kind, &parameter.values) {
                Ok(value) => parameter.default = Some(value),
                Err(diagnostic) => report.push(diagnostic.context(name.span, "the parameter")),
            }
        }
        if let Some(parameter) = &good {
            model.parameters.insert(name.value.clone(), parameter.clone());
        }
        report.parameters.insert(name.value.clone(), good);
    }
}

/// CloudFormation has letters and digits alone, so names that differ may be one there.
fn told_apart<'d>(name: &'d Spanned<String>, ids: &mut BTreeMap<String, &'d Spanned<String>>, report: &mut Report<'_>) {
    match ids.entry(pascal_case(&name.value)) {
        // No name at all, which is told by itself.
        Entry::Vacant(id) if id.key().is_empty() => {}
        Entry::Vacant(id) => _ = id.insert(name),
        // A name given twice is told of as a key.
        Entry::Occupied(id) if id.get().value == name.value => {}
        Entry::Occupied(id) => {
            let message = format!(
                "the parameters `{}` and `{}` would both be called `{}` in CloudFormation",
                id.get().value,
                name.value,
                id.key()
            );
            let diagnostic = Diagnostic::new(codes::NAME_TAKEN, name.span, message).context(id.get().span, "the other");
            report.push(diagnostic.help("choose another name"));
        }
    }
}

fn one(name: &Spanned<String>, document: &document::Parameter, report: &mut Report<'_>) -> Option<Parameter> {
    if !report.name(Name::Word, name, "the name of a parameter") {
        return None;
    }
    if pascal_case(&name.value).is_empty() {
        let message = format!("`{}` cannot be the name of a parameter", name.value);
        report.push(
            Diagnostic::new(codes::BAD_NAME, name.span, message)
                .note("CloudFormation has letters and digits alone")
                .help("give it a letter or a digit"),
        );
        return None;
    }
    if TAKEN.contains(&name.value.as_str()) {
        let message = format!("Terraform takes no variable called `{}`", name.value);
        report.push(Diagnostic::new(codes::NAME_TAKEN, name.span, message).help("choose another name"));
    }
    super::allow::resolve(&document.allow, report);
    let kind = document.kind.get().map_or(ParameterKind::Text, |given| kind(given.value));
    if let Some(none) = document.values.get().filter(|values| values.value.is_empty()) {
        let diagnostic = Diagnostic::new(codes::WRONG_SHAPE, none.span, format!("`{}` could have no value", name.value));
        report.push(diagnostic.help("list its values, or leave `values` out"));
    }
    let mut values = Vec::new();
    for value in document.values.get().map(|values| values.value.as_slice()).unwrap_or_default() {
        let scalar = scalar(value, kind).map_err(|diagnostic| report.push(*diagnostic)).ok()?;
        if values.contains(&scalar) {
            report.push(Diagnostic::new(codes::DUPLICATE_NAME, value.span, format!("`{scalar}` is listed twice")));
        }
        values.push(scalar);
    }
    let default = document.default.get().map(|value| of_parameter(name, value, kind, &values));
    let default = default.transpose().map_err(|diagnostic| report.push(*diagnostic)).ok()?;
    let about =
        About::from(Notes { description: document.description.get().map(|text| text.value.clone()), ..Notes::at(name.span) });
    Some(Parameter { kind, values, default, about })
}

/// A value that a parameter may have.
fn of_parameter(
    name: &Spanned<String>,
    value: &Spanned<document::Value>,
    kind: ParameterKind,
    values: &[Scalar],
) -> Result<Scalar, Box<Diagnostic>> {
    let scalar = scalar(value, kind)?;
    let length = value.value.0.len();
    if length > LARGEST_VALUE {
        let message = format!("the value has {length} bytes; CloudFormation takes at most {LARGEST_VALUE}");
        return Err(Box::new(Diagnostic::new(codes::BAD_VALUE, value.span, message).help("give it a shorter value")));
    }
    if values.is_empty() || values.contains(&scalar) {
        return Ok(scalar);
    }
    let known: Vec<String> = values.iter().map(ToString::to_string).collect();
    let message = format!("`{scalar}` is not among the values of `{}`", name.value);
    let diagnostic = Diagnostic::new(codes::NOT_IN_ENUM, value.span, message);
    Err(Box::new(match nearest(&scalar.to_string(), known.iter().map(String::as_str)) {
        Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), value.span, near),
        None => diagnostic.help(format!("the values are {}", listed(&known))),
    }))
}

fn scalar(value: &Spanned<document::Value>, kind: ParameterKind) -> Result<Scalar, Box<Diagnostic>> {
    let text = value.value.0.clone();
    let (fits, what) = match kind {
        ParameterKind::Text => (true, "text"),
        ParameterKind::Number => (text.parse::<f64>().is_ok_and(f64::is_finite), "a number"),
        ParameterKind::Bool => (text == "true" || text == "false", "a bool"),
    };
    if !fits {
        let message = format!("`{text}` is not {what}, as the parameter's type says");
        return Err(Box::new(Diagnostic::new(codes::BAD_VALUE, value.span, message)));
    }
    Ok(match kind {
        ParameterKind::Text => Scalar::Text(text),
        ParameterKind::Number => Scalar::Number(text),
        ParameterKind::Bool => Scalar::Bool(text == "true"),
    })
}
