//! Several templates of one schema.

use super::*;
use crate::schema::dynamodb::{GlobalIndex, KeyType, Keys, TableClass, Template};

/// Tables named by letters, each with an index, the second half named by a parameter.
fn many(count: u8) -> Schema {
    let table = |number: u8| {
        let letter = char::from(b'A' + number);
        let index = GlobalIndex { name: "by-day".to_owned(), partition_key: Keys::one("day"), ..GlobalIndex::default() };
        let prefix = Part::Parameter("environment".to_owned());
        let rest = Part::Literal(format!("-{letter}"));
        let parts = if number < count / 2 { vec![rest] } else { vec![prefix, rest] };
        let table = Table {
            logical_id: letter.to_string(),
            name: Some(Text::from_parts(parts)),
            attributes: [("day".to_owned(), KeyType::S), ("id".to_owned(), KeyType::S)].into(),
            partition_key: "id".to_owned(),
            global_indexes: if number % 4 == 3 { crate::schema::Items::new() } else { [("by-day".to_owned(), index)].into() },
            billing: Some(Billing::OnDemand),
            ..Table::default()
        };
        (format!("key of {letter}"), table)
    };
    let parameter = || Parameter { default: Some(Scalar::Text("dev".to_owned())), ..Parameter::default() };
    let parameters = ["environment", "unused"].map(|name| (name.to_owned(), parameter()));
    Schema { parameters: parameters.into(), tables: (0..count).map(table).collect(), ..Schema::default() }
}

/// Limits with room for four tables, by their outputs.
fn limits() -> Size {
    let mut limits = SERVICE;
    limits.entries.outputs = 12;
    limits
}

fn divided(count: u8, format: TemplateFormat) -> (Schema, Vec<Artifact>) {
    let mut schema = many(count);
    divide_within(&limits(), &project(), &mut schema, format, &Templates::default());
    let rendered = emit_within(&limits(), &project(), &schema, format, &Templates::default(), Verified::default()).unwrap();
    (schema, rendered.artifacts)
}

fn trees(artifacts: &[Artifact]) -> Vec<serde_json::Value> {
    let tree = |artifact: &Artifact| {
        let mut sources = SourceMap::default();
        let file = sources.add(artifact.path.clone(), artifact.text.clone());
        json(&long_form(parse(&sources, file, &mut Sink::default()).unwrap()))
    };
    artifacts.iter().map(tree).collect()
}

fn keys(tree: &serde_json::Value, section: &str) -> Vec<String> {
    tree[section].as_object().map(|section| section.keys().cloned().collect()).unwrap_or_default()
}

#[test]
fn only_templates_that_do_not_stand_are_read_again() {
    let (schema, artifacts) = divided(10, TemplateFormat::Yaml);
    let mut sources = SourceMap::default();
    let name = "cloudformation/table.yaml.j2";
    let text = Templates::embedded(name).unwrap().replacen("KeySchema", "Keys", 1);
    let overlay = [(name.to_owned(), sources.add(name, text))].into();
    let templates = Templates::new(&overlay, &sources, &mut Sink::default());
    let wrong = |known: &Schema, standing: &[usize]| -> BTreeSet<String> {
        let generation = [(Backend::CloudformationTable, known.clone().into())].into();
        let stands = |file: &Artifact| standing.iter().any(|number| artifacts[*number].path == file.path);
        let verified = Verified::new(&generation, &stands);
        let rendered = emit_within(&limits(), &project(), &schema, TemplateFormat::Yaml, &templates, verified);
        // The file is in the note of what cannot be read.
        let files = ["template.yaml", "template-2.yaml", "template-3.yaml"].into_iter().map(str::to_owned);
        let said = format!("{:?}", rendered.err());
        files.filter(|file| said.contains(&format!("cloudformation/{file}"))).collect()
    };
    assert_eq!(wrong(&schema, &[0, 1, 2]), BTreeSet::new());
    assert_eq!(wrong(&schema, &[0, 2]), ["template-2.yaml".to_owned()].into());
    // A table that has changed is read, whatever the file's bytes.
    let mut known = schema.clone();
    known.tables.values_mut().take(1).for_each(|table| table.table_class = Some(TableClass::Standard));
    assert_eq!(wrong(&known, &[0, 1, 2]), ["template.yaml".to_owned()].into());
}

