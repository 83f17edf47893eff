//! The JSON Schema of `acknowledgements.yaml`, for editors and for policy tools. What it lets through the reader still judges:
//! days that do not exist, and texts of spaces.

use serde_json::{Value, json};

/// The schema.
#[must_use]
pub fn schema() -> Value {
    let text = |description: &str| json!({ "description": description, "type": "string", "pattern": "\\S" });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "acknowledgements.yaml",
        "description": "Dangerous changes that are meant, each bound to that one change; `gen ack` adds to it",
        // A file of comments alone is no list yet.
        "type": ["array", "null"],
        "items": {
            "type": "object",
            "required": ["id", "address", "reason", "owner"],
            "additionalProperties": false,
            "properties": {
                "id": text("The change, as `gen plan` names it: it stands for address, before and after"),
                "address": { "description": "What changes, for people", "type": "string" },
                "before": { "description": "What was there, for people" },
                "after": { "description": "What is to be there, for people" },
                "reason": text("Why it is meant"),
                "owner": text("Who answers for it"),
                "until": {
                    "description": "The last day on which it holds; without one it holds until it is applied",
                    "type": ["string", "null"], "format": "date", "pattern": "^\\d{4}-\\d{2}-\\d{2}$"
                },
                "applied_in": {
                    "description": "Environments in which the change was applied; `default` where there are none",
                    "type": ["array", "null"], "items": { "type": "string" }, "default": []
                }
            }
        }
    })
}
