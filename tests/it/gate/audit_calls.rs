//! Calls that nobody is asked about are in the audit, too.

use serde_json::json;

use super::approvals_kept::{Served, audit, events};
use super::site::Folder;

const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT }
governance:
  rules:
    - { match: "admin_*", action: deny }
"#;

#[tokio::test]
async fn what_is_forwarded_and_what_is_denied_leave_rows_that_follow_one_another() {
    let folder = Folder::new();
    folder.write(GATE);
    let server = Served::start(&folder).await;
    let secret = json!({"city": "swordfish"});
    server.call("get_weather", secret.clone()).await;
    server.call("unfit", secret.clone()).await;
    server.call("admin_console", secret).await;
    // What nobody has leaves none.
    server.call("nothing", json!({})).await;
    server.stop().await;
    let rows = audit(&folder).await;
    let expected = ["forwarded", "returned", "forwarded", "returned", "denied"];
    assert_eq!(events(&rows), expected);
    assert_eq!(rows[0]["tool"], "get_weather");
    assert_eq!(rows[0]["caller"], "builder");
    assert_eq!(rows[0]["source"], "script");
    assert_eq!(rows[1]["session"], rows[0]["session"]);
    assert_eq!(rows[1]["state"], "done");
    assert_eq!(rows[3]["state"], "failed");
    assert_eq!(rows[4]["tool"], "admin_console");
    assert_eq!(rows[4]["arguments"], rows[0]["arguments"]);
    assert!(!json!(rows).to_string().contains("swordfish"));
}

#[tokio::test]
async fn they_can_be_left_out() {
    let folder = Folder::new();
    folder.write(GATE);
    let server = Served::start_with(&folder, &[("AUDIT_CALLS", "false")]).await;
    server.call("get_weather", json!({})).await;
    server.call("admin_console", json!({})).await;
    server.stop().await;
    assert_eq!(events(&audit(&folder).await), Vec::<&str>::new());
}
