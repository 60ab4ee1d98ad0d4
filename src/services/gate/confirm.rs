//! Clicks that stand for approvals: the stage asks about the very call that the agent makes after one.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::approvals::Question;
use super::calls::CallRequest;
use super::error::GateError;
use super::kind::Kind;
use super::service::Gate;
use crate::domain::card::short;
use crate::domain::gate::{Approval, asked_by};
use crate::domain::operation::Caller;
use crate::domain::principal::{Door, Lease, Principal, SERVER, Scopes, Trust};
use crate::domain::session::Session;
use crate::wire::gate::{CallQuestion, ConfirmParams, ConfirmResult, Confirmation};
use crate::wire::ids::SessionId;

impl Gate {
    /// What a person is asked who is about to do something in a session, and that they have agreed:
    /// then the next call of the agent that made the session passes, if it is exactly this one. What
    /// a page says of itself counts for nothing: the tool is the contract's, and it is given the data
    /// of the action.
    pub(super) async fn confirm(
        &self,
        person: &Caller,
        params: ConfirmParams,
    ) -> Result<ConfirmResult, GateError> {
        let nothing = ConfirmResult::default();
        let ConfirmParams { session_id, body } = params;
        let Some(session) = self.before(person, &session_id).await else {
            return Ok(nothing);
        };
        let Some((tool, arguments)) = call_after(&session, &body) else {
            return Ok(nothing);
        };
        let agent = agent_of(person, &session);
        // Whatever keeps the call from being judged now is told to the agent that makes it.
        let call = CallRequest {
            caller: &agent,
            kind: Kind::Tools,
            method: Kind::Tools.user(),
            name: &tool,
            arguments: &arguments,
            session: None,
        };
        let Ok(judged) = self.judged(call, &arguments).await else {
            return Ok(nothing);
        };
        let Some(approval) = judged.approval.clone().filter(|approval| {
            // Elsewhere other people are asked.
            is_asked_in(approval, person)
        }) else {
            return Ok(nothing);
        };
        let binding = judged.binding(&agent, &arguments);
        let id = binding.prefix();
        if body.agreed.as_ref() != Some(&id) {
            let question = CallQuestion {
                id,
                tool: short(&tool),
                server: short(&judged.source),
                requester: asked_by(&binding.app, &binding.caller),
                why: approval.why.clone(),
                arguments: approval.workflow.redaction.rows(&arguments),
            };
            return Ok(ConfirmResult {
                question: Some(question),
                is_approved: false,
            });
        }
        let question = Question {
            caller: &agent,
            name: &tool,
            source: &judged.source,
            arguments: &arguments,
            session: Some(&SessionId::new(session_id)),
            click: Some(&body.action),
            approval: &approval,
            binding: &binding,
            grant: None,
        };
        let is_approved = self.approvals.agree(&question, person).await?;
        Ok(ConfirmResult {
            question: None,
            is_approved,
        })
    }

    /// The session in which a person is about to do something, if an agent made it.
    async fn before(&self, person: &Caller, session: &str) -> Option<Arc<Session>> {
        if !person.principal.is_person {
            return None;
        }
        let key = person.principal.key(session);
        let session = self.approvals.book.live(&key).await.ok()?;
        let owner = &session.creation.owner;
        let is_seen = **owner != *SERVER && person.principal.sees(owner);
        is_seen.then_some(session)
    }
}

/// The call that follows an action, where its contract says which one and wants it to be confirmed.
fn call_after(session: &Session, said: &Confirmation) -> Option<(String, Map<String, Value>)> {
    let Confirmation { action, data, .. } = said;
    let contract = &session.contract;
    let entry = contract.contract().action_spec.as_ref()?.get(action)?;
    let tool = contract.next_step(action)?;
    let value = json!({ "action": action, "data": data });
    if entry.confirm != Some(true) || contract.check_action(&value).is_err() {
        return None;
    }
    let arguments = match data {
        Value::Null => Map::new(),
        Value::Object(arguments) => arguments.clone(),
        _ => return None,
    };
    Some((tool.to_owned(), arguments))
}

/// The agent that made a session, with no more rights than any has: when it calls, its own count.
fn agent_of(person: &Caller, session: &Session) -> Caller {
    let principal = Principal {
        app: person.principal.app.clone(),
        name: Arc::clone(&session.creation.owner),
        trust: Trust::OWN,
        scopes: Scopes::all(),
        lease: Lease::Standing,
        is_person: false,
    };
    Caller::through(Door::Mcp, principal)
}

/// Whether people are asked on the stage where this person is.
fn is_asked_in(approval: &Approval, person: &Caller) -> bool {
    let app = approval.workflow.app.as_ref();
    app.is_none_or(|app| *app == person.principal.app)
}
