//! `resources/subscribe` of the older era. Nothing is kept of it between requests: its answer is an event
//! stream that goes on after the result, for as long as the client reads it or until it unsubscribes.

use std::sync::Arc;

use futures_util::future::ready;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use serde_json::json;

use super::listen::{followed, over, place};
use super::methods;
use super::rpc_call::RpcCall;
use super::state::Mcp;
use super::unsubscribe::name;
use crate::domain::operation::Caller;
use crate::transports::faults::Fault;

/// The result, and after it each change of what a uri shows, until nothing is left that can change, the
/// caller unsubscribes or its credential no longer stands, or the server ends. What never changes can be
/// subscribed to as well, if it is there. An app has only so many streams.
pub(super) async fn messages(
    mcp: &Arc<Mcp>,
    caller: &Caller,
    asked: &RpcCall,
) -> Result<BoxStream<'static, String>, Fault> {
    let uri = asked.text("uri")?;
    let place = place(mcp, caller)?;
    let result = asked.reply(&Ok(asked.finish(json!({}))), mcp.endpoint);
    let result = stream::once(ready(result));
    let Some(changes) = followed(mcp, caller, uri, &asked.params).await? else {
        methods::answer(mcp, caller, &mut asked.reading(uri)).await?;
        return Ok(result.boxed());
    };
    let held = mcp.held.hold(&caller.principal, &name(uri));
    let ended = over(Arc::clone(mcp), caller.principal.lease);
    let unsubscribed = async move {
        tokio::select! {
            () = held.taken_back() => {}
            () = ended => {}
        }
    };
    let changes = changes.map(move |(method, params)| {
        // Taken until the stream is gone, however it ends.
        let _held = &place;
        json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
    });
    Ok(result.chain(changes.take_until(unsubscribed)).boxed())
}
