//! People are asked about pages, and what they decide is done: whoever answers, and after a restart, too.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc::Receiver;
use tokio_util::sync::CancellationToken;

use super::super::book::{BookError, Decision, said};
use super::error::BrainError;
use super::intent::Intent;
use super::queue::Click;
use super::service::Brain;
use crate::domain::brain::{
    Ask, CARDS, Conflict, Decided, GapApproval, Place, Proposal, VALID_UNTIL, asked_closed,
    asked_open, is_preference, rewritten,
};
use crate::domain::card::STATUS;
use crate::domain::digest::hex;
use crate::domain::event::{Event, Fact};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::store_error::StoreError;
use crate::wire::brain::PutParams;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::{AppId, SessionId, SessionKey};

/// Random bytes that tell a card from an earlier one that asked the same.
const OWN_BYTES: usize = 8;
/// Contradictions that are asked about after one preference was kept: more than one answer settles.
const CONFLICTS_MAX: u32 = 10;

impl Brain {
    /// Asks people, unless they are asked the same already; the session of the card.
    pub(super) async fn ask(&self, app: &AppId, ask: &Ask) -> Result<SessionId, BrainError> {
        let prefix = ask.prefix();
        let mut open = 0;
        let mut sessions = Vec::new();
        for begins in CARDS {
            sessions.extend(self.book.names(app, begins).await?);
        }
        for session in sessions {
            let app = app.clone();
            let key = SessionKey { app, session };
            match self.book.live(&key).await {
                Ok(session) if is_open(&session) => {
                    if key.session.as_str().starts_with(&prefix) {
                        return Ok(key.session);
                    }
                    open += 1;
                }
                Ok(_) | Err(StoreError::Missing) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let max = self.limits.cards_per_app_max;
        if open >= max {
            return Err(StoreError::full("questions to people", max).into());
        }
        let mut own = [0; OWN_BYTES];
        self.ids.fill(&mut own);
        let key = SessionKey {
            app: app.clone(),
            session: SessionId::new(format!("{prefix}{}", hex(&own))),
        };
        self.book.ask(&key, ask.card(), asked_open()).await?;
        Ok(key.session)
    }

    /// Does what people decide, until the server drains.
    pub(crate) async fn answer_cards(
        self: Arc<Self>,
        mut clicks: Receiver<Click>,
        drain: CancellationToken,
    ) {
        loop {
            let click = tokio::select! {
                () = drain.cancelled() => return,
                Some(click) = clicks.recv() => click,
                else => return,
            };
            if let Err(error) = self.answer(&click).await {
                // The card stays open: a person can decide again.
                tracing::error!(%error, session.id = %click.key.session, "an answer had no effect");
            }
        }
    }

    async fn answer(&self, click: &Click) -> Result<(), BrainError> {
        let session = match self.book.live(&click.key).await {
            Ok(session) if is_open(&session) => session,
            // Somebody was faster, or it is over.
            Ok(_) | Err(StoreError::Missing) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let props = session.props.as_deref().unwrap_or(&Value::Null);
        let gesture = &click.action.gesture;
        let id = &click.key.session;
        let Some(decided) = Ask::decided(id, props, gesture.intent(), gesture.data()) else {
            return Ok(());
        };
        let (app, by) = (&click.key.app, &*click.by);
        let words = match decided {
            Decided::Keep(proposal) => self.keep(app, by, proposal).await?,
            Decided::Close {
                slug,
                version,
                until,
            } => self.close(app, by, (&slug, version), &until).await?,
            Decided::Nothing => asked_closed("dropped", "Decided: nothing has changed.", "neutral"),
            Decided::Share { words, .. } if words.is_empty() => asked_closed(
                "failed",
                "The question is no longer kept: ask again.",
                "bad",
            ),
            Decided::Share {
                gap,
                words,
                is_redacted,
            } => {
                let approval = GapApproval {
                    gap,
                    words,
                    is_redacted,
                    by: by.to_owned(),
                    now: self.now(),
                };
                match self.store.share_gap(app, approval).await {
                    Ok(()) => asked_closed("shared", "Decided: it may leave this machine.", "good"),
                    Err(StoreError::Missing) => {
                        asked_closed("failed", "The question is no longer kept.", "bad")
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        };
        self.say(&click.key, words).await
    }

    /// Keeps a preference, and asks about those that it contradicts.
    async fn keep(&self, app: &AppId, by: &str, kept: Proposal) -> Result<Value, BrainError> {
        let mut caller = Caller::server(app.clone());
        caller.principal.name = by.into();
        let put = PutParams {
            slug: kept.slug,
            content: kept.content,
            expected_version: kept.expected_version,
        };
        match self.put(&caller, put).await {
            Ok(put) => {
                let place = self.resolve(&caller, &put.slug, Intent::Read);
                self.ask_which(app, &place.await?).await?;
                Ok(asked_closed(
                    "kept",
                    "Kept. You find it under Pages.",
                    "good",
                ))
            }
            Err(BrainError::Stale { .. }) => {
                let why = "The page has changed meanwhile: nothing was kept.";
                Ok(asked_closed("failed", why, "warn"))
            }
            Err(error) => Err(error),
        }
    }

    /// Asks which one holds of preferences that contradict each other.
    pub(super) async fn ask_which(&self, app: &AppId, place: &Place) -> Result<(), BrainError> {
        let found = self
            .store
            .conflicts(app, Some(place), CONFLICTS_MAX)
            .await?;
        for conflict in found {
            let Conflict { page, other, .. } = &conflict;
            if page == other || !is_preference(page) || !is_preference(other) {
                continue;
            }
            let versions = (
                self.store.page(app, page).await?.version,
                self.store.page(app, other).await?.version,
            );
            self.ask(app, &Ask::which(&conflict, versions)).await?;
        }
        Ok(())
    }

    /// Ends the preference that does not hold, if it is still what the person saw.
    async fn close(
        &self,
        app: &AppId,
        by: &str,
        (slug, version): (&str, i64),
        until: &str,
    ) -> Result<Value, BrainError> {
        let mut caller = Caller::server(app.clone());
        caller.principal.name = by.into();
        let changed = || asked_closed("failed", "It has changed meanwhile.", "warn");
        let page = match self.page(&caller, slug).await {
            Ok(page) if page.version == version => page,
            Ok(_) | Err(BrainError::NotFound(_)) => return Ok(changed()),
            Err(error) => return Err(error),
        };
        let put = PutParams {
            slug: page.place.to_string(),
            content: rewritten(&page.source, &[(VALID_UNTIL, until.to_owned())], None),
            expected_version: Some(version),
        };
        match self.put(&caller, put).await {
            Ok(_) => Ok(asked_closed(
                "kept",
                "Decided: the other one is over.",
                "good",
            )),
            Err(BrainError::Stale { .. }) => Ok(changed()),
            Err(error) => Err(error),
        }
    }

    /// Says on a card what became of it, if it is still open.
    async fn say(&self, key: &SessionKey, words: Value) -> Result<(), BrainError> {
        let (server, now) = (Caller::server(key.app.clone()), self.clock.now());
        let decide = |session: &Session| -> Result<Decision<()>, BookError> {
            let item = is_open(session).then(|| {
                let (mode, replay) = (StreamMode::Replace, StreamReplay::Latest);
                session.emission(STATUS.into(), mode, replay, words.clone(), false)
            });
            let item = item.map(|item| Fact::by(&server, now, Event::Emitted(item)));
            Ok(Decision::of(item))
        };
        match self.book.decide(&server, key, decide).await {
            Ok(_) | Err(BookError::SessionNotFound { .. }) => Ok(()),
            Err(BookError::Store(error)) => Err(error.into()),
        }
    }
}

fn is_open(session: &Session) -> bool {
    said(session).is_some_and(|words| words["state"] == "pending")
}
