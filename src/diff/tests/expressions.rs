//! Expressions: what is exact is evaluated; of the rest a change behind them is told as not known, never passed over.

use super::{all, read};
use crate::diagnostic::Sink;
use crate::read::{cloudformation, terraform};
use crate::schema::{Backend, Schema};
use crate::source::SourceMap;

const TERRAFORM: Backend = Backend::TerraformAws6;
const TEMPLATE: Backend = Backend::CloudformationTable;

fn module(arguments: &str, beside: &str) -> Schema {
    let text = format!(
        "{beside}\nresource \"aws_dynamodb_table\" \"orders\" {{\n  hash_key = \"id\"\n  attribute {{\n    name = \"id\"\n    type = \"S\"\n  \
         }}\n{arguments}\n}}\n"
    );
    read("main.tf", &text, |sources, files, sink| terraform::read(sources, files, sink).map(|module| module.schema))
}

fn template(properties: &str, beside: &str) -> Schema {
    let text = format!(
        "{beside}\nResources:\n  Orders:\n    Type: AWS::DynamoDB::Table\n{properties}\n      AttributeDefinitions: [{{ AttributeName: id, \
         AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n"
    );
    read("template.yaml", &text, cloudformation::read)
}

#[test]
fn a_definition_behind_an_expression_is_not_passed_over() {
    let arguments = "  name = lower(local.name)\n  tags = merge(var.tags, { a = local.team })\n  count = var.on ? 1 : 0";
    let with = |name: &str, tags: &str, on: &str, unused: &str| {
        let variables = format!(
            "variable \"tags\" {{\n  default = {tags}\n}}\nvariable \"on\" {{\n  type = bool\n  {on}\n}}\nvariable \"x\" {{\n  default = \
             {unused}\n}}"
        );
        module(
            arguments,
            &format!("{variables}\nlocals {{\n  name = \"${{local.base}}-x\"\n  base = {name}\n  team = upper(\"t\")\n}}"),
        )
    };
    let before = with("lower(\"A\")", "{ b = 1 }", "default = true", "[1]");
    let told = |after: &Schema| all(&before, after, TERRAFORM);
    assert!(told(&before).is_empty());
    assert!(told(&with("lower(\"A\")", "{ b = 1 }", "default = true", "[2]")).is_empty());
    let changed = with("lower(\"B\")", "{ b = 2 }", "default = false", "[1]");
    assert_eq!(
        told(&changed),
        ["local.base", "var.on", "var.tags"].map(|path| format!("dynamodb.orders extra.\"{path}\" ? Unknown/Unknown/[]"))
    );
    let set_elsewhere = with("lower(\"A\")", "{ b = 1 }", "", "[1]");
    assert_eq!(told(&set_elsewhere), ["dynamodb.orders extra.\"var.on\" ? Unknown/Unknown/[]"]);
}

#[test]
fn a_default_behind_a_part_of_a_text_is_not_passed_over() {
    let with = |default: &str| {
        let variable = format!("variable \"env\" {{\n  {default}\n}}");
        module("  name = \"${var.env}-${random_pet.x.id}\"", &variable)
    };
    let told = |before: &str, after: &str| all(&with(before), &with(after), TERRAFORM);
    assert_eq!(told("default = \"a\"", "default = \"b\""), ["dynamodb.orders name table-rename Recreation/Replaces/[Items]"]);
    assert_eq!(told("default = \"a\"", ""), ["dynamodb.orders name ? Unknown/Unknown/[]"]);
}

#[test]
fn what_terraform_computes_in_one_way_alone_is_evaluated() {
    let locals = "variable \"env\" {\n}\nlocals {\n  cfg = { name = \"orders\", modes = { yes = \"PAY_PER_REQUEST\" } }\n  base = { team = \
                  \"x\", env = var.env }\n}";
    let computed = module(
        "  name = format(\"%s-%s%%\", var.env, local.cfg.name)\n  billing_mode = \"a\" == \"a\" ? local.cfg.modes[\"yes\"] : \
         \"PROVISIONED\"\n  tags = merge(local.base, { team = \"y\", Name = join(\"-\", [var.env, local.cfg.name, 5]) })",
        locals,
    );
    let written = module(
        "  name = \"${var.env}-orders%\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  tags = { team = \"y\", env = var.env, Name = \
         \"${var.env}-orders-5\" }",
        "variable \"env\" {\n}",
    );
    assert_eq!(all(&computed, &written, TERRAFORM), Vec::<String>::new());
    for left_open in [
        "format(\"%5s\", \"a\")",
        "format(\"%s\", \"a\", \"b\")",
        "format(\"%s\")",
        "format(\"%s\", local.list...)",
        "join(\"-\", var.list)",
        "join(\"-\", [[\"a\"]])",
        "var.env == \"a\" ? \"b\" : \"c\"",
        "local.cfg.missing",
        "local.cfg[var.env]",
    ] {
        let name = module(&format!("  name = {left_open}"), locals);
        let Schema::Dynamodb(schema) = name else { panic!("no schema") };
        assert_eq!(schema.tables["orders"].name.as_ref().unwrap().to_string(), format!("${{={left_open}=}}"));
    }
}

