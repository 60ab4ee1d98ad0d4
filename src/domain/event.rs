//! Everything that can happen to a session, as plain data: what a store keeps and a later release
//! reads.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::action::Action;
use super::attempt::{AttemptId, Attempts};
use super::clock::Time;
use super::document::DocumentHash;
use super::inbox::Inbox;
use super::operation::Caller;
use super::principal::Door;
use super::size::value_bytes;
use super::theme::Theme;
use super::view::View;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::discovery::HostSession;
use crate::wire::host::HostContext;
use crate::wire::ids::{ActionId, Epoch, Seq, SessionKey, ShortCode};
use crate::wire::tools::Variance;

/// Version of the stored form of events: every record carries it, and a newer one is refused.
pub(crate) const EVENT_SCHEMA: u16 = 3;

/// The channel on which the server tells how far a render is (live-channel.md §8.3).
pub(crate) const LIFECYCLE_CHANNEL: &str = "_ggui:lifecycle";
/// The channel on which those who watch see that a view is being drawn (live-channel.md §8.3).
pub(crate) const PREVIEW_CHANNEL: &str = "_ggui:preview";
/// The channels of the server's own: no contract names them, and a fresh mount is told what was on
/// them (live-channel.md §8.2).
pub(crate) const RESERVED_CHANNELS: [&str; 2] = [LIFECYCLE_CHANNEL, PREVIEW_CHANNEL];

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub(crate) enum Event {
    /// The agent has taken actions from the inbox, oldest first.
    ActionsDrained(Box<[ActionId]>),
    /// Of what the agent has taken, the oldest are not delivered again: it has confirmed them, or
    /// there is no room to keep them.
    ActionsSettled(Box<[ActionId]>),
    /// A person did something the contract allows.
    ActionSubmitted(Arc<Action>),
    /// The agent needs a person's consent elsewhere; those who watch are told where.
    AuthRequested(Arc<AuthRequest>),
    /// A mount told what its context slots hold; it replaces what any told before.
    ContextSynced(Arc<Value>),
    /// The session was rendered.
    Created(Arc<Creation>),
    /// The session was ended before its time: nothing comes after it.
    Deleted,
    /// An item on a channel.
    Emitted(Emission),
    /// A mount told of the host around it; it replaces what any told before.
    HostContextObserved(Arc<HostContext>),
    /// Something only those who watch are told: `{kind, …}`.
    Observed(Value),
    /// Another view took the place of the one that was shown.
    Redrawn(View),
    /// All that the events up to this position have come to: they may be forgotten. It takes no
    /// position of its own.
    Snapshot(Arc<SessionState>),
    /// The props changed; with `reminted`, as a new epoch of the history.
    Updated {
        /// All props.
        props: Arc<Value>,
        /// Epoch from now on.
        epoch: Epoch,
        /// Whether this opened a new epoch.
        reminted: bool,
    },
}

/// What someone waits for: nobody is woken by what does not concern them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// An action that the agent may take.
    Action,
    /// Anything at all.
    Any,
    /// An event that every browser is told of.
    Frame,
}

impl Event {
    /// Whether it shows that the session is in use: what was refused must not keep one alive.
    pub(crate) fn is_activity(&self) -> bool {
        !matches!(self, Self::Observed(_))
    }

    /// Whether only those browsers are told of it that observe the session.
    pub(crate) fn is_for_observers(&self) -> bool {
        matches!(
            self,
            Self::ActionSubmitted(_)
                | Self::AuthRequested(_)
                | Self::ContextSynced(_)
                | Self::Observed(_)
        )
    }

    /// Whether those who wait for this have to be woken for it.
    pub(crate) fn wakes(&self, awaited: Awaited) -> bool {
        match awaited {
            Awaited::Action => matches!(self, Self::ActionSubmitted(_)),
            Awaited::Any => true,
            Awaited::Frame => matches!(
                self,
                Self::ActionsDrained(_)
                    | Self::Emitted(_)
                    | Self::Redrawn(_)
                    | Self::Updated { .. }
            ),
        }
    }
}

