//! Migrations in a repository: what is never rewritten, what is never run twice, and what `gen check` makes of it.
#![expect(clippy::unwrap_used, reason = "a test")]

use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::process::{Command, Output};

const FOLDER: &str = "infra/shop/cql/cassandra-5.0/migrations";

struct Repository(tempfile::TempDir);

impl Repository {
    /// With a table whose columns are these beside its key, applied.
    fn new(columns: &str) -> Self {
        let repository = Self(tempfile::tempdir().unwrap());
        repository.model(columns);
        repository.run(&["apply", "model.yaml"], 0);
        repository
    }

    fn model(&self, columns: &str) {
        let text = format!(
            "gen: 1\nname: shop\nentities:\n  Order:\n    key: id\n    attributes: {{ id: uuid{columns} }}\n\
             access_patterns:\n  get: {{ find: Order, where: \"id = ?\" }}\n  put: {{ put: Order }}\n\
             cql:\n  engines: [cassandra-5.0]\n  keyspace: {{ replication: {{ dc1: 3 }} }}\n  \
             tables:\n    orders: {{ holds: Order, partition_key: id }}\n"
        );
        fs::write(self.path("model.yaml"), text).unwrap();
    }

    fn path(&self, path: &str) -> Utf8PathBuf {
        Utf8Path::from_path(self.0.path()).unwrap().join(path)
    }

    fn migration(&self, name: &str) -> Utf8PathBuf {
        self.path(FOLDER).join(name)
    }

    /// What it says, of both kinds.
    fn run(&self, arguments: &[&str], code: i32) -> String {
        let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_gen"))
            .args(arguments)
            .current_dir(self.0.path())
            .env_clear()
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let said = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(code), "gen {arguments:?}: {said}");
        said
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path(FOLDER)).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn each_apply_adds_what_changed_and_nothing_else() {
    let shop = Repository::new("");
    assert_eq!(shop.names(), ["0001-create-shop.cql"]);
    shop.run(&["apply", "model.yaml"], 0);
    shop.model(", note: text");
    shop.run(&["apply", "model.yaml"], 0);
    shop.model(", note: text, weight: int");
    let plan = shop.run(&["plan", "model.yaml"], 0);
    assert!(plan.contains("+ infra/shop/cql/cassandra-5.0/migrations/0003-add-orders-weight.cql"), "{plan}");
    shop.run(&["apply", "model.yaml"], 0);
    assert_eq!(shop.names(), ["0001-create-shop.cql", "0002-add-orders-note.cql", "0003-add-orders-weight.cql"]);
    shop.run(&["check", "model.yaml"], 0);
}

#[test]
fn a_migration_that_was_edited_or_deleted_comes_from_version_control() {
    let shop = Repository::new("");
    let first = shop.migration("0001-create-shop.cql");
    let text = fs::read_to_string(&first).unwrap();
    shop.model(", note: text");
    for break_it in [|path: &Utf8Path| fs::write(path, "-- nothing\n").unwrap(), |path: &Utf8Path| fs::remove_file(path).unwrap()]
    {
        break_it(&first);
        let said = shop.run(&["apply", "model.yaml", "--discard-edits", &format!("{FOLDER}/0001-create-shop.cql")], 3);
        assert!(said.contains("take it from version control") && said.contains("nothing was written"), "{said}");
        let said = shop.run(&["check", "model.yaml"], 2);
        assert!(said.contains("0001-create-shop.cql was edited or deleted"), "{said}");
        fs::write(&first, &text).unwrap();
    }
    shop.run(&["apply", "model.yaml"], 0);
}

#[test]
fn two_branches_that_both_added_a_migration_are_told() {
    let shop = Repository::new("");
    shop.model(", note: text");
    shop.run(&["apply", "model.yaml"], 0);
    fs::write(shop.migration("0002-add-orders-weight.cql"), "ALTER TABLE shop.orders ADD weight int;\n").unwrap();
    for command in ["plan", "apply", "check"] {
        let said = shop.run(&[command, "model.yaml"], 1);
        assert!(said.contains("migration-number-twice") && said.contains("have one number, 2"), "{said}");
    }
    // Renumbered, it is one of the history: what it does is missing in the model, and that is told too.
    fs::rename(shop.migration("0002-add-orders-weight.cql"), shop.migration("0003-add-orders-weight.cql")).unwrap();
    let said = shop.run(&["check", "model.yaml"], 2);
    assert!(
        said.contains("do not add up to the schema of the lock: `cql.shop.orders columns.weight` should be nothing"),
        "{said}"
    );
}

