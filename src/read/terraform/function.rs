//! Functions and operators whose result is exact without a run of Terraform. All else is left to it.

use super::fields::Source;
use super::scope::{Known, Scope};
use super::syntax::{Equality, Expression, FuncCall, Kind, ObjectKey, TraversalOperator};
use crate::schema::{Part, Text};

impl<'a> Scope<'a> {
    /// What a call of `format` or `join` comes to (<https://developer.hashicorp.com/terraform/language/functions>).
    pub(super) fn call(&self, source: Source<'a>, call: &'a FuncCall<'a>, depth: usize) -> Option<Known> {
        if call.is_namespaced || call.expand_final {
            return None;
        }
        let mut arguments = call.args.iter();
        let first = self.literal(source, arguments.next()?, depth)?;
        let parts = match call.name {
            "format" => self.format(source, &first, arguments, depth)?,
            "join" => {
                let (list, None) = (arguments.next()?, arguments.next()) else { return None };
                let (place, list) = self.follow_to(source, list, depth);
                let mut parts = Vec::new();
                for (index, item) in list.as_array()?.iter().enumerate() {
                    parts.extend((index > 0).then(|| Part::Literal(first.clone())));
                    parts.extend(self.parts(place, item, depth)?);
                }
                parts
            }
            _ => return None,
        };
        Some(Known::Text(Text::from_parts(parts)))
    }

    /// A format of `%s` and `%%` alone, with as many values as it asks for.
    fn format(
        &self,
        source: Source<'a>,
        format: &str,
        mut values: impl Iterator<Item = &'a Expression<'a>>,
        depth: usize,
    ) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        let mut rest = format;
        while let Some((before, after)) = rest.split_once('%') {
            parts.push(Part::Literal(before.to_owned()));
            if let Some(after) = after.strip_prefix('%') {
                parts.push(Part::Literal("%".to_owned()));
                rest = after;
            } else {
                rest = after.strip_prefix('s')?;
                parts.extend(self.parts(source, values.next()?, depth)?);
            }
        }
        parts.push(Part::Literal(rest.to_owned()));
        values.next().is_none().then_some(parts)
    }

    /// A value where text is needed; None for `null`, which is an error there, and for what never is text.
    fn parts(&self, source: Source<'a>, value: &'a Expression<'a>, depth: usize) -> Option<Vec<Part>> {
        let (_, followed) = self.follow_to(source, value, depth);
        if followed.is_collection() {
            return None;
        }
        Some(self.evaluate_to(source, value, depth.checked_sub(1)?).into_text()?.parts().to_vec())
    }

    fn literal(&self, source: Source<'a>, value: &'a Expression<'a>, depth: usize) -> Option<String> {
        match self.evaluate_to(source, value, depth.checked_sub(1)?) {
            Known::Text(text) => text.as_literal().map(str::to_owned),
            _ => None,
        }
    }

    /// A condition that holds or not whatever variables there are.
    pub(super) fn condition(&self, source: Source<'a>, condition: &'a Expression<'a>, depth: usize) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        let (place, followed) = self.follow_to(source, condition, depth);
        match &followed.kind {
            Kind::Equality(equality) => {
                let Equality { is_equal, left, right } = equality.as_ref();
                let side = |side| match self.evaluate_to(place, side, depth) {
                    Known::Text(text) => text.as_literal().map(|text| Known::Text(Text::literal(text))),
                    known @ Known::Bool(_) => Some(known),
                    _ => None,
                };
                let (left, right) = (side(left)?, side(right)?);
                let comparable = std::mem::discriminant(&left) == std::mem::discriminant(&right);
                comparable.then(|| (left == right) == *is_equal)
            }
            Kind::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of a local value, or what a path leads to inside of one that is written out.
    pub(super) fn local(&self, expression: &'a Expression<'a>, depth: usize) -> Option<(Source<'a>, &'a Expression<'a>)> {
        let Kind::Traversal(traversal) = &expression.kind else { return None };
        let (name, path) = traversal.operators.split_first()?;
        let (Some("local"), TraversalOperator::GetAttr(name)) = (traversal.root, name) else { return None };
        let mut found = *self.locals.get(name)?;
        for step in path {
            let (place, value) = self.follow_to(found.0, found.1, depth.checked_sub(1)?);
            let key = match step {
                TraversalOperator::GetAttr(key) => key,
                TraversalOperator::Index(key) => key.as_str()?,
                TraversalOperator::Other => return None,
            };
            let object = value.as_object()?;
            // A key that is computed may be any.
            if !object.iter().all(|(name, _)| name.as_str().is_some()) {
                return None;
            }
            found = (place, &object.iter().find(|(name, _)| name.as_str() == Some(key))?.1);
        }
        Some(found)
    }

    /// The entries of an object, or of several that are merged, as far as they are written out: a later one replaces an earlier one.
    pub(super) fn entries(
        &self,
        source: Source<'a>,
        value: &'a Expression<'a>,
    ) -> Option<Vec<(Source<'a>, &'a ObjectKey<'a>, &'a Expression<'a>)>> {
        let (place, followed) = self.follow(source, value);
        if let Some(object) = followed.as_object() {
            return Some(object.iter().map(|(key, value)| (place, key, value)).collect());
        }
        let Kind::FuncCall(call) = &followed.kind else { return None };
        if call.is_namespaced || call.name != "merge" || call.expand_final {
            return None;
        }
        let objects = call.args.iter().map(|object| {
            let (place, object) = self.follow(place, object);
            Some(object.as_object()?.iter().map(move |(key, value)| (place, key, value)))
        });
        Some(objects.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
    }
}
