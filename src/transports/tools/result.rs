//! A tool's result as the protocol carries it: the structure, written once, and the same as text.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// The result of a tool, its failure included.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolResult {
    content: Vec<Text>,
    structured_content: Arc<RawValue>,
    #[serde(skip_serializing_if = "is_false")]
    is_error: bool,
    /// What neither model nor person reads.
    #[serde(rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    pub(crate) meta: Meta,
    /// `complete`, on 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result_type: Option<&'static str>,
}

/// Members that are written already.
#[derive(Debug, Default)]
pub(crate) struct Meta(Vec<(&'static str, Box<RawValue>)>);

impl Meta {
    /// Writes one more.
    pub(crate) fn add<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) {
        // Keys of our own types are texts: writing them to memory cannot fail.
        self.0.push((name, to_raw_value(value).unwrap_or_default()));
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Meta {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
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
    /// What a tool gave, after words for a model that reads only text.
    pub(crate) fn of(result: impl Into<Arc<RawValue>>, first: Option<String>) -> Self {
        Self::carrying(result.into(), first, false)
    }

    /// What a tool gave, of which a model reads one member: a text as it stands, anything else as
    /// JSON.
    pub(crate) fn reading(result: Arc<RawValue>, member: &str) -> Self {
        let members: Value = serde_json::from_str(result.get()).unwrap_or_default();
        let text = match &members[member] {
            Value::String(text) => text.clone(),
            value => serde_json::to_string_pretty(value).unwrap_or_default(),
        };
        Self {
            content: vec![Text::of(text)],
            structured_content: result,
            is_error: false,
            meta: Meta::default(),
            result_type: None,
        }
    }

    /// What a tool gave that is not written yet.
    pub(crate) fn writing<T: Serialize>(result: &T) -> Self {
        Self::of(to_raw_value(result).unwrap_or_default(), None)
    }

    /// Why a tool failed: the text clients match, and the envelope.
    pub(crate) fn failed<T: Serialize>(text: String, envelope: &T) -> Self {
        let envelope = to_raw_value(envelope).unwrap_or_default();
        Self::carrying(envelope.into(), Some(text), true)
    }

    /// The result with words after it.
    pub(crate) fn and(mut self, words: String) -> Self {
        self.content.push(Text::of(words));
        self
    }

    fn carrying(structured_content: Arc<RawValue>, first: Option<String>, is_error: bool) -> Self {
        let same = structured_content.get().to_owned();
        Self {
            content: first.into_iter().chain([same]).map(Text::of).collect(),
            structured_content,
            is_error,
            meta: Meta::default(),
            result_type: None,
        }
    }
}

fn is_false(value: &bool) -> bool {
    !*value
}
