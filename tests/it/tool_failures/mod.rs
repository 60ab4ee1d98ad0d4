//! Every failure of a tool call, over HTTP in both eras: its code, its message, and that the
//! handshake
//! it was about can still be rendered wherever it must survive.

mod members;
mod others;
mod reads;
mod render;
mod runtime;
mod texts;

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props, build_log};
use crate::world::{Answer, World};

/// The supported revisions: one of each era.
const ERAS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// One failure.
struct Row {
    /// What was done.
    name: &'static str,
    tool: &'static str,
    /// `$handshake`, `$spent`, `$session`, `$log` and `$declined` stand for ids.
    arguments: Value,
    code: &'static str,
    /// A part of the message.
    says: &'static str,
    /// The numbers in the older and the newer era, if it is a protocol error.
    numbers: [Option<i64>; 2],
}

fn row(
    name: &'static str,
    tool: &'static str,
    arguments: Value,
    code: &'static str,
    says: &'static str,
) -> Row {
    Row {
        name,
        tool,
        arguments,
        code,
        says,
        numbers: [None; 2],
    }
}

impl Row {
    fn with_numbers(mut self, legacy: i64, modern: Option<i64>) -> Self {
        self.numbers = [Some(legacy), modern];
        self
    }
}

async fn call(world: &World, era: &str, tool: &str, arguments: &Value) -> Answer {
    let params = json!({"name": tool, "arguments": arguments});
    if era == ERAS[1] {
        return world.modern("tools/call", params).await;
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let request = world.post("/mcp").header("mcp-protocol-version", era);
    world.send(request.body(body.to_string())).await
}

/// The failure: the number of a protocol error, the code, the message.
fn failure(answer: &Answer) -> (Option<i64>, String, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (error, structured) = (
        &answer.body["error"],
        &answer.body["result"]["structuredContent"],
    );
    if error.is_object() {
        let code = text(&error["data"]["code"]).to_lowercase();
        return (error["code"].as_i64(), code, text(&error["message"]));
    }
    if structured["ok"] == false {
        return (
            None,
            text(&structured["code"]),
            text(&structured["message"]),
        );
    }
    let result = &answer.body["result"];
    assert_eq!(result["isError"], true, "{}", answer.body);
    let message = text(&result["content"][0]["text"]);
    (None, text(&structured["error"]["code"]), message)
}

/// The ids a row may name.
struct Ids {
    handshake: String,
    spent: String,
    session: String,
    log: String,
    declined: String,
}

impl Ids {
    async fn of(world: &World) -> Self {
        let spent = world.handshake(basket()).await;
        let arguments = json!({"handshakeId": spent, "props": basket_props()});
        let shown = world.tool("ggui_render", arguments).await;
        let draft = json!({"intent": "x", "blueprintDraft": {"contract": {"libraries": []}}});
        let declined = world.tool("ggui_handshake", draft).await;
        assert_eq!(declined["action"], "declined");
        let text = |value: &Value| value.as_str().expect("an id").to_owned();
        let log = world.show(build_log(), json!({"pipeline": "main"})).await;
        Self {
            handshake: world.handshake(basket()).await,
            spent,
            session: text(&shown["sessionId"]),
            log: log.session,
            declined: text(&declined["handshakeId"]),
        }
    }

    fn in_place(&self, arguments: &Value) -> Value {
        let mut text = arguments.to_string();
        for (name, id) in [
            ("$handshake", &self.handshake),
            ("$spent", &self.spent),
            ("$session", &self.session),
            ("$log", &self.log),
            ("$declined", &self.declined),
        ] {
            text = text.replace(&format!("\"{name}\""), &format!("\"{id}\""));
        }
        serde_json::from_str(&text).expect("JSON")
    }
}

async fn assert_fails(world: &World, era: usize, row: &Row, ids: &Ids) {
    let arguments = ids.in_place(&row.arguments);
    let answer = call(world, ERAS[era], row.tool, &arguments).await;
    let about = format!("{} {} {}: {}", ERAS[era], row.tool, row.name, answer.body);
    assert_eq!(answer.status, 200, "{about}");
    let (number, code, message) = failure(&answer);
    assert_eq!(
        (number, code.as_str()),
        (row.numbers[era], row.code),
        "{about}"
    );
    assert!(message.contains(row.says), "{about}");
}
