//! A call of a tool: what the rules say of it, and how it is made.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::approvals::{Agreed, Approvals, Call, Question, Turn};
use super::error::GateError;
use super::kind::Kind;
use super::meters;
use super::own::as_asked;
use super::requested::{may_be_sent, reporting_progress, requester, send_to};
use super::search::Meant;
use super::served::Served;
use super::service::Gate;
use crate::domain::gate::{
    Approval, Binding, Choice, Definition, Edited, Editing, Grant, PolicyVersion, Use, Verdict,
};
use crate::domain::operation::Caller;
use crate::wire::gate::GateCallParams;
use crate::wire::ids::SessionId;

/// What a person is told who calls a tool.
const PERSON: &str = "a credential of a person decides about calls, and makes none";
/// What a person is told who has changed a call so that its tool does not take it.
const UNFIT: &str = "What you wrote does not fit the tool";

/// A call, or something else that a person may have to agree to.
#[derive(Clone, Copy)]
pub(super) struct CallRequest<'a> {
    pub(super) caller: &'a Caller,
    /// A tool, a prompt or a resource.
    pub(super) kind: Kind,
    /// What is done with it.
    pub(super) method: &'static str,
    /// As the caller names it.
    pub(super) name: &'a str,
    pub(super) arguments: &'a Map<String, Value>,
    /// The session during which it is asked for, where the caller names one.
    pub(super) session: Option<&'a SessionId>,
}

/// A call as the rules of this moment have it.
pub(super) struct Judged {
    kind: Kind,
    method: &'static str,
    pub(super) served: Arc<Served>,
    /// The id of the source.
    pub(super) source: String,
    /// The tool's name there.
    own: String,
    /// What the tool says of itself.
    definition: Definition,
    /// Who is asked, where a person has to agree.
    pub(super) approval: Option<Approval>,
    /// The version of the rules.
    version: PolicyVersion,
}

impl Judged {
    /// Asks the source, and has the caller told how far it has come, whichever task waits for it.
    fn request(
        self,
        arguments: Map<String, Value>,
    ) -> impl Future<Output = Result<Value, GateError>> + Send {
        let key = if self.kind == Kind::Resources {
            "uri"
        } else {
            "name"
        };
        let mut params = Map::new();
        params.insert(key.to_owned(), self.own.into());
        if self.kind == Kind::Tools || !arguments.is_empty() {
            params.insert("arguments".to_owned(), arguments.into());
        }
        let (method, served, requester) = (self.method, self.served, requester());
        async move { served.request(method, params, requester).await }
    }

    /// What a person agrees to.
    pub(super) fn binding(&self, caller: &Caller, arguments: &Map<String, Value>) -> Binding {
        let principal = &caller.principal;
        // Who agrees that it is read has not agreed that it is followed.
        let followed =
            (self.method != self.kind.user()).then(|| format!("{} {}", self.method, self.own));
        Binding::of(
            (&principal.app, &principal.name),
            (&self.source, followed.as_ref().unwrap_or(&self.own)),
            &self.definition,
            arguments,
            &self.version,
        )
    }

    /// Whether this is what a person was asked about, but for what they have changed of it.
    fn is_what_was_asked(&self, question: &Question<'_>, is_edited: bool) -> bool {
        // What they have made of it may need nobody's agreement; never that of others.
        let is_theirs = |approval: &Approval| approval == question.approval;
        self.approval.as_ref().map_or(is_edited, is_theirs)
            && self.binding(question.caller, question.arguments) == *question.binding
    }
}

impl Gate {
    /// Calls a tool, or finds some: at once, or when a person has agreed.
    pub(super) async fn call(
        &self,
        caller: &Caller,
        params: GateCallParams,
    ) -> Result<Value, GateError> {
        let GateCallParams {
            name,
            arguments,
            session,
        } = params;
        if caller.principal.is_person {
            let reason = PERSON.to_owned();
            return Err(GateError::Denied { name, reason });
        }
        match Meant::of(self.standing().search, name, arguments)? {
            Meant::Call(name, arguments) => {
                let session = session.map(SessionId::new);
                let called = self
                    .call_tool(caller, name.clone(), arguments, session.as_ref())
                    .await;
                called.map_err(|error| GateError::Of(name, Box::new(error)))
            }
            Meant::Find(wanted) => self.find_tools(caller, &wanted).await,
        }
    }

