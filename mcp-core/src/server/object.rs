use crate::jsonrpc::{write_json, write_string};

/// Writes an object member by member.
pub(super) struct ObjectWriter<'o> {
    out: &'o mut Vec<u8>,
    first: bool,
}

impl<'o> ObjectWriter<'o> {
    pub(super) fn begin(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, first: true }
    }

    fn key(&mut self, key: &str) {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
        write_string(self.out, key);
        self.out.push(b':');
    }

    pub(super) fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        write_string(self.out, text);
    }

    pub(super) fn raw(&mut self, key: &str, json: &str) {
        self.key(key);
        self.out.extend_from_slice(json.as_bytes());
    }

    pub(super) fn json<T: serde::Serialize + ?Sized>(&mut self, key: &str, value: &T) {
        self.key(key);
        write_json(self.out, value);
    }

    pub(super) fn end(self) {
        self.out.push(b'}');
    }
}
