//! Notices to webhooks over HTTP, signed by the scheme of standardwebhooks.com where they have a key.

use std::time::Duration;

use async_trait::async_trait;
use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::domain::gate::{Messenger, NotTaken, Notice, Webhook};

/// How long one attempt may take: receivers take a notice and work on it later.
const ATTEMPT_MAX: Duration = Duration::from_secs(10);

/// Posts notices.
pub(crate) struct Webhooks;

#[async_trait]
impl Messenger for Webhooks {
    async fn post(&self, to: &Webhook, notice: &Notice, at: u64) -> Result<(), NotTaken> {
        let Notice { id, body } = notice;
        // Cards are few: no connection is kept for the next.
        let client = reqwest::Client::builder()
            .timeout(ATTEMPT_MAX)
            // What is signed for one address is not for another.
            .redirect(reqwest::redirect::Policy::none())
            .build();
        let client = client.map_err(|_| NotTaken::Unanswered("no client can be made"))?;
        let mut request = client
            .post(&to.url)
            .header("content-type", "application/json")
            .body(body.clone());
        if let Some(key) = &to.key {
            let key = hmac::Key::new(hmac::HMAC_SHA256, key);
            let signature = hmac::sign(&key, format!("{id}.{at}.{body}").as_bytes());
            request = request
                .header("webhook-id", id)
                .header("webhook-timestamp", at)
                .header(
                    "webhook-signature",
                    format!("v1,{}", STANDARD.encode(signature)),
                );
        }
        let answer = request.send().await.map_err(|error| {
            NotTaken::Unanswered(match error.is_timeout() {
                true => "it did not answer in time",
                false => "it cannot be reached",
            })
        })?;
        match answer.status() {
            status if status.is_success() => Ok(()),
            status => Err(NotTaken::Refused(status.as_u16())),
        }
    }
}
