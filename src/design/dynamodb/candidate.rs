//! What could serve a pattern: each table and index, as each entity in it sees it.

use crate::design::Operations;
use crate::model::{DynamodbTable, Entity, Holding, KeyValue, Model, Other, TemplatePart, Where};
use crate::schema::Address;
use crate::schema::dynamodb::{KeyType, Projection};
use crate::source::Span;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Table before local before global index: the order in which one is preferred to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Table,
    Local,
    Global,
}

/// A table or an index.
#[derive(Debug)]
pub(super) struct Candidate<'m> {
    pub address: Address,
    pub kind: Kind,
    pub span: Span,
    pub table: &'m DynamodbTable,
    /// Names of the attributes of its own key.
    pub key: Vec<&'m str>,
    pub projection: &'m Projection,
    /// The entities of this model whose items are in it.
    pub views: Vec<View<'m>>,
    /// Those of other models.
    pub guests: Vec<Guest<'m>>,
}

/// An entity of another model whose items are in a table or index.
#[derive(Debug)]
pub(super) struct Guest<'m> {
    pub model: &'m str,
    pub view: View<'m>,
    /// Where it does not fit with what this model holds, this model is the one to mend.
    pub precedes: bool,
}

/// An entity as a message calls it: `Invoice`, or `billing.Invoice` when it is another model's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Title<'m> {
    model: Option<&'m str>,
    entity: &'m str,
}

impl Title<'_> {
    /// Whether it is of this model.
    pub(super) fn is_own(&self) -> bool {
        self.model.is_none()
    }
}

impl fmt::Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.model {
            Some(model) => write!(f, "{model}.{}", self.entity),
            None => f.write_str(self.entity),
        }
    }
}

/// A table or an index as one entity sees it.
#[derive(Debug)]
pub(super) struct View<'m> {
    pub entity: &'m Entity,
    /// Where the table names it.
    pub span: Span,
    pub partition: Vec<KeyAttribute<'m>>,
    pub sort: Vec<KeyAttribute<'m>>,
    /// The key attributes of the table; for the table itself its key once more.
    pub table_key: Vec<KeyAttribute<'m>>,
}

/// A key attribute and how one entity makes its value.
#[derive(Clone, Debug)]
pub(super) struct KeyAttribute<'m> {
    pub name: &'m str,
    /// The template; a natural key is a template of its own attribute.
    pub parts: Cow<'m, [TemplatePart]>,
    pub kind: KeyType,
    /// The value is written by its own rule, not the entity's attribute of that name.
    pub template: Option<&'m KeyValue>,
}

impl<'m> KeyAttribute<'m> {
    /// How an entity makes the value of a key attribute; None when it has neither a template nor an attribute for it.
    fn of(holding: &'m Holding, entity: &'m Entity, name: &'m str) -> Option<Self> {
        let template = holding.keys.get(name);
        let parts = if let Some(value) = template {
            Cow::Borrowed(value.template.parts.as_slice())
        } else {
            entity.attributes.get(name)?;
            Cow::Owned(vec![TemplatePart::Attribute { name: name.to_owned(), pad: None, case: None }])
        };
        // A bare `{name}` keeps the attribute's type, a number is a number, anything else is text.
        let kind = match parts.as_ref() {
            [TemplatePart::Attribute { name, pad: None, case: None }] => entity.attributes.get(name)?.key_type()?,
            _ if template.is_some_and(|value| value.number) => KeyType::N,
            _ => KeyType::S,
        };
        Some(Self { name, parts, kind, template })
    }

    /// The one attribute whose value this is, unchanged.
    pub(super) fn bare(&self) -> Option<&str> {
        match self.parts.as_ref() {
            [TemplatePart::Attribute { name, pad: None, case: None }] => Some(name),
            _ => None,
        }
    }

    /// Which items have the attribute at all.
    pub(super) fn when(&self) -> Option<&'m Where> {
        self.template.and_then(|value| value.when.as_ref())
    }

    /// The attributes in it, in order.
    pub(super) fn attributes(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(TemplatePart::attribute)
    }
}

impl<'m> View<'m> {
    fn of(
        table: &'m DynamodbTable,
        (holding, entity): (&'m Holding, &'m Entity),
        partition: &[&'m str],
        sort: &[&'m str],
    ) -> Option<Self> {
        let make =
            |names: &[&'m str]| -> Option<Vec<_>> { names.iter().map(|name| KeyAttribute::of(holding, entity, name)).collect() };
        let own: Vec<&str> = table_partition(table).into_iter().chain(table_sort(table)).collect();
        Some(Self { entity, span: holding.entity.span, partition: make(partition)?, sort: make(sort)?, table_key: make(&own)? })
    }

    /// Its entity, of this model.
    pub(super) fn title(&self) -> Title<'m> {
        Title { model: None, entity: &self.entity.name }
    }

    /// All key attributes of the table or index, partition key first.
    pub(super) fn key(&self) -> impl Iterator<Item = &KeyAttribute<'m>> {
        self.partition.iter().chain(&self.sort)
    }
}

impl<'m> Guest<'m> {
    /// Its entity, of the other model.
    pub(super) fn title(&self) -> Title<'m> {
        Title { model: Some(self.model), entity: &self.view.entity.name }
    }
}

