//! The shortest agent: asks for a name and greets. `cargo run --example quickstart [MCP_URL]`
#![expect(clippy::print_stdout, reason = "an agent on a terminal talks to it")]

use rmcp::{
    ServiceExt as _, model::CallToolRequestParams, transport::StreamableHttpClientTransport,
};
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1);
    let url = url.as_deref().unwrap_or("http://127.0.0.1:6781/mcp");
    let client = ().serve(StreamableHttpClientTransport::from_uri(url)).await?;
    let call = async |tool: &'static str, arguments: Value| {
        let mut params = CallToolRequestParams::new(tool);
        params.arguments = arguments.as_object().cloned();
        let result = client.call_tool(params).await?;
        Ok::<_, rmcp::ServiceError>(result.structured_content.unwrap_or_default())
    };
    let draft = json!({ "contract": {
        "propsSpec": { "properties": { "line": { "schema": { "type": "string" }, "required": true } } },
        "actionSpec": { "greet": { "label": "Greet", "schema": {
            "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"],
        } } },
    } });
    let agreed = call(
        "ggui_handshake",
        json!({ "intent": "Ask for a name", "blueprintDraft": draft }),
    )
    .await?;
    let render =
        json!({ "handshakeId": agreed["handshakeId"], "props": { "line": "Who are you?" } });
    let shown = call("ggui_render", render).await?;
    println!("open {}", shown["viewerUrl"].as_str().unwrap_or_default());
    let wait = json!({ "sessionId": shown["sessionId"], "timeout": 25 });
    let name = loop {
        let taken = call("ggui_consume", wait.clone()).await?;
        if let Some(name) = taken["events"][0]["actionData"]["name"].as_str() {
            break name.to_owned();
        }
    };
    let patch = json!({ "line": format!("Hello, {name}!") });
    call(
        "ggui_amend",
        json!({ "sessionId": shown["sessionId"], "kind": "merge", "patch": patch }),
    )
    .await?;
    client.cancel().await?;
    Ok(())
}
