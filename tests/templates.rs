//! `gen templates`: lists, ejects, checks.
#![expect(clippy::unwrap_used, reason = "a test")]

use camino::Utf8Path;
use std::fs;
use std::process::{Command, Output};

/// A folder with a `gen.yaml` that names templates, and the team's files in it.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path()).unwrap();
    fs::write(path.join("gen.yaml"), "gen: 1\ntemplates: templates\nvars: { team: orders }\n").unwrap();
    for (name, text) in files {
        let file = path.join("templates").join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    folder
}

fn run(folder: &tempfile::TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gen"));
    command.arg("templates").args(arguments).current_dir(folder.path()).env_clear().env("NO_COLOR", "1").output().unwrap()
}

/// Exit code, what was printed, and what was remarked.
fn ended(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

const TABLE: &str = "terraform/table.tf.j2";

#[test]
fn the_list_names_blocks_and_what_is_replaced() {
    let folder = folder(&[
        (
            TABLE,
            "{% extends \"gen/terraform/table.tf.j2\" %}\n{% block more %}{% include \"terraform/own.tf.j2\" %}{% endblock %}\n",
        ),
        ("terraform/own.tf.j2", ""),
    ]);
    let (exit, printed, remarked) = ended(&run(&folder, &["list"]));
    assert_eq!((exit, remarked.as_str()), (0, ""));
    assert!(printed.contains(&format!("{TABLE}\n  replaced by templates/{TABLE}\n  blocks: comments, resource,")), "{printed}");
    assert!(printed.contains("terraform/own.tf.j2\n  your own, templates/terraform/own.tf.j2\n"), "{printed}");
    assert_eq!(printed.matches("replaced by").count(), 1);
}

#[test]
fn what_is_ejected_is_ours_and_loses_nothing() {
    let folder = folder(&[]);
    fs::create_dir(folder.path().join("templates")).unwrap();
    let names: Vec<&str> = nosql_gen::emit::Templates::names().collect();
    let (exit, printed, _) = ended(&run(&folder, &[&["eject"], names.as_slice()].concat()));
    assert_eq!(exit, 0);
    assert!(printed.contains("{% extends \"gen/terraform/table.tf.j2\" %}"), "{printed}");
    for name in names {
        let ejected = fs::read_to_string(folder.path().join("templates").join(name)).unwrap();
        assert_eq!(Some(ejected.as_str()), nosql_gen::emit::Templates::embedded(name));
    }
    let (exit, printed, remarked) = ended(&run(&folder, &["check"]));
    assert_eq!((exit, remarked.as_str()), (0, ""), "{printed}");
    assert!(printed.starts_with("templates: ") && printed.ends_with(" cases, nothing is lost\n"), "{printed}");
}

#[test]
fn eject_overwrites_nothing_and_writes_all_or_nothing() {
    let folder = folder(&[(TABLE, "# ours\n")]);
    let (exit, printed, remarked) = ended(&run(&folder, &["eject", "cql/table.cql.j2", TABLE, "terraform/tabel.tf.j2"]));
    assert_eq!((exit, printed.as_str()), (1, ""));
    assert!(remarked.contains("did you mean `terraform/table.tf.j2`?"), "{remarked}");
    assert!(remarked.contains("templates/terraform/table.tf.j2 exists and is left as it is"), "{remarked}");
    assert_eq!(fs::read_to_string(folder.path().join("templates").join(TABLE)).unwrap(), "# ours\n");
    assert!(!folder.path().join("templates/cql").exists());
    assert_eq!(ended(&run(&folder, &["eject", TABLE, "--to", "other"])).0, 0);
    assert!(folder.path().join("other").join(TABLE).exists());
}

#[test]
fn a_folder_has_to_be_named() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["check"][..], &["eject", TABLE]] {
        let (exit, _, remarked) = ended(&run(&folder, arguments));
        assert_eq!(exit, 1);
        assert!(remarked.contains("gen.yaml names no folder of templates"), "{remarked}");
    }
    assert_eq!(ended(&run(&folder, &["check", "nowhere"])).0, 1);
}

