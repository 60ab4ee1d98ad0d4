//! What a server says during calls, in the order in which it says it.

use std::borrow::Cow;
use std::future::Future;

use rmcp::RoleClient;
use rmcp::model::{JsonRpcMessage, ServerNotification};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

use super::calls::{Calls, Open};
use super::message;
use crate::domain::gate::{LOG, PROGRESS};

/// A transport that delivers each notification of a call before it receives the next message. The
/// client starts a task for each message: there, notifications could overtake one another, or come
/// after the answer, when nobody waits for them any more.
pub(super) struct OrderedTransport<T> {
    transport: T,
    calls: Calls,
    /// Received and not delivered yet: the client may stop receiving at any time.
    notification: Option<ServerNotification>,
}

impl<T> OrderedTransport<T> {
    /// The same transport, whose notifications are about these calls.
    pub(super) fn new(transport: T, calls: Calls) -> Self {
        Self {
            transport,
            calls,
            notification: None,
        }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for OrderedTransport<T> {
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
                deliver(notification, &*self.calls.lock().await);
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

/// Notifies the caller whose call it is about, unless that is over.
fn deliver(notification: &ServerNotification, calls: &Open) {
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
