/// A buffer that was used for something big is given back beyond this size.
const KEEP: usize = 1 << 20;

/// Bytes on their way to one stream: whole frames, of which a part may have been sent.
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    bytes: Vec<u8>,
    sent: usize,
}

impl Outgoing {
    /// Where frames are written.
    pub(super) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    pub(crate) fn unsent(&self) -> &[u8] {
        self.bytes.get(self.sent..).unwrap_or_default()
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - self.sent
    }

    /// Takes out what was written since there were `len` bytes, which nobody has begun to send.
    pub(crate) fn take_since(&mut self, len: usize) -> Vec<u8> {
        if len == 0 && self.sent == 0 {
            return std::mem::take(&mut self.bytes);
        }
        self.bytes
            .split_off((self.sent + len).min(self.bytes.len()))
    }

    pub(crate) fn wrote(&mut self, count: usize) {
        self.sent = (self.sent + count).min(self.bytes.len());
        if self.sent == self.bytes.len() {
            self.bytes.clear();
            self.sent = 0;
            if self.bytes.capacity() > KEEP {
                self.bytes.shrink_to(KEEP);
            }
        } else if self.sent > KEEP && self.sent > self.bytes.len() / 2 {
            self.bytes.drain(..self.sent);
            self.sent = 0;
        }
    }
}
