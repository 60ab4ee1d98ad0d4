//! Pages as resources: `brain://collection/slug`.

use proscenium::config::McpTools;
use serde_json::{Value, json};

use super::Pages;
use crate::event_stream::EventStream;

fn uris(list: &Value) -> Vec<&str> {
    let resources = list["resources"].as_array().expect("resources").iter();
    let uris = resources.map(|page| page["uri"].as_str().expect("an address"));
    uris.collect()
}

#[tokio::test]
async fn pages_are_listed_in_stretches_in_the_order_of_their_slugs() {
    let pages = Pages::start_with(|config| {
        config.brain.collections = "work, personal".to_owned();
        config.limits.pages.rows_max = 2;
    })
    .await;
    for slug in ["work::b", "personal::a", "work::c/d", "work::a"] {
        pages.put(slug, "# Title\n\nFirst words.").await;
    }
    let first = pages.rpc("resources/list", json!({})).await.body["result"].clone();
    assert_eq!(uris(&first), ["brain://personal/a", "brain://work/a"]);
    assert_eq!(first["resources"][0]["name"], "personal::a");
    assert_eq!(first["resources"][0]["description"], "First words.");
    assert_eq!(first["resources"][0]["mimeType"], "text/markdown");
    let rest = json!({"cursor": first["nextCursor"]});
    let rest = pages.rpc("resources/list", rest).await.body["result"].clone();
    assert_eq!(uris(&rest), ["brain://work/b", "brain://work/c/d"]);
    assert!(rest.get("nextCursor").is_none(), "{rest}");
    let wrong = json!({"cursor": "bm90aGluZw"});
    let wrong = pages.rpc("resources/list", wrong).await.body;
    assert_eq!(wrong["error"]["code"], -32602, "{wrong}");
}

#[tokio::test]
async fn a_page_is_read_as_it_was_written_with_its_version() {
    let pages = Pages::start().await;
    let text = "---\r\ntitle: 'Ida'\n---\nNo line ends here";
    pages.put("people/ida", text).await;
    let uri = json!({"uri": "brain://default/people/ida"});
    let read = pages.rpc("resources/read", uri).await.body;
    let contents = json!([{
        "uri": "brain://default/people/ida",
        "mimeType": "text/markdown",
        "text": text,
        "_meta": {"proscenium/version": 1},
    }]);
    assert_eq!(read["result"]["contents"], contents);
    for (uri, number) in [
        ("brain://default/people/bob", -32001),
        ("brain://nowhere/people/ida", -32001),
        ("brain://default/People", -32602),
        ("ui://ggui/render", -32602),
    ] {
        let answer = pages.rpc("resources/read", json!({"uri": uri})).await.body;
        assert_eq!(answer["error"]["code"], number, "{uri}: {answer}");
    }
    let templates = pages.rpc("resources/templates/list", json!({})).await.body;
    let template = &templates["result"]["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(template, "brain://{collection}/{+slug}");
}

/// What a stream says next, which is always a notification.
async fn next(stream: &mut EventStream) -> (String, Value) {
    let (_, notice) = stream.next().await.expect("a notification");
    let method = notice["method"].as_str().expect("a method").to_owned();
    (method, notice["params"].clone())
}

#[tokio::test]
async fn who_listens_to_a_page_is_notified_when_somebody_writes_it() {
    let pages = Pages::start().await;
    for slug in ["people/ida", "people/bo"] {
        pages.put(slug, "One.").await;
    }
    let discovered = pages.modern_method("server/discover", json!({})).await.body;
    let resources = &discovered["result"]["capabilities"]["resources"];
    assert_eq!(*resources, json!({"subscribe": true}));
    let (ida, bo) = ("brain://default/people/ida", "brain://default/people/bo");
    let filter = json!({"notifications": {"resourceSubscriptions": [
        ida, bo, "brain://default/people/nobody", "ui://ggui/render",
    ]}});
    let mut stream = EventStream::of(pages.listen(filter).await);
    let (method, params) = next(&mut stream).await;
    assert_eq!(method, "notifications/subscriptions/acknowledged");
    let honoured = &params["notifications"]["resourceSubscriptions"];
    assert_eq!(*honoured, json!([bo, ida]));
    for (slug, version, uri) in [
        ("people/ida", 1, ida),
        ("people/ida", 2, ida),
        ("people/bo", 1, bo),
    ] {
        let change = json!({"slug": slug, "content": "More.", "expected_version": version});
        pages.call("brain_put", change).await;
        let (method, params) = next(&mut stream).await;
        assert_eq!(method, "notifications/resources/updated");
        assert_eq!(params["uri"], uri);
    }
}

#[tokio::test]
async fn who_listens_to_a_page_is_notified_when_another_server_writes_it_into_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pages.db");
    let start = || {
        let file = path.clone();
        Pages::start_with(|config| {
            config.brain.path = file;
            config.limits.pages.others_look_ms = 10;
        })
    };
    let (here, other) = (start().await, start().await);
    here.put("people/ida", "One.").await;
    let uri = "brain://default/people/ida";
    let filter = json!({"notifications": {"resourceSubscriptions": [uri]}});
    let mut stream = EventStream::of(here.listen(filter).await);
    next(&mut stream).await;
    for version in 1..4 {
        let change = json!({"slug": "people/ida", "content": "More.", "expected_version": version});
        other.call("brain_put", change).await;
        let (method, params) = next(&mut stream).await;
        assert_eq!(method, "notifications/resources/updated");
        assert_eq!(params["uri"], uri);
    }
}

#[tokio::test]
async fn pages_are_no_resources_where_sessions_are() {
    let pages = Pages::start_with(|config| config.server.mcp_tools = McpTools::GguiAndBrain).await;
    pages.put("people/ida", "Here.").await;
    let params = json!({"uri": "brain://default/people/ida"});
    let read = pages.0.rpc("resources/read", params).await.body;
    assert!(read["error"].is_object(), "{read}");
}
