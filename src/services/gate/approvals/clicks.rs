//! People who agree to a call before it is made, by something they do elsewhere.

use std::sync::Arc;

use super::super::super::book::{BookError, Decision};
use super::super::error::GateError;
use super::log::unavailable;
use super::service::{Approvals, Question};
use crate::domain::action::Action;
use crate::domain::event::{Event, Fact};
use crate::domain::gate::{State, approving};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::wire::ids::ActionId;

impl Approvals {
    /// A person has agreed to a call. Its card is there as ever, and has their answer from the
    /// beginning: so the call is found by its caller, and is made once and in time, as every call
    /// that is approved. Whether it is approved now.
    pub(in super::super) async fn agree(
        self: &Arc<Self>,
        question: &Question<'_>,
        person: &Caller,
    ) -> Result<bool, GateError> {
        self.recovered.cancelled().await;
        let prefix = question.binding.prefix();
        let key = self.session(question, &prefix).await?;
        let now = self.clock.now();
        let decide = |session: &Session| -> Result<Decision<()>, BookError> {
            let action = Action {
                // From the log's position, so that no two can ever meet.
                id: ActionId::new(format!("click:{}", session.seq.next())),
                gesture: Arc::new(approving(now)),
            };
            let fact = Fact::by(person, now, Event::ActionSubmitted(Arc::new(action)));
            Ok(Decision {
                facts: vec![fact],
                answer: (),
            })
        };
        let answered = self.book.decide(person, &key, decide).await;
        answered.map_err(|error| match error {
            BookError::Store(error) => unavailable(&error),
            error => GateError::Unavailable(error.to_string()),
        })?;
        let (reading, _) = self.read(&key).await?;
        // No caller waits for it, who would find out that it is too late.
        self.watch_grant(&key, None);
        Ok(matches!(
            reading.state(),
            State::Approved | State::Executing
        ))
    }
}
