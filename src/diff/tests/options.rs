//! Options of CQL that one product has and others have not.

use super::all;
use crate::read::cql;
use crate::schema::{Backend, Engine, Schema};

fn of(rest: &str) -> Schema {
    super::read("schema.cql", &format!("CREATE TABLE k.t (a int PRIMARY KEY){rest};"), cql::read)
}

/// What is told of a table that comes to have a rest of its definition.
fn told(rest: &str, engine: Engine) -> Vec<String> {
    all(&of(""), &of(&format!(" WITH {rest}")), Backend::Cql(engine))
}

#[test]
fn the_properties_of_keyspaces_are_its_own() {
    for property in ["cdc_specification", "encryption_specification", "capacity_mode", "unheard_of"] {
        let rest = format!("CUSTOM_PROPERTIES = {{'{property}': {{'view_type': 'NEW_IMAGE'}}}}");
        for engine in [Engine::Cassandra40, Engine::Cassandra50, Engine::Scylla20251] {
            let path = format!("cql.t custom_properties.{property}");
            assert_eq!(told(&rest, engine), [format!("{path} opt-unknown Unsupported/Refuses/[]")], "{engine:?}");
            let gone = all(&of(&format!(" WITH {rest}")), &of(""), Backend::Cql(engine));
            assert_eq!(gone, [format!("{path} opt-gone Nothing/Nothing/[]")], "{engine:?}");
        }
    }
    // What Amazon Keyspaces has anyway, the others refuse too.
    let usual = "CUSTOM_PROPERTIES = {'capacity_mode': {'throughput_mode': 'PAY_PER_REQUEST'}}";
    assert_eq!(told(usual, Engine::Keyspaces), [""; 0]);
    assert_eq!(told(usual, Engine::Cassandra50), ["cql.t custom_properties.capacity_mode opt-unknown Unsupported/Refuses/[]"]);
    let encryption = "CUSTOM_PROPERTIES = {'encryption_specification': {'encryption_type': 'AWS_OWNED_KMS_KEY'}}";
    let customer = encryption.replace("AWS_OWNED_KMS_KEY'", "CUSTOMER_MANAGED_KMS_KEY', 'kms_key_identifier': 'arn:a'");
    assert_eq!(
        told(&customer, Engine::Keyspaces),
        ["cql.t custom_properties.encryption_specification opt-encryption InPlace/Applies/[]"]
    );
}

#[test]
fn the_encryption_of_scylla_is_its_own() {
    let of = |engine| told("scylla_encryption_options = {'cipher_algorithm': 'AES/ECB/PKCS5Padding'}", engine);
    let path = "cql.t options.scylla_encryption_options";
    assert_eq!(of(Engine::Scylla20251), [format!("{path} opt-encryption FollowUp/Applies/[]")]);
    assert_eq!(of(Engine::Cassandra50), [format!("{path} opt-encryption Unsupported/Refuses/[]")]);
    assert_eq!(of(Engine::Keyspaces), [format!("{path} opt-unknown Unknown/Unknown/[]")]);
}

#[test]
fn the_view_of_a_stream_is_fixed() {
    let on = |view: &str| of(&format!(" WITH CUSTOM_PROPERTIES = {{'cdc_specification': {{'view_type': '{view}'}}}}"));
    let told = |previous: &Schema, next: &Schema| all(previous, next, Backend::Cql(Engine::Keyspaces));
    let path = "cql.t custom_properties.cdc_specification";
    assert_eq!(told(&on("NEW_IMAGE"), &on("OLD_IMAGE")), [format!("{path} opt-cdc-view Unknown/Unknown/[]")]);
    assert_eq!(told(&of(""), &on("NEW_IMAGE")), [format!("{path} opt-cdc-on InPlace/Applies/[]")]);
    assert_eq!(told(&on("NEW_IMAGE"), &of("")), [format!("{path} opt-cdc-off InPlace/Applies/[Stream]")]);
}

#[test]
fn an_id_cannot_become_another_one() {
    let made_as = |id: &str| of(&format!(" WITH id = {id}"));
    let (one, other) = ("5a1c395e-b41f-11e5-9f22-ba0be0483c18", "5a1c395e-b41f-11e5-9f22-ba0be0483c19");
    let told = |previous: &Schema, next: &Schema| all(previous, next, Backend::Cql(Engine::Cassandra50));
    assert_eq!(told(&made_as(one), &made_as(other)), ["cql.t options.id tbl-id Recreation/Refuses/[]"]);
    assert_eq!(told(&made_as(one), &made_as(one)), [""; 0]);
    // That of the table which was made.
    assert_eq!(told(&made_as(one), &of("")), [""; 0]);
}
