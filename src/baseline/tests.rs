use super::*;
use crate::diagnostic::Sink;
use crate::emit::{Project, Templates, Verified, cloudformation, cql as emit_cql, terraform};
use crate::schema::dynamodb::{KeyType, Table, Template};
use crate::schema::{Backend, Engine, Generation, Schema, TemplateFormat, Text, cql, dynamodb};
use crate::source::SourceMap;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

const BACKENDS: [Backend; 3] = [Backend::TerraformAws5, Backend::CloudformationTable, Backend::Cql(Engine::Cassandra50)];

/// A table whose keys differ from its names, and a CQL table beside it.
fn generation() -> Generation {
    let table = Table {
        template: Template::FIRST,
        terraform_name: "adopted".into(),
        logical_id: "Orders".into(),
        name: Some(Text::literal("orders")),
        attributes: [("id".to_owned(), KeyType::S)].into(),
        partition_key: "id".into(),
        stream: Some(dynamodb::Stream::Off),
        billing: Some(dynamodb::Billing::OnDemand),
        deletion_protection: Some(crate::schema::Value::Literal(true)),
        prevent_destroy: true,
        deletion_policy: Some("Retain".into()),
        update_replace_policy: Some("Retain".into()),
        ..Table::default()
    };
    let other =
        Table { terraform_name: "other".into(), logical_id: "Other".into(), name: Some(Text::literal("other")), ..table.clone() };
    let dynamodb = dynamodb::Schema {
        tables: [("orders".to_owned(), table), ("other".to_owned(), other)].into(),
        moved: [("former".to_owned(), "adopted".to_owned())].into(),
        ..dynamodb::Schema::default()
    };
    let column = cql::Column { kind: cql::Type::Native("uuid"), is_static: false, extra: None };
    let table = cql::Table {
        name: "orders_by_id".into(),
        columns: [("id".to_owned(), column.clone())].into(),
        partition_key: vec!["id".into()],
        dropped: [("gone".to_owned(), column)].into(),
        ..cql::Table::default()
    };
    let keyspace = cql::Keyspace {
        replication: [("class".to_owned(), "NetworkTopologyStrategy".to_owned()), ("dc1".to_owned(), "3".to_owned())].into(),
        tables: [("orders".to_owned(), table)].into(),
        ..cql::Keyspace::default()
    };
    let cql = cql::Schema { keyspaces: [("shop".to_owned(), keyspace)].into(), ..cql::Schema::default() };
    [(BACKENDS[0], Schema::from(dynamodb.clone())), (BACKENDS[1], Schema::from(dynamodb)), (BACKENDS[2], Schema::from(cql))]
        .into()
}

