//! Sections 6.1 and 6.2: what key templates are judged by.

use super::{model, outcome};

const ENTITIES: &str = "
User:
  key: name
  attributes: { name: text, number: int, joined: date, kind: { enum: [A, B] } }
Team:
  key: id
  attributes: { id: uuid, name: text, size: int }
";

fn codes(user: &str, team: &str) -> Vec<String> {
    let table = format!("people:\n  partition_key: pk\n  sort_key: sk\n  holds:\n    User: {{ {user} }}\n    Team: {{ {team} }}");
    let patterns = "\
u: { find: User, where: \"name = ?\" }
t: { find: Team, where: \"id = ?\" }
";
    let outcome = outcome(&model(ENTITIES, patterns, &table));
    let of_keys =
        |code: &&str| code.starts_with("key-") || ["unpadded-number", "separator-in-value", "optional-in-key"].contains(code);
    outcome.codes().into_iter().filter(of_keys).map(str::to_owned).collect()
}

#[test]
fn keys_of_two_entities_are_told_apart() {
    let none: [&str; 0] = [];
    // Other words at the beginning, in either key attribute.
    assert_eq!(codes("pk: \"U#{name}\", sk: U", "pk: \"T#{id}\", sk: T"), none);
    assert_eq!(codes("pk: \"{name}\", sk: U", "pk: \"{id}\", sk: T"), none);
    // The same literals in the same places.
    assert_eq!(codes("pk: \"X#{name}\", sk: X", "pk: \"X#{id}\", sk: X"), ["key-collision"]);
    assert_eq!(codes("pk: \"{name}\", sk: \"{name}\"", "pk: \"{id}\", sk: \"{id}\""), ["key-collision"]);
    // A free text can spell the word of the other; a date or one of a closed set cannot.
    assert_eq!(codes("pk: \"{name}\", sk: X", "pk: \"T#{id}\", sk: X"), ["key-may-collide"]);
    assert_eq!(codes("pk: \"{name}\", sk: \"{joined}\"", "pk: \"T#{id}\", sk: X"), none);
    assert_eq!(codes("pk: \"{name}\", sk: \"{kind}\"", "pk: \"T#{id}\", sk: X"), none);
    assert_eq!(codes("pk: \"{lower(name)}\", sk: X", "pk: \"T#{id}\", sk: X"), none);
}

#[test]
fn numbers_separators_and_identity() {
    let team = "pk: \"T#{id}\", sk: T";
    assert_eq!(codes("pk: \"U#{name}\", sk: \"N#{number}\"", team), ["unpadded-number"]);
    assert_eq!(codes("pk: \"U#{name}\", sk: \"N#{number:06}\"", team), [] as [&str; 0]);
    // In a partition key nothing is sorted.
    assert_eq!(codes("pk: \"U#{number}\", sk: \"N#{name}\"", team), [] as [&str; 0]);
    assert_eq!(codes("pk: \"U#{name}#X\", sk: U", team), ["separator-in-value"]);
    assert_eq!(codes("pk: \"U#{kind}#{name}\", sk: U", team), [] as [&str; 0]);
    assert_eq!(codes("pk: \"U#{kind}\", sk: U", team), ["key-not-unique"]);
    assert_eq!(codes("pk: \"U#{upper(name)}\", sk: U", team), [] as [&str; 0]);
    assert_eq!(codes("pk: \"U#{shard(name, 4)}\", sk: U", team), ["key-not-unique"]);
}
