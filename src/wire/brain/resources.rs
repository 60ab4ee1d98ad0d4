//! Pages as resources of the protocol: how they are listed and read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of `resources/list` where pages are kept.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ListPagesParams {
    /// The `nextCursor` of the stretch before; left out for the first.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// A stretch of the list of all pages.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageResources {
    /// The pages, by their addresses.
    pub resources: Vec<PageResource>,
    /// For the next stretch; left out on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A page of the list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageResource {
    /// Its address, `brain://collection/slug`.
    pub uri: String,
    /// Its slug, with its collection.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// How it begins.
    pub description: String,
    /// `text/markdown`.
    pub mime_type: &'static str,
}

/// Parameters of `resources/read` where pages are kept.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ReadPageParams {
    /// The address of a page, `brain://collection/slug`.
    pub uri: String,
}

/// What is waited for: another version of a page.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct AwaitPageParams {
    /// The address of the page, `brain://collection/slug`.
    pub uri: String,
    /// The version that is known.
    pub version: i64,
}

/// What is read of a page.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageContents {
    /// One.
    pub contents: Vec<PageText>,
}

/// The text of a page.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageText {
    /// Its address.
    pub uri: String,
    /// `text/markdown`.
    pub mime_type: &'static str,
    /// As it was written, to the last byte.
    pub text: String,
    /// What else is known of it.
    #[serde(rename = "_meta")]
    pub meta: PageMeta,
}

/// What is known of a page besides its text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageMeta {
    /// Its version, which `brain_put` takes as `expected_version`.
    #[serde(rename = "proscenium/version")]
    pub version: i64,
}
