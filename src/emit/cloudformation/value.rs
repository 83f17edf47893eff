//! Values as CloudFormation writes them in YAML.

use crate::emit::literal::yaml::{quoted, scalar};
use crate::schema::{Part, Scalar, Text};

/// A reference to a parameter or a resource.
pub(super) fn reference(name: &str) -> String {
    format!("!Ref {}", scalar(name))
}

/// An attribute of a resource.
pub(super) fn attribute(resource: &str, name: &str) -> String {
    format!("!GetAtt {}", scalar(&format!("{resource}.{name}")))
}

/// Text that may hold parameters: a scalar, `!Ref`, `!Sub`, or `!Join` when something else is to be computed.
pub(super) fn text(text: &Text) -> String {
    match text.parts() {
        [] => scalar("").into_owned(),
        [Part::Literal(literal)] => scalar(literal).into_owned(),
        [Part::Parameter(name)] => reference(name),
        [Part::Expression(source)] => source.clone(),
        parts if parts.iter().any(|part| matches!(part, Part::Expression(_))) => {
            let items: Vec<String> = parts
                .iter()
                .map(|part| match part {
                    Part::Literal(literal) => quoted(literal),
                    Part::Parameter(name) => reference(name),
                    Part::Expression(source) => source.clone(),
                })
                .collect();
            format!("!Join [\"\", [{}]]", items.join(", "))
        }
        parts => {
            let template: String = parts
                .iter()
                .map(|part| match part {
                    // `${!x}` is the text `${x}`.
                    Part::Literal(literal) | Part::Expression(literal) => literal.replace("${", "${!"),
                    Part::Parameter(name) => format!("${{{name}}}"),
                })
                .collect();
            format!("!Sub {}", quoted(&template))
        }
    }
}

/// A parameter's value. CloudFormation keeps all of them as text; a number stands bare where it is written as JSON writes it.
pub(super) fn parameter(value: &Scalar) -> String {
    match value {
        Scalar::Text(text) => scalar(text).into_owned(),
        Scalar::Number(text) if is_plain_number(text) => text.clone(),
        Scalar::Number(text) => quoted(text),
        Scalar::Bool(value) => quoted(&value.to_string()),
    }
}

fn is_plain_number(text: &str) -> bool {
    serde_json::from_str::<serde_json::Number>(text).is_ok_and(|number| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_computed_needs_a_function() {
        let parameter = || Part::Parameter("Env".to_owned());
        let literal = |text: &str| Part::Literal(text.to_owned());
        let region = || Part::Expression("{\"Ref\":\"AWS::Region\"}".to_owned());
        let cases = [
            (vec![], "\"\""),
            (vec![literal("${Env} {{x}}")], "\"${Env} {{x}}\""),
            (vec![parameter()], "!Ref Env"),
            (vec![parameter(), literal("-orders")], "!Sub \"${Env}-orders\""),
            (vec![literal("$"), parameter(), literal("${Env}\"")], "!Sub \"$${Env}${!Env}\\\"\""),
            (vec![region()], "{\"Ref\":\"AWS::Region\"}"),
            (vec![parameter(), literal("-"), region()], "!Join [\"\", [!Ref Env, \"-\", {\"Ref\":\"AWS::Region\"}]]"),
        ];
        for (parts, expected) in cases {
            assert_eq!(text(&Text::from_parts(parts)), expected);
        }
        assert_eq!(reference("Yes"), "!Ref \"Yes\"");
    }

    #[test]
    fn a_number_stands_bare_where_json_writes_it_alike() {
        for (number, expected) in [("5", "5"), ("1.5", "1.5"), ("1.50", "\"1.50\""), ("007", "\"007\""), ("1e400", "\"1e400\"")] {
            assert_eq!(parameter(&Scalar::Number(number.to_owned())), expected);
        }
        assert_eq!(parameter(&Scalar::Bool(true)), "\"true\"");
    }
}
