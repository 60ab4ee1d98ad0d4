//! What an interface has to say of requests and of the events that answer them.

use reqwest::header::{HeaderName, HeaderValue};
use serde_json::Value;

use super::key::Key;
use crate::domain::generation::{Question, Trouble};

/// The interface of a provider.
pub(super) struct Interface {
    /// What is added to the address.
    pub(super) path: &'static str,
    /// The header that carries the key.
    pub(super) key: fn(&Key) -> Option<(HeaderName, HeaderValue)>,
    /// Other headers.
    pub(super) headers: &'static [(&'static str, &'static str)],
    /// The body of a request.
    pub(super) body: fn(&Question<'_>, Form) -> Value,
    /// Takes in an event.
    pub(super) take: fn(&mut Taken, &Value) -> Result<(), Trouble>,
}

/// How a model is held to the schema of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// It can write nothing else.
    Strict,
    /// It is told the schema, and may write something else: not every provider, nor every schema,
    /// can be had otherwise.
    Lenient,
}

/// The form of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// How the model is held to the schema.
    pub(super) hold: Hold,
    /// Tokens of the answer at most.
    pub(super) tokens_max: u32,
}

/// What has come in of an answer.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// What the model has written.
    pub(super) text: String,
    /// Tokens sent, as the provider has counted them.
    pub(super) prompt_tokens: Option<u64>,
    /// Tokens received, as the provider has counted them at the end of the answer.
    pub(super) answer_tokens: Option<u64>,
    /// How the model has come to its end, once it has. What it took may be told behind it.
    pub(super) end: Option<Result<(), Trouble>>,
}

impl Taken {
    /// How the answer has ended, now that nothing follows.
    pub(super) fn ended(&mut self) -> Result<(), Trouble> {
        self.end.take().unwrap_or(Err(Trouble::CutOff))
    }
}
