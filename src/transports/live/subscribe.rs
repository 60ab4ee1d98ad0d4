//! Whether a subscription is accepted, judged in the order of live-channel.md §3.2.

use std::borrow::Cow;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::inbound::read_payload;
use super::state::Channel;
use crate::domain::credentials::ChannelPass;
use crate::domain::operation::Caller;
use crate::domain::principal::{Door, Lease, Principal};
use crate::domain::size::shorten;
use crate::services::live::{Since, Subscription, Wanted};
use crate::transports::faults::Fault;
use crate::wire::fault::Code;
use crate::wire::frames::{DRAFTS, Subscribe};
use crate::wire::ids::{Seq, SessionKey};
use crate::wire::whole;

/// What a socket has shown before it subscribes.
pub(super) enum PendingCredential {
    /// A credential; good for one attempt.
    Principal(Principal),
    /// The promise of a token in the subscription; good for one attempt.
    Token,
    /// Nothing any more.
    Used,
}

impl PendingCredential {
    /// How long it may be shown.
    pub(super) fn lease(&self) -> Lease {
        match self {
            Self::Principal(principal) => principal.lease,
            Self::Token | Self::Used => Lease::Standing,
        }
    }
}

/// A subscription that was found good.
pub(super) struct Accepted {
    pub(super) caller: Caller,
    pub(super) key: SessionKey,
    pub(super) subscription: Subscription,
    pub(super) server_version: Cow<'static, str>,
    /// The token it came by, if it did: then reconnects get one of their own.
    pub(super) by_token: Option<ChannelPass>,
}

/// Judges a subscription in the order of live-channel.md §3.2. Those who watch the session already
/// are told of a refusal, if whoever was refused held a token of it once.
pub(super) async fn judge(
    shared: &Channel,
    parked: PendingCredential,
    payload: Option<&RawValue>,
) -> Result<Accepted, Fault> {
    let asked: Subscribe = read_payload(payload)?;
    let token = asked.ws_token.clone();
    let offered = asked.supported_versions.clone();
    let judged = decide(shared, parked, asked).await;
    if let Err(fault) = &judged
        && let Some(key) = token.and_then(|token| shared.access.credentials.session_of(&token))
    {
        shared
            .live
            .notify_observers(&key, refusal(fault, offered))
            .await;
    }
    judged
}

fn refusal(fault: &Fault, offered: Option<Vec<String>>) -> Value {
    /// Drafts of a client that are repeated.
    const DRAFTS_MAX: usize = 8;
    /// Characters of each.
    const DRAFT_CHARS_MAX: usize = 40;
    if fault.code() == Code::UpgradeRequired {
        let offered = offered.unwrap_or_default();
        let accepted: Vec<_> = offered
            .iter()
            .take(DRAFTS_MAX)
            .map(|draft| shorten(draft, DRAFT_CHARS_MAX))
            .collect();
        json!({
            "kind": "schema-version-mismatch",
            "observedVersion": DRAFTS[0],
            "acceptedVersions": accepted,
            "observedBy": "server",
        })
    } else {
        json!({
            "kind": "subscribe-failed",
            "reason": fault.code().row().word,
            "message": fault.message(),
        })
    }
}

async fn decide(
    shared: &Channel,
    parked: PendingCredential,
    asked: Subscribe,
) -> Result<Accepted, Fault> {
    if matches!(parked, PendingCredential::Used) {
        return Err(Fault::of(Code::UnauthenticatedFrame));
    }
    let server_version = common_draft(
        &shared.suite.drafts(&asked.session_id),
        asked.supported_versions.as_deref(),
    )?;
    let (key, principal, by_token) = match (parked, &asked.ws_token) {
        (_, Some(token)) => {
            let pass = shared.access.credentials.check_channel(token)?;
            let key = pass.key.clone();
            if key.session.as_str() != asked.session_id {
                return Err(Fault::of(Code::BootstrapSessionMismatch));
            }
            if asked
                .app_id
                .as_deref()
                .is_some_and(|app| app != key.app.as_str())
            {
                return Err(Fault::of(Code::BootstrapAppMismatch));
            }
            (key, pass.viewer(), Some(pass))
        }
        (PendingCredential::Principal(principal), None) => {
            if asked
                .app_id
                .as_deref()
                .is_some_and(|app| app != principal.app.as_str())
            {
                return Err(Fault::of(Code::AppMismatch));
            }
            (principal.key(&asked.session_id), principal, None)
        }
        (PendingCredential::Token | PendingCredential::Used, None) => {
            return Err(Fault::of(Code::UnauthenticatedFrame));
        }
    };
    let mounted = shared
        .access
        .check_mount(Door::Socket, &principal, Some(key.session.as_str()));
    mounted.await.map_err(Fault::in_frame)?;
    let wanted = Wanted {
        from_seq: asked.from_seq,
        since: asked.since_sequence.map(|given| {
            let position = whole::of(&given).map(|seq| Since::Position(Seq(seq)));
            position.unwrap_or(Since::Malformed)
        }),
        observes: asked.observe,
    };
    let mut subscription = shared.live.subscribe(&key, &principal, wanted).await;
    if let (Err(error), None) = (&subscription, &by_token)
        && shared.suite.provision(&key, error).await?
    {
        subscription = shared.live.subscribe(&key, &principal, wanted).await;
    }
    let subscription = subscription.map_err(|error| Fault::from(error).in_frame())?;
    let caller = Caller::through(Door::Socket, principal);
    Ok(Accepted {
        caller,
        key,
        subscription,
        server_version,
        by_token,
    })
}

/// The highest draft both sides speak; a client that names none takes ours.
fn common_draft(
    ours: &[Cow<'static, str>],
    offered: Option<&[String]>,
) -> Result<Cow<'static, str>, Fault> {
    let offered = offered.unwrap_or_default();
    let common = ours
        .iter()
        .find(|draft| offered.iter().any(|offer| *offer == ***draft));
    match common {
        _ if offered.is_empty() => Ok(ours[0].clone()),
        Some(draft) => Ok(draft.clone()),
        None => Err(Fault::of(Code::UpgradeRequired).with(json!({
            "serverVersion": ours[0],
            "clientSupportedVersions": offered,
            "policy": "reject",
        }))),
    }
}
