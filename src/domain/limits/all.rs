//! All limits in one struct.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::brain::BrainLimits;
use super::doors::{
    ChannelLimits, HttpLimits, MountLimits, RateLimits, ReportLimits, SocketLimits, StdioLimits,
};
use super::gate::GateLimits;
use super::generation::GenerationLimits;
use super::work::{
    ActionLimits, BlueprintLimits, EmitLimits, HandshakeLimits, IdempotencyLimits, LogLimits,
    MemoryLimits, SessionLimits, WorkLimits,
};

/// The highest rate a limiter can count: one per nanosecond.
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
    /// The event log a session keeps.
    pub log: LogLimits,
    /// What people send.
    pub actions: ActionLimits,
    /// What agents stream.
    pub emits: EmitLimits,
    /// What mounted UIs report about themselves.
    pub mounts: MountLimits,
    /// How often mounted UIs send reports.
    pub reports: ReportLimits,
    /// Views that a model draws.
    pub generation: GenerationLimits,
    /// Live-channel connections.
    pub sockets: SocketLimits,
    /// Channels that tools of this server feed.
    pub channels: ChannelLimits,
    /// The gate and the servers behind it.
    pub gate: GateLimits,
    /// HTTP connections and bodies.
    pub http: HttpLimits,
    /// Messages over standard input and output.
    pub stdio: StdioLimits,
    /// Results kept for retries with the same idempotency key.
    pub idempotency: IdempotencyLimits,
    /// Pages of the page store.
    pub pages: BrainLimits,
    /// The process as a whole.
    pub memory: MemoryLimits,
    /// Work that takes long.
    pub work: WorkLimits,
    /// How often a caller may send requests.
    #[serde(rename = "limits")]
    pub rates: RateLimits,
}

impl Limits {
    /// The limits without any rate or count, for benchmarks.
    pub(crate) fn unlimited(mut self) -> Self {
        self.handshakes.open_max = usize::MAX;
        self.sessions.per_app_max = usize::MAX;
        self.actions.per_second = UNLIMITED_PER_SECOND;
        self.actions.burst = UNLIMITED_PER_SECOND;
        self.actions.pending_max = usize::MAX;
        self.actions.pending_bytes_max = usize::MAX;
        self.sockets.per_session_max = usize::MAX;
        self.sockets.pre_subscribe_per_peer_max = usize::MAX;
        self.http.listen_streams_per_app_max = usize::MAX;
        self.http.connections_per_peer_max = usize::MAX;
        self.gate.requests_per_server_max = usize::MAX;
        self.gate.approvals_per_caller_max = usize::MAX;
        self.gate.approvals_max = usize::MAX;
        self.memory.bytes_max = u64::MAX;
        self.work.queue_per_caller_max = usize::MAX;
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

/// A rate as the limiter expects it: per second and burst, each at least one.
pub(crate) fn quota(per_second: u32, burst: u32) -> (NonZeroU32, NonZeroU32) {
    let at_least_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
    (at_least_one(per_second), at_least_one(burst))
}
