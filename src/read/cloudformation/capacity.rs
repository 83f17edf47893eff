//! Capacity of tables and indexes.

use super::Reader;
use super::item::{Fields, Item};
use crate::schema::Value;
use crate::schema::dynamodb::{Throughput, Units};
use crate::source::{Kind, Node};

impl Reader<'_> {
    /// `ProvisionedThroughput` of a table or an index.
    pub(super) fn throughput(&mut self, fields: &mut Fields<'_>, item: &mut Item) -> Option<Throughput> {
        let mut throughput = self.nested(fields, "ProvisionedThroughput", item)?;
        item.place("throughput", throughput.span());
        let read = self.required(&mut throughput, "ReadCapacityUnits").and_then(|units| self.number(units));
        let write = self.required(&mut throughput, "WriteCapacityUnits").and_then(|units| self.number(units));
        throughput.carry_rest(item);
        Some(Throughput { read: read?, write: write? })
    }

    pub(super) fn on_demand_maximum(&mut self, fields: &mut Fields<'_>, item: &mut Item) -> Option<Units> {
        let keys = ["MaxReadRequestUnits", "MaxWriteRequestUnits"];
        self.units(fields, "OnDemandThroughput", "on_demand_maximum", keys, item)
    }

    pub(super) fn warm_throughput(&mut self, fields: &mut Fields<'_>, item: &mut Item) -> Option<Units> {
        self.units(fields, "WarmThroughput", "warm_throughput", ["ReadUnitsPerSecond", "WriteUnitsPerSecond"], item)
    }

    fn units(
        &mut self,
        holder: &mut Fields<'_>,
        key: &str,
        property: &'static str,
        [read, write]: [&str; 2],
        item: &mut Item,
    ) -> Option<Units> {
        let mut fields = self.nested(holder, key, item)?;
        item.place(property, fields.span());
        let units = Units { read: self.limit(fields.take(read)), write: self.limit(fields.take(write)) };
        fields.carry_rest(item);
        Some(units)
    }

    /// A number of units; -1 is as good as none.
    fn limit(&mut self, node: Option<&Node>) -> Option<Value<u64>> {
        let node = node?;
        let lifted = matches!(&node.kind, Kind::Number(text) if text == "-1");
        if lifted { None } else { self.number(node) }
    }
}