#[test]
fn check_says_per_template_and_property_what_is_lost_and_goes_on() {
    let folder = folder(&[
        (TABLE, "{% extends \"gen/terraform/table.tf.j2\" %}\n{% block local_indexes %}{% endblock %}\n"),
        ("cql/view.cql.j2", "{% extends \"gen/cql/view.cql.j2\" %}\n{% block more %} AND gc_grace_seconds = 7{% endblock %}\n"),
        ("terraform/moved.tf.j2", "# {{ vars.team | comment }}\n"),
        ("cloudformation/outputs.yaml.j2", "{{ vars.teem }}\n"),
    ]);
    let (exit, printed, remarked) = ended(&run(&folder, &["check"]));
    assert_eq!(exit, 1);
    for told in [
        "templates/cloudformation/outputs.yaml.j2\n  the template `cloudformation/outputs.yaml.j2` failed: undefined value",
        "templates/terraform/moved.tf.j2\n  moved.",
        "templates/terraform/table.tf.j2\n  lsi: `dynamodb.orders.lsi.by_date` is missing in what the template prints\n    in ",
    ] {
        assert!(printed.contains(told), "{told}\nis not in\n{printed}");
    }
    assert!(remarked.contains(" things are lost\n"), "{remarked}");
    fs::remove_file(folder.path().join("templates/cloudformation/outputs.yaml.j2")).unwrap();
    assert_eq!(ended(&run(&folder, &["check"])).0, 2);
}

const MODEL: &str = "\
gen: 1
name: shop
entities:
  Order: { key: [customer, id], attributes: { customer: uuid, id: ulid, at: timestamp } }
