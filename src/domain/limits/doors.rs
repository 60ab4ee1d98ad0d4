//! Limits on connections, request rates and the size of what clients send.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits on what mounted UIs report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MountLimits {
    /// Context slots of one snapshot.
    pub slots_max: usize,
    /// Bytes of JSON in one slot; beyond it CONTEXT_TOO_LARGE.
    pub slot_bytes_max: usize,
    /// Bytes of JSON in all slots, and in the slots that are sent along with an action.
    pub snapshot_bytes_max: usize,
    /// Bytes of a mount's report about its host: a full one takes a few hundred.
    pub host_bytes_max: usize,
    /// Consents one session may wait for: a person answers one at a time.
    pub consents_max: usize,
}

impl Default for MountLimits {
    fn default() -> Self {
        Self {
            slots_max: 50,
            slot_bytes_max: 16 << 10,
            snapshot_bytes_max: 64 << 10,
            host_bytes_max: 4 << 10,
            consents_max: 16,
        }
    }
}

/// Limits on reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReportLimits {
    /// Reports of mounted UIs per second in one app: a page sends a dozen in all.
    pub per_second: u32,
    /// Reports an app may send at once.
    pub burst: u32,
    /// Refusals per second that are shown to the observers of a session: strangers can cause any
    /// number.
    pub observed_per_second: u32,
    /// Refusals that are shown to them at once.
    pub observed_burst: u32,
}

impl Default for ReportLimits {
    fn default() -> Self {
        Self {
            per_second: 20,
            burst: 200,
            observed_per_second: 1,
            observed_burst: 10,
        }
    }
}

/// Limits on sockets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SocketLimits {
    /// Bytes of a frame; larger ones end the socket with 1009.
    pub frame_bytes_max: usize,
    /// Bytes of a frame before the subscription; larger ones end the socket with 1009.
    pub pre_subscribe_bytes_max: usize,
    /// Seconds a socket may wait before it subscribes; then it ends with 1008.
    pub pre_subscribe_idle_s: u64,
    /// Sockets that may wait before they subscribe; more are ended with 1013.
    pub pre_subscribe_max: usize,
    /// Sockets of one address that may wait: as many frames as a large stage opens at once.
    pub pre_subscribe_per_peer_max: usize,
    /// Readers of one session at a time, by socket or fallback: twice a large audience.
    pub per_session_max: usize,
    /// Frames a reader may be behind.
    pub behind_frames_max: u64,
    /// Bytes a reader may be behind: as much as a session keeps.
    pub behind_bytes_max: u64,
    /// Seconds a reader may stay that far behind, or one write may take; then it ends with 1013.
    pub behind_s: u64,
}

impl Default for SocketLimits {
    fn default() -> Self {
        Self {
            frame_bytes_max: 1 << 20,
            pre_subscribe_bytes_max: 64 << 10,
            pre_subscribe_idle_s: 30,
            pre_subscribe_max: 1_024,
            pre_subscribe_per_peer_max: 64,
            per_session_max: 2_000,
            behind_frames_max: 1_024,
            behind_bytes_max: 4 << 20,
            behind_s: 10,
        }
    }
}

/// Limits on channels that tools feed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChannelLimits {
    /// Channels fed through one socket: more than a UI shows; beyond it CHANNEL_LIMIT.
    pub per_socket_max: usize,
    /// Milliseconds between two polls by default: what changes faster should be emitted.
    pub interval_default_ms: u64,
    /// Milliseconds between two polls at least: faster than a person reads.
    pub interval_min_ms: u64,
    /// Milliseconds between two polls at most: what is shown is never older than a minute.
    pub interval_max_ms: u64,
    /// Bytes of a client's request for a channel: its arguments are kept with the socket.
    pub request_bytes_max: usize,
}

impl Default for ChannelLimits {
    fn default() -> Self {
        Self {
            per_socket_max: 16,
            interval_default_ms: 10_000,
            interval_min_ms: 1_000,
            interval_max_ms: 60_000,
            request_bytes_max: 4 << 10,
        }
    }
}

impl ChannelLimits {
    /// The interval between two polls, given the requested one.
    pub(crate) fn interval(&self, asked_ms: Option<u64>) -> Duration {
        let asked = asked_ms.unwrap_or(self.interval_default_ms);
        let least = self.interval_min_ms.max(1);
        Duration::from_millis(asked.clamp(least, self.interval_max_ms.max(least)))
    }
}

