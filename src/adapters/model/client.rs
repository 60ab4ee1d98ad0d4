//! Asks a provider: within its limits, again where that may help, and without a word of what was said.

use std::collections::HashSet;
use std::mem;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};
use tracing::Instrument as _;

use super::anthropic::ANTHROPIC;
use super::attempt::Attempt;
use super::connections;
use super::events::Events;
use super::interface::{Form, Hold, Interface};
use super::key::Key;
use super::openai::OPENAI;
use super::unusable::ModelUnusable;
use crate::domain::generation::{Meter, Prices, Question, Trouble, ViewGenerator};
use crate::domain::limits::GenerationLimits;
use crate::domain::model_settings::Provider;

/// The wait before the first retry, where the provider names none; each further one is twice as long.
const BACKOFF: Duration = Duration::from_millis(500);
/// Bytes of a stream for a byte of its text: each piece of the text comes in an event of its own.
const EVENT_BYTES_PER_BYTE: usize = 64;

/// Where a provider is asked, and with which key.
#[derive(Debug)]
pub(crate) struct Endpoint {
    /// Whose interface it has.
    pub(crate) provider: Provider,
    /// Its address, without a path of the interface.
    pub(crate) base: String,
    /// Its key; a server on this machine may need none.
    pub(crate) key: Option<Key>,
    /// What it takes for its tokens.
    pub(crate) prices: Prices,
}

/// Asks one provider.
pub(crate) struct Client {
    http: reqwest::Client,
    interface: &'static Interface,
    endpoint: Endpoint,
    limits: GenerationLimits,
    /// Models that can only be told of a schema, and whether it was an open one: they are not asked
    /// otherwise again.
    lenient: Mutex<HashSet<(String, bool)>>,
}

/// How an attempt failed, and what may be done about it.
struct Failed {
    why: Trouble,
    then: Then,
}

enum Then {
    /// It fails again.
    GiveUp,
    /// The provider may take a request that does not hold the model to the schema.
    AskPlainly,
    /// It may succeed after a wait; the provider may have named one.
    Retry(Option<Duration>),
}

impl Client {
    /// A client of a provider; none of [`Provider::None`].
    ///
    /// # Errors
    ///
    /// Connections cannot be made.
    pub(crate) fn new(
        endpoint: Endpoint,
        limits: GenerationLimits,
    ) -> Result<Option<Self>, ModelUnusable> {
        let interface = match endpoint.provider {
            Provider::None => return Ok(None),
            Provider::OpenAi => &OPENAI,
            Provider::Anthropic => &ANTHROPIC,
        };
        let http = connections::builder()
            .read_timeout(limits.pause())
            .build()
            .map_err(|error| ModelUnusable::no_connections("model.provider", &error))?;
        Ok(Some(Self {
            http,
            interface,
            endpoint,
            limits,
            lenient: Mutex::default(),
        }))
    }

    /// Sends a request and reads the answer to its end.
    async fn attempt(
        &self,
        question: &Question<'_>,
        hold: Hold,
        attempt: &mut Attempt<'_>,
    ) -> Result<String, Failed> {
        let until = Instant::now() + self.limits.answer();
        let form = Form {
            hold,
            tokens_max: self.limits.answer_tokens_max,
        };
        let body = (self.interface.body)(question, form).to_string();
        let address = format!("{}{}", self.endpoint.base, self.interface.path);
        let mut request = self
            .http
            .post(address)
            .header(CONTENT_TYPE, "application/json");
        let key = self.endpoint.key.as_ref();
        if let Some((name, value)) = key.and_then(|key| (self.interface.key)(key)) {
            request = request.header(name, value);
        }
        for (name, value) in self.interface.headers {
            request = request.header(*name, *value);
        }
        let failed = |why, then| Err(Failed { why, then });
        let response = match timeout_at(until, request.body(body).send()).await {
            Err(_) => return failed(Trouble::TimedOut, Then::GiveUp),
            Ok(Err(error)) => {
                if error.is_connect() {
                    attempt.is_refused();
                }
                return match error.is_timeout() {
                    true => failed(Trouble::TimedOut, Then::GiveUp),
                    false => failed(Trouble::Unavailable, Then::Retry(None)),
                };
            }
            Ok(Ok(response)) => response,
        };
        if let Err(refused) = check(&response, hold) {
            attempt.is_refused();
            return Err(refused);
        }
        let read = timeout_at(until, self.read(response, attempt)).await;
        match read {
            Err(_) => failed(Trouble::TimedOut, Then::GiveUp),
            Ok(Ok(())) => Ok(mem::take(&mut attempt.taken.text)),
            Ok(Err(why @ (Trouble::CutOff | Trouble::Unavailable))) => {
                failed(why, Then::Retry(None))
            }
            Ok(Err(why)) => failed(why, Then::GiveUp),
        }
    }

