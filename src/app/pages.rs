//! The page store, above its file or this process's memory, and where its tools are listed.

use std::sync::Arc;

use super::error::StartError;
use crate::adapters::sqlite_pages::{Database, SqlitePages};
use crate::config::{Config, McpTools};
use crate::domain::brain::{Collections, Embedder, HashedWords};
use crate::domain::clock::{Clock, Ids};
use crate::domain::limits::Limits;
use crate::domain::operation::{PAGE_ENDPOINTS_AND_MCP, Registration};
use crate::services::brain::Brain;
use crate::services::dispatch::DispatchError;

/// What the page store does.
pub(super) fn registrations(
    config: &Config,
    collections: Collections,
    limits: &Limits,
    clock: &Arc<dyn Clock>,
    ids: &Arc<dyn Ids>,
) -> Result<Vec<Registration<DispatchError>>, StartError> {
    let path = &config.brain.path;
    let database = if path.as_os_str().is_empty() {
        Database::in_memory()?
    } else {
        Database::open(path)?
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
    });
    let mut registrations = brain.handlers();
    if config.server.mcp_tools == McpTools::GguiAndBrain {
        for registration in &mut registrations {
            registration.rules.listed = PAGE_ENDPOINTS_AND_MCP;
        }
    }
    Ok(registrations)
}
