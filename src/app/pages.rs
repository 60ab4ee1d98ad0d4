//! The page store, above its file or this process's memory, and where its tools are listed.

use std::sync::Arc;

use tokio::sync::Notify;
use tokio::sync::mpsc::Receiver;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::embedder::embedder;
use super::error::StartError;
use super::stores::Stores;
use crate::adapters::sqlite_pages::{Database, SqlitePages, location};
use crate::config::Config;
use crate::domain::brain::Collections;
use crate::domain::clock::{Clock, Ids};
use crate::domain::operation::{PAGE_ENDPOINTS_AND_MCP, Registration};
use crate::domain::seldom::Seldom;
use crate::services::book::Book;
use crate::services::brain::{Brain, Changes, Click, Feeds, Queue, Recalled};
use crate::services::dispatch::DispatchError;

/// The page store. Its file is in the data folder unless another one is configured; it is in memory
/// where there is neither.
pub(super) fn brain(
    config: &Config,
    stores: &Stores,
    collections: Collections,
    book: &Arc<Book>,
    clock: &Arc<dyn Clock>,
    ids: &Arc<dyn Ids>,
) -> Result<Arc<Brain>, StartError> {
    let limits = &config.limits.pages;
    let embedder = embedder(config)?;
    let store = match &stores.pages {
        Some(store) => Arc::clone(store),
        None => {
            let database = match location(&config.brain.path, stores.folder.as_deref()) {
                Some(file) => Database::open(&file)?,
                None => Database::in_memory()?,
            };
            Arc::new(SqlitePages {
                database,
                limits: limits.clone(),
                model: embedder.model().to_owned(),
            })
        }
    };
    Ok(Arc::new(Brain {
        store,
        book: Arc::clone(book),
        likeness: config.brain.embedding().likeness(embedder.likeness()),
        embedder,
        collections,
        clock: Arc::clone(clock),
        ids: Arc::clone(ids),
        limits: limits.clone(),
        changes: Changes::default(),
        recalled: Recalled::default(),
        unembedded: Notify::new(),
        spoken: Seldom::default(),
    }))
}

/// Starts what it does beside what it is asked: answers to cards, its journal, vectors, channels that
/// pages feed, and what other processes write.
pub(super) fn spawn(
    brain: &Arc<Brain>,
    clicks: Receiver<Click>,
    queue: Arc<Queue>,
    feeds: Arc<Feeds>,
    tasks: &TaskTracker,
    drain: &CancellationToken,
) {
    tasks.spawn(Arc::clone(brain).answer_cards(clicks, drain.clone()));
    tasks.spawn(Arc::clone(brain).embed_pages(drain.clone()));
    tasks.spawn(Arc::clone(brain).watch_others(drain.clone()));
    tasks.spawn(Arc::clone(brain).feed_channels(feeds, drain.clone()));
    tasks.spawn(Arc::clone(brain).keep_journal(queue, drain.clone()));
}

/// What it does, and where its tools are listed.
pub(super) fn registrations(
    brain: &Arc<Brain>,
    config: &Config,
) -> Vec<Registration<DispatchError>> {
    let mut registrations = brain.handlers();
    if config.server.mcp_tools.have_pages() {
        // What no endpoint lists is no tool.
        let tools = registrations.iter_mut();
        for tool in tools.filter(|one| !one.rules.listed.is_empty()) {
            tool.rules.listed = PAGE_ENDPOINTS_AND_MCP;
        }
    }
    registrations
}
