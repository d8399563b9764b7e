//! The stream of what a server says by itself, up to 2025-11-25. Servers need not have one, and nothing waits for it.
//!
//! <https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server>

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{Either, select};

use super::connection::Connection;
use super::resume::{Stream, is_final};

/// A stream that lived for so long was a good one, though nothing came on it.
const LIVED: Duration = Duration::from_secs(5);

/// Keeps a stream open, in this session and in those that take its place.
pub(super) async fn listen(connection: Arc<Connection>) {
    let mut epochs = connection.session.epochs();
    loop {
        epochs.mark_unchanged();
        let changed = {
            let standing = std::pin::pin!(stand(&connection));
            let changed = std::pin::pin!(epochs.changed());
            match select(standing, changed).await {
                // The server has none. Another session may have.
                Either::Left(((), changed)) => changed.await,
                Either::Right((changed, _)) => changed,
            }
        };
        if changed.is_err() {
            return;
        }
    }
}

/// Returns when the server has no such stream.
async fn stand(connection: &Connection) {
    let mut stream = Stream::standing(connection);
    let mut resuming = connection.resuming.subscribe();
    loop {
        // The sender is a part of the connection.
        let _: Result<_, _> = resuming.wait_for(|count| *count == 0).await;
        let body = match stream.open().await {
            Ok(response) => stream.events(response).await,
            Err(error) => Err(error),
        };
        match body {
            Ok(body) => {
                let since = Instant::now();
                stream.piece(body).await;
                if since.elapsed() >= LIVED {
                    stream.succeed();
                }
            }
            Err(error) if is_final(&error) => return,
            Err(_) => {}
        }
        tokio::time::sleep(stream.delay()).await;
    }
}
