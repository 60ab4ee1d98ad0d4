//! Who asks, and how the request came in.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::attempt::Attempt;
use super::super::principal::{Door, Principal, SERVER, Scopes};
use crate::wire::discovery::HostSession;
use crate::wire::ids::AppId;

/// Who asks, and how the request came in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Caller {
    /// The credential's holder.
    pub(crate) principal: Principal,
    /// How the request came in.
    pub(crate) door: Door,
    /// The host that the request comes from, where the host has said so.
    pub(crate) host: Option<Arc<HostSession>>,
    /// The call, where it was made under a key: what it brings about on a session says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) attempt: Option<Attempt>,
}

impl Caller {
    /// The server, which tells those who watch what it sees.
    pub(crate) fn server(app: AppId) -> Self {
        let principal = Principal {
            name: SERVER.into(),
            ..Principal::viewer(app, Scopes::all())
        };
        Self::through(Door::Server, principal)
    }

    /// A principal whose request came in one way, from no host that is known.
    pub(crate) fn through(door: Door, principal: Principal) -> Self {
        Self {
            principal,
            door,
            host: None,
            attempt: None,
        }
    }
}
