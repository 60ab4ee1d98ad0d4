//! How many calls per second of each tool a server answers.

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::Failure;
use crate::bench::{Bench, Rate};
use crate::http::{Http, draft, show, tool};

/// A row for each tool an agent calls often.
pub(crate) async fn measure(bench: &Bench) -> Result<(), Failure> {
    let mut http = Http::connect(&bench.server.mcp).await?;
    let mut bare = Http::connect(&bench.bare.mcp).await?;
    let shown = show(&mut http).await?;
    let session = &shown["structuredContent"]["sessionId"];
    let emitted = json!({"sessionId": session, "channel": "tick", "payload": 1});
    for (name, messages) in [
        ("tools/list", vec![json!({"method": "tools/list"})]),
        (
            "ggui_get_session",
            vec![tool("ggui_get_session", json!({"sessionId": session}))],
        ),
        (
            "ggui_consume",
            vec![tool(
                "ggui_consume",
                json!({"sessionId": session, "timeout": 0}),
            )],
        ),
        ("ggui_emit", vec![tool("ggui_emit", emitted)]),
        ("ggui_amend", changes("ggui_amend", session)),
        ("ggui_update", changes("ggui_update", session)),
        ("ggui_handshake", vec![tool("ggui_handshake", draft())]),
    ] {
        if bench.wants(name) {
            // The bare server echoes the response, so it parses and writes as many bytes as ours
            // wrote.
            let answer = http.call(&messages[0]).await?;
            let ours = Rate::of(&bench.server, http.repeat(bench.span, &messages)).await?;
            let echoed = Rate::of(&bench.bare, bare.repeat(bench.span, &[answer])).await?;
            bench.row(name, &ours, &echoed);
        }
    }
    let name = "handshake + render";
    if bench.wants(name) {
        let shows = async {
            let (begun, mut count) = (Instant::now(), 0);
            while begun.elapsed() < bench.span {
                show(&mut http).await?;
                count += 1;
            }
            Ok(count)
        };
        let ours = Rate::of(&bench.server, shows).await?;
        let echoed = Rate::of(&bench.bare, bare.repeat(bench.span, &[shown])).await?;
        bench.row(name, &ours, &echoed.for_each(2));
    }
    Ok(())
}

/// Two changes that undo each other, so that each of them changes something.
fn changes(name: &str, session: &Value) -> Vec<Value> {
    let change = |note| {
        let patch = json!({"note": note});
        tool(
            name,
            json!({"sessionId": session, "kind": "merge", "patch": patch}),
        )
    };
    vec![change("one"), change("other")]
}