/// Every table and index of a model, tables in the model's order, each followed by its indexes.
#[derive(Debug)]
pub(super) struct Candidates<'m> {
    pub all: Vec<Candidate<'m>>,
    pub operations: Operations,
    by_entity: BTreeMap<&'m str, Vec<usize>>,
}

impl<'m> Candidates<'m> {
    /// Looks at every table once.
    pub(super) fn of(model: &'m Model, operations: Operations) -> Self {
        let tables = model.dynamodb.iter().flat_map(|section| section.tables.values());
        let all: Vec<Candidate<'m>> = tables.flat_map(|table| Candidate::of_table(model, table)).collect();
        let mut by_entity: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, candidate) in all.iter().enumerate() {
            for view in &candidate.views {
                by_entity.entry(&view.entity.name).or_default().push(at);
            }
        }
        Self { all, operations, by_entity }
    }

    /// Those that items of an entity are in.
    pub(super) fn with(&self, entity: &str) -> impl Iterator<Item = &Candidate<'m>> {
        self.by_entity.get(entity).into_iter().flatten().filter_map(|at| self.all.get(*at))
    }

    /// The one with an address.
    pub(super) fn at(&self, address: &Address) -> Option<&Candidate<'m>> {
        self.all.iter().find(|candidate| candidate.address == *address)
    }
}

impl<'m> Candidate<'m> {
    fn of_table(model: &'m Model, table: &'m DynamodbTable) -> Vec<Self> {
        let key = table.key.clone();
        let whole = &Projection::All;
        let hash = table_partition(table);
        let range = table_sort(table);
        let address = Address::DynamodbTable(key.clone());
        let mut all = vec![Self::new(model, table, address, Kind::Table, table.span, whole, (&hash, &range))];
        for (name, index) in &table.local_indexes {
            let address = Address::LocalIndex(key.clone(), name.clone());
            let sort = [index.sort_key.value.as_str()];
            all.push(Self::new(model, table, address, Kind::Local, index.span, &index.projection.value, (&hash, &sort)));
        }
        for (name, index) in &table.global_indexes {
            let address = Address::GlobalIndex(key.clone(), name.clone());
            let partition: Vec<&str> = index.partition_key.iter().map(|name| name.value.as_str()).collect();
            let sort: Vec<&str> = index.sort_key.iter().map(|name| name.value.as_str()).collect();
            all.push(Self::new(model, table, address, Kind::Global, index.span, &index.projection.value, (&partition, &sort)));
        }
        all
    }

    fn new(
        model: &'m Model,
        table: &'m DynamodbTable,
        address: Address,
        kind: Kind,
        span: Span,
        projection: &'m Projection,
        (partition, sort): (&[&'m str], &[&'m str]),
    ) -> Self {
        let holds = table.holds.iter().filter_map(|holding| Some((holding, model.entities.get(&holding.entity.value)?)));
        let views = holds.filter_map(|held| View::of(table, held, partition, sort)).collect();
        let guest = |other: &'m Other| {
            let view = View::of(table, (&other.holding, &other.entity), partition, sort)?;
            Some(Guest { model: &other.model, view, precedes: other.precedes })
        };
        let guests = table.others.iter().filter_map(guest).collect();
        let key = partition.iter().chain(sort).copied().collect();
        Self { address, kind, span, table, key, projection, views, guests }
    }

    /// As one entity of this model sees it; None when its items are not in it.
    pub(super) fn view(&self, entity: &str) -> Option<&View<'m>> {
        self.views.iter().find(|view| view.entity.name == entity)
    }

    /// The discriminator, when it can be read here.
    pub(super) fn discriminator(&self) -> Option<&'m str> {
        let name = self.table.discriminator.as_ref()?.value.as_str();
        let there = match self.projection {
            Projection::All => true,
            Projection::KeysOnly => self.key.contains(&name),
            Projection::Include(names) => names.contains(name) || self.key.contains(&name),
        };
        there.then_some(name)
    }
}

/// "gsi `by_status` of `orders`"
impl fmt::Display for Candidate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Table => write!(f, "table `{}`", self.table.key),
            Kind::Local => write!(f, "lsi `{}` of `{}`", self.address.name(), self.table.key),
            Kind::Global => write!(f, "gsi `{}` of `{}`", self.address.name(), self.table.key),
        }
    }
}

fn table_partition(table: &DynamodbTable) -> Vec<&str> {
    vec![table.partition_key.value.as_str()]
}

fn table_sort(table: &DynamodbTable) -> Vec<&str> {
    table.sort_key.iter().map(|name| name.value.as_str()).collect()
}