/// A repository with that generation in `infra/shop`.
fn repository(with_lock: bool) -> (TempDir, Utf8PathBuf) {
    let project = Project { name: "shop".into(), environment: None, description: None };
    let templates = Templates::default();
    let mut files = BTreeMap::new();
    for (backend, schema) in generation() {
        let artifacts = match (schema, backend) {
            (Schema::Dynamodb(schema), Backend::TerraformAws5) => {
                terraform::emit(&project, &schema, backend, &templates, Verified::default()).map(|rendered| rendered.artifacts)
            }
            (Schema::Dynamodb(schema), _) => {
                cloudformation::emit(&project, &schema, TemplateFormat::Yaml, &templates, Verified::default())
                    .map(|rendered| rendered.artifacts)
            }
            (Schema::Cql(schema), _) => emit_cql::emit(&project, Engine::Cassandra50, &schema, &templates, Verified::default())
                .map(|rendered| rendered.artifacts),
        };
        files.extend(artifacts.unwrap().into_iter().map(|artifact| (artifact.path, artifact.text)));
    }
    let digests = files.iter().map(|(path, text)| (path.to_string(), Some(Digest::of(text)))).collect();
    let lock = Lock { model: "shop".into(), generation: generation(), completed: Generation::new(), files: digests };
    if with_lock {
        files.insert("gen.lock".into(), lock.to_string());
    }
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
    for (path, text) in files {
        let path = base.join("infra/shop").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    (folder, base)
}

fn told(sink: Sink, base: &Utf8Path) -> Vec<String> {
    let line =
        |one: crate::diagnostic::Diagnostic| format!("{} {}", one.code.slug(), one.message.replace(&format!("{base}/"), ""));
    sink.into_sorted().into_iter().map(line).collect()
}

fn read(base: &Utf8Path) -> (Option<Previous>, Vec<String>) {
    let mut sink = Sink::default();
    let folder = base.join("infra/shop");
    let mut sources = SourceMap::default();
    let tree = Tree::read(&mut sources, &folder).unwrap();
    let found = previous(&sources, &tree, &BACKENDS, &|_| false, &mut sink).unwrap();
    for edited in found.iter().flat_map(|found| &found.edited) {
        sink.push(edited.finding(&folder.join(&edited.path)));
    }
    (found, told(sink, base))
}

fn against(base: &Utf8Path, output: &str, of: (&str, Option<&str>), named: &str) -> Result<Previous, String> {
    let (mut sources, mut sink) = (SourceMap::default(), Sink::default());
    let place = Place { output: output.into(), model: of.0.into(), environment: of.1.map(Into::into) };
    let tree = Basis::find(base, Utf8Path::new(output), named).and_then(|mut basis| basis.tree(&mut sources, &place));
    let found = tree.and_then(|given| of_tree(&sources, &given.tree, &BACKENDS, &mut sink));
    found.map_err(|error| error.to_string())?.ok_or_else(|| told(sink, base).join("\n"))
}

fn compared_with(base: &Utf8Path, named: &str) -> Result<Previous, String> {
    against(base, "infra", ("shop", None), named)
}

#[test]
fn the_lock_counts() {
    let (_folder, base) = repository(true);
    let (found, told) = read(&base);
    let found = found.unwrap();
    assert_eq!((found.kind, found.generation, told), (Kind::Lock, generation(), vec![]));
    assert!(found.edited.is_empty() && found.lock.unwrap().files.contains_key("terraform/table_other.tf"));
}

#[test]
fn an_edited_file_counts_for_its_backend_alone() {
    let (_folder, base) = repository(true);
    let path = base.join("infra/shop/terraform/table_adopted.tf");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("PAY_PER_REQUEST", "PROVISIONED")).unwrap();
    let (found, told) = read(&base);
    let found = found.unwrap();
    assert_eq!(told, ["edited-by-hand `infra/shop/terraform/table_adopted.tf` was edited since it was generated"]);
    assert_eq!(found.edited.iter().map(|edited| edited.path.as_str()).collect::<Vec<_>>(), ["terraform/table_adopted.tf"]);
    // Under the key of the lock, with the names of the other format; the rest is as it was.
    let mut expected = generation();
    let Some(Schema::Dynamodb(schema)) = expected.get_mut(&Backend::TerraformAws5) else { panic!("no DynamoDB") };
    Arc::make_mut(schema).tables.get_mut("orders").unwrap().billing = Some(dynamodb::Billing::Provisioned);
    assert_eq!(found.generation, expected);
}

