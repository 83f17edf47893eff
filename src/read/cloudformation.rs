//! CloudFormation templates, YAML and JSON.
