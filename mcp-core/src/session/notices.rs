//! Notifications about a call under way.

use super::calls::Entry;
use crate::jsonrpc;
use crate::protocol::{
    ElicitationComplete, LoggingMessage, Notification, Progress as ProgressNotification,
};
use crate::server::{DroppedLogs, LogEntry, Progress};

/// Tells progress, if the request asked for it. The protocol wants it to grow; what does not is no news.
pub(super) fn progress(out: &mut Vec<u8>, entry: &mut Entry, progress: &Progress) {
    let Some(token) = &entry.progress_token else {
        return;
    };
    if progress.done <= entry.last_progress {
        return;
    }
    entry.last_progress = progress.done;
    jsonrpc::begin_notification(out, ProgressNotification::METHOD);
    out.extend_from_slice(br#"{"progressToken":"#);
    out.extend_from_slice(token);
    out.extend_from_slice(br#","progress":"#);
    write_number(out, progress.done);
    if let Some(total) = progress.total {
        out.extend_from_slice(br#","total":"#);
        write_number(out, total);
    }
    if let Some(message) = &progress.message
        && entry.version.has_progress_message()
    {
        out.extend_from_slice(br#","message":"#);
        jsonrpc::write_string(out, message);
    }
    out.push(b'}');
    jsonrpc::end(out);
}

pub(super) fn log(out: &mut Vec<u8>, entry: &LogEntry) {
    jsonrpc::begin_notification(out, LoggingMessage::METHOD);
    out.extend_from_slice(br#"{"level":"#);
    jsonrpc::write_json(out, &entry.level);
    if let Some(logger) = &entry.logger {
        out.extend_from_slice(br#","logger":"#);
        jsonrpc::write_string(out, logger);
    }
    out.extend_from_slice(br#","data":"#);
    out.extend_from_slice(entry.data.as_bytes());
    out.push(b'}');
    jsonrpc::end(out);
}

pub(super) fn logs_dropped(out: &mut Vec<u8>, dropped: DroppedLogs) {
    let count = dropped.count;
    let entry = LogEntry {
        level: dropped.level,
        logger: None,
        data: format!(
            "\"{count} log messages were dropped: they came faster than they were read\""
        ),
    };
    log(out, &entry);
}

/// Tells that what a person was sent to a URL for is done.
pub(super) fn visit_complete(out: &mut Vec<u8>, id: &str) {
    jsonrpc::begin_notification(out, ElicitationComplete::METHOD);
    out.extend_from_slice(br#"{"elicitationId":"#);
    jsonrpc::write_string(out, id);
    out.push(b'}');
    jsonrpc::end(out);
}

/// What was held back comes before the answer.
pub(super) fn held(out: &mut Vec<u8>, entry: &mut Entry) {
    let Some(held) = entry.held.take() else {
        return;
    };
    if held.dropped_logs.count > 0 {
        logs_dropped(out, held.dropped_logs);
    }
    if let Some(last) = &held.progress {
        progress(out, entry, last);
    }
}

/// Integers are written as such: many clients compare them as text.
fn write_number(out: &mut Vec<u8>, number: f64) {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole, and within the range checked"
        )]
        jsonrpc::write_json(out, &(number as i64));
    } else {
        jsonrpc::write_json(out, &number);
    }
}
