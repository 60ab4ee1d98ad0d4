//! The published table, and what each kind of response must contain of a row.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::PUBLISHED;
use crate::world::Answer;

fn published() -> Value {
    let text = std::fs::read_to_string(PUBLISHED).expect("the table");
    serde_json::from_str(&text).expect("JSON")
}

/// The published rows, and which of them were seen on the wire.
pub(super) struct Table {
    pub(super) rows: Vec<Value>,
    pub(super) seen: BTreeSet<String>,
}

impl Table {
    pub(super) fn read() -> Self {
        Self {
            rows: published()["faults"].as_array().expect("rows").clone(),
            seen: BTreeSet::new(),
        }
    }

    pub(super) fn row(&mut self, code: &str) -> Value {
        self.seen.insert(code.to_owned());
        let row = self.rows.iter().find(|row| row["code"] == code);
        row.unwrap_or_else(|| panic!("{code} is not in the table"))
            .clone()
    }

    /// The canonical code of a row's status.
    pub(super) fn status_code_name(row: &Value) -> Value {
        let statuses = published()["statuses"]
            .as_array()
            .expect("statuses")
            .clone();
        let known = statuses
            .into_iter()
            .find(|known| known["status"] == row["status"]);
        known.map_or_else(
            || format!("HTTP_{}", row["status"]).into(),
            |known| known["code"].clone(),
        )
    }

    /// A JSON-RPC error, with its HTTP status and headers.
    pub(super) fn rpc(&mut self, code: &str, era: &str, answer: &Answer) {
        let row = self.row(code);
        let body = &answer.body;
        assert_eq!(row["rpcStatus"][era], answer.status, "{code} {era}: {body}");
        assert_eq!(body["jsonrpc"], "2.0", "{code}: {body}");
        let error = &body["error"];
        assert_eq!(row["number"][era], error["code"], "{code} {era}: {body}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{code}: {body}"
        );
        Self::headers(&row, answer);
        if row["surface"] == "resource" {
            return;
        }
        let data = &error["data"];
        assert_eq!(data["code"], code, "{era}: {body}");
        assert_eq!(data["surface"], row["surface"], "{code}: {body}");
        for member in ["allowed", "hint"] {
            assert_eq!(
                data["retry"][member], row["retry"][member],
                "{code}: {body}"
            );
        }
        if row["surface"] == "http" {
            assert_eq!(body["id"], Value::Null, "{code}: the body was not read");
            assert_eq!(
                data["envelope"]["code"],
                Self::status_code_name(&row),
                "{code}: {body}"
            );
        }
    }

    /// The REST envelope.
    pub(super) fn rest(&mut self, code: &str, answer: &Answer) {
        let row = self.row(code);
        let body = &answer.body;
        assert_eq!(row["status"], answer.status, "{code}: {body}");
        assert_eq!(
            body["error"]["code"],
            Self::status_code_name(&row),
            "{code}: {body}"
        );
        let detail = match &body["error"]["details"]["errors"] {
            Value::Null => &body["error"]["message"],
            listed => listed,
        };
        assert_eq!(&body["detail"], detail, "{code}: {body}");
        Self::headers(&row, answer);
    }

    fn headers(row: &Value, answer: &Answer) {
        let has = |name: &str| answer.headers.contains_key(name);
        assert!(has("x-request-id") && has("traceparent"), "{row}");
        assert_eq!(answer.headers["content-type"], "application/json", "{row}");
        assert_eq!(has("www-authenticate"), answer.status == 401, "{row}");
        if row["retry"]["hint"] == "after_delay" {
            let received = answer.headers["retry-after"].to_str().expect("text");
            assert!(
                received.parse::<u64>().is_ok_and(|seconds| seconds >= 1),
                "{row}: {received}"
            );
        }
    }

    /// The result of a tool that failed.
    pub(super) fn tool(&mut self, code: &str, answer: &Answer) {
        let row = self.row(code);
        let (body, result) = (&answer.body, &answer.body["result"]);
        assert_eq!(
            (answer.status, &result["isError"]),
            (200, &json!(true)),
            "{code}: {body}"
        );
        let received = &result["structuredContent"];
        assert_eq!(received["error"]["code"], row["word"], "{code}: {body}");
        assert_eq!(
            received["error"]["details"]["status"],
            Self::status_code_name(&row),
            "{code}: {body}"
        );
        assert!(received["_latency_ms"].is_u64(), "{code}: {body}");
        let text = result["content"][1]["text"]
            .as_str()
            .expect("the envelope as text");
        let envelope: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(&envelope, received, "{code}");
        let message = received["error"]["message"].as_str().expect("a message");
        assert!(
            result["content"][0]["text"]
                .as_str()
                .is_some_and(|text| text.ends_with(message))
        );
    }

    /// A tool of a shown UI, whose failures are ordinary results.
    pub(super) fn in_band(&mut self, code: &str, answer: &Answer) {
        let row = self.row(code);
        let received = &answer.body["result"]["structuredContent"];
        assert_eq!(
            (&received["ok"], &received["code"]),
            (&json!(false), &row["word"]),
            "{}",
            answer.body
        );
    }

    /// The response to a subscription of one channel.
    pub(super) fn channel(&mut self, code: &str, frame: &Value) {
        let row = self.row(code);
        assert_eq!(frame["type"], "channel_error", "{code}: {frame}");
        assert_eq!(frame["payload"]["code"], row["word"], "{code}: {frame}");
        assert!(frame["payload"]["message"].is_string(), "{code}: {frame}");
    }

    /// An error frame.
    pub(super) fn frame(&mut self, code: &str, frame: &Value) {
        let row = self.row(code);
        assert_eq!(frame["type"], "error", "{code}: {frame}");
        let payload = &frame["payload"];
        assert_eq!(payload["code"], row["word"], "{code}: {frame}");
        assert_eq!(
            payload["number"], row["number"]["legacy"],
            "{code}: {frame}"
        );
        assert!(payload["message"].is_string(), "{code}: {frame}");
    }
}
