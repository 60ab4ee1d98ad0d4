//! What the tools of the page store are given.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::wire::object::Object;
use crate::wire::whole;

/// Parameters of `brain_get`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct GetParams {
    /// Page, such as `people/alice` or `work::people/alice`.
    pub slug: String,
}

/// Parameters of `brain_put`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct PutParams {
    /// Page, such as `people/alice` or `work::people/alice`.
    pub slug: String,
    /// The whole page: frontmatter between `---` lines, compiled truth, a line `---`, timeline.
    pub content: String,
    /// Version that the change was made from; left out to create a page.
    #[serde(default, deserialize_with = "whole::option")]
    pub expected_version: Option<i64>,
}

/// Parameters of `brain_query`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct QueryParams {
    /// What is looked for, in words.
    pub query: String,
    /// Only in this collection.
    #[serde(default)]
    pub collection: Option<String>,
    /// Only in this wing.
    #[serde(default)]
    pub wing: Option<String>,
    /// Pages at most; 10 if left out.
    #[serde(default, deserialize_with = "whole::option")]
    pub limit: Option<u32>,
    /// `auto` adds linked pages as far as they fit the token budget.
    #[serde(default)]
    pub depth: Option<String>,
}

/// Parameters of `brain_search`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct SearchParams {
    /// Words that are looked for.
    pub query: String,
    /// Only in this collection.
    #[serde(default)]
    pub collection: Option<String>,
    /// Only in this wing.
    #[serde(default)]
    pub wing: Option<String>,
    /// Pages at most; 10 if left out.
    #[serde(default, deserialize_with = "whole::option")]
    pub limit: Option<u32>,
}

/// Parameters of `brain_list`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ListParams {
    /// Only in this collection.
    #[serde(default)]
    pub collection: Option<String>,
    /// Only in this wing.
    #[serde(default)]
    pub wing: Option<String>,
    /// Only of this type.
    #[serde(default)]
    pub page_type: Option<String>,
    /// Pages at most; 50 if left out.
    #[serde(default, deserialize_with = "whole::option")]
    pub limit: Option<u32>,
}

/// Parameters of `brain_link`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct LinkParams {
    /// Page the link starts from.
    pub from_slug: String,
    /// Page it leads to.
    pub to_slug: String,
    /// What the link says, such as `works_at`: 1 to 64 of `a-z 0-9 _ -`.
    pub relationship: String,
    /// When it began to hold: `2026-04`, `2026-04-15` or `2026-04-15T08:00:00Z`.
    #[serde(default)]
    pub valid_from: Option<String>,
    /// When it stopped; an open link of the same kind is closed.
    #[serde(default)]
    pub valid_until: Option<String>,
}

/// Parameters of `brain_link_close`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct LinkCloseParams {
    /// The link, as `brain_link` and `brain_backlinks` name it.
    #[serde(deserialize_with = "whole::one")]
    pub link_id: u64,
    /// When it stopped: `2026-04`, `2026-04-15` or `2026-04-15T08:00:00Z`.
    pub valid_until: String,
}

/// Parameters of `brain_backlinks`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct BacklinksParams {
    /// Page the links lead to.
    pub slug: String,
    /// Links at most; 100 if left out.
    #[serde(default, deserialize_with = "whole::option")]
    pub limit: Option<u32>,
    /// `current`, which is meant if left out, or `all`.
    #[serde(default)]
    pub temporal: Option<String>,
}

/// Parameters of `brain_graph`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct GraphParams {
    /// Page in the middle.
    pub slug: String,
    /// Links to follow one after another, at most 10; 2 if left out.
    #[serde(default, deserialize_with = "whole::option")]
    pub depth: Option<u32>,
    /// `current`, which is meant if left out, or `all`.
    #[serde(default)]
    pub temporal: Option<String>,
}

/// Parameters of `brain_check`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct CheckParams {
    /// Only what concerns this page; left out for everything.
    #[serde(default)]
    pub slug: Option<String>,
}

/// Parameters of `brain_timeline`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct TimelineParams {
    /// Page.
    pub slug: String,
    /// Entries at most; 20 if left out.
    #[serde(default, deserialize_with = "whole::option")]
    pub limit: Option<u32>,
}

/// Parameters of `brain_tags`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct TagsParams {
    /// Page.
    pub slug: String,
    /// Tags to add: 1 to 64 of `a-z 0-9 _ -`.
    #[serde(default)]
    pub add: Option<Vec<String>>,
    /// Tags to remove.
    #[serde(default)]
    pub remove: Option<Vec<String>>,
}

/// Parameters of `brain_gap`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct GapParams {
    /// The question without an answer; only its hash is kept.
    pub query: String,
    /// Page it is about.
    #[serde(default)]
    pub slug: Option<String>,
    /// Why it was asked; not kept, because it may repeat the question.
    #[serde(default)]
    pub context: Option<String>,
    /// Whether a person is asked if the question may leave this machine; only then its words are kept.
    #[serde(default)]
    pub share: Option<bool>,
}

/// Parameters of `brain_gaps`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct GapsParams {
    /// Whether gaps that are resolved are listed, too.
    #[serde(default)]
    pub resolved: Option<bool>,
    /// Gaps at most; 20 if left out.
    #[serde(default, deserialize_with = "whole::option")]
    pub limit: Option<u32>,
}

/// Parameters of `brain_stats`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct StatsParams {}

/// Parameters of `brain_collections`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct CollectionsParams {}

/// Parameters of `brain_raw`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RawParams {
    /// Page the data belongs to.
    pub slug: String,
    /// Where the data came from, such as `meeting`.
    pub source: String,
    /// The data; an object.
    pub data: Object,
    /// Whether data of the same source is replaced.
    #[serde(default)]
    pub overwrite: Option<bool>,
}
