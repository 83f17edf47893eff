use super::*;
use serde_json::json;

fn new(id: &str) -> Acknowledgement {
    Acknowledgement {
        id: id.into(),
        address: "dynamodb.\"my.table\".lsi.by_date".into(),
        before: Value::Null,
        after: json!({"sort_key": "created: at", "projection": ["a", "b"]}),
        reason: "Copied to \"orders_v2\": # no\nsecond line ${x} é".into(),
        owner: "orders-team".into(),
        until: Date::parse("2027-01-31"),
        applied_in: Vec::new(),
    }
}

fn read(text: &str) -> Result<Acknowledgements, Vec<String>> {
    let mut sources = SourceMap::default();
    let file = sources.add(NAME, text);
    let mut sink = Sink::default();
    Acknowledgements::read(&sources, file, &mut sink).ok_or_else(|| told(sink, &sources))
}

fn told(sink: Sink, sources: &SourceMap) -> Vec<String> {
    let line = |one: Diagnostic| {
        let at = sources.position(one.primary.unwrap().span);
        format!("{} {}:{} {}", one.code.slug(), at.line, at.column, one.message)
    };
    sink.into_sorted().into_iter().map(line).collect()
}

fn today() -> Date {
    Date::parse("2026-12-01").unwrap()
}

fn added(text: Option<&str>, new: &Acknowledgement) -> Result<String, Vec<Diagnostic>> {
    let mut sources = SourceMap::default();
    let file = text.map(|text| sources.add(NAME, text));
    add(&sources, file, new)
}

fn applied(text: &str, ids: &[&str], environment: &str) -> Result<String, Vec<Diagnostic>> {
    let mut sources = SourceMap::default();
    let file = sources.add(NAME, text);
    mark_applied(&sources, file, &[(environment, ids.to_vec())].into(), today())
}

const HAND_WRITTEN: &str = "\
# Ours.

  -   id: table-a-1   # the first
      address: dynamodb.a
      reason: >-
        Long
        story
      owner: ana
  # between
  -   owner: ana
      reason: r
      address: dynamodb.b
      applied_in:
        - dev
      id: table-b-2
# the end";

#[test]
fn what_is_added_is_read_back() {
    let text = added(None, &new("lsi-by-date-1")).unwrap();
    assert_eq!(
        text,
        "# Written by `gen ack`: dangerous changes that are meant. Review it like code.\n\
         - id: \"lsi-by-date-1\"\n  address: \"dynamodb.\\\"my.table\\\".lsi.by_date\"\n  before: null\n  \
         after: {\"sort_key\": \"created: at\", \"projection\": [\"a\", \"b\"]}\n  \
         reason: \"Copied to \\\"orders_v2\\\": # no\\nsecond line ${x} é\"\n  owner: \"orders-team\"\n  \
         until: \"2027-01-31\"\n  applied_in: []\n"
    );
    let text = added(Some(&text), &Acknowledgement { until: None, ..new("lsi-by-date-2") }).unwrap();
    let ids: Vec<String> = read(&text).unwrap().iter().map(|of| of.id.clone()).collect();
    assert_eq!(ids, ["lsi-by-date-1", "lsi-by-date-2"]);
}

#[test]
fn what_is_there_stays_as_it_is() {
    let text = added(Some(HAND_WRITTEN), &new("x-3")).unwrap();
    assert!(text.starts_with(&format!("{HAND_WRITTEN}\n  - id: \"x-3\"\n    address: ")), "{text}");
    for empty in ["", "# only a comment", "[]", "# c\n[]\n"] {
        let text = added(Some(empty), &new("x-3")).unwrap();
        assert_eq!(read(&text).unwrap().iter().cloned().collect::<Vec<_>>(), [new("x-3")], "{empty:?}");
        assert!(text.starts_with(empty.split("[]").next().unwrap()));
    }
}

