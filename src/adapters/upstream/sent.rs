//! A request on a connection, and its answer.

use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::ClientRequest;
use rmcp::service::{PeerRequestOptions, RequestHandle, ServiceError};
use tokio::runtime::Handle;

use super::calls::Call;
use super::connect::Link;
use super::message::{self, Answered};
use crate::domain::gate::UpstreamError;

/// A request that was sent; dropped before its answer has come, it is taken back.
struct Sent(Option<RequestHandle<RoleClient>>);

impl Drop for Sent {
    fn drop(&mut self) {
        // At the end of the process nobody is left to send it.
        if let (Some(sent), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(sent.cancel(Some("the caller no longer waits".to_owned())));
        }
    }
}

/// Sends a request, and waits for the answer.
pub(super) async fn send(
    link: &Link,
    request: ClientRequest,
    call: Option<&Arc<Call>>,
) -> Result<Answered, UpstreamError> {
    let options = PeerRequestOptions::no_options();
    let mut calls = match call {
        Some(_) => Some(link.calls().lock().await),
        None => None,
    };
    let handle = link.peer().send_request_with_option(request, options).await;
    let mut sent = Sent(Some(handle.map_err(message::failed)?));
    if let (Some(calls), Some(call), Some(handle)) = (&mut calls, call, &sent.0) {
        calls.note(handle.progress_token.clone(), call);
    }
    drop(calls);
    let Some(handle) = &mut sent.0 else {
        return Err(UpstreamError::Timeout);
    };
    let answered = (&mut handle.rx).await;
    // Answered: there is nothing left to be taken back.
    drop(sent.0.take());
    let answered = answered.unwrap_or(Err(ServiceError::TransportClosed));
    message::result(&answered.map_err(message::failed)?)
}
