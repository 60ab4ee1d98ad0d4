//! What came of an operation, whichever use case it was.

use std::sync::Arc;

use serde_json::Value;

use super::super::auth::ChannelToken;
use super::super::content::{Changed, Rendered};
use super::super::live::Pulled;
use crate::domain::session::Session;
use crate::domain::size::value_bytes;
use crate::wire::discovery::{
    BlueprintDetail, GetRenderSourceResult, ListFeaturedBlueprintsResult, ListGadgetsResult,
    ListThemesResult, RenderBlueprintResult, SearchBlueprintsResult, StoredBlueprint,
};
use crate::wire::tools::{
    ConsumeResult, EmitResult, GetSessionResult, HandshakeResult, RequestAuthResult,
};

/// What an operation is answered with.
#[derive(Debug)]
pub(crate) struct Answered {
    /// What came of it.
    pub(crate) outcome: Outcome,
    /// Whether that came of an earlier attempt.
    pub(crate) is_replay: bool,
}

/// What came of an operation.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// Of `ggui_request_auth`.
    AuthRequested(RequestAuthResult),
    /// One stored blueprint.
    Blueprint(Box<BlueprintDetail>),
    /// All stored blueprints.
    Blueprints(Vec<StoredBlueprint>),
    /// Of `ggui_update` and `ggui_amend`.
    Changed(Changed),
    /// Of `ggui_consume`.
    Consumed(ConsumeResult),
    /// Of `ggui_emit`.
    Emitted(EmitResult),
    /// Of `ggui_get_session`.
    Got(Box<GetSessionResult>),
    /// Of `ggui_list_featured_blueprints`.
    Featured(ListFeaturedBlueprintsResult),
    /// Of `ggui_list_gadgets`.
    Gadgets(ListGadgetsResult),
    /// Of `ggui_list_sessions`.
    Listed(Vec<Arc<Session>>),
    /// Of `ggui_handshake`.
    Negotiated(Box<HandshakeResult>),
    /// Of tools that say no more than that they have done it.
    Noted,
    /// Of `ggui_runtime_pull`.
    Pulled(Pulled),
    /// Of `ggui_runtime_refresh_ws_token`.
    Refreshed(ChannelToken),
    /// Of `ggui_render`.
    Rendered(Rendered),
    /// Of `ggui_search_blueprints`.
    Searched(SearchBlueprintsResult),
    /// Of `ggui_render_blueprint`.
    ShownBlueprint(RenderBlueprintResult),
    /// Of `ggui_get_render_source`.
    Source(Box<GetRenderSourceResult>),
    /// Of `ggui_list_themes`.
    Themes(ListThemesResult),
    /// Of `ggui_runtime_submit_action`.
    Submitted {
        /// Whether an agent waits; nothing for kinds that are only noted.
        consumer_present: Option<bool>,
    },
}

impl Outcome {
    /// Bytes it takes to keep, roughly.
    pub(super) fn bytes(&self) -> usize {
        let written = match self {
            Self::Changed(Changed { result, .. }) => serde_json::to_value(result),
            Self::Consumed(result) => serde_json::to_value(result),
            Self::Emitted(result) => serde_json::to_value(result),
            Self::Got(result) => serde_json::to_value(result),
            Self::Negotiated(result) => serde_json::to_value(result),
            Self::Featured(result) => serde_json::to_value(result),
            Self::Gadgets(result) => serde_json::to_value(result),
            Self::Searched(result) => serde_json::to_value(result),
            Self::ShownBlueprint(result) => serde_json::to_value(result),
            Self::Source(result) => serde_json::to_value(result),
            Self::Themes(result) => serde_json::to_value(result),
            Self::AuthRequested(_)
            | Self::Blueprint(_)
            | Self::Blueprints(_)
            | Self::Listed(_)
            | Self::Noted
            | Self::Pulled(_)
            | Self::Refreshed(_)
            | Self::Rendered(_)
            | Self::Submitted { .. } => Ok(Value::Null),
        };
        let session = self.session().map_or(0, |session| {
            session.props.as_deref().map_or(0, value_bytes)
                + value_bytes(session.contract.source())
                + session.view.to_json().len()
        });
        session + written.as_ref().map_or(0, value_bytes)
    }

    /// The session a host is to mount.
    pub(super) fn session(&self) -> Option<&Arc<Session>> {
        match self {
            Self::Changed(Changed { reminted, .. }) => reminted.as_ref(),
            Self::Rendered(Rendered { session, .. }) => Some(session),
            Self::AuthRequested(_)
            | Self::Blueprint(_)
            | Self::Blueprints(_)
            | Self::Consumed(_)
            | Self::Emitted(_)
            | Self::Featured(_)
            | Self::Gadgets(_)
            | Self::Got(_)
            | Self::Listed(_)
            | Self::Negotiated(_)
            | Self::Noted
            | Self::Pulled(_)
            | Self::Refreshed(_)
            | Self::Searched(_)
            | Self::ShownBlueprint(_)
            | Self::Source(_)
            | Self::Themes(_)
            | Self::Submitted { .. } => None,
        }
    }

    /// The same with the session as it is now.
    pub(super) fn mounting(mut self, now: Arc<Session>) -> Self {
        match &mut self {
            Self::Changed(Changed { reminted, .. }) => *reminted = Some(now),
            Self::Rendered(Rendered { session, .. }) => *session = now,
            // Whatever mounts nothing: `session` lists it.
            _ => {}
        }
        self
    }
}
