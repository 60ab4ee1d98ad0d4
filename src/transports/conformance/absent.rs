//! A build without conformance suites: no fixtures, and no sessions that are not what they say.

use std::borrow::Cow;
#[cfg(feature = "gate")]
use std::sync::Arc;

#[cfg(feature = "gate")]
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use http::HeaderMap;
use serde_json::{Map, Value};

#[cfg(feature = "gate")]
use crate::domain::gate::Requester;
use crate::services::live::LiveError;
use crate::transports::faults::Fault;
use crate::wire::fault::Era;
use crate::wire::frames::DRAFTS;
use crate::wire::ids::SessionKey;

/// No suite prepares this server.
pub(crate) struct Suite;

impl Suite {
    /// The drafts that are spoken in a session, newest first.
    pub(crate) fn drafts(&self, _: &str) -> Vec<Cow<'static, str>> {
        DRAFTS.iter().map(|draft| Cow::Borrowed(*draft)).collect()
    }

    /// Makes no session.
    pub(crate) async fn provision(&self, _: &SessionKey, _: &LiveError) -> Result<bool, Fault> {
        Ok(false)
    }
}

/// No fixtures.
pub(crate) struct Fixtures;

impl Fixtures {
    /// No fixture becomes a task.
    #[cfg(feature = "gate")]
    pub(crate) const HAVE_TASKS: bool = false;

    /// No argument is repeated in a header.
    pub(crate) fn check(_: Era, _: &HeaderMap, _: &Map<String, Value>) -> Result<(), Fault> {
        Ok(())
    }

    /// No request is about a fixture.
    pub(crate) fn answer(_: Era, _: &str, _: &Map<String, Value>) -> Option<Result<Value, Fault>> {
        None
    }

    /// No fixture asks its caller anything.
    #[cfg(feature = "gate")]
    pub(crate) fn asks(_: &str, _: &Map<String, Value>) -> bool {
        false
    }

    /// No request is about a fixture that asks.
    #[cfg(feature = "gate")]
    pub(crate) fn ask(
        _: &Arc<dyn Requester>,
        _: &str,
        _: &Map<String, Value>,
    ) -> Option<BoxFuture<'static, Result<Value, Fault>>> {
        None
    }

    /// No fixture announces anything.
    pub(crate) fn notices(
        _: Era,
        _: &str,
        _: &Map<String, Value>,
    ) -> Option<BoxStream<'static, Value>> {
        None
    }

    /// A list without fixtures.
    pub(crate) fn mix_in(_: &str, result: Value) -> Value {
        result
    }
}
