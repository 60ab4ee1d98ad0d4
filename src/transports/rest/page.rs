//! A stretch of a list: which one is asked for, and where the next one begins.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde_json::{Value, json};

use crate::transports::faults::Fault;
use crate::wire::fault::Code;

/// Rows of a page unless the client says otherwise.
const ROWS: usize = 50;
/// Most rows of a page.
const ROWS_MAX: usize = 100;

/// A stretch of a list, and where the next one begins.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page {
    data: Vec<Value>,
    /// Nothing on the last page.
    next_cursor: Option<String>,
}

impl Page {
    /// The rows after a cursor in the order of their places, each as it is told.
    pub(super) fn of<T>(
        rows: impl Iterator<Item = (String, T)>,
        asked: &PageRequest,
        told: impl Fn(T) -> Value,
    ) -> Self {
        let is_after = |place: &String| asked.after.as_ref().is_none_or(|after| place > after);
        let mut rows: Vec<_> = rows.filter(|(place, _)| is_after(place)).collect();
        rows.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let has_more = rows.len() > asked.rows;
        rows.truncate(asked.rows);
        let last = rows.last().filter(|_| has_more);
        Self {
            next_cursor: last.map(|(place, _)| URL_SAFE_NO_PAD.encode(place)),
            data: rows.into_iter().map(|(_, row)| told(row)).collect(),
        }
    }
}

/// Which stretch of a list is asked for.
pub(super) struct PageRequest {
    rows: usize,
    /// Place of the last row the client has.
    after: Option<String>,
}

impl PageRequest {
    /// Reads `limit` and `cursor`; all that is wrong with them at once.
    pub(super) fn of(query: Option<&str>) -> Result<Self, Fault> {
        let mut asked = Self {
            rows: ROWS,
            after: None,
        };
        let mut problems = Vec::new();
        let mut problem = |kind: &str, name: &str, text: String, input: &str| {
            problems.push(json!({
                "type": kind, "loc": ["query", name], "msg": text, "input": input,
            }));
        };
        let pairs = query
            .unwrap_or_default()
            .split('&')
            .filter(|pair| !pair.is_empty());
        for (name, value) in pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))) {
            match name {
                "limit" => match value.parse() {
                    Ok(rows) if (1..=ROWS_MAX).contains(&rows) => asked.rows = rows,
                    _ => {
                        let text = format!("Input should be a number from 1 to {ROWS_MAX}");
                        problem("int_range", name, text, value);
                    }
                },
                "cursor" => {
                    let place = URL_SAFE_NO_PAD.decode(value).ok();
                    match place.and_then(|place| String::from_utf8(place).ok()) {
                        Some(place) if !place.is_empty() => asked.after = Some(place),
                        _ => {
                            let text = "Input should be a nextCursor of this list".to_owned();
                            problem("cursor_invalid", name, text, value);
                        }
                    }
                }
                _ => problem(
                    "extra_forbidden",
                    name,
                    "Parameters are limit and cursor".to_owned(),
                    value,
                ),
            }
        }
        if problems.is_empty() {
            return Ok(asked);
        }
        let told: Vec<_> = problems
            .iter()
            .filter_map(|problem| problem["msg"].as_str())
            .collect();
        Err(Fault::saying(Code::InvalidFields, told.join("; ")).with(json!({ "errors": problems })))
    }
}

/// The place of a row in a list that tells the newest first: it grows as the time of birth falls.
pub(super) fn newest_first(created_at: u64, id: &str) -> String {
    format!("{:016x}.{id}", !created_at)
}
