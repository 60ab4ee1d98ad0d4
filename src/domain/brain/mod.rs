//! Pages that remember: their addresses, their text, what they say, and the port that keeps them.

mod asking;
mod assertions;
mod cards;
mod collections;
mod document;
mod embedder;
mod embedding;
mod entry;
mod feeds;
mod interval;
mod journal;
mod memory;
mod page;
mod shown;
mod slug;
mod snippet;
mod store;
mod words;

pub(crate) use asking::{
    Ask, CARDS, Decided, Disclosure, PREFERENCES, Proposal, closed as asked_closed, is_about_pages,
    is_preference, open as asked_open, without_question,
};
pub(crate) use assertions::{Assertion, assertions};
pub(crate) use collections::Collections;
pub(crate) use document::{Document, VALID_UNTIL};
pub(crate) use embedder::{Embedder, Likeness, NoVectors, Vector};
pub use embedding::EmbedderKind;
pub(crate) use embedding::EmbedderSettings;
pub(crate) use entry::{ACTED, BLUEPRINTS, Entry, INTENT, SHAPE, SHOWN, line_of};
pub(crate) use feeds::{PAGE_FEED, PageChannel, PageFeeds, Watch, page_channels, page_of};
pub(crate) use interval::{Bound, Interval, Temporal};
pub use journal::JournalDepth;
#[cfg(feature = "gate")]
pub(crate) use journal::{ApprovalQuestion, ApprovalStep};
pub(crate) use journal::{Journal, Memory, Precedent, Preference, Rendering};
pub(crate) use memory::{body_of, rewritten};
pub(crate) use page::{
    Found, Gap, GapApproval, Link, Listed, NewGap, NewLink, NewPage, NewRaw, Page, Unembedded,
    Version, question_hash,
};
pub(crate) use shown::blueprint_name;
pub(crate) use slug::{Address, Place, Slug, is_word};
pub(crate) use snippet::{CHARS_MAX as SNIPPET_CHARS_MAX, snippet};
pub(crate) use store::{
    CollectionCounts, Conflict, Filter, LinkChange, PageStore, PutOutcome, RawOutcome, Scope,
    StoredCounts,
};
pub(crate) use words::{HashedWords, terms};
