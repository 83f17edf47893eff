use super::{gives, load_text, with};

#[test]
fn the_format_is_asked_first() {
    gives("gen: 2\nnmae: x\n", &["unsupported-format 1:6"]);
    gives("gen: 1.0\nname: x\n", &["unsupported-format 1:6"]);
    gives("gen: one\nname: a\nentities: {}\naccess_patterns: {}\n", &["wrong-shape 1:6"]);
    gives("[]\n", &["wrong-shape 1:1"]);
    gives("", &["bad-yaml 1:1"]);
    gives("gen: 1\n", &["wrong-shape 1:1", "wrong-shape 1:1", "wrong-shape 1:1"]);
}

#[test]
fn unknown_keys_are_offered_the_nearest() {
    gives(&with("sort_key: number", "sort_kye: number"), &["unknown-key 26:7"]);
    gives(&with("optional: true", "optinal: true"), &["unknown-key 16:27"]);
    gives(&with("find: Order,", "find: Order, sort: x,"), &["unknown-key 19:29"]);
    let (_, shown) = load_text(&with("sort_key: number", "sort_kye: number"));
    assert_eq!(shown[0].1, "`orders` has no key `sort_kye`");
}

#[test]
fn wrong_shapes_are_told_and_hide_nothing() {
    gives(&with("partition_key: id", "partition_key: [id]"), &["wrong-shape 25:22"]);
    gives(&with("find: Order,", "find: Order, limit: x,"), &["wrong-shape 19:36"]);
    gives(&with("{ type: text, optional: true }", "3"), &["wrong-shape 16:13"]);
    gives(&with("{ put: Order }", "{ put: [Order], find: Order }"), &["two-verbs 20:3", "wrong-shape 20:21"]);
    gives(&with("optional: true", "optional: yes"), &["wrong-shape 16:37", "yaml-1-1 16:37"]);
    gives(&with("sort_key: number", "sort_key: number\n      billing: on_demnd"), &["wrong-shape 27:16"]);
    // The table and its key are broken; the patterns still are judged.
    gives(
        &with("number = ?", "numbr = ?").replace("holds: Order", "holds: 3"),
        &["unknown-attribute 19:48", "wrong-shape 24:14"],
    );
    gives(&with("name: shop", "name: 12"), &["wrong-shape 2:7"]);
    gives(&with("name: shop", "name: !Sub shop"), &["wrong-shape 2:7"]);
    gives(&with("key: id\n", "key:\n"), &["wrong-shape 7:5"]);
}

#[test]
fn all_that_a_choice_takes_is_listed() {
    for (setting, expected) in [
        ("contributor_insights: true", "must be one of `false`, `accessed_and_throttled_keys`, `throttled_keys`, not true"),
        ("encryption: kms", "must be one of `aws_owned`, `aws_managed`, or a map (a customer's key), not `kms`"),
    ] {
        let (_, told) = load_text(&with("sort_key: number", &format!("sort_key: number\n      {setting}")));
        assert!(matches!(told.as_slice(), [(_, message)] if message.ends_with(expected)), "{told:?}");
    }
}

#[test]
fn what_refers_to_something_broken_says_nothing_more() {
    gives(&with("  Order:\n    key: [id, number]", "  Order:\n    keys: [id, number]"), &["unknown-key 10:5"]);
    gives(&with("      number: int", "      number: intt"), &["unknown-type 13:15"]);
    gives(&with("      number: int", "      number: { typ: int }"), &["unknown-key 13:17"]);
    gives(
        &with(
            "    attributes:\n      id: uuid\n      number: int\n      placed_at: timestamp\n      status: { enum: [OPEN, DONE] }\n      note: { type: text, optional: true }\n      lines: list<text>\n",
            "    attributes: 3\n",
        ),
        &["wrong-shape 11:17"],
    );
    gives(
        &with("sort_key: number", "sort_key: 5\n      local_secondary_indexes: { by: { sort_key: placed_at, name: by_date } }"),
        &["wrong-shape 26:17"],
    );
}

#[test]
fn commas_that_cut_a_value_are_told() {
    gives(&with("lines: list<text>", "lines: { type: map<text, int>, optional: true }"), &["unquoted-comma 17:22"]);
    gives(
        &with("attributes: { id: uuid, email: text }", "attributes: { id: uuid, m: map<text, int>, email: text }"),
        &["unquoted-comma 8:32"],
    );
    gives(&with("where: \"id = ? and number = ?\"", "where: id in (:a, :b, :c), limit: 3"), &["unquoted-comma 19:36"]);
    gives(&with("key: [id, number]", "key: [id, map<a, b>]"), &["unquoted-comma 10:15"]);
    gives(&with("lines: list<text>", "lines: list<text"), &["unknown-type 17:23"]);
}

#[test]
fn what_format_1_leaves_out_has_a_way_round() {
    gives(&with("sort_key: number", "sort_key: number\n      import_table: x"), &["not-in-format 27:7"]);
    gives(&with("number = ?", "(id, number) > (?, ?)"), &["not-in-format 19:48"]);
}

#[test]
fn json_is_read_as_well() {
    let text = "{\n\t\"gen\": 1,\n\t\"name\": \"shop\",\n\t\"entities\": {\"A\": {\"key\": \"my id\", \"attributes\": {\"my id\": \"uuid\"}}},\n\t\"access_patterns\": {\"a\": {\"find\": \"A\", \"where\": \"\\\"my id\\\" = ? and \\\"yuor id\\\" = ?\"}}\n}\n";
    gives(text, &["unknown-attribute 5:69"]);
    gives(&text.replace(" and \\\"yuor id\\\" = ?", ""), &[]);
}
