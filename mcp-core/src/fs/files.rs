//! Opens what is below a folder, and nothing else.

use std::io;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use super::Rules;
use super::media::MediaTypes;

/// The files of a folder.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) root: Dir,
    /// What their URIs begin with.
    pub(super) base: String,
    pub(super) rules: Rules,
    pub(super) media_types: MediaTypes,
}

impl Files {
    /// Opens a file for reading, or says why not; that is for us only.
    pub(super) fn open(&self, names: &[String]) -> io::Result<(File, Metadata)> {
        let Some((name, folders)) = names.split_last() else {
            return Err(io::ErrorKind::NotFound.into());
        };
        if !self.allows(names) {
            return Err(io::ErrorKind::NotFound.into());
        }
        if self.rules.follows_links {
            // A link may lead up again, as long as it stays below the root; so all of the path is looked up from there.
            return open_file(&self.root, &names.join("/"), FollowSymlinks::Yes);
        }
        match self.folder(folders)? {
            Some(folder) => open_file(&folder, name, FollowSymlinks::No),
            None => open_file(&self.root, name, FollowSymlinks::No),
        }
    }

    /// Opens a folder; `None` is the root.
    pub(super) fn folder(&self, names: &[String]) -> io::Result<Option<Dir>> {
        if self.rules.follows_links && !names.is_empty() {
            return self.root.open_dir(names.join("/")).map(Some);
        }
        let mut folder: Option<Dir> = None;
        for name in names {
            let next = folder
                .as_ref()
                .unwrap_or(&self.root)
                .open_dir_nofollow(name)?;
            folder = Some(next);
        }
        Ok(folder)
    }

    /// Whether something may be found there.
    pub(super) fn allows(&self, names: &[String]) -> bool {
        names.len() <= self.rules.max_depth + 1 && names.iter().all(|name| self.shows(name))
    }

    pub(super) fn shows(&self, name: &str) -> bool {
        self.rules.hidden || !name.starts_with('.')
    }
}

fn open_file(folder: &Dir, path: &str, follow: FollowSymlinks) -> io::Result<(File, Metadata)> {
    // To open a device may already do something, so what it is comes first. It may be another thing the next moment:
    // then opening neither waits nor follows a link, and what was opened is looked at once more.
    let metadata = match follow {
        FollowSymlinks::Yes => folder.metadata(path),
        FollowSymlinks::No => folder.symlink_metadata(path),
    };
    if !metadata?.is_file() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let mut options = OpenOptions::new();
    options.read(true).follow(follow).nonblock(true);
    let file = folder.open_with(path, &options)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok((file, metadata))
}
