//! The backends: what differs between them is asked of these types, in one place each.

use super::{Releases, Store};
use camino::Utf8Path;
use std::fmt;

/// A CQL engine, as `cql.engines` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// Apache Cassandra 4.0
    Cassandra40,
    /// Apache Cassandra 4.1
    Cassandra41,
    /// Apache Cassandra 5.0
    Cassandra50,
    /// ScyllaDB 2025.1
    Scylla20251,
    /// ScyllaDB 2026.1
    Scylla20261,
    /// Amazon Keyspaces
    Keyspaces,
}

impl Engine {
    /// All engines, in the order in which they are reported.
    pub const ALL: [Self; 6] =
        [Self::Cassandra40, Self::Cassandra41, Self::Cassandra50, Self::Scylla20251, Self::Scylla20261, Self::Keyspaces];

    /// The name in models and folders: `cassandra-5.0`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cassandra40 => "cassandra-4.0",
            Self::Cassandra41 => "cassandra-4.1",
            Self::Cassandra50 => "cassandra-5.0",
            Self::Scylla20251 => "scylla-2025.1",
            Self::Scylla20261 => "scylla-2026.1",
            Self::Keyspaces => "keyspaces",
        }
    }

    /// An engine by its name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.name() == name)
    }

    /// Whose engine it is.
    #[must_use]
    pub fn family(self) -> Family {
        match self {
            Self::Cassandra40 | Self::Cassandra41 | Self::Cassandra50 => Family::Cassandra,
            Self::Scylla20251 | Self::Scylla20261 => Family::Scylla,
            Self::Keyspaces => Family::Keyspaces,
        }
    }
}

/// Engines that share their options and most of their rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Apache Cassandra
    Cassandra,
    /// ScyllaDB
    Scylla,
    /// Amazon Keyspaces
    Keyspaces,
}

/// The language a backend's definitions are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// HCL for the AWS provider.
    Terraform,
    /// Templates in YAML or JSON.
    Cloudformation,
    /// CQL statements.
    Cql,
}

/// How a CloudFormation template is written; both are one tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TemplateFormat {
    /// With comments that name the access patterns, and short functions.
    #[default]
    Yaml,
    /// Without comments.
    Json,
}

impl TemplateFormat {
    /// The name in `gen.yaml`, and the extension of the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Yaml => "yaml",
            Self::Json => "json",
        }
    }
}

impl Format {
    /// The language of a file, by its ending; None for a file of none of them.
    #[must_use]
    pub fn of(path: &Utf8Path) -> Option<Self> {
        // Terraform has a second syntax (<https://developer.hashicorp.com/terraform/language/syntax/json>).
        let in_json = path.file_name()?.strip_suffix(".json").map(Utf8Path::new);
        let terraform = in_json.filter(|name| matches!(name.extension(), Some("tf" | "tfvars"))).unwrap_or(path);
        match terraform.extension()? {
            "tf" => Some(Self::Terraform),
            // The values that Terraform reads by itself (<https://developer.hashicorp.com/terraform/language/values/variables>).
            "tfvars" if terraform.file_name() == Some("terraform.tfvars") || terraform.as_str().ends_with(".auto.tfvars") => {
                Some(Self::Terraform)
            }
            "yaml" | "yml" | "json" | "template" => Some(Self::Cloudformation),
            "cql" => Some(Self::Cql),
            _ => None,
        }
    }
}

/// What a change is deployed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Backend {
    /// Terraform, AWS provider 5
    TerraformAws5,
    /// Terraform, AWS provider 6
    TerraformAws6,
    /// `AWS::DynamoDB::Table`
    CloudformationTable,
    /// `AWS::DynamoDB::GlobalTable`
    CloudformationGlobalTable,
    /// CQL on one engine; Amazon Keyspaces through CQL is `keyspaces`
    Cql(Engine),
    /// Amazon Keyspaces as Terraform
    KeyspacesTerraform,
    /// Amazon Keyspaces as CloudFormation
    KeyspacesCloudformation,
}

impl Backend {
    /// The releases of Terraform's provider that it is, one major version.
    #[must_use]
    pub fn releases(self) -> Option<Releases> {
        match self {
            Self::TerraformAws5 => Some(Releases::of_major(5)),
            Self::TerraformAws6 => Some(Releases::of_major(6)),
            _ => None,
        }
    }

