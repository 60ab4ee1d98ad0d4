//! The page store, above its file or this process's memory, and where its tools are listed.

use std::path::Path;
use std::sync::Arc;

use super::error::StartError;
use crate::adapters::sqlite_pages::{Database, SqlitePages, location};
use crate::config::Config;
use crate::domain::brain::{Collections, Embedder, HashedWords};
use crate::domain::clock::{Clock, Ids};
use crate::domain::operation::{PAGE_ENDPOINTS_AND_MCP, Registration};
use crate::services::book::Book;
use crate::services::brain::{Brain, Changes, Recalled};
use crate::services::dispatch::DispatchError;

/// The page store. Its file is in the data folder unless another one is configured; it is in memory
/// where there is neither.
pub(super) fn brain(
    config: &Config,
    folder: Option<&Path>,
    collections: Collections,
    book: &Arc<Book>,
    clock: &Arc<dyn Clock>,
    ids: &Arc<dyn Ids>,
) -> Result<Arc<Brain>, StartError> {
    let limits = &config.limits.pages;
    let database = match location(&config.brain.path, folder) {
        Some(file) => Database::open(&file)?,
        None => Database::in_memory()?,
    };
    let embedder: Arc<dyn Embedder> = Arc::new(HashedWords);
    Ok(Arc::new(Brain {
        store: Arc::new(SqlitePages {
            database,
            limits: limits.clone(),
            model: embedder.model().to_owned(),
        }),
        book: Arc::clone(book),
        embedder,
        collections,
        clock: Arc::clone(clock),
        ids: Arc::clone(ids),
        limits: limits.clone(),
        changes: Changes::default(),
        recalled: Recalled::default(),
    }))
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
