//! Section 4 on writes: where they go and what they have to know.

use super::{Outcome, model, outcome};

const SESSION: &str = "
Session:
  key: token
  attributes:
    token: uuid
    user: text
    status: { enum: [OPEN, CLOSED] }
    seen: timestamp
    visits: int
";

fn write(pattern: &str, tables: &str) -> Outcome {
    outcome(&model(
        SESSION,
        &format!("get: {{ find: Session, where: \"token = ?\", via: dynamodb.by_token }}\np:\n  {pattern}"),
        tables,
    ))
}

const TWO: &str = "
by_token: { holds: Session, partition_key: token }
by_user: { holds: Session, partition_key: user, sort_key: token }
";

#[test]
fn a_write_goes_to_every_table() {
    let outcome = write("put: Session", TWO);
    assert_eq!(
        outcome.served("p"),
        ["dynamodb.by_token: PutItem token = :token", "dynamodb.by_user: PutItem user = :user and token = :token"]
    );
    assert!(!outcome.codes().contains(&"write-needs-read"));
    let outcome = write("put: Session\n  via: dynamodb.by_token", TWO);
    assert_eq!(outcome.served("p").len(), 1);
    assert_eq!(outcome.messages("via-needless").len(), 1, "only that of the read");
    let outcome = write("put: Session\n  via: [dynamodb.by_token, dynamodb.by_user]", TWO);
    assert_eq!(outcome.messages("via-needless").len(), 2);
}

#[test]
fn a_key_that_is_not_given_has_to_be_read() {
    let outcome = write("delete: Session\n  where: token = ?", TWO);
    assert_eq!(outcome.errors(), [] as [&str; 0]);
    let message = "`p` needs `user` for `user` of table `by_user`, which it does not give";
    assert_eq!(outcome.messages("write-needs-read"), [message]);
    let finding = outcome.diagnostics.iter().find(|diagnostic| diagnostic.code.slug() == "write-needs-read").unwrap();
    assert_eq!(finding.help.as_deref(), Some("read the item by `get` first"));
    assert_eq!(finding.address(), Some("dynamodb.by_user"));
    let outcome = write("delete: Session\n  where: token = ? and user = ?", TWO);
    assert_eq!(outcome.messages("write-needs-read"), [] as [&str; 0]);
}

#[test]
fn a_composed_index_key_is_written_whole() {
    let table = "
by_token:
  partition_key: token
  holds: { Session: { gsk: \"{status}#{seen}\" } }
  global_secondary_indexes:
    by_user: { partition_key: user, sort_key: gsk }
";
    let message = "`p` needs `seen` for `gsk` of table `by_token`, which it does not give";
    assert_eq!(write("update: Session\n  where: token = ?\n  set: [status]", table).messages("write-needs-read"), [message]);
    let both = write("update: Session\n  where: token = ?\n  set: [status, seen]", table);
    assert_eq!(both.messages("write-needs-read"), [] as [&str; 0]);
    let neither = write("update: Session\n  where: token = ?\n  increment: [visits]", table);
    assert_eq!(neither.messages("write-needs-read"), [] as [&str; 0]);
}

#[test]
fn a_write_names_one_item() {
    let outcome = write("delete: Session\n  where: user = ?", TWO);
    assert_eq!(outcome.messages("range-write"), ["`p` does not name one `Session`: `token` of its key is not given"]);
    assert_eq!(outcome.underlined("range-write"), "user = ?");
    let outcome = write("delete: Session\n  where: user = ? and token > ?", TWO);
    assert_eq!(
        outcome.messages("range-write"),
        ["`p` does not name one `Session`: `token > :token_from` may hold for many items"]
    );
    assert_eq!(outcome.served("p"), [] as [&str; 0]);
}

#[test]
fn a_key_attribute_does_not_change() {
    let outcome = write("update: Session\n  where: token = ? and user = ?\n  set: [user, seen]", TWO);
    assert_eq!(outcome.messages("key-attribute-updated"), ["`p` changes `user`, which is in the key of table `by_user`"]);
    let outcome = write("update: Session\n  where: token = ? and user = ?\n  set: [seen]", TWO);
    assert_eq!(outcome.messages("key-attribute-updated"), [] as [&str; 0]);
}

#[test]
fn transactions_and_batches() {
    let table = "by_token: { holds: Session, partition_key: token }";
    let outcome = write(
        "transaction:\n    - { put: Session, if: not exists }\n    - { delete: Session, where: \"token = :other\" }",
        table,
    );
    assert_eq!(
        outcome.served("p"),
        [
            "dynamodb.by_token: TransactWriteItems: PutItem token = :token",
            "dynamodb.by_token: TransactWriteItems: DeleteItem token = :other"
        ]
    );
    let outcome = write("transaction:\n    - { find: Session, where: \"token = ?\" }", table);
    assert_eq!(outcome.served("p"), ["dynamodb.by_token: TransactGetItems token = :token"]);
    let outcome = write("batch:\n    - { put: Session, batch_size: 10 }\n    - { put: Session, if: exists }", table);
    assert_eq!(
        outcome.served("p"),
        ["dynamodb.by_token: BatchWriteItem: PutItem token = :token", "dynamodb.by_token: PutItem token = :token"]
    );
    let outcome = write("transaction:\n    - { find: Session, where: \"user = ?\" }", TWO);
    assert!(outcome.messages("pattern-unserved").iter().any(|message| message.contains("whole key in a transaction")));
}
