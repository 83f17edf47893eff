//! Tables of Amazon Keyspaces that were made in one way and are to be made in another: they exist all the same.

use crate::schema::cql::Schema;
use crate::schema::{self, Backend, Engine, Generation};

/// The ways in which tables of Amazon Keyspaces are made.
const WAYS: [Backend; 3] = [Backend::Cql(Engine::Keyspaces), Backend::KeyspacesTerraform, Backend::KeyspacesCloudformation];

/// Puts into what is in force, for infrastructure code that is new, the tables that another way has made: to a tool they are
/// like tables that it had let go of.
pub(super) fn adopt(previous: &Generation, next: &Generation, in_force: &mut Generation) {
    for backend in [Backend::KeyspacesTerraform, Backend::KeyspacesCloudformation] {
        let (None, Some(schema::Schema::Cql(next))) = (previous.get(&backend), next.get(&backend)) else { continue };
        let made =
            WAYS.iter().find_map(|way| if let Some(schema::Schema::Cql(made)) = previous.get(way) { Some(made) } else { None });
        if let Some(made) = made {
            in_force.insert(backend, known_as(made, next, backend).into());
        }
    }
}

/// The schema that exists, under the names that the tool is to know it by.
fn known_as(made: &Schema, next: &Schema, backend: Backend) -> Schema {
    let mut known = made.on(backend);
    for (name, keyspace) in &mut known.keyspaces {
        let Some(next) = next.keyspaces.get(name) else { continue };
        keyspace.managed.clone_from(&next.managed);
        keyspace.options.clone_from(&next.options);
        for (name, user) in &mut keyspace.types {
            if let Some(next) = next.types.get(name) {
                user.managed.clone_from(&next.managed);
            }
        }
        for table in keyspace.tables.values_mut() {
            if let Some(next) = next.tables.values().find(|next| next.name == table.name && !next.kept) {
                table.managed.clone_from(&next.managed);
                table.kept = true;
            }
        }
    }
    known
}
