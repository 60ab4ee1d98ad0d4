//! `/api/mcp-protocol`: every fault, from the table that answers are made of.

use std::fmt::Write as _;

use axum::response::Response;
use http::HeaderMap;
use serde_json::{Value, json};

use super::page::{close_table, html, json as json_page, open_table, plain, wants_json};
use crate::wire::fault::{Close, Code, Endpoint, Era, Row, STATUSES, Surface};

/// Surfaces in the order a reader meets them, each with its heading and what it is about.
const SECTIONS: [(Surface, &str, &str); 8] = [
    (
        Surface::Http,
        "At the door",
        "The request was refused before its body was read. Under /mcp the body is a JSON-RPC error \
         with id null, elsewhere the REST envelope.",
    ),
    (
        Surface::Jsonrpc,
        "The JSON-RPC envelope",
        "The body was read and is not a call this server understands.",
    ),
    (
        Surface::Ggui,
        "Sessions, handshakes, apps",
        "Rows with a number are JSON-RPC errors. Rows without one are results of a tool with \
         isError: true, and so is SESSION_NOT_FOUND from a tool.",
    ),
    (
        Surface::Channel,
        "The live channel",
        "Error frames to the page that shows a UI. Nothing of them reaches the agent.",
    ),
    (
        Surface::Resource,
        "Resources",
        "Failures of resources/read; their data carries the code and nothing else.",
    ),
    (
        Surface::Rest,
        "The REST interface",
        "The body is the REST envelope; error.code is the canonical code of the HTTP status.",
    ),
    (
        Surface::Brain,
        "The page store",
        "JSON-RPC errors of the tools of the page store. At /mcp/brain these are the only numbers; \
         what other parts of the server refuse there is a result with isError: true.",
    ),
    (
        Surface::Gate,
        "The gate",
        "Reserved: the numbers of the gate in front of tools. This release has none of them.",
    ),
];

/// Answers `GET /api/mcp-protocol`.
pub(in super::super) async fn errors(headers: HeaderMap) -> Response {
    if wants_json(&headers) {
        json_page(&document())
    } else {
        html("Errors", &page())
    }
}

/// The whole table for a program.
fn document() -> Value {
    let statuses = STATUSES.iter();
    let statuses: Vec<_> = statuses
        .map(|(status, code)| json!({ "status": status, "code": code }))
        .collect();
    let closes = Close::ALL.iter().map(|close| {
        let (code, reason) = close.wire();
        json!({ "code": code, "reason": reason, "text": close.text() })
    });
    json!({
        "faults": Code::ALL.iter().map(|code| fault(*code)).collect::<Vec<_>>(),
        "statuses": statuses,
        "closes": closes.collect::<Vec<_>>(),
    })
}

fn fault(code: Code) -> Value {
    let row = code.row();
    let per_era = |legacy: Value, modern: Value| json!({ "legacy": legacy, "modern": modern });
    let http = |era| match code.number(era, Endpoint::Mcp) {
        Some(_) => code.rpc_status(era).into(),
        None => Value::Null,
    };
    json!({
        "code": row.name,
        "word": row.word,
        "title": row.title,
        "surface": row.surface,
        "published": row.is_published,
        "number": per_era(row.legacy.into(), row.modern.into()),
        "rpcStatus": per_era(http(Era::Legacy), http(Era::Modern)),
        "status": row.status,
        "close": row.close.map(|close| close.wire().0),
        "retry": {
            "allowed": row.retry.is_allowed(),
            "hint": row.retry,
            "text": row.retry.text(),
        },
        "text": row.text,
        "sentence": row.sentence(),
    })
}

