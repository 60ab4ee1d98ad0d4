//! What a server says during calls, in the order in which it says it.

use std::borrow::Cow;
use std::future::Future;

use rmcp::RoleClient;
use rmcp::model::{JsonRpcMessage, ServerNotification};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

use super::calls::{Calls, Open};
use super::message;
use crate::domain::gate::PROGRESS;

/// Log messages, as a method of the protocol.
const LOG: &str = "notifications/message";

/// A transport that hands a notification of a call on before it receives anything else. The client
/// has a task for each message: there, what a server says could come in another order, or after the
/// answer, when nobody waits for it any more.
pub(super) struct InOrder<T> {
    transport: T,
    calls: Calls,
    /// What was received and is not handed on yet: who receives may give up in between.
    notification: Option<ServerNotification>,
}

impl<T> InOrder<T> {
    /// The same transport; what is said belongs to these calls.
    pub(super) fn new(transport: T, calls: Calls) -> Self {
        Self {
            transport,
            calls,
            notification: None,
        }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for InOrder<T> {
    type Error = T::Error;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.transport.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            if let Some(notification) = &self.notification {
                hand_on(notification, &*self.calls.lock().await);
                self.notification = None;
            }
            match self.transport.receive().await? {
                JsonRpcMessage::Notification(said) if is_of_call(&said.notification) => {
                    self.notification = Some(said.notification);
                }
                other => return Some(other),
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.transport.close()
    }
}

fn is_of_call(notification: &ServerNotification) -> bool {
    matches!(
        notification,
        ServerNotification::ProgressNotification(_)
            | ServerNotification::LoggingMessageNotification(_)
    )
}

/// Tells the caller whose call it is about; nobody where that is over.
fn hand_on(notification: &ServerNotification, calls: &Open) {
    match notification {
        ServerNotification::ProgressNotification(said) => {
            let call = calls.of(&said.params.progress_token);
            if let (Some(call), Some(mut progress)) = (call, message::params(&said.params)) {
                // The token is this connection's.
                progress.shift_remove("progressToken");
                call.requester.notify(PROGRESS, progress);
            }
        }
        ServerNotification::LoggingMessageNotification(said) => {
            if let (Some(call), Some(log)) = (calls.newest(), message::params(&said.params)) {
                call.requester.notify(LOG, log);
            }
        }
        _ => {}
    }
}