#[test]
fn what_people_write_beside_it_counts() {
    let shop = Repository::new("");
    fs::write(shop.migration("0007-backfill.cql"), "UPDATE shop.orders SET note = '' WHERE id = uuid();\n").unwrap();
    fs::write(shop.migration("README.md"), "Run them in order.\n").unwrap();
    shop.model(", note: text");
    shop.run(&["apply", "model.yaml"], 0);
    assert!(shop.names().contains(&"0008-add-orders-note.cql".to_owned()), "{:?}", shop.names());
    shop.run(&["check", "model.yaml"], 0);
}

#[test]
fn without_a_lock_the_history_goes_on() {
    let shop = Repository::new("");
    fs::remove_file(shop.path("infra/shop/gen.lock")).unwrap();
    shop.model(", note: text");
    // The schema beside them is not the one to be written, and nobody knows whose it is.
    let schema = "infra/shop/cql/cassandra-5.0/schema.cql";
    shop.run(&["apply", "model.yaml", "--discard-edits", schema], 0);
    assert_eq!(shop.names(), ["0001-create-shop.cql", "0002-add-orders-note.cql"]);
    let lock = fs::read_to_string(shop.path("infra/shop/gen.lock")).unwrap();
    assert!(lock.contains("migrations/0001-create-shop.cql "), "{lock}");
    shop.run(&["check", "model.yaml"], 0);
}

#[test]
fn a_history_begins_with_what_was_there() {
    let shop = Repository::new("");
    fs::remove_dir_all(shop.path(FOLDER)).unwrap();
    fs::remove_file(shop.path("infra/shop/gen.lock")).unwrap();
    shop.model(", note: text");
    shop.run(&["apply", "model.yaml", "--discard-edits", "infra/shop/cql/cassandra-5.0/schema.cql"], 0);
    assert_eq!(shop.names(), ["0001-create-shop.cql", "0002-add-orders-note.cql"]);
    assert!(!fs::read_to_string(shop.migration("0001-create-shop.cql")).unwrap().contains("note"));
    shop.run(&["check", "model.yaml"], 0);
}

#[test]
fn an_edit_of_the_schema_hides_no_destruction() {
    let shop = Repository::new(", note: text");
    shop.model("");
    let schema = "infra/shop/cql/cassandra-5.0/schema.cql";
    let text = fs::read_to_string(shop.path(schema)).unwrap();
    fs::write(shop.path(schema), text.replace("    note text,\n", "")).unwrap();
    let said = shop.run(&["apply", "model.yaml", "--discard-edits", schema], 3);
    assert!(said.contains("0002-drop-orders-note.destructive.cql would destroy what the plan does not show"), "{said}");
    assert_eq!(shop.names(), ["0001-create-shop.cql"]);
}

#[test]
fn a_folder_of_migrations_is_a_baseline_that_remembers() {
    let shop = Repository::new(", note: text");
    fs::write(shop.migration("0002-drop.cql"), "ALTER TABLE shop.orders DROP note;\n").unwrap();
    shop.model(", note: int");
    let said = shop.run(&["plan", "model.yaml", "--against", &format!("./{FOLDER}")], 3);
    assert!(said.contains("gen explain col-readd-other"), "{said}");
    let said = shop.run(&["diff", FOLDER, "model.yaml"], 3);
    assert!(said.contains("gen explain col-readd-other"), "{said}");
}

#[test]
fn history_tells_what_was_dropped() {
    let shop = Repository::new("");
    let keyspace = "CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};\n";
    let write = |name: &str, text: &str| fs::write(shop.path(name), format!("{keyspace}{text}")).unwrap();
    write("before.cql", "CREATE TABLE shop.t (id uuid PRIMARY KEY);");
    write("after.cql", "CREATE TABLE shop.t (id uuid PRIMARY KEY, note text);");
    write("history.cql", "CREATE TABLE shop.t (id uuid PRIMARY KEY, note int); ALTER TABLE shop.t DROP note;");
    let diff = |more: &[&str]| shop.run(&[&["diff", "before.cql", "after.cql"], more].concat(), 0);
    assert!(diff(&[]).contains("updated in place"));
    assert!(diff(&["--history", "history.cql"]).contains("gen explain col-readd-other"));
    let said = shop.run(&["diff", "before.cql", "after.cql", "--history", "model.yaml"], 1);
    assert!(said.contains("--history takes CQL"), "{said}");
}

