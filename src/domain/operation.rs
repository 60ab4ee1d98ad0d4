//! A request as data: the one closed vocabulary of what can be asked, and by whom it was asked.

use std::fmt;
use std::sync::Arc;

use super::principal::{Door, Principal, Scopes, Trust};
use crate::wire::discovery::HostSession;
use crate::wire::ids::AppId;

/// Scope of everything that only looks.
const SCOPE_READ: &str = "ggui:read";
/// Scope of everything.
const SCOPE_WRITE: &str = "ggui:write";
/// The scopes an issuer is told of; each operation's own name is one, too.
pub(crate) const SCOPES: [&str; 2] = [SCOPE_READ, SCOPE_WRITE];

/// Longest idempotency key, in characters.
const IDEMPOTENCY_KEY_CHARS_MAX: usize = 255;

/// Everything that can be asked; the word of metrics, spans and limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OperationKind {
    /// `ggui_amend`.
    Amend,
    /// `ggui_consume`.
    Consume,
    /// `DELETE /api/v1/blueprints/{blueprint}`.
    DeleteBlueprint,
    /// `DELETE /api/v1/sessions/{session}`.
    DeleteSession,
    /// `ggui_emit`.
    Emit,
    /// `GET /api/v1/blueprints/{blueprint}`.
    GetBlueprint,
    /// `ggui_get_render_source`.
    GetRenderSource,
    /// `ggui_get_session`.
    GetSession,
    /// `ggui_handshake`.
    Handshake,
    /// `ggui_runtime_telemetry`.
    Note,
    /// `ggui_runtime_pull`.
    Pull,
    /// `ggui_runtime_refresh_ws_token`.
    RefreshWsToken,
    /// `GET /api/v1/blueprints`.
    ListBlueprints,
    /// `ggui_list_featured_blueprints`.
    ListFeaturedBlueprints,
    /// `ggui_list_gadgets`.
    ListGadgets,
    /// `ggui_list_sessions`.
    ListSessions,
    /// `ggui_list_themes`.
    ListThemes,
    /// `ggui_render`.
    Render,
    /// `ggui_render_blueprint`.
    RenderBlueprint,
    /// `ggui_search_blueprints`.
    SearchBlueprints,
    /// `ggui_request_auth`.
    RequestAuth,
    /// `ggui_runtime_submit_action`, and the `action` frame.
    SubmitAction,
    /// `ggui_runtime_sync_context`.
    SyncContext,
    /// `ggui_update`.
    Update,
}

impl OperationKind {
    /// All of them.
    pub(crate) const ALL: [Self; 24] = [
        Self::Amend,
        Self::Consume,
        Self::DeleteBlueprint,
        Self::DeleteSession,
        Self::Emit,
        Self::GetBlueprint,
        Self::GetRenderSource,
        Self::GetSession,
        Self::Handshake,
        Self::ListBlueprints,
        Self::ListFeaturedBlueprints,
        Self::ListGadgets,
        Self::ListSessions,
        Self::ListThemes,
        Self::Note,
        Self::Pull,
        Self::RefreshWsToken,
        Self::Render,
        Self::RenderBlueprint,
        Self::RequestAuth,
        Self::SearchBlueprints,
        Self::SubmitAction,
        Self::SyncContext,
        Self::Update,
    ];

