//! Where a run works: `gen.yaml` or what holds without one, the models, the team's templates, and the texts read so far.

use super::parallel::Pool;
use super::{Console, Failure};
use crate::baseline::acknowledgements::Date;
use crate::config::{self, Config, Environment};
use crate::diagnostic::{Diagnostic, Sink, codes, listed, nearest};
use crate::emit::Templates;
use crate::output::{Output, Recovery};
use crate::source::{self, FileId, SourceMap};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// A run's surroundings.
pub(super) struct Workspace {
    /// The folder of `gen.yaml`, relative to the current one: empty, or `..` as often as needed.
    pub(super) root: Utf8PathBuf,
    /// What `gen.yaml` says; the defaults where it is wrong.
    pub(super) config: Config,
    /// All texts read so far.
    pub(super) sources: SourceMap,
    /// Templates, the team's laid over ours.
    pub(super) templates: Templates,
    /// What there is to say about `gen.yaml` and the templates. Nothing can be planned when an error is among it.
    pub(super) findings: Vec<Diagnostic>,
    /// Who does the work.
    pub(super) pool: Pool,
    /// The day on which allowances and acknowledgements are judged, in UTC.
    pub(super) today: Date,
}

impl Workspace {
    /// Reads `gen.yaml` and the templates, and finishes what an interrupted run left.
    pub(super) fn open(console: &mut Console) -> Result<Self, Failure> {
        let mut sources = SourceMap::default();
        let mut sink = Sink::default();
        let (root, config) = configuration(&mut sources, &mut sink)?;
        let overlay = match config.as_ref().and_then(|config| config.templates.as_ref()) {
            Some(folder) if !root.join(folder).exists() => {
                let message = format!("there is no folder `{folder}`");
                let missing =
                    Diagnostic::somewhere(codes::BAD_CONFIG, config.as_ref().and_then(|config| config.templates_at), message);
                sink.push(missing.help("`gen templates eject NAME` makes it, with a template to begin with"));
                BTreeMap::new()
            }
            Some(folder) => overlay(&root.join(folder), &mut sources)?,
            None => BTreeMap::new(),
        };
        let config = config.unwrap_or_default();
        let templates = Templates::new(&overlay, &sources, &mut sink).with_vars(&config.vars);
        let findings = sink.into_sorted();
        let workspace = Self { root, config, sources, templates, findings, pool: console.pool(), today: today() };
        if !workspace.is_wrong() {
            workspace.recover(console)?;
        }
        Ok(workspace)
    }

    /// One without a `gen.yaml`, models or files.
    #[cfg(test)]
    pub(super) fn bare() -> Self {
        Self {
            root: Utf8PathBuf::new(),
            config: Config::default(),
            sources: SourceMap::default(),
            templates: Templates::default(),
            findings: Vec::new(),
            pool: Pool { threads: std::num::NonZeroUsize::MIN, progress: super::progress::Progress::silent() },
            today: today(),
        }
    }

    /// Whether `gen.yaml` or a template is wrong.
    pub(super) fn is_wrong(&self) -> bool {
        self.findings.iter().any(Diagnostic::is_error)
    }

    /// The model files of a run, each once: those that were named, by themselves or by their folder, else all that `gen.yaml`
    /// names.
    pub(super) fn models(&self, named: &[Utf8PathBuf]) -> Result<Vec<Utf8PathBuf>, Failure> {
        let named: Vec<Utf8PathBuf> = named.iter().map(|path| source::normal(path)).collect();
        let searched = if named.is_empty() { &self.config.models } else { &named };
        let found = if named.is_empty() {
            config::models_in(&self.root, &self.config)
        } else {
            config::models_at(named.iter().cloned(), &self.root.join(&self.config.output))
        };
        let found = found.map_err(|error| {
            let start = if error.is_missing() && named.is_empty() {
                "; start with `gen init`, or name a model behind the command: `models/shop.yaml`"
            } else {
                ""
            };
            Failure::Other(format!("{error}{start}"))
        })?;
        if found.is_empty() {
            let folders: Vec<&str> = searched.iter().map(|path| path.as_str()).collect();
            return Err(Failure::Other(format!("there is no model in {}", folders.join(", "))));
        }
        Ok(found)
    }

