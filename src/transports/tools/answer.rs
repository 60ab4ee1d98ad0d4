//! What a tool answers with once its operation has succeeded.

use std::sync::Arc;

use serde_json::json;

use super::result::{Meta, ToolResult};
use crate::domain::operation::{Answer, Hint, Mount, resource_uri};
use crate::domain::principal::Principal;
use crate::domain::session::Session;
use crate::domain::store_error::StoreError;
use crate::transports::mcp::Mcp;
use crate::transports::pages::shell;
use crate::wire::slice::SLICE_KEY;

/// A tool's result. `by` is handed tokens for what it may do itself; of the client it is known at
/// most whether it shows UIs.
pub(super) async fn result(
    mcp: &Mcp,
    by: &Principal,
    answer: Answer,
    shows_ui: Option<bool>,
) -> ToolResult {
    let Answer {
        result,
        mounts,
        hint,
    } = answer;
    let mut result = match hint {
        None => ToolResult::of(result, None),
        Some(hint) if hint.comes_first => ToolResult::of(result, Some(text_of(hint, shows_ui))),
        Some(hint) => ToolResult::of(result, None).and(text_of(hint, shows_ui)),
    };
    if let Some(mount) = mounts {
        match mcp.live.read(&mount.key).await {
            Ok(session) => add_mount(mcp, by, &session, &mount, &mut result.meta),
            // Whoever is answered again may ask for what has ended since.
            Err(StoreError::Missing) => {}
            Err(error) => tracing::error!(%error, "a host gets nothing to show"),
        }
    }
    result
}

/// A hint as text.
fn text_of(hint: Hint, shows_ui: Option<bool>) -> String {
    let Hint { link, then, .. } = hint;
    let Some(link) = link else {
        return then;
    };
    match shows_ui {
        Some(true) => format!("The UI is shown.\n{then}"),
        Some(false) => {
            format!("Your client shows no UI: give the person this link to it: {link}\n{then}")
        }
        None => format!(
            "The UI is ready. If your client does not show it, give the person this link: \
             {link}\n{then}"
        ),
    }
}

/// What a host needs to mount a session, in both spellings of the address.
fn add_mount(mcp: &Mcp, by: &Principal, session: &Arc<Session>, mount: &Mount, meta: &mut Meta) {
    let contract = session.contract.hash();
    let uri = resource_uri(&mount.key.session, contract, mount.epoch);
    let csp = shell::csp_meta(&mcp.site, Some(session));
    meta.add(SLICE_KEY, &mcp.slices.of(session, by));
    meta.add("ui", &json!({ "resourceUri": uri, "csp": csp }));
    meta.add("ui/resourceUri", &uri);
}
