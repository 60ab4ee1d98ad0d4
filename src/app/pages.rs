//! The page store, above its file or this process's memory, and where its tools are listed.

use std::path::Path;
use std::sync::Arc;

use super::error::StartError;
use crate::adapters::sqlite_pages::{Database, SqlitePages, location};
use crate::config::{Config, McpTools};
use crate::domain::brain::{Collections, Embedder, HashedWords};
use crate::domain::clock::{Clock, Ids};
use crate::domain::limits::Limits;
use crate::domain::operation::{PAGE_ENDPOINTS_AND_MCP, Registration};
use crate::services::brain::{Brain, Changes};
use crate::services::dispatch::DispatchError;

/// What the page store does. Its file is in the data folder unless another one is configured; it is
/// in memory where there is neither.
pub(super) fn registrations(
    config: &Config,
    folder: Option<&Path>,
    collections: Collections,
    limits: &Limits,
    clock: &Arc<dyn Clock>,
    ids: &Arc<dyn Ids>,
) -> Result<Vec<Registration<DispatchError>>, StartError> {
    let database = match location(&config.brain.path, folder) {
        Some(file) => Database::open(&file)?,
        None => Database::in_memory()?,
    };
    let embedder: Arc<dyn Embedder> = Arc::new(HashedWords);
    let brain = Arc::new(Brain {
        store: Arc::new(SqlitePages {
            database,
            limits: limits.pages.clone(),
            model: embedder.model().to_owned(),
        }),
        embedder,
        collections,
        clock: Arc::clone(clock),
        ids: Arc::clone(ids),
        limits: limits.pages.clone(),
        changes: Changes::default(),
    });
    let mut registrations = brain.handlers();
    if config.server.mcp_tools == McpTools::GguiAndBrain {
        // What no endpoint lists is no tool.
        let tools = registrations.iter_mut();
        for tool in tools.filter(|one| !one.rules.listed.is_empty()) {
            tool.rules.listed = PAGE_ENDPOINTS_AND_MCP;
        }
    }
    Ok(registrations)
}
