//! Limits on what agents show and what people send.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits on handshakes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HandshakeLimits {
    /// Seconds until a handshake expires; the protocol says ten minutes.
    pub ttl_s: u64,
    /// Open handshakes per app; beyond it the call is refused with a time to wait.
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

impl HandshakeLimits {
    /// The lifetime of a handshake.
    pub(crate) fn ttl(&self) -> Duration {
        Duration::from_secs(self.ttl_s)
    }
}

/// Limits on blueprints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BlueprintLimits {
    /// Blueprints an app keeps; the least used one is removed first.
    pub per_app_max: usize,
    /// Bytes of an app's blueprints: a hundred contracts with views, each far above the usual.
    pub bytes_max: usize,
    /// Remarks of people that are kept beside a blueprint, the latest: what a model can heed at once.
    pub remarks_max: usize,
}

impl Default for BlueprintLimits {
    fn default() -> Self {
        Self {
            per_app_max: 100,
            bytes_max: 16 << 20,
            remarks_max: 10,
        }
    }
}

/// Limits on sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SessionLimits {
    /// Seconds a session lives after its last activity.
    pub idle_ttl_s: u64,
    /// Seconds a session lives at most: a day, so that a page left open does not hold memory
    /// forever.
    pub life_max_s: u64,
    /// Sessions per app; beyond it a render answers CONCURRENT_SESSION_LIMIT.
    pub per_app_max: usize,
    /// Bytes of a session's props: what a browser still lays out at once.
    pub props_bytes_max: usize,
    /// Sessions that are held in memory where the store keeps them elsewhere, of some kilobytes each;
    /// beyond it those leave that nobody watches and nobody used for the longest time.
    pub in_memory_max: usize,
    /// Seconds after its last use until a session that nobody watches leaves memory where the store
    /// keeps it elsewhere: longer than most agents think between two calls.
    pub in_memory_idle_s: u64,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            idle_ttl_s: 3_600,
            life_max_s: 86_400,
            per_app_max: 10_000,
            props_bytes_max: 1 << 20,
            in_memory_max: 10_000,
            in_memory_idle_s: 60,
        }
    }
}

/// Limits on a session's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LogLimits {
    /// Bytes of events a session keeps for replay; older ones are dropped.
    pub bytes_max: usize,
    /// Events a session keeps for replay; older ones are dropped.
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

/// Limits on actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ActionLimits {
    /// Actions per second on one socket: far above what a hand can click.
    pub per_second: u32,
    /// Actions a socket may send at once.
    pub burst: u32,
    /// Actions of one session that may wait for an agent; more are refused. As many delivered ones
    /// are kept until they are confirmed; beyond it the oldest are dropped.
    pub pending_max: usize,
    /// Bytes of the actions that wait in one session: a few pictures; more are refused. As many
    /// bytes of delivered ones are kept until they are confirmed.
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

/// Limits on emits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EmitLimits {
    /// Emits per second into one session: more than a screen can show.
    pub per_second: u32,
    /// Emits a session accepts at once.
    pub burst: u32,
    /// Bytes of one item: streams are for small things, large ones belong in the props.
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

/// Limits on what is kept for safe retries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct IdempotencyLimits {
    /// Results kept per app; the oldest is dropped first.
    pub results_max: usize,
    /// Bytes of results kept per app; the oldest is dropped first.
    pub bytes_max: usize,
    /// Seconds a result is kept: a day, as clients that queue their retries expect.
    pub ttl_s: u64,
    /// Seconds a retry waits for the first attempt: less than the time-outs of common clients.
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

/// The limit on the process as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MemoryLimits {
    /// Bytes of memory the process may take, as the system counts them (resident); beyond it every
    /// call that adds something answers MEMORY_LIMIT, while reading, consuming and deleting go on.
    /// 0: half of what the machine or its control group has.
    pub bytes_max: u64,
}

/// Limits on expensive work: compiling drafts, composing views, validating large values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WorkLimits {
    /// Bytes that are processed at once; longer input waits for a worker. Most contracts are
    /// shorter.
    pub inline_bytes_max: usize,
    /// Workers for long input; one caller uses half of them at most. 0: as many as there are cores.
    pub places_max: usize,
    /// Requests of one caller that may wait for a worker: a second's worth; more are refused with a
    /// time to wait.
    pub queue_per_caller_max: usize,
}

impl Default for WorkLimits {
    fn default() -> Self {
        Self {
            inline_bytes_max: 4 << 10,
            places_max: 0,
            queue_per_caller_max: 64,
        }
    }
}
