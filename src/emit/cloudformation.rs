//! CloudFormation templates, YAML and JSON from one tree.
