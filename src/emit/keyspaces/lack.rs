//! What a schema of Amazon Keyspaces has that a resource cannot be told: an error at its line, or the word that it stands
//! elsewhere.
//!
//! Sources: AWS provider 5.100.0, `internal/service/keyspaces/table.go` and `keyspace.go` (what arguments there are);
//! CloudFormation registry schemas of `AWS::Cassandra::*` (2026-10-20); Amazon Keyspaces developer guide, "Update the provisioned
//! capacity and auto scaling settings for a multi-Region table".

use super::Settings;
use crate::diagnostic::{Code, Diagnostic, Label, codes};
use crate::schema::cql::engine::Form;
use crate::schema::cql::{Column, Keyspace, OptionValue, Schema, Table};
use crate::schema::{About, Address, Backend};
use std::collections::BTreeMap;

/// All that a backend of Amazon Keyspaces cannot write of a schema. Errors: it would be lost; findings: it stands elsewhere.
#[must_use]
pub fn lacks(schema: &Schema, backend: Backend) -> Vec<Diagnostic> {
    let Some(form) = Form::of(backend) else { return Vec::new() };
    let mut found = Found { backend, diagnostics: Vec::new() };
    for (name, keyspace) in &schema.keyspaces {
        let address = Address::Keyspace(name.clone());
        if !form.is_name(name) {
            found.error(
                codes::BAD_NAME,
                &address,
                &keyspace.about,
                "name",
                &format!("`{name}` is no name of a keyspace"),
                form.names,
            );
        }
        for (key, table) in keyspace.tables.iter().filter(|(_, table)| !table.kept) {
            found.table(&form, &Address::CqlTable(None, key.clone()), table, keyspace);
        }
        found.types(&form, keyspace);
    }
    found.taken_twice(schema);
    found.diagnostics
}

struct Found {
    backend: Backend,
    diagnostics: Vec<Diagnostic>,
}

