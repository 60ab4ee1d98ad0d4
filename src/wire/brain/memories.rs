//! Memories, as the REST interface takes and gives them: pages, by their ids.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::wire::object::Object;
use crate::wire::whole;

/// What is remembered anew.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMemory {
    /// What is remembered: markdown.
    #[schemars(length(min = 1))]
    pub content: String,
    /// The app; that of the credential, which is meant if left out.
    #[serde(default)]
    pub tenant_id: Option<String>,
    /// Who remembers it; the name of the credential if left out.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200), regex(pattern = r"^[^\r\n]*$"))]
    pub agent_id: Option<String>,
    /// What kind of memory it is, such as `fact` or `preference`; `fact` if left out.
    #[serde(default)]
    #[schemars(regex(pattern = r"^[a-z0-9_-]{1,64}$"))]
    pub memory_type: Option<String>,
    /// What it is called.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200), regex(pattern = r"^[^\r\n]*$"))]
    pub title: Option<String>,
    /// Where it comes from.
    #[serde(default)]
    #[schemars(length(min = 1, max = 2_000), regex(pattern = r"^[^\r\n]*$"))]
    pub source_uri: Option<String>,
    /// What else belongs to it.
    #[serde(default)]
    pub metadata: Option<Object>,
}

/// What is changed of a memory; what is left out stays as it is.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryChange {
    /// Version that the change was made from; left out for whatever it is now.
    #[serde(default, deserialize_with = "whole::option")]
    pub expected_version: Option<i64>,
    /// What is remembered: markdown.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub content: Option<String>,
    /// What kind of memory it is.
    #[serde(default)]
    #[schemars(regex(pattern = r"^[a-z0-9_-]{1,64}$"))]
    pub memory_type: Option<String>,
    /// What it is called.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200), regex(pattern = r"^[^\r\n]*$"))]
    pub title: Option<String>,
    /// Where it comes from.
    #[serde(default)]
    #[schemars(length(min = 1, max = 2_000), regex(pattern = r"^[^\r\n]*$"))]
    pub source_uri: Option<String>,
    /// What else belongs to it, in the place of all that did.
    #[serde(default)]
    pub metadata: Option<Object>,
}

/// What is looked for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryQuery {
    /// In words, or by its slug or title.
    #[schemars(length(min = 1))]
    pub query: String,
    /// Only in this collection.
    #[serde(default)]
    pub collection: Option<String>,
    /// Memories at most; 10 if left out.
    #[serde(default, deserialize_with = "whole::option")]
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<u32>,
}

/// Parameters of `POST /api/v1/memories`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct CreateMemoryParams {
    /// The body.
    pub body: NewMemory,
}

/// Parameters of `PATCH /api/v1/memories/{memory}`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ChangeMemoryParams {
    /// Its id, or the slug of its page.
    pub id: String,
    /// The body.
    pub body: MemoryChange,
}

/// Parameters of `POST /api/v1/search`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct SearchMemoriesParams {
    /// The body.
    pub body: MemoryQuery,
}

/// Parameters of what needs nothing but a memory.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct MemoryParams {
    /// Its id, or the slug of its page.
    pub id: String,
}

/// Parameters of `GET /api/v1/memories/{memory}/versions`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct VersionsParams {
    /// Its id, or the slug of its page.
    pub id: String,
    /// Most rows.
    pub limit: u32,
    /// Place of the last row that the client has.
    #[serde(default)]
    pub after: Option<String>,
}

/// Parameters of `GET /api/v1/memories/{memory}/versions/{version}`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct VersionParams {
    /// Its id, or the slug of its page.
    pub id: String,
    /// The number of the version.
    pub version: String,
}

/// A memory.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Memory {
    /// Its id.
    pub id: String,
    /// Its app.
    pub tenant_id: String,
    /// The address of its page, with the collection.
    pub slug: String,
    /// What it is called.
    pub title: String,
    /// What kind of memory it is: the type of its page.
    pub memory_type: String,
    /// Who remembered it; null where its page does not say.
    pub agent_id: Option<String>,
    /// Where it comes from; null where its page does not say.
    pub source_uri: Option<String>,
    /// The text of its page, without the frontmatter.
    pub content: String,
    /// What else belongs to it.
    pub metadata: Map<String, Value>,
    /// The tags of its page, sorted.
    pub tags: Vec<String>,
    /// Its version, which a change names as `expected_version`.
    pub version: i64,
    /// When it was created, ISO 8601.
    pub created_at: String,
    /// When it was changed last, ISO 8601.
    pub updated_at: String,
}

/// A memory of a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MemoryRow {
    /// Its id.
    pub id: String,
    /// The address of its page, with the collection.
    pub slug: String,
    /// What it is called.
    pub title: String,
    /// What kind of memory it is.
    pub memory_type: String,
    /// How it begins.
    pub summary: String,
    /// Its version.
    pub version: i64,
    /// When it was created, ISO 8601.
    pub created_at: String,
    /// When it was changed last, ISO 8601.
    pub updated_at: String,
}

/// Memories that were found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FoundMemories {
    /// Best first.
    pub data: Vec<FoundMemory>,
}

/// A memory that was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FoundMemory {
    /// Its id.
    pub id: String,
    /// The address of its page, with the collection.
    pub slug: String,
    /// What it is called.
    pub title: String,
    /// What kind of memory it is.
    pub memory_type: String,
    /// Where the words stand, or how it begins.
    pub snippet: String,
    /// Higher is better; comparable within one answer only.
    pub score: f64,
}

/// A version of a memory in a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct VersionRow {
    /// Its number.
    pub version: i64,
    /// When it was written, ISO 8601.
    pub written_at: String,
    /// Who wrote it: the name of a credential.
    pub written_by: String,
}

/// A version of a memory.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MemoryVersion {
    /// Its number.
    pub version: i64,
    /// When it was written, ISO 8601.
    pub written_at: String,
    /// Who wrote it: the name of a credential.
    pub written_by: String,
    /// What it was called.
    pub title: String,
    /// The text of its page, without the frontmatter.
    pub content: String,
}
