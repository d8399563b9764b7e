//! What goes wrong on real connections, as data for [`Pair::send_bytes`](super::Pair::send_bytes) and for tests of
//! transports.

/// A text cut in two at every place, both ends included: what a reader of a stream must not care about.
///
/// ```
/// use mcp_core::testing::splits;
///
/// let cuts: Vec<_> = splits(b"ab\n").collect();
/// assert_eq!(cuts[1], (&b"a"[..], &b"b\n"[..]));
/// assert_eq!(cuts.len(), 4);
/// ```
pub fn splits(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    (0..=bytes.len()).map(|at| bytes.split_at(at))
}

/// So many requests in a row, with ids from `first_id` on: lines for a peer that floods.
///
/// `params` is JSON. The lines are made one by one, so a big flood takes no memory.
///
/// ```
/// use mcp_core::testing::flood;
///
/// let lines: Vec<_> = flood(2, 7, "ping", "{}").collect();
/// assert_eq!(lines[1], r#"{"jsonrpc":"2.0","id":8,"method":"ping","params":{}}"#);
/// ```
pub fn flood(
    count: u64,
    first_id: u64,
    method: &str,
    params: &str,
) -> impl Iterator<Item = String> {
    (first_id..)
        .take(usize::try_from(count).unwrap_or(usize::MAX))
        .map(move |id| {
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
        })
}