    /// Calls a tool by its name.
    async fn call_tool(
        &self,
        caller: &Caller,
        name: String,
        arguments: Map<String, Value>,
        session: Option<&SessionId>,
    ) -> Result<Value, GateError> {
        let asked = CallRequest {
            caller,
            kind: Kind::Tools,
            method: Kind::Tools.user(),
            name: &name,
            arguments: &arguments,
            session,
        };
        let judged = self.judged(asked, &arguments).await;
        let outcome = judged.as_ref().map(|judged| judged.approval.is_some());
        meters::count_decision(outcome);
        let approvals: &Arc<Approvals> = &self.approvals;
        if let Err(GateError::Denied { .. }) = &judged {
            approvals.note_denied(caller, &name, &arguments).await;
        }
        let judged = judged?;
        if let Some(approval) = judged.approval.clone() {
            return self.call_agreed(asked, judged, &approval).await;
        }
        let binding = judged.binding(caller, &arguments);
        let call = Box::pin(judged.request(arguments));
        approvals.noting(caller, binding, call).await
    }

    /// Gets a prompt or reads a resource: at once, or when a person has agreed.
    pub(super) async fn get(
        &self,
        caller: &Caller,
        kind: Kind,
        name: String,
        arguments: Map<String, Value>,
    ) -> Result<Value, GateError> {
        let asked = CallRequest {
            caller,
            kind,
            method: kind.user(),
            name: &name,
            arguments: &arguments,
            session: None,
        };
        let judged = self.judged(asked, &arguments).await?;
        match judged.approval.clone() {
            None => judged.request(arguments).await,
            Some(approval) => self.get_agreed(asked, judged, &approval).await,
        }
    }

    /// Does something else than a call that a person has to agree to, once they have.
    pub(super) async fn get_agreed(
        &self,
        asked: CallRequest<'_>,
        judged: Judged,
        approval: &Approval,
    ) -> Result<Value, GateError> {
        let name = asked.name.to_owned();
        if asked.caller.principal.is_person {
            let reason = PERSON.to_owned();
            return Err(GateError::Denied { name, reason });
        }
        let got = self.call_agreed(asked, judged, approval).await;
        got.map_err(|error| GateError::Of(name, Box::new(error)))
    }

    /// Does what a person has to agree to, once they have.
    async fn call_agreed(
        &self,
        asked: CallRequest<'_>,
        judged: Judged,
        approval: &Approval,
    ) -> Result<Value, GateError> {
        let CallRequest {
            caller,
            name,
            arguments,
            session,
            ..
        } = asked;
        let approvals: &Arc<Approvals> = &self.approvals;
        let binding = judged.binding(caller, arguments);
        let source = judged.source.clone();
        let grant = Grant::of(&binding, approval);
        let question = Question {
            caller,
            name,
            source: &source,
            arguments,
            session,
            click: None,
            approval,
            binding: &binding,
            grant: grant.as_ref(),
        };
        if let Some(key) = approvals.granted(&question).await? {
            let call = Box::pin(judged.request(arguments.clone()));
            return approvals.execute_granted(key, &question, call).await;
        }
        let is_task = asked.kind == Kind::Tools;
        let is_task = is_task && requester().is_some_and(|requester| requester.defer());
        let case = approvals.open(&question).await?;
        if !is_task
            && may_be_sent()
            && let Some((card, handle)) = approvals.undecided(&case).await
        {
            send_to(&card, &handle, name).await;
        }
        let deadline = approvals.deadline(approval, is_task);
        let every = approvals.limits.approval_notice_interval();
        loop {
            let turn = approvals.turn(&case, &question, deadline);
            let agreed = match reporting_progress(every, turn).await? {
                Turn::Approved(agreed) => agreed,
                Turn::Finished(outcome) => return outcome,
            };
            let edited = edited(&question, &agreed);
            let given = edited
                .as_ref()
                .map_or(arguments, |edited| &edited.arguments);
            // Looked at once more: what a person agreed to must be what is done.
            let now = match self.judged(asked, given).await {
                Err(
                    GateError::Denied { .. }
                    | GateError::Unknown { .. }
                    | GateError::UnknownTool(_),
                ) => None,
                judged => Some(judged?),
            };
            let is_same = |now: &Judged| now.is_what_was_asked(&question, edited.is_some());
            let Some(now) = now.filter(is_same) else {
                return Err(approvals.withdraw(&case, &question).await);
            };
            if let Some(edited) = &edited
                && let Err(why) = fits(&now.definition, &edited.arguments)
            {
                approvals.ask_again(&case, &agreed, &why).await?;
                continue;
            }
            let call = Call {
                request: Box::pin(now.request(given.clone())),
                edited,
            };
            approvals.execute(&case, &question, &agreed, call).await?;
        }
    }