access_patterns:
  orders: { find: Order, where: \"customer = ?\" }
dynamodb:
  defaults: { point_in_time_recovery: true }
  tables:
    orders: { holds: Order, partition_key: customer, sort_key: id }
cql:
  engines: [cassandra-5.0]
  keyspace: { replication: { dc1: 3 } }
  tables:
    orders: { holds: Order, partition_key: customer, clustering: [id] }
";

fn gen_in(folder: &tempfile::TempDir, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gen"));
    ended(&command.args(arguments).current_dir(folder.path()).env_clear().env("NO_COLOR", "1").output().unwrap())
}

/// The law of what templates add: it is in the lock, no plan shows it twice, and each plan shows when it changes or goes.
#[test]
fn what_templates_add_is_planned_applied_and_remembered() {
    let tags = |cost: &str| {
        let block = format!("{{% block tags %}}\n  tags = {{\n    cost = \"{cost}\"\n  }}\n{{% endblock %}}");
        format!("{{% extends \"gen/terraform/table.tf.j2\" %}}\n{block}\n")
    };
    let comment = "{% extends \"gen/cql/table.cql.j2\" %}\n\
                   {% block more %} {% if table.properties %}AND{% else %}WITH{% endif %} comment = {{ vars.team }}{% endblock %}\n";
    let folder = folder(&[]);
    let put = |name: &str, text: &str| {
        let path = Utf8Path::from_path(folder.path()).unwrap().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("models/shop.yaml", MODEL);
    put("templates/terraform/table.tf.j2", &tags("1"));
    let apply = || {
        let (exit, printed, remarked) = gen_in(&folder, &["apply"]);
        assert_eq!(exit, 0, "{printed}{remarked}");
        assert_eq!(gen_in(&folder, &["plan", "--detailed-exitcode"]).0, 0, "apply, then plan, is empty");
        assert_eq!(gen_in(&folder, &["check"]).0, 0);
        assert_eq!(gen_in(&folder, &["diff", "infra/shop/gen.lock", "models/shop.yaml", "--detailed-exitcode"]).0, 0);
    };
    let lock = || fs::read_to_string(folder.path().join("infra/shop/gen.lock")).unwrap();
    let plan = || gen_in(&folder, &["plan"]).1;
    apply();
    assert!(lock().contains("[templates]\ndynamodb.orders.tags.cost @terraform-aws-5 = \"1\"\n[files]\n"), "{}", lock());

    put("templates/terraform/table.tf.j2", &tags("2"));
    put("templates/cql/table.cql.j2", comment);
    let told = plan();
    assert!(told.contains("~ dynamodb.orders tags.cost: \"1\" → \"2\""), "{told}");
    assert!(told.contains("options.comment: (none) → \"orders\""), "{told}");
    apply();
    let migrations = folder.path().join("infra/shop/cql/cassandra-5.0/migrations");
    let written: Vec<String> =
        fs::read_dir(&migrations).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    assert_eq!(written.len(), 2, "{written:?}");
    assert!(written.iter().any(|text| text.contains("comment = 'orders'")), "{written:?}");

    fs::remove_dir_all(folder.path().join("templates")).unwrap();
    fs::create_dir(folder.path().join("templates")).unwrap();
    let told = plan();
    assert!(told.contains("- dynamodb.orders tags.cost: \"2\" → (none)"), "{told}");
    apply();
    assert!(!lock().contains("[templates]"));
}

#[test]
fn line_ends_of_windows_come_to_the_same() {
    let template = "{% extends \"gen/terraform/table.tf.j2\" %}\n{% block beside %}\n\n# of the team\nlocals {\n  a = 1\n}\n{% endblock %}\n";
    let applied = |template: &str| {
        let folder = folder(&[(TABLE, template)]);
        let model = concat!(env!("CARGO_MANIFEST_DIR"), "/models/shop.yaml");
        fs::create_dir(folder.path().join("models")).unwrap();
        fs::copy(model, folder.path().join("models/shop.yaml")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_gen"));
        let output = command.arg("apply").current_dir(folder.path()).env_clear().env("NO_COLOR", "1").output().unwrap();
        (folder, ended(&output))
    };
    let printed = |template: &str| {
        let (folder, (exit, told, remarked)) = applied(template);
        assert_eq!(exit, 0, "{told}{remarked}");
        ["terraform/table_cart.tf", "gen.lock"]
            .map(|file| fs::read_to_string(folder.path().join("infra/shop").join(file)).unwrap())
    };
    let unix = printed(template);
    assert!(unix[0].contains("# of the team\n"), "{}", unix[0]);
    assert_eq!(printed(&template.replace('\n', "\r\n")), unix);
    // An error is told at its line.
    let (_, (exit, told, remarked)) = applied("{# a #}\r\n{{ vars.team.name.first }}\r\n");
    assert!(exit == 1 && remarked.contains("templates/terraform/table.tf.j2:2:1"), "{told}{remarked}");
}

#[test]
fn what_is_added_beside_tables_that_stand_is_seen() {
    let folder = folder(&[]);
    let gen_in = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gen"));
        ended(&command.args(arguments).current_dir(folder.path()).env_clear().env("NO_COLOR", "1").output().unwrap())
    };
    fs::create_dir_all(folder.path().join("templates/terraform")).unwrap();
    fs::create_dir(folder.path().join("models")).unwrap();
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/models/shop.yaml"), folder.path().join("models/shop.yaml")).unwrap();
    assert_eq!(gen_in(&["apply"]).0, 0);
    let replica = "resource \"aws_dynamodb_table_replica\" \"p\" {\n  global_table_arn = aws_dynamodb_table.cart.arn\n}\n";
    let template = format!("{{% extends \"gen/terraform/versions.tf.j2\" %}}\n{{% block beside %}}\n{replica}{{% endblock %}}\n");
    fs::write(folder.path().join("templates/terraform/versions.tf.j2"), template).unwrap();
    let (exit, told, _) = gen_in(&["plan"]);
    assert!(exit == 3 && told.contains("+ dynamodb.cart replicas."), "{told}");
}
