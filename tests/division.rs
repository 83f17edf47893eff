//! A model that is larger than a CloudFormation template, on its way through a few generations: no table ever moves to another
//! stack, and no stack becomes another one.
#![expect(clippy::unwrap_used, reason = "a test")]

use camino::Utf8Path;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Self {
        let repository = Self(tempfile::tempdir().unwrap());
        fs::create_dir(repository.path().join("models")).unwrap();
        fs::write(repository.path().join("gen.yaml"), "gen: 1\ntargets: { cloudformation: {} }\n").unwrap();
        repository
    }

    fn path(&self) -> &Utf8Path {
        self.0.path().try_into().unwrap()
    }

    fn gen_says(&self, arguments: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_gen")).args(arguments).current_dir(self.path()).output().unwrap();
        let said = [output.stderr, output.stdout].map(|text| String::from_utf8(text).unwrap()).concat();
        assert!(output.status.success(), "gen {}: {said}", arguments.join(" "));
        said
    }

    /// Writes a model of these tables.
    fn write(&self, tables: &BTreeSet<String>) {
        let mut model = "gen: 1\nname: big\nentities:\n  Item: { key: id, attributes: { id: uuid, day: date } }\n\
             access_patterns: {}\ndynamodb:\n  defaults: { point_in_time_recovery: true }\n  tables:\n"
            .to_owned();
        for table in tables {
            let index = "global_secondary_indexes: { by_day: { partition_key: day } }";
            writeln!(model, "    {table}: {{ holds: Item, partition_key: id, {index} }}").unwrap();
        }
        fs::write(self.path().join("models/big.yaml"), model).unwrap();
    }

    /// The id of the one change that blocks.
    fn blocked(&self) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_gen")).arg("plan").current_dir(self.path()).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let line = said.lines().find(|line| line.trim_start().starts_with("gen ack ")).unwrap();
        line.split_whitespace().nth(2).unwrap().to_owned()
    }

    /// Applies a model of these tables and tells in which template each of them is.
    fn apply(&self, tables: &BTreeSet<String>) -> BTreeMap<String, String> {
        self.write(tables);
        self.gen_says(&["apply"]);
        self.gen_says(&["check"]);
        assert!(self.gen_says(&["plan", "--detailed-exitcode"]).contains("no changes"));
        let mut places = BTreeMap::new();
        for file in fs::read_dir(self.path().join("infra/big/cloudformation")).unwrap() {
            let file = file.unwrap();
            let text = fs::read_to_string(file.path()).unwrap();
            let name = file.file_name().into_string().unwrap();
            for line in text.lines().filter(|line| line.trim_start().starts_with("TableName: ")) {
                let table = line.split_whitespace().last().unwrap().to_owned();
                assert_eq!(places.insert(table, name.clone()), None, "{line} stands twice");
            }
        }
        assert_eq!(&places.keys().cloned().collect::<BTreeSet<_>>(), tables);
        places
    }
}

fn numbered(prefix: &str, count: u32) -> BTreeSet<String> {
    (0..count).map(|number| format!("{prefix}{number:03}")).collect()
}

#[test]
fn no_table_moves_and_no_stack_becomes_another() {
    let repository = Repository::new();
    let first = repository.apply(&numbered("table", 600));
    let files: BTreeSet<&String> = first.values().collect();
    // 200 outputs, of which two thirds are filled, two a table.
    assert!(files.len() >= 9, "{files:?}");

    // A fifth leaves, all over the templates, and others come before and behind the rest.
    let tables = first.keys().enumerate().filter(|(number, _)| number % 5 != 0).map(|(_, table)| table.clone());
    let tables: BTreeSet<String> = tables.chain(numbered("another", 40)).chain(numbered("younger", 100)).collect();
    let second = repository.apply(&tables);
    let moved = |before: &BTreeMap<String, String>, after: &BTreeMap<String, String>| {
        let moved = after.iter().filter(|(table, place)| before.get(*table).is_some_and(|before| before != *place));
        moved.map(|(table, _)| table.clone()).collect::<Vec<_>>()
    };
    assert_eq!(moved(&first, &second), [""; 0]);

    // Two templates lose all that they have: the second one, and the last, whose number nothing has any more.
    let last = second.values().max_by_key(|name| (name.len(), name.as_str())).unwrap().clone();
    let emptied = ["template-2.yaml", &last];
    let stay = second.iter().filter(|(_, place)| !emptied.contains(&place.as_str())).map(|(table, _)| table.clone());
    let stay: BTreeSet<String> = stay.collect();
    let third = repository.apply(&stay);
    assert_eq!(moved(&second, &third), [""; 0]);
    for place in emptied {
        assert!(!repository.path().join("infra/big/cloudformation").join(place).exists(), "{place} is still there");
    }

    // There is more to place than the others have room for, and the two stay as they are.
    let fourth = repository.apply(&stay.iter().cloned().chain(numbered("latest", 200)).collect());
    assert_eq!(moved(&third, &fourth), [""; 0]);
    let filled: BTreeSet<&str> = fourth.values().map(String::as_str).collect();
    assert!(emptied.iter().all(|place| !filled.contains(place)), "{filled:?}");
    assert!(filled.iter().any(|place| !second.values().any(|known| known == place)), "no new template: {filled:?}");

    // One that comes back goes to the stack that it left.
    let (back, place) = second.iter().find(|(_, place)| *place == "template-2.yaml").unwrap();
    let tables: BTreeSet<String> = fourth.keys().chain([back]).cloned().collect();
    repository.write(&tables);
    repository.gen_says(&["ack", &repository.blocked(), "--reason", "It is imported", "--owner", "division"]);
    let fifth = repository.apply(&tables);
    assert_eq!(fifth.get(back), Some(place));
    assert_eq!(moved(&fourth, &fifth), [""; 0]);
}
