//! This server's own tools, where rules name their source `local`: the same decisions as for tools of
//! other servers, and people are asked by the same cards. What is asked for is done by its service.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt as _};
use serde_json::{Map, Value};
use tokio::sync::oneshot;

use super::approvals::{Approvals, Call, Case, Question, Turn};
use super::error::GateError;
use super::kind::Kind;
use super::meters;
use super::service::Gate;
use crate::domain::gate::{Approval, Binding, Definition, Grant, LOCAL, Use, Verdict, Workflow};
use crate::domain::operation::Caller;

/// How something that is asked of this server may be done.
pub(crate) enum Pass {
    /// Because a person has agreed: once.
    Agreed(Agreement),
    /// It was done, for another who asked for the same; what came of it.
    Made(Value),
    /// At once.
    Open,
}

/// That a person has agreed; whoever does it says what comes of it. If nobody does, nobody knows.
pub(crate) struct Agreement {
    outcome: oneshot::Sender<Value>,
    /// The approval, where it is for one call alone.
    single: Option<(Arc<Approvals>, Arc<Case>)>,
}

impl Agreement {
    /// What came of it, for the card and for others who asked for the same.
    pub(crate) fn report(self, outcome: Value) {
        // The server may be ending.
        let _ = self.outcome.send(outcome);
        if let Some((approvals, case)) = self.single {
            approvals.close(&case);
        }
    }
}

/// What the rules say of something that is asked of this server.
struct Judged {
    approval: Option<Approval>,
    binding: Binding,
}

impl Gate {
    /// Whether a caller sees a tool of this server.
    pub(crate) fn shows_own(&self, caller: &Caller, tool: &str) -> bool {
        let standing = self.standing();
        let asking = self.asking(caller, Kind::Tools.usage());
        !matches!(standing.rules.judge_own(tool, &asking), Verdict::Deny(_))
    }

    /// Whether rules are about tools of this server.
    pub(crate) fn governs_own(&self) -> bool {
        self.standing().rules.govern_own()
    }

    /// Lets something pass that is asked of this server, once a person has agreed where that is needed.
    pub(crate) async fn pass(
        &self,
        caller: &Caller,
        name: &str,
        arguments: &Map<String, Value>,
        definition: impl Fn() -> Definition + Send,
    ) -> Result<Pass, GateError> {
        if !self.governs_own() {
            return Ok(Pass::Open);
        }
        let judged = self.judged_own(caller, name, arguments, &definition);
        let outcome = judged.as_ref().map(|judged| judged.approval.is_some());
        meters::count_decision(outcome);
        if let Err(GateError::Denied { .. }) = &judged {
            self.approvals.note_denied(caller, name, arguments).await;
        }
        let Judged { approval, binding } = judged?;
        let Some(approval) = approval else {
            return Ok(Pass::Open);
        };
        let grant = Grant::of(&binding, &approval);
        let question = Question {
            caller,
            name,
            source: LOCAL,
            arguments,
            session: None,
            click: None,
            approval: &approval,
            binding: &binding,
            grant: grant.as_ref(),
        };
        let approvals: &Arc<Approvals> = &self.approvals;
        if let Some(key) = approvals.granted(&question).await? {
            let (request, begun) = handed(name);
            let made = approvals.execute_granted(key, &question, request);
            return tokio::select! {
                biased;
                Ok(outcome) = begun => Ok(Pass::Agreed(Agreement { outcome, single: None })),
                made = made => made.map(Pass::Made),
            };
        }
        let deadline = approvals.deadline(&approval, false);
        let case = approvals.open(&question).await?;
        loop {
            let agreed = match approvals.turn(&case, &question, deadline).await? {
                Turn::Approved(agreed) => agreed,
                Turn::Finished(outcome) => return outcome.map(Pass::Made),
            };
            // Looked at once more: what a person agreed to must be what is done.
            let now = self.judged_own(caller, name, arguments, &definition);
            let is_same = now.is_ok_and(|now| {
                now.approval.as_ref() == Some(&approval) && now.binding == binding
            });
            if !is_same {
                return Err(approvals.withdraw(&case, &question).await);
            }
            let (request, begun) = handed(name);
            let call = Call {
                request,
                edited: None,
            };
            approvals.execute(&case, &question, &agreed, call).await?;
            if let Ok(outcome) = begun.await {
                let single = Some((Arc::clone(approvals), case));
                return Ok(Pass::Agreed(Agreement { outcome, single }));
            }
        }
    }

    fn judged_own(
        &self,
        caller: &Caller,
        name: &str,
        arguments: &Map<String, Value>,
        definition: &impl Fn() -> Definition,
    ) -> Result<Judged, GateError> {
        let standing = self.standing();
        let asking = self.asking(caller, Use::Call(arguments));
        let approval = match standing.rules.judge_own(name, &asking) {
            Verdict::Forward => None,
            Verdict::Approve(approval) => Some(as_asked(&approval)),
            Verdict::Deny(reason) => {
                let (name, reason) = (name.to_owned(), reason.into_owned());
                return Err(GateError::Denied { name, reason });
            }
        };
        let principal = &caller.principal;
        let binding = Binding::of(
            (&principal.app, &principal.name),
            (LOCAL, name),
            &definition(),
            arguments,
            &standing.rules.version,
        );
        Ok(Judged { approval, binding })
    }
}

/// The same, without the offer to change what is asked for: its service has it by then.
pub(super) fn as_asked(approval: &Approval) -> Approval {
    let mut approval = approval.clone();
    if approval.workflow.allows_edits {
        approval.workflow = Arc::new(Workflow {
            allows_edits: false,
            ..Workflow::clone(&approval.workflow)
        });
    }
    approval
}

/// A call that is made by whoever takes the agreement, and ends when they report.
fn handed(
    name: &str,
) -> (
    BoxFuture<'static, Result<Value, GateError>>,
    oneshot::Receiver<oneshot::Sender<Value>>,
) {
    let (hand, begun) = oneshot::channel();
    let name = name.to_owned();
    let call = async move {
        let (report, reported) = oneshot::channel();
        if hand.send(report).is_err() {
            return Err(GateError::Unavailable("its caller is gone".to_owned()));
        }
        let outcome = reported.await;
        outcome.map_err(|_| GateError::OutcomeUnknown { name })
    };
    (call.boxed(), begun)
}
