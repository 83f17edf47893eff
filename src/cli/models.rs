//! The models of a run: which texts belong together because they share tables, and what each comes to.
//!
//! All texts are read first ([`gather`]); then each group is checked and designed by itself ([`Group::judge`]).

use super::Failure;
use super::neighbours::{Neighbours, Place};
use super::workspace::{self, Workspace};
use crate::design::{self, Design};
use crate::diagnostic::{Diagnostic, Severity, Sink, codes};
use crate::model::Model;
use crate::source::{FileId, SourceMap};
use crate::validate::{self, Member, SharedTable};
use camino::Utf8PathBuf;

/// A model and what it comes to.
pub(super) struct Designed {
    pub(super) model: Model,
    pub(super) design: Design,
}

/// A model of a run, read.
pub(super) struct Read {
    pub(super) file: FileId,
    /// None when its text is wrong, or one that it shares a table with.
    pub(super) designed: Option<Designed>,
    /// What there is to say about it so far.
    pub(super) said: Sink,
}

/// Reads, checks and designs the models at some paths, in their order.
pub(super) fn read(workspace: &mut Workspace, paths: &[Utf8PathBuf]) -> Result<Vec<Read>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        let text = workspace::read(path)?;
        files.push(workspace.sources.add(path, text));
    }
    let groups = gather(workspace, Place::Here, &files);
    let mut read: Vec<Read> = groups.iter().flat_map(|group| group.judge(&workspace.sources)).collect();
    read.sort_by_key(|read| read.file);
    Ok(read)
}

/// The same for one text that was read already. None when it is wrong; the sink says why.
pub(super) fn text_of(workspace: &mut Workspace, place: Place<'_>, file: FileId, sink: &mut Sink) -> Option<Designed> {
    let groups = gather(workspace, place, &[file]);
    let read = groups.iter().flat_map(|group| group.judge(&workspace.sources)).next()?;
    sink.extend(read.said.into_sorted());
    read.designed
}

/// Models that share tables with one another, or one that shares none.
pub(super) struct Group {
    members: Vec<Member>,
    /// The members that the run is about.
    asked: Vec<FileId>,
}

/// Reads what some texts need beside themselves: the models that they share tables with, and the files that these name.
pub(super) fn gather(workspace: &mut Workspace, place: Place<'_>, asked: &[FileId]) -> Vec<Group> {
    let neighbours = Neighbours::find(workspace, place, asked);
    let mut groups: Vec<Group> = Vec::new();
    for file in asked {
        if groups.iter().any(|group| group.members.iter().any(|member| member.file == *file)) {
            continue;
        }
        let members = neighbours.group(*file);
        let asked = asked.iter().copied().filter(|file| members.iter().any(|member| member.file == *file)).collect();
        groups.push(Group { members, asked });
    }
    let files: Vec<FileId> = groups.iter().flat_map(|group| &group.members).map(|member| member.file).collect();
    for path in files.into_iter().flat_map(|file| validate::named_files(&workspace.sources, file)).collect::<Vec<_>>() {
        // One that cannot be read is an error of the text.
        if let Some(text) = workspace::named(&path) {
            workspace.sources.add(path, text);
        }
    }
    groups
}

impl Group {
    /// Checks and designs the models together; gives those that the run is about.
    pub(super) fn judge(&self, sources: &SourceMap) -> Vec<Read> {
        let together = validate::load_all(sources, &self.members);
        let mut read: Vec<Read> = together
            .models
            .into_iter()
            .zip(&self.members)
            .map(|((model, mut said), member)| {
                let designed = model.map(|model| Designed { design: design::design(&model, &mut said), model });
                Read { file: member.file, designed, said }
            })
            .collect();
        for table in &together.tables {
            let sharers = table.sharers.iter().filter_map(|part| read.get(part.member)?.designed.as_ref());
            let used: Vec<_> = sharers.flat_map(|sharer| sharer.design.uses(&table.key)).collect();
            if let Some(owner) = read.get_mut(table.owner.member).and_then(|read| read.designed.as_mut()) {
                owner.design.used_elsewhere.extend(used);
            }
        }
        self.spread(sources, &together.tables, &mut read);
        for read in &mut read {
            read.designed = read.designed.take().filter(|_| !read.said.has_errors());
        }
        read.retain(|read| self.asked.contains(&read.file));
        read
    }

    /// What is wrong with one model leaves open what is true of a table that it shares. Of its owner a table says so always, of
    /// the others when the run does not show their errors anyway.
    fn spread(&self, sources: &SourceMap, tables: &[SharedTable], read: &mut [Read]) {
        let wrong: Vec<Option<Diagnostic>> = read.iter().map(|read| first_error(&read.said)).collect();
        for table in tables {
            for part in table.parts() {
                let Some(reader) = read.get_mut(part.member) else { continue };
                for fellow in table.parts().filter(|fellow| fellow.member != part.member) {
                    let owns = fellow.member == table.owner.member;
                    let is_shown = self.members.get(fellow.member).is_some_and(|fellow| self.asked.contains(&fellow.file));
                    let at_it = |known: &Diagnostic| known.primary.as_ref().is_some_and(|label| label.span == part.span);
                    let mut said = reader.said.diagnostics().iter().filter(|known| known.code == codes::SHARED_NOT_JUDGED);
                    if let Some(Some(first)) = wrong.get(fellow.member).filter(|_| owns || !is_shown)
                        && !said.any(at_it)
                    {
                        reader.said.push(validate::not_judged(sources, part, table, fellow, first));
                    }
                }
            }
        }
    }
}

/// The first error of a model itself, in the order of its text.
fn first_error(said: &Sink) -> Option<Diagnostic> {
    let errors = said.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let own = errors.filter(|diagnostic| diagnostic.code != codes::SHARED_NOT_JUDGED);
    own.min_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span)).cloned()
}
