use super::*;

fn load_text(text: &str) -> (Option<Model>, Vec<String>) {
    let mut sources = SourceMap::default();
    let file = sources.add("m.yaml", text);
    let mut sink = Sink::default();
    let model = load(&sources, file, &mut sink);
    let shown = sink.into_sorted().into_iter().map(|diagnostic| {
        let place = sources.position(diagnostic.primary.as_ref().unwrap().span);
        format!("{} {}:{} {}", diagnostic.code.slug(), place.line, place.column, diagnostic.message)
    });
    (model, shown.collect())
}

#[test]
fn the_examples_load() {
    for name in ["minimal", "shop"] {
        let text = std::fs::read_to_string(format!("models/{name}.yaml")).unwrap();
        let (model, shown) = load_text(&text);
        assert_eq!(shown, Vec::<String>::new(), "{name}");
        assert_eq!(model.unwrap().name.value, name);
    }
}

#[test]
fn all_models_meet_nothing_but_what_is_not_built() {
    for name in ["care-pet", "code-hosting-billing", "code-hosting", "forum", "hotel", "killrvideo", "sessions"] {
        let text = std::fs::read_to_string(format!("models/{name}.yaml")).unwrap();
        let (_, shown) = load_text(&text);
        let others: Vec<&String> = shown.iter().filter(|line| !line.starts_with("not-yet")).collect();
        assert_eq!(others, Vec::<&String>::new(), "{name}");
    }
}
