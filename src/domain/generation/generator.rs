//! The port through which a model is asked.

use std::mem;
use std::ops::{Add, AddAssign};

use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::Value;

use crate::domain::size::json_bytes;

/// What answers questions about a page: a model.
#[async_trait]
pub(crate) trait ViewGenerator: Send + Sync {
    /// The answer to a question, as the model has written it. It is given up when it is dropped; what
    /// it has taken until then, or until its end, stands on the meter.
    async fn answer(&self, question: &Question<'_>, meter: &Meter) -> Result<String, Trouble>;
}

/// What questions have taken so far, known to who asks at any time: a question may be given up.
#[derive(Debug, Default)]
pub(crate) struct Meter(Mutex<Usage>);

impl Meter {
    /// What stands on it.
    pub(crate) fn read(&self) -> Usage {
        *self.0.lock()
    }

    /// What stood on it; it begins anew.
    pub(crate) fn take(&self) -> Usage {
        mem::take(&mut self.0.lock())
    }

    /// Puts what is known by now in the place of what stood there.
    #[cfg_attr(not(feature = "model"), expect(dead_code, reason = "adapters count"))]
    pub(crate) fn set(&self, usage: Usage) {
        *self.0.lock() = usage;
    }
}

/// What a model is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    /// The model.
    pub(crate) model: &'a str,
    /// What it is to do; the same for every page.
    pub(crate) system: &'a str,
    /// What was said so far, the last by the server.
    pub(crate) turns: &'a [Turn],
    /// JSON Schema that the answer is to fit.
    pub(crate) schema: &'a Value,
    /// Whether the schema leaves parts of the answer open: no provider holds a model to such a one.
    #[cfg_attr(not(feature = "model"), expect(dead_code, reason = "adapters heed it"))]
    pub(crate) is_open: bool,
}

impl Question<'_> {
    /// Bytes of all its texts.
    pub(crate) fn bytes(&self) -> usize {
        let turns: usize = self.turns.iter().map(|turn| turn.text.len()).sum();
        self.system.len() + turns + json_bytes(self.schema)
    }
}

/// Something that was said.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// Who said it.
    #[cfg_attr(not(feature = "model"), expect(dead_code, reason = "adapters tell it"))]
    pub(crate) speaker: Speaker,
    /// What.
    pub(crate) text: String,
}

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// The server, which asks.
    Server,
    /// The model.
    Model,
}

/// Tokens, as the provider counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Sent.
    pub(crate) prompt_tokens: u64,
    /// Received.
    pub(crate) answer_tokens: u64,
}

impl Usage {
    /// Both.
    pub(crate) fn tokens(self) -> u64 {
        self.prompt_tokens.saturating_add(self.answer_tokens)
    }

    /// What texts take at most, where nobody has counted them: no tokenizer needs more than one token
    /// for two bytes of what is sent here.
    pub(crate) fn estimated(prompt_bytes: usize, answer_bytes: usize) -> Self {
        /// Bytes of a short token.
        const TOKEN_BYTES: u64 = 2;
        Self {
            prompt_tokens: prompt_bytes as u64 / TOKEN_BYTES,
            answer_tokens: answer_bytes as u64 / TOKEN_BYTES,
        }
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.answer_tokens = self.answer_tokens.saturating_add(other.answer_tokens);
    }
}

/// Why a model gave no answer. None of it repeats a text of the provider, which may hold a key or
/// what it was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(
    not(feature = "model"),
    expect(dead_code, reason = "most of it only providers know")
)]
pub(crate) enum Trouble {
    /// It asks for patience, for longer than it is waited.
    #[error("the provider is busy")]
    Busy,
    /// The answer ended before its end.
    #[error("the answer was cut off")]
    CutOff,
    /// The answer does not end.
    #[error("the answer is longer than it may be")]
    Endless,
    /// The app has used what it may use today.
    #[error("the app has used what it may use today")]
    OverBudget,
    /// Too many views wait already.
    #[error("too many views wait for the model")]
    QueueFull,
    /// The model does not want to.
    #[error("the model has refused")]
    Refused,
    /// The provider takes no such request.
    #[error("the provider answers with HTTP status {0}")]
    Rejected(u16),
    /// It takes too long.
    #[error("the model takes too long")]
    TimedOut,
    /// The provider does not take the key.
    #[error("the provider does not take the key")]
    Unauthorized,
    /// The provider cannot be reached, or does not speak as expected.
    #[error("the provider cannot be reached")]
    Unavailable,
}

impl Trouble {
    /// The same in one word, for metrics.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::CutOff => "cut_off",
            Self::Endless => "endless",
            Self::OverBudget => "over_budget",
            Self::QueueFull => "queue_full",
            Self::Refused => "refused",
            Self::Rejected(_) => "rejected",
            Self::TimedOut => "timed_out",
            Self::Unauthorized => "unauthorized",
            Self::Unavailable => "unavailable",
        }
    }
}
