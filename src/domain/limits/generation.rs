//! Limits on views that a model draws.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits on views that a model draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GenerationLimits {
    /// Answers a model may give for one view: what two repairs do not mend, more rarely do.
    pub rounds_max: usize,
    /// Bytes a model is sent of one contract: most are a tenth of that. A view of a larger one is
    /// composed.
    pub page_bytes_max: usize,
    /// Bytes of one answer, as it comes in: many times what the choice for a large page takes.
    pub answer_bytes_max: usize,
    /// Tokens a model may write in one answer, thoughts included.
    pub answer_tokens_max: u32,
    /// Seconds one answer may take: several times what models usually need.
    pub answer_s: u64,
    /// Seconds a model may pause while it answers.
    pub pause_s: u64,
    /// Seconds all answers for one view may take together.
    pub view_s: u64,
    /// Milliseconds after which those who watch are told that a view is being drawn: what comes sooner
    /// needs no word.
    pub preview_after_ms: u64,
    /// Times a request is sent again that the provider could not answer.
    pub retries_max: u32,
    /// Seconds a provider may ask to wait before a request is sent again; beyond it the view stays
    /// composed.
    pub retry_wait_max_s: u64,
    /// Requests to the provider at once, of all apps.
    pub at_once_max: usize,
    /// Views that may wait for their turn, of all apps; beyond it they stay composed.
    pub waiting_max: usize,
    /// Tokens an app may use a day (UTC), sent and received; counted by each server, from its start.
    pub tokens_per_day_max: u64,
    /// US cents an app may spend a day (UTC), by the prices of `model`; counted like the tokens.
    pub cents_per_day_max: u64,
}

impl Default for GenerationLimits {
    fn default() -> Self {
        Self {
            rounds_max: 3,
            page_bytes_max: 96 << 10,
            answer_bytes_max: 256 << 10,
            answer_tokens_max: 8_192,
            answer_s: 60,
            pause_s: 20,
            view_s: 120,
            preview_after_ms: 200,
            retries_max: 2,
            retry_wait_max_s: 20,
            at_once_max: 4,
            waiting_max: 64,
            tokens_per_day_max: 2_000_000,
            cents_per_day_max: 500,
        }
    }
}

impl GenerationLimits {
    /// How long one answer may take.
    #[cfg(feature = "model")]
    pub(crate) fn answer(&self) -> Duration {
        Duration::from_secs(self.answer_s)
    }

    /// How long a model may pause.
    #[cfg(feature = "model")]
    pub(crate) fn pause(&self) -> Duration {
        Duration::from_secs(self.pause_s)
    }

    /// How long one view may take.
    pub(crate) fn view(&self) -> Duration {
        Duration::from_secs(self.view_s)
    }

    /// After how long those who watch are told that a view is being drawn.
    pub(crate) fn preview_after(&self) -> Duration {
        // An interval has to have a length.
        Duration::from_millis(self.preview_after_ms.max(1))
    }

    /// How long a provider may ask to wait.
    #[cfg(feature = "model")]
    pub(crate) fn retry_wait_max(&self) -> Duration {
        Duration::from_secs(self.retry_wait_max_s)
    }
}
