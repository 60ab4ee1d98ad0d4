//! Items on the channels of a session.

use governor::clock::Clock as _;

use super::super::book::Decision;
use super::error::{ContentError, too_large};
use super::service::Content;
use crate::domain::brain::{PAGE_FEED, page_channels};
use crate::domain::contract::{CompiledContract, error};
use crate::domain::event::{Event, Fact};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::size::value_bytes;
use crate::wire::tools::{EmitParams, EmitResult};

impl Content {
    /// `ggui_emit`: one item on a declared channel (tools.md §7).
    pub(super) async fn emit(
        &self,
        caller: &Caller,
        params: EmitParams,
    ) -> Result<EmitResult, ContentError> {
        let now = self.clock.now();
        let key = caller.principal.key(&params.session_id);
        let complete = params.complete.unwrap_or(false);
        let decide = |session: &Session| {
            if session.attempts.find(caller.attempt.as_ref()).is_some() {
                return Ok(Decision::of([]));
            }
            let contract = &session.contract;
            let streams = contract.contract().stream_spec.as_ref();
            let Some(channel) = streams.and_then(|streams| streams.get(&params.channel)) else {
                let declared = contract.channels().map(str::to_owned).collect();
                let channel = params.channel.clone();
                return Err(ContentError::ChannelNotDeclared { channel, declared });
            };
            let max = self.limits.emits.payload_bytes_max;
            let judged = if value_bytes(&params.payload) > max {
                let field = format!("{}.payload", params.channel);
                Err(vec![too_large(&field, max)])
            } else {
                contract.check_emit(&params.channel, &params.payload)
            };
            judged.map_err(|violations| ContentError::Violations {
                violations,
                props_schema_hash: None,
            })?;
            if complete && channel.complete != Some(true) {
                let channel = params.channel.clone();
                return Err(ContentError::ChannelNotCompletable { channel });
            }
            if let Err(wait) = self.emit_rate.check_key(&key) {
                let wait = wait.wait_time_from(self.emit_rate.clock().now());
                return Err(ContentError::TooFast { wait });
            }
            let payload = params.payload.clone();
            let emission = session.emission(
                params.channel.as_str().into(),
                channel.mode.unwrap_or_default(),
                channel.replay.unwrap_or_default(),
                payload,
                complete,
            );
            let fact = Fact::once_by(caller, now, Event::Emitted(emission));
            Ok(Decision::of([fact]))
        };
        self.book.decide(caller, &key, decide).await?;
        Ok(EmitResult { accepted: true })
    }
}

/// Refuses pages that feed channels: whether they may is judged when a contract is negotiated.
pub(super) fn check_feeds(contract: &CompiledContract) -> Result<(), ContentError> {
    let fed = page_channels(contract.contract());
    let findings = fed.map(|fed| {
        let path = format!("streamSpec.{}.source", fed.channel);
        error(
            PAGE_FEED,
            &path,
            "pages feed channels of contracts that were negotiated",
        )
    });
    match findings.collect::<Vec<_>>() {
        findings if findings.is_empty() => Ok(()),
        findings => Err(ContentError::OverrideUnsound(findings)),
    }
}