    /// What the rules say of a call with these arguments.
    pub(super) async fn judged(
        &self,
        asked: CallRequest<'_>,
        arguments: &Map<String, Value>,
    ) -> Result<Judged, GateError> {
        let CallRequest {
            caller,
            kind,
            method,
            name,
            ..
        } = asked;
        let standing = self.standing();
        let named = match kind {
            Kind::Tools => {
                let asking = self.asking(caller, Use::Call(arguments));
                standing.find(kind, name, asking).await?
            }
            Kind::Prompts => {
                let asking = self.asking(caller, Use::Read(method));
                standing.find(kind, name, asking).await?
            }
            Kind::Resources | Kind::Templates => {
                let asking = self.asking(caller, Use::Read(method));
                standing.resource(name, asking).await?
            }
        };
        let approval = match named.verdict {
            Verdict::Approve(approval) => Some(worded(kind.wish(method), approval.into_owned())),
            Verdict::Deny(reason) => {
                let (name, reason) = (name.to_owned(), reason.into_owned());
                return Err(GateError::Denied { name, reason });
            }
            Verdict::Forward => None,
        };
        Ok(Judged {
            kind,
            method,
            served: Arc::clone(&named.member.served),
            source: named.member.source.id.clone(),
            own: named.own.to_owned(),
            definition: named.definition,
            approval,
            version: standing.rules.version.clone(),
        })
    }
}

/// An approval in the words of what is asked for. What is read is read as it was asked for.
fn worded(wish: Option<&str>, approval: Approval) -> Approval {
    let Some(wish) = wish else {
        return approval;
    };
    let mut approval = as_asked(&approval);
    approval.why.get_or_insert_with(|| wish.to_owned());
    approval
}

/// What a person has changed of a call.
fn edited(question: &Question<'_>, agreed: &Agreed) -> Option<Edited> {
    let Choice::Changed(given) = &agreed.choice else {
        return None;
    };
    let editing = Editing::of(&question.approval.workflow, question.arguments);
    Some(editing.apply(question.arguments, given))
}

/// Whether a tool takes arguments, by what it says of itself; or where they do not fit. What does not
/// fit may be a secret, so the place is told and not the value.
fn fits(definition: &Definition, arguments: &Map<String, Value>) -> Result<(), String> {
    let Some(schema) = definition.input_schema() else {
        return Ok(());
    };
    let validator = jsonschema::options().offline().build(schema);
    let validator =
        validator.map_err(|_| format!("{UNFIT}: it says of itself what is no schema."))?;
    let arguments = Value::Object(arguments.clone());
    let places = validator.iter_errors(&arguments);
    let places = places.map(|error| error.instance_path().to_string());
    let mut places: Vec<_> = places.collect();
    places.dedup();
    match places.is_empty() {
        true => Ok(()),
        false => Err(format!("{UNFIT}: look at {}.", places.join(", "))),
    }
}
