//! `/api/rate-limits`: what a 429 looks like, how to wait, and every limit of this server.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use serde_json::{Map, Value, json};

use super::page::{close_table, html, json as json_page, open_table, plain, wants_json};
use crate::domain::limits::Limits;
use crate::domain::operation::input_schema;
use crate::transports::http::Front;
use crate::wire::fault::{Code, Endpoint, Era, STATUSES};

/// The status of everything that is asked for too often.
const TOO_OFTEN: u16 = 429;
/// A wait as a client meets it.
const WAIT_MS: u64 = 1_000;

/// A limit as it is configured.
struct Limit {
    key: String,
    value: Value,
    meaning: String,
}

/// Answers `GET /api/rate-limits`.
pub(in super::super) async fn limits(
    State(front): State<Arc<Front>>,
    headers: HeaderMap,
) -> Response {
    let limits = all(&front.limits);
    let counts = front.request_limiter.is_some();
    if wants_json(&headers) {
        json_page(&document(&limits, counts))
    } else {
        html("Rate limits", &page(&limits, counts))
    }
}

/// Every limit with its value and its meaning, from the settings themselves.
fn all(limits: &Limits) -> Vec<Limit> {
    let schema = input_schema::<Limits>();
    let values = serde_json::to_value(limits).unwrap_or_default();
    let sections = values.as_object().into_iter().flatten();
    let limit = |(section, values): (&String, &Value)| {
        let described = schema["properties"][section]["properties"].clone();
        let values = values.as_object().cloned().unwrap_or_default();
        let section = section.clone();
        // A switch among them is no limit.
        let values = values.into_iter().filter(|(_, value)| value.is_number());
        values.map(move |(key, value)| Limit {
            meaning: described[&key]["description"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            key: format!("{section}.{key}"),
            value,
        })
    };
    sections.flat_map(limit).collect()
}

/// The rows that say "too often".
fn too_often() -> impl Iterator<Item = Code> {
    Code::ALL
        .iter()
        .copied()
        .filter(|code| code.row().status == TOO_OFTEN)
}

fn message() -> String {
    format!("Rate limit exceeded — retry after {WAIT_MS}ms.")
}

/// The body of a 429 under `/mcp`, and everywhere else.
fn bodies() -> [Value; 2] {
    let code = Code::DoorRateLimited;
    let row = code.row();
    let word = STATUSES.iter().find(|(status, _)| *status == TOO_OFTEN);
    let envelope = json!({ "code": word.map(|(_, word)| word), "message": message() });
    let rpc = json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": {
            "code": code.number(Era::Legacy, Endpoint::Mcp),
            "message": message(),
            "data": {
                "surface": row.surface,
                "code": row.name,
                "retry": { "allowed": true, "hint": row.retry, "after_ms": WAIT_MS },
                "envelope": envelope,
            },
        },
    });
    [rpc, json!({ "detail": message(), "error": envelope })]
}

fn document(limits: &[Limit], counts: bool) -> Value {
    let [rpc, rest] = bodies();
    let values: Map<_, _> = limits
        .iter()
        .map(|limit| (limit.key.clone(), limit.value.clone()))
        .collect();
    json!({
        "counted": counts,
        "status": TOO_OFTEN,
        "headers": ["Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
        "bodies": { "mcp": rpc, "rest": rest },
        "faults": too_often().map(|code| code.row().name).collect::<Vec<_>>(),
        "limits": values,
    })
}

fn page(limits: &[Limit], counts: bool) -> String {
    let [rpc, rest] = bodies();
    let mut page = String::from(
        "<h1>Rate limits</h1><p>Whoever asks too often is told so and how long to wait. Nothing \
         of a refused request has happened: the same request may be sent again.</p><p>",
    );
    page.push_str(if counts {
        "This server counts requests for each key, and for each address of those who have none."
    } else {
        "This server serves its own machine and does not count requests at the door; it does \
         count calls of tools."
    });
    let _ = write!(
        page,
        " Programs get this page with <code>Accept: application/json</code>; all failures are on \
         the page of <a href=\"/api/mcp-protocol\">errors</a>.</p>\
         <section><h2 id=\"too-many-requests\">What a 429 looks like</h2>\
         <p><code>Retry-After</code> is authoritative: whole seconds, rounded up, never 0. \
         <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code> and \
         <code>RateLimit-Reset</code> say on every answer what is left.</p>\
         <pre><code>HTTP/1.1 429 Too Many Requests\nRetry-After: 1\n\
         RateLimit-Limit: 400\nRateLimit-Remaining: 0\nRateLimit-Reset: 4</code></pre>\
         <p>Under <code>/mcp</code>:</p><pre><code>{}</code></pre>\
         <p>Everywhere else:</p><pre><code>{}</code></pre></section>\n",
        plain(&format!("{rpc:#}")),
        plain(&format!("{rest:#}")),
    );
    page.push_str(
        "<section><h2 id=\"operations\">Limits on single calls</h2><p>A call of a tool that comes \
         too soon is a JSON-RPC error with HTTP status 200 and a <code>Retry-After</code>. On the \
         live channel it is an error frame.</p>\n",
    );
    open_table(&mut page, &["Code", "Number", "What happened", "Retry?"]);
    for code in too_often() {
        let row = code.row();
        let number = row
            .legacy
            .map(|number| number.to_string())
            .unwrap_or_default();
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\"><strong>{title}</strong>\
             <a href=\"/api/mcp-protocol#{name}\"><code>{name}</code></a></th>\
             <td class=\"number\" data-label=\"Number\">{number}</td>\
             <td data-label=\"What\">{text}</td><td data-label=\"Retry?\">{retry}</td></tr>",
            title = plain(row.title),
            name = row.name,
            text = plain(row.text),
            retry = plain(row.retry.text()),
        );
    }
    close_table(&mut page);
    page.push_str(
        "</section>\n<section><h2 id=\"backing-off\">How to wait</h2>\
         <p>Wait as long as told, else twice as long each time; then send the same bytes.</p>\
         <pre><code>for wait in 1 2 4 8; do\n  \
         status=$(curl -sS -o answer.json -D headers -w '%{http_code}' \\\n    \
         -H 'content-type: application/json' --data @call.json \"$URL\")\n  \
         case $status in 429|5??) ;; *) break ;; esac\n  \
         told=$(sed -n 's/^retry-after: *\\([0-9]*\\).*/\\1/ip' headers)\n  \
         sleep \"${told:-$wait}\"\ndone</code></pre></section>\n\
         <section><h2 id=\"limits\">Every limit of this server</h2>\
         <p>As it is configured now. <code>proscenium config print</code> tells how to change \
         them.</p>\n",
    );
    open_table(&mut page, &["Key", "Value", "What it bounds"]);
    for Limit {
        key,
        value,
        meaning,
    } in limits
    {
        let _ = writeln!(
            page,
            "<tr id=\"{key}\"><th scope=\"row\"><a href=\"#{key}\"><code>{key}</code></a></th>\
             <td class=\"number\" data-label=\"Value\">{value}</td>\
             <td data-label=\"Bounds\">{}</td></tr>",
            plain(meaning)
        );
    }
    close_table(&mut page);
    page.push_str("</section>\n");
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_has_a_value_and_a_meaning() {
        let limits = all(&Limits::default());
        assert!(limits.len() > 30, "{}", limits.len());
        for limit in limits {
            assert!(
                !limit.meaning.is_empty() && limit.value.is_number(),
                "{}",
                limit.key
            );
        }
    }
}
