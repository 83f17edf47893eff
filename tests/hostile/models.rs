//! Models that are no models.

use crate::repository::{MODEL, Repository, Stranger};
use std::fmt::Write as _;

/// A repository whose model is this.
fn with(model: impl AsRef<[u8]>) -> Repository {
    let repository = Repository::applied();
    repository.write(MODEL, model);
    repository
}

#[test]
fn nonsense_is_refused_at_its_place() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "error[bad-yaml]: the file is empty\n --> models/shop.yaml:1:1"),
        (b"# nothing\n", "error[bad-yaml]: the file is empty"),
        (b"hello", "error[wrong-shape]: the file must be a map, not `hello`"),
        (b"- a", "error[wrong-shape]: the file must be a map, not a list"),
        (b"gen: 1\n---\ngen: 1\n", "a second document begins here"),
        (b"gen: 1\nname: a\nname: b\n", "error[duplicate-key]: `name` is given twice in one map\n --> models/shop.yaml:3:1"),
        (b"gen: 1\nnmae: a\n", "error[unknown-key]: the file has no key `nmae`\n --> models/shop.yaml:2:1"),
        (b"gen: 2\n", "unsupported-format"),
        (b"gen: [1]\nname: 7\nentities: yes\n", "`entities` must be a map, not `yes`"),
        (b"gen: 1\nentities:\n\tOrder:\n", "a tab where YAML wants spaces"),
        (b"{\"gen\": 1,", "error[bad-yaml]"),
        (b"gen: 1\nname: \"a\0b\n", "error[bad-yaml]"),
        (b"gen: *nowhere\n", "models/shop.yaml:1:6"),
        (&[0xff, 0xfe, b'g', 0], "cannot read models/shop.yaml: it is not UTF-8, from byte 0 on"),
        (b"gen: 1\nname: \xc3\n", "it is not UTF-8, from byte 13 on"),
    ];
    for (text, said) in cases {
        let repository = with(text);
        for command in ["plan", "apply", "check"] {
            repository.refuses([command], 1, said);
        }
    }
}

#[test]
fn all_errors_come_in_one_run() {
    let repository = with("gen: 1\nname: Shop\nentitys: {}\nentities: { Order: { key: id, attributes: { id: [] } } }\n");
    let told = repository.run(["plan"]);
    for said in ["unknown-key", "bad-name", "wrong-shape", "did you mean `entities`?"] {
        told.is(1, said);
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    let repository = Repository::applied();
    let text = repository.read(MODEL);
    repository.write(MODEL, text.replace('\n', "\r\n"));
    repository.is_up_to_date();
    repository.write(MODEL, format!("\u{feff}{text}"));
    repository.is_up_to_date();
}

#[test]
fn depth_and_aliases_have_an_end() {
    let deep = |open: &str| format!("gen: 1\nname: {}", open.repeat(100_000));
    for text in [deep("["), deep("{a: "), deep("- "), format!("gen: 1\nname:\n{}", indented(3000))] {
        with(text).refuses(["plan"], 1, "error[");
    }
    with(format!("{{\"gen\": 1, \"name\": {}", "{\"a\":".repeat(100_000))).refuses(["plan"], 1, "more than 128 deep");
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (one, next) in ('a'..='y').zip('b'..='z') {
        writeln!(bomb, "{next}: &{next} [*{one}, *{one}, *{one}, *{one}, *{one}, *{one}, *{one}, *{one}]").unwrap();
    }
    with(bomb).refuses(["plan"], 1, "error[alias-limit]");
}

fn indented(depth: usize) -> String {
    (1..depth).fold(String::new(), |all, level| all + &" ".repeat(level) + "-\n")
}

#[test]
fn a_huge_file_is_read_and_a_flood_of_errors_is_counted() {
    with(format!("gen: 1\nname: shop\ndescription: {}\n", "y".repeat(20 << 20))).refuses(
        ["plan"],
        1,
        "the file has no `entities`",
    );
    let many: String = (0..20_000).fold("gen: 1\n".to_owned(), |all, number| all + &format!("key{number}: {number}\n"));
    let repository = with(many);
    repository.refuses(["plan"], 1, "more; --format json has them all");
    let document = repository.run(["plan", "--format", "json"]).document();
    assert!(document["findings"].as_array().unwrap().len() > 20_000);
}

#[test]
fn only_files_are_models() {
    for (stranger, said) in [
        (Stranger::Folder, "there is no model in models"),
        (Stranger::Pipe, "cannot read models/shop.yaml: it is not a file"),
        (Stranger::Dangling, "cannot read models/shop.yaml: No such file"),
    ] {
        let repository = Repository::applied();
        repository.replace(MODEL, &stranger);
        repository.refuses(["plan"], 1, said);
    }
    let repository = Repository::applied();
    // A link is as good as the file it leads to.
    repository.replace(MODEL, &Stranger::Link);
    repository.is_up_to_date();
    repository.refuses(["plan", "/dev/zero"], 1, "cannot read /dev/zero: it is not a file");
    repository.refuses(["plan", "/dev/null"], 1, "cannot read /dev/null: it is not a file");
    repository.refuses(["plan", "models/none.yaml"], 1, "cannot read models/none.yaml: No such file");
    repository.refuses(["plan", "gen.yaml"], 1, "error[");
}

#[test]
fn a_model_may_be_named_by_its_folder_and_twice() {
    let repository = Repository::applied();
    repository.run(["plan", "models"]).is(0, "no changes");
    repository.run(["plan", MODEL, "./models/../models/shop.yaml"]).is(0, "no changes");
    repository.write("models/copy.yaml", repository.read(MODEL));
    repository.refuses(["plan"], 1, "two models are called `shop`");
}

#[test]
fn names_that_a_file_system_cannot_hold_are_refused_at_their_place() {
    for name in ["..", ".", "a/b", "/etc", "", "A", "a b", "-a", "a\\b", "ü", "a\u{202e}b", &"a".repeat(300)] {
        let repository = Repository::applied();
        repository.edit(MODEL, "name: shop", &format!("name: {}", serde_json::json!(name)));
        repository.refuses(["apply"], 1, "models/shop.yaml:3:");
    }
    let repository = Repository::applied();
    let text = repository.read(MODEL).replace("\n    orders:\n", &format!("\n    {}:\n", "t".repeat(250)));
    repository.write(MODEL, text);
    repository.refuses(["apply"], 1, "error[name-too-long]");
    let repository = Repository::empty();
    repository.run(["init"]).is(0, "created");
    repository.edit(MODEL, "name: shop", "name: con");
    let longest = "t".repeat(246);
    let text = repository.read(MODEL).replacen("  tables:\n    orders:\n", &format!("  tables:\n    {longest}:\n"), 1);
    repository.write(MODEL, text);
    repository.run(["apply"]).is(0, "are written");
    repository.is_up_to_date();
}
