//! The session in which a person is asked: found where it is there already, else begun.

use std::sync::Arc;

use super::super::error::GateError;
use super::log::unavailable;
use super::service::{Approvals, Question};
use crate::domain::clock::Time;
use crate::domain::digest::hex;
use crate::domain::event::{Creation, Emission, Event, Fact};
use crate::domain::gate::{AuditEvent, CallCard, Card, STATUS, State, Status, Subject};
use crate::domain::handshake::{Artist, Handshake, OpenHandshake};
use crate::domain::operation::Caller;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::{AppId, HandshakeId, SessionId, SessionKey, ShortCode};
use crate::wire::tools::Variance;

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
            requester: format!("{} of {}", asking.principal.name, asking.principal.app),
            why: approval.why.as_deref(),
            arguments,
            expires_at: self.clock.now().plus(approval.workflow.timeout),
        };
        let card = call.card(&approval.workflow);
        let event = AuditEvent::proposed(binding);
        let pending = Status::of(State::Pending);
        self.begin(app, prefix, card, event, pending).await
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
        let Card {
            intent,
            contract,
            view,
            props,
        } = card;
        let now = self.clock.now();
        let mut own = [0; OWN_BYTES];
        self.ids.fill(&mut own);
        let own = hex(&own);
        let own = own.get(..OWN_DIGITS).unwrap_or_default();
        let key = SessionKey {
            app: app.clone(),
            session: SessionId::new(format!("{prefix}{own}")),
        };
        let contract = self.book.contracts().compile(&contract);
        let contract = contract
            .map_err(|findings| GateError::Unavailable(format!("the card: {findings:?}")))?
            .contract;
        let intent: Arc<str> = intent.into();
        let view = Arc::new(view);
        let server = Caller::server(app.clone());
        let owner = &server.principal.name;
        let handshake = Handshake {
            app: app.clone(),
            owner: Arc::clone(owner),
            id: HandshakeId::new(self.ids.uuid()),
            intent: Arc::clone(&intent),
            contract: contract.document().hash,
            view: None,
            variance: Variance::default(),
            // Never drawn by a stored view: agents of the app could have drawn that one.
            matched: None,
            force_create: true,
            artist: Artist::default(),
            is_amended: false,
            created_at: now,
            expires_at: Time(u64::MAX),
        };
        let said = Emission {
            channel: STATUS.into(),
            mode: StreamMode::Replace,
            payload: status.payload(Subject::of(Some(&props)), None),
            complete: false,
            stream_seq: 1,
            replay: StreamReplay::Latest,
        };
        let creation = Creation {
            owner: Arc::clone(owner),
            intent,
            contract: contract.document().hash,
            view: view.document().hash,
            props: Some(Arc::new(props)),
            theme: None,
            host: None,
            short_code: ShortCode::new(self.ids.short_code()),
        };
        // First: what is not in the audit is not asked.
        let proposed = self.audit.append(now, &key, event).await;
        proposed.map_err(|error| GateError::Unavailable(error.to_string()))?;
        let claim = handshake.id.clone();
        let open = OpenHandshake {
            handshake: Arc::new(handshake),
            contract: Arc::clone(&contract),
            view: None,
            matched: None,
        };
        let offered = self.book.offer(open).await;
        offered.map_err(|error| unavailable(&error))?;
        let facts = [Event::Created(Arc::new(creation)), Event::Emitted(said)];
        let facts = facts.map(|event| Fact::by(&server, now, event)).into();
        let created = self.book.create(&key, &claim, facts, contract, view).await;
        created.map_err(|error| unavailable(&error))?;
        Ok(key)
    }
}
