//! Folders as resources: confined, read when they are asked for, and watched.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use mcp_core::Server;
//! use mcp_core::fs::Directory;
//!
//! # let folder = std::env::temp_dir().join(format!("mcp-docs-{}", std::process::id()));
//! # std::fs::create_dir_all(folder.join("guide"))?;
//! # std::fs::write(folder.join("guide/first steps.md"), "# First steps")?;
//! let docs = Directory::open(&folder)?.at("docs://");
//! let server = Server::new("docs", "1.0.0").directory(docs);
//! # #[cfg(feature = "testing")]
//! # {
//! # use mcp_core::testing::TestClient;
//! # use serde_json::json;
//!
//! let mut client = TestClient::new(server);
//! let list = client.request("resources/list", json!({})).unwrap();
//! assert_eq!(list["resources"][0]["uri"], "docs://guide/first%20steps.md");
//! let read = client.request("resources/read", json!({"uri": "docs://guide/first%20steps.md"})).unwrap();
//! assert_eq!(read["contents"][0]["text"], "# First steps");
//! # }
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! # What is read
//!
//! [`Directory::open`] takes hold of the folder; everything is opened relative to that handle from then on, one name after the
//! other, so renaming or replacing what is above it makes no difference. Nothing leads out of it: a `..`, an absolute path, a
//! symbolic link, also one that is put in place at the wrong moment. Devices, pipes and sockets are not opened, and hidden files
//! not unless [`hidden`](Directory::hidden) says so. All of these are answered as a file that does not exist is, so that
//! nobody finds out what there is; no message holds a path of the system.
//!
//! What cannot be told from a file of the folder is one: a hard link, and what is mounted below it.
//!
//! Text (UTF-8) is sent as text, everything else, and what is known to be no text by its name, as base64. A file that is larger
//! than [`max_file_size`](Directory::max_file_size) is an error, also when it grows while it is read.
//!
//! # URIs
//!
//! They are the base, such as `docs://`, and the names on the way to the file, each percent-encoded as a segment of a URI is.
//! A name is decoded once, and a decoded `/` is part of no name. Files whose names are not Unicode have no URI.
//!
//! # What is listed
//!
//! Files, with their size, media type and time, up to [`max_entries`](Directory::max_entries); and the template `docs://{+path}`,
//! whose `path` is completed by what is there. Files that are not listed for their number are read all the same.
//!
//! # What is watched
//!
//! While anyone is connected, the folder is looked through again every [two seconds](Directory::watch), on a thread that may
//! block. When files have come or gone, clients are told that the list has changed, once for all of them; who has subscribed
//! to a listed file is told when it changes, comes or goes. This works on every file system, network and container mounts
//! included, holds no thread, and costs the same whether ten files have changed or all. A large folder is looked
//! at less often, so that it never takes more than a fiftieth of a thread's time.
//!
//! What has changed is told by the time, size and identity of a file. A file that is written twice to the same size within one
//! tick of the file system's clock, between which we looked, shows no difference.

mod files;
mod media;
mod names;
mod provide;
mod read;
mod scan;
mod time;
mod watch;

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::Duration;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::server::{BuildError, Registry, ResourceDefinition, Upkeep};
use media::MediaTypes;
use provide::family;
use watch::Watched;

/// A file of more bytes makes a message that many clients refuse.
const MAX_FILE_SIZE: u64 = 1 << 20;
/// Listed files take about a kilobyte each.
const MAX_ENTRIES: usize = 10_000;
/// Folders below folders. Each takes a handle while the folder is looked through.
const MAX_DEPTH: usize = 16;
/// No setting goes beyond: looking through folders takes stack.
const DEEPEST: usize = 128;
/// How often the folder is looked through.
const INTERVAL: Duration = Duration::from_secs(2);

/// A folder whose files are resources: [`Server::directory`](crate::Server::directory) adds it to a server.
///
/// See the [module](self) for what is read, listed and watched.
pub struct Directory {
    root: Dir,
    base: Cow<'static, str>,
    name: Cow<'static, str>,
    description: Option<Cow<'static, str>>,
    rules: Rules,
    media_types: MediaTypes,
    interval: Option<Duration>,
}

