//! No table ever moves, every table has a place, and a place is given where there is room.

use super::*;
use crate::read::cloudformation::Entries;
use crate::schema::dynamodb::Kept;
use proptest::prelude::*;

const LIMITS: Size = Size { bytes: 600, entries: Entries { resources: 12, outputs: 1_000, parameters: 1_000, mappings: 1_000 } };

/// What a table weighs: one that is heavier than the room in a template is among them.
fn weight(table: &Table) -> usize {
    table.logical_id.bytes().map(usize::from).sum::<usize>() * 37 % 450
}

/// A template of 30 bytes, with two resources for each third table.
fn size(part: &Part<'_>) -> Size {
    let resources = part.tables.iter().map(|table| 1 + usize::from(weight(table).is_multiple_of(3))).sum();
    let bytes = 30 + part.tables.iter().map(|table| weight(table)).sum::<usize>();
    Size { bytes, entries: Entries { resources, ..Entries::default() } }
}

fn places(schema: &Schema) -> BTreeMap<String, Template> {
    schema.tables.iter().map(|(key, table)| (key.clone(), table.template)).collect()
}

/// The next generation of a schema: these tables, those that it had in the places they had; those that leave are remembered.
fn generation(previous: &Schema, keys: &BTreeSet<u8>) -> Schema {
    let table = |key: &u8| {
        let logical_id = format!("Table{key:03}");
        let template = previous.tables.get(&logical_id).map(|table| table.template).unwrap_or_default();
        (logical_id.clone(), Table { logical_id, template, ..Table::default() })
    };
    let mut schema = Schema { tables: keys.iter().map(table).collect(), ..Schema::default() };
    let left = previous.tables.iter().filter(|(key, _)| !schema.tables.contains_key(key));
    let left = left.map(|(key, table)| (key.clone(), Kept { template: table.template, ..Kept::default() }));
    schema.kept = previous.kept.clone().into_iter().chain(left).collect();
    divide(&mut schema, &LIMITS, &Measure { template: |part: &Part<'_>| Some(size(part)), each: true });
    schema
}

fn filled(schema: &Schema) -> BTreeMap<Template, Size> {
    division(schema).into_iter().map(|(template, tables)| (template, size(&Part::of(schema, tables)))).collect()
}

fn division(schema: &Schema) -> BTreeMap<Template, Vec<&Table>> {
    let mut division: BTreeMap<Template, Vec<&Table>> = BTreeMap::new();
    for table in schema.tables.values() {
        division.entry(table.template).or_default().push(table);
    }
    division
}

proptest! {
    #[test]
    fn no_table_ever_moves(steps in prop::collection::vec(prop::collection::btree_set(any::<u8>(), 0..40), 1..8)) {
        let mut previous = Schema::default();
        let mut known: BTreeSet<Template> = BTreeSet::new();
        for keys in steps {
            let next = generation(&previous, &keys);
            let (before, after) = (places(&previous), places(&next));
            let room = LIMITS.room();
            for (key, place) in &after {
                prop_assert!(place.is_known(), "{key} has no template");
                prop_assert!(before.get(key).is_none_or(|before| before == place), "{key} moved");
            }
            for (template, size) in filled(&next) {
                let tables = &division(&next)[&template];
                prop_assert!(size.fits(&room) || tables.len() == 1, "{template:?} is too full: {size:?}");
            }
            // What lost all its tables stays empty, unless nothing is left at all.
            let stays: BTreeSet<Template> = division(&next)
                .into_iter()
                .filter(|(_, tables)| tables.iter().any(|table| before.contains_key(&table.logical_id)))
                .map(|(template, _)| template)
                .collect();
            for place in after.values().filter(|place| known.contains(place)) {
                prop_assert!(stays.contains(place) || (stays.is_empty() && *place == Template::FIRST), "{place:?} is filled again");
            }
            known.extend(after.values().copied());
            // Given once, places are not given again.
            prop_assert_eq!(&generation(&next, &keys), &next);
            previous = next;
        }
    }

    #[test]
    fn one_more_table_goes_where_there_is_room(keys in prop::collection::btree_set(any::<u8>(), 1..60), one in any::<u8>()) {
        prop_assume!(!keys.contains(&one));
        let before = generation(&Schema::default(), &keys);
        let after = generation(&before, &keys.iter().copied().chain([one]).collect());
        let place = after.tables[&format!("Table{one:03}")].template;
        let sizes = filled(&before);
        let alone = size(&Part::of(&after, vec![&after.tables[&format!("Table{one:03}")]]));
        let empty = size(&Part::of(&after, Vec::new()));
        let has_room = |template: &Template| sizes[template].plus(&alone.less(&empty)).fits(&LIMITS.room());
        // Of those that have room it is the last.
        prop_assert_eq!(sizes.keys().rev().find(|template| has_room(template)).copied().unwrap_or(place), place);
    }
}

#[test]
fn a_template_that_lost_its_tables_is_not_filled_again() {
    let all: BTreeSet<u8> = (0..40).collect();
    let first = generation(&Schema::default(), &all);
    let of = |schema: &Schema, key: u8| schema.tables[&format!("Table{key:03}")].template;
    let (one, two) = (Template::FIRST, Template::FIRST.next());
    let last = first.tables.values().map(|table| table.template).max().unwrap();
    assert!(last > two.next(), "the test needs four templates");
    // Neither the first two, nor the last, whose number nobody has any more.
    let left: BTreeSet<u8> = all.into_iter().filter(|key| ![one, two, last].contains(&of(&first, *key))).collect();
    let second = generation(&first, &left);
    let third = generation(&second, &left.iter().copied().chain(100..140).collect());
    assert!(left.iter().all(|key| of(&third, *key) == of(&first, *key)));
    let filled: BTreeSet<Template> = (100..140).map(|key| of(&third, key)).collect();
    assert!(filled.iter().all(|place| ![one, two, last].contains(place)), "{filled:?}");
    assert!(filled.contains(&last.next()), "{filled:?}");
}

#[test]
fn what_cannot_be_measured_is_put_into_the_last_one() {
    let mut schema = Schema::default();
    for (logical_id, template) in [("A", Template::FIRST.next()), ("B", Template::default())] {
        schema.tables.insert(logical_id.to_owned(), Table { logical_id: logical_id.to_owned(), template, ..Table::default() });
    }
    divide(&mut schema, &LIMITS, &Measure { template: |_: &Part<'_>| None, each: true });
    assert_eq!(schema.tables["B"].template, Template::FIRST.next());
}
