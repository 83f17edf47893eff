//! Statements that are carried along as text: functions, aggregates, triggers, roles and what these are given.

use super::{Keyspace, Type};
use std::collections::BTreeMap;

/// Statements that are carried along, by what they are about, in an order in which they can be run: what a role is given comes
/// behind the role.
pub fn carried_in_order(extra: &BTreeMap<String, String>) -> impl Iterator<Item = (&String, &String)> {
    let is_given = |subject: &str| ["grant ", "identity ", "attachment "].iter().any(|kind| subject.starts_with(kind));
    let of = move |given: bool| extra.iter().filter(move |(subject, _)| is_given(subject) == given);
    of(false).chain(of(true))
}

/// What stands behind the type that a function returns, or that an aggregate keeps.
const BEHIND: [&str; 4] = [" LANGUAGE ", " FINALFUNC ", " INITCOND ", " reducefunc "];

impl Keyspace {
    /// The function or aggregate that has a user type among its arguments, as what it returns or as what it keeps, directly or
    /// through others: the engine does not drop such a type.
    #[must_use]
    pub fn carried_with(&self, user_type: &str) -> Option<&str> {
        let has = |kind: &Type| self.held_in(kind).contains(user_type);
        let found = self.extra.iter().find(|(subject, text)| types_of(subject, text).iter().any(has));
        found.map(|(subject, _)| subject.as_str())
    }
}

/// The types of a function or an aggregate: `function plus(int, list<int>)` and its text in one spelling.
fn types_of(subject: &str, text: &str) -> Vec<Type> {
    if !subject.starts_with("function ") && !subject.starts_with("aggregate ") {
        return Vec::new();
    }
    let arguments = subject.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or_default();
    let arguments = Type::parse(&format!("tuple<{arguments}>")).into_iter().flat_map(|of| match of {
        Type::Tuple(types) => types,
        other => vec![other],
    });
    let named = [" RETURNS ", " STYPE "].into_iter().filter_map(|word| {
        let (_, rest) = text.split_once(word)?;
        let end = BEHIND.iter().filter_map(|word| rest.find(word)).min().unwrap_or(rest.len());
        Type::parse(rest.get(..end)?)
    });
    arguments.chain(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_aggregates_have_types() {
        let of = |subject: &str, text: &str| -> Vec<String> { types_of(subject, text).iter().map(ToString::to_string).collect() };
        let text = "CREATE FUNCTION k.f (a int, b list<frozen<\"U\">>) CALLED ON NULL INPUT RETURNS map<text, int> LANGUAGE java AS ' RETURNS u '";
        assert_eq!(of("function f(int, list<frozen<\"U\">>)", text), ["int", "list<frozen<\"U\">>", "map<text, int>"]);
        assert_eq!(of("function f()", "CREATE FUNCTION k.f() CALLED ON NULL INPUT RETURNS u LANGUAGE lua AS 'x'"), ["u"]);
        let aggregate = "CREATE AGGREGATE k.g(int) SFUNC s STYPE frozen<st> FINALFUNC f INITCOND null";
        assert_eq!(of("aggregate g(int)", aggregate), ["int", "frozen<st>"]);
        assert_eq!(of("aggregate g(int)", "CREATE AGGREGATE k.g(int) SFUNC s STYPE st"), ["int", "st"]);
        assert_eq!(of("trigger f(int) on t", " RETURNS u LANGUAGE x"), [""; 0]);
    }
}