    /// The output folder of all models.
    pub(super) fn output(&self) -> Result<Output, Failure> {
        Ok(Output::open(&self.root, &self.config.output)?)
    }

    /// A path as it is shown and stored: below the folder of `gen.yaml`.
    pub(super) fn below_root<'a>(&self, path: &'a Utf8Path) -> &'a Utf8Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Finishes or undoes what an interrupted run left. An output folder that cannot be written to holds no such thing; whoever
    /// writes says what is wrong with it.
    fn recover(&self, console: &mut Console) -> Result<(), Failure> {
        let Ok(output) = self.output() else { return Ok(()) };
        let what = match output.recover()? {
            Recovery::Nothing => return Ok(()),
            Recovery::Finished => "finished",
            Recovery::RolledBack => "undone",
        };
        console.remark(&format!("note: an interrupted `gen apply` in {} was {what}\n", output.root()));
        Ok(())
    }
}

/// The folder of `gen.yaml`, relative to the current one, and what it says; None when it is wrong.
pub(super) fn configuration(sources: &mut SourceMap, sink: &mut Sink) -> Result<(Utf8PathBuf, Option<Config>), Failure> {
    let here = current()?;
    let Some(path) = config::find(&here) else { return Ok((Utf8PathBuf::new(), Some(Config::default()))) };
    let folder = path.parent().unwrap_or(&here);
    let up = here.strip_prefix(folder).map_or(0, |below| below.components().count());
    let root: Utf8PathBuf = std::iter::repeat_n("..", up).collect();
    let path = root.join(config::NAME);
    let file = sources.add(&path, read(&path)?);
    Ok((root, config::load(sources, file, sink)))
}

/// Reads a text of the user's.
pub(super) fn read(path: &Utf8Path) -> Result<String, Failure> {
    let failed = |source| Failure::File { action: "read", path: path.to_owned(), source };
    source::read_text(path).map_err(failed)
}

/// A file that a text names: beside it on the disk, or at the git ref the text was read from.
pub(super) fn named(path: &Utf8Path) -> Option<String> {
    source::read_text(path).ok().or_else(|| {
        let (reference, path) = path.as_str().split_once(':')?;
        crate::baseline::git::show(reference, Utf8Path::new(path)).ok()
    })
}

fn current() -> Result<Utf8PathBuf, Failure> {
    let failed = |source| Failure::File { action: "read", path: ".".into(), source };
    let here = std::env::current_dir().map_err(failed)?;
    Utf8PathBuf::from_path_buf(here).map_err(|path| Failure::Other(format!("{} is not UTF-8", path.display())))
}

/// The team's templates: their names below the folder, with `/`.
pub(super) fn overlay(folder: &Utf8Path, sources: &mut SourceMap) -> Result<BTreeMap<String, FileId>, Failure> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let failed = |source| Failure::File { action: "list", path: next.clone(), source };
        for entry in next.read_dir_utf8().map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path().to_owned();
            if entry.file_name().starts_with('.') {
                continue;
            }
            if entry.file_type().map_err(failed)?.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path).as_str().replace('\\', "/");
                found.insert(name, sources.add(&path, read(&path)?));
            }
        }
    }
    Ok(found)
}

/// Why there is no such environment, and which there are.
pub(super) fn unknown_environment(name: &str, known: &BTreeMap<String, Environment>) -> Failure {
    let meant = nearest(name, known.keys().map(String::as_str));
    let meant = meant.map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
    let there = if known.is_empty() { "no `environments`".to_owned() } else { listed(known.keys()) };
    Failure::Other(format!("no environment is called `{name}`{meant}; gen.yaml has {there}"))
}

/// Today, in UTC. The output never depends on it; only what has expired does.
fn today() -> Date {
    Date::after_epoch(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}
