//! Which files there are.

use std::io;
use std::time::SystemTime;

use cap_fs_ext::DirExt;
use cap_std::fs::{Dir, Metadata};

use super::files::Files;
use super::names::is_name;

/// Names that are looked at in one go, whatever they are: a folder may have few files and a million folders.
const MAX_VISITED: usize = 200_000;

/// By what one sees that a file has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) size: u64,
    pub(super) modified: Option<SystemTime>,
    identity: Identity,
}

/// The device, the number of the file there, and when anything of it has changed.
#[cfg(unix)]
type Identity = (u64, u64, i64, i64);
#[cfg(not(unix))]
type Identity = ();

impl Stamp {
    fn new(metadata: &Metadata) -> Self {
        Self {
            size: metadata.len(),
            modified: metadata
                .modified()
                .ok()
                .map(cap_std::time::SystemTime::into_std),
            identity: identity(metadata),
        }
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Identity {
    use cap_std::fs::MetadataExt;

    (
        metadata.dev(),
        metadata.ino(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    )
}

#[cfg(not(unix))]
const fn identity(_metadata: &Metadata) -> Identity {}

/// What is in one folder.
#[derive(Debug, Default)]
pub(super) struct Entries {
    pub(super) files: Vec<(String, Stamp)>,
    pub(super) folders: Vec<String>,
}

impl Files {
    /// All files, those of a folder before those of the folders in it, by their paths with slashes.
    ///
    /// # Errors
    ///
    /// When looking failed, so that what was not found may be there.
    pub(super) fn scan(&self) -> io::Result<Vec<(String, Stamp)>> {
        let mut scan = Scan {
            files: self,
            found: Vec::new(),
            visits: MAX_VISITED,
        };
        scan.walk(&self.root, &mut String::new(), 0)?;
        Ok(scan.found)
    }

    /// What is in this folder, of at most so many names, by name.
    pub(super) fn entries(
        &self,
        folder: &Dir,
        path: &str,
        visits: &mut usize,
    ) -> io::Result<Entries> {
        let mut entries = Entries::default();
        for entry in folder.entries()? {
            let Some(left) = visits.checked_sub(1) else {
                break;
            };
            *visits = left;
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            if !is_name(&name) || !self.shows(&name) {
                continue;
            }
            let Some(kind) = there(entry.file_type())? else {
                continue;
            };
            if kind.is_dir() {
                entries.folders.push(name);
                continue;
            }
            let metadata = if kind.is_file() {
                there(entry.metadata())?
            } else if kind.is_symlink() && self.rules.follows_links {
                there(self.root.metadata(format!("{path}{name}")))?
            } else {
                None
            };
            if let Some(metadata) = metadata.filter(Metadata::is_file) {
                entries.files.push((name, Stamp::new(&metadata)));
            }
        }
        entries
            .files
            .sort_by(|(left, _), (right, _)| left.cmp(right));
        entries.folders.sort();
        Ok(entries)
    }
}

struct Scan<'f> {
    files: &'f Files,
    found: Vec<(String, Stamp)>,
    visits: usize,
}

impl Scan<'_> {
    /// `path` leads to the folder, and ends with a slash unless it is the root.
    fn walk(&mut self, folder: &Dir, path: &mut String, depth: usize) -> io::Result<()> {
        let rules = &self.files.rules;
        let entries = self.files.entries(folder, path, &mut self.visits)?;
        let room = rules.max_entries.saturating_sub(self.found.len());
        let files = entries.files.into_iter().take(room);
        (self.found).extend(files.map(|(name, stamp)| (format!("{path}{name}"), stamp)));
        if depth >= rules.max_depth {
            return Ok(());
        }
        for name in entries.folders {
            if self.visits == 0 || self.found.len() >= rules.max_entries {
                break;
            }
            let length = path.len();
            path.push_str(&name);
            path.push('/');
            let walked = folder
                .open_dir_nofollow(&name)
                .and_then(|folder| self.walk(&folder, path, depth + 1));
            path.truncate(length);
            there(walked)?;
        }
        Ok(())
    }
}

/// `None` for what has gone meanwhile, is closed to us, or is no folder any more.
///
/// # Errors
///
/// When we are out of handles or memory: then what was not found may be there.
fn there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    /// `ENFILE` and `EMFILE`, on every Unix; the standard library has no stable names for them.
    const NO_HANDLES: [i32; 2] = [23, 24];
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error)
            if error.kind() == io::ErrorKind::OutOfMemory
                || (cfg!(unix)
                    && (error.raw_os_error()).is_some_and(|code| NO_HANDLES.contains(&code))) =>
        {
            Err(error)
        }
        Err(_) => Ok(None),
    }
}
