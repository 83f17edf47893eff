//! `gen.yaml`: where models, output and templates are, and what to generate.
