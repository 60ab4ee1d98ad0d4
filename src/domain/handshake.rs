//! A handshake: a contract that was agreed on and may be rendered once (tools.md §3.5).

use std::sync::Arc;

use super::blueprint::Blueprint;
use super::clock::Time;
use super::contract::CompiledContract;
use super::view::View;
use crate::wire::ids::{AppId, HandshakeId};
use crate::wire::tools::Variance;

/// What is remembered between `ggui_handshake` and `ggui_render`.
#[derive(Debug)]
pub(crate) struct Handshake {
    /// Whose.
    pub(crate) app: AppId,
    /// Who in it.
    pub(crate) owner: Arc<str>,
    /// Which.
    pub(crate) id: HandshakeId,
    /// What the UI is for.
    pub(crate) intent: Arc<str>,
    /// What was agreed on.
    pub(crate) contract: Arc<CompiledContract>,
    /// How it looks, where the agent has drawn it.
    pub(crate) view: Option<Arc<View>>,
    /// How it should feel.
    pub(crate) variance: Variance,
    /// What will be shown again, where the same was agreed on before.
    pub(crate) matched: Option<Arc<Blueprint>>,
    /// Whether the agent wants a new one all the same.
    pub(crate) force_create: bool,
    /// Whether only a part of the draft was used.
    pub(crate) is_amended: bool,
    /// When it was agreed on.
    pub(crate) created_at: Time,
    /// When it is gone.
    pub(crate) expires_at: Time,
}

impl Handshake {
    /// Whether it can still be rendered; judged at the moment of reading, never by the sweeper.
    pub(crate) fn is_live(&self, now: Time) -> bool {
        now < self.expires_at
    }
}
