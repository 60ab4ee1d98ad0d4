//! What the tools of the page store give.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Result of `brain_get`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GetResult {
    /// Its address, with the collection.
    pub slug: String,
    /// Its version, which the next `brain_put` names as `expected_version`.
    pub version: i64,
    /// An id that stays when the page is renamed.
    pub uuid: String,
    /// What it is called.
    pub title: String,
    /// What kind of page it is.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its tags, sorted.
    pub tags: Vec<String>,
    /// Every entry of its frontmatter.
    pub frontmatter: BTreeMap<String, String>,
    /// When it was created.
    pub created_at: String,
    /// When it was changed last.
    pub updated_at: String,
    /// The rendered markdown: frontmatter, compiled truth and timeline.
    pub content: String,
}

/// Result of `brain_put`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PutResult {
    /// Its address, with the collection.
    pub slug: String,
    /// Its version from now on.
    pub version: i64,
    /// Whether it was not there before.
    pub created: bool,
    /// The session in which a person is asked whether the page is kept: until they agree, nothing is
    /// written, and the version is that of the page as it is, 0 for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// The same in words.
    pub message: String,
}

/// Result of `brain_search` and `brain_query`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct HitsResult {
    /// The pages, best first.
    pub results: Vec<Hit>,
}

/// A page that was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Hit {
    /// Its address, with the collection.
    pub slug: String,
    /// What it is called.
    pub title: String,
    /// Where the words stand, or how the page begins.
    pub snippet: String,
    /// How the page begins.
    pub summary: String,
    /// Higher is better; comparable within one answer only.
    pub score: f64,
    /// The part of the collection it stands in.
    pub wing: String,
    /// The relationship by which a page was added that the words did not find.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
}

/// Result of `brain_list`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListResult {
    /// The pages, last changed first.
    pub pages: Vec<ListedPage>,
}

/// A page of a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListedPage {
    /// Its address, with the collection.
    pub slug: String,
    /// What kind of page it is.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is called.
    pub title: String,
    /// How it begins.
    pub summary: String,
    /// Its version.
    pub version: i64,
    /// When it was changed last.
    pub updated_at: String,
}

/// Result of `brain_link`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LinkResult {
    /// The link, for `brain_link_close`.
    pub id: i64,
    /// Page it starts from.
    pub from_slug: String,
    /// Page it leads to.
    pub to_slug: String,
    /// What it says.
    pub relationship: String,
    /// When it began to hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<String>,
    /// When it stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<String>,
    /// Whether an open link was closed instead of adding one.
    pub closed_existing: bool,
    /// The same in words.
    pub message: String,
}

/// Result of `brain_link_close`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LinkCloseResult {
    /// The link.
    pub id: i64,
    /// When it stopped.
    pub valid_until: String,
    /// The same in words.
    pub message: String,
}

/// Result of `brain_backlinks`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BacklinksResult {
    /// The links, newest first.
    pub links: Vec<Backlink>,
}

/// A link as seen from the page it leads to.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Backlink {
    /// The link, for `brain_link_close`.
    pub id: i64,
    /// Page it starts from.
    pub from_slug: String,
    /// What that page is called.
    pub from_title: String,
    /// What it says.
    pub relationship: String,
    /// When it began to hold; null for always.
    #[schemars(with = "Value")]
    pub valid_from: Option<String>,
    /// When it stopped; null while it holds.
    #[schemars(with = "Value")]
    pub valid_until: Option<String>,
}

/// Result of `brain_graph`.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Graph {
    /// The pages, the asked one first.
    pub nodes: Vec<GraphNode>,
    /// The links between them.
    pub edges: Vec<GraphEdge>,
    /// Whether there are more than an answer has room for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// A page of a graph.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GraphNode {
    /// Its address, with the collection.
    pub slug: String,
    /// What kind of page it is.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is called.
    pub title: String,
}

/// A link of a graph.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GraphEdge {
    /// Page it starts from.
    pub from: String,
    /// Page it leads to.
    pub to: String,
    /// What it says.
    pub relationship: String,
    /// When it began to hold; null for always.
    #[schemars(with = "Value")]
    pub valid_from: Option<String>,
    /// When it stopped; null while it holds.
    #[schemars(with = "Value")]
    pub valid_until: Option<String>,
}

/// Result of `brain_check`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CheckResult {
    /// What contradicts itself.
    pub contradictions: Vec<Contradiction>,
}

