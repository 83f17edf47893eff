//! `--changed`: of many models only those whose plan may be another one than at a commit, because an input or the output
//! changed.

use super::groups::Group;
use super::texts::Text;
use crate::baseline::Changed;
use crate::baseline::changed::HEAD;
use crate::cli::Failure;
use crate::cli::workspace::Workspace;
use crate::config;
use crate::diff::LeftOut;
use crate::validate::Draft;
use camino::Utf8Path;

/// Leaves out of the run the models that did not change since a git ref. An empty ref stands for that of `against`, or HEAD.
pub(super) fn only(
    workspace: &Workspace,
    output: &Utf8Path,
    groups: &mut Vec<Group>,
    since: &str,
    against: Option<&str>,
) -> Result<LeftOut, Failure> {
    let since = match (since, against) {
        ("", Some(named)) if Utf8Path::new(named).exists() => {
            return Err(Failure::Other(format!(
                "{named} is no git ref that models could have changed since; name one: --changed=HEAD"
            )));
        }
        ("", against) => against.unwrap_or(HEAD),
        (since, _) => since,
    };
    let changed = Changed::since(since)?;
    // What all models depend on.
    let templates = workspace.config.templates.iter().map(|folder| workspace.root.join(folder));
    let mut shared = std::iter::once(workspace.root.join(config::NAME)).chain(templates);
    let all = shared.any(|path| changed.holds(&path));
    let inputs = |text: &Text| {
        let named = text.draft.iter().flat_map(|draft| draft.named_files().iter().cloned());
        std::iter::once(workspace.sources.path(text.file).to_owned()).chain(named).any(|path| changed.holds(&path))
    };
    let own = |text: &Text| text.draft.as_ref().and_then(Draft::name).is_some_and(|name| changed.holds(&output.join(name)));
    let mut models = Vec::new();
    for group in groups.iter_mut() {
        // Models that share tables depend on one another.
        if all || group.0.iter().any(|member| inputs(&member.text)) {
            continue;
        }
        for member in group.0.iter_mut().filter(|member| member.is_asked && !own(&member.text)) {
            member.is_asked = false;
            models.push(workspace.below_root(workspace.sources.path(member.text.file)).to_owned());
        }
    }
    groups.retain(|group| group.0.iter().any(|member| member.is_asked));
    models.sort_unstable();
    Ok(LeftOut { since: since.to_owned(), models })
}