#[test]
fn each_template_has_what_its_tables_use() {
    for format in [TemplateFormat::Yaml, TemplateFormat::Json] {
        let (_, artifacts) = divided(10, format);
        let paths: Vec<&str> = artifacts.iter().map(|artifact| artifact.path.as_str()).collect();
        let name = format.name();
        let expected = ["template", "template-2", "template-3"].map(|stem| format!("cloudformation/{stem}.{name}"));
        assert_eq!(paths, expected);
        let trees = trees(&artifacts);
        let tables: Vec<String> = trees.iter().map(|tree| keys(tree, "Resources").concat()).collect();
        assert_eq!(tables, ["ABCD", "EFGH", "IJ"]);
        // What nothing uses is in the first, where somebody may look for it.
        let parameters: Vec<Vec<String>> = trees.iter().map(|tree| keys(tree, "Parameters")).collect();
        assert_eq!(parameters, [vec!["Unused"], vec!["Environment"], vec!["Environment"]]);
        assert_eq!(keys(&trees[2], "Outputs"), ["IName", "IArn", "JName", "JArn"]);
    }
}

#[test]
fn tables_with_indexes_wait_for_one_another() {
    let (_, artifacts) = divided(10, TemplateFormat::Yaml);
    let chains: Vec<Vec<String>> = trees(&artifacts)
        .iter()
        .map(|tree| {
            let waits = |(name, table): (&String, &serde_json::Value)| Some(format!("{name}:{}", table["DependsOn"].as_str()?));
            tree["Resources"].as_object().unwrap().iter().filter_map(waits).collect()
        })
        .collect();
    // D and H have no index; no table waits for one in another template.
    assert_eq!(chains, [vec!["B:A", "C:B"], vec!["F:E", "G:F"], vec!["J:I"]]);
    // One that comes changes the line of the next one alone.
    let without = |schema: Schema| render(&schema, TemplateFormat::Yaml);
    let mut fewer = many(8);
    fewer.tables.remove("key of B");
    let (before, after) = (without(fewer), without(many(8)));
    let gone: Vec<&str> = before.lines().filter(|line| line.contains("DependsOn") && !after.contains(line)).collect();
    assert!(before.contains("DependsOn: A\n") && after.contains("DependsOn: B\n"));
    assert_eq!(gone, Vec::<&str>::new());
    assert_eq!(after.matches("DependsOn").count(), before.matches("DependsOn").count() + 1);
}

#[test]
fn several_templates_are_read_back_as_one_schema() {
    let (schema, artifacts) = divided(10, TemplateFormat::Yaml);
    let (found, entries) = verify::read_back(&artifacts, read_and_count).unwrap();
    assert_eq!(found, schema.project(Format::Cloudformation));
    assert_eq!(found.tables["J"].template, Template::FIRST.next().next());
    assert_eq!(entries.iter().map(|entries| (entries.resources, entries.outputs)).collect::<Vec<_>>(), [(4, 8), (4, 8), (2, 4)]);
}

#[test]
fn a_template_that_grew_beyond_a_limit_is_an_error_and_moves_nothing() {
    let (mut schema, _) = divided(10, TemplateFormat::Yaml);
    for table in schema.tables.values_mut() {
        table.stream = Some(Stream::KeysOnly);
    }
    // Four tables have twelve outputs now, which is the limit.
    let emit = |schema: &Schema| {
        emit_within(&limits(), &project(), schema, TemplateFormat::Yaml, &Templates::default(), Verified::default())
    };
    assert_eq!(emit(&schema).unwrap().artifacts.len(), 3);
    schema.tables.get_mut("key of I").unwrap().template = Template::FIRST;
    let problems = emit(&schema).unwrap_err();
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].code, codes::STACK_TOO_LARGE);
    assert_eq!(
        problems[0].message,
        "`cloudformation/template.yaml` would have 15 outputs, and CloudFormation takes 12 in one template"
    );
}

#[test]
fn a_teams_own_resources_count() {
    let mut sources = SourceMap::default();
    let alarms = "{% extends \"gen/cloudformation/template.yaml.j2\" %}{% block resources %}{% for table in tables %}\n  {{ table.logical_id ~ \"Alarm\" }}: { Type: AWS::CloudWatch::Alarm }\n{% endfor %}{% endblock %}";
    let overlay = [("cloudformation/template.yaml.j2".to_owned(), sources.add("template.yaml.j2", alarms))].into();
    let templates = Templates::new(&overlay, &sources, &mut Sink::default());
    let mut limits = SERVICE;
    limits.entries.resources = 12;
    let mut schema = many(10);
    divide_within(&limits, &project(), &mut schema, TemplateFormat::Yaml, &templates);
    // Two resources a table: room for eight is room for four tables.
    let places: Vec<u32> = schema.tables.values().map(|table| table.template.number()).collect();
    assert_eq!(places, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
    assert_eq!(
        emit_within(&limits, &project(), &schema, TemplateFormat::Yaml, &templates, Verified::default()).unwrap().artifacts.len(),
        3
    );
}
