//! Items of a model: a few of each entity, as an application would have them and as they lie in a table.

use super::values::{Value, pool, print};
use nosql_gen::model::{
    Comparison, Condition, DynamodbTable, Entity, InValues, Literal, Model, Operand, Pattern, TemplatePart, Where,
};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// Values of a pattern's parameters.
pub(crate) type Parameters = BTreeMap<String, Vec<Value>>;

/// An item of an entity.
#[derive(Clone, Debug)]
pub(crate) struct Item<'m> {
    pub(crate) entity: &'m Entity,
    pub(crate) values: BTreeMap<&'m str, Value>,
}

/// A few items of each entity: every combination of a few values of its key, and other values as they come. Optional
/// attributes are absent from every third.
pub(crate) fn items(model: &Model) -> Vec<Item<'_>> {
    model.entities.values().flat_map(of_entity).collect()
}

fn of_entity(entity: &Entity) -> Vec<Item<'_>> {
    let mut identities: Vec<BTreeMap<&str, Value>> = vec![BTreeMap::new()];
    for name in &entity.key {
        let (name, attribute) = entity.attributes.get_key_value(&name.value).unwrap();
        let values = pool(attribute);
        let longer = |identity: BTreeMap<_, _>| {
            values.clone().into_iter().map(move |value| identity.clone().into_iter().chain([(name.as_str(), value)]).collect())
        };
        identities = identities.into_iter().flat_map(longer).collect();
    }
    let mut items = Vec::new();
    for (number, mut values) in identities.into_iter().enumerate() {
        for (at, (name, attribute)) in entity.attributes.iter().enumerate() {
            let choices = pool(attribute);
            let chosen = choices[(number * 7 + number / 3 + at) % choices.len()].clone();
            if values.contains_key(name.as_str()) || (attribute.optional && (number + at) % 3 == 0) {
                continue;
            }
            values.insert(name, chosen);
        }
        items.push(Item { entity, values });
    }
    items
}

impl Item<'_> {
    /// As it lies in a table; None when the table does not hold its entity.
    pub(crate) fn stored(&self, table: &DynamodbTable) -> Option<Json> {
        let holding = table.holds.iter().find(|holding| holding.entity.value == self.entity.name)?;
        let mut stored: Map<String, Json> =
            self.values.iter().map(|(name, value)| ((*name).to_owned(), value.0.clone())).collect();
        for (name, value) in &holding.keys {
            stored.remove(name);
            if value.when.as_ref().is_some_and(|when| !self.meets(when, &Parameters::new())) {
                continue;
            }
            if let Some(made) = self.key(&value.template.parts, value.number) {
                stored.insert(name.clone(), made.0);
            }
        }
        if let Some(name) = &table.discriminator {
            stored.insert(name.value.clone(), Value::text(&self.entity.name).0);
        }
        Some(stored.into())
    }

    /// The value that a template makes; None when it mentions what the item does not have.
    fn key(&self, parts: &[TemplatePart], number: bool) -> Option<Value> {
        if let [TemplatePart::Attribute { name, pad: None, case: None }] = parts {
            return self.values.get(name.as_str()).cloned();
        }
        let nothing = Value::text("");
        let print = |part: &TemplatePart| match part.attribute() {
            Some(name) => self.values.get(name).map(|value| print(part, value)),
            None => Some(print(part, &nothing)),
        };
        let text: String = parts.iter().map(print).collect::<Option<_>>()?;
        Some(if number { Value(serde_json::json!({ "N": text })) } else { Value::text(&text) })
    }

    /// Whether conditions hold for it.
    pub(crate) fn meets(&self, conditions: &Where, parameters: &Parameters) -> bool {
        conditions.conditions.iter().all(|condition| self.meets_one(condition, parameters))
    }

    fn meets_one(&self, condition: &Condition, parameters: &Parameters) -> bool {
        let Some(value) = self.values.get(condition.attribute.value.as_str()) else {
            return condition.comparison == Comparison::NotExists;
        };
        let order = |operand: &Operand| value.order(&given(operand, parameters, value));
        match &condition.comparison {
            Comparison::Equal(operand) => order(operand).is_eq(),
            Comparison::NotEqual(operand) => order(operand).is_ne(),
            Comparison::Less(operand) => order(operand).is_lt(),
            Comparison::LessOrEqual(operand) => order(operand).is_le(),
            Comparison::Greater(operand) => order(operand).is_gt(),
            Comparison::GreaterOrEqual(operand) => order(operand).is_ge(),
            Comparison::Between(low, high) => order(low).is_ge() && order(high).is_le(),
            Comparison::In(InValues::Parameter(name)) => parameters[name].contains(value),
            Comparison::In(InValues::List(operands)) => operands.iter().any(|operand| order(operand).is_eq()),
            Comparison::BeginsWith(operand) => value.printed().starts_with(&given(operand, parameters, value).printed()),
            Comparison::Contains(operand) => value.printed().contains(&given(operand, parameters, value).printed()),
            Comparison::Exists => true,
            Comparison::NotExists => false,
            Comparison::ContainsKey(_) => panic!("no model here asks for {condition}"),
        }
    }
}

/// The value of an operand, in the type of another value.
pub(crate) fn given(operand: &Operand, parameters: &Parameters, like: &Value) -> Value {
    match operand {
        Operand::Parameter(name) => parameters[name][0].clone(),
        Operand::Literal(Literal::Text(text) | Literal::Number(text)) => like.like(text),
        Operand::Literal(Literal::Bool(value)) => like.like(&value.to_string()),
    }
}

/// Values for the parameters of a pattern: those that find one item, and more with it.
pub(crate) fn parameters(pattern: &Pattern, item: &Item<'_>) -> Option<Parameters> {
    let mut parameters = Parameters::new();
    let all = pattern.conditions.iter().chain(&pattern.filter);
    for condition in all.flat_map(|conditions| &conditions.conditions) {
        let attribute = item.entity.attributes.get(&condition.attribute.value)?;
        let value = item.values.get(condition.attribute.value.as_str())?;
        let pool = pool(attribute);
        let mut set = |operand: &Operand, value: &Value| {
            if let Operand::Parameter(name) = operand {
                parameters.insert(name.clone(), vec![value.clone()]);
            }
        };
        match &condition.comparison {
            Comparison::Greater(operand) | Comparison::GreaterOrEqual(operand) => set(operand, &pool[0]),
            Comparison::Less(operand) => set(operand, &pool[pool.len() - 1]),
            Comparison::Between(low, high) => {
                set(low, &pool[0]);
                set(high, value);
            }
            Comparison::BeginsWith(operand) => {
                let text = value.printed();
                set(operand, &Value::text(&text[..text.len().min(3)]));
            }
            Comparison::In(InValues::Parameter(name)) => {
                let others = pool.iter().filter(|other| *other != value).take(1);
                parameters.insert(name.clone(), [value].into_iter().chain(others).cloned().collect());
            }
            Comparison::Equal(operand)
            | Comparison::NotEqual(operand)
            | Comparison::LessOrEqual(operand)
            | Comparison::Contains(operand) => set(operand, value),
            _ => {}
        }
    }
    Some(parameters)
}
