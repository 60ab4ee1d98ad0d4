//! What the mount of a session starts with, and the token it starts with.

use std::sync::Arc;

use super::shell;
use crate::domain::credentials::{ChannelPass, Credentials};
use crate::domain::limits::SessionLimits;
use crate::domain::principal::Principal;
use crate::domain::session::Session;
use crate::transports::http::Site;
use crate::wire::slice::Slice;

/// What slices are made with.
pub(crate) struct Slices {
    pub(crate) credentials: Arc<dyn Credentials>,
    pub(crate) site: Site,
    pub(crate) sessions: SessionLimits,
    /// Tools that feed channels of UIs through their sockets.
    pub(crate) local_tools: Vec<&'static str>,
}

impl Slices {
    /// What a mount of a session starts with; its token is minted anew every time, and opens what
    /// whoever asks for it may do.
    pub(crate) fn of(&self, session: &Session, by: &Principal) -> Slice {
        let (scopes, holder) = (by.channel_scopes(), by.person());
        let token = self.credentials.mint_ws(&session.key, scopes, holder);
        shell::slice(session, &token, by, &self.site, &self.local_tools)
    }

    /// The same for whoever holds a token already: the new one belongs to the same chain.
    pub(crate) fn within(&self, session: &Session, pass: &ChannelPass) -> Slice {
        let ends = session.ends_at(&self.sessions);
        let token = self.credentials.renew(pass, ends);
        let viewer = pass.viewer();
        shell::slice(session, &token, &viewer, &self.site, &self.local_tools)
    }
}
