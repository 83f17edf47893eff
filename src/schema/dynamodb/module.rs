//! Tables that a Terraform module makes instead of the resource.

use super::{Schema, Table};
use crate::schema::is_computed;

/// How the label of a table begins that a module makes: `module.orders`.
pub const IN_MODULE: &str = "module.";

/// The path under which a table carries along the Region that its provider's block names.
pub const REGION_OF_PROVIDER: &str = "provider.region";

/// The path under which it carries along what else that block says of where a table is and which tags it has, be it nothing.
pub const SETTINGS_OF_PROVIDER: &str = "provider.settings";

/// The Region in which Terraform looks for a table: its own, where the resource can say one, else that of the provider's block. None
/// where neither is written out.
#[must_use]
pub fn terraform_region(table: &Table, can_say_one: bool) -> Option<&str> {
    let own = table.extra.get("region").filter(|_| can_say_one);
    let Some(own) = own else { return table.extra.get(REGION_OF_PROVIDER).map(String::as_str) };
    own.strip_prefix('"')?.strip_suffix('"').filter(|region| !is_computed(region))
}

/// Where Terraform finds the table of a label.
#[must_use]
pub fn terraform_address(label: &str) -> String {
    if label.starts_with(IN_MODULE) { label.to_owned() } else { format!("aws_dynamodb_table.{label}") }
}

/// An attribute of the table of a label: `name`, `id` and `arn` of a resource are outputs of the module.
#[must_use]
pub fn terraform_attribute(label: &str, attribute: &str) -> String {
    match attribute {
        _ if !label.starts_with(IN_MODULE) => format!("aws_dynamodb_table.{label}.{attribute}"),
        "arn" => format!("{label}.dynamodb_table_arn"),
        _ => format!("{label}.dynamodb_table_id"),
    }
}

impl Table {
    /// The resource inside its module that the table is: the module has one for each way to overlook what is scaled. None where that
    /// depends on what only Terraform knows.
    #[must_use]
    pub fn resource_in_module(&self) -> Option<&'static str> {
        let is_open =
            ["autoscaling_enabled", "ignore_changes_global_secondary_index"].iter().any(|input| self.extra.contains_key(*input));
        match () {
            () if is_open => None,
            () if self.ignore_changes.is_empty() => Some("this"),
            () if self.ignore_changes.contains("global_secondary_index") => Some("autoscaled_gsi_ignore"),
            () => Some("autoscaled"),
        }
    }

    /// Whether it is as many tables as `count` or `for_each` say.
    #[must_use]
    pub fn is_repeated(&self) -> bool {
        ["count", "for_each"].iter().any(|argument| self.extra.contains_key(*argument))
    }
}

impl Schema {
    /// The schema with those tables in modules that are there in another one; None when there are none. A module takes no
    /// `lifecycle`, so `prevent_destroy` cannot be said of its table.
    #[must_use]
    pub fn in_modules_of(&self, found: &Self) -> Option<Self> {
        let module = |label: &String, is_there: &dyn Fn(&String) -> bool| {
            Some(format!("{IN_MODULE}{label}")).filter(|name| !is_there(label) && is_there(name))
        };
        let mut schema = self.clone();
        let mut any = false;
        for table in schema.tables.values_mut() {
            if let Some(name) = module(&table.terraform_name, &|label| found.tables.contains_key(label)) {
                (table.terraform_name, table.prevent_destroy, any) = (name, false, true);
            }
        }
        for kept in schema.kept.values_mut() {
            if let Some(name) = module(&kept.terraform_name, &|label| found.kept.contains_key(label)) {
                (kept.terraform_name, any) = (name, true);
            }
        }
        let imported = std::mem::take(&mut schema.imported)
            .into_iter()
            .map(|(label, name)| (module(&label, &|label| found.imported.contains_key(label)).unwrap_or(label), name));
        schema.imported = imported.collect();
        // The block that takes a resource into its module stands beside these.
        let moved = std::mem::take(&mut schema.moved).into_iter().map(|(from, to)| {
            let ends = (format!("{IN_MODULE}{from}"), format!("{IN_MODULE}{to}"));
            let is_there = found.moved.get(&ends.0) == Some(&ends.1);
            any |= is_there;
            if is_there { ends } else { (from, to) }
        });
        schema.moved = moved.collect();
        any.then_some(schema)
    }
}
