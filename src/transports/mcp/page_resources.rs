//! `brain://` resources: pages, where the tools of the page store are.

use serde_json::{Map, Value, json};

use super::state::Mcp;
use crate::domain::operation::{Caller, Operation, Signature, table};
use crate::transports::faults::Fault;

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