#[test]
fn an_engine_that_leaves_keeps_its_tables_and_is_spoken_of() {
    let shop = Repository::new(", note: text");
    let with = fs::read_to_string(shop.path("model.yaml")).unwrap();
    let (without, _) = with.split_once("cql:\n").unwrap();
    let without = format!("{without}dynamodb:\n  tables:\n    orders: {{ holds: Order, partition_key: id }}\n");
    fs::write(shop.path("model.yaml"), &without).unwrap();
    let plan = shop.run(&["plan", "model.yaml"], 0);
    assert!(plan.contains("cql.orders: leaves the model and is kept [cassandra-5.0]"), "{plan}");
    assert!(plan.contains("1 add, 0 update, 0 recreate, 0 drop, 1 kept"), "{plan}");
    shop.run(&["apply", "model.yaml"], 0);
    shop.run(&["check", "model.yaml"], 0);
    assert!(shop.path("infra/shop/cql/cassandra-5.0/migrations/0001-create-shop.cql").exists(), "what was run stays on record");
    let plan = shop.run(&["plan", "model.yaml", "--format", "json"], 0);
    assert!(plan.contains("`cassandra-5.0` left the model, and its tables are kept"), "{plan}");
    fs::write(shop.path("model.yaml"), format!("{without}allow: {{ table-kept: \"the cluster is gone\" }}\n")).unwrap();
    assert!(!shop.run(&["plan", "model.yaml", "--format", "json"], 0).contains("table-kept"));
    // It comes back: nothing is made twice, and what changed meanwhile is a migration of its own.
    fs::write(shop.path("model.yaml"), with.replace("note: text", "note: text, weight: int")).unwrap();
    shop.run(&["apply", "model.yaml"], 0);
    assert_eq!(shop.names(), ["0001-create-shop.cql", "0002-add-orders-weight.cql"]);
    shop.run(&["check", "model.yaml"], 0);
}

#[test]
fn another_release_of_an_engine_is_an_upgrade() {
    let shop = Repository::new(", note: text");
    let text = fs::read_to_string(shop.path("model.yaml")).unwrap();
    let before = text.replace("cassandra-5.0", "cassandra-4.1");
    fs::remove_dir_all(shop.path("infra")).unwrap();
    fs::write(shop.path("model.yaml"), before).unwrap();
    shop.run(&["apply", "model.yaml"], 0);
    fs::write(shop.path("model.yaml"), text.replace("note: text", "note: text, weight: int")).unwrap();
    let plan = shop.run(&["plan", "model.yaml"], 0);
    assert!(plan.contains("0 add, 1 update, 0 recreate, 0 drop, 0 kept"), "{plan}");
    shop.run(&["apply", "model.yaml"], 0);
    assert_eq!(shop.names(), ["0001-create-shop.cql", "0002-add-orders-weight.cql"]);
    shop.run(&["check", "model.yaml"], 0);
    // The two side by side are two clusters.
    let both = text.replace("note: text", "note: text, weight: int").replace("[cassandra-5.0]", "[cassandra-5.0, cassandra-4.0]");
    fs::write(shop.path("model.yaml"), both).unwrap();
    let plan = shop.run(&["plan", "model.yaml"], 0);
    assert!(plan.contains("cql.orders: created [cassandra-4.0]"), "{plan}");
    assert!(plan.contains("2 add, 0 update, 0 recreate, 0 drop, 0 kept"), "{plan}");
}

#[test]
fn a_template_destroys_nothing_of_its_own() {
    let repository = Repository::new("");
    fs::write(repository.path("gen.yaml"), "gen: 1\ntemplates: templates\n").unwrap();
    let template = repository.path("templates/cql/migration.cql.j2");
    fs::create_dir_all(template.parent().unwrap()).unwrap();
    let with = |statement: &str| {
        format!("{{% extends \"gen/cql/migration.cql.j2\" %}}\n{{% block more %}}\n{statement}\n{{% endblock %}}\n")
    };
    repository.model(", note: text");
    for statement in ["TRUNCATE shop.orders;", "DELETE FROM shop.orders WHERE id = 1;", "BEGIN BATCH DELETE FROM a; APPLY BATCH;"]
    {
        fs::write(&template, with(statement)).unwrap();
        for command in ["plan", "apply"] {
            let said = repository.run(&[command, "model.yaml"], 1);
            assert!(said.contains("error[migration-incomplete]: a template adds `"), "{said}");
        }
        assert_eq!(repository.names(), ["0001-create-shop.cql"]);
    }
    fs::write(&template, with("INSERT INTO shop.orders (id) VALUES (uuid());")).unwrap();
    repository.run(&["apply", "model.yaml"], 0);
    assert_eq!(repository.names(), ["0001-create-shop.cql", "0002-add-orders-note.cql"]);
    // What the model asks for is destroyed as before.
    repository.model("");
    let said = repository.run(&["plan", "model.yaml"], 3);
    assert!(said.contains("1 blocked"), "{said}");
}
