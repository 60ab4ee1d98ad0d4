//! Everything that can happen to a session.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde_json::Value;

use super::action::Action;
use super::clock::Time;
use super::contract::CompiledContract;
use super::operation::Caller;
use super::principal::Door;
use super::size::{shorten, value_bytes};
use super::theme::Theme;
use super::view::View;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::discovery::HostSession;
use crate::wire::host::HostContext;
use crate::wire::ids::{ActionId, Epoch, Seq, SessionId, ShortCode};

/// Version of the events themselves: a store that outlives a release reads it first.
pub(crate) const EVENT_SCHEMA: u16 = 1;

/// The channel on which the server tells how far a render is (live-channel.md §8.3).
pub(crate) const LIFECYCLE_CHANNEL: &str = "_ggui:lifecycle";
/// The channels of the server's own: no contract names them, and a fresh mount is told what was on
/// them (live-channel.md §8.2).
pub(crate) const RESERVED_CHANNELS: [&str; 2] = [LIFECYCLE_CHANNEL, "_ggui:preview"];

/// What happened.
#[derive(Debug)]
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
    /// An event that browsers are told of.
    Frame,
}

impl Event {
    /// Whether those who wait for this have to be woken for it.
    pub(crate) fn wakes(&self, awaited: Awaited) -> bool {
        match self {
            Self::ActionSubmitted(_) => true,
            Self::ActionsDrained(_)
            | Self::AuthRequested(_)
            | Self::ContextSynced(_)
            | Self::Emitted(_)
            | Self::Observed(_)
            | Self::Updated { .. } => awaited != Awaited::Action,
            Self::ActionsSettled(_)
            | Self::Created(_)
            | Self::Deleted
            | Self::HostContextObserved(_) => awaited == Awaited::Any,
        }
    }
}

/// A consent that is waited for.
#[derive(Debug)]
pub(crate) struct AuthRequest {
    /// Comes back with the answer.
    pub(crate) id: Arc<str>,
    /// Whose consent.
    pub(crate) provider: Arc<str>,
    /// What those who watch are told: `{kind: "auth-required", …}`.
    pub(crate) event: Value,
}

/// What a session is made of for all its life.
#[derive(Debug)]
pub(crate) struct Creation {
    /// Who rendered it.
    pub(crate) owner: Arc<str>,
    /// What it is for.
    pub(crate) intent: Arc<str>,
    /// What may go in and out.
    pub(crate) contract: Arc<CompiledContract>,
    /// How it looks.
    pub(crate) view: Arc<View>,
    /// The first props; none without a propsSpec.
    pub(crate) props: Option<Arc<Value>>,
    /// What it looks like, where the agent has chosen.
    pub(crate) theme: Option<Arc<Theme>>,
    /// The host that shows it, where the host has said so.
    pub(crate) host: Option<Arc<HostSession>>,
    /// What opens it in a browser.
    pub(crate) short_code: ShortCode,
}

/// An item on a channel.
#[derive(Debug)]
pub(crate) struct Emission {
    /// The channel.
    pub(crate) channel: Arc<str>,
    /// How items add up.
    pub(crate) mode: StreamMode,
    /// The item.
    pub(crate) payload: Value,
    /// Whether the channel has ended with it.
    pub(crate) complete: bool,
    /// Position over all channels of the session, gap-free (live-channel.md §8.1).
    pub(crate) stream_seq: u64,
    /// What of it a late subscriber gets.
    pub(crate) replay: StreamReplay,
}

/// An event with its circumstances, before the log has given it a position.
#[derive(Debug)]
pub(crate) struct Fact {
    /// When.
    pub(crate) at: Time,
    /// Who.
    pub(crate) principal: Arc<str>,
    /// Through which door.
    pub(crate) door: Door,
    /// What.
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
            event,
        }
    }

    /// Bytes it counts for in the log, encoded frames included.
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
                Event::Created(_) | Event::Deleted => 0,
                // Once in memory, once encoded.
                Event::Emitted(emission) => 2 * value_bytes(&emission.payload),
                Event::Observed(event) => 2 * value_bytes(event),
                Event::Updated { props, .. } => 2 * value_bytes(props),
            }
    }
}

/// An event in the log.
#[derive(Debug)]
pub(crate) struct Record {
    /// [`EVENT_SCHEMA`] of the release that wrote it.
    pub(crate) schema: u16,
    /// Its position.
    pub(crate) seq: Seq,
    /// Bytes of the log up to its end, forgotten ones included.
    pub(crate) ends_at: u64,
    /// The event and its circumstances.
    pub(crate) fact: Fact,
    /// Its frames, encoded once for all who read it.
    pub(crate) frames: OnceLock<Box<[Bytes]>>,
}

impl Record {
    /// A fact at its position, behind `log_bytes` of log.
    pub(crate) fn new(seq: Seq, log_bytes: u64, fact: Fact) -> Self {
        Self {
            schema: EVENT_SCHEMA,
            seq,
            ends_at: log_bytes + fact.weight() as u64,
            fact,
            frames: OnceLock::new(),
        }
    }

    /// The row of the activity list this event is worth, if any.
    pub(crate) fn activity(&self, session: &SessionId, owner: &Arc<str>) -> Option<Activity> {
        let (kind, text): (Cow<'static, str>, Option<Cow<'_, str>>) = match &self.fact.event {
            Event::ActionsDrained(ids) => {
                ("consumed".into(), Some(count(ids.len(), "action").into()))
            }
            Event::ActionSubmitted(action) => {
                ("clicked".into(), Some(action.gesture.intent().into()))
            }
            Event::Deleted => ("deleted".into(), None),
            Event::Created(creation) => ("rendered".into(), Some((&*creation.intent).into())),
            Event::AuthRequested(request) => {
                ("auth-required".into(), Some((&*request.provider).into()))
            }
            Event::ActionsSettled(_)
            | Event::ContextSynced(_)
            | Event::Emitted(_)
            | Event::HostContextObserved(_) => {
                return None;
            }
            Event::Observed(event) => {
                let kind = match event["kind"].as_str() {
                    None => "observed".into(),
                    Some("contract-violation") => "violation".into(),
                    Some(kind) => kind.to_owned().into(),
                };
                (kind, event["message"].as_str().map(Cow::from))
            }
            Event::Updated { reminted, .. } => {
                (if *reminted { "updated" } else { "amended" }.into(), None)
            }
        };
        Some(Activity {
            session: session.clone(),
            owner: Arc::clone(owner),
            seq: self.seq,
            at: self.fact.at,
            kind,
            text: text.map(|text| shorten(&text, Activity::TEXT_CHARS_MAX)),
            principal: Arc::clone(&self.fact.principal),
            door: self.fact.door,
        })
    }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A row of the activity list of an app.
#[derive(Debug, Clone)]
pub(crate) struct Activity {
    /// The session.
    pub(crate) session: SessionId,
    /// Who rendered it.
    pub(crate) owner: Arc<str>,
    /// Position in its log.
    pub(crate) seq: Seq,
    /// When.
    pub(crate) at: Time,
    /// In one word: rendered, clicked, consumed, updated, amended, violation, deleted.
    pub(crate) kind: Cow<'static, str>,
    /// In a few more.
    pub(crate) text: Option<String>,
    /// Who did it.
    pub(crate) principal: Arc<str>,
    /// Through which door.
    pub(crate) door: Door,
}

impl Activity {
    /// Longest text of a row: two lines of a narrow list.
    const TEXT_CHARS_MAX: usize = 240;
}
