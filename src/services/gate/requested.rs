//! Who made a request. It belongs to nothing that is decided, compared or kept of an operation, so it
//! goes beside it, with the task that runs it.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::MissedTickBehavior;

use crate::domain::gate::{Abilities, ELICIT, PROGRESS, Question, Requester};

/// What a wait is of a step: a thousand of them are less than the first one.
const WAITED: f64 = 0.000_5;

tokio::task_local! {
    static REQUESTER: Arc<dyn Requester>;
}

/// Does something for somebody who can be told things meanwhile, and asked.
pub(crate) async fn requested_by<T>(
    requester: Arc<dyn Requester>,
    work: impl Future<Output = T>,
) -> T {
    REQUESTER.scope(requester, work).await
}

/// Who asked for what this task does.
pub(super) fn requester() -> Option<Arc<dyn Requester>> {
    REQUESTER.try_with(Arc::clone).ok()
}

/// Waits for a person who has to agree, and tells whoever asked that it does, now and then: a client
/// that hears nothing gives up.
pub(super) async fn reporting_progress<T>(every: Duration, wait: impl Future<Output = T>) -> T {
    let Some(requester) = requester() else {
        return wait.await;
    };
    let mut wait = pin!(wait);
    let mut ticks = tokio::time::interval(every.max(Duration::from_secs(1)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    let mut sent = 0_u32;
    loop {
        let mut progress = Map::new();
        // It has to grow, and what is said of the call itself begins at one.
        let waited = match sent {
            0 => json!(0),
            sent => json!(f64::from(sent) * WAITED),
        };
        progress.insert("progress".to_owned(), waited);
        progress.insert("message".to_owned(), "Waiting for a person to agree".into());
        requester.notify(PROGRESS, progress);
        sent += 1;
        tokio::select! {
            biased;
            done = &mut wait => return done,
            _ = ticks.tick() => {}
        }
    }
}

/// Whether the person at the client can be sent to an address. A client of which it is not known what
/// it can is not asked: few can do this.
pub(super) fn may_be_sent() -> bool {
    let abilities = requester().map(|requester| requester.abilities());
    abilities.is_some_and(|abilities| abilities.url && abilities != Abilities::UNKNOWN)
}

/// Sends them to the card. What they do there is what counts: that they were there says nothing.
pub(super) async fn send_to(card: &str, handle: &str, tool: &str) {
    let Some(requester) = requester() else {
        return;
    };
    let params = json!({
        "mode": "url",
        "elicitationId": handle,
        "url": card,
        "message": format!("A person has to agree before {tool} is called."),
    });
    let Value::Object(params) = params else {
        return;
    };
    let question = Question {
        name: "approval".to_owned(),
        method: ELICIT,
        params,
    };
    if let Err(error) = requester.ask(question).await {
        tracing::debug!(%error, "nobody was sent to a card");
    }
}
