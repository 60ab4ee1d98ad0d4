//! Pages that remember: their addresses, their text, what they say, and the port that keeps them.

mod assertions;
mod collections;
mod document;
mod embedder;
mod interval;
mod memory;
mod page;
mod slug;
mod store;
mod words;

pub(crate) use assertions::{Assertion, assertions};
pub(crate) use collections::Collections;
pub(crate) use document::Document;
pub(crate) use embedder::{Embedder, Vector};
pub(crate) use interval::{Bound, Interval, Temporal};
pub(crate) use memory::{body_of, rewritten};
pub(crate) use page::{Found, Gap, Link, Listed, NewGap, NewLink, NewPage, NewRaw, Page, Version};
pub(crate) use slug::{Address, Place, Slug, is_word};
pub(crate) use store::{
    Conflict, Filter, LinkChange, PageStore, PutOutcome, RawOutcome, Scope, StoredCounts,
};
pub(crate) use words::{HashedWords, terms};
