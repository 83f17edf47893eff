//! `gen diff` of folders that hold other things too.
#![expect(clippy::unwrap_used, reason = "a test")]

use camino::Utf8Path;
use std::fs;
use std::process::Command;

const MODULE: &str = "\
resource \"aws_dynamodb_table\" \"orders\" {
  name         = \"orders\"
  billing_mode = \"PAY_PER_REQUEST\"
  hash_key     = \"id\"

  attribute {
    name = \"id\"
    type = \"S\"
  }
}
";

const TEMPLATE: &str = "\
Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions:
        - { AttributeName: id, AttributeType: S }
      KeySchema:
        - { AttributeName: id, KeyType: HASH }
";

/// Exit code and what was said of a diff between two folders with these files; those of the next side have another key type.
fn diff(files: &[(&str, &str)]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path()).unwrap();
    let put = |side: &str, change: &dyn Fn(&str) -> String| {
        for (name, text) in files {
            let file = path.join(side).join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, change(text)).unwrap();
        }
    };
    put("before", &str::to_owned);
    put("after", &|text| text.replace("type = \"S\"", "type = \"N\"").replace("AttributeType: S", "AttributeType: N"));
    run(path)
}

fn run(folder: &Utf8Path) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gen"));
    let ended = command.args(["diff", "before", "after"]).current_dir(folder).env("NO_COLOR", "1").output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (ended.status.code().unwrap(), text(&ended.stdout) + &text(&ended.stderr))
}

#[test]
fn what_is_no_template_is_passed_over() {
    let others = [("package.json", "{\"name\": \"shop\"}"), ("compose.yml", "{{ not yaml }}: ["), ("a.yaml", "- 1\n")];
    for (name, text, address) in [("main.tf", MODULE, "recreate"), ("stack.yaml", TEMPLATE, "recreate")] {
        let files: Vec<(&str, &str)> = others.into_iter().chain([(name, text)]).collect();
        let (exit, said) = diff(&files);
        assert_eq!(exit, 0, "{said}");
        assert!(said.contains(address) && !said.contains("error") && !said.contains("not-read"), "{said}");
    }
    let (exit, said) = diff(&others);
    assert!(exit == 1 && said.contains("before holds no lock and no Terraform, CloudFormation or CQL file"), "{said}");
}

#[test]
fn what_is_of_another_language_is_named() {
    let statements = "CREATE TABLE shop.orders (id text PRIMARY KEY);";
    let (exit, said) = diff(&[("a.yaml", TEMPLATE), ("main.tf", MODULE), ("schema.cql", statements)]);
    assert_eq!(exit, 0, "{said}");
    for named in ["before is read as Terraform; its CQL is not: `before/schema.cql`", "its CloudFormation is not: `after/a.yaml`"]
    {
        assert!(said.contains(named), "{said}");
    }
    assert!(said.contains("dynamodb.orders") && !said.contains("cql.orders"), "{said}");
}

#[test]
fn terraform_in_json_is_named() {
    let (exit, said) = diff(&[("main.tf", MODULE), ("more.tf.json", "{}"), ("a.auto.tfvars.json", "{}")]);
    assert_eq!(exit, 0, "{said}");
    assert!(said.contains("Terraform in JSON is not read: `before/a.auto.tfvars.json` and `before/more.tf.json`"), "{said}");
    let (exit, said) = diff(&[("main.tf.json", "{}")]);
    assert!(exit == 1 && said.contains("error[bad-terraform]: Terraform in JSON is not read: `before/main.tf.json`"), "{said}");
}
