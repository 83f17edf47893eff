//! The operation that a design says serves a pattern, and the requests that an application would make of it.

use super::items::{Parameters, given};
use super::values::{Value, parse, pool, print, shard};
use nosql_gen::model::{Comparison, Entity, InValues, Operand, Pattern, TemplatePart};
use nosql_gen::schema::dynamodb::KeyType;
use serde_json::{Value as Json, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// An operation, taken apart: `Query pk = "A#{a}" and begins_with(sk, "B#"), backward, limit 20`.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) verb: String,
    /// The conditions of each key.
    keys: Vec<Vec<Ask>>,
    pub(crate) backward: bool,
    pub(crate) consistent: bool,
    pub(crate) limit: Option<usize>,
    /// What is filtered, as it is said.
    pub(crate) filter: String,
}

/// What is asked of a key attribute.
#[derive(Debug)]
struct Ask {
    attribute: String,
    operator: &'static str,
    /// One or two values, each with what is said of it in parentheses.
    values: Vec<(String, String)>,
}

/// What an operation is asked with.
pub(crate) struct Asked<'a> {
    pub(crate) pattern: &'a Pattern,
    pub(crate) entity: &'a Entity,
    pub(crate) parameters: &'a Parameters,
    /// Types of the key attributes.
    pub(crate) types: &'a BTreeMap<String, KeyType>,
}

const OPERATORS: [&str; 7] = ["= each of", "=", "between", "<=", ">=", "<", ">"];

impl Operation {
    pub(crate) fn parse(text: &str) -> Self {
        let (text, filter) = text.split_once(", filter ").unwrap_or((text, ""));
        let (verb, rest) = text.split_once(' ').unwrap();
        let mut operation = Self {
            verb: verb.to_owned(),
            keys: Vec::new(),
            backward: false,
            consistent: false,
            limit: None,
            filter: filter.to_owned(),
        };
        let mut parts = split(rest, ", ");
        for option in parts.split_off(1) {
            match option.split_once(' ') {
                Some(("limit", number)) => operation.limit = Some(number.parse().unwrap()),
                Some((_, "segments")) => {}
                None if option == "backward" => operation.backward = true,
                None if option == "consistent" => operation.consistent = true,
                _ => panic!("what is `{option}` in `{text}`?"),
            }
        }
        if verb != "Scan" {
            operation.keys = split(&parts[0], "; ").iter().map(|key| asks(key)).collect();
        }
        operation
    }

    /// The key conditions of all requests: expression, names and values.
    pub(crate) fn requests(&self, asked: &Asked<'_>) -> Vec<Request> {
        self.keys
            .iter()
            .flat_map(|asks| {
                let mut requests = vec![Request::default()];
                for ask in asks {
                    let alternatives = asked.alternatives(ask);
                    requests =
                        requests.iter().flat_map(|request| alternatives.iter().map(|values| request.with(ask, values))).collect();
                }
                requests
            })
            .collect()
    }
}

/// One request: conditions on the key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    conditions: Vec<String>,
    pub(crate) names: BTreeMap<String, String>,
    pub(crate) values: BTreeMap<String, Json>,
    /// Values of the key attributes that are asked for by `=`.
    pub(crate) key: BTreeMap<String, Json>,
    /// Values that the caller leaves out: a bound that is not part of a range.
    pub(crate) without: Vec<(String, Value)>,
}

impl Request {
    /// The condition on the key.
    pub(crate) fn expression(&self) -> String {
        self.conditions.join(" AND ")
    }

    fn with(&self, ask: &Ask, values: &[Value]) -> Self {
        let mut request = self.clone();
        let name = format!("#k{}", request.names.len());
        request.names.insert(name.clone(), ask.attribute.clone());
        let values: Vec<String> = values
            .iter()
            .map(|value| {
                let placeholder = format!(":v{}", request.values.len());
                request.values.insert(placeholder.clone(), value.0.clone());
                placeholder
            })
            .collect();
        let condition = match ask.operator {
            "begins_with" => format!("begins_with({name}, {})", values[0]),
            "between" => format!("{name} BETWEEN {} AND {}", values[0], values[1]),
            "=" | "= each of" => {
                request.key.insert(ask.attribute.clone(), request.values[&values[0]].clone());
                format!("{name} = {}", values[0])
            }
            operator => format!("{name} {operator} {}", values[0]),
        };
        for (at, (_, said)) in ask.values.iter().enumerate() {
            if said == "excluded" {
                let value = request.values[&values[at]].clone();
                request.without.push((ask.attribute.clone(), Value(value)));
            }
        }
        request.conditions.push(condition);
        request
    }
}

