//! A stretch of a list: which one is asked for, and where the next one begins.

use axum::response::Response;
use serde_json::json;

use super::answer::read;
use crate::domain::operation::Signature;
use crate::domain::page::place_of;
use crate::domain::principal::Principal;
use crate::transports::faults::Fault;
use crate::transports::request::Access;
use crate::wire::page::PageParams;

/// Rows of a page unless the client says otherwise.
const ROWS: usize = 50;
/// Most rows of a page.
const ROWS_MAX: usize = 100;

/// A page of a list that an operation gives.
pub(super) async fn page<O: Signature>(
    access: &Access,
    principal: Principal,
    query: Option<&str>,
) -> Response {
    match params(query) {
        Ok(params) => read::<O>(access, principal, json!(params)).await,
        Err(fault) => fault.to_rest(),
    }
}

/// Reads `limit` and `cursor`; all that is wrong with them at once.
pub(super) fn params(query: Option<&str>) -> Result<PageParams, Fault> {
    let mut params = PageParams {
        limit: ROWS,
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
                Ok(rows) if (1..=ROWS_MAX).contains(&rows) => params.limit = rows,
                _ => {
                    let text = format!("Input should be a number from 1 to {ROWS_MAX}");
                    problem("int_range", name, text, value);
                }
            },
            "cursor" => match place_of(value) {
                Some(place) => params.after = Some(place),
                _ => {
                    let text = "Input should be a nextCursor of this list".to_owned();
                    problem("cursor_invalid", name, text, value);
                }
            },
            _ => problem(
                "extra_forbidden",
                name,
                "Parameters are limit and cursor".to_owned(),
                value,
            ),
        }
    }
    if problems.is_empty() {
        return Ok(params);
    }
    Err(Fault::of_fields(problems))
}
