//! The last that a stream of events says when it ends with the server.

use std::time::Duration;

use axum::response::sse::Event;

/// How long a client waits before it opens a stream anew at the server that comes: as long as one takes
/// to start.
const RETRY: Duration = Duration::from_secs(1);

/// Why the stream ends, for people who read it, and when to come back, for event sources.
pub(crate) fn farewell() -> Event {
    Event::default()
        .retry(RETRY)
        .comment("the server ends: come back with the last id")
}
