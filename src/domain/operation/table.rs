//! The table of operations: one row for each, and the only place that names them all.
//!
//! A row says how an operation is called, which types it takes and gives, how it is treated and what
//! a model reads of it. Lists of tools, decoding, limits, scopes and metrics read the table; its
//! service registers what does it.

use serde_json::Value;

use super::super::principal::Trust;
use super::endings::{SUBMIT_FAILURES, no_event, no_row};
use super::row::{Effect, Rate, Row, Signature, Ui};
use super::schema::input_schema;
use crate::wire::brain;
use crate::wire::discovery::{
    AllParams, BlueprintDetail, BlueprintParams, GetRenderSourceParams, GetRenderSourceResult,
    ListFeaturedBlueprintsResult, ListGadgetsResult, ListSessionsParams, ListSessionsResult,
    ListThemesResult, OfAppParams, RenderBlueprintResult, SearchBlueprintsParams,
    SearchBlueprintsResult, StoredBlueprint, ValidateBlueprintParams, ValidateBlueprintResult,
};
use crate::wire::fault::Code;
use crate::wire::frames::{Ack, ActionEnvelope, HostContextObserved};
use crate::wire::gate::{
    ConfirmParams, ConfirmResult, GateCallParams, GateFollowParams, GateFollowed, GateReadParams,
};
use crate::wire::page::{ListedSession, Page, PageParams};
use crate::wire::remark::{RemarkParams, RemarkResult};
use crate::wire::runtime::{
    EventsParams, MountParams, PullParams, PullResult, RefreshWsTokenParams, RuntimeResult,
    SubmitActionParams, SyncContextParams, TelemetryParams,
};
use crate::wire::tools::{
    ConsumeParams, ConsumeResult, EmitParams, EmitResult, GetSessionParams, GetSessionResult,
    HandshakeParams, HandshakeResult, RenderParams, RenderResult, RequestAuthParams,
    RequestAuthResult, UpdateParams, UpdateResult,
};

