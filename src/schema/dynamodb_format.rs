//! What a format can say of a DynamoDB schema: the rest is in the model and in the lock alone.

use super::dynamodb::{
    Autoscaling, Encryption, GlobalIndex, Insights, Kept, LocalIndex, Range, Resource, Schema, Stream, Table, Template,
    Throughput, Units,
};
use super::moved::Parts;
use super::{Format, Items, Parameter, ParameterKind, Scalar, Text, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

impl Schema {
    /// The schema as a file of that format expresses it, so that it equals what is read back. Tables are known by their
    /// Terraform label or logical ID, indexes by their name; parameters have the names they have there.
    #[must_use]
    pub fn project(&self, format: Format) -> Schema {
        match format {
            Format::Terraform => self.in_terraform(),
            Format::Cloudformation => self.in_cloudformation(),
            Format::Cql => Schema::default(),
        }
    }

    /// The schema, which is as a file of that format expresses it, in the words of the schema that was expressed: tables and
    /// indexes under their keys there, parameters under their names there. What that one does not have keeps its name.
    #[must_use]
    pub fn in_words_of(self, own: &Schema, format: Format) -> Schema {
        let parameter = |name: &str| {
            let known = own.parameters.keys().find(|known| format == Format::Cloudformation && pascal_case(known) == name);
            known.map_or_else(|| name.to_owned(), Clone::clone)
        };
        let known_as: BTreeMap<&str, (&String, &Table)> = own
            .tables
            .iter()
            .map(|(key, known)| match format {
                Format::Terraform => (known.terraform_name.as_str(), (key, known)),
                Format::Cloudformation | Format::Cql => (known.logical_id.as_str(), (key, known)),
            })
            .collect();
        let mut tables = self.tables;
        if !own.parameters.is_empty() {
            tables.values_mut().for_each(|table| table.rename_parameters(&parameter));
        }
        for (name, (_, known)) in &known_as {
            let (local, global) = (&known.local_indexes, &known.global_indexes);
            if known_by_name(local, local_name) && known_by_name(global, global_name) {
                continue;
            }
            if let Some(table) = tables.get_mut(name) {
                by_key(&mut table.local_indexes, local, local_name);
                by_key(&mut table.global_indexes, global, global_name);
            }
        }
        let tables = tables.under(|name, _| known_as.get(name.as_str()).map_or(name, |(key, _)| key).clone());
        let kept = self.kept.into_iter().map(|(label, kept)| {
            let known = own.kept.iter().find(|(_, known)| known.terraform_name == label);
            (known.map_or(label, |(key, _)| key.clone()), kept)
        });
        Schema {
            tables,
            kept: kept.collect(),
            parameters: self.parameters.into_iter().map(|(name, value)| (parameter(&name), value)).collect(),
            ..self
        }
    }

    /// All of it but its tables.
    #[must_use]
    pub fn without_tables(&self) -> Schema {
        let Self { parameters, tables: _, kept, moved, imported, removed, parts } = self;
        let (parameters, kept) = (parameters.clone(), kept.clone());
        let (moved, imported, removed, parts) = (moved.clone(), imported.clone(), removed.clone(), parts.clone());
        Schema { parameters, tables: Items::new(), kept, moved, imported, removed, parts }
    }

    fn in_terraform(&self) -> Schema {
        let tables = self.tables.values().map(|table| {
            let mut table = Table {
                logical_id: String::new(),
                template: Template::default(),
                resource: Resource::Table,
                own_region_named: false,
                deletion_policy: None,
                update_replace_policy: None,
                ..by_index_name(table)
            };
            // Without the resource they are off.
            let are_off = |insights: Option<Insights>| insights == Some(Insights::Off);
            table
                .global_indexes
                .change_where(|index| are_off(index.contributor_insights), |index| index.contributor_insights = None);
            table.contributor_insights.take_if(|insights| are_off(Some(*insights)));
            (table.terraform_name.clone(), table)
        });
        let kept = self.kept.values().map(|kept| {
            let Kept { terraform_name, destroy, about, .. } = kept.clone();
            let kept = Kept { terraform_name, destroy, about, ..Kept::default() };
            (kept.terraform_name.clone(), kept)
        });
        Schema {
            parameters: self.parameters.clone(),
            tables: tables.collect(),
            kept: kept.collect(),
            moved: self.moved.clone(),
            imported: self.imported.clone(),
            removed: self.removed.clone(),
            parts: self.parts.clone(),
        }
    }

    fn in_cloudformation(&self) -> Schema {
        let tables = self.tables.values().map(|table| {
            let mut table = Table {
                terraform_name: String::new(),
                template: table.template.or_first(),
                prevent_destroy: false,
                ignore_changes: BTreeSet::new(),
                ..by_index_name(table)
            };
            table.rename_parameters(&pascal_case);
            // A template turns a stream off by not having it, and may give the period only where recovery is on.
            table.stream = table.stream.filter(|stream| *stream != Stream::Off);
            let replicas = table.replicas.values_mut().map(|replica| &mut replica.point_in_time_recovery);
            for recovery in replicas.chain([&mut table.point_in_time_recovery]).flatten() {
                if recovery.enabled == Value::Literal(false) {
                    recovery.days = None;
                }
            }
            // Where both sides are left open, a template has nothing to say.
            table.global_indexes.change_where(
                |index| [&index.on_demand_maximum, &index.warm_throughput].contains(&&Some(Units::default())),
                |index| drop_empty([&mut index.on_demand_maximum, &mut index.warm_throughput]),
            );
            drop_empty([&mut table.on_demand_maximum, &mut table.warm_throughput]);
            if table.resource == Resource::GlobalTable {
                table.as_global_table();
            }
            (table.logical_id.clone(), table)
        });
        Schema {
            parameters: self
                .parameters
                .iter()
                .map(|(name, parameter)| (pascal_case(name), parameter.in_cloudformation()))
                .collect(),
            tables: tables.collect(),
            kept: BTreeMap::new(),
            moved: BTreeMap::new(),
            imported: BTreeMap::new(),
            removed: BTreeMap::new(),
            parts: Parts::default(),
        }
    }
}

impl Table {
    /// The table as a global table says it.
    fn as_global_table(&mut self) {
        for replica in self.replicas.values_mut() {
            replica.table_class = replica.table_class.filter(|class| Some(*class) != self.table_class);
            replica.propagate_tags &= !self.tags.is_empty();
        }
        starts_somewhere(&mut self.throughput, self.autoscaling.as_ref());
        for index in self.global_indexes.values_mut() {
            starts_somewhere(&mut index.throughput, index.autoscaling.as_ref());
        }
    }
}

/// Scaled capacity that starts nowhere starts at the least.
fn starts_somewhere(throughput: &mut Option<Throughput>, autoscaling: Option<&Autoscaling>) {
    if let (None, Some(Autoscaling { read: Some(read), write: Some(write) })) = (&throughput, autoscaling) {
        *throughput = Some(Throughput { read: read.min.clone(), write: write.min.clone() });
    }
}

/// Indexes, known by their name, under the key of the one that has it.
fn by_key<T>(indexes: &mut Items<T>, known: &Items<T>, name: impl Fn(&T) -> &String) {
    *indexes = std::mem::take(indexes).under(|of, _| {
        let key = known.iter().find(|(_, known)| name(known) == of).map(|(key, _)| key);
        key.unwrap_or(of).clone()
    });
}

fn drop_empty(units: [&mut Option<Units>; 2]) {
    for units in units {
        *units = units.take().filter(|units| *units != Units::default());
    }
}

impl Table {
    /// Gives each parameter that a property refers to another name.
    pub(crate) fn rename_parameters(&mut self, rename: &impl Fn(&str) -> String) {
        let text = |text: &mut Text| {
            if text.as_literal().is_none() {
                *text = text.rename_parameters(rename);
            }
        };
        self.name.iter_mut().for_each(text);
        self.tags.values_mut().for_each(text);
        if let Some(Encryption::KmsKey(key)) = &mut self.encryption {
            text(key);
        }
        self.replicas.values_mut().for_each(|replica| replica.kms_key.iter_mut().for_each(text));
        let replicas = self.replicas.values_mut();
        let settings = replicas.map(|replica| (&mut replica.point_in_time_recovery, &mut replica.deletion_protection));
        let own = std::iter::once((&mut self.point_in_time_recovery, &mut self.deletion_protection));
        for (recovery, protection) in own.chain(settings) {
            if let Some(recovery) = recovery {
                rename_value(&mut recovery.enabled, rename);
            }
            if let Some(protection) = protection {
                rename_value(protection, rename);
            }
        }
        self.kinesis_stream.iter_mut().for_each(text);
        let capacity = [&mut self.on_demand_maximum, &mut self.warm_throughput];
        rename_capacity(&mut self.throughput, &mut self.autoscaling, capacity, rename);
        let has_capacity = |index: &GlobalIndex| {
            let is_limited = index.on_demand_maximum.is_some() || index.warm_throughput.is_some();
            is_limited || index.throughput.is_some() || index.autoscaling.is_some()
        };
        self.global_indexes.change_where(has_capacity, |index| {
            let capacity = [&mut index.on_demand_maximum, &mut index.warm_throughput];
            rename_capacity(&mut index.throughput, &mut index.autoscaling, capacity, rename);
        });
    }

    /// The parameters that its properties refer to.
    #[must_use]
    pub fn parameters(&self) -> BTreeSet<String> {
        let names = RefCell::new(BTreeSet::new());
        self.clone().rename_parameters(&|name: &str| {
            names.borrow_mut().insert(name.to_owned());
            name.to_owned()
        });
        names.into_inner()
    }
}

/// Gives the parameters in what a table and an index say of their capacity other names.
fn rename_capacity(
    throughput: &mut Option<Throughput>,
    autoscaling: &mut Option<Autoscaling>,
    units: [&mut Option<Units>; 2],
    rename: &impl Fn(&str) -> String,
) {
    throughput.iter_mut().flat_map(Throughput::values_mut).for_each(|value| rename_value(value, rename));
    let ranges = autoscaling.iter_mut().flat_map(Autoscaling::ranges_mut);
    ranges.flat_map(Range::values_mut).for_each(|value| rename_value(value, rename));
    units.into_iter().flatten().flat_map(Units::values_mut).for_each(|value| rename_value(value, rename));
}

fn rename_value<T>(value: &mut Value<T>, rename: &impl Fn(&str) -> String) {
    if let Value::Parameter(name) = value {
        *name = rename(name);
    }
}

impl Parameter {
    /// CloudFormation has no bool, only a `String` whose values are `true` and `false`, and that is what a bool is.
    fn in_cloudformation(&self) -> Self {
        let mut texts: Vec<String> = self.values.iter().map(ToString::to_string).collect();
        let open = texts.is_empty();
        let both = texts.len() == 2 && ["true", "false"].iter().all(|word| texts.iter().any(|text| text == word));
        let kind = match self.kind {
            ParameterKind::Number => ParameterKind::Number,
            ParameterKind::Bool if open || both => ParameterKind::Bool,
            ParameterKind::Text if both => ParameterKind::Bool,
            ParameterKind::Text | ParameterKind::Bool => ParameterKind::Text,
        };
        if kind == ParameterKind::Bool {
            texts.clear();
        }
        let scalar = |text: String| match kind {
            ParameterKind::Text => Scalar::Text(text),
            ParameterKind::Number => Scalar::Number(text),
            ParameterKind::Bool => Scalar::Bool(text == "true"),
        };
        let default = self.default.as_ref().map(|default| scalar(default.to_string()));
        Self { kind, values: texts.into_iter().map(scalar).collect(), default, about: self.about.clone() }
    }
}

/// The table with its indexes known by their name in the service, not by their key in the model.
fn by_index_name(table: &Table) -> Table {
    let mut table = table.clone();
    by_name(&mut table.local_indexes, local_name);
    by_name(&mut table.global_indexes, global_name);
    table
}

fn by_name<T>(indexes: &mut Items<T>, name: impl Fn(&T) -> &String) {
    if !known_by_name(indexes, &name) {
        *indexes = std::mem::take(indexes).under(|_, index| name(index).clone());
    }
}

/// Whether the key of each index is its name.
fn known_by_name<T>(indexes: &Items<T>, name: impl Fn(&T) -> &String) -> bool {
    indexes.iter().all(|(key, index)| key == name(index))
}

fn local_name(index: &LocalIndex) -> &String {
    &index.name
}

fn global_name(index: &GlobalIndex) -> &String {
    &index.name
}

/// `order_items` → `OrderItems`: how CloudFormation's logical IDs and parameters are named after the model's.
#[must_use]
pub fn pascal_case(name: &str) -> String {
    name.split(|character: char| !character.is_alphanumeric())
        .flat_map(|word| {
            let mut characters = word.chars();
            characters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(characters)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_pascal_case() {
        for (name, expected) in [("order_items", "OrderItems"), ("orders", "Orders"), ("a-1_b", "A1B"), ("kmsKey", "KmsKey")] {
            assert_eq!(pascal_case(name), expected);
        }
    }

    #[test]
    fn a_text_of_true_and_false_is_a_bool() {
        let of =
            |kind, values: &[Scalar]| Parameter { kind, values: values.to_vec(), ..Parameter::default() }.in_cloudformation();
        let text = |text: &str| Scalar::Text(text.to_owned());
        assert_eq!(of(ParameterKind::Text, &[text("true"), text("false")]), of(ParameterKind::Bool, &[]));
        assert_eq!(of(ParameterKind::Bool, &[Scalar::Bool(true)]), of(ParameterKind::Text, &[text("true")]));
        assert_eq!(of(ParameterKind::Text, &[text("a"), text("b")]).values, [text("a"), text("b")]);
    }
}
