//! Files as the resources of a server.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::files::Files;
use super::names::{is_name, uri, value};
use super::scan::Stamp;
use super::time::iso_8601;
use super::watch::Watched;
use crate::protocol::{Annotations, Completion};
use crate::server::{Completing, Handler, Invocation, ResourceDefinition, Step, slot};

/// The one variable of the family.
const PATH: &str = "path";
/// Names that are looked at to complete one.
const MAX_CANDIDATES: usize = 10_000;

/// Reads files, listed or not.
struct Reader(Arc<Files>);

impl Handler for Reader {
    fn start(&self, invocation: Invocation) -> Step {
        let files = Arc::clone(&self.0);
        Step::blocking(invocation, move |call| Ok(files.read(call.read_at().uri())))
    }
}

/// All files of the folder.
pub(super) fn family(watched: &Arc<Watched>, name: Cow<'static, str>) -> ResourceDefinition {
    let files = &watched.files;
    let template = format!("{}{{+{PATH}}}", files.base);
    let watched = Arc::clone(watched);
    ResourceDefinition::new(template, name, Reader(Arc::clone(files)))
        .with_completer(PATH, move |typed| complete(Arc::clone(&watched), typed))
}

/// A file that is listed.
pub(super) fn definition(files: &Arc<Files>, path: &str, stamp: &Stamp) -> ResourceDefinition {
    let reader = Reader(Arc::clone(files));
    let uri = uri(&files.base, path);
    let mut definition =
        ResourceDefinition::new(uri, path.to_owned(), reader).with_size(stamp.size);
    let name = path.rsplit('/').next().unwrap_or(path);
    if let (Some(media_type), _) = files.media_types.of(name) {
        definition = definition.with_mime_type(media_type);
    }
    if let Some(modified) = stamp.modified.and_then(iso_8601) {
        let annotations = Annotations::default().with_last_modified(modified);
        definition = definition.with_annotations(annotations);
    }
    definition
}

async fn complete(watched: Arc<Watched>, typed: Completing) -> Completion {
    let runtime = Arc::clone(&typed.context().state().connection.runtime);
    let (filler, completed) = slot();
    runtime.blocking(Box::new(move || filler.fill(watched.complete(&typed))));
    let nothing = || Completion::new(Vec::new());
    completed.await.unwrap_or_else(nothing)
}

impl Watched {
    /// What is in the folder that was typed so far comes first, then the files that are listed, wherever they are.
    fn complete(&self, typed: &Completing) -> Completion {
        let mut offered = BTreeSet::new();
        let mut candidates = Vec::new();
        let shown = |path: &str| typed.shows_resource(&uri(&self.files.base, path));
        for path in self.beside(typed, !typed.is_filtered()) {
            if (path.ends_with('/') || shown(&path)) && offered.insert(path.clone()) {
                candidates.push(value(&path));
            }
        }
        for path in self.listed() {
            if !offered.contains(&*path) && shown(&path) {
                candidates.push(value(&path));
            }
        }
        Completion::matching(typed, candidates)
    }

    /// The files and folders of the folder that is being typed. What folders there are is told only to who may see
    /// everything: nobody can say of a folder whether it is shown.
    fn beside(&self, typed: &str, with_folders: bool) -> Vec<String> {
        let parent = typed.rfind('/').map_or("", |slash| &typed[..=slash]);
        let names: Vec<String> = (parent.split_terminator('/').map(ToOwned::to_owned)).collect();
        let files = &self.files;
        if !names.iter().all(|name| is_name(name)) || !files.allows(&names) {
            return Vec::new();
        }
        let Ok(folder) = files.folder(&names) else {
            return Vec::new();
        };
        let folder = folder.as_ref().unwrap_or(&files.root);
        let mut visits = MAX_CANDIDATES;
        let entries = files.entries(folder, parent, &mut visits);
        let entries = entries.unwrap_or_default();
        let folders = (entries.folders.iter()).filter(|_| with_folders);
        (folders.map(|name| format!("{parent}{name}/")))
            .chain((entries.files.iter()).map(|(name, _)| format!("{parent}{name}")))
            .collect()
    }
}
