//! Limits on the pages of the page store.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits on the pages of the page store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BrainLimits {
    /// Pages an app keeps: as many as are still searched in the time of a key press.
    pub pages_per_app_max: usize,
    /// Bytes of one page: a long book chapter several times over.
    pub page_bytes_max: usize,
    /// Versions kept of a page; the oldest is dropped first.
    pub versions_per_page_max: usize,
    /// Links made from one page, in its text or otherwise: more than anybody reads.
    pub links_per_page_max: usize,
    /// Statements of one page that are compared with those of others: far more than a person writes.
    pub statements_per_page_max: usize,
    /// Statements of the same subject and predicate that each statement is compared with: more of them
    /// that hold at the same time are a log rather than a contradiction.
    pub statements_compared_max: u32,
    /// Tags of a page.
    pub tags_per_page_max: usize,
    /// Bytes of raw data of one source.
    pub raw_bytes_max: usize,
    /// Sources of raw data of a page.
    pub raw_sources_per_page_max: usize,
    /// Raw data kept of one source of a page, the newest included; the oldest is dropped first.
    pub raw_versions_max: usize,
    /// Gaps an app keeps; the oldest is dropped first.
    pub gaps_per_app_max: usize,
    /// Rows of one answer; whoever asks for more gets as many.
    pub rows_max: u32,
    /// Tokens, four bytes each, of the pages that brain_query gives with depth auto: what a model
    /// reads beside a conversation.
    pub query_tokens_max: usize,
    /// Pages that the server writes of itself and that wait for it: what comes when there are more is
    /// not written, and counted.
    pub journal_waiting_max: usize,
    /// Pages of one kind that the server has written and an app keeps: months of a busy one. The one
    /// that was changed longest ago is dropped first.
    pub journal_pages_max: usize,
    /// Rows of the timeline of such a page; the oldest is dropped first, and they are counted.
    pub journal_rows_max: usize,
    /// Milliseconds for which what happened is gathered before it is written: many uses of one
    /// blueprint are one change of its page.
    pub journal_gather_ms: u64,
    /// Seconds without anything new after which a session is written down before it ends.
    pub journal_idle_s: u64,
    /// Questions about pages that are open for the people of an app: more than anybody answers.
    pub cards_per_app_max: usize,
    /// Milliseconds that an interface of embeddings may take for one answer: a busy machine that
    /// computes many long texts.
    pub embedding_timeout_ms: u64,
    /// Milliseconds that brain_query waits for the vector of its words; after them it goes by words
    /// alone.
    pub embedding_query_ms_max: u64,
    /// Texts of one question to an interface of embeddings: many take no more than a few hundred.
    pub embedding_texts_max: usize,
    /// Bytes of one text that an interface of embeddings is given; the rest is not compared. Models
    /// read a few thousand tokens at most.
    pub embedding_text_bytes_max: usize,
    /// Bytes of one answer of an interface of embeddings: as many texts with vectors of 4,096 numbers.
    pub embedding_answer_bytes_max: usize,
    /// Milliseconds after which pages without vectors are tried again; each further wait is twice as
    /// long, up to a minute.
    pub embedding_retry_ms: u64,
    /// Milliseconds between two looks at whether another process has written into the same file: whoever
    /// waits for a page hardly notices.
    pub others_look_ms: u64,
    /// Channels of one session that pages feed: more than a page of a UI shows of pages.
    pub feeds_per_session_max: usize,
    /// Channels that pages feed in all sessions of an app that somebody watches: each is looked at
    /// whenever another process has written.
    pub feeds_per_app_max: usize,
    /// Milliseconds that a handshake waits to be told what worked before and what people prefer: more
    /// than that takes, and less than anybody notices. 0: it is told neither.
    pub recall_ms_max: u64,
}

impl Default for BrainLimits {
    fn default() -> Self {
        Self {
            pages_per_app_max: 100_000,
            page_bytes_max: 1 << 20,
            versions_per_page_max: 100,
            links_per_page_max: 10_000,
            statements_per_page_max: 1_000,
            statements_compared_max: 32,
            tags_per_page_max: 100,
            raw_bytes_max: 1 << 20,
            raw_sources_per_page_max: 100,
            raw_versions_max: 10,
            gaps_per_app_max: 10_000,
            rows_max: 1_000,
            query_tokens_max: 4_000,
            journal_waiting_max: 4_096,
            journal_pages_max: 10_000,
            journal_rows_max: 100,
            journal_gather_ms: 1_000,
            journal_idle_s: 60,
            cards_per_app_max: 20,
            embedding_timeout_ms: 30_000,
            embedding_query_ms_max: 500,
            embedding_texts_max: 64,
            embedding_text_bytes_max: 8_192,
            embedding_answer_bytes_max: 8 << 20,
            embedding_retry_ms: 1_000,
            others_look_ms: 500,
            feeds_per_session_max: 8,
            feeds_per_app_max: 1_000,
            recall_ms_max: 100,
        }
    }
}
