//! A tool's result as the protocol carries it: the structure, written once, and the same as text.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

/// The result of a tool, its failure included.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolResult {
    content: Vec<Text>,
    structured_content: Box<RawValue>,
    #[serde(skip_serializing_if = "is_false")]
    is_error: bool,
    /// What neither model nor person reads.
    #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
    pub(crate) meta: Map<String, Value>,
    /// `complete`, on 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result_type: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Text {
    #[serde(rename = "type")]
    kind: &'static str,
    text: String,
}

impl Text {
    fn of(text: String) -> Self {
        Self { kind: "text", text }
    }
}

impl ToolResult {
    /// What a tool gave, after a hint for a model that reads only text.
    pub(crate) fn of<T: Serialize>(result: &T, hint: Option<String>) -> Self {
        Self::carrying(result, hint, false)
    }

    /// Why a tool failed: the text clients match, and the envelope.
    pub(crate) fn failed(text: String, envelope: &Value) -> Self {
        Self::carrying(envelope, Some(text), true)
    }

    /// The result with words after it.
    pub(crate) fn and(mut self, words: String) -> Self {
        self.content.push(Text::of(words));
        self
    }

    /// The structure alone.
    pub(crate) fn structured(&self) -> Value {
        // It was written from a value.
        serde_json::from_str(self.structured_content.get()).unwrap_or_default()
    }

    fn carrying<T: Serialize>(result: &T, first: Option<String>, is_error: bool) -> Self {
        // Keys of our own types are texts: writing them to memory cannot fail.
        let structured_content = to_raw_value(result).unwrap_or_default();
        let same = structured_content.get().to_owned();
        Self {
            content: first.into_iter().chain([same]).map(Text::of).collect(),
            structured_content,
            is_error,
            meta: Map::new(),
            result_type: None,
        }
    }
}

fn is_false(value: &bool) -> bool {
    !*value
}