#[test]
fn edits_of_every_format_are_seen() {
    let (_folder, base) = repository(true);
    let edit = |path: &str, from: &str, to: &str| {
        let path = base.join("infra/shop").join(path);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    };
    edit("cloudformation/template.yaml", "DeletionProtectionEnabled: true", "DeletionProtectionEnabled: false");
    edit("cql/cassandra-5.0/schema.cql", "id uuid", "id uuid,\n    extra text");
    fs::remove_file(base.join("infra/shop/terraform/table_other.tf")).unwrap();
    let (found, told) = read(&base);
    assert_eq!(
        told,
        [
            "edited-by-hand `infra/shop/terraform/table_other.tf` was deleted since it was generated",
            "edited-by-hand `infra/shop/cloudformation/template.yaml` was edited since it was generated",
            "edited-by-hand `infra/shop/cql/cassandra-5.0/schema.cql` was edited since it was generated",
        ]
    );
    let mut expected = generation();
    for (backend, schema) in &mut expected {
        match schema {
            Schema::Dynamodb(schema) if *backend == Backend::TerraformAws5 => _ = Arc::make_mut(schema).tables.remove("other"),
            Schema::Dynamodb(schema) => {
                let schema = Arc::make_mut(schema);
                schema.tables.get_mut("orders").unwrap().deletion_protection = Some(crate::schema::Value::Literal(false));
                // A template turns a stream off by not having one.
                schema.tables.get_mut("orders").unwrap().stream = None;
            }
            Schema::Cql(schema) => {
                let table = Arc::make_mut(schema).keyspaces.get_mut("shop").unwrap().tables.get_mut("orders").unwrap();
                let text = cql::Column { kind: cql::Type::Native("text"), is_static: false, extra: None };
                table.columns.insert("extra".into(), text);
            }
        }
    }
    assert_eq!(found.unwrap().generation, expected);
}

#[test]
fn an_edit_that_cannot_be_read_is_an_error() {
    let (_folder, base) = repository(true);
    let folder = base.join("infra/shop");
    let edit = folder.join("terraform/table_other.tf");
    let read_with = |discarded: &dyn Fn(&Utf8Path) -> bool| {
        let (mut sources, mut sink) = (SourceMap::default(), Sink::default());
        let tree = Tree::read(&mut sources, &folder).unwrap();
        previous(&sources, &tree, &BACKENDS, discarded, &mut sink).map(|found| (found, told(sink, &base)))
    };
    fs::write(&edit, "resource {{{").unwrap();
    let (found, told) = read_with(&|_| false).unwrap();
    assert!(found.is_none() && told.iter().any(|one| one.starts_with("bad-terraform ")), "{told:?}");
    assert!(told.iter().any(|one| one.starts_with("edited-by-hand ")), "{told:?}");
    let is_it = |path: &Utf8Path| path == "terraform/table_other.tf";
    let (found, told) = read_with(&is_it).unwrap();
    assert_eq!((found.unwrap().generation, told), (generation(), vec![]), "what is thrown away need not be readable");
    fs::write(&edit, [0xff, 0xfe]).unwrap();
    let error = read_with(&|_| false).unwrap_err();
    assert!(error.to_string().ends_with("table_other.tf: it is not UTF-8"), "{error}");
    assert_eq!(read_with(&is_it).unwrap().0.unwrap().generation, generation());
}

#[test]
fn without_a_lock_the_files_count_and_without_files_nothing() {
    let (_folder, base) = repository(false);
    let (found, told) = read(&base);
    let found = found.unwrap();
    assert_eq!((found.kind, told), (Kind::Directory, vec![]));
    let Schema::Dynamodb(schema) = &found.generation[&Backend::TerraformAws5] else { panic!("not DynamoDB") };
    assert_eq!(schema.tables.keys().collect::<Vec<_>>(), ["adopted", "other"]);
    assert_eq!(found.generation.len(), 3);
    let (nothing, told) = read(&base.join("elsewhere"));
    assert_eq!((nothing.unwrap().kind, told), (Kind::Nothing, vec![]));
}

