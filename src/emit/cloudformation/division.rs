//! The division of a schema into templates.
//!
//! A table that is in a template stays there, whatever becomes of it and of the others: another template is another stack, which
//! would have to create the table again. So only new tables are given a place, in the last template that has room for them. A
//! template that lost all its tables is not filled again: its stack may be there still, and would become another one.

mod outline;

use super::limits::Size;
use crate::schema::dynamodb::{Schema, Table, Template};
use crate::schema::{Format, Parameter};
use outline::outline;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What one template holds of a schema.
pub(super) struct Part<'a> {
    pub(super) template: Template,
    pub(super) parameters: Vec<(&'a str, &'a Parameter)>,
    pub(super) tables: Vec<&'a Table>,
}

impl<'a> Part<'a> {
    /// Some tables in a template that has all parameters.
    fn of(schema: &'a Schema, tables: Vec<&'a Table>) -> Self {
        let parameters = schema.parameters.iter().map(|(name, parameter)| (name.as_str(), parameter)).collect();
        Self { template: Template::FIRST, parameters, tables }
    }
}

/// The parts of a schema as CloudFormation expresses it: each with the parameters that its tables use. Those that no table uses
/// are in the first.
pub(super) fn parts(schema: &Schema) -> Vec<Part<'_>> {
    let mut tables: BTreeMap<Template, Vec<&Table>> = BTreeMap::new();
    for table in schema.tables.values() {
        tables.entry(table.template.or_first()).or_default().push(table);
    }
    if tables.len() <= 1 || schema.parameters.is_empty() {
        return tables.into_iter().map(|(template, tables)| Part { template, ..Part::of(schema, tables) }).collect();
    }
    let mut unused: BTreeSet<&str> = schema.parameters.keys().map(String::as_str).collect();
    let uses: Vec<BTreeSet<String>> =
        tables.values().map(|tables| tables.iter().flat_map(|table| table.parameters()).collect()).collect();
    for name in uses.iter().flatten() {
        unused.remove(name.as_str());
    }
    let mut parts = Vec::new();
    for ((template, tables), uses) in tables.into_iter().zip(uses) {
        let leftover = std::mem::take(&mut unused);
        let all = schema.parameters.iter().map(|(name, parameter)| (name.as_str(), parameter));
        let parameters = all.filter(|(name, _)| uses.contains(*name) || leftover.contains(name)).collect();
        parts.push(Part { template, parameters, tables });
    }
    parts
}

/// How large templates are.
pub(super) struct Measure<F> {
    /// The size of a template; None: it cannot be rendered, which is said elsewhere.
    pub(super) template: F,
    /// Whether tables of one outline may still differ in size: a team's own templates may do anything with a text.
    pub(super) each: bool,
}

/// Gives each table that is in no template yet one.
pub(super) fn divide(schema: &mut Schema, limits: &Size, measure: &Measure<impl Fn(&Part<'_>) -> Option<Size>>) {
    if schema.tables.values().all(|table| table.template.is_known()) {
        return;
    }
    let last = schema.tables.values().map(|table| table.template).max().unwrap_or_default().or_first();
    let places = places(schema, last, limits, measure);
    for table in schema.tables.values_mut().filter(|table| !table.template.is_known()) {
        table.template = places.get(&table.logical_id).copied().unwrap_or(last);
    }
}

/// The templates of tables that do not belong into the last one that has tables, by logical ID.
fn places(
    schema: &Schema,
    last: Template,
    limits: &Size,
    measure: &Measure<impl Fn(&Part<'_>) -> Option<Size>>,
) -> BTreeMap<String, Template> {
    let known = schema.kept.values().map(|kept| kept.template).max().unwrap_or_default().max(last);
    let room = limits.room();
    let expected = schema.project(Format::Cloudformation);
    let places: HashMap<&str, Template> =
        schema.tables.values().map(|table| (table.logical_id.as_str(), table.template)).collect();
    let of = |table: &Table| places.get(table.logical_id.as_str()).copied().unwrap_or_default();
    // Nearly always all of them fit, which one look tells; when the first of them says that they cannot, it is not worth it.
    let together: Vec<&Table> = expected.tables.values().filter(|table| !of(table).is_known() || of(table) == last).collect();
    let one = together.first().and_then(|table| (measure.template)(&Part::of(&expected, vec![*table])));
    let may_fit = one.is_none_or(|one| one.times(together.len()).fits(&limits.times(2)));
    let fits = may_fit && (measure.template)(&Part::of(&expected, together)).is_none_or(|size| size.fits(&room));
    if fits { BTreeMap::new() } else { one_by_one(&expected, (last, known), &room, of, measure) }
}

/// The templates of tables that do not all fit into the last one, by logical ID. Beside the last template that has tables stands
/// the last that anything is known of.
fn one_by_one(
    schema: &Schema,
    (last, known): (Template, Template),
    room: &Size,
    of: impl Fn(&Table) -> Template,
    measure: &Measure<impl Fn(&Part<'_>) -> Option<Size>>,
) -> BTreeMap<String, Template> {
    let template = |tables| (measure.template)(&Part::of(schema, tables));
    let Some(empty) = template(Vec::new()) else { return BTreeMap::new() };
    let measured: RefCell<HashMap<String, Option<Size>>> = RefCell::default();
    let size = |table| {
        let measure_one = || Some(template(vec![table])?.less(&empty));
        match outline(table).filter(|_| !measure.each) {
            Some(outline) => *measured.borrow_mut().entry(outline).or_insert_with(measure_one),
            None => measure_one(),
        }
    };
    let sized = schema.tables.iter().filter_map(|(logical_id, table)| Some((logical_id, of(table), size(table)?)));
    let (placed, to_place): (Vec<_>, Vec<_>) = sized.partition(|(_, template, _)| template.is_known());
    let mut filled: BTreeMap<Template, Size> = BTreeMap::new();
    for (_, template, size) in placed {
        let template = filled.entry(template).or_insert(empty);
        *template = template.plus(&size);
    }
    let (mut last, mut known) = (last, known);
    let mut places = BTreeMap::new();
    for (logical_id, _, size) in to_place {
        let with = |template: Template| filled.get(&template).unwrap_or(&empty).plus(&size);
        let place = last.and_before().find(|template| filled.contains_key(template) && with(*template).fits(room));
        // A table that is too large for any template has one of its own.
        let place = place.unwrap_or_else(|| if filled.contains_key(&last) { known.next() } else { last });
        (last, known) = (last.max(place), known.max(place));
        filled.insert(place, with(place));
        places.insert(logical_id.clone(), place);
    }
    places
}

#[cfg(test)]
mod tests;
