//! What people do and agents take, registered by name.

use std::sync::Arc;

use serde_json::{Value, json};

use super::error::ActionError;
use super::service::{Actions, Submission};
use crate::domain::next_step::consume_step;
use crate::domain::operation::{Caller, Handlers, Hint, Registration, Reply, table};
use crate::wire::frames::{Ack, AckOf, ActionEnvelope};
use crate::wire::tools::ConsumeResult;

impl Actions {
    /// What this service does.
    pub(crate) fn handlers<F>(self: &Arc<Self>) -> Vec<Registration<F>>
    where
        F: From<serde_json::Error> + From<ActionError> + Send + 'static,
    {
        Handlers::<_, ActionError, F>::of(self)
            .on::<table::Act>(|actions, caller, params| Box::pin(actions.act(caller, params)))
            .on::<table::Consume>(|actions, caller, params| {
                Box::pin(async move { Ok(to_reply(actions.consume(caller, params).await?)) })
            })
            .into_registrations()
    }

    /// An action that came as a frame.
    async fn act(
        &self,
        caller: &Caller,
        params: ActionEnvelope,
    ) -> Result<Reply<Ack>, ActionError> {
        let key = caller.principal.key(&params.session_id);
        let mut value = params.payload;
        let ui_context = value.get_mut("uiContext").map(Value::take);
        let submission = Box::new(Submission {
            key: key.clone(),
            value,
            ui_context: ui_context.unwrap_or_else(|| json!({})),
            id: params.action_id,
            fired_at: params.fired_at,
        });
        let submitted = self.submit(caller, submission).await?;
        let ack = Ack {
            sequence: submitted.seq.0,
            timestamp: self.clock.now().0,
            of: AckOf::Action {
                action_id: submitted.id.as_str().into(),
                consumer_present: self.is_consumer_present(&key).await,
            },
        };
        Ok(ack.into())
    }
}

/// What the person did, and what to call once that is handled.
fn to_reply(mut result: ConsumeResult) -> Reply<ConsumeResult> {
    result.next_step = result.events.last().map(|last| {
        let why = "Once these are handled, wait for what the person does next.";
        consume_step(&last.session_id, &last.action_id, why)
    });
    let hint = result.next_step.as_ref().map(|step| Hint {
        link: None,
        then: format!("Once these are handled: {}", step.example),
        comes_first: false,
    });
    Reply {
        hint,
        ..Reply::from(result)
    }
}
