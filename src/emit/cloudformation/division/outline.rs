//! What tables of one size have in common.

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// A value as JSON, with the length of each text in the place of it. Templates that print texts as they are print as much of one
/// table as of another with the same outline, but for a quote here and there.
pub(super) fn outline(of: &impl Serialize) -> Option<String> {
    let mut outline = Vec::new();
    of.serialize(&mut Serializer::with_formatter(&mut outline, Lengths)).ok()?;
    String::from_utf8(outline).ok()
}

struct Lengths;

impl Formatter for Lengths {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        self.write_u64(writer, u64::try_from(fragment.len()).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::outline;
    use crate::schema::dynamodb::{Billing, Table};

    #[test]
    fn tables_that_differ_in_letters_have_one_outline() {
        let table = |key: &str, sort: Option<&str>, billing| Table {
            partition_key: key.to_owned(),
            sort_key: sort.map(str::to_owned),
            billing: Some(billing),
            ..Table::default()
        };
        let one = outline(&table("order", Some("day"), Billing::OnDemand));
        assert!(one.is_some());
        assert_eq!(one, outline(&table("buyer", Some("age"), Billing::OnDemand)));
        for other in [
            table("orders", Some("day"), Billing::OnDemand),
            table("order", None, Billing::OnDemand),
            table("order", Some("day"), Billing::Provisioned),
        ] {
            assert_ne!(one, outline(&other));
        }
    }
}
