//! What blocks say of providers: which profile a version constraint asks for, and what holds for all that a provider makes.

use super::fields::Source;
use super::syntax::{Block, Expression, ObjectKey, Structure};
use crate::schema::{Backend, Release, Releases};

/// What a provider says, beside its Region, of where a table is and which tags it has
/// (<https://registry.terraform.io/providers/hashicorp/aws/latest/docs>).
const SETTINGS: [&str; 9] = [
    "profile",
    "access_key",
    "shared_config_files",
    "shared_credentials_files",
    "assume_role",
    "assume_role_with_web_identity",
    "endpoints",
    "default_tags",
    "ignore_tags",
];

/// These settings as they stand there, but for white space, in their order; empty without any.
pub(super) fn settings(source: Source<'_>, provider: &Block<'_>) -> String {
    let name = |structure: &Structure<'_>| match structure {
        Structure::Attribute(attribute) => attribute.key.as_str().to_owned(),
        Structure::Block(block) => block.ident.as_str().to_owned(),
    };
    let of = |setting: &'static str| provider.body.iter().filter(move |structure| name(structure) == setting);
    let texts = SETTINGS.into_iter().flat_map(of).map(|structure| source.slice(structure));
    texts.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("; ")
}

/// What `required_providers { aws = { version = "…" } }` allows.
pub(super) fn releases(terraform: &Block<'_>) -> Option<Releases> {
    let mut providers = terraform.body.get_blocks("required_providers");
    let constraint = providers.find_map(|block| version(&block.body.get_attribute("aws")?.value))?;
    // What cannot be read forbids nothing.
    Some(constraint.split(',').filter_map(|part| allowed(part.trim())).fold(Releases::default(), Releases::and))
}

/// The profile of these releases; of several majors the highest that is allowed, as `terraform init` would choose it.
pub(super) fn backend(releases: Releases) -> Option<Backend> {
    let is_allowed = |backend: &Backend| backend.releases().is_some_and(|own| !releases.and(own).is_none());
    [Backend::TerraformAws6, Backend::TerraformAws5].into_iter().find(is_allowed)
}

/// The constraint: Terraform 0.12 had it in place of the object.
fn version<'e>(aws: &'e Expression<'_>) -> Option<&'e str> {
    if let Some(text) = aws.as_str() {
        return Some(text);
    }
    let is_version = |key: &ObjectKey<'_>| match key {
        ObjectKey::Ident(name) => name.as_str() == "version",
        ObjectKey::Expression(text) => text.as_str() == Some("version") || text.as_variable() == Some("version"),
    };
    aws.as_object()?.iter().find(|(key, _)| is_version(key)).and_then(|(_, value)| value.as_str())
}

/// What one part of a constraint allows; None when it cannot be read
/// (<https://developer.hashicorp.com/terraform/language/expressions/version-constraints>).
fn allowed(part: &str) -> Option<Releases> {
    let split = part.find(|character: char| character.is_ascii_digit())?;
    let (operator, version) = part.split_at(split);
    let segments: Vec<u64> = version.split('.').map_while(|segment| segment.parse().ok()).collect();
    let (major, minor, patch) =
        (*segments.first()?, segments.get(1).copied().unwrap_or(0), segments.get(2).copied().unwrap_or(0));
    let above = |number: u64| number.saturating_add(1);
    let (it, after) = ((major, minor, patch), (major, minor, above(patch)));
    let between = |from, below| Some(Releases { from, below });
    match operator.trim() {
        ">=" => between(it, None),
        ">" => between(after, None),
        "<=" => between(Release::default(), Some(after)),
        "<" => between(Release::default(), Some(it)),
        "" | "=" => between(it, Some(after)),
        // The last number may grow, those before it may not.
        "~>" => match segments.len() {
            1 => between(it, None),
            2 => between(it, Some((above(major), 0, 0))),
            _ => between(it, Some((major, above(minor), 0))),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::terraform::syntax::parse;
    use crate::source::SourceMap;

    #[test]
    fn the_highest_major_that_is_allowed() {
        let cases = [
            ("~> 5.100", Some(Backend::TerraformAws5)),
            (">= 5.0, < 6.0", Some(Backend::TerraformAws5)),
            (">= 5.0", Some(Backend::TerraformAws6)),
            ("~> 6.29", Some(Backend::TerraformAws6)),
            ("5.31.0", Some(Backend::TerraformAws5)),
            ("~> 4.0", None),
            (">= 4.9, != 5.1.0, < 6.0.0", Some(Backend::TerraformAws5)),
        ];
        for (constraint, expected) in cases {
            let aws = format!("aws = {{\n    version = \"{constraint}\"\n  }}");
            let mut sources = SourceMap::default();
            let file = sources.add("versions.tf", format!("terraform {{\n  required_providers {{\n    {aws}\n  }}\n}}\n"));
            let body = parse(Source { file, text: sources.text(file) }).unwrap();
            let allowed = releases(body.blocks().next().unwrap()).unwrap();
            assert_eq!(backend(allowed), expected, "{constraint}");
        }
    }
}
