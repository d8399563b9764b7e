//! JSON strings looked at eight bytes at a time.

/// So many bytes are near: most strings are no longer.
pub(crate) const NEAR: usize = 32;

/// How many bytes at the front stand in a JSON string as they are; `None` when all that are near do.
#[inline(always)]
pub(crate) fn plain_nearby(bytes: &[u8]) -> Option<usize> {
    let mut len = 0;
    while len < NEAR {
        let rest = bytes.get(len..).unwrap_or_default();
        let Some(word) = rest.first_chunk() else {
            let found = match last_word(bytes, rest.len()) {
                Some(word) => special_in_word(word),
                None => rest.iter().position(|&byte| is_special(byte)),
            };
            return Some(len + found.unwrap_or(rest.len()));
        };
        match special_in_word(*word) {
            None => len += 8,
            Some(at) => return Some(len + at),
        }
    }
    None
}

/// The last bytes, fewer than eight, and zeros behind them, which are controls; `None` when there are not eight bytes
/// in all.
#[inline]
pub(crate) fn last_word(bytes: &[u8], count: usize) -> Option<[u8; 8]> {
    let word = u64::from_le_bytes(*bytes.last_chunk()?);
    let others = u32::try_from(8_usize.checked_sub(count)?).ok()?;
    Some(word.checked_shr(others * 8).unwrap_or(0).to_le_bytes())
}

/// The first byte of a word that does not stand in a JSON string as it is: a quote, a backslash or a control.
///
/// Subtraction sets the high bit of each byte below the bound; a borrow may set it wrongly, but only in bytes after
/// the first true one.
#[inline]
pub(crate) const fn special_in_word(word: [u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let word = u64::from_le_bytes(word);
    // The quote becomes a space by this, the two bytes between quote and controls go above it, controls stay controls.
    let low = word ^ (ONES * 2);
    let backslash = word ^ (ONES * b'\\' as u64);
    let found =
        (low.wrapping_sub(ONES * 0x21) & !low) | (backslash.wrapping_sub(ONES) & !backslash);
    match found & HIGH {
        0 => None,
        hits => Some(hits.trailing_zeros() as usize / 8),
    }
}

/// Whether a byte is one of those.
#[inline]
pub(crate) const fn is_special(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_text_is_found_at_any_distance() {
        let text = b"abcdefghijklmnopqrstuvwxyz0123456789\"";
        for end in 0..text.len() {
            for from in 0..=end {
                let expected = Some(end - from).filter(|&len| len < NEAR);
                assert_eq!(plain_nearby(&text[from..end]), expected);
            }
        }
        for at in 0..NEAR {
            let mut text = [b'a'; NEAR + 3];
            text[at] = b'"';
            for end in at + 1..=text.len() {
                assert_eq!(plain_nearby(&text[..end]), Some(at));
            }
        }
    }

    #[test]
    fn every_byte_is_told_in_every_place() {
        for byte in 0..=u8::MAX {
            for at in 0..8 {
                for around in [b'a', b' ', b'#', b'!', 0x7f, 0x80, 0xff] {
                    let mut word = [around; 8];
                    word[at] = byte;
                    assert_eq!(
                        special_in_word(word),
                        is_special(byte).then_some(at),
                        "{word:?}"
                    );
                }
            }
        }
        assert_eq!(special_in_word(*b"ab\\\n\"!!!"), Some(2));
    }
}