/// A consent that is waited for.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AuthRequest {
    /// Comes back with the answer.
    pub(crate) id: Arc<str>,
    /// Whose consent.
    pub(crate) provider: Arc<str>,
    /// What those who watch are told: `{kind: "auth-required", …}`.
    pub(crate) event: Value,
}

/// What a session is made of for all its life.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Creation {
    /// Who rendered it.
    pub(crate) owner: Arc<str>,
    /// What it is for.
    pub(crate) intent: Arc<str>,
    /// What may go in and out: the contract of this hash.
    pub(crate) contract: DocumentHash,
    /// How it should feel.
    #[serde(default, skip_serializing_if = "Variance::is_plain")]
    pub(crate) variance: Variance,
    /// How it looks at first: the view of this hash.
    pub(crate) view: DocumentHash,
    /// The first props; none without a propsSpec.
    pub(crate) props: Option<Arc<Value>>,
    /// What it looks like, where the agent has chosen.
    pub(crate) theme: Option<Arc<Theme>>,
    /// The host that shows it, where the host has said so.
    pub(crate) host: Option<Arc<HostSession>>,
    /// What opens it in a browser.
    pub(crate) short_code: ShortCode,
    /// Whether it shows what was stored before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_reused: bool,
}

/// An item on a channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Emission {
    pub(crate) channel: Arc<str>,
    /// How items add up.
    pub(crate) mode: StreamMode,
    pub(crate) payload: Value,
    /// Whether the channel has ended with it.
    pub(crate) complete: bool,
    /// Position over all channels of the session, gap-free (live-channel.md §8.1).
    pub(crate) stream_seq: u64,
    /// What of it a late subscriber gets.
    pub(crate) replay: StreamReplay,
}

/// An event with its circumstances, before the log has given it a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fact {
    pub(crate) at: Time,
    pub(crate) principal: Arc<str>,
    /// Through which door.
    pub(crate) door: Door,
    /// The call that brought it about, where that was made under a key and this is what it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) attempt: Option<AttemptId>,
    pub(crate) event: Event,
}

impl Fact {
    /// What a caller did.
    pub(crate) fn by(caller: &Caller, at: Time, event: Event) -> Self {
        let principal = Arc::clone(&caller.principal.name);
        Self {
            at,
            principal,
            door: caller.door,
            attempt: None,
            event,
        }
    }

    /// The same as what a call is for: made again under its key, it is known by this.
    pub(crate) fn once_by(caller: &Caller, at: Time, event: Event) -> Self {
        let attempt = caller.attempt.as_ref();
        Self {
            attempt: attempt.map(|attempt| attempt.id.clone()),
            ..Self::by(caller, at, event)
        }
    }

    /// Bytes it counts for in the log, with the frames that are encoded of it.
    pub(crate) fn weight(&self) -> usize {
        /// What a record costs before its content.
        const RECORD_BYTES: usize = 200;
        /// What is known of a host, at most twice over.
        const HOST_CONTEXT_BYTES: usize = 1_024;
        RECORD_BYTES
            + match &self.event {
                Event::ActionsDrained(ids) => ids.iter().map(|id| id.as_str().len() + 160).sum(),
                Event::ActionsSettled(ids) => ids.iter().map(|id| id.as_str().len()).sum(),
                Event::ActionSubmitted(action) => action.bytes(),
                Event::AuthRequested(request) => 2 * value_bytes(&request.event),
                Event::ContextSynced(snapshot) => value_bytes(snapshot),
                Event::HostContextObserved(_) => HOST_CONTEXT_BYTES,
                Event::Created(_) | Event::Deleted | Event::Snapshot(_) => 0,
                // Once in memory, once encoded.
                Event::Emitted(emission) => 2 * value_bytes(&emission.payload),
                Event::Observed(event) => 2 * value_bytes(event),
                Event::Redrawn(view) => 2 * view.to_json().len(),
                Event::Updated { props, .. } => 2 * value_bytes(props),
            }
    }
}