/// Two statements that cannot both hold.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Contradiction {
    /// Page of the one.
    pub page_slug: String,
    /// Page of the other, which may be the same.
    pub other_page_slug: String,
    /// `assertion_conflict`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Who or what, and what is said of it.
    pub description: String,
    /// When the later one was written.
    pub detected_at: String,
}

/// Result of `brain_timeline`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TimelineResult {
    /// The page's address, with the collection.
    pub slug: String,
    /// Its entries, newest first.
    pub entries: Vec<String>,
}

/// Result of `brain_tags`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TagsResult {
    /// The page's tags from now on, sorted.
    pub tags: Vec<String>,
}

/// Result of `brain_gap`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GapResult {
    /// The gap.
    pub id: i64,
    /// SHA-256 of the question, in hexadecimal digits.
    pub query_hash: String,
    /// The page it is about; null for none.
    #[schemars(with = "Value")]
    pub page_id: Option<i64>,
    /// The session in which a person is asked whether the question may leave this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
}

/// Result of `brain_gaps`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GapsResult {
    /// The gaps, newest first.
    pub gaps: Vec<Gap>,
}

/// A question without an answer.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Gap {
    /// Its id.
    pub id: i64,
    /// The page it is about; null for none.
    #[schemars(with = "Value")]
    pub page_id: Option<i64>,
    /// SHA-256 of the question, in hexadecimal digits.
    pub query_hash: String,
    /// Always empty: what was said about the question may repeat it.
    pub context: String,
    /// How sure the best answer was; null where none was tried.
    #[schemars(with = "Value")]
    pub confidence_score: Option<f64>,
    /// `internal`: only the hash is kept; `redacted` or `external`: a person has agreed that the
    /// question may leave this machine, in other words or in its own.
    pub sensitivity: String,
    /// The question in the words that a person has agreed to; null while nobody has.
    #[schemars(with = "Value")]
    pub shared_query: Option<String>,
    /// When it was resolved; null while it is open.
    #[schemars(with = "Value")]
    pub resolved_at: Option<String>,
    /// The page that resolved it.
    #[schemars(with = "Value")]
    pub resolved_by_slug: Option<String>,
    /// When it was logged.
    pub detected_at: String,
}

/// Result of `brain_stats`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StatsResult {
    /// Pages.
    pub page_count: i64,
    /// Links, closed ones included.
    pub link_count: i64,
    /// Statements found in pages.
    pub assertion_count: i64,
    /// Statements that contradict each other.
    pub contradiction_count: i64,
    /// Open gaps.
    pub gap_count: i64,
    /// Parts of pages with a vector.
    pub embedding_count: i64,
    /// What makes the vectors.
    pub active_model: String,
    /// Bytes of the pages, with their earlier versions.
    pub db_size_bytes: i64,
    /// Version of the database's schema.
    pub schema_version: i64,
}

/// Result of `brain_collections`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CollectionsResult {
    /// The collections, in the order of the settings.
    pub collections: Vec<CollectionRow>,
}

/// A collection of pages.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CollectionRow {
    /// Its name, which stands before `::`.
    pub name: String,
    /// Null: pages are kept in the database, not in files.
    #[schemars(with = "Value")]
    pub root_path: Option<String>,
    /// `active` or `restoring`.
    pub state: &'static str,
    /// Whether it may be written to.
    pub writable: bool,
    /// Whether new pages without a collection go there.
    pub is_write_target: bool,
    /// Its pages.
    pub page_count: i64,
    /// Null: there are no files to read from.
    #[schemars(with = "Value")]
    pub last_sync_at: Option<String>,
    /// Pages whose vectors are still to be made; until then they are found by their words.
    pub embedding_queue_depth: i64,
    /// Null: there are no files to ignore.
    #[schemars(with = "Value")]
    pub ignore_parse_errors: Option<Vec<Value>>,
    /// Whether it has to be compared with its source before it may be changed.
    pub needs_full_sync: bool,
    /// Whether it is being recovered.
    pub recovery_in_progress: bool,
    /// Null: nothing blocks it.
    #[schemars(with = "Value")]
    pub integrity_blocked: Option<String>,
    /// Whether it is being restored.
    pub restore_in_progress: bool,
}

/// Result of `brain_raw`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RawResult {
    /// The row.
    pub id: i64,
}