#[test]
fn a_folder_a_lock_or_a_file_can_be_named() {
    let (_folder, base) = repository(true);
    for named in ["", "/infra", "/infra/shop", "/infra/shop/gen.lock"] {
        let found = compared_with(&base, &format!("{base}{named}")).unwrap();
        assert_eq!((found.kind, found.generation), (Kind::Lock, generation()), "{named}");
    }
    let found = compared_with(&base, &format!("{base}/infra/shop/terraform/table_other.tf")).unwrap();
    assert_eq!((found.kind, found.generation.len()), (Kind::File(crate::schema::Format::Terraform), 1));
    assert!(found.knows(Backend::TerraformAws5) && !found.knows(Backend::CloudformationTable));
    // A module by itself, not laid out by gen.
    let found = compared_with(&base, &format!("{base}/infra/shop/terraform")).unwrap();
    let kind = Kind::File(crate::schema::Format::Terraform);
    assert_eq!((found.kind, found.generation.keys().collect::<Vec<_>>()), (kind, vec![&Backend::TerraformAws5]));
    assert!(found.knows(Backend::TerraformAws5) && !found.knows(Backend::CloudformationTable));
    fs::write(base.join("shop.yaml"), "gen: 1\nname: shop\n").unwrap();
    let error = compared_with(&base, &format!("{base}/shop.yaml")).unwrap_err();
    assert!(error.contains("shop.yaml is a model, not what came of one"), "{error}");
    fs::write(base.join("notes.txt"), "").unwrap();
    let error = compared_with(&base, &format!("{base}/notes.txt")).unwrap_err();
    assert!(error.ends_with("notes.txt is no lock and no Terraform, CloudFormation or CQL file"), "{error}");
}

fn git(base: &Utf8Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main"];
    let output = Command::new("git").arg("-C").arg(base).args(identity).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_git_ref_gives_the_lock_of_its_commit() {
    let (_folder, base) = repository(true);
    git(&base, &["init", "-q"]);
    git(&base, &["add", "."]);
    git(&base, &["commit", "-q", "-m", "one"]);
    git(&base, &["rm", "-q", "-r", "--cached", "infra/shop/gen.lock"]);
    git(&base, &["commit", "-q", "-m", "two"]);
    fs::remove_file(base.join("infra/shop/gen.lock")).unwrap();
    for named in ["HEAD^", "main~1", "HEAD~"] {
        let found = compared_with(&base, named).unwrap();
        assert_eq!((found.kind, &found.generation), (Kind::Lock, &generation()), "{named}");
        assert_eq!((found.path, found.reference.as_deref()), (format!("{named}:infra/shop/gen.lock").into(), Some(named)));
    }
    let found = compared_with(&base, "HEAD").unwrap();
    assert_eq!((found.kind, found.generation.len(), found.path.as_str()), (Kind::Directory, 3, "HEAD:infra/shop"));
    // From a folder below, as git has it.
    let below = against(&base.join("infra"), "", ("shop", None), "HEAD^").unwrap();
    assert_eq!(below.generation, generation());
    assert_eq!(against(&base, "infra", ("new", None), "HEAD").unwrap().kind, Kind::Nothing);
    // What a model had before it had environments.
    let found = against(&base, "infra", ("shop", Some("prod")), "HEAD^").unwrap();
    assert_eq!(found.path, "HEAD^:infra/shop/gen.lock");
}

#[test]
fn a_hostile_ref_is_no_option() {
    let (_folder, base) = repository(true);
    git(&base, &["init", "-q"]);
    git(&base, &["add", "."]);
    git(&base, &["commit", "-q", "-m", "one"]);
    let target = base.join("written");
    let hostile = [
        format!("--output={target}"),
        format!("HEAD --output={target}"),
        format!("-o{target}"),
        "--help".into(),
        "--all".into(),
        "-".into(),
        "--".into(),
        String::new(),
        " ".into(),
        "HEAD\nmain".into(),
        "HEAD\0".into(),
        "$(touch written)".into(),
        "HEAD:infra".into(),
        "^HEAD".into(),
        "HEAD..HEAD".into(),
        "nowhere".into(),
    ];
    for named in hostile {
        let error = compared_with(&base, &named).unwrap_err();
        assert!(error.contains("no commit") || error.contains("is a file or folder"), "{named:?}: {error}");
        assert!(!target.exists(), "{named:?}");
    }
}

#[test]
fn paths_that_lead_out_are_told_apart() {
    for inside in ["a", "a/b.tf", "a b", "ü", ".gen", "a/..b", "a:b"] {
        assert!(is_inside(inside), "{inside}");
    }
    for outside in ["", ".", "..", "/a", "a/../b", "../a", "./a", "a\nb", "a\\b", "a/.."] {
        assert!(!is_inside(outside), "{outside:?}");
    }
}