/// Limits on HTTP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HttpLimits {
    /// Bytes of a request body; larger ones are answered with 413. As many of a body that nobody
    /// wants any more are read, so that whoever sends it learns why.
    pub body_bytes_max: usize,
    /// Bytes of a request's line and headers; larger ones are answered with 431. At least 8,192.
    pub header_bytes_max: usize,
    /// Bytes of incomplete headers on all connections, beyond the first 8 KiB of each; more is
    /// answered with 503. One address may hold a quarter.
    pub header_bytes_waiting_max: usize,
    /// Seconds until a request's headers are complete, idle keep-alive connections included.
    pub header_read_s: u64,
    /// Seconds a request's body may take.
    pub body_read_s: u64,
    /// Seconds until a response begins; then it is a 504. A consume is held for 25.
    pub answer_s: u64,
    /// Seconds one write may be blocked by a peer that does not read; then the connection ends.
    pub write_s: u64,
    /// Connections at a time, sockets included; others wait in the accept queue.
    pub connections_max: usize,
    /// Connections of one address at a time; more are answered with 429. 0: a quarter of
    /// `http.connections_max`.
    pub connections_per_peer_max: usize,
    /// Bytes of request bodies being read and of responses being written, on all connections; more
    /// is answered with 503. One address may hold a quarter, which is at least one body.
    pub under_way_bytes_max: usize,
    /// Seconds a shutdown may take before open connections are closed.
    pub drain_s: u64,
    /// Resources one `subscriptions/listen` may name: the cards of a long conversation.
    pub listen_uris_max: usize,
    /// Streams of `subscriptions/listen` per app; beyond it the call is refused with a time to
    /// wait.
    ///
    /// It is one for each conversation that is open somewhere, and a twentieth of all connections,
    /// so that no app takes them all.
    pub listen_streams_per_app_max: usize,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            body_bytes_max: 4 << 20,
            header_bytes_max: 64 << 10,
            header_bytes_waiting_max: 16 << 20,
            header_read_s: 30,
            body_read_s: 30,
            answer_s: 60,
            write_s: 30,
            connections_max: 20_000,
            connections_per_peer_max: 0,
            under_way_bytes_max: 256 << 20,
            drain_s: 10,
            listen_uris_max: 100,
            listen_streams_per_app_max: 1_000,
        }
    }
}

impl HttpLimits {
    /// Connections of one address at a time.
    pub(crate) fn connections_of_peer(&self) -> usize {
        match self.connections_per_peer_max {
            0 => share(self.connections_max),
            max => max,
        }
    }
}

/// The part of a shared limit that one address may use, so that no single client exhausts it.
pub(crate) fn share(all: usize) -> usize {
    /// Clients that would have to act together to exhaust the limit.
    const CLIENTS: usize = 4;
    all.div_ceil(CLIENTS)
}

/// Limits on a client over standard input and output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StdioLimits {
    /// Bytes of a line, as of a request body; longer ones are answered with an error and skipped.
    pub line_bytes_max: usize,
    /// Requests that may be unanswered at a time; more are refused with a time to wait.
    pub open_max: usize,
    /// Seconds the last responses may take after the input has ended.
    pub drain_s: u64,
}

impl Default for StdioLimits {
    fn default() -> Self {
        Self {
            line_bytes_max: 4 << 20,
            open_max: 256,
            drain_s: 5,
        }
    }
}

/// How often a caller may send requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RateLimits {
    /// Requests per second for each key, or each peer without one; without keys there is no limit.
    pub door_per_second: u32,
    /// Requests a key or peer may send at once.
    pub door_burst: u32,
    /// Handshakes, and as many renders, per second for each key: each costs a compilation.
    pub making_per_second: u32,
    /// Handshakes, and as many renders, a key may send at once.
    pub making_burst: u32,
    /// Calls of each other tool per second for each key.
    pub using_per_second: u32,
    /// Calls of each other tool a key may send at once.
    pub using_burst: u32,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self {
            door_per_second: 100,
            door_burst: 400,
            making_per_second: 100,
            making_burst: 1_000,
            using_per_second: 4_000,
            using_burst: 8_000,
        }
    }
}
