//! A call waits for a person: who comes first asks, whoever makes the same call joins.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::super::super::book::Book;
use super::super::error::GateError;
use super::approved::Approved;
use super::asked::Changes;
use super::case::{Case, Cases, Outcome};
use crate::domain::clock::{Clock, Ids};
use crate::domain::credentials::Credentials;
use crate::domain::event::Awaited;
use crate::domain::footprint::Room;
use crate::domain::gate::{
    Approval, Audit, Binding, Choice, Grant, Messenger, PinStore, PolicyVersion, State, Status,
};
use crate::domain::limits::GateLimits;
use crate::domain::operation::Caller;
use crate::domain::principal::Lease;
use crate::wire::ids::{AppId, Seq, SessionId, SessionKey};

/// What a caller is told whose credential was withdrawn while a person was asked.
const WITHDRAWN: &str = "the credential is no longer valid";
/// What a caller is told whose call is no longer what a person was asked about.
const CHANGED: &str = "the rules or the tool have changed since a person was asked; call it again";
/// How long a store that fails is left alone before an approval is looked at again.
pub(super) const STORE_REST: Duration = Duration::from_secs(1);

/// Asks people to agree to calls. Each approval is a session, which its log says all about: it can
/// be read again after a restart, and by other nodes.
pub(crate) struct Approvals {
    pub(crate) book: Arc<Book>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) audit: Arc<dyn Audit>,
    pub(crate) credentials: Arc<dyn Credentials>,
    pub(crate) limits: GateLimits,
    /// Beyond it no further session is begun in which people would be asked.
    pub(crate) room: Arc<dyn Room>,
    /// Cancelled when the server drains: calls that wait are then answered at once.
    pub(crate) drain: CancellationToken,
    /// Calls that are being made are waited for when the server ends.
    pub(crate) tasks: TaskTracker,
    /// Tells webhooks that people are asked.
    pub(crate) messenger: Arc<dyn Messenger>,
    /// The address of the stage, without a slash at its end.
    pub(crate) base: String,
    /// Where the tools stand that were accepted.
    pub(crate) pins: Arc<dyn PinStore>,
    pub(crate) cases: Cases,
    pub(crate) changes: Changes,
    pub(crate) approved: Approved,
    /// The version of the rules that hold.
    pub(crate) rules: watch::Sender<PolicyVersion>,
    /// Cancelled once the audit holds all that cards said before the start: nobody is asked earlier.
    pub(crate) recovered: CancellationToken,
}

/// A call that a person has to agree to.
pub(in super::super) struct Question<'a> {
    pub(in super::super) caller: &'a Caller,
    /// The tool, as the caller named it.
    pub(in super::super) name: &'a str,
    /// The id of its source.
    pub(in super::super) source: &'a str,
    pub(in super::super) arguments: &'a Map<String, Value>,
    /// The session during which it is called, where the caller names one.
    pub(in super::super) session: Option<&'a SessionId>,
    /// The action of that session by which a person agrees, where they were asked before the call.
    pub(in super::super) click: Option<&'a str>,
    pub(in super::super) approval: &'a Approval,
    pub(in super::super) binding: &'a Binding,
    /// The further calls that a person can agree to, where that is offered.
    pub(in super::super) grant: Option<&'a Grant>,
}

impl Question<'_> {
    /// The app on whose stage a person is asked.
    pub(super) fn app(&self) -> &AppId {
        let app = self.approval.workflow.app.as_ref();
        app.unwrap_or(&self.caller.principal.app)
    }
}

/// That a person has agreed.
pub(in super::super) struct Agreed {
    /// To what.
    pub(in super::super) choice: Choice,
    /// Who.
    pub(in super::super) by: Arc<str>,
    /// Where the log of the session stood.
    pub(super) head: Seq,
}

/// What a caller that waits can do.
pub(in super::super) enum Turn {
    /// A person has agreed.
    Approved(Agreed),
    /// The call was made.
    Finished(Outcome),
}

