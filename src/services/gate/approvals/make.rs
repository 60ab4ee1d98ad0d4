//! The session in which a person is asked: found where it is there already, else begun.

use super::super::error::GateError;
use super::log::unavailable;
use super::service::{Approvals, Question};
use crate::domain::card::Card;
use crate::domain::digest::hex;
use crate::domain::gate::{AuditEvent, CallCard, State, Status, Subject, asked_by};
use crate::wire::ids::{AppId, SessionId, SessionKey};

/// Digits of what tells an approval from others of the same call.
const OWN_DIGITS: usize = 21;
/// Random bytes for that many digits.
const OWN_BYTES: usize = OWN_DIGITS.div_ceil(2);

impl Approvals {
    /// The session of an approval that is open, or a new one.
    pub(super) async fn session(
        &self,
        question: &Question<'_>,
        prefix: &str,
    ) -> Result<SessionKey, GateError> {
        let app = question.app();
        match self.find(app, prefix).await? {
            Some(key) => Ok(key),
            None => self.make(question, app, prefix).await,
        }
    }

    /// The session that is open of those whose names begin like this.
    pub(super) async fn find(
        &self,
        app: &AppId,
        prefix: &str,
    ) -> Result<Option<SessionKey>, GateError> {
        let names = self.book.names(app, prefix).await;
        for session in names.map_err(|error| unavailable(&error))? {
            let app = app.clone();
            let key = SessionKey { app, session };
            if !self.read(&key).await?.0.state().is_final() {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }

    async fn make(
        &self,
        question: &Question<'_>,
        app: &AppId,
        prefix: &str,
    ) -> Result<SessionKey, GateError> {
        let Question {
            caller: asking,
            name: tool,
            source,
            arguments,
            approval,
            binding,
            ..
        } = question;
        let call = CallCard {
            tool,
            source,
            requester: asked_by(asking.principal.app.as_str(), &asking.principal.name),
            why: approval.why.as_deref(),
            arguments,
            expires_at: self.clock.now().plus(approval.workflow.timeout),
            last: self.approved.last(binding),
        };
        let card = call.card(&approval.workflow);
        let during = self.during(question).await;
        let event = AuditEvent::proposed(binding, during, question.click);
        let pending = Status::of(State::Pending);
        let props = card.props.clone();
        let key = self.begin(app, prefix, card, event, pending).await?;
        // Whoever agrees by a click is there already.
        if question.click.is_none() {
            self.announce(&approval.workflow, &key, &props);
        }
        Ok(key)
    }

    /// The session during which a tool is called, if it is there and the caller may see it.
    async fn during(&self, question: &Question<'_>) -> Option<String> {
        let principal = &question.caller.principal;
        let key = SessionKey {
            app: principal.app.clone(),
            session: question.session?.clone(),
        };
        let session = self.book.live(&key).await.ok()?;
        let is_seen = principal.sees(&session.creation.owner);
        is_seen.then(|| key.session.to_string())
    }

    /// Begins a session in which people are asked, whose name begins like this and which says this.
    pub(super) async fn begin(
        &self,
        app: &AppId,
        prefix: &str,
        card: Card,
        event: AuditEvent,
        status: Status,
    ) -> Result<SessionKey, GateError> {
        self.room.check()?;
        let mut own = [0; OWN_BYTES];
        self.ids.fill(&mut own);
        let own = hex(&own);
        let own = own.get(..OWN_DIGITS).unwrap_or_default();
        let key = SessionKey {
            app: app.clone(),
            session: SessionId::new(format!("{prefix}{own}")),
        };
        let now = self.clock.now();
        // First: what is not in the audit is not asked.
        let proposed = self.audit.append(now, &key, event).await;
        proposed.map_err(|error| GateError::Unavailable(error.to_string()))?;
        let said = status.payload(Subject::of(Some(&card.props)), None);
        let asked = self.book.ask(&key, card, said).await;
        asked.map_err(|error| unavailable(&error))?;
        Ok(key)
    }
}