    async fn read(&self, mut response: Response, attempt: &mut Attempt<'_>) -> Result<(), Trouble> {
        let mut events = Events::default();
        let mut bytes = 0;
        loop {
            let piece = match response.chunk().await {
                Ok(Some(piece)) => piece,
                Ok(None) => return attempt.taken.ended(),
                Err(error) if error.is_timeout() => return Err(Trouble::TimedOut),
                Err(_) => return attempt.taken.ended(),
            };
            bytes += piece.len();
            let max = self.limits.answer_bytes_max;
            if bytes > max.saturating_mul(EVENT_BYTES_PER_BYTE) {
                return Err(Trouble::Endless);
            }
            for data in events.push(&piece) {
                if data == "[DONE]" {
                    return attempt.taken.ended();
                }
                let event: Value = serde_json::from_str(&data).map_err(|_| Trouble::CutOff)?;
                let taken = (self.interface.take)(&mut attempt.taken, &event);
                attempt.note();
                taken?;
                if attempt.taken.text.len() > max {
                    return Err(Trouble::Endless);
                }
            }
        }
    }
}

/// Whether a response is an answer. What else stands in it is not read: it may repeat a key.
fn check(response: &Response, hold: Hold) -> Result<(), Failed> {
    let status = response.status().as_u16();
    let (why, then) = match status {
        200..300 => return Ok(()),
        401 | 403 => (Trouble::Unauthorized, Then::GiveUp),
        400 | 422 if hold == Hold::Strict => (Trouble::Rejected(status), Then::AskPlainly),
        408 | 429 => (Trouble::Busy, Then::Retry(wait(response))),
        500.. => (Trouble::Unavailable, Then::Retry(wait(response))),
        _ => (Trouble::Rejected(status), Then::GiveUp),
    };
    Err(Failed { why, then })
}

/// How long a response asks to wait.
fn wait(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    seconds.trim().parse().ok().map(Duration::from_secs)
}

#[async_trait]
impl ViewGenerator for Client {
    async fn answer(&self, question: &Question<'_>, meter: &Meter) -> Result<String, Trouble> {
        let form = (question.model.to_owned(), question.is_open);
        let mut hold = match self.lenient.lock().contains(&form) {
            true => Hold::Lenient,
            false => Hold::Strict,
        };
        let (mut retries, mut number) = (0, 0);
        loop {
            number += 1;
            let mut attempt = Attempt::begin(number, question, self.endpoint.prices, meter);
            let span = attempt.span.clone();
            let asked = self.attempt(question, hold, &mut attempt);
            let answered = asked.instrument(span).await;
            attempt.end(answered.as_ref().map_err(|failed| &failed.why));
            let Failed { why, then } = match answered {
                Ok(text) => {
                    if hold == Hold::Lenient {
                        self.lenient.lock().insert(form);
                    }
                    return Ok(text);
                }
                Err(failed) => failed,
            };
            let wait = match then {
                Then::AskPlainly => {
                    hold = Hold::Lenient;
                    continue;
                }
                Then::Retry(wait) if retries < self.limits.retries_max => {
                    wait.unwrap_or(BACKOFF.saturating_mul(1 << retries.min(8)))
                }
                _ => return Err(why),
            };
            if wait > self.limits.retry_wait_max() {
                return Err(why);
            }
            retries += 1;
            tracing::debug!(%why, retries, "the provider is asked again");
            sleep(wait).await;
        }
    }
}
