//! Failures of the page store.

use serde_json::json;

use super::table::Table;
use crate::brain::Pages;

pub(super) async fn brain_rows(table: &mut Table) {
    let pages = Pages::with_collections().await;
    for slug in ["work::a", "personal::a"] {
        pages.put(slug, "A.").await;
    }
    for (code, tool, arguments) in [
        ("BRAIN_NOT_FOUND", "brain_get", json!({"slug": "work::b"})),
        ("BRAIN_AMBIGUOUS", "brain_get", json!({"slug": "a"})),
        (
            "BRAIN_CONFLICT",
            "brain_put",
            json!({"slug": "work::a", "content": "x"}),
        ),
        (
            "BRAIN_RESTORING",
            "brain_put",
            json!({"slug": "vault::a", "content": "x"}),
        ),
        (
            "BRAIN_READ_ONLY",
            "brain_put",
            json!({"slug": "shelf::a", "content": "x"}),
        ),
        ("BRAIN_UNKNOWN_TOOL", "brain_nope", json!({})),
    ] {
        let params = json!({"name": tool, "arguments": arguments.clone()});
        table.rpc(code, "legacy", &pages.rpc("tools/call", params).await);
        table.rpc(code, "modern", &pages.modern(tool, arguments).await);
    }
    let unfit = json!({"name": "brain_get", "arguments": {"slug": "A"}});
    table.rpc(
        "BRAIN_INVALID_PARAMS",
        "legacy",
        &pages.rpc("tools/call", unfit).await,
    );
    for (code, body) in [("BRAIN_PARSE_ERROR", "{"), ("BRAIN_INVALID_REQUEST", "{}")] {
        table.rpc(code, "legacy", &pages.raw(body).await);
    }
    table.rpc(
        "BRAIN_METHOD_NOT_FOUND",
        "legacy",
        &pages.rpc("nope", json!({})).await,
    );
}
