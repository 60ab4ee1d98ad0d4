//! Those who watch a session see that a view is being drawn, and that it no longer is.

use serde_json::{Value, json};
use tokio::time::{Instant, interval_at};

use super::super::book::{BookError, Decision};
use super::generation::{Generation, Wanted};
use super::jobs::Ticket;
use crate::domain::clock::Time;
use crate::domain::event::{Emission, Event, Fact, PREVIEW_CHANNEL};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::size::shorten;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::SessionKey;

/// The catalog of previews, as the protocol names it.
const CATALOG: &str = "ggui.preview.v1";
/// Characters of an intent that a preview shows: a headline.
const TITLE_CHARS_MAX: usize = 120;

impl Generation {
    /// Tells those who watch the sessions of a job, as long as it takes. It never ends by itself.
    pub(super) async fn preview(&self, wanted: &Wanted, ticket: &Ticket) {
        let each = self.limits.preview_after();
        let mut ticks = interval_at(Instant::now() + each, each);
        loop {
            ticks.tick().await;
            for key in self.jobs.take_unannounced(ticket) {
                self.announce(wanted, &key).await;
            }
        }
    }

    async fn announce(&self, wanted: &Wanted, key: &SessionKey) {
        let caller = Caller::server(key.app.clone());
        let now = self.clock.now();
        let decide = |session: &Session| -> Result<Decision<()>, BookError> {
            let first = session.emission(
                PREVIEW_CHANNEL.into(),
                StreamMode::Append,
                StreamReplay::All,
                created(key),
                false,
            );
            let second = Emission {
                payload: drawn(key, &wanted.intent, &wanted.model),
                stream_seq: first.stream_seq + 1,
                ..first.clone()
            };
            let facts = [first, second].map(Event::Emitted);
            Ok(Decision::of(
                facts.map(|event| Fact::by(&caller, now, event)),
            ))
        };
        // Only a courtesy: a session that is gone has nobody who watches.
        let _ = self.book.decide(&caller, key, decide).await;
    }
}

/// The end of what was shown of a view that was being drawn.
pub(super) fn preview_end(caller: &Caller, now: Time, session: &Session) -> Fact {
    let end = session.emission(
        PREVIEW_CHANNEL.into(),
        StreamMode::Append,
        StreamReplay::All,
        Value::Null,
        true,
    );
    Fact::by(caller, now, Event::Emitted(end))
}

fn created(key: &SessionKey) -> Value {
    let surface = json!({"surfaceId": key.session.as_str(), "catalogId": CATALOG});
    json!({"version": "v0.9", "createSurface": surface})
}

fn drawn(key: &SessionKey, intent: &str, model: &str) -> Value {
    let components = json!([
        {"id": "root", "component": "Column", "children": ["title", "status"]},
        {"id": "title", "component": "Text", "text": shorten(intent, TITLE_CHARS_MAX)},
        {"id": "status", "component": "Text", "text": format!("{model} draws this page")},
    ]);
    let surface = json!({"surfaceId": key.session.as_str(), "components": components});
    json!({"version": "v0.9", "updateComponents": surface})
}
