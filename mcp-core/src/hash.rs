use std::hash::Hasher;

/// Multiplies and folds: far cheaper than the hasher of the standard library, and easily made to collide. So it is for maps
/// that a peer can't fill at will: ids of calls under way, of which there are only so many, and names of tools.
#[derive(Default)]
pub(crate) struct FoldHasher(u64);

impl FoldHasher {
    const fn mix(&mut self, word: u64) {
        let product = (self.0 ^ word) as u128 * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}

impl Hasher for FoldHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        for byte in rest {
            self.mix(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    fn write_i64(&mut self, word: i64) {
        self.mix(word.cast_unsigned());
    }

    fn write_isize(&mut self, word: isize) {
        self.mix(word.cast_unsigned() as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
