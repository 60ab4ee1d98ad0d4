//! Whoever listens to the gate hears when they would be given another list, and only then.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::event_stream::EventStream;
use super::site::{Folder, Site};
use crate::world::PATIENCE;

const GATE: &str = "schema: 1\nsources:\n  - { id: script, kind: mcp, SCRIPT }\n";

pub(super) fn denying(pattern: &str) -> String {
    format!("{GATE}governance:\n  rules:\n    - {{ match: \"{pattern}\", action: deny }}\n")
}

pub(super) async fn listen(site: &Site, wanted: Value) -> EventStream {
    let params = json!({"notifications": wanted, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let body =
        json!({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params});
    let request = site.post().header("mcp-protocol-version", "2026-07-28");
    let request = request.header("mcp-method", "subscriptions/listen");
    EventStream::to(request.body(body.to_string())).await
}

#[tokio::test]
async fn a_listener_hears_of_the_lists_that_are_others_for_it() {
    let folder = Folder::new();
    folder.list_tools(&["get_weather", "delete_file"]);
    let site = Site::start_in(folder, GATE, |_| {}).await;
    assert_eq!(site.names("tools").await.len(), 3);
    let wanted = json!({"toolsListChanged": true, "promptsListChanged": true,
        "resourceSubscriptions": ["nothing://"]});
    let mut events = listen(&site, wanted).await;
    let acknowledged = events.next().await;
    // What is not told is not promised.
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({"toolsListChanged": true, "promptsListChanged": true})
    );
    site.folder.write(&denying("delete_*"));
    let changed = events.next().await;
    assert_eq!(changed["method"], "notifications/tools/list_changed");
    assert_eq!(
        changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        "l"
    );
    // Resources are another list, and this listener does not ask for them.
    let both = denying("delete_*").replace(
        "rules:\n",
        "rules:\n    - { match: \"note:*\", action: deny }\n",
    );
    site.folder.write(&both);
    let prompts = both.replace(
        "rules:\n",
        "rules:\n    - { match: \"secret_*\", action: deny }\n",
    );
    let resources = async { while site.names("resources").await.len() != 1 {} };
    timeout(PATIENCE, resources)
        .await
        .expect("the rule in time");
    site.folder.write(&prompts);
    let changed = events.next().await;
    assert_eq!(
        changed["method"], "notifications/prompts/list_changed",
        "{changed}"
    );
}