impl Asked<'_> {
    /// The values of a condition, for each request that it takes.
    fn alternatives(&self, ask: &Ask) -> Vec<Vec<Value>> {
        if ask.operator == "= each of" {
            let value = |text: &String| vec![self.plain(text, &ask.attribute)];
            return match ask.values[0].0.strip_prefix(':') {
                Some(name) => self.parameters[name].iter().map(|value| vec![value.clone()]).collect(),
                None => ask.values.iter().map(|(text, _)| value(text)).collect(),
            };
        }
        let mut alternatives = vec![Vec::new()];
        for (at, (text, said)) in ask.values.iter().enumerate() {
            let mut values = match text.strip_prefix('"') {
                Some(template) => self.printed(template.strip_suffix('"').unwrap(), ask),
                None => vec![self.plain(text, &ask.attribute)],
            };
            // Of texts: all that begins with an upper bound, nothing that begins with an excluded lower one.
            let bounds = match ask.operator {
                "between" => (at == 1) != (said == "excluded"),
                operator => matches!(operator, ">" | "<="),
            };
            if bounds && text.starts_with('"') {
                values = values.iter().map(|value| Value::text(&(value.printed() + "\u{ffff}"))).collect();
            }
            alternatives = alternatives
                .into_iter()
                .flat_map(|before: Vec<Value>| values.iter().map(move |value| [before.clone(), vec![value.clone()]].concat()))
                .collect();
        }
        alternatives
    }

    /// A parameter or a literal.
    fn plain(&self, text: &str, attribute: &str) -> Value {
        if let Some(name) = text.strip_prefix(':') {
            return self.parameters[name][0].clone();
        }
        let text = text
            .strip_prefix('\'')
            .and_then(|text| text.strip_suffix('\''))
            .map_or(text.to_owned(), |text| text.replace("''", "'"));
        self.typed(attribute, &text)
    }

    fn typed(&self, attribute: &str, text: &str) -> Value {
        let kind = self.types.get(attribute).map_or("S", |kind| kind.name());
        Value(json!({ kind: text }))
    }

    /// Every text that a template may print: buckets and shards whose attribute is not known take all their values.
    fn printed(&self, template: &str, ask: &Ask) -> Vec<Value> {
        let mut texts = vec![String::new()];
        for part in parse(template) {
            let values = self.part(&part);
            texts = texts.iter().flat_map(|text| values.iter().map(move |value| format!("{text}{value}"))).collect();
        }
        texts.iter().map(|text| self.typed(&ask.attribute, text)).collect()
    }

    fn part(&self, part: &TemplatePart) -> Vec<String> {
        let Some(name) = part.attribute() else { return vec![print(part, &Value::text(""))] };
        if let Some(parameter) = name.strip_prefix(':') {
            return vec![print(part, &self.parameters[parameter][0])];
        }
        let values = pool(&self.entity.attributes[name]);
        let conditions = self.pattern.conditions.iter().flat_map(|conditions| &conditions.conditions);
        let known =
            conditions.filter(|condition| condition.attribute.value == name).find_map(|condition| match &condition.comparison {
                Comparison::Equal(operand) => Some(vec![given(operand, self.parameters, &values[0])]),
                Comparison::In(InValues::Parameter(name)) => Some(self.parameters[name].clone()),
                Comparison::In(InValues::List(list)) => {
                    Some(list.iter().map(|operand: &Operand| given(operand, self.parameters, &values[0])).collect())
                }
                _ => None,
            });
        let mut texts: Vec<String> = match (known, part) {
            (Some(known), _) => known.iter().map(|value| print(part, value)).collect(),
            (None, TemplatePart::Shard { into, .. }) => (0..*into).map(|number| shard(number.into(), *into)).collect(),
            (None, TemplatePart::Bucket { .. }) => values.iter().map(|value| print(part, value)).collect(),
            (None, _) => panic!("{part} is not given by {}", self.pattern.name),
        };
        texts.sort();
        texts.dedup();
        texts
    }
}

/// `a = :x and b between "…" and "…" (excluded)`
fn asks(text: &str) -> Vec<Ask> {
    let mut asks: Vec<Ask> = Vec::new();
    for piece in split(text, " and ") {
        match asks.last_mut() {
            Some(ask) if ask.operator == "between" && ask.values.len() == 1 => ask.values.push(value(&piece)),
            Some(low) if matches!(low.operator, ">" | ">=") && piece.starts_with(&format!("{} <", low.attribute)) => {
                // One condition on a key: the caller leaves out a bound that is not part of the range.
                let mut high = ask(&piece);
                let exclude = |ask: &mut Ask, operator| {
                    if ask.operator == operator {
                        "excluded".clone_into(&mut ask.values[0].1);
                    }
                };
                exclude(low, ">");
                exclude(&mut high, "<");
                low.operator = "between";
                low.values.append(&mut high.values);
            }
            _ => asks.push(ask(&piece)),
        }
    }
    asks
}

fn ask(text: &str) -> Ask {
    if let Some(inside) = text.strip_prefix("begins_with(").and_then(|text| text.strip_suffix(')')) {
        let (attribute, of) = inside.split_once(", ").unwrap();
        return Ask { attribute: attribute.to_owned(), operator: "begins_with", values: vec![value(of)] };
    }
    let found = OPERATORS.iter().filter_map(|operator| Some((text.find(&format!(" {operator} "))?, *operator)));
    let (at, operator) = found.min_by_key(|(at, operator)| (*at, Reverse(operator.len()))).unwrap();
    let (attribute, rest) = (&text[..at], &text[at + operator.len() + 2..]);
    let values = match rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(list) => list.split(", ").map(value).collect(),
        None => vec![value(rest)],
    };
    Ask { attribute: attribute.to_owned(), operator, values }
}

fn value(text: &str) -> (String, String) {
    match text.strip_suffix(')').and_then(|text| text.rsplit_once(" (")) {
        Some((value, said)) => (value.to_owned(), said.to_owned()),
        None => (text.to_owned(), String::new()),
    }
}

/// Splits outside of quotes and parentheses.
fn split(text: &str, separator: &str) -> Vec<String> {
    let (mut pieces, mut piece, mut quote, mut depth) = (Vec::new(), String::new(), None, 0);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        match (quote, letter) {
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        if let Some(after) = rest.strip_prefix(separator).filter(|_| quote.is_none() && depth == 0) {
            pieces.push(std::mem::take(&mut piece));
            rest = after;
            continue;
        }
        piece.push(letter);
        rest = &rest[letter.len_utf8()..];
    }
    pieces.push(piece);
    pieces
}
