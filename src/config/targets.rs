//! `targets` of `gen.yaml`: for which backends to generate.

use crate::schema::dynamodb::Resource;
use crate::schema::{Backend, Engine, TemplateFormat};
use serde::Deserialize;

/// What to generate. A target that is None is not generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Targets {
    /// DynamoDB as Terraform.
    pub terraform: Option<Terraform>,
    /// DynamoDB as CloudFormation.
    pub cloudformation: Option<Cloudformation>,
    /// CQL, for every engine of the model.
    pub cql: bool,
    /// How Amazon Keyspaces tables are made, when it is among the engines. None: as those of the other engines.
    pub keyspaces: Option<Keyspaces>,
}

impl Default for Targets {
    fn default() -> Self {
        Self {
            terraform: Some(Terraform::default()),
            cloudformation: Some(Cloudformation::default()),
            cql: true,
            keyspaces: None,
        }
    }
}

impl Targets {
    /// Nothing.
    #[must_use]
    pub fn none() -> Self {
        Self { terraform: None, cloudformation: None, cql: false, keyspaces: None }
    }

    /// The backends of DynamoDB tables.
    #[must_use]
    pub fn dynamodb(&self) -> Vec<Backend> {
        let terraform = self.terraform.as_ref().map(|target| match target.provider.unwrap_or_default() {
            Provider::Aws5 => Backend::TerraformAws5,
            Provider::Aws6 => Backend::TerraformAws6,
        });
        let cloudformation = self.cloudformation.as_ref().map(|target| match target.resource {
            Resource::Table => Backend::CloudformationTable,
            Resource::GlobalTable => Backend::CloudformationGlobalTable,
        });
        terraform.into_iter().chain(cloudformation).collect()
    }

    /// The backend of a CQL engine, when it is generated for.
    #[must_use]
    pub fn cql(&self, engine: Engine) -> Option<Backend> {
        match (engine, self.keyspaces) {
            (Engine::Keyspaces, Some(Keyspaces::Terraform)) => Some(Backend::KeyspacesTerraform),
            (Engine::Keyspaces, Some(Keyspaces::Cloudformation)) => Some(Backend::KeyspacesCloudformation),
            (Engine::Keyspaces, Some(Keyspaces::Cql)) => Some(Backend::Cql(engine)),
            _ => self.cql.then_some(Backend::Cql(engine)),
        }
    }
}

/// DynamoDB as Terraform.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Terraform {
    /// The version of the AWS provider. None, which is so only without a `gen.yaml`: the lowest that can express a model.
    pub provider: Option<Provider>,
}

/// A version of Terraform's AWS provider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Provider {
    /// 5.x
    #[default]
    #[serde(rename = "aws-5")]
    Aws5,
    /// 6.x
    #[serde(rename = "aws-6")]
    Aws6,
}

/// DynamoDB as CloudFormation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cloudformation {
    /// The type of a table's resource.
    pub resource: Resource,
    /// How the template is written.
    pub format: TemplateFormat,
}

/// How Amazon Keyspaces tables are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keyspaces {
    /// By CQL statements.
    Cql,
    /// `aws_keyspaces_table`
    Terraform,
    /// `AWS::Cassandra::Table`
    Cloudformation,
}
