//! What the template of an index sees of it.

use super::{InsightsContext, ThroughputContext, Typed, UnitsContext, description, key};
use crate::emit::cloudformation::global_table::Writes;
use crate::schema::About;
use crate::schema::dynamodb::{GlobalIndex, LocalIndex, Projection};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct IndexContext<'a> {
    name: &'a str,
    description: Option<&'a str>,
    serves: &'a [String],
    key: Vec<Typed<'a>>,
    projection: &'static str,
    attributes: Vec<&'a str>,
    throughput: Option<ThroughputContext>,
    on_demand_maximum: Option<UnitsContext>,
    warm_throughput: Option<UnitsContext>,
    contributor_insights: Option<InsightsContext>,
    /// How much may be written, of an index of a global table.
    writes: Option<Writes>,
}

impl<'a> IndexContext<'a> {
    pub(super) fn of_global_table(index: &'a GlobalIndex) -> Self {
        Self {
            throughput: None,
            on_demand_maximum: None,
            contributor_insights: None,
            writes: Some(Writes::of(index)),
            ..Self::global(index)
        }
    }

    pub(super) fn local(index: &'a LocalIndex, partition_key: &'a [String]) -> Self {
        let key = key(partition_key, std::slice::from_ref(&index.sort_key));
        Self::new(&index.name, &index.about, key, &index.projection)
    }

    pub(super) fn global(index: &'a GlobalIndex) -> Self {
        let key = key(&index.partition_key.0, &index.sort_key.0);
        Self {
            throughput: index.throughput.as_ref().map(ThroughputContext::new),
            on_demand_maximum: index.on_demand_maximum.as_ref().map(UnitsContext::new),
            warm_throughput: index.warm_throughput.as_ref().map(UnitsContext::new),
            contributor_insights: index.contributor_insights.map(InsightsContext::new),
            ..Self::new(&index.name, &index.about, key, &index.projection)
        }
    }

    fn new(name: &'a str, about: &'a About, key: Vec<Typed<'a>>, projection: &'a Projection) -> Self {
        let (projection, attributes) = match projection {
            Projection::All => ("ALL", Vec::new()),
            Projection::KeysOnly => ("KEYS_ONLY", Vec::new()),
            Projection::Include(names) => ("INCLUDE", names.iter().map(String::as_str).collect()),
        };
        Self {
            name,
            description: description(about),
            serves: &about.serves,
            key,
            projection,
            attributes,
            throughput: None,
            on_demand_maximum: None,
            warm_throughput: None,
            contributor_insights: None,
            writes: None,
        }
    }
}
