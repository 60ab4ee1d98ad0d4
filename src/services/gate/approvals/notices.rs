//! Notices that a person is asked, to whatever the gate file names.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use super::super::meters;
use super::service::Approvals;
use crate::domain::gate::{Destination, Notice, Workflow, slack_message};
use crate::wire::ids::SessionKey;

/// How often a notice is sent until it is taken: with the rests between, some 15 seconds long. Who is
/// not there then has minutes less to decide than the notice says.
const ATTEMPTS_MAX: u32 = 6;
/// The rest after the first attempt; each is twice as long as the one before.
const REST: Duration = Duration::from_millis(500);
/// What a notice is about.
const REQUESTED: &str = "approval.requested";
/// What of a card is in its notice: what the workflow keeps from people is in none of it.
const CARD_MEMBERS: [&str; 7] = [
    "tool",
    "server",
    "requester",
    "why",
    "arguments",
    "texts",
    "expiresAt",
];

impl Approvals {
    /// Tells whatever a workflow names, where it does, that there is a card.
    pub(super) fn announce(&self, workflow: &Workflow, key: &SessionKey, props: &Value) {
        let (webhook, body) = match workflow.destination.clone() {
            None => return,
            Some(Destination::Console) => {
                let (tool, requester) = (&props["tool"], &props["requester"]);
                let card = self.link(key);
                tracing::warn!(gate.card = card, "Approve {tool}? Asked by {requester}");
                return;
            }
            Some(Destination::Slack(webhook)) => (webhook, slack_message(&self.link(key), props)),
            Some(Destination::Webhook(webhook)) => (webhook, self.notice(key, props)),
        };
        let notice = Notice {
            id: key.session.to_string(),
            body: body.to_string(),
        };
        let (messenger, clock) = (Arc::clone(&self.messenger), Arc::clone(&self.clock));
        let drain = self.drain.clone();
        let workflow = workflow.name.clone();
        let send = async move {
            let mut rest = REST;
            for attempt in 1.. {
                let at = clock.now().0 / 1_000;
                let posted = messenger.post(&webhook, &notice, at).await;
                meters::count_notice(posted.is_ok());
                match posted {
                    Ok(()) => return,
                    Err(error) if attempt == ATTEMPTS_MAX => {
                        tracing::error!(gate.workflow = workflow, %error, "a webhook was not told of a card");
                        return;
                    }
                    Err(error) => {
                        tracing::warn!(gate.workflow = workflow, %error, attempt, "a webhook is told again");
                    }
                }
                sleep(rest).await;
                rest *= 2;
            }
        };
        self.tasks.spawn(async move {
            tokio::select! {
                () = drain.cancelled() => {}
                () = send => {}
            }
        });
    }

    fn notice(&self, key: &SessionKey, props: &Value) -> Value {
        let mut data = json!({
            "card": self.link(key),
            "app": key.app,
        });
        for name in CARD_MEMBERS {
            data[name] = props[name].clone();
        }
        let now = self.clock.now().to_string();
        json!({ "type": REQUESTED, "timestamp": now, "data": data })
    }
}
