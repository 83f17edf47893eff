//! Published designs: every pattern is proved.

use super::outcome;

fn read(name: &str) -> String {
    std::fs::read_to_string(format!("{}/models/{name}.yaml", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// A model without the entries whose lines begin with one of some words, and what is indented below them.
fn without(text: &str, words: &[&str]) -> String {
    let mut kept = String::new();
    let mut skip: Option<usize> = None;
    for line in text.lines() {
        let depth = line.len() - line.trim_start().len();
        if skip.is_some_and(|at| depth > at) {
            continue;
        }
        skip = words.iter().any(|word| line.trim_start().starts_with(word)).then_some(depth);
        if skip.is_none() {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[test]
fn a_single_table_design_is_proved() {
    let outcome = outcome(&without(&read("code-hosting"), &["replicas:", "kms_key_arn_eu:"]));
    assert_eq!(outcome.errors(), [] as [&str; 0]);
    let served = |pattern: &str| outcome.served(pattern).join("; ");
    let expected = [
        ("get-account", "dynamodb.hub: GetItem pk = \"ACCOUNT#{lower(account)}\" and sk = \"ACCOUNT\""),
        ("enterprises", "dynamodb.hub.gsi.gsi1: Query gsi1pk = \"PLAN#ENTERPRISE\", limit 100"),
        ("account-of-email", "dynamodb.hub: GetItem pk = \"EMAIL#{lower(email)}\" and sk = \"EMAIL\", consistent"),
        ("members", "dynamodb.hub: Query pk = \"ACCOUNT#{lower(organization)}\" and begins_with(sk, \"MEMBER#\")"),
        ("organizations-of", "dynamodb.hub.gsi.gsi1: Query gsi1pk = \"MEMBER#{member}\""),
        ("get-repo", "dynamodb.hub: GetItem pk = \"REPO#{account}/{repo}\" and sk = \"REPO\""),
        ("repos-of-account", "dynamodb.hub.gsi.gsi1: Query gsi1pk = \"OWNER#{account}\", backward, limit 30"),
        (
            "new-repos",
            "dynamodb.hub.gsi.gsi3: Query gsi3pk = \"NEW#{bucket(created_at, day)}#{shard(repo, 4)}\", backward, limit 20",
        ),
        ("forks", "dynamodb.hub.gsi.gsi2: Query gsi2pk = \"FORKS#{fork_of}\", limit 30"),
        ("get-issue", "dynamodb.hub: GetItem pk = \"REPO#{account}/{repo}\" and sk = \"ISSUE#{number:010}\""),
        (
            "repo-with-issues",
            "dynamodb.hub: Query pk = \"REPO#{account}/{repo}\" and sk between \"ISSUE#\" and \"REPO\", backward, limit 26",
        ),
        (
            "open-issues",
            "dynamodb.hub.gsi.gsi2: Query gsi2pk = \"ISSUES#{account}/{repo}\" and begins_with(gsi2sk, \"OPEN#\"), backward, limit 25",
        ),
        (
            "issues-in-state",
            "dynamodb.hub.gsi.gsi2: Query gsi2pk = \"ISSUES#{account}/{repo}\" and gsi2sk between \"{state}#\" and \
             \"{state}#{:before:010}\" (excluded), backward, limit 25",
        ),
        ("stargazers", "dynamodb.hub: Query pk = \"REPO#{account}/{repo}\" and begins_with(sk, \"STAR#\"), limit 50"),
        ("starred-by", "dynamodb.hub.gsi.gsi1: Query gsi1pk = \"STARS#{starred_by}\", backward, limit 30"),
        ("issues-by-text", ""),
        ("repos-named", "dynamodb.hub: BatchGetItem pk = \"REPO#{account}/{repo}\" and sk = \"REPO\""),
        (
            "create-account",
            "dynamodb.hub: TransactWriteItems: PutItem pk = \"ACCOUNT#{lower(account)}\" and sk = \"ACCOUNT\"; \
             dynamodb.hub: TransactWriteItems: PutItem pk = \"EMAIL#{lower(email)}\" and sk = \"EMAIL\"",
        ),
        ("close-issue", "dynamodb.hub: UpdateItem pk = \"REPO#{account}/{repo}\" and sk = \"ISSUE#{number:010}\""),
    ];
    for (pattern, by) in expected {
        assert_eq!(served(pattern), by, "{pattern}");
    }
    // 4 shards × 1 bucket: a day brings 10K repositories, and the limit is 20.
    assert_eq!(outcome.partitions("new-repos"), Some(4));
    assert_eq!(outcome.partitions("repos-named"), Some(40));
    let mut codes = outcome.codes();
    codes.dedup();
    // Allowed in the model, both of them; allowances are applied to a whole run.
    assert_eq!(codes.iter().filter(|code| !["separator-in-value", "via-needless"].contains(code)).count(), 0, "{codes:?}");
    assert!(codes.contains(&"separator-in-value") && codes.contains(&"via-needless"));
}

#[test]
fn natural_keys_are_proved() {
    let text = without(&read("forum"), &["throughput:", "write_max:", "read:", "write:", "billing:", "table_class:"])
        .replace(", throughput: { read: 5, write: 5 }", "");
    // A key of several attributes is not generated yet, but the proof walks it.
    let text = text.replace("[forum_name, last_post_at] }   #", "last_post_at } #").replace(
        "threads-by-member: { find: Thread, where: \"started_by = ? and forum_name = ?\"",
        "threads-by-member: { find: Thread, where: \"started_by = ?\"",
    );
    let outcome = outcome(&text);
    assert_eq!(outcome.errors(), [] as [&str; 0]);
    let served = |pattern: &str| outcome.served(pattern).join("; ");
    let expected = [
        ("get-forum", "dynamodb.forum: GetItem forum_name = :forum_name"),
        ("list-forums", "dynamodb.forum: Scan forum"),
        ("thread-count", "dynamodb.forum: GetItem forum_name = :forum_name"),
        ("get-thread", "dynamodb.thread: GetItem forum_name = :forum_name and subject = :subject, consistent"),
        ("threads-by-title", "dynamodb.thread: Query forum_name = :forum_name and begins_with(subject, :subject), limit 25"),
        ("recent-threads", "dynamodb.thread.lsi.last_post: Query forum_name = :forum_name, backward, limit 20"),
        (
            "threads-since",
            "dynamodb.thread.lsi.last_post: Query forum_name = :forum_name and last_post_at > :last_post_at_from, backward, limit 20",
        ),
        ("threads-by-member", "dynamodb.thread.gsi.started_by: Query started_by = :started_by, backward, limit 20"),
        ("newest-replies", "dynamodb.reply: Query id = \"{forum_name}#{subject}\", backward, limit 50"),
        ("replies-between", "dynamodb.reply: Query id = \"{forum_name}#{subject}\" and posted_at between :from and :to"),
        ("replies-by-member", "dynamodb.reply.gsi.posted_by: Query posted_by = :posted_by, backward, limit 20"),
    ];
    for (pattern, by) in expected {
        assert_eq!(served(pattern), by, "{pattern}");
    }
}