/// An event in the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// [`EVENT_SCHEMA`] of the release that wrote it.
    pub(crate) schema: u16,
    pub(crate) seq: Seq,
    /// Bytes of the log up to its end, forgotten ones included.
    pub(crate) ends_at: u64,
    /// The event and its circumstances.
    pub(crate) fact: Fact,
}

impl Record {
    /// A fact at its position, behind `log_bytes` of log.
    pub(crate) fn new(seq: Seq, log_bytes: u64, fact: Fact) -> Self {
        Self {
            schema: EVENT_SCHEMA,
            seq,
            ends_at: log_bytes + fact.weight() as u64,
            fact,
        }
    }

    /// Facts as the records that follow a position, behind `log_bytes` of log.
    pub(crate) fn following(
        mut head: Seq,
        mut log_bytes: u64,
        facts: impl IntoIterator<Item = Fact>,
    ) -> Vec<Arc<Self>> {
        let records = facts.into_iter().map(|fact| {
            head = head.next();
            let record = Self::new(head, log_bytes, fact);
            log_bytes = record.ends_at;
            Arc::new(record)
        });
        records.collect()
    }

    /// A state as a record that replaces all events it is made of.
    pub(crate) fn snapshot(state: SessionState) -> Self {
        Self {
            schema: EVENT_SCHEMA,
            seq: state.seq,
            ends_at: state.log_bytes,
            fact: Fact {
                at: state.last_activity_at,
                principal: Arc::clone(&state.creation.owner),
                door: Door::Server,
                attempt: None,
                event: Event::Snapshot(Arc::new(state)),
            },
        }
    }

    /// The stored form.
    pub(crate) fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// Reads the stored form.
    ///
    /// # Errors
    ///
    /// It is malformed, or a newer release has written it.
    pub(crate) fn from_json(text: &str) -> serde_json::Result<Self> {
        /// What every release can read of a record.
        #[derive(Deserialize)]
        struct Header {
            schema: u16,
        }
        let Header { schema } = serde_json::from_str(text)?;
        if schema > EVENT_SCHEMA {
            return Err(serde_json::Error::custom(format_args!(
                "events of schema {schema} need a newer release; this one reads up to {EVENT_SCHEMA}"
            )));
        }
        serde_json::from_str(text)
    }
}

/// A session as its events have made it: plain data, and equal wherever the same events are folded.
/// What is large in it is shared, so that a copy for those who hold the state of a moment is cheap.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SessionState {
    /// Whose, and which.
    pub(crate) key: SessionKey,
    /// Position of the last event folded in.
    pub(crate) seq: Seq,
    /// Bytes of the log up to there, forgotten ones included.
    pub(crate) log_bytes: u64,
    /// Stream position of the last item.
    pub(crate) stream_seq: u64,
    /// Stream position of the last item that late subscribers are to be given.
    pub(crate) replayed_stream_seq: u64,
    /// What it was made of.
    pub(crate) creation: Arc<Creation>,
    /// The view that took the place of the first one; none before one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) redrawn: Option<View>,
    /// The props it shows; none without a propsSpec.
    pub(crate) props: Option<Arc<Value>>,
    /// How often the props were written: 1 at birth; what `expectedVersion` is held against.
    pub(crate) version: u64,
    /// Version of its history.
    pub(crate) epoch: Epoch,
    /// What the context slots hold, as a mount told last; none before the first told.
    pub(crate) context: Option<Arc<Value>>,
    /// The host around it, as a mount told last.
    pub(crate) host_context: Option<Arc<HostContext>>,
    /// Consents that are waited for, oldest first.
    pub(crate) auth_requests: Arc<Vec<Arc<AuthRequest>>>,
    /// What people did and no agent has taken yet, or may have missed.
    pub(crate) inbox: Inbox,
    /// The last item of each channel that replays it; outlives the log's horizon.
    pub(crate) latest: Arc<BTreeMap<Arc<str>, Arc<Record>>>,
    /// Calls under keys that took effect.
    #[serde(default, skip_serializing_if = "Attempts::is_empty")]
    pub(crate) attempts: Attempts,
    /// When it was rendered.
    pub(crate) created_at: Time,
    /// When something last happened.
    pub(crate) last_activity_at: Time,
}
