//! Texts that nobody means: whatever comes in, there is a model or an error, and no panic.

use super::{gives, load_text, with};
use proptest::prelude::*;

#[test]
fn odd_texts() {
    let base = with("name: shop", "name: shop");
    gives(&base.replace('\n', "\r\n"), &[]);
    gives(&format!("\u{feff}{base}"), &[]);
    gives(&with("email: text", "\"größe ${x} \\\" '\\n\": text"), &["parameter-not-here 8:30"]);
    gives(&with("email: text", "\"größe \\\" '\\n\": text"), &[]);
    gives(&with("name: shop", "name: \"shop\\n\""), &["bad-name 2:8"]);
    gives(&with("name: shop", "name: ''"), &["bad-name 2:7"]);
    gives(&with("put-order: { put: Order }", "\"${x}\": { put: Order }"), &["parameter-not-here 20:4"]);
    gives(&with("number: int", "number: \"${n}\""), &["parameter-not-here 13:16"]);
    gives("a: &a [*a]\n", &["bad-yaml 1:8"]);
    gives(&"[".repeat(50_000), &["too-deep 1:129"]);
    gives("\u{0}", &["bad-yaml 1:1"]);
}

#[test]
fn a_large_model_loads_in_reasonable_time() {
    let lines = |line: fn(u32) -> String| (0..2_000).map(line).collect::<Vec<_>>().concat();
    let entities = lines(|index| format!("  E{index}: {{ key: id, attributes: {{ id: uuid, a: text }} }}\n"));
    let patterns = lines(|index| format!("  p{index}: {{ find: E{index}, where: \"id = ?\" }}\n"));
    let tables = lines(|index| format!("    t{index}: {{ holds: E{index}, partition_key: id, name: table-{index} }}\n"));
    let text = format!("gen: 1\nname: large\nentities:\n{entities}access_patterns:\n{patterns}dynamodb:\n  tables:\n{tables}");
    let started = std::time::Instant::now();
    let (model, shown) = load_text(&text);
    assert_eq!((model.is_some(), shown.len()), (true, 0));
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Pieces of a good model are cut out, doubled and replaced by text with a meaning.
    #[test]
    fn nothing_panics(
        base in 0..3_usize,
        edits in prop::collection::vec((0..10_000_usize, 0..40_usize, prop::sample::select(vec![
            "", " ", "\n", "\t", "'", "\"", "${", "}", "{", "[", "]", ",", ": ", "- ", "&a ", "*a", "!!int ", "!Sub ", "#", "|", "<<: ", "~", "-1", "1e309", "é", "\u{1F600}",
            "{a}{b}", "m", "%", "null", "\r\n", "? ", "...", "---\n", "\\u12", "or", "in (", "between",
        ])), 1..6),
    ) {
        let name = ["shop", "code-hosting", "killrvideo"][base];
        let mut text = std::fs::read_to_string(format!("models/{name}.yaml")).unwrap();
        for (at, cut, insert) in edits {
            let boundary = |wanted: usize| (wanted..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
            let start = boundary(at * text.len() / 10_000);
            let end = boundary((start + cut).min(text.len()));
            text.replace_range(start..end, insert);
        }
        let (model, shown) = load_text(&text);
        let errors = shown.iter().filter(|(code, _)| !code.starts_with("yaml-1-1")).count();
        prop_assert_eq!(model.is_some(), errors == 0, "{:?}", shown);
    }
}