impl Approvals {
    /// When a call that comes now is answered, decided or not.
    pub(in super::super) fn deadline(&self, approval: &Approval, is_task: bool) -> Instant {
        let hold = match is_task {
            // Whoever looks at it now and then waits as long as a person has.
            true => approval.workflow.timeout + self.limits.approval_valid(),
            false => {
                let hold = approval.workflow.hold.unwrap_or(Duration::MAX);
                hold.min(self.limits.approval_hold())
            }
        };
        Instant::now() + hold
    }

    /// The approval of a call: the one that is open, or a new one.
    pub(in super::super) async fn open(
        self: &Arc<Self>,
        question: &Question<'_>,
    ) -> Result<Arc<Case>, GateError> {
        self.recovered.cancelled().await;
        let prefix = question.binding.prefix();
        let principal = &question.caller.principal;
        let owner = (principal.app.clone(), Arc::clone(&principal.name));
        let case = self.cases.enter(&prefix, owner, &self.limits)?;
        let opened = case.session.get_or_try_init(|| async {
            let key = self.session(question, &prefix).await?;
            self.watch(&case, &key);
            Ok(key)
        });
        match opened.await {
            Ok(_) => Ok(case),
            Err(error) => {
                self.cases.remove(&case);
                Err(error)
            }
        }
    }

    /// Waits until the caller can do something, or is answered without.
    pub(in super::super) async fn turn(
        &self,
        case: &Arc<Case>,
        question: &Question<'_>,
        deadline: Instant,
    ) -> Result<Turn, GateError> {
        let name = || question.name.to_owned();
        let key = case.session.get();
        let key = key.ok_or_else(|| GateError::Unavailable("it has no session".to_owned()))?;
        let mut outcomes = case.outcomes();
        loop {
            // Before it is looked at: what comes after that wakes.
            outcomes.mark_unchanged();
            if let Some(outcome) = case.deliver() {
                self.cases.remove(case);
                return Ok(Turn::Finished(outcome));
            }
            let (reading, head) = self.read(key).await?;
            let state = reading.state();
            if state == State::Approved {
                let agreed = reading.agreed().ok_or_else(|| {
                    GateError::Unavailable("its log does not say who has agreed".to_owned())
                });
                let (choice, by) = agreed?;
                return Ok(Turn::Approved(Agreed {
                    choice: choice.clone(),
                    by: Arc::clone(by),
                    head,
                }));
            }
            let is_made = matches!(state, State::Done | State::Failed | State::Unknown);
            let is_coming = is_made && case.is_ours();
            if state.is_final() && !is_coming {
                self.close(case);
                return Err(match state {
                    State::Rejected => GateError::ApprovalRejected {
                        name: name(),
                        reason: reading.status.and_then(|status| status.note),
                    },
                    State::Expired => GateError::ApprovalTimeout {
                        name: name(),
                        after: question.approval.workflow.timeout,
                    },
                    State::Withdrawn => changed(question.name),
                    // Or another node made it, for another call, which has what came of it.
                    _ => GateError::OutcomeUnknown { name: name() },
                });
            }
            let ends = reading.ends(self.limits.approval_valid());
            let lease: Lease = question.caller.principal.lease;
            let pending = || GateError::ApprovalPending {
                name: name(),
                handle: Binding::handle(&key.session),
                card: self.link(key),
            };
            tokio::select! {
                biased;
                () = self.drain.cancelled(), if state == State::Pending => return Err(pending()),
                () = self.credentials.expired_or_revoked(lease) => {
                    let reason = WITHDRAWN.to_owned();
                    return Err(GateError::Denied { name: name(), reason });
                }
                _ = outcomes.changed() => {}
                () = sleep_until(deadline) => return Err(pending()),
                _ = self.book.wait(key, head, Awaited::Any), if !is_coming => {}
                () = sleep(ends.since(self.clock.now())), if !is_coming => {}
            }
        }
    }

    /// Whoever asked knows what came of it: the same call, made again, needs another approval.
    pub(in super::super) fn close(&self, case: &Arc<Case>) {
        case.mark_delivered();
        self.cases.remove(case);
    }

    /// Leads to a card, for whoever may open the stage.
    pub(in super::super) fn link(&self, key: &SessionKey) -> String {
        format!("{}/#s={}", self.base, key.session)
    }

