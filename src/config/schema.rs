//! The JSON Schema of `gen.yaml`, for editors. What it lets through the reader still judges: paths, and names of findings.

use serde_json::{Value, json};

/// The schema.
#[must_use]
pub fn schema() -> Value {
    let scalar = json!({ "type": ["string", "number", "boolean"] });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "gen.yaml",
        "description": "Where models, output and templates are, and what to generate",
        "type": "object",
        "required": ["gen"],
        "additionalProperties": false,
        "properties": {
            "gen": { "description": "The format of this file", "const": 1 },
            "models": {
                "description": "Model files, and folders of them",
                "type": "array", "items": { "type": "string", "minLength": 1 }, "minItems": 1, "default": ["models"]
            },
            "output": { "description": "The output folder, beside this file or below", "type": "string", "minLength": 1, "default": "infra" },
            "templates": { "description": "The folder of your own templates", "type": "string", "minLength": 1 },
            "vars": { "description": "Data of your own, which templates see as `vars`", "type": "object" },
            "targets": {
                "description": "What to generate; all of it when this is left out",
                "type": "object", "additionalProperties": false, "minProperties": 1,
                "properties": {
                    "terraform": {
                        "description": "DynamoDB as Terraform", "type": "object", "additionalProperties": false,
                        "properties": { "provider": {
                            "description": "The version of the AWS provider", "enum": ["aws-5", "aws-6"], "default": "aws-5"
                        } }
                    },
                    "cloudformation": {
                        "description": "DynamoDB as CloudFormation", "type": "object", "additionalProperties": false,
                        "properties": {
                            "resource": { "description": "The type of a table's resource", "enum": ["table", "global_table"], "default": "table" },
                            "format": { "description": "How the template is written", "enum": ["yaml", "json"], "default": "yaml" }
                        }
                    },
                    "cql": { "description": "CQL, for each engine of a model", "type": "object", "additionalProperties": false },
                    "keyspaces": {
                        "description": "How Amazon Keyspaces tables are made; like those of the other engines when this is left out",
                        "enum": ["cql", "terraform", "cloudformation"]
                    }
                }
            },
            "environments": {
                "description": "Environments by name, each with an output and a lock of its own",
                "type": "object",
                "additionalProperties": {
                    "type": ["object", "null"], "additionalProperties": false,
                    "properties": { "set": {
                        "description": "Values of parameters", "type": "object", "additionalProperties": scalar
                    } }
                }
            },
            "fail_on": {
                "description": "From which level on findings block",
                "enum": ["error", "warning", "info", "never"], "default": "error"
            },
            "thresholds": {
                "description": "Other limits of a finding, each with a reason",
                "type": "object",
                "additionalProperties": {
                    "type": "object", "additionalProperties": false, "required": ["reason"],
                    "properties": { "warn": scalar, "error": scalar, "reason": { "type": "string" } }
                }
            }
        }
    })
}
