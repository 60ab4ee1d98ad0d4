//! The page store, above its file or this process's memory, and where its tools are listed.

use std::sync::Arc;

use super::error::StartError;
use super::stores::Stores;
use crate::adapters::sqlite_pages::{Database, SqlitePages, location};
use crate::config::{Config, McpTools};
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
    stores: &Stores,
    collections: Collections,
    book: &Arc<Book>,
    clock: &Arc<dyn Clock>,
    ids: &Arc<dyn Ids>,
) -> Result<Arc<Brain>, StartError> {
    let limits = &config.limits.pages;
    let embedder: Arc<dyn Embedder> = Arc::new(HashedWords);
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
    if config.server.mcp_tools == McpTools::GguiAndBrain {
        // What no endpoint lists is no tool.
        let tools = registrations.iter_mut();
        for tool in tools.filter(|one| !one.rules.listed.is_empty()) {
            tool.rules.listed = PAGE_ENDPOINTS_AND_MCP;
        }
    }
    registrations
}