/// What is served of a folder.
#[derive(Clone, Debug)]
struct Rules {
    hidden: bool,
    follows_links: bool,
    max_file_size: u64,
    max_entries: usize,
    max_depth: usize,
}

impl Directory {
    /// Takes hold of a folder. Its path is not needed again, and nobody is told.
    ///
    /// # Errors
    ///
    /// When there is no such folder, or it can't be opened.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self::new(Dir::open_ambient_dir(path, ambient_authority())?))
    }

    fn new(root: Dir) -> Self {
        Self {
            root,
            base: Cow::Borrowed("dir:///"),
            name: Cow::Borrowed("files"),
            description: None,
            rules: Rules {
                hidden: false,
                follows_links: false,
                max_file_size: MAX_FILE_SIZE,
                max_entries: MAX_ENTRIES,
                max_depth: MAX_DEPTH,
            },
            media_types: MediaTypes::default(),
            interval: Some(INTERVAL),
        }
    }

    /// What the URIs of its files begin with, such as `docs://`; `dir:///` by default. A slash is added where there is none
    /// at the end. Two folders of a server need different ones.
    #[must_use]
    pub fn at(mut self, base: impl Into<Cow<'static, str>>) -> Self {
        self.base = base.into();
        self
    }

    /// The name of the family of its files, for programs; `files` by default.
    #[must_use]
    pub fn name(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.name = name.into();
        self
    }

    /// What its files are, for the model.
    #[must_use]
    pub fn description(mut self, description: impl Into<Cow<'static, str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Whether there are files and folders whose names begin with a dot. By default there are none, and nothing is below
    /// them.
    #[must_use]
    pub const fn hidden(mut self, shown: bool) -> Self {
        self.rules.hidden = shown;
        self
    }

    /// Whether symbolic links lead anywhere. By default they don't. If they do, then within the folder only, and not by
    /// absolute paths; what they lead to goes by the name of the link, hidden or not, and files below linked folders are
    /// read but not listed.
    #[must_use]
    pub const fn follow_symlinks(mut self, follow: bool) -> Self {
        self.rules.follows_links = follow;
        self
    }

    /// The largest file that is read; 1 MiB by default. It is in memory while it is sent, and as base64 a third larger.
    #[must_use]
    pub const fn max_file_size(mut self, bytes: u64) -> Self {
        self.rules.max_file_size = bytes;
        self
    }

    /// How many files are listed and watched; 10,000 by default. Those of upper folders come first.
    #[must_use]
    pub const fn max_entries(mut self, files: usize) -> Self {
        self.rules.max_entries = files;
        self
    }

    /// How many folders may be on the way to a file; 16 by default, 128 at most. Files below deeper ones are neither
    /// listed nor read.
    #[must_use]
    pub fn max_depth(mut self, folders: usize) -> Self {
        self.rules.max_depth = folders.min(DEEPEST);
        self
    }

    /// How often the folder is looked through for changes, every two seconds by default; `None` for never, when the list
    /// stays as it was when the server was built.
    #[must_use]
    pub fn watch(mut self, interval: Option<Duration>) -> Self {
        self.interval = interval.map(|interval| interval.max(Duration::from_millis(10)));
        self
    }

    /// The media type of files whose names end with this, such as `log`, without its dot. Without one a file is
    /// `text/plain` or `application/octet-stream`, by what is in it.
    #[must_use]
    pub fn media_type(
        mut self,
        extension: impl Into<String>,
        media_type: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.media_types.insert(extension.into(), media_type.into());
        self
    }

    /// What a server needs to have of it: the family of all its files, and the upkeep of the list.
    pub(crate) fn provide(
        self,
        registry: Weak<Registry>,
    ) -> Result<(ResourceDefinition, Arc<dyn Upkeep>), BuildError> {
        let base = names::base(&self.base)?;
        let files = Arc::new(files::Files {
            root: self.root,
            base,
            rules: self.rules,
            media_types: self.media_types,
        });
        let watched = Arc::new(Watched::new(files, registry, self.interval));
        let mut family = family(&watched, self.name);
        if let Some(description) = self.description {
            family = family.with_description(description);
        }
        Ok((family, watched))
    }
}

impl fmt::Debug for Directory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the handle: it shows the path.
        f.debug_struct("Directory")
            .field("base", &self.base)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}
