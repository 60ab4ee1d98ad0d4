//! What a response may look like, for any request.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Frames a server sends.
const FRAMES: [&str; 9] = [
    "ack",
    "channel_error",
    "data",
    "drain_ack",
    "error",
    "observe",
    "pong",
    "props_update",
    "render",
];
/// Statuses of success; 303 redirects to the frame of a session.
const GOOD: [u16; 5] = [101, 200, 202, 204, 303];
/// Close codes of the WebSocket protocol itself: ended, broken, no text, too large.
const CLOSES: [u16; 5] = [1000, 1002, 1003, 1007, 1009];

/// A response as it was received.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) status: u16,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Vec<u8>,
    /// Whether the request was for the headers only, or the response never ends.
    pub(super) is_head: bool,
}

impl Heard {
    /// Parses a response, if enough of it was received.
    pub(super) fn of(bytes: &[u8], is_end: bool, is_head: bool) -> Option<Self> {
        /// The interim response to a client that expects `100 Continue`.
        const GO_ON: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
        let bytes = bytes.strip_prefix(GO_ON).unwrap_or(bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&bytes[..end]);
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: BTreeMap<_, _> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let mut body = bytes[end + 4..].to_vec();
        let length = headers.get("content-length").map(String::as_str);
        let length = length.and_then(|length| length.parse().ok());
        let is_stream = headers
            .get("content-type")
            .is_some_and(|given| given.starts_with("text/event-stream"));
        let is_whole = is_head || is_stream || length.is_some_and(|length| body.len() >= length);
        // The rest is the response to a second request, which a changed length has split off.
        body.truncate(length.unwrap_or(usize::MAX));
        (is_whole || is_end || status == 101).then_some(Self {
            status,
            headers,
            body,
            is_head: is_head || is_stream,
        })
    }
}

/// The published table, by the members that a response contains.
pub(super) struct Table {
    rows: BTreeMap<String, Value>,
    words: BTreeSet<String>,
    statuses: BTreeMap<u16, String>,
    closes: BTreeSet<(u16, String)>,
}

type Verdict = Result<bool, String>;

impl Table {
    pub(super) fn read() -> Self {
        let table: Value =
            serde_json::from_str(include_str!("../../../schemas/faults.json")).expect("the table");
        let list = |name: &str| table[name].as_array().expect("rows").clone();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let number = |value: &Value| value.as_u64().and_then(|code| u16::try_from(code).ok());
        let rows = list("faults");
        Self {
            words: rows.iter().map(|row| text(&row["word"])).collect(),
            statuses: list("statuses")
                .iter()
                .filter_map(|row| Some((number(&row["status"])?, text(&row["code"]))))
                .collect(),
            closes: list("closes")
                .iter()
                .filter_map(|row| Some((number(&row["code"])?, text(&row["reason"]))))
                .collect(),
            rows: rows
                .into_iter()
                .map(|row| (text(&row["code"]), row))
                .collect(),
        }
    }

    /// Whether a response is documented; true if it reports a limit.
    pub(super) fn http(&self, heard: &Heard) -> Verdict {
        let status = heard.status;
        if status >= 500 {
            return Err("the server broke".to_owned());
        }
        if !heard.headers.contains_key("x-request-id") {
            return Err("no request id".to_owned());
        }
        if heard.headers.contains_key("set-cookie") {
            return Err("a cookie: what a browser adds by itself opens nothing here".to_owned());
        }
        let kind = heard.headers.get("content-type").map_or("", String::as_str);
        if !GOOD.contains(&status) && !(400..500).contains(&status) {
            return Err("no status of ours".to_owned());
        }
        if status >= 400 && kind != "application/json" && !kind.starts_with("text/html") {
            return Err(format!("a refusal in {kind:?}"));
        }
        if heard.is_head || kind != "application/json" {
            return Ok(status == 429);
        }
        let body: Value = serde_json::from_slice(&heard.body)
            .map_err(|error| format!("malformed JSON: {error}"))?;
        match &body {
            Value::Array(answers) if status == 200 => {
                let reported: Result<Vec<_>, _> =
                    answers.iter().map(|one| self.rpc(one, None)).collect();
                reported.map(|reported| reported.contains(&true))
            }
            body if body["jsonrpc"].is_string() => self.rpc(body, Some(status)),
            body if status >= 400 => self.envelope(body, status),
            _ => Ok(false),
        }
    }

