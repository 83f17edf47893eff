//! Step 4: whether the items come in the order the caller relies on (model language, section 6.3).

use super::candidate::KeyAttribute;
use super::lack::Lack;
use super::request::Request;
use super::sort::Sort;
use crate::model::{AttributeType, Entity, Order, TemplatePart};

/// The part of the order that an entity's items can differ in.
pub(super) fn wanted<'m>(entity: &Entity, request: &Request<'m>) -> Vec<&'m Order> {
    if request.names_one(entity) {
        return Vec::new();
    }
    let differs = |order: &&Order| {
        let name = &order.attribute.value;
        entity.attributes.contains_key(name) && request.equal(name).is_none()
    };
    request.pattern.order.iter().filter(differs).collect()
}

/// What keeps the items of an entity from coming in order.
pub(super) fn order<'m>(entity: &Entity, request: &Request<'m>, sort: &Sort<'_, 'm>) -> Option<Lack<'m>> {
    let wanted = wanted(entity, request);
    let descending = wanted.first().is_some_and(|order| order.descending);
    let mut rest = sort.rest.iter().peekable();
    for order in wanted {
        let name = &order.attribute.value;
        let lack = |why| Some(Lack::Order { attribute: name.clone(), why });
        if order.descending != descending {
            return lack("a read goes in one direction, and the order mixes `asc` and `desc`");
        }
        // A bucket rises with its attribute, so it may stand before it.
        while rest.next_if(|(part, _)| matches!(part, TemplatePart::Bucket { name: of, .. } if of == name)).is_some() {}
        match rest.next() {
            Some((part @ TemplatePart::Attribute { name: of, .. }, key)) if of == name => {
                if let Err(why) = sorts_as_it_prints(part, key, entity) {
                    return lack(why);
                }
            }
            Some(_) => return lack("another attribute comes first in its sort key"),
            None if sort.equal.is_empty() && sort.last.is_none() => return lack("its sort key does not hold it"),
            None => return lack("it is not what follows in its sort key"),
        }
    }
    None
}

/// Whether the values of an attribute, as a key prints them, sort as the values do; else why not.
pub(super) fn sorts_as_it_prints(part: &TemplatePart, key: &KeyAttribute<'_>, entity: &Entity) -> Result<(), &'static str> {
    let TemplatePart::Attribute { name, pad, .. } = part else { return Ok(()) };
    let Some(attribute) = entity.attributes.get(name) else { return Ok(()) };
    let text = key.bare().is_none();
    match &attribute.kind {
        AttributeType::Timeuuid => Err("a `timeuuid` printed as text does not sort by its time"),
        AttributeType::Inet => Err("an `inet` printed as text does not sort as an address"),
        AttributeType::Blob if text => Err("a `blob` printed in a template does not sort as its bytes"),
        AttributeType::Decimal | AttributeType::Float | AttributeType::Double if text => {
            Err("a number with a fraction does not sort in a text key")
        }
        _ if text && attribute.is_stored_as_number() && pad.is_none() => Err(UNPADDED),
        _ => Ok(()),
    }
}

const UNPADDED: &str = "a number in a text key sorts only when it is padded, as in `{n:010}`";
