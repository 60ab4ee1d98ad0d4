//! How agents take what people did: at once, or as soon as there is something.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, timeout_at};

use super::super::book::{BookError, Decision};
use super::error::ActionError;
use super::presence::presence_fact;
use super::service::Actions;
use crate::domain::action::Action;
use crate::domain::attempt::CameTo;
use crate::domain::event::{Awaited, Event, Fact, LIFECYCLE_CHANNEL};
use crate::domain::inbox::{Handout, NeverDelivered};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::host::HostContext;
use crate::wire::ids::{Seq, SessionKey};
use crate::wire::tools::{ActionEvent, Client, ConsumeParams, ConsumeResult, SessionStatus};

/// What an agent takes away.
#[derive(Default)]
struct Drained {
    events: Vec<ActionEvent>,
    host_context: Option<Arc<HostContext>>,
}

impl Actions {
    /// `ggui_consume`: takes what waits, or waits for it. Cancelled by dropping: nothing is
    /// drained before there is someone to hand it to.
    pub(super) async fn consume(
        &self,
        caller: &Caller,
        params: ConsumeParams,
    ) -> Result<ConsumeResult, ActionError> {
        let key = caller.principal.key(&params.session_id);
        let wait = Duration::from_secs(params.timeout.unwrap_or(0).into());
        let deadline = Instant::now() + wait;
        let after = params.after.as_deref();
        let (drained, mut seq) = self.drain(caller, &key, after).await?;
        if wait.is_zero() {
            return Ok(active(drained));
        }
        // Who came to wait was here, even if there was no need to.
        let present = self.presences.enter(&key).await;
        if !drained.events.is_empty() {
            return Ok(active(drained));
        }
        let _present = present.map_err(ActionError::Store)?;
        self.announce_polling(caller, &key).await;
        loop {
            let moved = tokio::select! {
                // The drain goes first: a held consume is answered, not served.
                biased;
                () = self.drain.cancelled() => return Ok(active(Drained::default())),
                moved = timeout_at(deadline, self.book.wait(&key, seq, Awaited::Action)) => moved,
            };
            match (moved, self.drain(caller, &key, after).await) {
                (_, Ok((drained, _))) if !drained.events.is_empty() => return Ok(active(drained)),
                (Err(_), Ok((drained, _))) => return Ok(active(drained)),
                (Ok(_), Ok((_, head))) => seq = head,
                // It ended while the agent waited.
                (_, Err(ActionError::SessionNotFound { .. })) => {
                    return Ok(ConsumeResult::nothing(SessionStatus::Expired));
                }
                (_, Err(error)) => return Err(error),
            }
        }
    }

    /// Takes everything that waits, and again what an earlier call took that never arrived.
    async fn drain(
        &self,
        caller: &Caller,
        key: &SessionKey,
        after: Option<&str>,
    ) -> Result<(Drained, Seq), ActionError> {
        let now = self.clock.now();
        let decide = |session: &Session| -> Result<Decision<_>, ActionError> {
            if let Some(CameTo::Drained { count, last }) =
                session.attempts.find(caller.attempt.as_ref())
            {
                let given = session.inbox.hand_out_again(after, *count, last);
                let events = given
                    .iter()
                    .map(|action| action.to_event(&key.session, true));
                return Ok(Decision {
                    facts: Vec::new(),
                    answer: Drained {
                        events: events.collect(),
                        host_context: session.host_context.clone(),
                    },
                });
            }
            let given = session.inbox.hand_out(after, &self.limits.actions);
            let Handout {
                again,
                fresh,
                settled,
            } = given.map_err(|NeverDelivered| ActionError::NeverDelivered)?;
            let of = |action: &Arc<Action>, again| action.to_event(&key.session, again);
            let events = again.iter().map(|action| of(action, true));
            let events = events.chain(fresh.iter().map(|action| of(action, false)));
            let mut facts = Vec::new();
            if !fresh.is_empty() {
                let ids = fresh.iter().map(|action| action.id.clone()).collect();
                facts.push(Fact::once_by(caller, now, Event::ActionsDrained(ids)));
            }
            if !settled.is_empty() {
                let event = Event::ActionsSettled(settled.into());
                facts.push(Fact::by(caller, now, event));
            }
            Ok(Decision {
                facts,
                answer: Drained {
                    events: events.collect(),
                    host_context: session.host_context.clone(),
                },
            })
        };
        self.book.decide(caller, key, decide).await
    }

    /// Tells those who watch that an agent waits.
    async fn announce_polling(&self, caller: &Caller, key: &SessionKey) {
        let now = self.clock.now();
        let is_news = self.presences.announce(key, true).await;
        let decide = |session: &Session| -> Result<Decision<()>, BookError> {
            let payload = json!({
                "kind": "consume_polling",
                "state": "open",
                "sessionId": key.session.as_str(),
            });
            let channel = LIFECYCLE_CHANNEL.into();
            let emission = session.emission(
                channel,
                StreamMode::Append,
                StreamReplay::Latest,
                payload,
                false,
            );
            let polling = Fact::by(caller, now, Event::Emitted(emission));
            let news = is_news.then(|| presence_fact(now, key, true));
            Ok(Decision::of([polling].into_iter().chain(news)))
        };
        // Only a courtesy: the wait itself finds out what has become of the session.
        let _ = self.book.decide(caller, key, decide).await;
    }

    /// Tells of agents that did not come back, and forgets those that left long ago.
    pub(crate) async fn sweep(&self) {
        let now = self.clock.now();
        for key in self.presences.absent().await {
            if !self.presences.announce(&key, false).await {
                continue;
            }
            let caller = Caller::server(key.app.clone());
            let decide = |_: &Session| -> Result<Decision<()>, BookError> {
                Ok(Decision::of([presence_fact(now, &key, false)]))
            };
            // A session that is gone has nobody left who watches.
            let _ = self.book.decide(&caller, &key, decide).await;
        }
        self.presences.forget().await;
    }
}

fn active(drained: Drained) -> ConsumeResult {
    ConsumeResult {
        events: drained.events,
        client: drained
            .host_context
            .map(|host_context| Client { host_context }),
        ..ConsumeResult::nothing(SessionStatus::Active)
    }
}
