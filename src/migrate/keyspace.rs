//! Keyspaces: their replication and other options.

use crate::diff::on_tablets;
use crate::emit::cql::migration::{Statement, Step};
use crate::emit::cql::{property, replication};
use crate::schema::cql::{Keyspace, OptionValue, identifier};
use crate::schema::{Engine, Family};
use std::collections::BTreeMap;

/// The statements that alter a keyspace; both sides in the engine's normal form. `Err`: the options that have no value to be
/// set back to.
pub(super) fn alter(engine: Engine, name: &str, previous: &Keyspace, next: &Keyspace) -> Result<Vec<String>, Vec<String>> {
    let lost: Vec<String> = previous.options.keys().filter(|option| !next.options.contains_key(*option)).cloned().collect();
    if !lost.is_empty() {
        return Err(lost);
    }
    let durable = next.durable_writes.unwrap_or(true);
    let mut others = Vec::new();
    if previous.durable_writes != next.durable_writes {
        others.push(property("durable_writes", &OptionValue::Bool(durable)));
    }
    let differ = next.options.iter().filter(|(option, value)| previous.options.get(*option) != Some(value));
    others.extend(differ.map(|(option, value)| property(option, value)));

    let mut statements = Vec::new();
    let mut steps = steps(engine, previous, next);
    let first = if steps.is_empty() { None } else { Some(steps.remove(0)) };
    let with = |map: &BTreeMap<String, String>| format!("replication = {}", replication(map));
    let all: Vec<String> = first.as_ref().map(with).into_iter().chain(others).collect();
    if !all.is_empty() {
        statements.push(all);
    }
    statements.extend(steps.iter().map(|step| vec![with(step)]));
    // ScyllaDB sets durable_writes to true when a statement leaves it out.
    let restated = engine.family() == Family::Scylla;
    let statement = |mut properties: Vec<String>| {
        if restated && !properties.iter().any(|property| property.starts_with("durable_writes ")) {
            properties.push(property("durable_writes", &OptionValue::Bool(durable)));
        }
        format!("ALTER KEYSPACE {} WITH {}", identifier(name), properties.join(" AND "))
    };
    Ok(statements.into_iter().map(statement).collect())
}

/// What a keyspace is while its rows move to data centres of which none has them: the previous ones keep their replicas until the
/// new ones are filled.
pub(super) fn between(previous: &Keyspace, next: &Keyspace) -> Keyspace {
    let mut between = next.clone();
    between.replication.extend(previous.replication.clone());
    between
}

/// What has to be done before the previous data centres are left.
pub(super) fn filled(previous: &Keyspace) -> String {
    let source = previous.replication.keys().find(|key| *key != "class").map_or("", String::as_str);
    format!(
        "`nodetool rebuild -- {source}` on each node of the new data centres, then a repair. Until that is done, do not run the \
         file that leaves the previous ones"
    )
}

/// The statement that leaves them.
pub(super) fn left<'a>(statement: String) -> Step<'a> {
    Step {
        comments: vec!["What the new data centres do not have by now is lost.".to_owned()],
        statement: Statement::Text(statement),
        then: vec!["Decommission or clean up the previous data centres".to_owned()],
    }
}

