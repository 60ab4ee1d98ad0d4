//! The methods of the protocol, in both eras.

use std::sync::Arc;

use futures_util::stream::{BoxStream, StreamExt as _};
use serde_json::{Map, Value, json};
use tracing::Instrument as _;

use super::super::tools;
use super::super::tools::Audience;
use super::answer::Answer;
#[cfg(feature = "gate")]
use super::exchange::tasks;
#[cfg(feature = "gate")]
use super::gate;
use super::instructions::instructions;
use super::results::{finished, finished_now, server_info};
use super::rpc_call::{LISTEN, METHOD_CHARS_LOGGED, RpcCall};
use super::state::Mcp;
use super::{era, listen, page_resources, prompts, resources, unsubscribe, updates};
#[cfg(feature = "gate")]
use crate::domain::gate::TASKS;
use crate::domain::operation::Caller;
use crate::domain::size::shorten;
use crate::transports::conformance::Fixtures;
use crate::transports::faults::Fault;
use crate::transports::pages::shell;
use crate::wire::fault::{Code, Endpoint, Era};

/// What is said of a call that was taken back before it was answered.
const TAKEN_BACK: &str = "the request was taken back";

/// Answers a request; a tool takes its parameters.
pub(super) async fn answer(
    mcp: &Mcp,
    caller: &Caller,
    asked: &mut RpcCall,
) -> Result<Answer, Fault> {
    if let Some(answer) = unsubscribe::answer(mcp, caller, asked) {
        return answer;
    }
    #[cfg(feature = "gate")]
    {
        let (method, params) = (&asked.method, &asked.params);
        if asked.era == Era::Modern
            && (mcp.has_gate || Fixtures::HAVE_TASKS)
            && let Some(task) = tasks::answer(&mcp.exchanges, &caller.principal, method, params)
        {
            return task.map(|task| asked.finish(task));
        }
        if gate::is_its(mcp, asked) {
            return gate::answer(mcp, caller, asked).await;
        }
    }
    let span = tracing::info_span!(
        "transports.mcp.answer",
        // Anyone's text: quoted, and not all of it.
        rpc.method = ?shorten(&asked.method, METHOD_CHARS_LOGGED),
        trace.id = asked.trace.map(|trace| trace.trace_id()),
    );
    let idle = asked.idle();
    if idle.is_none() && !asked.draws() {
        return dispatch(mcp, caller, asked).instrument(span).await;
    }
    let held = mcp.held.hold(&caller.principal, &asked.id);
    tokio::select! {
        // First: who has taken a call back is not there to be handed anything.
        biased;
        () = held.taken_back() => match idle {
            Some(idle) => Ok(asked.finish_tool(idle)),
            None => Err(Fault::saying(Code::InvalidRequest, TAKEN_BACK)),
        },
        answer = dispatch(mcp, caller, asked).instrument(span) => answer,
    }
}

/// The notifications that precede the answer, if it has a stream.
pub(super) async fn notices(
    mcp: &Arc<Mcp>,
    caller: &Caller,
    asked: &RpcCall,
) -> Result<Option<BoxStream<'static, Value>>, Fault> {
    if !asked.listens() {
        let is_gate = mcp.endpoint == Endpoint::Gate;
        return Ok(if is_gate { None } else { asked.notices() });
    }
    let held = mcp.held.hold(&caller.principal, &asked.id);
    let notices = listen::notices(mcp, caller, &asked.id, &asked.params).await?;
    let taken_back = async move { held.taken_back().await };
    Ok(Some(notices.take_until(taken_back).boxed()))
}