#[test]
fn the_schema_says_what_the_reader_says() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let fits = |text: &str| {
        let mut sources = SourceMap::default();
        let file = sources.add(NAME, text);
        let node = parse(&sources, file, &mut Sink::default());
        node.is_none_or(|node| validator.is_valid(&from_node::<Value>(&node).unwrap()))
    };
    let own = added(Some(HAND_WRITTEN), &new("x-3")).unwrap();
    let entry = "- { id: a-1, address: x, reason: r, owner: o }";
    for good in [HAND_WRITTEN, &own, "[]", entry, &entry.replace(" }", ", until: null, applied_in: [dev] }")] {
        assert!(read(good).is_ok() && fits(good), "{good}");
    }
    for (part, by) in [
        ("a-1", "''"),
        ("reason: r, ", ""),
        ("owner: o", "owner: ' '"),
        ("address", "adress"),
        (" }", ", until: tomorrow }"),
        (" }", ", applied_in: dev }"),
        ("- ", ""),
    ] {
        let bad = entry.replace(part, by);
        assert!(read(&bad).is_err() && !fits(&bad), "{bad}");
    }
}

#[test]
fn an_application_is_noted_where_it_belongs() {
    let text = applied(HAND_WRITTEN, &["table-a-1", "table-b-2"], "prod").unwrap();
    let applied_in: Vec<Vec<String>> = read(&text).unwrap().iter().map(|of| of.applied_in.clone()).collect();
    assert_eq!(applied_in, [vec!["prod".to_owned()], vec!["dev".into(), "prod".into()]]);
    for line in HAND_WRITTEN.lines().filter(|line| line.trim() != "- dev") {
        assert!(text.contains(line), "{line} is gone:\n{text}");
    }
    assert_eq!(applied(&text, &["table-a-1", "table-b-2"], "prod").unwrap(), text);
    assert_eq!(applied(&text, &["other"], "dev").unwrap(), text);
    let mut sources = SourceMap::default();
    let file = sources.add(NAME, HAND_WRITTEN);
    let several = [("dev", vec!["table-a-1", "table-b-2"]), ("prod", vec!["table-a-1"])].into();
    let text = mark_applied(&sources, file, &several, today()).unwrap();
    let applied_in: Vec<Vec<String>> = read(&text).unwrap().iter().map(|of| of.applied_in.clone()).collect();
    assert_eq!(applied_in, [vec!["dev".to_owned(), "prod".into()], vec!["dev".into()]]);
    let own = added(None, &new("x-1")).unwrap();
    assert_eq!(applied(&own, &["x-1"], NO_ENVIRONMENT).unwrap(), own.replace("applied_in: []", "applied_in: [\"default\"]"));
}

#[test]
fn what_has_ended_was_not_used() {
    let renewed = added(Some(&added(None, &new("x-1")).unwrap()), &new("x-1")).unwrap();
    let text = renewed.replacen("2027-01-31", "2026-11-30", 1);
    let applied_in = |text: &str| read(text).unwrap().iter().map(|of| of.applied_in.len()).collect::<Vec<_>>();
    assert_eq!(applied_in(&applied(&renewed, &["x-1"], "dev").unwrap()), [1, 1]);
    assert_eq!(applied_in(&applied(&text, &["x-1"], "dev").unwrap()), [0, 1]);
}

#[test]
fn a_form_that_cannot_be_added_to_is_said() {
    let flow = "[{id: a-1, address: x, reason: r, owner: o}]";
    let error = added(Some(flow), &new("x-1")).unwrap_err();
    assert_eq!(error[0].code.slug(), "bad-acknowledgement");
    let marked = applied(flow, &["a-1"], "dev");
    assert!(marked.is_err() || read(&marked.unwrap()).is_ok());
}

#[test]
fn every_wrong_entry_is_said() {
    let text = "\
- id: a-1
  address: x
  reason: ''
  owner: o
  until: 2027-02-29
- address: x
- id: a-2
  adress: x
- text
";
    assert_eq!(
        read(text).unwrap_err(),
        [
            "bad-acknowledgement 3:11 `reason` is empty",
            "bad-acknowledgement 5:10 `2027-02-29` is not a day",
            "bad-acknowledgement 6:3 `id` is missing",
            "bad-acknowledgement 8:3 unknown key `adress`",
            "bad-acknowledgement 9:3 expected an acknowledgement: a map with `id`, `address`, `reason` and `owner`",
        ]
    );
    assert_eq!(read("id: a").unwrap_err(), ["bad-acknowledgement 1:1 expected a list of acknowledgements, found a map"]);
    assert_eq!(read("- [").unwrap_err().len(), 1);
}

