//! Whether a subscription is accepted, judged in the order of live-channel §2.2.

use serde_json::json;
use serde_json::value::RawValue;

use super::super::doors::Doors;
use super::super::fault::Fault;
use super::inbound::read_payload;
use crate::domain::operation::Caller;
use crate::domain::principal::{Door, Principal};
use crate::services::live::{Since, Subscription, Wanted};
use crate::wire::fault::Code;
use crate::wire::frames::{DRAFTS, Subscribe};
use crate::wire::ids::{Seq, SessionKey};

/// What a socket has shown before it subscribes.
pub(super) enum Parked {
    /// A credential; good for one attempt.
    Principal(Principal),
    /// The promise of a token in the subscription; good for one attempt.
    Token,
    /// Nothing any more.
    Spent,
}

/// A subscription that was found good.
pub(super) struct Accepted {
    pub(super) caller: Caller,
    pub(super) key: SessionKey,
    pub(super) subscription: Subscription,
    pub(super) server_version: &'static str,
    /// Whether it came by token: then reconnects get one of their own.
    pub(super) by_token: bool,
}

/// Judges a subscription in the order of live-channel §2.2.
pub(super) async fn judge(
    doors: &Doors,
    parked: Parked,
    payload: Option<&RawValue>,
) -> Result<Accepted, Fault> {
    let asked: Subscribe = read_payload(payload)?;
    if matches!(parked, Parked::Spent) {
        return Err(Fault::of(Code::UnauthenticatedFrame));
    }
    let server_version = common_draft(asked.supported_versions.as_deref())?;
    let (key, principal, by_token) = match (parked, &asked.ws_token) {
        (_, Some(token)) => {
            let key = doors.auth.check_channel(token)?.key;
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
            let viewer = Principal::viewer(key.app.clone());
            (key, viewer, true)
        }
        (Parked::Principal(principal), None) => {
            if asked
                .app_id
                .as_deref()
                .is_some_and(|app| app != principal.app.as_str())
            {
                return Err(Fault::of(Code::AppMismatch));
            }
            (principal.key(&asked.session_id), principal, false)
        }
        (Parked::Token | Parked::Spent, None) => {
            return Err(Fault::of(Code::UnauthenticatedFrame));
        }
    };
    let wanted = Wanted {
        from_seq: asked.from_seq,
        since: asked.since_sequence.map(|given| {
            let position = given.as_u64().map(|seq| Since::Position(Seq(seq)));
            position.unwrap_or(Since::Malformed)
        }),
        observes: asked.observe,
    };
    let subscription = doors.live.subscribe(&key, &principal, wanted).await;
    let subscription = subscription
        .map_err(|error| Fault::unread(&error, Code::SessionNotFoundFrame, Code::InternalFrame))?;
    let caller = Caller {
        host: None,
        principal,
        door: Door::Socket,
    };
    Ok(Accepted {
        caller,
        key,
        subscription,
        server_version,
        by_token,
    })
}

/// The highest draft both sides speak (ruling 18); a client that names none takes ours.
fn common_draft(offered: Option<&[String]>) -> Result<&'static str, Fault> {
    let offered = offered.unwrap_or_default();
    let common = DRAFTS
        .iter()
        .find(|draft| offered.iter().any(|offer| offer == *draft));
    match common {
        _ if offered.is_empty() => Ok(DRAFTS[0]),
        Some(draft) => Ok(draft),
        None => Err(Fault::of(Code::UpgradeRequired).with(json!({
            "serverVersion": DRAFTS[0],
            "clientSupportedVersions": offered,
            "policy": "reject",
        }))),
    }
}
