//! Rules and allowances over whole models. `tests/pages.rs` shows each rule at work by the example of its page.

use super::*;
use crate::design::{Operations, design};
use crate::diagnostic::{Diagnostic, Level, Severity, Thresholds};
use crate::source::SourceMap;
use crate::validate;

const TODAY: &str = "2026-11-30";

fn judge(text: &str) -> Vec<Diagnostic> {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let file = sources.add("models/test.yaml", text);
    let Some(model) = validate::load(&sources, file, &mut sink) else { panic!("{:#?}\n{text}", sink.into_sorted()) };
    let design = design(&model, Operations::LeftOut, &mut sink);
    lint(&model, &design, &Thresholds::default(), Wording::Written, &mut sink);
    Allowances::of(&model).apply(TODAY, sink.into_sorted())
}

fn codes_of(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    let mut codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.slug()).collect();
    codes.retain(|code| *code != "needs-numbers");
    codes
}

/// A model with two tables without recovery, and places to allow that.
fn sessions(of_model: &str, of_table: &str, of_pattern: &str) -> String {
    format!(
        "gen: 1
name: sessions
{of_model}
entities:
  Session: {{ key: token, attributes: {{ token: uuid, username: text }} }}
access_patterns:
  create: {{ put: Session }}
  get: {{ find: Session, where: \"token = ?\" }}
  of-user: {{ find: Session, where: \"username = ?\" }}
  end: {{ delete: Session, where: \"token = ?\"{of_pattern} }}
dynamodb:
  tables:
    sessions: {{ holds: Session, partition_key: token{of_table} }}
    by_user: {{ holds: Session, partition_key: username, sort_key: token }}
"
    )
}

#[test]
fn rules_are_sorted_and_documented() {
    let slugs: Vec<&str> = RULES.iter().map(|rule| rule.code.slug()).collect();
    assert!(slugs.is_sorted(), "{slugs:?}");
    for slug in slugs {
        assert!(Code::find(slug).and_then(explain).is_some(), "docs/codes/{slug}.md");
    }
}

#[test]
fn an_allowance_holds_where_it_stands_and_in_what_it_contains() {
    let none = codes_of(&judge(&sessions("", "", "")));
    assert_eq!(none, ["write-needs-read", "no-recovery", "no-recovery"]);
    let one = judge(&sessions("", ", allow: { no-recovery: Short-lived. }", ""));
    assert_eq!(codes_of(&one), ["write-needs-read", "no-recovery"]);
    let all = judge(&sessions("allow: { no-recovery: Short-lived. }", "", ", allow: { write-needs-read: It is known. }"));
    assert_eq!(codes_of(&all), [] as [&str; 0]);
}

#[test]
fn an_entry_is_allowed_by_its_pattern() {
    let text = sessions("", ", allow: { no-recovery: Short-lived. }", "")
        .replace("  end: {", "  end:\n    transaction:\n      - {")
        .replace("dynamodb:", "    allow: { write-needs-read: It is known. }\ndynamodb:");
    assert_eq!(codes_of(&judge(&text)), ["no-recovery"]);
}

#[test]
fn an_allowance_expires() {
    let until = |day: &str| sessions("", &format!(", allow: {{ no-recovery: {{ reason: Short-lived., until: {day} }} }}"), "");
    assert_eq!(codes_of(&judge(&until(TODAY))), ["write-needs-read", "no-recovery"]);
    let past = judge(&until("2026-11-29"));
    assert_eq!(codes_of(&past).iter().filter(|code| **code == "no-recovery").count(), 2);
    let expired = past.iter().find(|diagnostic| diagnostic.code == codes::ALLOW_EXPIRED).unwrap();
    assert_eq!(expired.address(), Some("dynamodb.sessions"));
}

#[test]
fn what_cannot_be_allowed_is_said() {
    let of = |allow: &str| {
        let said = judge(&sessions(&format!("allow: {{ no-recovery: Short-lived., {allow}: Because. }}"), "", ""));
        said.into_iter()
            .find(|diagnostic| diagnostic.code.slug() != "write-needs-read" && diagnostic.code != codes::NEEDS_NUMBERS)
    };
    let unknown = of("unused-tabel").unwrap();
    assert_eq!(unknown.code, codes::UNKNOWN_NAME);
    assert_eq!(unknown.suggestion.unwrap().edits[0].1, "unused-table");
    assert_eq!(of("pattern-unserved").unwrap().code, codes::ALLOW_OF_ERROR);
    assert_eq!(of("unused-table").unwrap().code, codes::ALLOW_UNUSED);
    // A rule that is not built yet, and one that needs the previous generation, may have a reason that is not seen here.
    assert_eq!(of("hot-partition"), None);
    assert_eq!(of("rename-done"), None);
}

#[test]
fn missing_numbers_are_named_with_what_they_allow() {
    let said = judge(&sessions("", "", ""));
    let needs: Vec<&Diagnostic> = said.iter().filter(|diagnostic| diagnostic.code == codes::NEEDS_NUMBERS).collect();
    let session = needs.iter().find(|diagnostic| diagnostic.message.starts_with("`Session` does")).unwrap();
    assert_eq!(session.message, "`Session` does not give `growth`, `items`, `size`");
    assert!(
        session.notes.contains(&"`size` would allow to judge: hot-partition, unbounded-read".to_owned()),
        "{:?}",
        session.notes
    );
    assert!(needs.iter().any(|diagnostic| diagnostic.message == "`get` does not give `rate`"));
    let numbered = sessions("", "", "")
        .replace("username: text } }", "username: { type: text, distinct: 2M } }, items: 1M, size: 200B, growth: 1/s }")
        .replace("create: { put: Session", "create: { put: Session, rate: 1/s")
        .replace("token = ?\"", "token = ?\", rate: 1/s")
        .replace("username = ?\"", "username = ?\", rate: 1/s");
    assert!(judge(&numbered).iter().all(|diagnostic| diagnostic.code != codes::NEEDS_NUMBERS));
}

#[test]
fn a_table_of_guards_is_used_by_its_writes() {
    let text = "gen: 1
name: users
entities:
  User: { key: user_id, attributes: { user_id: uuid, email: { type: text, unique: true } } }
  Email: { key: email, guards: User.email, attributes: { email: text } }
access_patterns:
  get: { find: User, where: \"user_id = ?\" }
  sign-up: { transaction: [ { put: Email, if: not exists }, { put: User } ] }
cql:
  engines: [cassandra-5.0]
  keyspace: { replication: { dc1: 3 } }
  tables:
    users: { holds: User, partition_key: user_id }
    emails: { holds: Email, partition_key: email }
";
    assert_eq!(codes_of(&judge(text)), ["transaction-not-atomic"]);
    let unguarded = text.replace(", guards: User.email", "");
    assert_eq!(
        codes_of(&judge(&unguarded)),
        ["uniqueness-not-guarded", "missing-pattern", "transaction-not-atomic", "unused-table"]
    );
}

#[test]
fn a_walk_that_nothing_bounds_is_said_on_both_stores() {
    let model = |of_entity: &str, of_pattern: &str| {
        format!(
            "gen: 1
name: feed
entities:
  Post: {{ key: [author, at], attributes: {{ author: uuid, at: timestamp, body: text }}{of_entity} }}
access_patterns:
  newest: {{ find: Post, where: \"author = ?\", order: at desc, limit: 20 }}
  since: {{ find: Post, where: \"author = ? and at >= ?\"{of_pattern} }}
  post: {{ put: Post }}
dynamodb:
  defaults: {{ point_in_time_recovery: true }}
  tables:
    posts:
      partition_key: pk
      sort_key: at
      holds: {{ Post: {{ pk: \"{{author}}#{{bucket(at, month)}}\", at: \"{{at}}\" }} }}
cql:
  engines: [cassandra-5.0]
  keyspace: {{ replication: {{ dc1: 3 }} }}
  tables:
    posts: {{ holds: Post, partition_key: [author, {{ bucket: at, by: month }}], clustering: [at desc] }}
"
        )
    };
    let told = |text: &str| -> Vec<String> {
        let found = judge(text).into_iter().filter(|found| found.code == codes::UNBOUNDED_FAN_OUT);
        found.map(|found| format!("{}; {}", found.message, found.help.unwrap_or_default())).collect()
    };
    let both = told(&model("", ", span: 90d"));
    assert_eq!(both.len(), 2, "{both:#?}");
    assert!(both.iter().any(|one| one.contains("`dynamodb.posts`") && !one.contains("ttl")), "{both:#?}");
    assert!(both.iter().any(|one| one.contains("`cql.posts`") && one.contains("ttl")), "{both:#?}");
    // A range with one open end goes back as far; DynamoDB is not asked for one (`pattern-unserved`).
    assert_eq!(told(&model("", "")).len(), 3);
    assert_eq!(told(&model(", retain: 1y", "")), Vec::<String>::new());
}

#[test]
fn thresholds_decide_what_is_worth_a_word() {
    let text = "gen: 1
name: events
entities:
  Event: { key: id, attributes: { id: uuid, shop: text } }
access_patterns:
  put-event: { put: Event }
  events-of: { find: Event, where: \"shop = ?\" }
dynamodb:
  tables:
    events:
      partition_key: pk
      sort_key: id
      point_in_time_recovery: true
      holds: { Event: { pk: \"{shop}#{shard(id, 40)}\" } }
";
    let level = |warn: Option<f64>, error: Option<f64>| {
        let mut sources = SourceMap::default();
        let mut sink = Sink::default();
        let file = sources.add("models/test.yaml", text);
        let model = validate::load(&sources, file, &mut sink).unwrap();
        let design = design(&model, Operations::LeftOut, &mut sink);
        let mut thresholds = Thresholds::default();
        thresholds.set(codes::WIDE_FAN_OUT, crate::diagnostic::Limits { warn, error });
        let mut sink = Sink::default();
        lint(&model, &design, &thresholds, Wording::Written, &mut sink);
        let found = sink.into_sorted().into_iter().find(|finding| finding.code == codes::WIDE_FAN_OUT);
        found.map(|finding| (finding.severity, finding.notes[0].clone()))
    };
    let told = |limit: u32| format!("more than {limit}: it is as slow as the slowest of them");
    assert_eq!(level(None, None), Some((Severity::Finding(Level::Warning), told(30))));
    assert_eq!(level(Some(40.0), None), None);
    assert_eq!(level(None, Some(39.0)), Some((Severity::Finding(Level::Error), told(39))));
}

#[test]
fn notes_that_are_only_counted_are_the_same_without_words() {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let file = sources.add("models/test.yaml", sessions("", "", ""));
    let model = validate::load(&sources, file, &mut sink).unwrap();
    let design = design(&model, Operations::LeftOut, &mut sink);
    let said = |wording: Wording| {
        let mut sink = Sink::default();
        lint(&model, &design, &Thresholds::default(), wording, &mut sink);
        sink.into_sorted()
    };
    let (told, counted) = (said(Wording::Written), said(Wording::LeftOut));
    let is_note = |finding: &&Diagnostic| finding.severity == Severity::Finding(Level::Info);
    assert!(told.iter().filter(is_note).count() > 1, "{told:#?}");
    assert!(counted.iter().filter(is_note).all(|finding| finding.message.is_empty() && finding.notes.is_empty()));
    let about = |all: &[Diagnostic]| {
        all.iter()
            .map(|finding| (finding.code, finding.severity, finding.primary.clone(), finding.subjects.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(about(&told), about(&counted));
}

#[test]
fn a_variable_of_a_policy_is_no_parameter() {
    let policy = "resource_policy: { Statement: [{ Effect: Deny, Resource: \"${stage}\" }] }";
    let unused = |more: &str| {
        let text = sessions("parameters: { stage: { default: dev } }", &format!(", {policy}{more}"), "");
        codes_of(&judge(&text)).contains(&"unused-parameter")
    };
    assert!(unused(""));
    assert!(!unused(", tags: { resource_policy: \"${stage}\" }"));
}

#[test]
fn a_write_to_one_table_has_no_copies() {
    let page = include_str!("../../docs/codes/conditional-on-copies.md");
    let example = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let told = |text: &str| codes_of(&judge(text)).contains(&"conditional-on-copies");
    assert!(told(example));
    assert!(!told(&example.replace("    put: User\n", "    put: User\n    via: cql.users\n")));
}
