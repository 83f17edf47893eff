//! The type of a key attribute (model language, sections 3 and 6.1).

use crate::model::{Attribute, AttributeType, DynamodbTable, Encoding, Entity, TemplatePart};
use crate::schema::dynamodb::KeyType;

/// The type of a key attribute that one entity makes from a template: a bare `{name}` keeps the attribute's, a number is N,
/// anything else S. None when the attribute does not exist or cannot be a key.
pub(super) fn key_type(table: &DynamodbTable, entity: &Entity, parts: &[TemplatePart], number: bool) -> Option<KeyType> {
    match parts {
        [TemplatePart::Attribute { name, pad: None, case: None }] => {
            let expires = table.ttl.as_ref().is_some_and(|ttl| ttl.value == *name);
            stored_type(entity.attributes.get(name)?, expires)
        }
        _ if number => Some(KeyType::N),
        _ => Some(KeyType::S),
    }
}

/// The type an attribute has as a key of its own; an attribute with the time of expiry is a number of seconds.
fn stored_type(attribute: &Attribute, expires: bool) -> Option<KeyType> {
    Some(match attribute.kind {
        AttributeType::Timestamp if expires || attribute.encoding != Encoding::Iso => KeyType::N,
        AttributeType::Text
        | AttributeType::Ascii
        | AttributeType::Inet
        | AttributeType::Uuid
        | AttributeType::Timeuuid
        | AttributeType::Ulid
        | AttributeType::Ksuid
        | AttributeType::Timestamp
        | AttributeType::Date
        | AttributeType::Time => KeyType::S,
        AttributeType::Blob => KeyType::B,
        ref kind if prints_as_number(kind) => KeyType::N,
        _ => return None,
    })
}

/// Whether a value of the type is a number in DynamoDB.
pub(super) fn prints_as_number(kind: &AttributeType) -> bool {
    matches!(
        kind,
        AttributeType::Snowflake
            | AttributeType::Int
            | AttributeType::Bigint
            | AttributeType::Smallint
            | AttributeType::Tinyint
            | AttributeType::Varint
            | AttributeType::Decimal
            | AttributeType::Float
            | AttributeType::Double
            | AttributeType::Counter
    )
}
