//! Capacity of tables and indexes.

use super::Reader;
use super::fields::{Fields, Item};
use crate::schema::Value;
use crate::schema::dynamodb::{Throughput, Units};

impl<'a> Reader<'a> {
    /// Both capacities; one alone is carried along.
    pub(super) fn throughput(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Option<Throughput> {
        self.throughput_of(fields, ["read_capacity", "write_capacity"], item)
    }

    /// Both capacities, under the names that a resource has for them.
    pub(super) fn throughput_of(&mut self, fields: &mut Fields<'a>, names: [&str; 2], item: &mut Item) -> Option<Throughput> {
        let source = fields.source;
        let [read, write] = names;
        match (fields.argument(read), fields.argument(write)) {
            (Some(read), Some(write)) => {
                item.place("throughput", source.span(read));
                item.place("throughput.read", source.span(read));
                item.place("throughput.write", source.span(write));
                Some(Throughput { read: self.scope.value(source, read), write: self.scope.value(source, write) })
            }
            (read, write) => {
                for (name, value) in names.into_iter().zip([read, write]) {
                    if let Some(value) = value {
                        item.carry(name, source, value);
                    }
                }
                None
            }
        }
    }

    pub(super) fn on_demand_maximum(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Option<Units> {
        let arguments = ["max_read_request_units", "max_write_request_units"];
        self.units(fields, "on_demand_throughput", "on_demand_maximum", arguments, item)
    }

    pub(super) fn warm_throughput(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Option<Units> {
        let arguments = ["read_units_per_second", "write_units_per_second"];
        self.units(fields, "warm_throughput", "warm_throughput", arguments, item)
    }

    fn units(
        &mut self,
        holder: &mut Fields<'a>,
        block: &str,
        property: &'static str,
        [read, write]: [&str; 2],
        item: &mut Item,
    ) -> Option<Units> {
        let source = holder.source;
        // A block of the resource, an object among the inputs of a module.
        let mut fields = if let Some(found) = holder.block(block) {
            item.place(property, source.span(&found.ident));
            Fields::new(source, &found.body)
        } else {
            let value = holder.argument(block)?;
            item.place(property, source.span(value));
            let (place, followed) = self.scope.follow(source, value);
            let Some(fields) = Fields::of_object(place, followed) else {
                item.carry(block, source, value);
                return None;
            };
            fields
        };
        let units = Units { read: self.limit(&mut fields, read), write: self.limit(&mut fields, write) };
        fields.carry_rest(block, item);
        Some(units)
    }

    /// A number of units; -1 is as good as none, and is how a limit that was set is taken away.
    fn limit(&self, fields: &mut Fields<'a>, argument: &str) -> Option<Value<u64>> {
        let value = fields.argument(argument)?;
        let none = self.scope.word(fields.source, value).is_some_and(|word| word == "-1");
        (!none).then(|| self.scope.value(fields.source, value))
    }
}
