//! What turns pages into vectors, as it is configured.

use std::sync::Arc;

use super::error::StartError;
#[cfg(feature = "model")]
use crate::adapters::model::{Embeddings, Key, ModelUnusable};
use crate::adapters::static_table::StaticTable;
#[cfg(not(feature = "model"))]
use crate::config::ConfigError;
use crate::config::{Config, EmbedderKind};
use crate::domain::brain::{Embedder, HashedWords};

/// Where OpenAI's users keep their key.
#[cfg(feature = "model")]
const KEY_VARIABLE: &str = "OPENAI_API_KEY";

/// What turns pages into vectors.
pub(super) fn embedder(config: &Config) -> Result<Arc<dyn Embedder>, StartError> {
    let settings = config.brain.embedding();
    let embedder: Arc<dyn Embedder> = match settings.kind {
        EmbedderKind::Hashed => Arc::new(HashedWords),
        EmbedderKind::Table => Arc::new(StaticTable::load(settings.path)?),
        #[cfg(feature = "model")]
        EmbedderKind::Http => {
            let limits = config.limits.pages.clone();
            let key = key(config)?;
            Arc::new(Embeddings::new(
                settings.base(),
                settings.model,
                key,
                limits,
            )?)
        }
        #[cfg(not(feature = "model"))]
        EmbedderKind::Http => return Err(ConfigError::Invalid(settings.problems()).into()),
    };
    Ok(embedder)
}

/// The key of an interface; one under an address of its own may need none.
#[cfg(feature = "model")]
fn key(config: &Config) -> Result<Option<Key>, ModelUnusable> {
    let settings = config.brain.embedding();
    if !settings.key_file.as_os_str().is_empty() {
        return Key::load(settings.key_file).map(Some);
    }
    match std::env::var(KEY_VARIABLE) {
        Ok(text) => Key::of(KEY_VARIABLE, &text).map(Some),
        Err(_) if !settings.url.is_empty() => Ok(None),
        Err(_) => Key::of(&format!("brain.embedder_key_file and {KEY_VARIABLE}"), "").map(Some),
    }
}