#[test]
fn data_sources_behind_an_expression_are_not_passed_over() {
    let document = |effect: &str| {
        format!("data \"aws_iam_policy_document\" \"p\" {{\n  statement {{\n    effect = \"{effect}\"\n  }}\n}}\n")
    };
    let policy = "resource \"aws_dynamodb_resource_policy\" \"p\" {\n  resource_arn = aws_dynamodb_table.orders.arn\n  \
                  policy = data.aws_iam_policy_document.p.json\n}\n";
    let with = |name: &str, beside: &str| module(&format!("  name = {name}"), beside);
    let told = |previous: &Schema, next: &Schema| all(previous, next, TERRAFORM);
    let of = |effect: &str| with("\"o\"", &format!("{}{policy}", document(effect)));
    let changed = |address: &str| [format!("dynamodb.orders extra.\"{address}\" ? Unknown/Unknown/[]")];
    assert_eq!(told(&of("Allow"), &of("Deny")), changed("data.aws_iam_policy_document.p"));
    let laid_out = with("\"o\"", &format!("{}{policy}", document("Allow").replace(" = ", "   =  ")));
    assert!(told(&of("Allow"), &laid_out).is_empty());
    // One that no expression of the table needs.
    assert!(told(&with("\"o\"", &document("Allow")), &with("\"o\"", &document("Deny"))).is_empty());
    let pet =
        |length: u8| with("\"o-${random_pet.p.id}\"", &format!("resource \"random_pet\" \"p\" {{\n  length = {length}\n}}\n"));
    assert_eq!(told(&pet(2), &pet(3)), changed("random_pet.p"));
    // Local values in between are followed.
    let local = |effect: &str| {
        let policy = policy.replace("data.aws_iam_policy_document.p.json", "local.policy");
        with("\"o\"", &format!("locals {{\n  policy = data.aws_iam_policy_document.p.json\n}}\n{}{policy}", document(effect)))
    };
    assert_eq!(told(&local("Allow"), &local("Deny")), changed("data.aws_iam_policy_document.p"));
}

#[test]
fn local_values_that_multiply_one_another_come_to_an_end() {
    let level = |number: usize| format!("  a{number} = \"{}\"\n", format!("${{local.a{}}}", number + 1).repeat(10));
    let locals: String = (0..15).map(level).collect();
    let bomb = module("  name = local.a0", &format!("locals {{\n{locals}  a15 = \"x\"\n}}"));
    assert!(all(&bomb, &bomb, TERRAFORM).is_empty());
}

#[test]
fn conditions_and_mappings_are_looked_up_where_no_parameter_decides() {
    let sections = |name: &str, never: &str| {
        format!(
            "Mappings: {{ M: {{ prod: {{ name: {name}, mode: PAY_PER_REQUEST }} }} }}\nConditions:\n  Never: !Equals [{never}, b]\n  Always: \
             !And [!Not [!Condition Never], !Equals [1, 1]]"
        )
    };
    let computed = template(
        "    Condition: Always\n    Properties:\n      TableName: !FindInMap [M, prod, name]\n      BillingMode: !If [Never, PROVISIONED, \
         !FindInMap [M, prod, mode]]\n      TableClass: !If [Never, STANDARD, !Ref AWS::NoValue]",
        &sections("orders", "a"),
    );
    let written = template("    Properties:\n      TableName: orders\n      BillingMode: PAY_PER_REQUEST", "");
    assert_eq!(all(&computed, &written, TEMPLATE), Vec::<String>::new());
    let gone = template("    Condition: Never\n    Properties:\n      TableName: orders", &sections("orders", "a"));
    let Schema::Dynamodb(schema) = gone else { panic!("no schema") };
    assert!(schema.tables.is_empty());
}

