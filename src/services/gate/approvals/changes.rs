//! People are asked about tools that are not what was accepted: one card for one change, for as long
//! as the change stands.

use std::sync::Arc;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::super::error::GateError;
use super::super::pinned::Pinned;
use super::service::{Approvals, STORE_REST};
use crate::domain::event::Awaited;
use crate::domain::gate::{AuditEvent, PinEdit, State, Status, ToolChange};
use crate::wire::ids::SessionKey;

impl Approvals {
    /// A tool is not what was accepted: people are asked, in a card of their own for each change.
    pub(in super::super) fn ask_about(self: &Arc<Self>, pinned: &Arc<Pinned>, change: ToolChange) {
        let prefix = change.prefix();
        let max = self.limits.change_cards_max;
        let Some(over) = self.changes.begin(&change, &prefix, max) else {
            return;
        };
        let (approvals, pinned) = (Arc::clone(self), Arc::clone(pinned));
        self.tasks.spawn(async move {
            let asked = approvals.settle(&pinned, &change, &prefix, &over);
            tokio::select! {
                () = approvals.drain.cancelled() => {}
                asked = asked => if let Err(error) = asked {
                    tracing::error!(
                        %error,
                        gate.source = change.source(),
                        tool = change.tool(),
                        "a card about a changed tool failed"
                    );
                },
            }
            approvals.changes.end(&change, &prefix);
        });
    }

    /// A tool is what was accepted.
    pub(in super::super) fn is_as_accepted(&self, source: &str, tool: &str) {
        self.changes.over(source, tool);
    }

    /// Asks, and does what a person decides.
    async fn settle(
        &self,
        pinned: &Pinned,
        change: &ToolChange,
        prefix: &str,
        over: &CancellationToken,
    ) -> Result<(), GateError> {
        self.recovered.cancelled().await;
        // Somebody may have decided since the file was read.
        if self.decided(pinned, change, None).await? {
            return Ok(());
        }
        let key = match self.find(&pinned.app, prefix).await? {
            Some(key) => key,
            None => {
                let expires_at = self.clock.now().plus(self.limits.change_card());
                let event = AuditEvent::changed(change);
                let card = change.card(expires_at);
                let pending = Status::of(State::Pending);
                self.begin(&pinned.app, prefix, card, event, pending)
                    .await?
            }
        };
        self.follow_change(pinned, change, &key, over).await
    }

    async fn follow_change(
        &self,
        pinned: &Pinned,
        change: &ToolChange,
        key: &SessionKey,
        over: &CancellationToken,
    ) -> Result<(), GateError> {
        loop {
            let Ok((reading, head)) = self.read(key).await else {
                sleep(STORE_REST).await;
                continue;
            };
            match reading.state() {
                State::Approved => {
                    let taken = change.clone();
                    let edit: PinEdit = Box::new(move |pins| pins.take_in(&taken));
                    let kept = self.decided(pinned, change, Some(edit)).await;
                    let state = match kept {
                        Ok(true) => State::Done,
                        // Its source is no longer in the file, or that cannot be written.
                        Ok(false) | Err(_) => State::Failed,
                    };
                    let status = Status::of(state);
                    self.write_last(key, &[State::Approved], &status).await?;
                    return kept.map(|_| ());
                }
                State::Rejected => {
                    let refused = change.clone();
                    let edit: PinEdit = Box::new(move |pins| pins.refuse(&refused));
                    let kept = self.decided(pinned, change, Some(edit)).await;
                    if kept.is_err() {
                        // Until the file is read anew nobody is asked again all the same.
                        pinned.refuse(change);
                    }
                    return kept.map(|_| ());
                }
                state if state.is_final() => return Ok(()),
                _ => {}
            }
            let ends = reading.ends(self.limits.approval_valid());
            tokio::select! {
                () = over.cancelled() => {
                    let withdrawn = Status::of(State::Withdrawn);
                    return self.write_last(key, &[State::Pending], &withdrawn).await;
                }
                _ = self.book.wait(key, head, Awaited::Any) => {}
                () = sleep(ends.since(self.clock.now())) => {}
            }
        }
    }

    /// Changes what was accepted, and says whether somebody has decided.
    async fn decided(
        &self,
        pinned: &Pinned,
        change: &ToolChange,
        edit: Option<PinEdit>,
    ) -> Result<bool, GateError> {
        let pins = self.pins.edit(&pinned.file, edit).await;
        let pins = pins.map_err(|error| GateError::Unavailable(error.to_string()))?;
        Ok(pinned.take_over(pins, change))
    }
}
