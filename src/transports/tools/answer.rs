//! What a tool answers with once its operation has succeeded.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::super::doors::Doors;
use super::result::ToolResult;
use crate::domain::operation::OperationKind;
use crate::domain::principal::Principal;
use crate::domain::session::Session;
use crate::services::auth::ChannelToken;
use crate::services::content::{Changed, Rendered, resource_uri};
use crate::services::dispatch::Outcome;
use crate::services::live::Pulled;
use crate::transports::pages::shell;
use crate::wire::discovery::{ListSessionsResult, SessionRow};
use crate::wire::fault::Code;
use crate::wire::runtime::{PullResult, RuntimeResult};
use crate::wire::slice::SLICE_KEY;
use crate::wire::tools::{
    CONSUME_TIMEOUT_S_MAX, CacheOutcome, ConsumeArgs, ConsumeResult, ConsumeStep, HandshakeAction,
    RenderResult, SessionStatus,
};
use crate::wire::whole;

/// A tool's result. `by` is told, and handed tokens for what it may do itself; of the client it is
/// known at most whether it shows UIs.
pub(super) fn result(
    doors: &Doors,
    by: &Principal,
    outcome: Outcome,
    shows_ui: Option<bool>,
) -> ToolResult {
    match outcome {
        Outcome::AuthRequested(result) => ToolResult::of(&result, None),
        Outcome::Blueprint(blueprint) => ToolResult::of(&blueprint, None),
        Outcome::Blueprints(blueprints) => ToolResult::of(&blueprints, None),
        Outcome::Changed(changed) => update_result(doors, by, changed),
        Outcome::Consumed(result) => consume_result(result),
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
        Outcome::Rendered(rendered) => render_result(doors, by, rendered, shows_ui),
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

/// What the person did, and what to call once that is handled.
fn consume_result(mut result: ConsumeResult) -> ToolResult {
    result.next_step = result.events.last().map(|last| {
        let why = "Once these are handled, wait for what the person does next.";
        consume_step(&last.session_id, &last.action_id, why)
    });
    let told = ToolResult::of(&result, None);
    match &result.next_step {
        None => told,
        Some(step) => told.and(format!("Once these are handled: {}", step.example)),
    }
}

/// The call that waits for what comes after an event.
fn consume_step(session_id: &str, after: &str, why: &str) -> ConsumeStep {
    let tool = OperationKind::Consume.tool();
    ConsumeStep {
        tool: tool.to_owned(),
        description: why.to_owned(),
        // Ids are anyone's texts: written as JSON, so that the call works when it is pasted.
        example: format!(
            "{tool}({{ sessionId: {}, timeout: {CONSUME_TIMEOUT_S_MAX}, after: {} }})",
            json!(session_id),
            json!(after)
        ),
        args: ConsumeArgs {
            session_id: session_id.to_owned(),
            timeout: CONSUME_TIMEOUT_S_MAX,
            after: after.to_owned(),
        },
    }
}

/// What a wait gives that was taken back, or nothing where a call does not wait: to whoever did not
/// mean it, as if nothing had happened in time.
pub(super) fn idle(kind: OperationKind, arguments: Option<&Value>) -> Option<ToolResult> {
    let number = |name: &str| arguments.and_then(|arguments| arguments.get(name)?.as_f64());
    let is_held = |name: &str| number(name).is_some_and(|seconds| seconds > 0.0);
    match kind {
        OperationKind::Consume if is_held("timeout") => {
            let result = ConsumeResult::nothing(SessionStatus::Active);
            Some(ToolResult::of(&result, None))
        }
        OperationKind::Pull if is_held("wait") => {
            let seen = arguments.and_then(|arguments| whole::of(arguments.get("sinceSequence")?));
            let result = PullResult {
                events: Some(Vec::new()),
                last_sequence: Some(seen.unwrap_or_default()),
                has_more: Some(false),
                ..PullResult::default()
            };
            Some(ToolResult::of(&result, None))
        }
        _ => None,
    }
}

fn render_result(
    doors: &Doors,
    by: &Principal,
    Rendered {
        session,
        blueprint,
        is_reused,
    }: Rendered,
    shows_ui: Option<bool>,
) -> ToolResult {
    let creation = &session.creation;
    let session_id = session.key.session.to_string();
    let uri = resource_uri(&session.key.session, creation.contract.hash(), None);
    let viewer_url = doors.site.viewer_url(&creation.short_code);
    let place = match shows_ui {
        Some(true) => "The UI is shown.".to_owned(),
        Some(false) => {
            format!("Your client shows no UI: give the person this link to it: {viewer_url}")
        }
        None => format!(
            "The UI is ready. If your client does not show it, give the person this link: \
             {viewer_url}"
        ),
    };
    let next_step = creation.contract.has_actions().then(|| {
        let why = "Wait for what the person does; repeat while status is active.";
        consume_step(&session_id, "", why)
    });
    let then = match &next_step {
        Some(step) => format!(
            "Then wait for the person: {}. Repeat while status is active; after is the actionId \
             of the last event you have handled.",
            step.example
        ),
        None => "It has no actions: there is nothing to wait for.".to_owned(),
    };
    let hint = format!("{place}\n{then}");
    let meta = mount_meta(doors, by, &session, &uri);
    let result = RenderResult {
        session_id,
        resource_uri: uri,
        viewer_url,
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
    // Where nothing has to be called next, the structure stands first, as the protocol has it.
    let mut told = if result.next_step.is_some() {
        ToolResult::of(&result, Some(hint))
    } else {
        ToolResult::of(&result, None).and(hint)
    };
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
