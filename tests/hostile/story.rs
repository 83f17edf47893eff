//! What `gen` is for, from an empty folder on.

use crate::repository::{ACKNOWLEDGEMENTS, Answer, MODEL, Repository, TABLE, answer};

const PATTERN: &str =
    "  orders-by-total:    { find: Order, where: \"customer_id = ?\", order: total desc, backend: dynamodb }\n  get-order:";
const INDEX: &str = "      local_secondary_indexes:\n        by_total: { sort_key: total }\n      global_secondary_indexes:\n";

/// Adds the index and the pattern that needs it, as the README tells.
fn add_index(repository: &Repository) {
    repository.edit(MODEL, "  get-order:", PATTERN);
    repository.edit(MODEL, "      global_secondary_indexes:\n", INDEX);
}

fn remove_index(repository: &Repository) {
    repository.edit(MODEL, PATTERN, "  get-order:");
    repository.edit(MODEL, INDEX, "      global_secondary_indexes:\n");
}

/// The id of the one change that waits.
fn id(plan: &Answer) -> String {
    let command = plan.out.lines().find(|line| line.trim_start().starts_with("gen ack ")).unwrap();
    command.split_whitespace().nth(2).unwrap().to_owned()
}

fn acknowledge(repository: &Repository, id: &str) {
    repository.run(["ack", id, "--reason", "nothing is in it yet", "--owner", "orders-team"]).is(0, "is acknowledged");
}

#[test]
fn a_local_index_that_is_added_later_asks_first() {
    let repository = Repository::empty();
    repository.run(["init"]).is(0, "Next: edit models/shop.yaml");
    repository.run(["plan", "--detailed-exitcode"]).is(2, "4 add, 0 update");
    repository.run(["apply"]).is(0, "6 files and the lock are written");
    repository.is_up_to_date();

    add_index(&repository);
    let before = repository.tree();
    let plan = repository.run(["plan"]);
    plan.is(3, "lsi-add");
    let first = plan.out.lines().next().unwrap();
    assert!(first.starts_with("orders: would be recreated, all items would be lost [terraform-aws-5, if unguarded]"), "{first}");
    for said in [
        "Terraform refuses at plan, because of `prevent_destroy`. Without `prevent_destroy` it would destroy the table",
        "[cloudformation-table] CloudFormation refuses at apply",
        "serves orders-by-total",
        "by_total: { sort_key: total }",
        "add a GSI instead",
        "Declare the new table beside the previous one",
        "0 add, 0 update, 1 recreate, 0 drop, 0 kept; 1 blocked",
    ] {
        plan.is(3, said);
    }
    repository.run(["apply"]).is(3, "nothing was written");
    assert_eq!(repository.tree(), before);
    repository.run(["ack", "lsi-by-totl-00000000", "--reason", "r", "--owner", "o"]).is(1, "no change of the plan has the id");

    let added = id(&plan);
    acknowledge(&repository, &added);
    assert!(repository.read(ACKNOWLEDGEMENTS).contains("applied_in: []"));
    repository.run(["plan"]).is(0, "acknowledged by orders-team: nothing is in it yet");
    repository.run(["apply"]).is(0, "2 files and the lock are written");
    assert!(repository.read(ACKNOWLEDGEMENTS).contains("applied_in: [\"default\"]"));
    repository.is_up_to_date();

    // The same change a second time is meant anew.
    remove_index(&repository);
    let plan = repository.run(["plan"]);
    plan.is(3, "lsi-remove");
    acknowledge(&repository, &id(&plan));
    repository.run(["apply"]).is(0, "are written");
    add_index(&repository);
    let again = repository.run(["plan"]);
    assert_eq!((again.code, id(&again)), (3, added.clone()));
    acknowledge(&repository, &added);
    repository.run(["apply"]).is(0, "are written");
    repository.is_up_to_date();
}

#[test]
fn a_target_that_is_left_out_is_no_harmless_change() {
    let repository = Repository::applied();
    repository.edit("gen.yaml", "  terraform: { provider: aws-5 }\n", "");
    // Terraform would destroy what its module no longer holds.
    repository.refuses(["apply"], 3, "orders: would be dropped, all items would be lost [terraform-aws-5, if unguarded]");
    repository.edit("gen.yaml", "  cloudformation:", "  terraform: {}\n  cloudformation:");
    repository.edit("gen.yaml", "  cql: {}\n", "");
    // Statements that are no longer written drop nothing: the tables are kept, and what was run stays known.
    let migration = "infra/shop/cql/cassandra-5.0/migrations/0001-create-shop.cql";
    repository.run(["apply"]).is(0, "leaves the model and is kept [cassandra-5.0]");
    repository.run(["check"]).is(0, "up to date");
    repository.edit(migration, "CREATE KEYSPACE", "create keyspace");
    repository.run(["check"]).is(2, "edited or deleted since it was written");
    repository.edit(migration, "create keyspace", "CREATE KEYSPACE");
    repository.edit("gen.yaml", "  cloudformation:", "  cql: {}\n  cloudformation:");
    repository.run(["apply"]).is(0, "kept: true → false");
    repository.is_up_to_date();
}

#[test]
fn another_provider_is_for_the_same_tables() {
    let repository = Repository::applied();
    repository.edit("gen.yaml", "provider: aws-5", "provider: aws-6");
    let plan = repository.run(["plan"]);
    assert!(plan.code == 0 && !plan.out.contains("created") && !plan.out.contains("dropped"), "{plan:#?}");
    plan.is(0, "~ infra/shop/terraform/versions.tf");
    repository.run(["apply"]).is(0, "written");
    repository.is_up_to_date();
}

#[test]
fn an_edit_by_hand_is_kept_until_it_is_given_up() {
    let repository = Repository::applied();
    repository.edit(TABLE, "PAY_PER_REQUEST", "PROVISIONED");
    repository.refuses(["apply"], 3, "was edited by hand; `--discard-edits infra/shop/terraform/table_orders.tf` overwrites it");
    repository.run(["check"]).is(2, "= \"PAY_PER_REQUEST\"");
    // From a folder below, in another spelling.
    let mut below = repository.command(["apply", "--discard-edits", "../models/../infra/shop/terraform/table_orders.tf"]);
    answer(below.current_dir(repository.path("models"))).is(0, "written");
    repository.is_up_to_date();

    // An edit that is what would be generated anyway is nobody's loss.
    repository.change();
    let elsewhere = Repository::applied();
    elsewhere.change();
    elsewhere.run(["apply"]).is(0, "written");
    repository.write(TABLE, elsewhere.read(TABLE));
    let applied = repository.run(["apply"]);
    assert!(applied.code == 0 && !applied.err.contains("edited-by-hand"), "{applied:#?}");
    repository.is_up_to_date();

    // What is thrown away need not be readable; what is not has to be.
    for garbage in [b"resource {{{".as_slice(), &[0xff, 0xfe]] {
        repository.write(TABLE, garbage);
        let before = repository.tree();
        assert_eq!(repository.run(["apply"]).code, 1);
        assert_eq!(repository.tree(), before);
        repository.run(["apply", "--discard-edits", TABLE]).is(0, "written");
        repository.is_up_to_date();
    }
    std::fs::remove_file(repository.path(TABLE)).unwrap();
    repository.refuses(["apply"], 3, "was deleted by hand; `--discard-edits");
}
