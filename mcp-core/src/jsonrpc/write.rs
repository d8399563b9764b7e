//! Writes envelopes and strings straight into an outgoing buffer.

use serde::Serialize;

use super::error::ErrorObject;
use super::id::RequestId;
use super::scan::plain_len;

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

/// Writes a string as JSON, in runs rather than bytes.
pub(crate) fn write_string(out: &mut Vec<u8>, text: &str) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    let mut rest = text.as_bytes();
    loop {
        let (plain, special) = rest.split_at(plain_len(rest));
        out.extend_from_slice(plain);
        let Some((&byte, after)) = special.split_first() else {
            break;
        };
        escape(out, byte);
        rest = after;
    }
    out.push(b'"');
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
