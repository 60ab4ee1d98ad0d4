//! The tools as clients list them.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::mcp::generic_uri;
use crate::domain::operation::{Caller, Effect, Ui, shown};
use crate::services::dispatch::{Dispatch, Entry, Registry};
use crate::wire::fault::Endpoint;

/// Who the tools are listed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// A client that shows UIs, or may: it hands them what only they call.
    Whole,
    /// A client that shows none: its model may call all that is listed.
    Model,
}

impl Audience {
    /// The audience behind a client of which it is known at most whether it shows UIs.
    pub(crate) fn of(shows_ui: Option<bool>) -> Self {
        if shows_ui == Some(false) {
            Self::Model
        } else {
            Self::Whole
        }
    }
}

/// How many tools there are.
pub(crate) fn count(registry: &Registry) -> usize {
    registry.tools(Endpoint::Mcp).1.len()
}

/// The tools of an endpoint that a caller sees.
pub(super) fn seen(dispatch: &Dispatch, endpoint: Endpoint, caller: &Caller) -> Vec<Arc<Entry>> {
    let (_, mut tools) = dispatch.registry.tools(endpoint);
    tools.retain(|tool| dispatch.shows(caller, &tool.name));
    tools
}

/// `tools/list`.
pub(crate) fn list(
    dispatch: &Dispatch,
    endpoint: Endpoint,
    caller: &Caller,
    audience: Audience,
) -> Value {
    let tools = seen(dispatch, endpoint, caller);
    let tools = tools.iter();
    let tools = tools.filter(|tool| audience == Audience::Whole || tool.rules.ui != Ui::AppOnly);
    tools.map(|tool| descriptor(tool)).collect()
}

fn descriptor(tool: &Entry) -> Value {
    // What is the default of the protocol is not said again: every byte is in a model's context.
    let mut annotations = json!({ "openWorldHint": false });
    if tool.rules.is_read() {
        annotations["readOnlyHint"] = true.into();
    } else {
        annotations["destructiveHint"] = false.into();
        if tool.rules.effect == Effect::Sets {
            annotations["idempotentHint"] = true.into();
        }
    }
    let mut listed = json!({
        "name": &*tool.name,
        "title": &*tool.title,
        "description": &*tool.description,
        "inputSchema": shown(tool.input.schema().clone()),
        "outputSchema": tool.output_schema(),
        "annotations": annotations,
    });
    match tool.rules.ui {
        Ui::Plain => {}
        Ui::AppOnly => listed["_meta"] = json!({ "ui": { "visibility": ["app"] } }),
        Ui::Shown => {
            let uri = generic_uri();
            listed["_meta"] = json!({
                "ui": { "resourceUri": uri, "visibility": ["model"] },
                "ui/resourceUri": uri,
            });
        }
    }
    listed
}
