//! What a tool answers with once its operation has succeeded.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::super::doors::Doors;
use super::super::result::ToolResult;
use super::super::shell;
use crate::domain::operation::OperationKind;
use crate::domain::principal::Principal;
use crate::domain::session::Session;
use crate::services::auth::ChannelToken;
use crate::services::content::{Changed, Rendered, resource_uri};
use crate::services::dispatch::Outcome;
use crate::services::live::Pulled;
use crate::wire::discovery::{ListSessionsResult, SessionRow};
use crate::wire::fault::Code;
use crate::wire::runtime::{PullResult, RuntimeResult};
use crate::wire::slice::SLICE_KEY;
use crate::wire::tools::{
    CONSUME_TIMEOUT_S_MAX, CacheOutcome, ConsumeArgs, HandshakeAction, RenderNextStep,
    RenderResult, SessionStatus,
};

/// `by` is told, and handed tokens for what it may do itself.
pub(super) fn result(doors: &Doors, by: &Principal, outcome: Outcome) -> ToolResult {
    match outcome {
        Outcome::AuthRequested(result) => ToolResult::of(&result, None),
        Outcome::Blueprint(blueprint) => ToolResult::of(&blueprint, None),
        Outcome::Blueprints(blueprints) => ToolResult::of(&blueprints, None),
        Outcome::Changed(changed) => update_result(doors, by, changed),
        Outcome::Consumed(result) => ToolResult::of(&result, None),
        Outcome::Emitted(result) => ToolResult::of(&result, None),
        Outcome::Featured(result) => ToolResult::of(&result, None),
        Outcome::Gadgets(result) => ToolResult::of(&result, None),
        Outcome::Got(result) => ToolResult::of(&result, None),
        Outcome::Listed(sessions) => {
            let sessions = sessions
                .iter()
                .map(|session| row(doors, by, session))
                .collect();
            ToolResult::of(&ListSessionsResult { sessions }, None)
        }
        Outcome::Negotiated(result) => ToolResult::of(&result, None),
        Outcome::Noted => ok(RuntimeResult::default()),
        Outcome::Pulled(pulled) => ToolResult::of(&pull_result(pulled), None),
        Outcome::Refreshed(token) => refreshed(token),
        Outcome::Rendered(rendered) => render_result(doors, by, rendered),
        Outcome::Searched(result) => ToolResult::of(&result, None),
        Outcome::ShownBlueprint(result) => ToolResult::of(&result, None),
        Outcome::Source(result) => ToolResult::of(&result, None),
        Outcome::Themes(result) => ToolResult::of(&result, None),
        Outcome::Submitted { consumer_present } => ok(RuntimeResult {
            consumer_present,
            ..RuntimeResult::default()
        }),
    }
}

fn ok(result: RuntimeResult) -> ToolResult {
    ToolResult::of(&RuntimeResult { ok: true, ..result }, None)
}

fn refreshed(token: ChannelToken) -> ToolResult {
    ok(RuntimeResult {
        expires_at: Some(token.expires_at.to_string()),
        envelope: Some(token.text),
        ..RuntimeResult::default()
    })
}

fn pull_result(pulled: Pulled) -> PullResult {
    match pulled {
        Pulled::HorizonPassed { current } => PullResult {
            reason: Some(Code::ReplayHorizonPassed.row().word),
            current_sequence: Some(current.0),
            ..PullResult::default()
        },
        Pulled::Page {
            rows,
            last,
            has_more,
        } => PullResult {
            events: Some(rows),
            last_sequence: Some(last.0),
            has_more: Some(has_more),
            ..PullResult::default()
        },
    }
}

/// One session of the list, with a key to its live channel.
fn row(doors: &Doors, by: &Principal, session: &Session) -> SessionRow {
    let token = doors.auth.mint_ws(&session.key, by.channel_scopes());
    let host = session.creation.host.as_deref().cloned();
    let (host_name, host_session_id) = host
        .map(|host| (host.host_name, host.host_session_id))
        .unzip();
    SessionRow {
        session_id: session.key.session.to_string(),
        host_name,
        host_session_id,
        created_at: session.created_at.to_string(),
        last_activity_at: session.last_activity_at.to_string(),
        status: SessionStatus::Active,
        ws_token: token.text,
        ws_token_expires_at: token.expires_at.to_string(),
    }
}

fn update_result(
    doors: &Doors,
    by: &Principal,
    Changed { result, reminted }: Changed,
) -> ToolResult {
    let mut told = ToolResult::of(&result, None);
    if let Some(session) = reminted {
        told.meta = mount_meta(doors, by, &session, &result.resource_uri);
    }
    told
}

fn render_result(
    doors: &Doors,
    by: &Principal,
    Rendered {
        session,
        blueprint,
        is_reused,
    }: Rendered,
) -> ToolResult {
    let creation = &session.creation;
    let session_id = session.key.session.to_string();
    let uri = resource_uri(&session.key.session, creation.contract.hash(), None);
    let example = format!(
        "ggui_consume({{ sessionId: \"{session_id}\", timeout: {CONSUME_TIMEOUT_S_MAX} }})"
    );
    let next_step = creation.contract.has_actions().then(|| RenderNextStep {
        tool: OperationKind::Consume.tool().to_owned(),
        description: "Wait for what the person does; repeat while status is active.".to_owned(),
        example: example.clone(),
        args: ConsumeArgs {
            session_id: session_id.clone(),
            timeout: CONSUME_TIMEOUT_S_MAX,
        },
    });
    let hint = next_step.is_some().then(|| {
        format!(
            "The UI is shown. Now wait for the person: {example}. Repeat while status is active."
        )
    });
    let meta = mount_meta(doors, by, &session, &uri);
    let result = RenderResult {
        session_id,
        resource_uri: uri,
        viewer_url: doors.site.viewer_url(&creation.short_code),
        action: HandshakeAction::Create,
        contract_hash: creation.contract.hash().to_owned(),
        blueprint_id: blueprint.id.to_string(),
        variant_key: blueprint.variant_key.clone(),
        cache: CacheOutcome {
            hit: is_reused,
            similarity: is_reused.then_some(1.0),
            cached_blueprint_id: is_reused.then(|| blueprint.id.to_string()),
            llm_calls_avoided: is_reused.into(),
            kind: if is_reused { "full-template" } else { "cold" },
            reason: match (is_reused, &blueprint.view) {
                (true, _) => "match-exact: the same contract and variance were rendered before",
                (false, Some(_)) => "cold: a view of the agent's own",
                (false, None) => "cold: composed from the contract",
            }
            .to_owned(),
        },
        next_step,
    };
    let mut told = ToolResult::of(&result, hint);
    told.meta = meta;
    told
}

/// What a host needs to mount a session, in both spellings of the address.
fn mount_meta(
    doors: &Doors,
    by: &Principal,
    session: &Arc<Session>,
    uri: &str,
) -> Map<String, Value> {
    let ui = json!({ "resourceUri": uri, "csp": shell::csp_meta(&doors.site, Some(session)) });
    let slice = serde_json::to_value(doors.slice(session, by)).unwrap_or_default();
    Map::from_iter([
        (SLICE_KEY.to_owned(), slice),
        ("ui".to_owned(), ui),
        ("ui/resourceUri".to_owned(), uri.into()),
    ])
}