    /// All backends, in the order in which they are reported.
    pub const ALL: [Self; 12] = [
        Self::TerraformAws5,
        Self::TerraformAws6,
        Self::CloudformationTable,
        Self::CloudformationGlobalTable,
        Self::Cql(Engine::Cassandra40),
        Self::Cql(Engine::Cassandra41),
        Self::Cql(Engine::Cassandra50),
        Self::Cql(Engine::Scylla20251),
        Self::Cql(Engine::Scylla20261),
        Self::Cql(Engine::Keyspaces),
        Self::KeyspacesTerraform,
        Self::KeyspacesCloudformation,
    ];

    /// The name in reports and in `--backend`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TerraformAws5 => "terraform-aws-5",
            Self::TerraformAws6 => "terraform-aws-6",
            Self::CloudformationTable => "cloudformation-table",
            Self::CloudformationGlobalTable => "cloudformation-global-table",
            Self::Cql(engine) => engine.name(),
            Self::KeyspacesTerraform => "keyspaces-terraform",
            Self::KeyspacesCloudformation => "keyspaces-cloudformation",
        }
    }

    /// A backend by its name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|backend| backend.name() == name)
    }

    /// The latest version of a product that is no later than the one of a name: `scylla-2025.4` has the rows of `scylla-2025.1`. None
    /// where nothing is known of the product, or only of later versions.
    #[must_use]
    pub fn nearest(name: &str) -> Option<Self> {
        fn parts(name: &str) -> Option<(&str, Vec<u64>)> {
            let (product, version) = name.rsplit_once('-')?;
            Some((product, version.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?))
        }
        let (product, version) = parts(name)?;
        let known = Self::ALL.into_iter().filter_map(|backend| Some((parts(backend.name())?, backend)));
        let earlier = known.filter(|((of, known), _)| *of == product && *known <= version);
        earlier.max_by(|((_, one), _), ((_, other), _)| one.cmp(other)).map(|(_, backend)| backend)
    }

    /// The version of the same product before this one: what is known of it stands in where nothing is known of this one.
    #[must_use]
    pub fn earlier(self) -> Option<Self> {
        match self {
            Self::TerraformAws6 => Some(Self::TerraformAws5),
            Self::Cql(Engine::Cassandra41) => Some(Self::Cql(Engine::Cassandra40)),
            Self::Cql(Engine::Cassandra50) => Some(Self::Cql(Engine::Cassandra41)),
            Self::Cql(Engine::Scylla20261) => Some(Self::Cql(Engine::Scylla20251)),
            _ => None,
        }
    }

    /// The kind of store it makes.
    #[must_use]
    pub fn store(self) -> Store {
        match self {
            Self::TerraformAws5 | Self::TerraformAws6 | Self::CloudformationTable | Self::CloudformationGlobalTable => {
                Store::Dynamodb
            }
            Self::Cql(_) | Self::KeyspacesTerraform | Self::KeyspacesCloudformation => Store::Cql,
        }
    }

    /// The engine behind a CQL backend.
    #[must_use]
    pub fn engine(self) -> Option<Engine> {
        match self {
            Self::Cql(engine) => Some(engine),
            Self::KeyspacesTerraform | Self::KeyspacesCloudformation => Some(Engine::Keyspaces),
            _ => None,
        }
    }

    /// The language its definitions are written in.
    #[must_use]
    pub fn format(self) -> Format {
        match self {
            Self::TerraformAws5 | Self::TerraformAws6 | Self::KeyspacesTerraform => Format::Terraform,
            Self::CloudformationTable | Self::CloudformationGlobalTable | Self::KeyspacesCloudformation => Format::Cloudformation,
            Self::Cql(_) => Format::Cql,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

macro_rules! serde_by_name {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = String::deserialize(deserializer)?;
                Self::find(&name).ok_or_else(|| serde::de::Error::custom(format!("unknown name `{name}`")))
            }
        }
    };
}
serde_by_name!(Engine);
serde_by_name!(Backend);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_has_what_the_nearest_earlier_one_has() {
        for (name, nearest) in [
            ("scylla-2025.4", Some("scylla-2025.1")),
            ("scylla-2025.10", Some("scylla-2025.1")),
            ("scylla-2026.2", Some("scylla-2026.1")),
            ("cassandra-5.1", Some("cassandra-5.0")),
            ("cassandra-4.0.7", Some("cassandra-4.0")),
            ("terraform-aws-7", Some("terraform-aws-6")),
            // Nothing is known of what was before, nor of what is no version.
            ("scylla-6.2", None),
            ("cassandra-3.11", None),
            ("cassandra-new", None),
            ("mongo-8", None),
            ("keyspaces-2", None),
        ] {
            assert_eq!(Backend::nearest(name).map(Backend::name), nearest, "{name}");
        }
    }
}
