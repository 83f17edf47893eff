//! `--changed`: of many models only those whose plan may be another one than at a commit, because an input or the output
//! changed.

use super::texts::Text;
use crate::baseline::Changed;
use crate::baseline::changed::HEAD;
use crate::cli::Failure;
use crate::cli::workspace::Workspace;
use crate::config;
use crate::diff::LeftOut;
use camino::{Utf8Path, Utf8PathBuf};

type Texts = Vec<(Utf8PathBuf, Text)>;

/// The models that changed since a git ref, and what is left out. An empty ref stands for that of `against`, or HEAD.
pub(super) fn only(
    workspace: &Workspace,
    output: &Utf8Path,
    texts: Texts,
    since: &str,
    against: Option<&str>,
) -> Result<(Texts, Option<LeftOut>), Failure> {
    let since = match (since, against) {
        ("", Some(named)) if Utf8Path::new(named).exists() => {
            return Err(Failure::Other(format!("{named} is no git ref that models could have changed since; name one: --changed=HEAD")));
        }
        ("", against) => against.unwrap_or(HEAD),
        (since, _) => since,
    };
    let changed = Changed::since(since)?;
    // What all models depend on.
    let templates = workspace.config.templates.iter().map(|folder| workspace.root.join(folder));
    let mut shared = std::iter::once(workspace.root.join(config::NAME)).chain(templates);
    let all = shared.any(|path| changed.holds(&path));
    let is_changed = |(path, text): &(Utf8PathBuf, Text)| {
        let named = text.draft.iter().flat_map(|draft| draft.named_files().iter().cloned());
        let output = text.draft.iter().filter_map(|draft| draft.name().map(|name| output.join(name)));
        all || std::iter::once(path.clone()).chain(named).chain(output).any(|path| changed.holds(&path))
    };
    let (texts, left): (Texts, Texts) = texts.into_iter().partition(is_changed);
    let models = left.into_iter().map(|(path, _)| workspace.below_root(&path).to_owned()).collect();
    Ok((texts, Some(LeftOut { since: since.to_owned(), models })))
}
