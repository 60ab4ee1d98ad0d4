//! Many tools: callers find them by words and call what they found, through two tools of the gate.

use serde_json::{Map, Value, json};

use super::error::GateError;
use super::kind::Kind;
use super::search_tools::{CALL, FIND, FOUND, FOUND_MAX, QUERY_CHARS_MAX};
use super::service::Gate;
use crate::domain::gate::find_tools;
use crate::domain::operation::Caller;
use crate::wire::whole;

/// What a caller looks for.
pub(super) struct Wanted {
    query: String,
    limit: usize,
}

/// What a call of the gate means.
pub(super) enum Meant {
    /// Call a tool of this name with these arguments.
    Call(String, Map<String, Value>),
    /// Find tools.
    Find(Wanted),
}

impl Meant {
    /// What a call means, where tools are found by words or where they are not.
    pub(super) fn of(
        is_searched: bool,
        name: String,
        mut arguments: Map<String, Value>,
    ) -> Result<Self, GateError> {
        if !is_searched {
            return Ok(Self::Call(name, arguments));
        }
        match name.as_str() {
            FIND => wanted(&arguments).map(Self::Find),
            CALL => {
                let Some(Value::String(name)) = arguments.shift_remove("name") else {
                    let why = "arguments.name: a text is required, the name of a tool";
                    return Err(GateError::Malformed(why.to_owned()));
                };
                match arguments.shift_remove("arguments") {
                    None | Some(Value::Null) => Ok(Self::Call(name, Map::new())),
                    Some(Value::Object(arguments)) => Ok(Self::Call(name, arguments)),
                    Some(_) => {
                        let why = "arguments.arguments: must be object";
                        Err(GateError::Malformed(why.to_owned()))
                    }
                }
            }
            _ => Ok(Self::Call(name, arguments)),
        }
    }
}

fn wanted(arguments: &Map<String, Value>) -> Result<Wanted, GateError> {
    let mut problems = Vec::new();
    let query = match arguments.get("query") {
        Some(Value::String(query)) if query.chars().count() <= QUERY_CHARS_MAX => query.as_str(),
        Some(_) => {
            problems.push(format!(
                "arguments.query: must be string of at most {QUERY_CHARS_MAX} characters"
            ));
            ""
        }
        None => {
            problems.push("arguments.query: is REQUIRED".to_owned());
            ""
        }
    };
    let limit = match arguments.get("limit") {
        None | Some(Value::Null) => FOUND,
        Some(limit) => {
            let limit = whole::of(limit).and_then(|limit| usize::try_from(limit).ok());
            let limit = limit.filter(|limit| (1..=FOUND_MAX).contains(limit));
            limit.unwrap_or_else(|| {
                problems.push(format!(
                    "arguments.limit: must be integer from 1 to {FOUND_MAX}"
                ));
                FOUND
            })
        }
    };
    if !problems.is_empty() {
        return Err(GateError::Malformed(problems.join("; ")));
    }
    Ok(Wanted {
        query: query.to_owned(),
        limit,
    })
}

impl Gate {
    /// What a caller may see and looks for, best first.
    pub(super) async fn find_tools(
        &self,
        caller: &Caller,
        wanted: &Wanted,
    ) -> Result<Value, GateError> {
        let asking = self.asking(caller, Kind::Tools.usage());
        let mut listed = self.standing().list(Kind::Tools, asking).await?;
        let tools = match listed[Kind::Tools.member()].take() {
            Value::Array(tools) => tools,
            _ => Vec::new(),
        };
        let tools = tools.into_iter().filter_map(|tool| match tool {
            Value::Object(tool) => Some(tool),
            _ => None,
        });
        let mut found = find_tools(&wanted.query, tools.collect());
        found.truncate(wanted.limit);
        let found = json!({ "tools": found });
        Ok(json!({
            "content": [{ "type": "text", "text": found.to_string() }],
            "structuredContent": found,
        }))
    }
}
