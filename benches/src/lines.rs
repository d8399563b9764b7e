//! A read buffer that gives back whole lines.

/// Room that is kept free for the next read.
const ROOM: usize = 1 << 16;

/// Bytes as they were read, taken out line by line. Nothing is moved until the room at the end is used up.
#[derive(Debug)]
pub struct Lines {
    buffer: Vec<u8>,
    /// Where the first line that was not taken begins.
    start: usize,
    /// Up to where a newline has been looked for, in vain.
    scanned: usize,
    /// Where the bytes that were read end.
    end: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            buffer: vec![0; 2 * ROOM],
            start: 0,
            scanned: 0,
            end: 0,
        }
    }
}

impl Lines {
    /// The room for the next read; tell how much of it was used by [`Self::filled`].
    pub fn room(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.scanned, self.end) = (0, 0, 0);
        } else if self.buffer.len() - self.end < ROOM {
            if self.start >= self.buffer.len() / 2 {
                self.buffer.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.scanned -= self.start;
                self.start = 0;
            } else {
                self.buffer.resize(self.buffer.len() * 2, 0);
            }
        }
        &mut self.buffer[self.end..]
    }

    /// Takes note that `count` bytes of the room now hold what was read.
    pub fn filled(&mut self, count: usize) {
        self.end = (self.end + count).min(self.buffer.len());
    }

    /// The next whole line, without its newline.
    pub fn next_line(&mut self) -> Option<&[u8]> {
        let Some(offset) = memchr::memchr(b'\n', &self.buffer[self.scanned..self.end]) else {
            self.scanned = self.end;
            return None;
        };
        let newline = self.scanned + offset;
        let start = std::mem::replace(&mut self.start, newline + 1);
        self.scanned = self.start;
        Some(&self.buffer[start..newline])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(lines: &mut Lines, bytes: &[u8]) {
        lines.room()[..bytes.len()].copy_from_slice(bytes);
        lines.filled(bytes.len());
    }

    #[test]
    fn a_line_cut_anywhere_comes_out_whole() {
        let text = b"first\n\nthird\n";
        for cut in 0..text.len() {
            let mut lines = Lines::default();
            let mut taken = Vec::new();
            for part in [&text[..cut], &text[cut..]] {
                feed(&mut lines, part);
                while let Some(line) = lines.next_line() {
                    taken.push(line.to_vec());
                }
            }
            assert_eq!(taken, [&b"first"[..], b"", b"third"], "cut at {cut}");
        }
    }

    #[test]
    fn a_line_longer_than_the_buffer_makes_it_grow() {
        let mut lines = Lines::default();
        let long = vec![b'x'; 5 * ROOM];
        for part in long.chunks(ROOM) {
            feed(&mut lines, part);
            assert_eq!(lines.next_line(), None);
        }
        feed(&mut lines, b"\nrest");
        assert_eq!(lines.next_line(), Some(&long[..]));
        assert_eq!(lines.next_line(), None);
    }

    #[test]
    fn the_rest_of_a_line_moves_to_the_front_unharmed() {
        let mut lines = Lines::default();
        let size = lines.buffer.len();
        feed(&mut lines, &vec![b'x'; ROOM]);
        feed(&mut lines, b"\nbegun, ");
        assert_eq!(lines.next_line().map(<[u8]>::len), Some(ROOM));
        assert_eq!(lines.next_line(), None);
        feed(&mut lines, b"ended\nnext\n");
        assert_eq!(lines.next_line(), Some(&b"begun, ended"[..]));
        assert_eq!(lines.next_line(), Some(&b"next"[..]));
        assert_eq!(lines.buffer.len(), size);
    }
}