    /// The scopes of which one has to be held to ask for it, where scopes bound a credential.
    pub(crate) fn scopes(self) -> impl Iterator<Item = &'static str> {
        let read = self.is_read().then_some(SCOPE_READ);
        [self.tool(), SCOPE_WRITE].into_iter().chain(read)
    }

    /// Whether scopes allow it.
    pub(crate) fn is_within(self, scopes: &Scopes) -> bool {
        scopes.hold(self.scopes())
    }

    /// Whether a credential reaches it: far enough, and within its scopes.
    pub(crate) fn is_open_to(self, principal: &Principal) -> bool {
        principal.trust >= self.trust() && self.is_within(&principal.scopes)
    }

    /// Whether it can be asked for over the channel of one session.
    const fn is_on_channel(self) -> bool {
        self.feeds_channels() || matches!(self, Self::SubmitAction)
    }

    /// How far a credential has to reach to ask for it.
    pub(crate) const fn trust(self) -> Trust {
        match self {
            Self::GetBlueprint
            | Self::GetRenderSource
            | Self::Note
            | Self::Pull
            | Self::RefreshWsToken
            | Self::GetSession
            | Self::ListBlueprints
            | Self::ListFeaturedBlueprints
            | Self::ListGadgets
            | Self::ListSessions
            | Self::ListThemes
            | Self::RenderBlueprint
            | Self::SearchBlueprints => Trust::READ,
            // Every agent of the app renders from them.
            Self::DeleteBlueprint => Trust::MAX,
            Self::Amend
            | Self::Consume
            | Self::DeleteSession
            | Self::Emit
            | Self::Handshake
            | Self::Render
            | Self::RequestAuth
            | Self::SubmitAction
            | Self::SyncContext
            | Self::Update => Trust::OWN,
        }
    }

    /// Whether it only looks: asked again, nothing has changed by it.
    pub(crate) const fn is_read(self) -> bool {
        matches!(
            self,
            Self::GetBlueprint
                | Self::GetRenderSource
                | Self::GetSession
                | Self::ListBlueprints
                | Self::ListFeaturedBlueprints
                | Self::ListGadgets
                | Self::ListSessions
                | Self::ListThemes
                | Self::Pull
                | Self::RefreshWsToken
                | Self::RenderBlueprint
                | Self::SearchBlueprints
        )
    }

    /// Whether something is kept of it that was not there before.
    pub(crate) const fn adds(self) -> bool {
        matches!(
            self,
            Self::Amend
                | Self::Emit
                | Self::Handshake
                | Self::Render
                | Self::RequestAuth
                | Self::SubmitAction
                | Self::SyncContext
                | Self::Update
        )
    }

    /// Whether a channel of a UI may be fed by it: it only looks, and tells nothing that whoever
    /// holds a token of that one session may not read anyway. The list of sessions hands out
    /// tokens, and blueprints are what others of the app agreed on.
    pub(crate) const fn feeds_channels(self) -> bool {
        matches!(
            self,
            Self::GetRenderSource | Self::GetSession | Self::ListGadgets | Self::ListThemes
        )
    }

    /// The tool that asks for it.
    pub(crate) const fn tool(self) -> &'static str {
        match self {
            Self::Amend => "ggui_amend",
            Self::Consume => "ggui_consume",
            // No tools: ending other people's work is not for a model, and it finds what is stored
            // by words.
            Self::DeleteBlueprint => "delete_blueprint",
            Self::DeleteSession => "delete_session",
            Self::GetBlueprint => "get_blueprint",
            Self::ListBlueprints => "list_blueprints",
            Self::Emit => "ggui_emit",
            Self::GetRenderSource => "ggui_get_render_source",
            Self::GetSession => "ggui_get_session",
            Self::Handshake => "ggui_handshake",
            Self::Note => "ggui_runtime_telemetry",
            Self::Pull => "ggui_runtime_pull",
            Self::RefreshWsToken => "ggui_runtime_refresh_ws_token",
            Self::ListFeaturedBlueprints => "ggui_list_featured_blueprints",
            Self::ListGadgets => "ggui_list_gadgets",
            Self::ListSessions => "ggui_list_sessions",
            Self::ListThemes => "ggui_list_themes",
            Self::Render => "ggui_render",
            Self::RenderBlueprint => "ggui_render_blueprint",
            Self::SearchBlueprints => "ggui_search_blueprints",
            Self::RequestAuth => "ggui_request_auth",
            Self::SubmitAction => "ggui_runtime_submit_action",
            Self::SyncContext => "ggui_runtime_sync_context",
            Self::Update => "ggui_update",
        }
    }
}

/// Who asks, and through which door.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The credential's holder.
    pub(crate) principal: Principal,
    /// The door.
    pub(crate) door: Door,
    /// The host behind the door, where it has said so.
    pub(crate) host: Option<Arc<HostSession>>,
}

impl Principal {
    /// What a token that is handed to this principal may ask for on the channel of a session: by
    /// name what the principal may ask for itself, and nothing more.
    pub(crate) fn channel_scopes(&self) -> Scopes {
        let kinds = OperationKind::ALL.into_iter();
        let (open, shut): (Vec<_>, Vec<_>) = kinds
            .filter(|kind| kind.is_on_channel())
            .partition(|kind| kind.is_open_to(self));
        if shut.is_empty() {
            Scopes::all()
        } else {
            Scopes::of(open.into_iter().map(|kind| kind.tool().to_owned()))
        }
    }
}

impl Caller {
    /// The server, which tells those who watch what it sees.
    pub(crate) fn server(app: AppId) -> Self {
        let principal = Principal {
            name: "server".into(),
            ..Principal::viewer(app, Scopes::all())
        };
        Self {
            principal,
            door: Door::Server,
            host: None,
        }
    }
}

/// The caller's name for one attempt: made again under the same name, it gets the same answer.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct IdempotencyKey(Arc<str>);

/// A text that names no attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum IdempotencyKeyError {
    /// Nothing but spaces.
    #[error("must not be blank")]
    Blank,
    /// More than fits.
    #[error("must be at most {IDEMPOTENCY_KEY_CHARS_MAX} characters")]
    TooLong,
}

impl IdempotencyKey {
    /// A key of 1 to 255 characters that are not all spaces.
    pub(crate) fn new(text: &str) -> Result<Self, IdempotencyKeyError> {
        if text.trim().is_empty() {
            Err(IdempotencyKeyError::Blank)
        } else if text.chars().nth(IDEMPOTENCY_KEY_CHARS_MAX).is_some() {
            Err(IdempotencyKeyError::TooLong)
        } else {
            Ok(Self(text.into()))
        }
    }

    /// Bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Some clients put what they should not into keys.
        f.write_str("IdempotencyKey(***)")
    }
}

/// The names of all scopes.
pub(crate) fn known_scopes() -> Vec<&'static str> {
    let tools = OperationKind::ALL.iter().map(|kind| kind.tool());
    SCOPES.into_iter().chain(tools).collect()
}
