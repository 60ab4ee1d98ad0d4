//! `brain://` resources: pages, where the tools of the page store are.

use std::sync::Arc;

use futures_util::stream::{self, Stream};
use serde_json::{Map, Value, json};

use super::state::Mcp;
use super::updates::UPDATED;
use crate::domain::operation::{Caller, Operation, Signature, table};
use crate::transports::faults::Fault;
use crate::wire::fault::Code;

/// Where a page says its version.
const VERSION_KEY: &str = "proscenium/version";

/// What a request about resources is answered with; none where it is about something else.
pub(super) async fn answer(
    mcp: &Mcp,
    caller: &Caller,
    method: &str,
    params: &Map<String, Value>,
) -> Option<Result<Value, Fault>> {
    Some(match method {
        "resources/list" => {
            let arguments = json!({ "cursor": params.get("cursor") });
            run::<table::ListPages>(mcp, caller, arguments).await
        }
        "resources/read" => {
            let arguments = json!({ "uri": params.get("uri") });
            run::<table::ReadPage>(mcp, caller, arguments).await
        }
        "resources/templates/list" => Ok(templates()),
        _ => return None,
    })
}

/// The version of the page that a uri names; none where it names none of the caller's.
pub(super) async fn version(mcp: &Mcp, caller: &Caller, uri: &str) -> Result<Option<i64>, Fault> {
    match run::<table::ReadPage>(mcp, caller, json!({ "uri": uri })).await {
        Ok(read) => Ok(read["contents"][0]["_meta"][VERSION_KEY].as_i64()),
        Err(fault) if fault.code() == Code::StoreUnavailable => Err(fault),
        Err(_) => Ok(None),
    }
}

/// The uri, each time that its page has another version.
pub(super) fn changes(
    mcp: &Arc<Mcp>,
    caller: &Caller,
    uri: Arc<str>,
    version: i64,
) -> impl Stream<Item = (&'static str, Value)> + use<> {
    let (mcp, caller) = (Arc::clone(mcp), caller.clone());
    stream::unfold(Some(version), move |known| {
        let (mcp, caller, uri) = (Arc::clone(&mcp), caller.clone(), Arc::clone(&uri));
        async move {
            let arguments = json!({ "uri": &*uri, "version": known? });
            let next = run::<table::AwaitPage>(&mcp, &caller, arguments).await;
            let change = (UPDATED, json!({ "uri": &*uri }));
            Some((
                change,
                next.ok().and_then(|next| next[VERSION_KEY].as_i64()),
            ))
        }
    })
}

fn templates() -> Value {
    json!({
        "resourceTemplates": [{
            "uriTemplate": "brain://{collection}/{+slug}",
            "name": "page",
            "title": "Page",
            "description": "The text of a page, as it was written.",
            "mimeType": "text/markdown",
        }]
    })
}

async fn run<O: Signature>(mcp: &Mcp, caller: &Caller, arguments: Value) -> Result<Value, Fault> {
    let operation = Operation::new(caller.clone(), O::NAME, arguments);
    let answered = mcp.access.dispatch.run(operation).await;
    let scope = O::ROW.rules.scope.unwrap_or(O::NAME);
    let answered = answered.map_err(|error| Fault::of_operation(scope, error))?;
    // It was JSON when it was written.
    Ok(serde_json::from_str(answered.answer.result.get()).unwrap_or_default())
}
