//! Every limit of the server: one struct, each number with its reason.
//!
//! The first line of each field is what `config print` shows; the unit is in the name.

use std::num::NonZeroU32;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The highest rate a limiter can count: one a nanosecond.
const UNLIMITED_PER_SECOND: u32 = 1_000_000_000;

/// All limits, grouped by what they bound.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Limits {
    /// Negotiated contracts that wait to be rendered.
    pub handshakes: HandshakeLimits,
    /// UIs kept to be shown again.
    pub blueprints: BlueprintLimits,
    /// Rendered UIs.
    pub sessions: SessionLimits,
    /// What a session remembers.
    pub log: LogLimits,
    /// What people do.
    pub actions: ActionLimits,
    /// What agents stream.
    pub emits: EmitLimits,
    /// What mounted UIs report of themselves.
    pub reports: ReportLimits,
    /// Live-channel connections.
    pub sockets: SocketLimits,
    /// Channels that tools of this server feed.
    pub channels: ChannelLimits,
    /// HTTP connections and bodies.
    pub http: HttpLimits,
    /// Messages over standard input and output.
    pub stdio: StdioLimits,
    /// Answers kept for attempts that are made again under the same idempotency key.
    pub idempotency: IdempotencyLimits,
    /// How often a caller may come.
    #[serde(rename = "limits")]
    pub rates: RateLimits,
}

/// Bounds on handshakes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HandshakeLimits {
    /// Seconds until a handshake expires; the protocol says ten minutes.
    pub ttl_s: u64,
    /// Open handshakes per app; beyond it the call is told to wait.
    pub open_max: usize,
}

impl Default for HandshakeLimits {
    fn default() -> Self {
        Self {
            ttl_s: 600,
            open_max: 1_000,
        }
    }
}

/// Bounds on blueprints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BlueprintLimits {
    /// Blueprints an app keeps; the least used goes first.
    pub per_app_max: usize,
    /// Bytes of an app's blueprints: a hundred contracts with views, each far above the usual.
    pub bytes_max: usize,
}

impl Default for BlueprintLimits {
    fn default() -> Self {
        Self {
            per_app_max: 100,
            bytes_max: 16 << 20,
        }
    }
}

/// Bounds on sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SessionLimits {
    /// Seconds a session lives after the last thing that happened in it.
    pub idle_ttl_s: u64,
    /// Seconds a session lives at most: a day, so that no page left open holds memory for ever.
    pub life_max_s: u64,
    /// Sessions per app; beyond it a render answers CONCURRENT_SESSION_LIMIT.
    pub per_app_max: usize,
    /// Bytes of a session's props: what a browser still lays out at once.
    pub props_bytes_max: usize,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            idle_ttl_s: 3_600,
            life_max_s: 86_400,
            per_app_max: 10_000,
            props_bytes_max: 1 << 20,
        }
    }
}

/// Bounds on a session's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LogLimits {
    /// Bytes of events a session keeps for replay; older ones are forgotten.
    pub bytes_max: usize,
    /// Events a session keeps for replay; older ones are forgotten.
    pub events_max: usize,
    /// Rows of the activity list an app keeps: more than a person scrolls through.
    pub activity_rows_max: usize,
}

impl Default for LogLimits {
    fn default() -> Self {
        Self {
            bytes_max: 4 << 20,
            events_max: 4_096,
            activity_rows_max: 500,
        }
    }
}

/// Bounds on actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ActionLimits {
    /// Actions a second on one socket: far above what a hand can click.
    pub per_second: u32,
    /// Actions a socket may send at once.
    pub burst: u32,
    /// Actions that may wait for an agent in one session; beyond it they are refused.
    pub pending_max: usize,
    /// Bytes of the actions that wait in one session: a few pictures; beyond it they are refused.
    pub pending_bytes_max: usize,
}

impl Default for ActionLimits {
    fn default() -> Self {
        Self {
            per_second: 100,
            burst: 400,
            pending_max: 10_000,
            pending_bytes_max: 8 << 20,
        }
    }
}

/// Bounds on emits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EmitLimits {
    /// Emits a second into one session: more than a screen can show.
    pub per_second: u32,
    /// Emits a session takes at once.
    pub burst: u32,
    /// Bytes of one item: streams are for small things, large ones are props.
    pub payload_bytes_max: usize,
}

impl Default for EmitLimits {
    fn default() -> Self {
        Self {
            per_second: 2_000,
            burst: 4_000,
            payload_bytes_max: 256 << 10,
        }
    }
}

/// Bounds on reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReportLimits {
    /// Reports of mounted UIs a second in one app: a page sends a dozen in its life.
    pub per_second: u32,
    /// Reports an app may send at once.
    pub burst: u32,
}

impl Default for ReportLimits {
    fn default() -> Self {
        Self {
            per_second: 20,
            burst: 200,
        }
    }
}

/// Bounds on sockets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SocketLimits {
    /// Bytes of a frame; larger ones end the socket with 1009.
    pub frame_bytes_max: usize,
    /// Bytes of a frame before the subscription; larger ones end the socket with 1009.
    pub pre_subscribe_bytes_max: usize,
    /// Seconds a socket may wait with its subscription; then it ends with 1008.
    pub pre_subscribe_idle_s: u64,
    /// Sockets that may wait with their subscription; more are ended with 1013.
    pub pre_subscribe_max: usize,
    /// Readers of one session at a time, whichever way they follow it: twice a large audience.
    pub per_session_max: usize,
    /// Frames a reader may be behind.
    pub behind_frames_max: u64,
    /// Bytes a reader may be behind: as much as a session keeps.
    pub behind_bytes_max: u64,
    /// Seconds a reader may be that far behind, or one write may take; then it ends with 1013.
    pub behind_s: u64,
}