#[test]
fn conditions_and_mappings_behind_an_expression_are_not_passed_over() {
    let with = |condition: &str, name: &str, other: &str, default: &str| {
        template(
            "    Condition: Made\n    Properties:\n      TableName: !FindInMap [M, !Ref Env, name]\n      TableClass: !If [Cheap, \
             STANDARD_INFREQUENT_ACCESS, STANDARD]",
            &format!(
                "Parameters: {{ Env: {{ Type: String, Default: {default} }} }}\nMappings: {{ M: {{ prod: {{ name: {name}, other: {other} }} \
                 }} }}\nConditions:\n  Cheap: !Equals [!Ref AWS::Region, {condition}]\n  Made: !Not [!Condition Cheap]\n  Unused: !Equals \
                 [!Ref AWS::Region, {other}]"
            ),
        )
    };
    let before = with("a", "orders", "x", "prod");
    let told = |after: Schema| all(&before, &after, TEMPLATE);
    assert!(told(with("a", "orders", "y", "prod")).is_empty());
    let not_known = |path: &str| format!("dynamodb.Orders extra.\"{path}\" ? Unknown/Unknown/[]");
    assert_eq!(told(with("b", "orders", "x", "prod")), [not_known("Conditions.Cheap")]);
    assert_eq!(told(with("a", "bills", "x", "dev")), [not_known("Mappings.M.*.name"), not_known("Parameters.Env")]);
}

#[test]
fn values_that_terraform_reads_by_itself_stand_for_the_variables() {
    let read = |files: &[(&str, &str)]| -> Schema {
        let table = "variable \"name\" {\n  default = \"a\"\n}\nresource \"aws_dynamodb_table\" \"t\" {\n  name = var.name\n  hash_key = \
                     \"id\"\n}\n";
        let mut sources = SourceMap::default();
        let ids: Vec<_> = files.iter().chain([&("main.tf", table)]).map(|(path, text)| sources.add(*path, *text)).collect();
        terraform::read(&sources, &ids, &mut Sink::default()).unwrap().schema.into()
    };
    let name = |files: &[(&str, &str)]| match read(files) {
        Schema::Dynamodb(schema) => schema.tables["t"].name.as_ref().unwrap().in_force(&schema.parameters).unwrap(),
        Schema::Cql(_) => panic!("no tables"),
    };
    let (own, auto) = (("terraform.tfvars", "name = \"b\"\nother = 1"), ("a.auto.tfvars", "name = \"c\""));
    assert_eq!((name(&[]), name(&[own]), name(&[auto, own])), ("a".into(), "b".into(), "c".into()));
    assert_eq!(name(&[("b.auto.tfvars", "name = \"d\""), auto]), "d");
    assert_eq!(all(&read(&[own]), &read(&[auto]), TERRAFORM), ["dynamodb.t name table-rename Recreation/Replaces/[Items]"]);
}

#[test]
fn a_parameter_in_a_template_counts_as_its_default() {
    let with = |properties: &str, default: &str| {
        let parameter = format!("Parameters: {{ A: {{ Type: String, Default: '{default}' }} }}");
        template(&format!("    Properties:\n      {properties}"), &parameter)
    };
    let ttl = |attribute: &str| format!("TimeToLiveSpecification: {{ AttributeName: {attribute}, Enabled: true }}");
    assert_eq!(
        all(&with(&ttl("!Ref A"), "e"), &with(&ttl("!Ref A"), "f"), TEMPLATE),
        ["dynamodb.Orders ttl ttl-attribute-change Stages/Refuses/[]"]
    );
    for (written, default) in [
        ("TimeToLiveSpecification: { AttributeName: e, Enabled: VALUE }", "true"),
        ("TimeToLiveSpecification: { AttributeName: VALUE, Enabled: true }", "e"),
        ("DeletionProtectionEnabled: VALUE", "true"),
        ("BillingMode: VALUE", "PAY_PER_REQUEST"),
    ] {
        let of = |value: &str| with(&written.replace("VALUE", value), default);
        assert_eq!(all(&of(default), &of("!Ref A"), TEMPLATE), [""; 0], "{written}");
    }
}
