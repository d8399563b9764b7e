//! What a file holds, as the answer to a read.

use std::borrow::Cow;
use std::io::{self, Read};

use serde_json::json;

use super::files::Files;
use super::names::names;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::ResourceContents;
use crate::server::Reply;

impl Files {
    /// Answers a read. Whatever is wrong with the way to a file is not for the client to know.
    pub(super) fn read(&self, uri: &str) -> Reply {
        let Some(names) = names(&self.base, uri) else {
            return Reply::not_found();
        };
        let Ok((file, metadata)) = self.open(&names) else {
            return Reply::not_found();
        };
        let limit = self.rules.max_file_size;
        if metadata.len() > limit {
            return too_large(uri, limit);
        }
        // Files grow while they are read; some say that they are empty, and are not.
        match read_to(file, limit) {
            Ok(Some(bytes)) => {
                let name = names.last().map(String::as_str).unwrap_or_default();
                Reply::from_contents(vec![self.contents(uri, name, bytes)])
            }
            Ok(None) => too_large(uri, limit),
            Err(_) => Reply::protocol_error(
                ErrorObject::new(ErrorCode::INTERNAL_ERROR, "the file can't be read")
                    .with_data(json!({ "uri": uri })),
            ),
        }
    }

    fn contents(&self, uri: &str, name: &str, bytes: Vec<u8>) -> ResourceContents {
        let (known, may_be_text) = self.media_types.of(name);
        let bytes = if may_be_text {
            match String::from_utf8(bytes) {
                Ok(text) => {
                    let media_type = known.unwrap_or(Cow::Borrowed("text/plain"));
                    return ResourceContents::text(uri, text).with_mime_type(media_type);
                }
                Err(error) => error.into_bytes(),
            }
        } else {
            bytes
        };
        let media_type = known.unwrap_or(Cow::Borrowed("application/octet-stream"));
        ResourceContents::blob(uri, bytes).with_mime_type(media_type)
    }
}

/// All that is in it, or `None` when that is more.
fn read_to(file: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(u64::try_from(bytes.len())
        .is_ok_and(|read| read <= limit)
        .then_some(bytes))
}

fn too_large(uri: &str, limit: u64) -> Reply {
    Reply::protocol_error(
        ErrorObject::new(
            ErrorCode::INTERNAL_ERROR,
            format!("the file is larger than {limit} bytes, the most that this server reads"),
        )
        .with_data(json!({ "uri": uri, "limit": limit })),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_grows_is_not_read_beyond_the_limit() {
        assert_eq!(read_to(io::repeat(7).take(5), 5).unwrap().unwrap().len(), 5);
        assert!(read_to(io::repeat(7), 5).unwrap().is_none());
        assert!(read_to(io::empty(), 0).unwrap().is_some());
    }
}
