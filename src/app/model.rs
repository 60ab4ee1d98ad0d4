//! The model that may draw views, as it is configured.

use std::sync::Arc;

use crate::adapters::model::{Client, Endpoint, Key, ModelUnusable};
use crate::domain::generation::ViewGenerator;
use crate::domain::limits::GenerationLimits;
use crate::domain::model_settings::ModelSettings;

/// The model that may draw views; none where none is configured.
pub(crate) fn generator(
    settings: &ModelSettings,
    limits: &GenerationLimits,
) -> Result<Option<Arc<dyn ViewGenerator>>, ModelUnusable> {
    if !settings.is_on() {
        return Ok(None);
    }
    let endpoint = Endpoint {
        provider: settings.provider,
        base: settings.base().to_owned(),
        key: key(settings)?,
        prices: settings.prices(),
    };
    let client = Client::new(endpoint, limits.clone())?;
    Ok(client.map(|client| Arc::new(client) as _))
}

/// The key of the provider; a server under an address of its own may need none.
fn key(settings: &ModelSettings) -> Result<Option<Key>, ModelUnusable> {
    if !settings.key_file.as_os_str().is_empty() {
        return Key::load(&settings.key_file).map(Some);
    }
    #[cfg(feature = "keyring")]
    if let Some(entry) = settings.keyring_entry() {
        return Key::in_keyring(&entry).map(Some);
    }
    let name = settings.provider.key_variable();
    match std::env::var(name) {
        Ok(text) => Key::of(name, &text).map(Some),
        Err(_) if !settings.url.is_empty() => Ok(None),
        Err(_) => Key::of(&format!("model.key_file and {name}"), "").map(Some),
    }
}
