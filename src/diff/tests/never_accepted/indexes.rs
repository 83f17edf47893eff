//! Indexes whose key, projection or capacity no backend takes.

use super::{CAPACITY, ON_DEMAND, TABLE, TERRAFORM, resource, table, told};
use crate::diff::tests::native::terraform;
use crate::schema::Backend;

#[test]
fn an_index_has_the_capacity_that_its_table_asks_for() {
    let index = |capacity: &str| {
        format!(
            "  global_secondary_index {{\n    name = \"by_id\"\n    hash_key = \"id\"\n    projection_type = \"ALL\"\n{capacity}  }}\n"
        )
    };
    let provisioned = table(CAPACITY);
    let zero = format!("{CAPACITY}{}", index("    read_capacity = 5\n    write_capacity = 0\n"));
    let good = format!("{CAPACITY}{}", index(CAPACITY));
    for backend in TERRAFORM {
        assert_eq!(told(&provisioned, &table(&zero), backend), ["- gsi-capacity-missing Unsupported/Refuses/[]"]);
        assert_eq!(told(&table(&good), &table(&zero), backend), ["throughput gsi-capacity-missing Unsupported/Refuses/[]"]);
        assert_eq!(told(&provisioned, &table(&good), backend), ["- gsi-add IndexBuild/Applies/[]"]);
    }
    let of = |index: &str| {
        resource(
            "Table",
            &format!(
                "      BillingMode: PAY_PER_REQUEST\n      GlobalSecondaryIndexes:\n        - IndexName: by_id\n          \
            KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n          Projection: {{ ProjectionType: ALL }}\n{index}"
            ),
        )
    };
    let capacity = "          ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }\n";
    let none = resource("Table", "      BillingMode: PAY_PER_REQUEST\n");
    assert_eq!(told(&none, &of(capacity), TABLE), ["- capacity-on-demand Unsupported/Refuses/[]"]);
    assert_eq!(told(&none, &of(""), TABLE), ["- gsi-add IndexBuild/Applies/[]"]);
}

#[test]
fn an_index_has_a_key_of_one_way_and_a_projection() {
    let of = |kind: &str, arguments: &str| {
        let sort = "  range_key = \"at\"\n  attribute {\n    name = \"at\"\n    type = \"S\"\n  }\n";
        table(&format!("{ON_DEMAND}{sort}  {kind}_secondary_index {{\n    name = \"by_id\"\n{arguments}  }}\n"))
    };
    let none = terraform("");
    let rule = |kind: &str, arguments: &str| {
        let told = told(&none, &of(kind, arguments), Backend::TerraformAws6).concat();
        told.strip_suffix(" Unsupported/Refuses/[]").unwrap_or(&told).to_owned()
    };
    let (hash, range, all) = ("    hash_key = \"id\"\n", "    range_key = \"at\"\n", "    projection_type = \"ALL\"\n");
    let part = |kind: &str| format!("    key_schema {{\n      attribute_name = \"id\"\n      key_type = \"{kind}\"\n    }}\n");
    for key in
        [String::new(), range.to_owned(), part("RANGE"), format!("{hash}{}", part("HASH")), format!("{range}{}", part("HASH"))]
    {
        assert_eq!(rule("global", &format!("{key}{all}")), "- gsi-key-refused", "{key}");
    }
    for projection in ["", "    projection_type = \"SOME\"\n", "    projection_type = \"all\"\n"] {
        assert_eq!(rule("global", &format!("{hash}{projection}")), "- projection-refused", "{projection}");
        assert_eq!(rule("local", &format!("{range}{projection}")), "- projection-refused", "{projection}");
    }
    let good = format!("{hash}{all}");
    assert!(!rule("global", &good).contains("refused"));
    let edited = told(&of("global", &good), &of("global", hash), Backend::TerraformAws5);
    assert_eq!(edited, ["extra.projection_type projection-refused Unsupported/Refuses/[]"]);
}