    /// The link to the card of an approval on which nobody has decided, and what names it.
    pub(in super::super) async fn undecided(&self, case: &Case) -> Option<(String, String)> {
        let key = case.session.get()?;
        let (reading, _) = self.read(key).await.ok()?;
        let is_undecided = reading.state() == State::Pending;
        is_undecided.then(|| (self.link(key), Binding::handle(&key.session)))
    }

    /// What a person was asked about is no longer what would be done.
    pub(in super::super) async fn withdraw(
        &self,
        case: &Arc<Case>,
        question: &Question<'_>,
    ) -> GateError {
        if let Some(key) = case.session.get() {
            // Found out by the next who looks at it, if it cannot be written now.
            let open = [State::Pending, State::Approved];
            let _ = self
                .write_last(key, &open, &Status::of(State::Withdrawn))
                .await;
        }
        self.cases.remove(case);
        changed(question.name)
    }

    /// What a person has made of a call does not fit its tool: they are asked again.
    pub(in super::super) async fn ask_again(
        &self,
        case: &Arc<Case>,
        agreed: &Agreed,
        why: &str,
    ) -> Result<(), GateError> {
        if let Some(key) = case.session.get() {
            let again = Status::of(State::Pending).noting(why);
            self.write(key, agreed.head, &again).await?;
        }
        Ok(())
    }

    /// Follows an approval whether a caller waits or not, so that its card says how it stands.
    fn watch(self: &Arc<Self>, case: &Arc<Case>, key: &SessionKey) {
        let (approvals, case, key) = (Arc::clone(self), Arc::clone(case), key.clone());
        self.tasks.spawn(async move {
            tokio::select! {
                () = approvals.drain.cancelled() => {}
                () = approvals.follow(&case, &key) => {}
            }
        });
    }

    async fn follow(&self, case: &Arc<Case>, key: &SessionKey) {
        let last = loop {
            let Ok((reading, head)) = self.read(key).await else {
                sleep(STORE_REST).await;
                continue;
            };
            if reading.state().is_final() {
                break reading.state();
            }
            let ends = reading.ends(self.limits.approval_valid());
            tokio::select! {
                _ = self.book.wait(key, head, Awaited::Any) => {}
                () = sleep(ends.since(self.clock.now())) => {}
            }
        };
        case.decide();
        if case.is_ours() {
            // The sender is a field of the case, so it outlives this wait.
            let _ = case.outcomes().wait_for(Option::is_some).await;
        }
        // A caller that was not there comes back for what came of it. What another node has done was
        // answered there.
        let is_news = case.is_ours() || matches!(last, State::Expired | State::Rejected);
        if is_news && !case.is_delivered() {
            sleep(self.limits.approval_valid()).await;
        }
        self.cases.remove(case);
    }

    /// Goes on with the approvals that were open when the server ended. A call that was begun then
    /// is not made again.
    pub(crate) async fn recover(self: Arc<Self>) {
        let open = self.audit.open_at_start();
        for (key, last) in &open {
            self.complete(key, last).await;
        }
        self.recovered.cancel();
        for (key, _) in open {
            let Ok((reading, _)) = self.read(&key).await else {
                continue;
            };
            match reading.state() {
                State::Executing => {
                    let unknown = Status::of(State::Unknown);
                    let begun = [State::Executing];
                    if let Err(error) = self.write_last(&key, &begun, &unknown).await {
                        tracing::error!(%error, "an approval cannot be written");
                    }
                }
                State::Granted => self.watch_grant(&key, None),
                state if state.is_final() => {}
                _ => {
                    let name = key.session.as_str();
                    let prefix = name.rfind('-').and_then(|at| name.get(..=at));
                    let owner = (key.app.clone(), Arc::from(""));
                    let case = self.cases.restore(prefix.unwrap_or(name), owner);
                    if case.session.set(key.clone()).is_ok() {
                        self.watch(&case, &key);
                    }
                }
            }
        }
    }
}

fn changed(name: &str) -> GateError {
    GateError::Denied {
        name: name.to_owned(),
        reason: CHANGED.to_owned(),
    }
}