impl Found {
    fn push(&mut self, diagnostic: Diagnostic, address: &Address, about: &About, property: &str) {
        let mut diagnostic = diagnostic.at(address.to_string());
        diagnostic.primary = about.place(property).map(|span| Label { span, text: String::new() });
        // A column of two tables is one line of the model.
        let span = |diagnostic: &Diagnostic| diagnostic.primary.as_ref().map(|label| label.span);
        let said =
            |known: &Diagnostic| known.message == diagnostic.message && span(known).is_some() && span(known) == span(&diagnostic);
        if !self.diagnostics.iter().any(said) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn error(&mut self, code: Code, address: &Address, about: &About, property: &str, what: &str, why: &str) {
        let diagnostic = Diagnostic::nowhere(code, format!("{what} on `{}`", self.backend)).note(why);
        self.push(diagnostic, address, about, property);
    }

    /// Error `not-on-engine`, with a way round it.
    fn cannot(&mut self, address: &Address, about: &About, property: &str, (what, why, help): (String, &str, &str)) {
        let message = format!("{what} cannot be written for `{}`", self.backend);
        let diagnostic = Diagnostic::nowhere(codes::NOT_ON_ENGINE, message).note(why).help(help);
        self.push(diagnostic, address, about, property);
    }

    fn table(&mut self, form: &Form, address: &Address, table: &Table, keyspace: &Keyspace) {
        let about = &table.about;
        if !form.is_name(&table.name) {
            let what = format!("`{}` is no name of a table", table.name);
            self.error(codes::BAD_NAME, address, about, "name", &what, form.names);
        }
        for (name, column) in &table.columns {
            self.column(form, address, table, (name, column));
        }
        if form.is_terraform {
            self.in_terraform(address, table);
            self.scaled_in_regions(address, table, keyspace);
        } else {
            self.in_cloudformation(address, table);
        }
    }

    /// Terraform scales a table with Application Auto Scaling, which knows no Regions.
    fn scaled_in_regions(&mut self, address: &Address, table: &Table, keyspace: &Keyspace) {
        // The class, and each Region.
        let several = keyspace.replication.len() > 2;
        let settings = Settings::of(table);
        if several && (settings.read_scaling.is_some() || settings.write_scaling.is_some()) {
            let what = "capacity that is scaled in several Regions".to_owned();
            let why = "Application Auto Scaling knows no Regions: such a table is scaled by the API of Amazon Keyspaces alone";
            let help = "say `billing: on_demand`, or `keyspaces: cql` or `keyspaces: cloudformation` under `targets`";
            self.cannot(address, &table.about, "options.autoscaling_settings", (what, why, help));
        }
    }

    fn column(&mut self, form: &Form, address: &Address, table: &Table, (name, column): (&str, &Column)) {
        const BY_CQL: &str = "say `keyspaces: cql` under `targets`, or change the model";
        let property = format!("columns.{name}");
        let mut cannot = |what, why| self.cannot(address, &table.about, &property, (what, why, BY_CQL));
        if !form.is_column(name) {
            cannot(format!("the column `{name}`"), form.columns);
        }
        let kind = &column.kind;
        if !form.is_type(kind) {
            let why =
                "the provider takes the name of a type and at most two in its angle brackets, in lower case letters and digits";
            cannot(format!("`{name}`, a `{kind}`,"), why);
        }
        if !form.is_terraform && column.is_static {
            cannot(format!("the static column `{name}`"), "`AWS::Cassandra::Table` has no property for static columns");
        }
    }

    fn in_terraform(&mut self, address: &Address, table: &Table) {
        const BY_ANOTHER: &str = "say `keyspaces: cql` or `keyspaces: cloudformation` under `targets`, or remove the line";
        if matches!(table.options.get("cdc"), Some(OptionValue::Bool(true))) {
            let why = "`aws_keyspaces_table` has no argument for it";
            self.cannot(address, &table.about, "options.cdc", ("change capture".to_owned(), why, BY_ANOTHER));
        }
        let key = table.custom_entry("encryption_specification", "kms_key_identifier");
        if key.is_some_and(|key| !key.starts_with("arn:")) {
            let what = "a key that is not given by its ARN".to_owned();
            let why = "`kms_key_identifier` takes an ARN alone";
            self.cannot(
                address,
                &table.about,
                "custom_properties.encryption_specification",
                (what, why, "write the ARN of the key"),
            );
        }
    }

    fn in_cloudformation(&mut self, address: &Address, table: &Table) {
        let lives = table.options.get("default_time_to_live").and_then(OptionValue::scalar).is_some_and(|seconds| seconds != "0");
        if table.custom().contains_key("ttl") && !lives {
            let what = "a time to live that each write gives".to_owned();
            let why = "`AWS::Cassandra::Table` can only turn it on for the table with `DefaultTimeToLive`";
            let help = "give `ttl` as a duration, or say `keyspaces: cql` or `keyspaces: terraform` under `targets`";
            self.cannot(address, &table.about, "custom_properties.ttl", (what, why, help));
        }
        if table.options.contains_key("comment") {
            let message = format!("the description of `{address}` is a comment of the template, and not one of the table");
            let diagnostic = Diagnostic::nowhere(codes::LEFT_OUT, message).note("`AWS::Cassandra::Table` has no property for it");
            self.push(diagnostic, address, &table.about, "options.comment");
        }
    }

    fn types(&mut self, form: &Form, keyspace: &Keyspace) {
        for (name, user) in &keyspace.types {
            let address = Address::UserType(name.clone());
            if form.is_terraform {
                // Said at the columns.
                continue;
            }
            let lower = |name: &str| !name.chars().any(|letter| letter.is_ascii_uppercase());
            if !lower(name) {
                let why = "CloudFormation puts the types of columns in lower case, so none could have this one";
                let help = "give the type a name in lower case, or say `keyspaces: cql` under `targets`";
                self.cannot(&address, &user.about, "name", (format!("the type `{name}`"), why, help));
            }
        }
    }

    /// Labels and logical IDs must tell resources apart; one from the lock may meet one that another has by default.
    fn taken_twice(&mut self, schema: &Schema) {
        let terraform = self.backend == Backend::KeyspacesTerraform;
        let mut seen: BTreeMap<String, (Address, &About)> = BTreeMap::new();
        for (name, address, about) in resources(schema, terraform) {
            let Some((other, first)) = seen.insert(name.to_lowercase(), (address.clone(), about)) else { continue };
            let (what, property) = if terraform { ("Terraform label", "terraform_name") } else { ("logical ID", "logical_id") };
            let message = format!("`{address}` and `{other}` have one {what}: `{name}`");
            let mut diagnostic =
                Diagnostic::nowhere(codes::NAME_TAKEN, message).help(format!("give one of the tables a `{property}` of its own"));
            if let Some(span) = first.span {
                diagnostic = diagnostic.context(span, "the other");
            }
            self.push(diagnostic, &address, about, property);
        }
    }
}

/// What is called what: all of a template, the tables of a module.
fn resources(schema: &Schema, terraform: bool) -> impl Iterator<Item = (&str, Address, &About)> {
    schema.keyspaces.iter().flat_map(move |(keyspace, of)| {
        let own = (of.managed.logical_id.as_str(), Address::Keyspace(keyspace.clone()), &of.about);
        let types =
            of.types.iter().map(|(name, user)| (user.managed.logical_id.as_str(), Address::UserType(name.clone()), &user.about));
        let tables = of.tables.iter().filter(|(_, table)| !table.kept).map(move |(key, table)| {
            let managed = &table.managed;
            let name = if terraform { &managed.terraform_name } else { &managed.logical_id };
            (name.as_str(), Address::CqlTable(None, key.clone()), &table.about)
        });
        let others: Vec<_> = if terraform { Vec::new() } else { std::iter::once(own).chain(types).collect() };
        others.into_iter().chain(tables)
    })
}