/// The replication maps on the way to the next one. With tablets a statement changes the factor of one data centre by one, and
/// lists all that there are; elsewhere the way is one step.
fn steps(engine: Engine, previous: &Keyspace, next: &Keyspace) -> Vec<BTreeMap<String, String>> {
    if previous.replication == next.replication {
        return Vec::new();
    }
    let same_class = previous.replication.get("class") == next.replication.get("class");
    let factors = factors(&previous.replication).zip(factors(&next.replication));
    let Some((mut now, target)) = factors.filter(|_| same_class && on_tablets(engine, previous)) else {
        let mut whole = next.replication.clone();
        if engine.family() == Family::Scylla && same_class {
            // A data centre that is left out is not taken for removed.
            for centre in previous.replication.keys() {
                whole.entry(centre.clone()).or_insert_with(|| "0".to_owned());
            }
        }
        return vec![whole];
    };
    let class = previous.replication.get_key_value("class").map(|(key, class)| (key.clone(), class.clone()));
    let mut steps = Vec::new();
    let mut step = |now: &BTreeMap<String, u32>| {
        let factors = now.iter().map(|(centre, factor)| (centre.clone(), factor.to_string()));
        steps.push(factors.chain(class.clone()).collect());
    };
    // More replicas first: there are never fewer than on both sides.
    for (centre, to) in &target {
        while now.get(centre).copied().unwrap_or(0) < *to {
            *now.entry(centre.clone()).or_insert(0) += 1;
            step(&now);
        }
    }
    let centres: Vec<String> = now.keys().cloned().collect();
    for centre in centres {
        let to = target.get(&centre).copied().unwrap_or(0);
        while now.get(&centre).is_some_and(|from| *from > to) {
            now.entry(centre.clone()).and_modify(|from| *from -= 1);
            step(&now);
        }
        // A data centre at 0 is named once and is then none of the keyspace's.
        now.retain(|_, factor| *factor > 0);
    }
    steps
}

/// The factor of each data centre; None where one is no number, or stands for all.
fn factors(map: &BTreeMap<String, String>) -> Option<BTreeMap<String, u32>> {
    let centres = map.iter().filter(|(key, _)| *key != "class");
    centres
        .map(|(centre, factor)| Some((centre.clone(), factor.parse().ok()?)))
        .collect::<Option<BTreeMap<String, u32>>>()
        .filter(|factors| !factors.contains_key("replication_factor"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyspace(replication: &[(&str, &str)]) -> Keyspace {
        let class = ("class".to_owned(), "NetworkTopologyStrategy".to_owned());
        let centres = replication.iter().map(|(centre, factor)| ((*centre).to_owned(), (*factor).to_owned()));
        Keyspace { replication: centres.chain([class]).collect(), ..Keyspace::default() }
    }

    #[test]
    fn tablets_take_one_replica_of_one_data_centre_a_statement() {
        let (previous, next) = (keyspace(&[("a", "3"), ("b", "2")]), keyspace(&[("a", "1"), ("c", "2")]));
        let scylla = alter(Engine::Scylla20251, "k", &previous, &next).unwrap();
        let factors: Vec<&str> = scylla
            .iter()
            .map(|statement| statement.split("Strategy', ").nth(1).and_then(|rest| rest.split('}').next()).unwrap())
            .collect();
        assert_eq!(
            factors,
            [
                "'a': '3', 'b': '2', 'c': '1'",
                "'a': '3', 'b': '2', 'c': '2'",
                "'a': '2', 'b': '2', 'c': '2'",
                "'a': '1', 'b': '2', 'c': '2'",
                "'a': '1', 'b': '1', 'c': '2'",
                "'a': '1', 'b': '0', 'c': '2'",
            ]
        );
        assert!(scylla.iter().all(|statement| statement.ends_with("AND durable_writes = true")), "{scylla:?}");
        assert_eq!(alter(Engine::Cassandra50, "k", &previous, &next).unwrap().len(), 1);
    }

    #[test]
    fn only_what_differs_is_said() {
        let previous = keyspace(&[("a", "3")]);
        let next = Keyspace { durable_writes: Some(false), ..previous.clone() };
        assert_eq!(
            alter(Engine::Cassandra41, "K", &previous, &next).unwrap(),
            ["ALTER KEYSPACE \"K\" WITH durable_writes = false"]
        );
        assert_eq!(alter(Engine::Cassandra41, "K", &next, &next).unwrap(), Vec::<String>::new());
        let tablets = OptionValue::Map([("enabled".to_owned(), "true".to_owned())].into());
        let with = Keyspace { options: [("tablets".to_owned(), tablets)].into(), ..previous.clone() };
        assert_eq!(alter(Engine::Scylla20251, "k", &with, &previous), Err(vec!["tablets".to_owned()]));
    }
}
