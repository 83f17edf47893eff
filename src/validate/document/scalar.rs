//! The scalars of section 1. Here they are text as it was written; their grammars are in `grammar`. The patterns are for
//! editors: the shape check leaves them to the grammars, which say more.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use std::borrow::Cow;

macro_rules! scalars {
    ($($(#[doc = $doc:literal])+ $name:ident: $types:tt $(, $pattern:literal)?;)*) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Debug, Deserialize)]
        #[serde(rename = "$scalar")]
        pub struct $name(pub String);

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let description = [$($doc.trim()),+].join(" ");
                json_schema!({ "description": description, "type": $types $(, "pattern": $pattern)? })
            }
        }
    )*};
}

scalars! {
    /// A count: a number with an optional K, M or B (thousand, million, billion), such as `40`, `2.5K`, `10M`
    Count: ["number", "string"], r"^[0-9]+(\.[0-9]+)?[KMB]?$";
    /// A size in powers of 1024, such as `500B`, `2KB`, `1.5MB`
    Size: ["string"], r"^[0-9]+(\.[0-9]+)?([KMG]i?)?B$";
    /// A duration, such as `30s`, `5min`, `2h`, `7d`, `4w`, `6mo` (of 30 days), `1y` (of 365 days)
    Duration: ["string"], r"^[0-9]+(s|min|h|d|w|mo|y)$";
    /// A rate, such as `200/s`, `2.5K/min`, `3M/day`
    Rate: ["string"], r"^[0-9]+(\.[0-9]+)?[KMB]?/(s|min|h|d|w|mo|y|second|minute|hour|day|week|month|year)$";
    /// A share, such as `12%`
    Share: ["string"], r"^[0-9]+(\.[0-9]+)?%$";
    /// A value: text, a number or a bool
    Value: ["string", "number", "boolean"];
    /// A number, or a parameter as `${name}`
    NumberOrParameter: ["number", "string"], r"^([0-9]+(\.[0-9]+)?[KMB]?|\$\{[A-Za-z_][A-Za-z0-9_]*\})$";
    /// True or false, or a parameter as `${name}`
    BoolOrParameter: ["boolean", "string"], r"^\$\{[A-Za-z_][A-Za-z0-9_]*\}$";
    /// True or false, a parameter as `${name}`, or a number of days such as `35d`
    Recovery: ["boolean", "string"], r"^([0-9]+(d|w)|\$\{[A-Za-z_][A-Za-z0-9_]*\})$";
}
