//! Notices that an agent has rendered something that nobody looks at.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::sleep;

use super::running::Running;
use crate::domain::store_error::{STORE_WAIT, StoreError};
use crate::wire::ids::SessionId;

/// How soon after a render somebody looks at it who is going to: a host shows it within a second or
/// two, and a stage that is open was there before.
const SEEN_WITHIN: Duration = Duration::from_secs(3);

impl Running {
    /// Waits for a render that nobody watches, and returns its address on the stage. Without the dev
    /// identity there is none: a person has to sign in first.
    pub async fn unwatched_render(&self) -> Option<String> {
        if !self.is_dev() {
            return None;
        }
        let mut at = None;
        loop {
            match self.next_render(&mut at).await {
                Ok(session) => {
                    sleep(SEEN_WITHIN).await;
                    if !self.is_watched() {
                        return Some(format!("{}#s={session}", self.stage_url()));
                    }
                }
                Err(_) => sleep(STORE_WAIT).await,
            }
        }
    }

    /// The next session that is rendered; `at` is the position in the activity, `None` before all
    /// that is yet to come.
    async fn next_render(&self, at: &mut Option<u64>) -> Result<SessionId, StoreError> {
        let by = self.auth.identify(None, false).await;
        let app = by
            .map_err(|_| StoreError::unavailable("nobody".to_owned()))?
            .app
            .clone();
        loop {
            let Some(from) = *at else {
                *at = Some(self.book.activity_from(&app, 0).await?.1);
                continue;
            };
            self.book.wait_activity(&app, from).await?;
            let (rows, head) = self.book.activity_from(&app, from).await?;
            *at = Some(head);
            if let Some(row) = rows.into_iter().rev().find(|row| row.kind == "rendered") {
                return Ok(row.session);
            }
        }
    }

    /// Whether somebody looks at the stage, or follows a session in another window.
    fn is_watched(&self) -> bool {
        self.stage.watching.load(Ordering::Relaxed) > 0 || self.stage.live.following() > 0
    }
}