/// Columns: type, name, arguments and result; trust, what it changes, what it counts as; what else
/// sets it apart from others.
macro_rules! operations {
    ($($(#[$words:meta])* $operation:ident: $params:ty => $result:ty = $row:expr;)*) => {
        $(
            $(#[$words])*
            pub(crate) struct $operation;

            impl Signature for $operation {
                type Params = $params;
                type Result = $result;
                const ROW: Row = $row;
            }
        )*

        /// Every operation, in the order in which clients list the tools.
        pub(crate) const TABLE: &[Row] = &[$($operation::ROW),*];

        /// The schemas of what the tools take, by their names.
        pub(crate) fn input_schemas() -> Vec<(&'static str, Value)> {
            vec![$(($operation::NAME, input_schema::<$params>())),*]
        }
    };
}

operations! {
    /// `ggui_handshake`.
    Handshake: HandshakeParams => HandshakeResult =
        Row::new("ggui_handshake", Trust::OWN, Effect::Adds, Rate::Making)
        .tool(Ui::Plain, "Negotiate a UI", "First step to show a person a UI. Give the intent and a data contract: \
            propsSpec.properties{name:{schema,required?}} is what you show, \
            actionSpec{name:{label,schema?,confirm?}} what the person can do, \
            streamSpec{channel:{schema,mode:append|replace,replay?,complete?}} live data, \
            contextSpec{slot:{schema,default?}} inputs you observe. Schemas are JSON Schema \
            draft 7; objects take only the keys they declare; its $comment \
            \"ui: component=Board, title=Open work\" says how to draw (headline, main, primary, danger, once, \
            hidden, title=, component=, format=, unit=, group=, order=). Returns a handshakeId (once, \
            ten minutes) for ggui_render. Of an unsound draft only what is sound is kept (origin \
            \"synth\", every problem in validationFindings); if nothing is, action is \"declined\".")
        .weighs();

    /// `ggui_render`.
    Render: RenderParams => RenderResult =
        Row::new("ggui_render", Trust::OWN, Effect::Adds, Rate::Making)
        .tool(Ui::Shown, "Show a UI", "Second step: put the negotiated UI in front of the person with its first \
            props. Returns the sessionId for every later call and a viewerUrl to hand to the \
            person if your client shows no UI. Problems with props leave the handshake \
            usable. If the UI has actions, call ggui_consume next.")
        .draws()
        .weighs();

    /// `ggui_update`.
    Update: UpdateParams => UpdateResult =
        Row::new("ggui_update", Trust::OWN, Effect::Sets, Rate::Using)
        .tool(Ui::Shown, "Show a new version", "Change the props of a shown UI as a new version: hosts show a new card and \
            keep the old one as history. kind \"merge\" takes an RFC 7396 patch, \"replace\" all \
            props. To repaint in place use ggui_amend.")
        .weighs();

    /// `ggui_amend`.
    Amend: UpdateParams => UpdateResult =
        Row::new("ggui_amend", Trust::OWN, Effect::Sets, Rate::Using)
        .tool(Ui::Plain, "Repaint in place", "Change the props of a shown UI in place: the person sees it at once, \
            nothing is added to the history. kind \"merge\" takes an RFC 7396 patch (arrays \
            replace), \"replace\" all props. Use it to answer a click.")
        .weighs();

    /// `ggui_consume`.
    Consume: ConsumeParams => ConsumeResult =
        Row::new("ggui_consume", Trust::OWN, Effect::Changes, Rate::Using)
        .tool(Ui::Plain, "Wait for the person", "Take what the person did since the last call, or wait for it: {intent, \
            actionData, uiContext, actionId}. Without after each event is given once; with it, \
            again until confirmed, marked redelivered. Repeat while status is \"active\".")
        .waits("timeout", no_event);

    /// `ggui_emit`.
    Emit: EmitParams => EmitResult =
        Row::new("ggui_emit", Trust::OWN, Effect::Adds, Rate::Using)
        .tool(Ui::Plain, "Stream an item", "Send one item on a channel of streamSpec: log lines, samples, progress. \
            complete:true ends a channel that was declared with complete.")
        .weighs();

    /// `ggui_request_auth`.
    RequestAuth: RequestAuthParams => RequestAuthResult =
        Row::new("ggui_request_auth", Trust::OWN, Effect::Adds, Rate::Using)
        .tool(Ui::Plain, "Ask for consent", "Ask the person to consent elsewhere (OAuth): the UI shows a button to \
            authUrl (https). Their answer comes through ggui_consume as intent \"_ggui:auth\" with \
            {authRequestId, outcome: completed|cancelled}.");

    /// `ggui_get_session`.
    GetSession: GetSessionParams => GetSessionResult =
        Row::new("ggui_get_session", Trust::READ, Effect::Reads, Rate::Using)
        .tool(Ui::Plain, "Read a UI's state", "The state of a shown UI: its props, epoch, position, actions that wait, and \
            when it expires.")
        .feeds_channels();

    /// `ggui_get_render_source`.
    GetRenderSource: GetRenderSourceParams => GetRenderSourceResult =
        Row::new("ggui_get_render_source", Trust::READ, Effect::Reads, Rate::Using)
        .tool(Ui::Plain, "Read how a UI is made", "The view of a shown UI as JSON, its contract and its first props.")
        .feeds_channels();

    /// `ggui_list_sessions`.
    ListSessions: ListSessionsParams => ListSessionsResult =
        Row::new("ggui_list_sessions", Trust::READ, Effect::Reads, Rate::Using)
        .tool(Ui::Plain, "List shown UIs", "Your live sessions, newest first; a host that comes back filters by its \
            own names.");

    /// `ggui_search_blueprints`.
    SearchBlueprints: SearchBlueprintsParams => SearchBlueprintsResult =
        Row::new("ggui_search_blueprints", Trust::READ, Effect::Reads, Rate::Using)
        .tool(Ui::Plain, "Search stored UIs", "UIs rendered before, found by words of their intent or contract. Negotiating \
            the same contract again reuses one by itself.");

    /// `ggui_list_featured_blueprints`.
    ListFeaturedBlueprints: AllParams => ListFeaturedBlueprintsResult =
        Row::new("ggui_list_featured_blueprints", Trust::READ, Effect::Reads, Rate::Using)
        .tool(Ui::Plain, "List proven UIs", "Stored UIs that were shown again, most often first.");

    /// `ggui_render_blueprint`.
    RenderBlueprint: BlueprintParams => RenderBlueprintResult =
        Row::new("ggui_render_blueprint", Trust::READ, Effect::Reads, Rate::Using)
        .tool(Ui::Plain, "Read a stored UI", "View and contract of a stored UI; pass the contract to ggui_handshake to \
            show it.");

    /// `ggui_protocol_validate_blueprint`.
    ValidateBlueprint: ValidateBlueprintParams => ValidateBlueprintResult =
        Row::new("ggui_protocol_validate_blueprint", Trust::READ, Effect::Reads, Rate::Using)
        .tool(Ui::Plain, "Try a view", "Checks a view of your own before you negotiate: is it \
            sound, does it fit the contract, do the props fit.")
        .weighs();

    /// `ggui_list_gadgets`.
    ListGadgets: OfAppParams => ListGadgetsResult =
        Row::new("ggui_list_gadgets", Trust::READ, Effect::Reads, Rate::Using)
        .tool(Ui::Plain, "List browser abilities", "Packages a contract may name under clientCapabilities.gadgets.")
        .feeds_channels();

    /// `ggui_list_themes`.
    ListThemes: OfAppParams => ListThemesResult =
        Row::new("ggui_list_themes", Trust::READ, Effect::Reads, Rate::Using)
        .tool(Ui::Plain, "List themes", "Looks to choose from with themeId of ggui_render.")
        .feeds_channels();

    /// `ggui_runtime_submit_action`.
    SubmitAction: SubmitActionParams => RuntimeResult =
        Row::new("ggui_runtime_submit_action", Trust::OWN, Effect::Sets, Rate::Using)
        .tool(Ui::AppOnly, "Submit an action", "For the shown UI only: hands in what the person did; never call it for them. Accepted once per actionId; answers {ok:false, code} when it does not fit \
            the contract.")
        .on_channel()
        .fails_in_band(SUBMIT_FAILURES);

    /// `ggui_runtime_sync_context`.
    SyncContext: SyncContextParams => RuntimeResult =
        Row::new("ggui_runtime_sync_context", Trust::OWN, Effect::Sets, Rate::Using)
        .tool(Ui::AppOnly, "Sync context slots", "For the shown UI only: what its context slots hold now.")
        .weighs()
        .fails_in_band(&[(Code::InvalidArguments, Code::ContextSchemaViolation)]);

    /// `ggui_runtime_pull`.
    Pull: PullParams => PullResult =
        Row::new("ggui_runtime_pull", Trust::READ, Effect::Reads, Rate::Using)
        .tool(Ui::AppOnly, "Pull events", "For the shown UI only, where it has no other channel: rows of the session's \
            ledger after sinceSequence, waiting up to wait seconds for the first.")
        .waits("wait", no_row);

    /// `ggui_runtime_refresh_ws_token`.
    RefreshWsToken: RefreshWsTokenParams => RuntimeResult =
        Row::new("ggui_runtime_refresh_ws_token", Trust::READ, Effect::Reads, Rate::Using)
        .tool(Ui::AppOnly, "Refresh a channel token", "For the shown UI only: a fresh token of the live channel for an old one.")
        .fails_in_band(&[(Code::InvalidArguments, Code::BootstrapInvalid)]);

    /// `ggui_runtime_telemetry`.
    Telemetry: TelemetryParams => RuntimeResult =
        Row::new("ggui_runtime_telemetry", Trust::READ, Effect::Changes, Rate::Using)
        .tool(Ui::AppOnly, "Report", "For the shown UI only: how it fares, for the server's log.");

    // The page store.

    /// `brain_get`.
    BrainGet: brain::GetParams => brain::GetResult =
        Row::new("brain_get", Trust::READ, Effect::Reads, Rate::Using)
        .of_pages("Read a page", Some("content"), "Read a page by its slug: compiled truth and timeline as markdown. Its version is \
            what brain_put takes as expected_version.");
    /// `brain_put`.
    BrainPut: brain::PutParams => brain::PutResult =
        Row::new("brain_put", Trust::OWN, Effect::Adds, Rate::Using)
        .of_pages("Write a page", Some("message"), "Create a page, or change one with the expected_version it was read at. On a conflict, \
            read it again, put the change on top, and write that.")
        .weighs();
    /// `brain_query`.
    BrainQuery: brain::QueryParams => brain::HitsResult =
        Row::new("brain_query", Trust::READ, Effect::Reads, Rate::Using)
        .of_pages("Ask for pages", Some("results"), "Find pages by a question: their words and what they are alike. depth \"auto\" adds the \
            pages they link to.");
    /// `brain_search`.
    BrainSearch: brain::SearchParams => brain::HitsResult =
        Row::new("brain_search", Trust::READ, Effect::Reads, Rate::Using)
        .of_pages("Search pages", Some("results"), "Find pages by their words, those with all of them first.");
    /// `brain_list`.
    BrainList: brain::ListParams => brain::ListResult =
        Row::new("brain_list", Trust::READ, Effect::Reads, Rate::Using)
        .of_pages("List pages", Some("pages"), "Pages, last changed first, of a collection, a wing or a type.");
    /// `brain_link`.
    BrainLink: brain::LinkParams => brain::LinkResult =
        Row::new("brain_link", Trust::OWN, Effect::Adds, Rate::Using)
        .of_pages("Link pages", Some("message"), "Say how two pages are related, and since when.");
    /// `brain_link_close`.
    BrainLinkClose: brain::LinkCloseParams => brain::LinkCloseResult =
        Row::new("brain_link_close", Trust::OWN, Effect::Sets, Rate::Using)
        .of_pages("Close a link", Some("message"), "Say until when a link held.");
    /// `brain_backlinks`.
    BrainBacklinks: brain::BacklinksParams => brain::BacklinksResult =
        Row::new("brain_backlinks", Trust::READ, Effect::Reads, Rate::Using)
        .of_pages("List backlinks", Some("links"), "Links that lead to a page, newest first.");
    /// `brain_graph`.
    BrainGraph: brain::GraphParams => brain::Graph =
        Row::new("brain_graph", Trust::READ, Effect::Reads, Rate::Using)
        .of_pages("Follow links", None, "The pages around one, as far as its links lead in a number of steps.");
    /// `brain_check`.
    BrainCheck: brain::CheckParams => brain::CheckResult =
        Row::new("brain_check", Trust::READ, Effect::Reads, Rate::Using)
        .of_pages("Find contradictions", Some("contradictions"), "Statements of pages that contradict each other: in frontmatter (is_a, works_at, \
            founded, prefers, dislikes, uses) and in sections named Assertions.");
    /// `brain_timeline`.
    BrainTimeline: brain::TimelineParams => brain::TimelineResult =
        Row::new("brain_timeline", Trust::READ, Effect::Reads, Rate::Using)
        .of_pages("Read a timeline", None, "What happened, from a page's timeline, newest first.");
    /// `brain_tags`.
    BrainTags: brain::TagsParams => brain::TagsResult =
        Row::new("brain_tags", Trust::OWN, Effect::Sets, Rate::Using)
        .of_pages("Tag a page", Some("tags"), "The tags of a page; adds some and removes some first.");
    /// `brain_gap`.
    BrainGap: brain::GapParams => brain::GapResult =
        Row::new("brain_gap", Trust::OWN, Effect::Sets, Rate::Using)
        .of_pages("Log a gap", None, "Log a question that no page answers. Only its hash is kept.");
    /// `brain_gaps`.
    BrainGaps: brain::GapsParams => brain::GapsResult =
        Row::new("brain_gaps", Trust::READ, Effect::Reads, Rate::Using)
        .of_pages("List gaps", Some("gaps"), "Questions that no page answered, newest first.");
    /// `brain_stats`.
    BrainStats: brain::StatsParams => brain::StatsResult =
        Row::new("brain_stats", Trust::READ, Effect::Reads, Rate::Using)
        .of_pages("Count pages", None, "How many pages, links, statements, vectors and gaps there are.");
    /// `brain_collections`.
    BrainCollections: brain::CollectionsParams => brain::CollectionsResult =
        Row::new("brain_collections", Trust::READ, Effect::Reads, Rate::Using)
        .of_pages("List collections", Some("collections"), "The collections, and whether they may be changed now.");
    /// `brain_raw`.
    BrainRaw: brain::RawParams => brain::RawResult =
        Row::new("brain_raw", Trust::OWN, Effect::Adds, Rate::Using)
        .of_pages("Keep raw data", None, "Keep data about a page as it came, one row a source.")
        .weighs();

    /// `resources/list` of `/mcp/brain`.
    ListPages: brain::ListPagesParams => brain::PageResources =
        Row::new("list_pages", Trust::READ, Effect::Reads, Rate::Using).within(BrainList::NAME);

    /// `resources/read` of `/mcp/brain`.
    ReadPage: brain::ReadPageParams => brain::PageContents =
        Row::new("read_page", Trust::READ, Effect::Reads, Rate::Using).within(BrainGet::NAME);

    /// A page that `subscriptions/listen` of `/mcp/brain` follows.
    AwaitPage: brain::AwaitPageParams => brain::PageMeta =
        Row::new("await_page", Trust::READ, Effect::Reads, Rate::Transport).within(BrainGet::NAME);

    // Memories of the REST interface: pages, by their ids.
    /// `POST /api/v1/memories`.
    CreateMemory: brain::CreateMemoryParams => brain::Memory =
        Row::new("create_memory", Trust::OWN, Effect::Adds, Rate::Using).within(BrainPut::NAME).weighs();
    /// `GET /api/v1/memories/{memory}`.
    GetMemory: brain::MemoryParams => brain::Memory =
        Row::new("get_memory", Trust::READ, Effect::Reads, Rate::Using).within(BrainGet::NAME);
    /// `PATCH /api/v1/memories/{memory}`.
    ChangeMemory: brain::ChangeMemoryParams => brain::Memory =
        Row::new("change_memory", Trust::OWN, Effect::Adds, Rate::Using).within(BrainPut::NAME).weighs();
    /// `DELETE /api/v1/memories/{memory}`: its versions go with it, whoever wrote them.
    DeleteMemory: brain::MemoryParams => RuntimeResult =
        Row::new("delete_memory", Trust::APP, Effect::Changes, Rate::Using);
    /// `PATCH /stage/pages/{page}`, by a person: preferences, too, which agents have to ask for.
    ChangePage: brain::ChangeMemoryParams => brain::Memory =
        Row::new("change_page", Trust::OWN, Effect::Adds, Rate::Using).within(SubmitAction::NAME).weighs();
    /// `DELETE /stage/pages/{page}`, by a person.
    DeletePage: brain::MemoryParams => RuntimeResult =
        Row::new("delete_page", Trust::APP, Effect::Changes, Rate::Using).within(SubmitAction::NAME);
    /// `GET /api/v1/memories`.
    ListMemories: PageParams => Page<brain::MemoryRow> =
        Row::new("list_memories", Trust::READ, Effect::Reads, Rate::Using).within(BrainList::NAME);
    /// `POST /api/v1/search`.
    SearchMemories: brain::SearchMemoriesParams => brain::FoundMemories =
        Row::new("search_memories", Trust::READ, Effect::Reads, Rate::Using).within(BrainQuery::NAME);
    /// `GET /api/v1/memories/{memory}/versions`.
    ListVersions: brain::VersionsParams => Page<brain::VersionRow> =
        Row::new("list_versions", Trust::READ, Effect::Reads, Rate::Using).within(BrainGet::NAME);
    /// `GET /api/v1/memories/{memory}/versions/{version}`.
    GetVersion: brain::VersionParams => brain::MemoryVersion =
        Row::new("get_version", Trust::READ, Effect::Reads, Rate::Using).within(BrainGet::NAME);

    // Frames of the live channel. Their transport has read them, and counts them.

    /// The `action` frame.
    Act: ActionEnvelope => Ack =
        Row::new("action", Trust::OWN, Effect::Adds, Rate::Transport)
        .within(SubmitAction::NAME).weighs().unchecked();

    /// The `host_context_observed` frame: the agent reads it, so it is for those who may act.
    ObserveHost: HostContextObserved => RuntimeResult =
        Row::new("host_context_observed", Trust::OWN, Effect::Changes, Rate::Transport)
        .within(SubmitAction::NAME).unchecked();

    // What hosts and mounts read of one session.

    /// `resources/read`, pages that show a session, and whatever follows it.
    Mount: MountParams => RuntimeResult =
        Row::new("mount", Trust::READ, Effect::Reads, Rate::Transport)
        .within(GetSession::NAME).unchecked();
    /// `GET /api/sessions/{session}/events`.
    ReadEvents: EventsParams => PullResult =
        Row::new("read_events", Trust::READ, Effect::Reads, Rate::Transport)
        .within(GetSession::NAME).unchecked();

    // The REST interface. No tools: ending the work of others is not for a model.

    /// `GET /api/v1/sessions`.
    ListLiveSessions: PageParams => Page<ListedSession> =
        Row::new("list_live_sessions", Trust::READ, Effect::Reads, Rate::Transport)
        .within(GetSession::NAME);

    /// `DELETE /api/v1/sessions/{session}`.
    DeleteSession: GetSessionParams => RuntimeResult =
        Row::new("delete_session", Trust::OWN, Effect::Changes, Rate::Using);

    /// `POST /api/v1/sessions/{session}/remarks`: what a person says of how it is drawn.
    RemarkOnView: RemarkParams => RemarkResult =
        Row::new("remark_on_view", Trust::OWN, Effect::Adds, Rate::Making).within(Render::NAME);

    /// `GET /api/v1/blueprints`.
    ListBlueprints: PageParams => Page<StoredBlueprint> =
        Row::new("list_blueprints", Trust::READ, Effect::Reads, Rate::Using);
    /// `GET /api/v1/blueprints/{blueprint}`.
    GetBlueprint: BlueprintParams => BlueprintDetail =
        Row::new("get_blueprint", Trust::READ, Effect::Reads, Rate::Using);
    /// `DELETE /api/v1/blueprints/{blueprint}`: every agent of the app renders from them.
    DeleteBlueprint: BlueprintParams => RuntimeResult =
        Row::new("delete_blueprint", Trust::MAX, Effect::Changes, Rate::Using);

    /// `tools/call` of `/mcp/gate`.
    GateCall: GateCallParams => Value =
        Row::new("gate_call", Trust::OWN, Effect::Changes, Rate::Using);
    /// `POST /stage/sessions/{session}/confirmations`: a person does what a call of an agent follows.
    ConfirmCall: ConfirmParams => ConfirmResult =
        Row::new("confirm_call", Trust::OWN, Effect::Adds, Rate::Using).within(SubmitAction::NAME);
    /// Everything else of `/mcp/gate` that servers behind the gate answer.
    GateRead: GateReadParams => Value =
        Row::new("gate_read", Trust::READ, Effect::Reads, Rate::Using);
    /// Waits until a resource behind the gate has changed.
    GateFollow: GateFollowParams => GateFollowed =
        Row::new("gate_follow", Trust::READ, Effect::Reads, Rate::Transport).within(GateRead::NAME);
}

/// The row of an operation of this name.
pub(crate) fn row(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name == name)
}
