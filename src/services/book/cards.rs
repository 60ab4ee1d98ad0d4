//! Sessions in which the server asks people: agents never see them.

use std::sync::Arc;

use serde_json::Value;

use super::service::Book;
use crate::domain::card::{Card, STATUS};
use crate::domain::clock::Time;
use crate::domain::event::{Creation, Emission, Event, Fact};
use crate::domain::handshake::{Artist, Handshake, OpenHandshake};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::store_error::StoreError;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::{HandshakeId, SessionKey, ShortCode};
use crate::wire::tools::Variance;

impl Book {
    /// Begins a session that shows a card, on which this is said.
    pub(crate) async fn ask(
        &self,
        key: &SessionKey,
        card: Card,
        said: Value,
    ) -> Result<(), StoreError> {
        let Card {
            intent,
            contract,
            view,
            props,
        } = card;
        let now = self.clock.now();
        let contract = self.contracts().compile(&contract);
        let unsound = |findings| StoreError::unavailable(format!("the card: {findings:?}"));
        let contract = contract.map_err(unsound)?.contract;
        let intent: Arc<str> = intent.into();
        let view = Arc::new(view);
        let server = Caller::server(key.app.clone());
        let owner = &server.principal.name;
        let handshake = Handshake {
            app: key.app.clone(),
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
            payload: said,
            complete: false,
            stream_seq: 1,
            replay: StreamReplay::Latest,
        };
        let creation = Creation {
            owner: Arc::clone(owner),
            intent,
            contract: contract.document().hash,
            variance: Variance::default(),
            view: view.document().hash,
            props: Some(Arc::new(props)),
            theme: None,
            host: None,
            short_code: ShortCode::new(self.ids.short_code()),
            is_reused: false,
        };
        let claim = handshake.id.clone();
        self.offer(OpenHandshake {
            handshake: Arc::new(handshake),
            contract: Arc::clone(&contract),
            view: None,
            matched: None,
        })
        .await?;
        let facts = [Event::Created(Arc::new(creation)), Event::Emitted(said)];
        let facts = facts.map(|event| Fact::by(&server, now, event)).into();
        self.create(key, &claim, facts, contract, view).await?;
        Ok(())
    }
}

/// What a card says now.
pub(crate) fn said(session: &Session) -> Option<&Value> {
    match &session.latest.get(STATUS)?.fact.event {
        Event::Emitted(emission) => Some(&emission.payload),
        _ => None,
    }
}