impl Default for SocketLimits {
    fn default() -> Self {
        Self {
            frame_bytes_max: 1 << 20,
            pre_subscribe_bytes_max: 64 << 10,
            pre_subscribe_idle_s: 30,
            pre_subscribe_max: 1_024,
            per_session_max: 2_000,
            behind_frames_max: 1_024,
            behind_bytes_max: 4 << 20,
            behind_s: 10,
        }
    }
}

/// Bounds on channels that tools feed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChannelLimits {
    /// Channels fed through one socket: more than a picture shows; beyond it CHANNEL_LIMIT.
    pub per_socket_max: usize,
    /// Milliseconds between two polls unless told: what changes faster is emitted.
    pub interval_default_ms: u64,
    /// Milliseconds between two polls at least: faster than a person reads.
    pub interval_min_ms: u64,
    /// Milliseconds between two polls at most: what is shown is never older than a minute.
    pub interval_max_ms: u64,
    /// Bytes in which a client asks for a channel: the arguments it adds are kept with the socket.
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
    /// How long to wait between two polls, given what was asked for.
    pub(crate) fn interval(&self, asked_ms: Option<u64>) -> Duration {
        let asked = asked_ms.unwrap_or(self.interval_default_ms);
        let least = self.interval_min_ms.max(1);
        Duration::from_millis(asked.clamp(least, self.interval_max_ms.max(least)))
    }
}

/// Bounds on HTTP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HttpLimits {
    /// Bytes of a request body; more is answered with 413.
    pub body_bytes_max: usize,
    /// Bytes of a request's line and headers; more is answered with 431. At least 8,192.
    pub header_bytes_max: usize,
    /// Seconds until a request's headers have come, idle keep-alive connections included.
    pub header_read_s: u64,
    /// Seconds a request's body may take.
    pub body_read_s: u64,
    /// Seconds until an answer begins; then it is a 504. A consume is held for 25.
    pub answer_s: u64,
    /// Seconds one write may be blocked by a peer that does not read; then the connection ends.
    pub write_s: u64,
    /// Connections at a time; the rest wait in the accept queue.
    pub connections_max: usize,
    /// Seconds a shutdown may take before open connections are cut.
    pub drain_s: u64,
    /// Resources one `subscriptions/listen` may name: the cards of a long conversation.
    pub listen_uris_max: usize,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            body_bytes_max: 4 << 20,
            header_bytes_max: 64 << 10,
            header_read_s: 30,
            body_read_s: 30,
            answer_s: 60,
            write_s: 30,
            connections_max: 20_000,
            drain_s: 10,
            listen_uris_max: 100,
        }
    }
}

/// Bounds on a client that speaks in lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StdioLimits {
    /// Bytes of a line, as of a request body; longer ones are answered with an error and skipped.
    pub line_bytes_max: usize,
    /// Requests that may wait for their answer at a time; more are told to wait.
    pub open_max: usize,
    /// Seconds the last answers may take once the input has ended.
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

/// Bounds on what is kept for safe retries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct IdempotencyLimits {
    /// Answers kept per app; the oldest is forgotten first.
    pub results_max: usize,
    /// Bytes of answers kept per app; the oldest is forgotten first.
    pub bytes_max: usize,
    /// Seconds an answer is kept: a day, as clients that queue their retries expect.
    pub ttl_s: u64,
    /// Seconds a second attempt waits for the first one: under the time-outs of common clients.
    pub wait_s: u64,
}

impl Default for IdempotencyLimits {
    fn default() -> Self {
        Self {
            results_max: 10_000,
            bytes_max: 64 << 20,
            ttl_s: 86_400,
            wait_s: 10,
        }
    }
}

/// How often a caller may come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RateLimits {
    /// Requests a second for each key, or each peer without one; without keys nobody is counted.
    pub door_per_second: u32,
    /// Requests a key or peer may send at once.
    pub door_burst: u32,
    /// Handshakes, and as many renders, a second for each key: each costs a compilation.
    pub making_per_second: u32,
    /// Handshakes, and as many renders, a key may ask for at once.
    pub making_burst: u32,
    /// Calls of each other tool a second for each key.
    pub using_per_second: u32,
    /// Calls of each other tool a key may make at once.
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

impl Limits {
    /// The limits with every rate and count out of the way, for benchmarks.
    pub(crate) fn unlimited(mut self) -> Self {
        self.handshakes.open_max = usize::MAX;
        self.sessions.per_app_max = usize::MAX;
        self.actions.per_second = UNLIMITED_PER_SECOND;
        self.actions.burst = UNLIMITED_PER_SECOND;
        self.actions.pending_max = usize::MAX;
        self.sockets.per_session_max = usize::MAX;
        self.rates = RateLimits {
            door_per_second: UNLIMITED_PER_SECOND,
            door_burst: UNLIMITED_PER_SECOND,
            making_per_second: UNLIMITED_PER_SECOND,
            making_burst: UNLIMITED_PER_SECOND,
            using_per_second: UNLIMITED_PER_SECOND,
            using_burst: UNLIMITED_PER_SECOND,
        };
        self.emits.per_second = UNLIMITED_PER_SECOND;
        self.emits.burst = UNLIMITED_PER_SECOND;
        self
    }
}

impl HandshakeLimits {
    /// How long a handshake lives.
    pub(crate) fn ttl(&self) -> Duration {
        Duration::from_secs(self.ttl_s)
    }
}

/// A rate as the limiter takes it: per second and burst, at least one each.
pub(crate) fn quota(per_second: u32, burst: u32) -> (NonZeroU32, NonZeroU32) {
    let at_least_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
    (at_least_one(per_second), at_least_one(burst))
}