fn honoured(text: &str, changes: &[&str], occasion: Occasion<'_>) -> (Vec<String>, Vec<String>) {
    let mut sources = SourceMap::default();
    let file = sources.add(NAME, text);
    let mut sink = Sink::default();
    let all = Acknowledgements::read(&sources, file, &mut sink).unwrap();
    let changes = changes.iter().copied().collect();
    all.unused(&changes, &mut sink);
    let held = all.honoured(&changes, occasion, &mut sink).into_iter().map(|of| of.id.clone()).collect();
    (held, told(sink, &sources).into_iter().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect())
}

#[test]
fn one_holds_once_in_each_environment() {
    let entry = |id: &str, more: &str| format!("- {{ id: {id}, address: x, reason: r, owner: o{more} }}\n");
    let text = entry("a", "") + &entry("b", ", applied_in: [dev]") + &entry("c", ", until: 2027-01-31");
    let day = |day| Date::parse(day).unwrap();
    let occasion = Occasion { environment: Some("dev"), against: false, earlier: None, today: day("2027-01-31") };
    let all = ["a", "b", "c", "d"];
    let none: Vec<String> = Vec::new();
    assert_eq!(honoured(&text, &all, occasion), (vec!["a".into(), "c".into()], none.clone()));
    let elsewhere = Occasion { environment: Some("prod"), ..occasion };
    assert_eq!(honoured(&text, &all, elsewhere).0, ["a", "b", "c"]);
    assert_eq!(honoured(&text, &all, Occasion { against: true, ..occasion }).0, ["a", "b", "c"]);
    let late = Occasion { today: day("2027-02-01"), ..occasion };
    assert_eq!(honoured(&text, &all, late), (vec!["a".into()], vec!["ack-expired 3:52".into()]));
    // Nothing to hold for: said of those that never did.
    assert_eq!(honoured(&text, &["d"], late), (none, vec!["ack-unused 1:9".into(), "ack-unused 3:9".into()]));
    let nowhere = Occasion { environment: None, ..occasion };
    assert_eq!(honoured(&text, &all, nowhere).0, ["a", "c"]);
    let before = entry("a", ", applied_in: [default]") + &entry("b", "");
    assert_eq!(honoured(&before, &["a", "b"], occasion).0, ["b"]);
    // The same change again needs another one.
    let again = text.clone() + &entry("b", "");
    assert_eq!(honoured(&again, &all, occasion).0, ["a", "c", "b"]);
}

#[test]
fn an_unknown_id_names_those_there_are() {
    let diagnostic = unknown("lsi-by-dat-3f9a1c2e", &["lsi-by-date-3f9a1c2e", "table-orders-00000000"].into());
    assert_eq!(diagnostic.help.unwrap(), "did you mean `lsi-by-date-3f9a1c2e`?");
    assert_eq!(diagnostic.notes, ["the plan has `lsi-by-date-3f9a1c2e`, `table-orders-00000000`"]);
    assert_eq!(unknown("x", &BTreeSet::new()).notes, ["the plan has no change that needs one"]);
}

#[test]
fn one_that_was_used_up_before_a_commit_does_not_count_against_it() {
    let entry = |applied: &str| format!("- {{ id: a, address: x, reason: r, owner: o{applied} }}\n");
    let (new, applied) = (entry(""), entry(", applied_in: [dev]"));
    for (earlier, now, held) in [
        ("", applied.clone(), 1),
        (&*new, applied.clone(), 1),
        (&applied, applied.clone(), 0),
        (&applied, format!("{applied}{new}"), 1),
        (&applied, format!("{applied}{applied}"), 1),
        (&format!("{applied}{applied}"), format!("{applied}{applied}"), 0),
    ] {
        let mut sources = SourceMap::default();
        let file = sources.add(NAME, earlier);
        let earlier = Acknowledgements::read(&sources, file, &mut Sink::default()).unwrap();
        let today = Date::parse("2027-01-31").unwrap();
        let occasion = Occasion { environment: Some("dev"), against: true, earlier: Some(&earlier), today };
        assert_eq!(honoured(&now, &["a"], occasion).0.len(), held, "{now}");
        assert_eq!(honoured(&now, &["a"], Occasion { environment: Some("prod"), ..occasion }).0.len(), now.lines().count());
    }
}