fn page() -> String {
    let mut page = String::from(
        "<h1>Errors</h1><p>Everything that can go wrong with a request, and what to do about it. \
         A failure is told at one of three layers: by the HTTP status, by a JSON-RPC error or a \
         tool result with <code>isError: true</code>, or by a frame of the live channel. In each \
         of them <code>code</code> names it; numbers differ between revisions of the protocol \
         where two are given: the first up to 2025-11-25, the second on 2026-07-28.</p>\
         <p>Programs get the same with <code>Accept: application/json</code>. How often one may \
         ask: <a href=\"/api/rate-limits\">rate limits</a>.</p><nav aria-label=\"Sections\"><ul>",
    );
    for (surface, heading, _) in SECTIONS {
        let _ = write!(
            page,
            "<li><a href=\"#{}\">{heading}</a></li>",
            anchor(surface)
        );
    }
    page.push_str(
        "<li><a href=\"#close-codes\">Close codes</a></li>\
         <li><a href=\"#statuses\">Statuses</a></li></ul></nav>\n<div id=\"error-codes\">",
    );
    for (surface, heading, about) in SECTIONS {
        let _ = write!(
            page,
            "<section><h2 id=\"{}\">{heading}</h2><p>{}</p>",
            anchor(surface),
            plain(about)
        );
        open_table(
            &mut page,
            &["Code", "Number", "HTTP", "What happened", "Retry?"],
        );
        for code in Code::ALL
            .iter()
            .filter(|code| code.row().surface == surface)
        {
            write_row(&mut page, &code.row());
        }
        close_table(&mut page);
        page.push_str("</section>\n");
    }
    page.push_str("</div>");
    write_closes(&mut page);
    write_statuses(&mut page);
    page
}

fn anchor(surface: Surface) -> String {
    format!("{surface:?}").to_lowercase()
}

fn write_row(page: &mut String, row: &Row) {
    let number = match (row.legacy, row.modern) {
        (Some(legacy), Some(modern)) if legacy != modern => format!("{legacy}<br>{modern}"),
        (Some(number), _) | (None, Some(number)) => number.to_string(),
        (None, None) => String::new(),
    };
    let is_spoken = matches!(
        row.surface,
        Surface::Channel | Surface::Ggui | Surface::Resource
    );
    let spoken = if !is_spoken || row.word.is_empty() || row.word == row.name {
        String::new()
    } else {
        format!(
            "<small>in results and frames <code>{}</code></small>",
            plain(row.word)
        )
    };
    let _ = writeln!(
        page,
        "<tr id=\"{name}\"><th scope=\"row\"><strong>{title}</strong>\
         <a href=\"#{name}\"><code>{name}</code></a></th>\
         <td class=\"number\" data-label=\"Number\">{number}</td>\
         <td class=\"number\" data-label=\"HTTP\">{status}</td>\
         <td data-label=\"What\"><span>{text}{spoken}</span></td>\
         <td data-label=\"Retry?\">{retry}</td></tr>",
        name = row.name,
        title = plain(row.title),
        status = row.status,
        text = plain(row.text),
        retry = plain(row.retry.text()),
    );
}

fn write_closes(page: &mut String) {
    page.push_str(
        "<section><h2 id=\"close-codes\">Close codes</h2>\
         <p>How the live channel ends a socket.</p>\n",
    );
    open_table(page, &["Reason", "Code", "What happened, and what to do"]);
    for close in Close::ALL {
        let (code, reason) = close.wire();
        let _ = writeln!(
            page,
            "<tr id=\"{reason}\"><th scope=\"row\"><a href=\"#{reason}\"><code>{reason}</code></a>\
             </th><td class=\"number\" data-label=\"Code\">{code}</td>\
             <td data-label=\"What\">{}</td></tr>",
            plain(close.text())
        );
    }
    close_table(page);
    page.push_str("</section>\n");
}

fn write_statuses(page: &mut String) {
    page.push_str(
        "<section><h2 id=\"statuses\">Statuses</h2>\
         <p>The canonical code of each HTTP status in REST bodies and tool results. Any other \
         status is <code>HTTP_</code> and its number.</p>\n",
    );
    open_table(page, &["Code", "Status"]);
    for (status, code) in STATUSES {
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\"><code>{code}</code></th>\
             <td class=\"number\" data-label=\"Status\">{status}</td></tr>"
        );
    }
    close_table(page);
    page.push_str("</section>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_surface_has_its_section() {
        for surface in Surface::ALL {
            assert!(
                SECTIONS.iter().any(|(section, ..)| section == surface),
                "{surface:?}"
            );
        }
    }

    #[test]
    fn every_code_has_an_anchor_of_its_own_on_the_page() {
        let page = page();
        for code in Code::ALL {
            let anchor = format!("<tr id=\"{}\">", code.row().name);
            assert_eq!(page.matches(&anchor).count(), 1, "{anchor}");
        }
        assert!(page.contains("id=\"error-codes\""));
    }
}