async fn dispatch(mcp: &Mcp, caller: &Caller, asked: &mut RpcCall) -> Result<Answer, Fault> {
    #[cfg(feature = "gate")]
    if let Some(requester) = &asked.requester
        && let Some(result) = Fixtures::ask(requester, &asked.method, &asked.params)
    {
        return result.await.map(|result| asked.finish(result));
    }
    if let Some(result) = Fixtures::answer(asked.era, &asked.method, &asked.params) {
        return result.map(|result| asked.finish(result));
    }
    match asked.method.as_str() {
        "tools/call" => {
            let params = std::mem::take(&mut asked.params);
            let attempt = asked.attempt.as_deref();
            let called = tools::call(mcp, caller, asked.era, params, attempt);
            return called.await.map(|result| asked.finish_tool(result));
        }
        // The list a model's client asks for most is the longest: it is written once.
        "tools/list" => {
            #[cfg(feature = "gate")]
            if mcp.has_gate {
                return Ok(gate::listed(mcp, caller, asked).await);
            }
            let audience = Audience::of(era::shows_ui(asked.era, &asked.params));
            return Ok(listed(mcp, caller, asked.era, audience));
        }
        _ => {}
    }
    let result = match (asked.era, asked.method.as_str()) {
        (Era::Legacy, "initialize") => initialize(mcp, &asked.params),
        (Era::Legacy, "ping") => json!({}),
        (Era::Modern, "server/discover") => discover(mcp),
        // Answered when its stream has ended.
        (Era::Modern, LISTEN) => updates::listened(&asked.id),
        (_, method) if mcp.endpoint == Endpoint::Brain => {
            let read = page_resources::answer(mcp, caller, method, &asked.params).await;
            let result = read.unwrap_or_else(|| Err(unknown_method(method)))?;
            return Ok(asked.finish_with(result, |result| {
                finished_now(asked.era, &asked.method, result)
            }));
        }
        (_, "prompts/list") => prompts::list(),
        (_, "prompts/get") => prompts::get(&asked.params)?,
        (_, "completion/complete") => prompts::complete(&asked.params)?,
        (_, "resources/list") => resources::list(),
        (_, "resources/templates/list") => resources::templates(),
        (_, "resources/read") => resources::read(mcp, caller, asked.text("uri")?).await?,
        (_, method) => return Err(unknown_method(method)),
    };
    Ok(asked.finish(Fixtures::mix_in(&asked.method, result)))
}

fn unknown_method(method: &str) -> Fault {
    Fault::saying(Code::MethodNotFound, format!("Method not found: {method}"))
}

/// `tools/list`, written once for each who gets another, until the list changes; for each caller where
/// rules are about our own tools.
fn listed(mcp: &Mcp, caller: &Caller, era: Era, audience: Audience) -> Answer {
    let dispatch = &mcp.access.dispatch;
    let is_whole = audience == Audience::Whole;
    let write = || {
        let list = json!({ "tools": tools::list(dispatch, mcp.endpoint, caller, audience) });
        let list = Fixtures::mix_in("tools/list", list);
        match dispatch.shows_all() {
            true => finished(era, "tools/list", list).to_string(),
            false => finished_now(era, "tools/list", list).to_string(),
        }
    };
    if !dispatch.shows_all() {
        return Answer(write().into());
    }
    let version = dispatch.registry.version();
    Answer(mcp.lists.get(version, era, is_whole, write))
}

fn capabilities(mcp: &Mcp) -> Value {
    if mcp.endpoint == Endpoint::Brain {
        return json!({ "tools": {}, "resources": { "subscribe": true } });
    }
    let ui = json!({ era::UI_EXTENSION: { "mimeTypes": [shell::MEDIA_TYPE] } });
    #[cfg_attr(
        not(feature = "gate"),
        expect(unused_mut, reason = "the gate adds to it")
    )]
    let mut capabilities = json!({
        "tools": {},
        "resources": { "subscribe": true },
        "prompts": {},
        "completions": {},
        "extensions": ui,
        "experimental": ui,
    });
    #[cfg(feature = "gate")]
    if mcp.has_gate {
        capabilities["logging"] = json!({});
    }
    capabilities
}

fn initialize(mcp: &Mcp, params: &Map<String, Value>) -> Value {
    json!({
        "protocolVersion": era::revision(params),
        "capabilities": capabilities(mcp),
        "serverInfo": server_info(),
        "instructions": instructions(mcp),
    })
}

fn discover(mcp: &Mcp) -> Value {
    let mut capabilities = capabilities(mcp);
    #[cfg(feature = "gate")]
    if mcp.has_gate {
        capabilities["extensions"][TASKS] = json!({});
    }
    capabilities["tools"]["listChanged"] = true.into();
    json!({
        "supportedVersions": era::supported(),
        "capabilities": capabilities,
        "serverInfo": server_info(),
        "instructions": instructions(mcp),
    })
}
