//! What a person says of how a UI is drawn (tools.md §4.6).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most characters of a remark: some sentences.
pub const REMARK_CHARS_MAX: usize = 500;

/// What a person thinks of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Rating {
    /// It is to stay as it is.
    Good,
    /// It is to become another.
    Bad,
}

/// A remark of a person on a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// What they think of it, where they have said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// What is wrong with it, in their words; 1 to 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = REMARK_CHARS_MAX))]
    pub text: Option<String>,
}

/// Parameters of `POST /api/v1/sessions/{session}/remarks`: a rating, a text, or both.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemarkParams {
    /// The session.
    #[schemars(length(min = 1))]
    pub session_id: String,
    /// What the person says.
    pub body: Remark,
}

/// What became of a remark.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemarkResult {
    /// The stored UI it stands beside.
    pub blueprint_id: String,
    /// Remarks that stand beside it now.
    pub remarks: usize,
    /// Whether a model draws the page anew now.
    pub is_drawn_anew: bool,
}
