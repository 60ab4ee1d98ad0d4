//! Pages become items of the channels that they feed: each version once, as long as somebody watches.

use std::sync::Arc;

use serde_json::Value;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::super::book::{BookError, Decision};
use super::error::BrainError;
use super::feeds::{Feed, Feeds};
use super::service::Brain;
use crate::domain::event::{Event, Fact};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::size::value_bytes;
use crate::domain::store_error::{STORE_WAIT, StoreError};
use crate::wire::brain::{GetParams, GetResult};
use crate::wire::contract::StreamReplay;

impl Brain {
    /// Feeds the channels of the sessions that somebody watches, until the server drains. What a store
    /// did not take is tried again, and of many changes of a page meanwhile the last is told.
    pub(crate) async fn feed_channels(
        self: Arc<Self>,
        feeds: Arc<Feeds>,
        drain: CancellationToken,
    ) {
        let mut changes = self.changes.follow();
        loop {
            tokio::select! {
                () = drain.cancelled() => return,
                () = feeds.come() => {}
                page = changes.any() => feeds.changed(page),
            }
            while let Some(page) = changes.at_once() {
                feeds.changed(page);
            }
            let mut failed = Vec::new();
            for feed in feeds.due() {
                if let Err(error) = self.send_page(&feeds, &feed).await {
                    feeds.lost(&feed.key, "failed", &error);
                    failed.push(feed.key);
                }
            }
            if !failed.is_empty() {
                tokio::select! {
                    () = drain.cancelled() => return,
                    () = sleep(STORE_WAIT) => feeds.again(failed),
                }
            }
        }
    }

    /// Tells a channel of its page, unless it was told of this version.
    async fn send_page(&self, feeds: &Feeds, feed: &Feed) -> Result<(), StoreError> {
        let caller = Caller::server(feed.key.app.clone());
        let slug = feed.page.clone();
        let page = match self.get(&caller, GetParams { slug }).await {
            Ok(page) => page,
            Err(BrainError::Store(error)) => return Err(error),
            // There is none yet, or no longer one.
            Err(_) => return Ok(()),
        };
        let seen = (page.uuid.clone(), page.version);
        if feed.seen.as_ref() == Some(&seen) {
            return Ok(());
        }
        let payload = serde_json::to_value(&page).unwrap_or_default();
        match unfit(feed, &payload, feeds.payload_bytes_max()) {
            Some(why) => feeds.lost(&feed.key, "unfit", &why),
            None => self.emit(&caller, feed, &page, payload).await?,
        }
        feeds.saw(feed, seen);
        Ok(())
    }

    /// Puts a page on a channel. Whether that was told of it is seen within the session, whoever told
    /// it: another watcher, another process, or this one before it ended.
    async fn emit(
        &self,
        caller: &Caller,
        feed: &Feed,
        page: &GetResult,
        payload: Value,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        let streams = feed.contract.contract().stream_spec.as_ref();
        let mode = streams.and_then(|streams| streams.get(&*feed.channel)?.mode);
        let decide = |session: &Session| -> Result<Decision<()>, BookError> {
            if !is_newer(session, feed, page) {
                return Ok(Decision::of([]));
            }
            // Kept whatever the contract says of late subscribers: by this it is known what was told.
            let emission = session.emission(
                Arc::clone(&feed.channel),
                mode.unwrap_or_default(),
                StreamReplay::Latest,
                payload.clone(),
                false,
            );
            Ok(Decision::of([Fact::by(
                caller,
                now,
                Event::Emitted(emission),
            )]))
        };
        match self.book.decide(caller, &feed.key, decide).await {
            // Nobody watches what is gone.
            Ok(_) | Err(BookError::SessionNotFound { .. }) => Ok(()),
            Err(BookError::Store(error)) => Err(error),
        }
    }
}

/// Whether a page is newer than the one that a channel shows, or another one.
fn is_newer(session: &Session, feed: &Feed, page: &GetResult) -> bool {
    let last = session.latest.get(&feed.channel);
    let Some(Event::Emitted(last)) = last.map(|record| &record.fact.event) else {
        return true;
    };
    let shown = &last.payload;
    shown["uuid"] != *page.uuid
        || shown["version"]
            .as_i64()
            .is_none_or(|version| version < page.version)
}

/// Why a page is no item of a channel, without anything of what it says.
fn unfit(feed: &Feed, payload: &Value, bytes_max: usize) -> Option<String> {
    let (page, channel) = (&feed.page, &feed.channel);
    let bytes = value_bytes(payload);
    if bytes > bytes_max {
        return Some(format!(
            "{page} takes {bytes} bytes on {channel}, at most {bytes_max} make an item"
        ));
    }
    let violations = feed.contract.check_emit(channel, payload).err()?;
    let first = violations.first().map_or("", |first| &*first.field);
    let count = violations.len();
    Some(format!(
        "{page} does not fit the schema of {channel}: {first}, and {} more",
        count.saturating_sub(1)
    ))
}
