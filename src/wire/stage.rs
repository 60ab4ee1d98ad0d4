//! What the page of the stage is configured with, and what its feed sends.

use schemars::JsonSchema;
use serde::Serialize;

use super::tools::SessionStatus;

/// What the page is configured with.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StageConfig {
    /// What the page shows.
    #[serde(flatten)]
    pub page: StagePage,
    /// Whether the page may forward to the server what a frame calls.
    pub relays: bool,
    /// Whether a model draws anew what people find wrong.
    pub has_model: bool,
    /// Version of the server.
    pub version: &'static str,
    /// Where agents connect.
    pub mcp_url: String,
    /// Scheme and host under which the server is reached.
    pub public_url: String,
}

/// What the page shows.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(
    tag = "mode",
    rename_all = "lowercase",
    rename_all_fields = "camelCase"
)]
pub enum StagePage {
    /// Every session the caller may see.
    All {
        /// Address of the feed.
        feed_url: &'static str,
        /// Where the demo is started; null while the server does not offer it.
        demo_url: Option<&'static str>,
        /// Whether the page asks people about calls that agents make after their clicks.
        confirms: bool,
    },
    /// One session alone.
    One {
        /// The session.
        session: SessionRow,
    },
}

/// A session as the stage lists it. Times are epoch milliseconds.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionRow {
    /// The session.
    pub session_id: String,
    /// Its app.
    pub app_id: String,
    /// What it is for.
    pub intent: String,
    /// The same, short enough for a list.
    pub title: String,
    /// Whether it lives.
    pub status: SessionStatus,
    /// When it was rendered.
    pub created_at: u64,
    /// When something last happened.
    pub last_activity_at: u64,
    /// Version of the history.
    pub epoch: u64,
    /// Hash of its contract.
    pub contract_hash: String,
    /// Redirects to the frame with a fresh token.
    pub frame_url: String,
    /// The page a person may be given. Whoever has it may act there: it is only for those who may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewer_url: Option<String>,
}

/// What the feed sends, each under the name of an event.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FeedEvent {
    /// `activity`: something happened in a session.
    Activity(ActivityRow),
    /// `session`: a session is new, or has changed.
    Session(Box<SessionRow>),
    /// `snapshot`: all sessions; what was known before is void.
    Snapshot(Snapshot),
}

impl FeedEvent {
    /// The name of the event.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Activity(_) => "activity",
            Self::Session(_) => "session",
            Self::Snapshot(_) => "snapshot",
        }
    }
}

/// All sessions the caller may see, the newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Snapshot {
    /// The sessions.
    pub sessions: Vec<SessionRow>,
    /// Who lists them.
    pub server: StageServer,
}

/// The server behind the stage.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StageServer {
    /// Its version.
    pub version: &'static str,
    /// Where agents connect.
    pub mcp_url: String,
}

/// Something that happened in a session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityRow {
    /// Position in the activity of the app.
    pub seq: u64,
    /// The session.
    pub session_id: String,
    /// When, epoch milliseconds.
    pub at: u64,
    /// What happened.
    pub kind: String,
    /// More of it, in a few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Who did it.
    pub by: String,
    /// The interface it came through.
    pub door: Interface,
}

/// An interface of the server through which things happen.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Interface {
    /// A tool call.
    Mcp,
    /// A request for a resource.
    Rest,
    /// None: the server itself did it.
    Server,
    /// A frame of the live channel.
    Socket,
}