    fn envelope(&self, body: &Value, status: u16) -> Verdict {
        let known = self.statuses.get(&status).cloned();
        let word = known.unwrap_or_else(|| format!("HTTP_{status}"));
        let error = &body["error"];
        let listed = &error["details"]["errors"];
        let detail = if listed.is_array() {
            listed
        } else {
            &error["message"]
        };
        if error["code"] != word.as_str() || !error["message"].is_string() {
            return Err(format!("an envelope without {word}"));
        }
        if &body["detail"] != detail {
            return Err("detail has another message".to_owned());
        }
        Ok(status == 429)
    }

    /// Checks one message; those of a batch share a status that is not their own.
    fn rpc(&self, body: &Value, status: Option<u16>) -> Verdict {
        if body["jsonrpc"] != "2.0" || body.get("id").is_none() {
            return Err("no JSON-RPC answer".to_owned());
        }
        match (body.get("result"), body.get("error")) {
            (Some(result), None) if status.is_none_or(|status| status == 200) => {
                self.result(result)
            }
            (None, Some(error)) => self.error(error, status),
            _ => Err("neither a result nor an error, or both".to_owned()),
        }
    }

    fn error(&self, error: &Value, status: Option<u16>) -> Verdict {
        if error["message"].as_str().is_none_or(str::is_empty) {
            return Err("an error without a message".to_owned());
        }
        let code = error["data"]["code"].as_str();
        let fits = |row: &Value| {
            ["legacy", "modern"].iter().any(|era| {
                // A number of the gate stands for many refusals; the status is that of the refusal.
                let is_gate = row["surface"] == "gate";
                let is_status = |status| is_gate || row["rpcStatus"][era] == status;
                row["number"][era] == error["code"] && status.is_none_or(is_status)
            })
        };
        let is_known = match code {
            // Errors of resources carry a code, or only the unknown address.
            None => fits(&self.rows["RESOURCE_MALFORMED"]),
            Some(code) => match self.rows.get(code) {
                Some(row) => fits(row) || row["code"] == "INVALID_REQUEST",
                None => self
                    .rows
                    .values()
                    .any(|row| row["word"] == code && fits(row)),
            },
        };
        if is_known {
            Ok(error["code"] == self.rows["RATE_LIMIT_EXCEEDED"]["number"]["legacy"])
        } else {
            Err("an error that is not in the table".to_owned())
        }
    }

    fn result(&self, result: &Value) -> Verdict {
        if !result.is_object() {
            return Err("a result that is no object".to_owned());
        }
        let reported = &result["structuredContent"];
        let word = if result["isError"] == true {
            reported["error"]["code"].as_str().or(Some(""))
        } else if reported["ok"] == false {
            reported["code"].as_str().or(Some(""))
        } else {
            None
        };
        match word {
            Some(word) if !self.words.contains(word) => {
                Err(format!("a failed tool in other words: {word:?}"))
            }
            Some(word) => Ok(word.eq_ignore_ascii_case("rate_limited")),
            None => Ok(false),
        }
    }

    pub(super) fn frame(&self, frame: &Value) -> Verdict {
        let kind = frame["type"].as_str().unwrap_or_default();
        if !FRAMES.contains(&kind) {
            return Err(format!("a frame of kind {kind:?}"));
        }
        let code = frame["payload"]["code"].as_str();
        match code {
            Some("INTERNAL") => Err("the server broke".to_owned()),
            Some(code) if kind.ends_with("error") && !self.words.contains(code) => {
                Err(format!("an error frame in other words: {code:?}"))
            }
            code => Ok(code == Some("RATE_LIMITED")),
        }
    }

    pub(super) fn close(&self, code: u16, reason: &str) -> Verdict {
        if CLOSES.contains(&code) || self.closes.contains(&(code, reason.to_owned())) {
            Ok(false)
        } else {
            Err(format!("closed with {code} {reason:?}"))
        }
    }
}
