//! A request as data: the one closed vocabulary of what can be asked, and by whom it was asked.

use super::principal::{Door, Principal, Trust};

/// Everything that can be asked; the word of metrics, spans and limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OperationKind {
    /// `ggui_amend`.
    Amend,
    /// `ggui_consume`.
    Consume,
    /// `ggui_emit`.
    Emit,
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
    /// `ggui_render`.
    Render,
    /// `ggui_runtime_submit_action`, and the `action` frame.
    SubmitAction,
    /// `ggui_runtime_sync_context`.
    SyncContext,
    /// `ggui_update`.
    Update,
}

impl OperationKind {
    /// How far a credential has to reach to ask for it.
    pub(crate) const fn trust(self) -> Trust {
        match self {
            Self::GetSession | Self::Note | Self::Pull | Self::RefreshWsToken => Trust::READ,
            Self::Amend
            | Self::Consume
            | Self::Emit
            | Self::Handshake
            | Self::Render
            | Self::SubmitAction
            | Self::SyncContext
            | Self::Update => Trust::OWN,
        }
    }

    /// The tool that asks for it.
    pub(crate) const fn tool(self) -> &'static str {
        match self {
            Self::Amend => "ggui_amend",
            Self::Consume => "ggui_consume",
            Self::Emit => "ggui_emit",
            Self::GetSession => "ggui_get_session",
            Self::Handshake => "ggui_handshake",
            Self::Note => "ggui_runtime_telemetry",
            Self::Pull => "ggui_runtime_pull",
            Self::RefreshWsToken => "ggui_runtime_refresh_ws_token",
            Self::Render => "ggui_render",
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
}
