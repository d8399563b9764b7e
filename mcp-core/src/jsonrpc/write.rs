//! Writes envelopes and strings straight into an outgoing buffer.

use serde::Serialize;

use super::error::ErrorObject;
use super::id::RequestId;
use super::scan::{BLOCK, is_plain};
use crate::words::{NEAR, is_special, last_word, special_in_word};

/// Begins a response with a result; the caller writes the result and ends with [`end`].
pub(crate) fn begin_result(out: &mut Vec<u8>, id: &RequestId) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    write_id(out, id);
    out.extend_from_slice(br#","result":"#);
}

/// Ends an envelope and its frame.
pub(crate) fn end(out: &mut Vec<u8>) {
    out.extend_from_slice(b"}\n");
}

/// Writes a whole error response; without an id where none could be read.
pub(crate) fn write_error(out: &mut Vec<u8>, id: Option<&RequestId>, error: &ErrorObject) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    if let Some(id) = id {
        out.extend_from_slice(br#""id":"#);
        write_id(out, id);
        out.push(b',');
    }
    out.extend_from_slice(br#""error":"#);
    write_json(out, error);
    end(out);
}

/// Begins a notification up to its params, which the caller writes as an object and ends with [`end`].
pub(crate) fn begin_notification(out: &mut Vec<u8>, method: &str) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"#);
    write_string(out, method);
    out.extend_from_slice(br#","params":"#);
}

/// Writes an id as JSON.
pub(crate) fn write_id(out: &mut Vec<u8>, id: &RequestId) {
    match id.as_str() {
        Some(text) => write_string(out, text),
        None => write_json(out, id),
    }
}

/// Writes any value as JSON. A value that serde can't write becomes null: our own types always can.
pub(crate) fn write_json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

/// Writes a string as JSON.
pub(crate) fn write_string(out: &mut Vec<u8>, text: &str) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    let mut rest = text.as_bytes();
    loop {
        rest = write_plain(out, rest);
        let Some((&byte, after)) = rest.split_first() else {
            break;
        };
        escape(out, byte);
        rest = after;
        // Escapes come in rows.
        while let Some((&byte, after)) = rest.split_first()
            && is_special(byte)
        {
            escape(out, byte);
            rest = after;
        }
    }
    out.push(b'"');
}

/// Writes what stands in a JSON string as it is, and returns the rest, which begins with what does not.
///
/// Words and blocks are copied while they are looked at, so that nothing is read twice.
fn write_plain<'t>(out: &mut Vec<u8>, text: &'t [u8]) -> &'t [u8] {
    let mut rest = text;
    for _ in 0..NEAR / 8 {
        let Some((word, after)) = rest.split_first_chunk() else {
            return write_last(out, text, rest);
        };
        match write_word(out, word) {
            8 => rest = after,
            len => return rest.get(len..).unwrap_or_default(),
        }
    }
    while let Some((block, after)) = rest.split_first_chunk::<BLOCK>()
        && is_plain(block)
    {
        out.extend_from_slice(block);
        rest = after;
    }
    while let Some((word, after)) = rest.split_first_chunk() {
        match write_word(out, word) {
            8 => rest = after,
            len => return rest.get(len..).unwrap_or_default(),
        }
    }
    write_last(out, text, rest)
}

/// Writes the plain bytes at the front of a word, and says how many they are.
#[inline]
fn write_word(out: &mut Vec<u8>, word: &[u8; 8]) -> usize {
    // A copy of a fixed length is one instruction, and so is taking some of it back.
    out.extend_from_slice(word);
    let len = special_in_word(*word).unwrap_or(8);
    out.truncate(out.len() - (8 - len));
    len
}

/// Writes the plain bytes at the front of `rest`, the end of `text` and shorter than a word.
fn write_last<'t>(out: &mut Vec<u8>, text: &[u8], rest: &'t [u8]) -> &'t [u8] {
    let len = match last_word(text, rest.len()) {
        Some(word) => write_word(out, &word),
        None => {
            let len = rest.iter().take_while(|&&byte| !is_special(byte)).count();
            out.extend_from_slice(rest.get(..len).unwrap_or_default());
            len
        }
    };
    rest.get(len..).unwrap_or_default()
}

fn escape(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' => b'"',
        b'\\' => b'\\',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            const HEX: &[u8; 16] = b"0123456789abcdef";
            let digit = |nibble: u8| HEX.get(usize::from(nibble & 15)).copied().unwrap_or(b'0');
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn strings_are_written_as_serde_json_writes_them(text in any::<String>(), ascii in "[ -~\\n\\t\"\\\\]{0,100}") {
            for text in [text, ascii] {
                let mut ours = Vec::new();
                write_string(&mut ours, &text);
                prop_assert_eq!(ours, serde_json::to_vec(&text).unwrap());
            }
        }
    }

    #[test]
    fn an_error_without_an_id_has_no_id_member() {
        let mut out = Vec::new();
        let error = ErrorObject::new(crate::jsonrpc::ErrorCode::INVALID_REQUEST, "no\nid");
        write_error(&mut out, None, &error);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"no\\nid\"}}\n"
        );
    }
}
